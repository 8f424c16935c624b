"""Python in a fresh process, which has nothing imported and nothing allocated yet."""

from __future__ import annotations

import os
import subprocess
import sys
import time

import numpy as np

__all__ = ["fresh", "numbers"]

PATIENCE = 100.0  # [s]


def fresh(code: str, **environment: str) -> tuple[float, str]:
    """Seconds from the start of the process to its end, and the last line that the code has printed."""
    started = time.perf_counter()
    done = subprocess.run([sys.executable, "-c", code], env=os.environ | environment, capture_output=True, text=True, timeout=PATIENCE)
    seconds = time.perf_counter() - started
    if done.returncode != 0:
        raise RuntimeError((done.stderr.strip().splitlines() or [f"ended with status {done.returncode}"])[-1])
    return seconds, (done.stdout.splitlines() or [""])[-1]


def numbers(line: str) -> np.ndarray:
    """Those that it shows."""
    return np.array(line.split(), dtype=float)
