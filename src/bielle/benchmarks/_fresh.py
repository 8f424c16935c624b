"""Python in a fresh process, which has nothing imported and nothing allocated yet."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from itertools import takewhile

import numpy as np

__all__ = ["fresh", "numbers"]

KEEP_BYTECODE = {"PYTHONDONTWRITEBYTECODE": ""}  # as Python does unless told otherwise: packages that are installed have theirs, too
PATIENCE = 250.0  # [s] less than the programs that ask have


def fresh(code: str, **environment: str) -> tuple[float, str]:
    """Seconds from the start of the process to its end, and the last line that the code has printed."""
    environment = os.environ | KEEP_BYTECODE | environment
    started = time.perf_counter()
    try:
        done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        raise RuntimeError(f"stopped after {PATIENCE:g} s") from None
    seconds = time.perf_counter() - started
    if done.returncode != 0:
        message = takewhile(lambda line: not line.startswith(" "), reversed(done.stderr.strip().splitlines()))  # below the traceback
        raise RuntimeError("; ".join(reversed([*message])) or f"ended with status {done.returncode}")
    return seconds, (done.stdout.splitlines() or [""])[-1]


def numbers(line: str) -> np.ndarray:
    """Those that it shows."""
    return np.array(line.split(), dtype=float)
