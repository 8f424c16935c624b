"""Journal: everything that was done to a session, in order, so that doing it again gives the same bits."""

from __future__ import annotations

from typing import Any

import msgspec

from .operations import Operation

__all__ = ["Alarm", "Await", "Edit", "Entry", "Fired", "Forget", "Go", "Journal", "Redo", "Restore", "Snap", "Step", "Undo"]


class Edit(msgspec.Struct, tag="edit"):
    """A transaction."""

    time: float
    label: str
    operations: list[Operation]
    timers: list[tuple[float, str]] = []  #: (seconds from then, name): components that went by themselves


class Fired(msgspec.Struct, tag="fired"):
    """An event on the way, and what its action did."""

    event: str
    entries: list[Any] = []


class Go(msgspec.Struct, tag="go"):
    """The session was advanced to these times, one after the other; the last may have been interrupted after so many steps."""

    ends: list[float]
    fired: list[Fired] = []
    steps: int | None = None


class Step(msgspec.Struct, tag="step"):
    """So many steps of the integrator."""

    count: int
    fired: list[Fired] = []


class Await(msgspec.Struct, tag="await"):
    """An event was awaited from then on; without a watch, of a function that only the user's program knows."""

    name: str
    watch: Any
    once: bool
    limit: bool
    resolution: float
    direction: int = 0


class Alarm(msgspec.Struct, tag="alarm"):
    """Something was to be done at a time."""

    name: str
    time: float


class Forget(msgspec.Struct, tag="forget"):
    """An event was awaited no longer."""

    name: str


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


Entry = Edit | Go | Step | Await | Alarm | Forget | Undo | Redo | Snap | Restore


class Journal:
    """Entries in order. While an event's action runs they go to the event."""

    def __init__(self) -> None:
        self.entries: list[Any] = []
        self._sink = [self.entries]

    def add(self, entry: Any) -> None:
        """Write an entry; consecutive advances share one."""
        sink = self._sink[-1]
        last = sink[-1] if sink else None
        if isinstance(entry, Go) and isinstance(last, Go) and not last.fired and last.steps is None and not entry.fired:
            last.ends.extend(entry.ends)
            last.steps = entry.steps
        else:
            sink.append(entry)

    def inside(self, fired: Fired) -> _Inside:
        """While an event's action runs."""
        return _Inside(self._sink, fired.entries)


class _Inside:
    def __init__(self, sink: list[list[Any]], entries: list[Any]) -> None:
        self.sink, self.entries = sink, entries

    def __enter__(self) -> None:
        self.sink.append(self.entries)

    def __exit__(self, *exception: object) -> None:
        self.sink.pop()
