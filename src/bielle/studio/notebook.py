"""The studio in a cell of a notebook: one server for each session, started when it is first shown."""

from __future__ import annotations

import atexit
import html
from pathlib import Path
from typing import Any

from ..errors import BielleError, DescriptionError
from ..live.session import LiveSession

__all__ = ["Shown", "show"]

_MISSING = "Showing a session needs packages that are not installed: pip install 'bielle[studio]'"
_open: dict[int, tuple[LiveSession, Any]] = {}  # sessions that are shown, by identity, and the studio of each


class Shown:
    """The page of a session, for a cell; :meth:`close` ends the server behind all pages of the session."""

    def __init__(self, live: LiveSession, studio: Any, width: str, height: str) -> None:
        self._live, self._studio, self._size = live, studio, (width, height)

    @property
    def address(self) -> str:
        """Where the page is, for any browser of this machine."""
        return self._studio.address

    def close(self) -> None:
        """End the server; the session goes on without it."""
        if self._studio in _open.get(id(self._live), ()):
            del _open[id(self._live)]
        self._studio.close()

    def _repr_html_(self) -> str:
        width, height = map(html.escape, self._size)
        return f'<iframe src="{html.escape(self.address)}" width="{width}" height="{height}" style="border:0" allow="fullscreen"></iframe>'

    def __repr__(self) -> str:
        return f"bielle studio: {self.address}"


def show(live: LiveSession, *, width: int | str = "100%", height: int | str = 600) -> Shown:
    """See :meth:`LiveSession.show`."""
    size = _size(width, "width"), _size(height, "height")
    _, studio = _open.get(id(live), (live, None))
    if studio is None or not studio.running:
        try:
            from .folder import Folder
            from .opening import Studio
        except ImportError as error:
            raise BielleError(f"{_MISSING} ({error.name} is missing).") from None
        studio = Studio(live, Folder(Path.cwd()))
        studio.open(None)
        _open[id(live)] = live, studio
    studio.bench.do(lambda bench: bench.live is live or bench.take(live)).result()  # the page may have opened something else
    return Shown(live, studio, *size)


@atexit.register
def _close_all() -> None:
    for _, studio in _open.values():
        studio.close()


def _size(value: Any, what: str) -> str:
    if isinstance(value, int) and not isinstance(value, bool) and 0 < value <= 10_000:
        return str(value)
    if isinstance(value, str) and value.endswith("%") and value[:-1].isdigit():
        return value
    raise DescriptionError(f"The {what} must be a number of pixels or a string such as '100%', got {value!r:.80}.")
