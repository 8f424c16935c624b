"""One browser at the workbench: what it is sent, and how fast it can take it."""

from __future__ import annotations

import asyncio
import secrets
from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    from .following import Following

__all__ = ["Viewer"]

_UNDER_WAY = 8  # packets that have not been acknowledged; beyond that only the newest of each kind is kept
_MOST_WAITING = 32_000_000  # bytes that a page leaves unread before it is given up


def _plain(value: Any) -> Any:
    """Numbers of numpy as those of Python."""
    return value.item()


_encoder = msgspec.json.Encoder(enc_hook=_plain)  # what is not a finite number becomes null


class Viewer:
    """Packets wait here until the page has drawn those before them; of pictures, poses and clocks only the newest is worth sending."""

    def __init__(self, socket: Any, number: int) -> None:
        self.number = number
        self.secret = secrets.token_urlsafe(24)  #: by which it is known where it does not use its WebSocket
        self.following: dict[str, Following] = {}  #: what it follows through the history, by the type of messages that tell of it
        self.arrows: list[str] = []  #: what it shows the efforts of
        self.looking: float | None = None  #: the moment of the past it looks at [s]
        self.lost = asyncio.Event()  #: it cannot be told anything any more
        self._socket = socket
        self._newest: dict[str, bytes | str] = {}  # by kind
        self._all: list[str] = []  # what must arrive, in order
        self._waiting = 0  # bytes of it
        self._wake = asyncio.Event()
        self._flight = 0

    def offer(self, kind: str, packet: bytes | dict[str, Any]) -> None:
        """Send this if there is time, unless something newer of the kind comes first."""
        self._newest[kind] = packet if isinstance(packet, bytes) else _text(packet)
        self._wake.set()

    def tell(self, message: dict[str, Any]) -> None:
        """Send this for sure, after what was told before; a page that does not read is given up."""
        text = _text(message)
        if self._all and self._waiting > _MOST_WAITING:
            self.lost.set()
            return
        self._waiting += len(text)
        self._all.append(text)
        self._wake.set()

    def acknowledged(self) -> None:
        """The page has drawn a packet."""
        self._flight = max(self._flight - 1, 0)
        self._wake.set()

    async def send(self) -> None:
        """Send what there is to send, until the page is gone."""
        try:
            while True:
                await self._wake.wait()
                self._wake.clear()
                await self._send_all()
        except Exception:  # whatever ends a connection: who reads from it will know
            self.lost.set()

    async def _send_all(self) -> None:
        """A picture goes before what was told after it, and before poses of its version."""
        while self._all or any(isinstance(packet, str) for packet in self._newest.values()):
            for kind in [kind for kind, packet in self._newest.items() if isinstance(packet, str)]:
                await self._socket.send_text(self._newest.pop(kind))
            if self._all:
                text = self._all.pop(0)
                self._waiting -= len(text)
                await self._socket.send_text(text)
        for kind in tuple(self._newest):
            if isinstance(self._newest.get(kind), bytes) and self._flight < _UNDER_WAY:
                self._flight += 1
                await self._socket.send_bytes(self._newest.pop(kind))


def _text(message: dict[str, Any]) -> str:
    return _encoder.encode(message).decode()
