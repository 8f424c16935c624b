"""Progress bars, and Ctrl-C that stops a run where it does no harm."""

from __future__ import annotations

import signal
import threading

from ..progress import progress_bar

__all__ = ["Interruption", "progress_bar"]


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
