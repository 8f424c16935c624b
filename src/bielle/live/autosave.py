"""Autosave: the file of a session, kept up to date while things happen, so that a crash costs a second at most."""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import threading
import time as clock
import warnings
import weakref
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import BielleError, FileError, warn
from ..results.output import clear_drafts, is_running, replacing
from .encoding import SessionCopy
from .files import checked_path, encoder_of, write

if TYPE_CHECKING:
    from .session import LiveSession

__all__ = ["Autosave"]

_EVERY = 0.25  # [s] of real time between two beginnings of a file: a change waits so long, or until the file before is on the disk


class Autosave:
    """Saves a session at once, and again after changes, at most every so many seconds, four times a second unless told otherwise.

    Every change is handed over as a copy, which a thread writes: however long the session is busy afterwards, the change is saved. The
    thread is not a daemon: a program that ends waits for it, a moment, and nothing is lost.

    A file that is there already is kept as ``<name>.bak``: it may be what was left of a session that died. While the session lives
    ``<name>.lock`` says whose it is.
    """

    def __init__(self, live: LiveSession, path: str | os.PathLike[str], *, every: float = _EVERY) -> None:
        self._path, self._every = checked_path(path), every
        self._encoder = encoder_of(live)
        self._lock = threading.Lock()
        self._next: SessionCopy | None = None  # to be written
        self._thread: threading.Thread | None = None
        self._writing = threading.Lock()  # so that an older copy never follows a newer one
        self._failed = False
        self._keep()
        write(SessionCopy.of(live), self._encoder, self._path)  # so that a name that cannot be written is refused now
        self._last = clock.monotonic()
        clear_drafts(self._path)
        _claim(self._path, live)

    def _keep(self) -> None:
        """What is there already becomes the file before."""
        if self._path.is_file():
            with contextlib.suppress(FileError, OSError), replacing(self._path.with_name(self._path.name + ".bak")) as draft:
                shutil.copyfile(self._path, draft)

    def changed(self, live: LiveSession) -> None:
        """To be called after every change and every 50 ms of an advance, by whoever holds the session's lock."""
        session = SessionCopy.of(live)
        with self._lock:
            self._next = session
            if self._thread is None:
                self._thread = threading.Thread(target=self._write_all, name="bielle autosave")
                self._thread.start()

    def flush(self) -> None:
        """Have all that was handed over written, without waiting for its time."""
        self._write_next()

    def _write_all(self) -> None:
        """Write what is handed over until there is nothing more."""
        going_on = True
        while going_on:
            clock.sleep(max(self._last + self._every - clock.monotonic(), 0.0))
            going_on = self._write_next()

    def _write_next(self) -> bool:
        """Write what was handed over last; False if there is nothing, with which the thread ends."""
        with self._writing:
            with self._lock:
                session, self._next = self._next, None
                if session is None:
                    if threading.current_thread() is self._thread:
                        self._thread = None
                    return False
            self._write(session)
            return True

    def _write(self, session: SessionCopy) -> None:
        self._last = clock.monotonic()
        try:
            write(session, self._encoder, self._path)
            self._failed = False
        except (BielleError, OSError) as error:  # a full disk must not stop the session
            if not self._failed:
                warnings.warn(f"The session goes on, but it is not saved: {error}", stacklevel=2)
            self._failed = True


_kept: weakref.WeakKeyDictionary[LiveSession, Path] = weakref.WeakKeyDictionary()  # locks of the sessions of this process


def _claim(path: Path, live: LiveSession) -> None:
    """Say whose the file is, for as long as the session lives; warn if it is somebody else's already."""
    lock, own = path.with_name(path.name + ".lock").resolve(), f"{os.getpid()} {socket.gethostname()}"
    others = _keepers(lock)
    with contextlib.suppress(OSError, ValueError):
        pid, host = lock.read_text().split(" ", 1)
        if host == socket.gethostname() and int(pid) != os.getpid() and is_running(int(pid)):
            others.append(f"process {pid}")
    if others:
        warn(
            f"{path}: {others[-1]} keeps a session in this file, too: what is in it is of whoever wrote last. "
            "Give one of them another name (autosave=…)."
        )
    with contextlib.suppress(OSError):
        lock.write_text(own)
        _kept[live] = lock
        weakref.finalize(live, _release, lock, own)


def _keepers(lock: Path) -> list[str]:
    """Who else in this process keeps a session in the file with that lock."""
    return ["this process" for live, kept in list(_kept.items()) if kept == lock and live._autosave is not None]


def _release(lock: Path, own: str) -> None:
    with contextlib.suppress(OSError):
        if lock.read_text() == own and not _keepers(lock):
            lock.unlink()
