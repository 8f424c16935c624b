"""A progress bar with the time left, for what takes longer than a moment."""

from __future__ import annotations

import sys
import time as clock
from collections.abc import Callable, Iterator
from contextlib import contextmanager

__all__ = ["progress_bar"]

_EVERY = 10.0  # seconds between lines where there is no terminal


@contextmanager
def progress_bar(label: str, *, quiet: bool = False) -> Iterator[Callable[[float], None]]:
    """A function to call with the fraction done: on a terminal a bar with the time left, elsewhere a line now and then (standard error)."""
    if quiet:
        yield lambda fraction: None
    elif sys.stderr.isatty():
        from rich.console import Console
        from rich.markup import escape
        from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

        columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.percentage:>5.1f} %"), TimeElapsedColumn())
        with Progress(*columns, TextColumn("left"), TimeRemainingColumn(), console=Console(stderr=True), transient=True) as bar:
            task = bar.add_task(
                escape(label), total=1.0, start=False
            )  # until the first call it only pulses: kernels may have to be compiled

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
