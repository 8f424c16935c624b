"""A team of threads that take the same steps, each with its own share of the components, and wait for each other.

All call one kernel with their number. It releases the interpreter's lock, so that they run at the same time; where a phase needs what
others have computed in the one before, they meet at a barrier.
"""

from __future__ import annotations

import ctypes
import os
from concurrent.futures import ThreadPoolExecutor

from ..kernels.lazy import entry, once
from ..kernels.pointers import atomic_add, atomic_read, call_nothing, ints
from .plan import P_SYNC, P_THREADS, P_YIELD

__all__ = ["Team", "barrier", "yield_address"]

PATIENCE = 4000  # looks at the counter before a thread lets others have its core


@once
def barrier(plan):
    """Wait until all threads of the team are here."""
    n = plan[P_THREADS]
    if n == 1:
        return
    sync = ints(plan, P_SYNC)
    round_ = atomic_read(sync, 8)
    if atomic_add(sync, 0, 1) == n - 1:
        sync[0] = 0
        atomic_add(sync, 8, 1)
        return
    looks = 0
    while atomic_read(sync, 8) == round_:
        looks += 1
        if looks > PATIENCE and plan[P_YIELD] != 0:
            call_nothing(plan[P_YIELD])


def yield_address() -> int:
    """Of the system's function by which a thread lets others have its core; 0 if there is none that is known."""
    if os.name != "posix":
        return 0
    return ctypes.cast(ctypes.CDLL(None).sched_yield, ctypes.c_void_p).value or 0


class Team:
    """The threads of one run; the caller is the first of them."""

    def __init__(self, threads: int) -> None:
        self._others = ThreadPoolExecutor(threads - 1, "bielle") if threads > 1 else None
        self._n = threads

    def run(self, kernel: entry, context: int, argument: int) -> None:
        """Call the kernel in every thread, with its number as the last argument."""
        waiting = [self._others.submit(kernel, context, argument, t) for t in range(1, self._n)] if self._others else []
        kernel(context, argument, 0)
        for other in waiting:
            other.result()
