"""Journal: everything that was done to a session, in order, so that doing it again gives the same bits."""

from __future__ import annotations

from typing import Any

import msgspec

from .operations import Operation

__all__ = ["Aim", "Alarm", "Await", "Edit", "Entry", "Fired", "Forget", "Go", "Journal", "Redo", "Restore", "Snap", "Step", "Undo", "Use"]


class Edit(msgspec.Struct, tag="edit"):
    """A transaction."""

    time: float
    label: str
    operations: list[Operation]
    timers: list[tuple[float, str]] = []  #: (seconds from then, name): components that went by themselves
    undoable: bool = True  #: False: goes with the edit before it


class Fired(msgspec.Struct, tag="fired"):
    """An event on the way, and what its action did."""

    event: str
    entries: list[Any] = []
    failed: bool = False  #: its action raised, after all this, and the advance ended there


class Go(msgspec.Struct, tag="go"):
    """The session was advanced to these times, one after the other.

    The last advance may not have arrived: interrupted, or stopped by an error. Then ``steps`` counts the integrator's steps it took, over
    all stops on its way (ends of closings and pushes). What a step does depends on the end that was aimed at, so that this is kept.
    """

    ends: list[float]
    fired: list[Fired] = []
    steps: int | None = None


class Step(msgspec.Struct, tag="step"):
    """So many steps of the integrator were wanted, and taken unless ``steps`` says how many were."""

    count: int
    fired: list[Fired] = []
    steps: int | None = None


class Await(msgspec.Struct, tag="await"):
    """An event was awaited from then on."""

    event: Any  #: an Event
    undoable: bool = False  #: False: goes with the edit before it


class Alarm(msgspec.Struct, tag="alarm"):
    """Something was to be done at a time."""

    event: Any  #: an Event
    time: float


class Forget(msgspec.Struct, tag="forget"):
    """An event was awaited no longer."""

    name: str
    undoable: bool = False


class Aim(msgspec.Struct, tag="aim"):
    """A hand was moved: it pulls there from then on."""

    name: str
    target: tuple[float, ...]


class Undo(msgspec.Struct, tag="undo"):
    """Back to before the last edit."""


class Redo(msgspec.Struct, tag="redo"):
    """Forward again."""


class Snap(msgspec.Struct, tag="snapshot"):
    """The present was kept under a number."""

    number: int


class Restore(msgspec.Struct, tag="restore"):
    """Back to what was kept."""

    number: int


class Use(msgspec.Struct, tag="use"):
    """Another solver from then on."""

    solver: Any  #: a Solver


Entry = Edit | Aim | Go | Step | Await | Alarm | Forget | Undo | Redo | Snap | Restore | Use

_MOST_ENDS = 1000  # of advances that share an entry: an entry that is complete is encoded once, however long the session runs


class Journal:
    """What was done to a session, in order: :attr:`entries`; ``print(live.journal)`` tells it in words.

    While an event's action runs, entries go to the event.
    """

    def __init__(self) -> None:
        self.entries: list[Any] = []
        self._sink = [self.entries]

    def add(self, entry: Any) -> Any:
        """Write an entry, and return the one that holds it: consecutive advances share one."""
        sink = self._sink[-1]
        last = sink[-1] if sink else None
        if isinstance(entry, Go) and isinstance(last, Go) and _joinable(last, entry):
            last.ends.extend(entry.ends)
            last.steps = entry.steps
            return last
        sink.append(entry)
        return entry

    def last(self, steps: int | None = None) -> Any:
        """A copy of the last entry, which may still grow; ``steps``: of an advance that is under way, those taken so far."""
        entry = self.entries[-1]
        if isinstance(entry, Go):
            return Go(list(entry.ends), list(entry.fired), entry.steps if steps is None else steps)
        if isinstance(entry, Step):
            return Step(entry.count, list(entry.fired), entry.steps if steps is None else steps)
        return entry

    def copy(self, steps: int | None = None) -> Journal:
        """An independent journal with the same past; ``steps`` as in :meth:`last`."""
        other = Journal()
        if self.entries:
            other.entries.extend([*self.entries[:-1], self.last(steps)])
        return other

    def solver(self, first: Any) -> Any:
        """The solver in use at the end, if that at the start was ``first``."""
        return next((entry.solver for entry in reversed(self.entries) if isinstance(entry, Use)), first)

    @property
    def in_event(self) -> bool:
        """Whether an event's action is running."""
        return len(self._sink) > 1

    def __str__(self) -> str:
        from .words import journal_in_words

        return journal_in_words(self.entries)

    def __repr__(self) -> str:
        return f"Journal of {len(self.entries)} entries"

    def inside(self, fired: Fired) -> _Inside:
        """While an event's action runs."""
        return _Inside(self._sink, fired.entries)


def _joinable(last: Go, entry: Go) -> bool:
    """Whether an advance can share the entry of the one before."""
    return not last.fired and last.steps is None and not entry.fired and len(last.ends) < _MOST_ENDS


class _Inside:
    def __init__(self, sink: list[list[Any]], entries: list[Any]) -> None:
        self.sink, self.entries = sink, entries

    def __enter__(self) -> None:
        self.sink.append(self.entries)

    def __exit__(self, *exception: object) -> None:
        self.sink.pop()
