"""Components on threads: a spatial chain with explicit joints, which have no matrix at all, on one thread and on two.

Every body advances itself and every joint pulls at its two bodies, so that a step costs the same per body at any length, and shares of
the bodies can be on threads that meet at a few barriers per step. Sums are taken in the same order, whoever takes them: the answers must
agree to the last bit.

Threads that somebody disturbs wait for each other: what counts is the best of several pieces of a run. What two threads are worth on a
machine at all is shown by two hashes, of sixteen megabytes each, in turn and at once: where these are not twice as fast, the chain cannot
be.
"""

from __future__ import annotations

import hashlib
import threading
import time
from collections.abc import Callable
from functools import lru_cache

import numpy as np

import bielle as bl

from ..solvers.run import Run
from ._bielle import end_of, prepared
from ._workload import Case, Job, Pair, Program, Workload
from .spatial_chain import LENGTH
from .spatial_chain import chain as spatial_chain

STEP, PIECES = 1e-3, 10  # [s]
FIRST = 3  # steps before the first piece
HASHED = bytes(16_000_000)  # takes about as long as a piece of 1000 bodies, so that a busy machine disturbs both alike


@lru_cache(maxsize=1)
def _ready(n: int, threads: int, steps: int) -> tuple[Run, tuple]:
    """A run, and its start to come back to: describing and compiling a long chain takes far longer than the steps that are measured."""
    run = prepared(spatial_chain(n), bl.Modular("explicit", step=STEP, threads=threads), (FIRST + PIECES * steps) * STEP)
    return run, run.checkpoint()


def chain(threads: int) -> Callable[[int, int], Job]:
    """bielle, on so many threads."""

    def make(n: int, steps: int) -> Job:
        run, start = _ready(n, threads, steps)
        run.rewind(start)
        run.advance(FIRST)

        def go() -> float:
            seconds = _best(lambda: run.advance(steps))
            if not run.ok:
                raise RuntimeError(f"stopped at {run.time:g} s with code {run.code}")
            return seconds

        return Job(go, lambda: end_of(f"link{n - 1}", (LENGTH / 2, 0.0, 0.0))(run))

    return make


def hashes(threads: int) -> Callable[[int, int], Job]:
    """Two hashes, in turn or at once."""

    def in_turn() -> None:
        for _ in range(2):
            hashlib.sha256(HASHED)

    def at_once() -> None:
        other = threading.Thread(target=hashlib.sha256, args=(HASHED,))
        other.start()
        hashlib.sha256(HASHED)
        other.join()

    return lambda n, steps: Job(lambda: _best(in_turn if threads == 1 else at_once), _no_answer)


def real_time(n: int, steps: int) -> Job:
    """As long as the time that is simulated."""
    return Job(lambda: steps * STEP, _no_answer)


def _best(work: Callable[[], None]) -> float:
    seconds = []
    for _ in range(PIECES):
        started = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - started)
    return min(seconds)


def _no_answer() -> np.ndarray:
    return np.zeros(0)


WORKLOAD = Workload(
    title="Two threads",
    about="Spatial chain, explicit joints, steps of 1 ms: one thread, two threads, the time that is simulated.",
    cases={
        "1000": Case({"n": 1000, "steps": 10}, count=10, quick=True),
        "10000": Case({"n": 10_000, "steps": 2}, count=2),
        "30000": Case({"n": 30_000, "steps": 2}, count=2, rounds=5),
    },
    programs=(
        Program("1 thread", chain(1), within=0.0),
        Program("2 threads", chain(2), within=0.0),
        Program("real time", real_time, within=np.inf),
        Program("2 hashes in turn", hashes(1), within=np.inf),
        Program("2 hashes at once", hashes(2), within=np.inf),
    ),
    pairs=(
        Pair("2 threads", "1 thread", goals={"1000": 1.6}),
        Pair("2 hashes at once", "2 hashes in turn"),
        Pair("2 threads", "real time", goals={"1000": 1.0}),
    ),
    error="difference [m]",
    unit="step",
)
