"""Files that are written: their endings, and that they appear complete or not at all."""

import contextlib
import hashlib
import os
import secrets
import socket
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ..errors import DescriptionError, FileError

__all__ = ["checked_path", "clear_drafts", "is_running", "replacing"]


def checked_path(path: Any, endings: Iterable[str]) -> tuple[Path, str]:
    """The path and its ending in lower case, which must be one of ``endings``."""
    try:
        found = Path(os.fsdecode(path))
    except TypeError:
        raise DescriptionError(f"A path must be a string or a pathlib.Path, got {path!r:.80}. Give the name of a file.") from None
    ending, known = found.suffix.lower(), list(endings)
    if ending not in known:
        options = f"{', '.join(known[:-1])} or {known[-1]}" if len(known) > 1 else known[0]
        raise DescriptionError(f"{found}: the name must end in {options}, got '{ending}'. The ending decides the format.")
    return found, ending


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A temporary path beside ``path`` and with its ending, which takes the place of ``path`` when all went well and vanishes otherwise."""
    try:
        target = Path(os.path.realpath(path))  # what a link points to is replaced, not the link
        exists = target.parent.is_dir()
    except (OSError, ValueError) as error:  # a name that no file can have
        raise FileError(f"{path!s:.200}: it cannot be written: {error}. Correct the name.") from error
    if not exists:
        raise FileError(f"{path}: the folder '{target.parent}' does not exist. Make it first, or correct the name.")
    temporary = target.with_name(f"{_draft_prefix(target)}{os.getpid()}-{secrets.token_hex(8)}{target.suffix}")
    try:
        _begin(temporary, target)
        yield temporary
        with open(temporary, "rb") as file:
            os.fsync(file.fileno())  # before the replacement, so that not even a crash leaves half a file
        os.replace(temporary, target)
    except OSError as error:
        raise FileError(f"{path}: it cannot be written: {error}. Check the folder and its permissions.") from error
    finally:
        temporary.unlink(missing_ok=True)


def _draft_prefix(target: Path) -> str:
    """What the names of drafts of a file begin with, on this machine."""
    return f".{hashlib.blake2b(f'{socket.gethostname()}/{target.name}'.encode(errors='surrogateescape'), digest_size=6).hexdigest()}-"


def _begin(draft: Path, target: Path) -> None:
    """Make an empty draft that nobody can read who cannot read the target."""
    try:
        mode = stat.S_IMODE(os.stat(target).st_mode)
    except FileNotFoundError:
        open(draft, "xb").close()  # as anybody's new file is
        return
    with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb"):
        os.chmod(draft, mode)


def clear_drafts(path: Path) -> None:
    """Remove drafts of a file that were left by processes that have died."""
    target = Path(os.path.realpath(path))
    for draft in target.parent.glob(f"{_draft_prefix(target)}*"):
        pid = draft.name.removeprefix(_draft_prefix(target)).split("-")[0]
        if pid.isdecimal() and not is_running(int(pid)):
            with contextlib.suppress(OSError):
                draft.unlink()


def is_running(pid: int) -> bool:
    """Whether there is a process of that number; True where that cannot be asked."""
    if os.name != "posix":
        return True
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        pass
    return True
