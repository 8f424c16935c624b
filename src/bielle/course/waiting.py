"""A progress bar for what may take long, which does not appear before a second has passed."""

import time as clock
from contextlib import ExitStack, contextmanager

from ..progress import progress_bar

__all__ = ["patiently"]

_PATIENCE = 1.0  # seconds before the bar appears


@contextmanager
def patiently(text):
    """A function to call with the fraction done."""
    began, show = clock.monotonic(), None
    with ExitStack() as stack:

        def report(fraction):
            nonlocal show
            if show is None and clock.monotonic() - began > _PATIENCE:
                show = stack.enter_context(progress_bar(text))
            if show is not None:
                show(fraction)

        yield report
