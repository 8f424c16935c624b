"""Ctrl-C held back during work that must be whole: it takes effect between two pieces of it, or when it is done, never in the middle."""

from __future__ import annotations

import signal
import sys
import threading
from types import FrameType

__all__ = ["Interrupts"]

# without what the signal module adds: it tries to make an enumeration member of every handler, which takes longer than all the rest
_core = sys.modules.get("_signal", signal)
_get_handler, _set_handler = _core.getsignal, _core.signal


class Interrupts:
    """``with interrupts:`` around work that must be whole; :meth:`check` where it can stop. May be nested.

    A second Ctrl-C does not wait: the work may hang in a function of the user. Where Ctrl-C does not raise KeyboardInterrupt (other
    threads, a handler of the user's own) nothing is changed.
    """

    def __init__(self) -> None:
        self._depth = 0
        self._armed = False
        self._waiting = False

    def __enter__(self) -> None:
        # Ctrl-C may come before any line of this: nothing has changed, or it is held back already
        main = threading.current_thread() is threading.main_thread()
        if self._depth == 0 and main and _get_handler(signal.SIGINT) is signal.default_int_handler:
            self._waiting = False
            _set_handler(signal.SIGINT, self._arrived)
            self._armed = True
        self._depth += 1

    def __exit__(self, *exception: object) -> None:
        self._depth -= 1
        if self._depth == 0 and self._armed:
            self._armed = False
            _set_handler(signal.SIGINT, signal.default_int_handler)
            self.check()

    def _arrived(self, number: int, frame: FrameType | None) -> None:
        if self._waiting:
            self.check()
        self._waiting = True

    def check(self) -> None:
        """Raise KeyboardInterrupt if Ctrl-C was pressed."""
        if self._waiting:
            self._waiting = False
            raise KeyboardInterrupt
