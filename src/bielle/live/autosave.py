"""Autosave: the file of a session, kept up to date while things happen, so that a crash costs a second at most."""

from __future__ import annotations

import os
import threading
import time as clock
import warnings
from typing import TYPE_CHECKING

from ..errors import BielleError
from .files import save

if TYPE_CHECKING:
    from .session import LiveSession

__all__ = ["Autosave"]

_EVERY = 0.5  # [s] of real time: no change waits longer to be saved


class Autosave:
    """Saves a session at once, and again after changes, at most twice a second.

    A change that comes sooner after the last save is saved by a timer, also if nothing else happens. The timer is not a daemon: a program
    that ends waits for it, half a second at most, and nothing is lost.
    """

    def __init__(self, live: LiveSession, path: str | os.PathLike[str]) -> None:
        self._live = live
        self._path = path
        self._lock = threading.Lock()  # of the timer; that of the session is held when a file is written
        self._timer: threading.Timer | None = None
        self._pending = False
        self._failed = False
        save(live, path)  # so that a name that cannot be written is refused now
        self._last = clock.monotonic()

    def changed(self) -> None:
        """To be called after every change and every 50 ms of an advance, by whoever holds the session's lock."""
        self._pending = True
        wait = self._last + _EVERY - clock.monotonic()
        if wait <= 0.0:
            self._save()
            return
        with self._lock:
            if self._timer is None:
                self._timer = threading.Timer(wait, self._later)
                self._timer.start()

    def _later(self) -> None:
        with self._live._lock:  # only then there may be another timer: one is enough to wait for the end of a long advance
            with self._lock:
                self._timer = None
            if self._pending:
                self._save()

    def _save(self) -> None:
        self._pending = False
        try:
            save(self._live, self._path)
            self._failed = False
        except (BielleError, OSError) as error:  # a full disk must not stop the session
            if not self._failed:
                warnings.warn(f"The session goes on, but it is not saved: {error}", stacklevel=2)
            self._failed = True
        self._last = clock.monotonic()
