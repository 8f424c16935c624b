"""Files of sessions: written whole or not at all, read within bounds, refused if damaged.

A file is a mark that says what it is, the version of the format, the length and a digest of the content, and the content: a session as
:mod:`bielle.live.wire` describes it, in MessagePack. It holds data only; reading never executes anything from it.
"""

from __future__ import annotations

import hashlib
import os
import stat
import struct
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from ..errors import FileError
from ..kernels.lazy import announce_compilation
from ..results.output import replacing
from .encoding import Encoder

if TYPE_CHECKING:
    from .session import LiveSession

__all__ = ["MAX_BYTES", "VERSION", "load_session", "save"]

MAX_BYTES = 2**30  #: largest file that is read unless told otherwise
VERSION = 1

_MARK = b"bielle session\n\0"
_HEAD = struct.Struct("<16sIQ16s")  # mark, version, length and digest of the content


def save(live: LiveSession, path: str | os.PathLike[str]) -> None:
    """Write a session; see :meth:`LiveSession.save`. The caller holds its lock."""
    target = _path(path)
    if live._encoder is None:
        live._encoder = Encoder(live)
    try:
        content = live._encoder.content()
    except FileError as error:
        raise FileError(f"{target}: {error}") from error.__cause__
    except (msgspec.MsgspecError, TypeError, ValueError) as error:
        raise FileError(f"{target}: it cannot be written: {error}. Describe the components with plain numbers and strings.") from error
    with replacing(target) as temporary:
        temporary.write_bytes(packed(content))


def packed(content: bytes) -> bytes:
    """The bytes of a file with that content."""
    return _HEAD.pack(_MARK, VERSION, len(content), _digest(content)) + content


def load_session(
    path: str | os.PathLike[str],
    *,
    functions: Mapping[str, Any] | None = None,
    autosave: str | os.PathLike[str] | None = None,
    max_bytes: int = MAX_BYTES,
) -> LiveSession:
    """The session that ``live.save(path)`` or an autosave wrote. It goes on exactly as the original would have.

    functions  Python functions by the names that stand for them in the file: the names of their components. A message says which are
               missing
    autosave   a file that is kept up to date from now on; it may be the same
    max_bytes  refuse larger files

    Its history begins at the present, and it undoes what is done from now on; ``live.replay()`` gives the session with its whole past.
    """
    source = _path(path)
    if not isinstance(functions, Mapping | None):
        raise FileError(f"{source}: functions must be a dictionary of names and functions, got {functions!r:.80}. Give one.")
    content = _content(source, max_bytes)
    from .decoding import session_from

    announce_compilation()
    try:
        live = session_from(content, dict(functions or {}))
    except FileError as error:
        raise FileError(f"{source}: {error}") from error.__cause__
    except Exception as error:  # anything: what a damaged file says is passed to much code, that of user-defined kinds included
        reason = str(error) if isinstance(error, msgspec.ValidationError) else f"{type(error).__name__}: {error}"
        raise FileError(f"{source}: it is damaged or not a session: {reason:.300}. Save the session again.") from error
    live._save_to(autosave)
    return live


def _path(path: Any) -> Path:
    try:
        return Path(os.fsdecode(path))
    except TypeError:
        raise FileError(f"A path must be a string or a pathlib.Path, got {path!r:.80}. Give the name of a file.") from None


def _digest(content: bytes) -> bytes:
    return hashlib.blake2b(content, digest_size=16).digest()


def _content(source: Path, max_bytes: int) -> bytes:
    """What follows the head, if all of it is there."""
    try:
        regular = stat.S_ISREG(os.stat(source).st_mode)  # a pipe or a device might never end
        data = b""
        if regular:
            with open(source, "rb") as file:
                data = file.read(max_bytes + 1)
    except (OSError, ValueError) as error:
        raise FileError(f"{source!s:.200}: it cannot be read: {error}. Check the name and the permissions.") from error
    if not regular or not data.startswith(_MARK):
        raise FileError(f"{source}: it is not a session of bielle. Give a file that live.save(path) or an autosave wrote.")
    if len(data) > max_bytes:
        raise FileError(f"{source}: it is longer than {max_bytes} bytes. If it is meant to be, say so: load_session(path, max_bytes=…).")
    if len(data) < _HEAD.size:
        raise FileError(f"{source}: it is cut off after {len(data)} bytes. Save the session again.")
    _, version, length, digest = _HEAD.unpack_from(data)
    if version != VERSION:
        raise FileError(f"{source}: the format has version {version}, but this release reads {VERSION}. Use the release that wrote it.")
    content = data[_HEAD.size :]
    if len(content) != length:
        what = "cut off" if len(content) < length else "followed by something else"
        raise FileError(f"{source}: it is {what}: it must have {length} bytes after its head, got {len(content)}. Save the session again.")
    if _digest(content) != digest:
        raise FileError(f"{source}: it is damaged: its content is not what was written. Save the session again.")
    return content
