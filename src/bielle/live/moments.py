"""Instants of a session that it can come back to."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ..mechanism.mechanism import Mechanism
from ..model import Model, State
from .history import History, Mark, Tail

if TYPE_CHECKING:
    from .events import Event

__all__ = ["Moment", "Snapshot", "Undone"]


@dataclass(frozen=True)
class Moment:
    """Everything a session needs to go on from an instant exactly."""

    mechanism: Mechanism
    model: Model
    state: State
    timers: tuple[tuple[float, str], ...]
    events: dict[str, Event]
    due: tuple[str, ...]  #: events that have happened at this instant and are to be acted upon
    label: str
    mark: Mark
    sides: dict[str, int] = field(default_factory=dict)  #: of events that have just happened: where they are going
    beyond: frozenset[str] = frozenset()  #: limits that are exceeded and have been acted upon


@dataclass(frozen=True)
class Undone:
    """An edit that was undone: where that led back to, where it was called, and what had been computed in between."""

    before: Moment
    now: Moment
    tail: Tail


@dataclass(frozen=True, eq=False)
class Snapshot:
    """An instant that was kept; see :meth:`LiveSession.snapshot`."""

    number: int
    moment: Moment
    history: History
    undo: tuple[Moment, ...]

    def __repr__(self) -> str:
        return f"Snapshot {self.number} at {self.moment.state.time:.6g} s"
