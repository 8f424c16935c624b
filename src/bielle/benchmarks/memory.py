"""Memory: how much more a process takes for a chain of n links than for one of two.

A fresh process builds the falling planar chain of :mod:`bielle.benchmarks.planar_chain` with the same choices and takes a few steps. Its
largest resident memory, less that of a process that does the same with two links, is what the links need: libraries, kernels and the
interpreter are in both. Equal processes differ by some 100 KiB: less than 128 KiB is given as that much, which is the case at 10 links. The
answer is how far the end has come.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

import numpy as np

from . import planar_chain
from ._fresh import fresh, numbers
from ._workload import Case, Job, Pair, Program, Workload

SMALLEST = 2  # links
NOISE = 2**17  # [B] by which processes that do the same differ, as libraries lie elsewhere in each; less cannot be seen
STATUS = Path("/proc/self/status")


def tell(maker: str, n: int, duration: float) -> None:
    """Run in a process of its own: do a case, print the peak of its memory [B] and where the end of the chain is."""
    job: Job = getattr(planar_chain, maker)(n, duration)
    job.go()
    print(_peak(), *job.answer())


def _peak() -> int:
    """Largest resident memory of this process so far [B]."""
    if not STATUS.exists():
        raise RuntimeError(f"the peak of memory is read from {STATUS}, which this system does not have")
    line = next(line for line in STATUS.read_text(encoding="utf-8").splitlines() if line.startswith("VmHWM:"))
    return 1024 * int(line.split()[1])


def using(maker: str, n: int, duration: float) -> Job:
    """Memory that n links take beyond two."""
    ask = f"from bielle.benchmarks.memory import tell; tell({maker!r}, {{}}, {duration})"
    few, found = numbers(fresh(ask.format(SMALLEST))[1]), []

    def go() -> float:
        found.append(numbers(fresh(ask.format(n))[1]))
        return max(found[-1][0] - few[0], NOISE)

    return Job(go, lambda: _fall(found[-1][1:]))


def end(n: int, duration: float) -> np.ndarray:
    """How far it really comes."""
    return _fall(planar_chain.end(n, duration))


def _fall(tip: np.ndarray) -> np.ndarray:
    return tip - (1.0, 0.0)


WORKLOAD = Workload(
    title="Memory",
    about="Peak of resident memory of a process that builds a planar chain and takes a few steps, less that for two links.",
    cases={
        "10": Case({"n": 10, "duration": 0.02}, count=10, rounds=3, quick=True),
        "100": Case({"n": 100, "duration": 0.02}, count=100, rounds=3),
        "1000": Case({"n": 1000, "duration": 0.002}, count=1000, rounds=3),
        "3000": Case({"n": 3000, "duration": 0.002}, count=3000, rounds=3),
    },
    programs=(
        Program("central", partial(using, "central"), within=0.01, seconds=300.0),
        Program("recursive", partial(using, "recursive"), within=0.01, seconds=300.0),
        Program("modular", partial(using, "modular"), within=0.01, seconds=300.0),
        Program("Exudyn", partial(using, "in_exudyn"), "exudyn", within=0.01, seconds=300.0),
        Program("MuJoCo", partial(using, "in_mujoco"), "mujoco", within=0.01, seconds=300.0),
    ),
    pairs=(
        Pair("central", "Exudyn"),
        Pair("modular", "Exudyn"),
        Pair("recursive", "MuJoCo"),
        Pair("recursive", "Exudyn"),
    ),
    reference=end,
    error="relative error",
    relative=True,
    unit="link",
    quantity="B",
)
