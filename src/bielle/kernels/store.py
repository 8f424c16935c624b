"""The store of machine code on disk: what is read is run, so it has to come from this user, be complete, and be what it says.

A file holds a digest, the name of the kernel with its fingerprint, the symbol under which the code is found, and the code; the digest
covers all that follows it. Folders and files that somebody else owns or may write to are not used, and a word is said about it; root's
are, who can do as he likes anyway. Files are written under another name and then given theirs: they are seen complete or not at all.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
import sys
import tempfile
import time
from pathlib import Path

__all__ = ["cache_root", "clean", "folder", "holds", "read", "writable", "write"]

_PREFIX, _ENDING = "kernels-", ".o"
_DAY = 86400.0
KEPT = 90  #: days that a kernel is kept which nobody uses


def cache_root() -> Path:
    """Folder that holds the kernels of all versions: ``BIELLE_CACHE_DIR``, that of Numba, or one in the user's cache."""
    named = os.environ.get("BIELLE_CACHE_DIR") or os.environ.get("NUMBA_CACHE_DIR")
    return Path(named) if named else _own_root()


def _own_root() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")) / "bielle"


def folder(key: str) -> Path | None:
    """Folder of the kernels of one toolchain, which is made when the first is written; None if there is none that can be trusted.

    If the folder that the environment names is not this user's, that in the user's own cache takes its place.
    """
    for root in dict.fromkeys((cache_root(), _own_root())):
        path = root / f"{_PREFIX}{key}"
        if _is_fine(path):
            return path
    return None


def _is_fine(path: Path) -> bool:
    """Whether a folder can be trusted, as one does that is not there yet."""
    try:
        reason = _distrust(path.stat())
    except OSError:
        return True
    if reason:
        _say(f"the folder of compiled kernels {path} is not used, because {reason}", str(path))
    return not reason


def _users() -> set[int]:
    """Whose files are trusted; empty where users have no numbers (Windows), and folders of a user are his alone by other means."""
    return {os.geteuid(), 0} if hasattr(os, "geteuid") else set()


def _distrust(found: os.stat_result) -> str:
    """Why a folder or file is not to be used, or nothing."""
    users = _users()
    if users and found.st_uid not in users:
        return f"it belongs to another user ({found.st_uid})"
    if users and found.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        return f"others may write to it (mode {stat.S_IMODE(found.st_mode):o}; chmod go-w mends that)"
    return ""


_said: set[str] = set()


def _say(text: str, about: str) -> None:
    if about not in _said:
        _said.add(about)
        print(f"bielle: {text}.", file=sys.stderr, flush=True)


def holds(place: Path | None, name: str) -> bool:
    """Whether there is a file for a kernel, whatever it is worth."""
    return place is not None and (place / f"{name}{_ENDING}").is_file()


def read(place: Path | None, name: str) -> tuple[str, bytes] | None:
    """Symbol and code of a kernel; None if they are not there, or not as they should be."""
    if place is None:
        return None
    path = place / f"{name}{_ENDING}"
    try:
        with open(path, "rb") as file:
            found = os.fstat(file.fileno())  # of what was opened, and not of what may have come in its place
            if reason := _distrust(found):
                _say(f"the compiled kernel {path} is not used, because {reason}", str(place))
                return None
            data = file.read()
    except OSError:
        return None
    digest, _, signed = data.partition(b"\n")
    if digest.decode(errors="replace") != hashlib.sha256(signed).hexdigest():
        return None
    head, _, code = signed.partition(b"\n")
    own_name, _, symbol = head.decode(errors="replace").partition(" ")
    if own_name != name:
        return None
    if time.time() - found.st_mtime > _DAY:
        with contextlib.suppress(OSError):
            os.utime(path)  # it is in use
    return symbol, code


def _make(place: Path) -> None:
    place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    place.mkdir(mode=0o700, exist_ok=True)


def writable(place: Path | None) -> bool:
    """Whether kernels can be kept."""
    if place is None:
        return False
    with contextlib.suppress(OSError):
        _make(place)
    return os.access(place, os.W_OK)


def write(place: Path | None, name: str, symbol: str, code: bytes) -> None:
    """Keep a kernel, if that is possible: without a folder to write to it is compiled every time."""
    if place is None:
        return
    signed = f"{name} {symbol}\n".encode() + code
    with contextlib.suppress(OSError):
        _make(place)
        if not _is_fine(place):  # somebody else was quicker
            return
        number, draft = tempfile.mkstemp(".tmp", dir=place)  # of a name that nobody can guess, and that was not there
        try:
            with os.fdopen(number, "wb") as file:
                file.write(hashlib.sha256(signed).hexdigest().encode() + b"\n" + signed)
            os.replace(draft, place / f"{name}{_ENDING}")
        except BaseException:
            with contextlib.suppress(OSError):
                os.unlink(draft)
            raise


def clean(days: float = KEPT) -> int:
    """Remove kernels, of any version, that nobody has used for so many days; how many these were."""
    removed = 0
    for place in cache_root().glob(f"{_PREFIX}*"):
        with contextlib.suppress(OSError):
            if _distrust(place.stat()):
                continue
            for path in place.iterdir():
                if path.suffix in (_ENDING, ".tmp") and time.time() - path.stat().st_mtime > days * _DAY:
                    path.unlink()
                    removed += 1
            place.rmdir()  # if there is nothing left in it
    return removed
