"""Work that is not saved: kept in files of the user's own, so that it outlives a crash, and offered on the start page afterwards.

A session is kept from its first edit on, until it is saved. However it ends otherwise (a crash, the end of the studio, another mechanism
that is opened) its file is left; it is taken up again or thrown away by somebody who says so, never by itself. Of more than so many the
oldest goes, which is told.

Each has a name of its own in one folder: ``<id>.session``, as :class:`~bielle.live.autosave.Autosave` writes it, and ``<id>.json``, which
says what it is of and is locked as long as somebody works on it.
"""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import stat
import threading
import time as clock
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ..errors import BielleError, FileError
from ..live.autosave import Autosave
from ..live.files import load_session
from ..live.journal import Aim, Edit, Go, Snap, Step
from ..live.session import LiveSession
from .workbench import Change, Workbench

try:
    import fcntl
except ImportError:  # Windows, where a file that is open cannot be renamed
    fcntl = None

__all__ = ["Keeper", "state_folder"]

_MOST = 20  # sessions that are kept
_EVERY = 1.0  # [s] between two writings of the file
_HAND = ("add grab ", "grab ", "push ")  # what edits are called that grab, let go and push: that is play, and nothing to keep by itself


def state_folder() -> Path:
    """Where the studio keeps what is its user's: ``BIELLE_STATE_DIR``, or a folder in the user's state."""
    named = os.environ.get("BIELLE_STATE_DIR")
    return Path(named) if named else Path(os.environ.get("XDG_STATE_HOME") or os.path.expanduser("~/.local/state")) / "bielle" / "studio"


@dataclass(frozen=True)
class Left:
    """Work that was left."""

    id: str
    name: str
    time: float  #: when it was last written, in seconds since 1970
    folder: str


class Keeper:
    """Keeps the session of a workbench in ``place``, whichever it is; ``about``: the folder its files are in, to tell it apart."""

    def __init__(self, bench: Workbench, place: Path, about: str = "") -> None:
        self._bench, self._place, self._about = bench, place, about
        self._lock = threading.RLock()
        self._live = bench.live
        self._file: _Kept | None = None
        self._wait()
        self._leave = bench.subscribe(self._happened)

    def left(self) -> list[dict[str, Any]]:
        """What is left of sessions that nobody works on, the newest first."""
        return [asdict(left) for left in _left(self._place)]

    def recovered(self, id: str) -> LiveSession:
        """The session that was left under a name; its file stays until :meth:`keep_recovered`."""
        path = self._path(id)
        try:
            return load_session(path, max_bytes=path.stat().st_size)
        except OSError:
            raise _gone() from None

    def keep_recovered(self, id: str) -> None:
        """The workbench works on it: it is kept from now on as any other, and the file it came from is not needed any more."""
        with self._lock, self._live._lock:
            self._begin()
            if self._file is not None and self._file.id != id:
                self.discard(id)

    def discard(self, id: str) -> None:
        """Throw away what was left."""
        _remove(self._path(id))

    def saved(self) -> None:
        """The session is in a file of its user's: nothing is to be lost until the next edit."""
        with self._lock:
            self._stop(remove=True)
            self._wait()

    def close(self) -> None:
        """Leave the session alone; what was not saved is left."""
        with self._lock:
            leave, self._leave = self._leave, lambda: None
            leave()
            self._stop(remove=False)

    def _path(self, id: str) -> Path:
        if id not in {left.id for left in _left(self._place)}:  # also what is no name of ours
            raise _gone()
        return self._place / f"{id}.session"

    # -- the session

    def _happened(self, change: Change) -> None:
        if change.kind != "session":
            return
        with self._lock:
            work = self._file is not None and not change.data["opened"]  # another moment of the session is as little saved as this one
            before = self._stop(remove=False)
            self._live = self._bench.live
            self._wait()
            if work and before is not None:
                with self._live._lock:
                    self._begin()
                if self._file is not None:
                    _remove(before)

    def _wait(self) -> None:
        """Until there is something to lose."""
        with self._live._lock:
            if self._live._autosave is None:  # else its user keeps it already
                self._live._autosave = _Waiting(self, len(self._live.journal.entries))  # type: ignore[assignment]

    def _begin(self) -> None:
        """Keep the session in a file; the caller holds its lock."""
        if self._file is not None:
            return
        try:
            for oldest in _left(self._place)[_MOST - 1 :]:
                self.discard(oldest.id)
                at = clock.strftime("%x %X", clock.localtime(oldest.time))
                self._bench.tell_warning(f"Only {_MOST} sessions that were not saved are kept: '{oldest.name}' of {at} is gone.")
            name = self._bench.file or self._live.mechanism.name or "untitled"
            self._file = _Kept(self._place, {"name": name, "folder": self._about})
            self._live._autosave = Autosave(self._live, self._file.path, every=_EVERY)
        except (BielleError, OSError) as error:  # work goes on without
            self._live._autosave = None
            if self._file is not None:
                _remove(self._file.release())
                self._file = None
            self._bench.tell_warning(f"What you do is not kept, should the studio crash: {error}")

    def _stop(self, remove: bool) -> Path | None:
        """No longer keep the session; the file that is left of it."""
        with self._live._lock:
            autosave = self._live._autosave
            if isinstance(autosave, _Waiting) or self._file is not None:
                self._live._autosave = None
        kept, self._file = self._file, None
        if kept is None:
            return None
        if isinstance(autosave, Autosave):
            autosave.flush()
        path = kept.release()
        if remove:
            _remove(path)
        return path


class _Waiting:
    """In the place of an autosave, until a session has been edited."""

    def __init__(self, keeper: Keeper, seen: int) -> None:
        self._keeper, self._seen = keeper, seen

    def changed(self, live: LiveSession) -> None:
        """See :meth:`Autosave.changed`."""
        entries = live.journal.entries
        if any(_is_work(entry) for entry in entries[self._seen :]):
            self._keeper._begin()
        else:
            self._seen = len(entries)


def _is_work(entry: Any) -> bool:
    return not entry.label.startswith(_HAND) if isinstance(entry, Edit) else not isinstance(entry, Aim | Go | Step | Snap)


class _Kept:
    """The files of one session, whose note is locked until they are released."""

    def __init__(self, place: Path, note: dict[str, str]) -> None:
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not _own(place, alone=True):
            raise FileError(f"{place} is a folder that others can write to. Make it yours alone, or name another (BIELLE_STATE_DIR).")
        self.id = secrets.token_hex(8)
        self.path = place / f"{self.id}.session"
        path = place / f"{self.id}.json"
        self._note = open(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8")  # noqa: SIM115 (open until it is released)
        if fcntl is not None:
            fcntl.flock(self._note, fcntl.LOCK_EX)
        json.dump(note, self._note)
        self._note.flush()

    def release(self) -> Path:
        """Let others have them; returns where the session is."""
        self._note.close()
        return self.path


def _left(place: Path) -> list[Left]:
    """What is in a folder that nobody works on, the newest first; files of other users are none of ours."""
    found = []
    if place.is_dir() and _own(place, alone=True):
        for path in place.glob("*.session"):
            with contextlib.suppress(OSError):  # it goes at this very moment
                note = path.with_suffix(".json")
                if _own(path) and not _held(note):
                    found.append(Left(path.stem, time=path.stat().st_mtime, **_noted(note)))
    return sorted(found, key=lambda left: left.time, reverse=True)


def _noted(note: Path) -> dict[str, str]:
    with contextlib.suppress(OSError, ValueError):
        read = json.loads(note.read_text(encoding="utf-8"))
        if isinstance(read, dict):
            return {key: str(read.get(key, ""))[:200] for key in ("name", "folder")}
    return {"name": "untitled", "folder": ""}


def _held(note: Path) -> bool:
    """Whether somebody works on it: whoever has died holds nothing."""
    try:
        if fcntl is None:
            os.rename(note, note)
            return False
        with open(note, "rb") as file:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except FileNotFoundError:
        return False
    except OSError:
        return True
    return False


def _own(path: Path, alone: bool = False) -> bool:
    """Whether a file or folder is this user's; ``alone``: nobody else can write to it."""
    found = path.lstat()
    if os.name != "posix":
        return True
    others = found.st_mode & (stat.S_IWGRP | stat.S_IWOTH) if alone else 0
    return found.st_uid == os.getuid() and not stat.S_ISLNK(found.st_mode) and not others


def _remove(path: Path) -> None:
    for each in (path, path.with_name(f"{path.name}.lock"), path.with_suffix(".json")):  # the note last: without it the session has no name
        with contextlib.suppress(OSError):
            each.unlink()


def _gone() -> FileError:
    return FileError("That is not kept any more: it was recovered or discarded, or another studio works on it.")
