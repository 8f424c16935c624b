"""What two processes say to each other about a component: MessagePack, never anything that is executed.

The process that has the component writes MARK once, and then frames: the length of a message (four bytes, little-endian) and the message.
What comes before the mark is not meant for anybody here. Each message is a map with its kind under ``type``:

    Hello     from there, first: version, accepts, ports
    Motion, Advance, Save, Restore   from here, numbered; answered in their order by
    Blocks    numbers of each port, of Motion and Advance; empty for Save and Restore
    Failed    why there are none
    End       from here: nobody asks any more. The end of the stream means the same
"""

from __future__ import annotations

import struct
from typing import Any

import msgspec

__all__ = ["MARK", "MAX_BYTES", "VERSION", "Advance", "Blocks", "End", "Failed", "Hello", "Motion", "Restore", "Save", "frame"]
__all__ += ["Numbers", "Reply", "Request", "reply", "request", "take_frame"]

MARK = b"\nbielle glue\n"
VERSION = 1
MAX_BYTES = 2**24  #: of a message

_LENGTH = struct.Struct("<I")

Numbers = dict[str, list[list[float]]]  # of each port: rows of coordinates


class Hello(msgspec.Struct, tag=True):
    """What the component is."""

    version: int
    accepts: str
    ports: dict[str, int]


class Motion(msgspec.Struct, tag=True):
    """Where are its ports?"""

    number: int


class Advance(msgspec.Struct, tag=True):
    """Take a step."""

    number: int
    time: float
    step: float
    inputs: Numbers


class Save(msgspec.Struct, tag=True):
    """Remember the present state in the place of the one remembered before."""

    number: int


class Restore(msgspec.Struct, tag=True):
    """Back to the state remembered."""

    number: int


class End(msgspec.Struct, tag=True):
    """That was all."""


class Blocks(msgspec.Struct, tag=True):
    """An answer."""

    number: int
    blocks: Numbers


class Failed(msgspec.Struct, tag=True):
    """No answer, and why."""

    number: int
    reason: str


Request = Motion | Advance | Save | Restore | End
Reply = Hello | Blocks | Failed

_encode = msgspec.msgpack.Encoder().encode
request = msgspec.msgpack.Decoder(Request).decode
reply = msgspec.msgpack.Decoder(Reply).decode


def frame(message: Any) -> bytes:
    """The bytes of a message on the wire."""
    content = _encode(message)
    if len(content) > MAX_BYTES:
        raise ValueError(f"a message must not be longer than {MAX_BYTES} bytes, got {len(content)}")
    return _LENGTH.pack(len(content)) + content


def take_frame(buffer: bytearray) -> bytes | None:
    """The first message of what has been read, which is taken away; None if it is not complete yet."""
    if len(buffer) < _LENGTH.size:
        return None
    (length,) = _LENGTH.unpack_from(buffer)
    if length > MAX_BYTES:
        raise ValueError(f"a message must not be longer than {MAX_BYTES} bytes, got {length}")
    end = _LENGTH.size + length
    if len(buffer) < end:
        return None
    content = bytes(buffer[_LENGTH.size : end])
    del buffer[:end]
    return content
