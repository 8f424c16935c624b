"""What one page follows through the history: its past once, then what is new, so that every sample arrives once and in order."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any

from ..live.history import Mark

if TYPE_CHECKING:
    from ..live.session import LiveSession
    from ..results.timeline import Timeline
    from .workbench import Workbench

__all__ = ["Following"]


class Following(ABC):
    """Something of the history that a page wants, and how far it has been told of it.

    A page that wants something else gets another ``Following``. So whoever still reads the one before can neither spoil the new one nor
    be mistaken for it: samples are delivered only while their ``Following`` is the page's.
    """

    message: str  #: type of the messages that tell what is new

    def __init__(self, bench: Workbench) -> None:
        self._bench = bench
        self._version, self._place = -1, Mark(0, 0.0)  # of the history it has told of, and how far

    def past(self, strict: bool = True) -> dict[str, Any]:
        """What there is so far; ``strict``: unknown names are errors."""
        live = self._bench.live
        with live._lock:
            record = self._so_far(live)
            self._version, self._place = live._history.version, live._history.mark(live.time)
        return self._all(record, strict)

    def news(self) -> dict[str, Any] | None:
        """What is new since the last call, if anything; the past, as a ``restart``, if the session has gone back or is another."""
        live = self._bench.live
        with live._lock:
            history = live._history
            if history.version != self._version or history.forgot(self._place):
                return {"restart": True} | self.past(strict=False)
            live._sample()
            place = history.mark(live.time)
            if place == self._place:
                return None
            recent, self._place = history.since(self._place), place
        return self._more(recent)

    @abstractmethod
    def _so_far(self, live: LiveSession) -> Timeline:
        """The history, as far back as it is wanted, with the present; the caller holds the lock of the session."""

    @abstractmethod
    def _all(self, record: Timeline, strict: bool) -> dict[str, Any]:
        """What is told of the past."""

    @abstractmethod
    def _more(self, record: Timeline) -> dict[str, Any]:
        """What is told of something new; the first sample of the record was told already."""
