"""Progress bars, and Ctrl-C that stops a run where it does no harm."""

from __future__ import annotations

import signal
import sys
import threading
import time as clock
from collections.abc import Callable, Iterator
from contextlib import contextmanager

__all__ = ["Interruption", "progress_bar"]

_EVERY = 10.0  # seconds between lines where there is no terminal


@contextmanager
def progress_bar(label: str, *, quiet: bool = False) -> Iterator[Callable[[float], None]]:
    """A function to call with the fraction done: on a terminal a bar with the time left, elsewhere a line now and then (standard error)."""
    if quiet:
        yield lambda fraction: None
    elif sys.stderr.isatty():
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

        columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.percentage:>5.1f} %"), TimeElapsedColumn())
        with Progress(*columns, TextColumn("left"), TimeRemainingColumn(), console=Console(stderr=True), transient=True) as bar:
            task = bar.add_task(label, total=1.0, start=False)  # until the first call it only pulses: kernels may have to be compiled

            def update(fraction: float) -> None:
                bar.start_task(task)  # the clock of the time left; only the first call has an effect
                bar.update(task, completed=fraction)

            yield update
    else:
        yield _Lines(label)


class _Lines:
    """Progress for logs: a line at the start and then at most every ten seconds."""

    def __init__(self, label: str) -> None:
        self.label = label
        self.began: float | None = None
        self.last = 0.0

    def __call__(self, fraction: float) -> None:
        now = clock.monotonic()
        if fraction >= 1.0 or (self.began is not None and now - self.last < _EVERY):
            return
        self.began = now if self.began is None else self.began
        self.last = now
        spent = now - self.began
        left = f", about {spent / fraction - spent:.0f} s left" if spent > 0 and fraction > 0 else ""
        print(f"{self.label}: {100 * fraction:.1f} %{left}", file=sys.stderr, flush=True)


class Interruption:
    """Ctrl-C once a run is under way: the first one is kept until :meth:`checkpoint`, the second acts at once.

    An exception raised anywhere could hit the user's own Python in the middle of a compiled loop, where it would look like an error of
    that code. Before the first checkpoint (reading, compiling, assembling) there is nothing to keep, and Ctrl-C acts at once as well.
    """

    def __init__(self) -> None:
        self.asked = False
        self._under_way = False
        self._installed = False

    def __enter__(self) -> Interruption:
        usual = signal.getsignal(signal.SIGINT) is signal.default_int_handler  # who ignores or handles it otherwise is left alone
        if usual and threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGINT, self._handle)
            self._installed = True
        return self

    def __exit__(self, *exception: object) -> None:
        if self._installed:
            signal.signal(signal.SIGINT, signal.default_int_handler)

    def _handle(self, *_: object) -> None:
        if not self._under_way or self.asked:
            raise KeyboardInterrupt
        self.asked = True

    def checkpoint(self) -> None:
        """Between two pieces of work: the place to stop if that was asked for."""
        self._under_way = True
        if self.asked:
            raise KeyboardInterrupt
