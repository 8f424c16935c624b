"""Files of sessions: written whole or not at all, read within bounds, refused if damaged.

A file is a mark that says what it is, the version of the format, the length and a digest of the content, and the content: a session as
:mod:`bielle.live.wire` describes it, in MessagePack. It holds data only; reading never executes anything from it.
"""

from __future__ import annotations

import hashlib
import os
import struct
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from ..calls import explained
from ..errors import FileError, warn
from ..kernels.lazy import announce_compilation
from ..mechanism import documents
from ..mechanism.files import read_bytes
from ..mechanism.meshes import MeshFolders
from ..results.output import replacing
from .counting import count
from .encoding import Encoder, SessionCopy

if TYPE_CHECKING:
    from .session import LiveSession

__all__ = ["MAX_BYTES", "VERSION", "encoder_of", "load_session", "save", "write"]

MAX_BYTES = 64 * 2**20  #: largest file that is read unless told otherwise
VERSION = 1

_MARK = b"bielle session\n\0"
_HEAD = struct.Struct("<16sIQ16s")  # mark, version, length and digest of the content


def save(live: LiveSession, path: str | os.PathLike[str]) -> None:
    """Write a session; see :meth:`LiveSession.save`. The caller holds its lock."""
    write(SessionCopy.of(live, whole=True), encoder_of(live), path)


def encoder_of(live: LiveSession) -> Encoder:
    """What writes the session, and knows what it has written already."""
    if live._encoder is None:
        live._encoder = Encoder()
    return live._encoder


def write(session: SessionCopy, encoder: Encoder, path: str | os.PathLike[str]) -> None:
    """Write what a session was when it was copied."""
    target = checked_path(path)
    try:
        content = encoder.content(session)
    except FileError as error:
        raise FileError(f"{target}: {error}") from error.__cause__
    except (msgspec.MsgspecError, TypeError, ValueError) as error:
        raise FileError(f"{target}: it cannot be written: {error}. Describe the components with plain numbers and strings.") from error
    with replacing(target) as temporary:
        temporary.write_bytes(packed(content))


def packed(content: bytes) -> bytes:
    """The bytes of a file with that content."""
    return _HEAD.pack(_MARK, VERSION, len(content), _digest(content)) + content


@explained
def load_session(
    path: str | os.PathLike[str],
    *,
    functions: Mapping[str, Any] | None = None,
    autosave: str | os.PathLike[str] | None = None,
    max_bytes: int = MAX_BYTES,
    package_dirs: Any = (),
) -> LiveSession:
    """The session that ``live.save(path)`` or an autosave wrote. It goes on exactly as the original would have.

    functions  Python functions by the names that stand for them in the file: the names of their components. A message says which are
               missing
    autosave   a file that is kept up to date from now on; it may be the same
    max_bytes  refuse larger files
    package_dirs  folders in which meshes may be, beside that of the file; see :func:`bielle.load`

    Its history begins at the present, and it undoes what is done from now on; ``live.replay()`` gives the session with its whole past.
    What cannot be restored (an event that looks at nothing, say) is told by a warning, and the rest opens.
    """
    source = checked_path(path)
    if not isinstance(functions, Mapping | None):
        raise FileError(f"{source}: functions must be a dictionary of names and functions, got {functions!r:.80}. Give one.")
    content = _content(source, max_bytes)
    from .decoding import session_from

    announce_compilation()
    try:
        live, notes = session_from(content, dict(functions or {}), MeshFolders(os.path.dirname(source), package_dirs))
    except FileError as error:
        raise FileError(f"{source}: {error}") from error.__cause__
    except Exception as error:  # anything: what a damaged file says is passed to much code, that of user-defined kinds included
        reason = str(error) if isinstance(error, msgspec.ValidationError) else f"{type(error).__name__}: {error}"
        raise FileError(f"{source}: it is damaged or not a session: {reason:.300}. Save the session again.") from error
    if notes:
        warn(f"{source}: not everything could be restored: {'; '.join(notes)}.")
    live._save_to(autosave)
    return live


def checked_path(path: Any) -> Path:
    """The name of a file."""
    try:
        return Path(os.fsdecode(path))
    except TypeError:
        raise FileError(f"A path must be a string or a pathlib.Path, got {path!r:.80}. Give the name of a file.") from None


def _digest(content: bytes) -> bytes:
    return hashlib.blake2b(content, digest_size=16).digest()


def _content(source: Path, max_bytes: int) -> bytes:
    """What follows the head, if all of it is there."""
    data = read_bytes(str(source), max_bytes, "session", load="load_session")
    if not data.startswith(_MARK):
        raise FileError(f"{source}: it is not a session of bielle. Give a file that live.save(path) or an autosave wrote.")
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
    most = max(max_bytes // documents.VALUE, documents.FEW)
    if count(content, most) > most:
        raise FileError(f"{source}: {documents.too_many(most, 'load_session')}")
    return content
