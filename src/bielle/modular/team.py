"""A team of threads that take the same steps, each with its own share of the components, and wait for each other.

All call one kernel with their number. It releases the interpreter's lock, so that they run at the same time; where a phase needs what
others have computed in the one before, they meet at a barrier.
"""

from __future__ import annotations

import ctypes
import os
import time
from concurrent.futures import ThreadPoolExecutor

from ..interrupts import Interrupts
from ..kernels.lazy import entry, once
from ..kernels.pointers import atomic_add, atomic_read, call_number, nanoseconds

__all__ = ["Team", "barrier", "system_addresses"]

MONOTONIC = int(getattr(time, "CLOCK_MONOTONIC", 0))  # the clock that is never set
PATIENCE = 4000  # looks at the counter before a thread lets others have its core
BUSY = 200_000  # [ns] without the core, after which it is plain that other programs want it
WARY = 100  # rounds from then on in which who waits sleeps
NAP = 20  # [µs]


@once
def barrier(plan):
    """Wait until all threads of the team are here.

    Who waits for long yields (sched_yield), which costs nothing on an idle machine. On a busy one whoever yields stands at the end of the
    queue, behind whole slices of other programs, while whoever sleeps comes before them when it wakes. So threads sleep for a while once a
    yield has taken long: beside four busy programs steps are some ten times as quick as with yields alone.
    """
    n = plan.threads
    if n == 1:
        return
    sync = plan.sync
    round_ = atomic_read(sync, 8)
    if atomic_add(sync, 0, 1) == n - 1:
        sync[0] = 0
        atomic_add(sync, 8, 1)
        return
    looks = 0
    while atomic_read(sync, 8) == round_:
        looks += 1
        if looks <= PATIENCE or plan.yield_ == 0:
            continue
        if round_ < sync[9]:
            call_number(plan.sleep, NAP)
            continue
        before = nanoseconds(plan.clock, MONOTONIC)
        call_number(plan.yield_, 0)
        if nanoseconds(plan.clock, MONOTONIC) - before > BUSY:
            sync[9] = round_ + WARY


def system_addresses() -> tuple[int, int, int]:
    """Of the system's functions by which a thread lets others have its core, sleeps, and reads the clock; zeros if they are not known."""
    if os.name != "posix" or ctypes.sizeof(ctypes.c_void_p) != 8:
        return 0, 0, 0
    system = ctypes.CDLL(None)
    functions = (system.sched_yield, system.usleep, system.clock_gettime)
    return tuple(ctypes.cast(function, ctypes.c_void_p).value or 0 for function in functions)  # type: ignore[return-value]


class Team:
    """The threads of one run; the caller is the first of them."""

    def __init__(self, threads: int) -> None:
        self._n = threads
        self._interrupts = Interrupts()
        self._process = 0  # that has started the others
        self._others: ThreadPoolExecutor | None = None

    def run(self, kernel: entry, context: int, argument: int) -> None:
        """Call the kernel in every thread, with its number as the last argument. Ctrl-C waits until all are back."""
        if self._n == 1:
            kernel(context, argument, 0)
            return
        with self._interrupts:
            others = self._started()
            waiting = [others.submit(kernel, context, argument, t) for t in range(1, self._n)]
            kernel(context, argument, 0)
            for other in waiting:
                other.result()

    def _started(self) -> ThreadPoolExecutor:
        """The other threads: a process that was forked has none of its parent's."""
        if self._others is None or self._process != os.getpid():
            self._process, self._others = os.getpid(), ThreadPoolExecutor(self._n - 1, "bielle")
        return self._others
