"""Replay: what a journal says, done again from the same start; the result is the same, bit for bit."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from ..errors import BielleError, DescriptionError, FileError, SimulationError
from ..mechanism.vectors import number
from .draft import Draft
from .journal import Aim, Alarm, Await, Edit, Entry, Fired, Forget, Go, Journal, Redo, Restore, Snap, Step, Undo, Use
from .moments import Snapshot
from .session import LiveSession
from .start import Start
from .work import GaveWay

__all__ = ["Script", "replay"]


def replay(
    start: Start, journal: Journal | Iterable[Entry], until: float | None = None, gives_up: Callable[[float], bool] | None = None
) -> LiveSession:
    """A new session from a start, to which everything is done that the journal says.

    until     [s] stop when the session first gets there; an advance that would go further ends at this time
    gives_up  is told the time it has got to, often; if it returns True the replay ends with :class:`~bielle.live.work.GaveWay`

    Events fire again where they fired, but their actions are not called: what they did is in the journal and is done again.
    """
    entries = list(journal.entries if isinstance(journal, Journal) else journal)
    again = _Replay(LiveSession._at(start, start.moment, Journal()), entries, gives_up)
    if until is None:
        again.do(entries)
    else:
        again.do_until(entries, number(until, "until (the time to stop at)"))
    again.live._gives_way = None
    return again.live


class _Replay:
    """A session to which a journal is being applied."""

    def __init__(self, live: LiveSession, entries: list[Any], gives_up: Callable[[float], bool] | None = None) -> None:
        self.live, self._gives_up = live, gives_up
        if gives_up is not None:
            live._gives_way = lambda: gives_up(live.time)
        self._wanted = {entry.number for entry in _all(entries) if isinstance(entry, Restore)}
        self._kept: dict[int, Snapshot] = {}  # snapshots that are restored later
        self._doing: dict[type, Callable[[Any], Any]] = {
            Edit: self._edit,
            Aim: lambda entry: live._aim(entry.name, entry.target),
            Go: self._go,
            Step: self._step,
            Await: lambda entry: live._await(entry.event, entry.undoable),
            Alarm: lambda entry: live._set_alarm(entry.event, entry.time),
            Forget: lambda entry: live.forget(entry.name, undoable=entry.undoable),
            Undo: lambda _: live.undo(),
            Redo: lambda _: live.redo(),
            Snap: self._snap,
            Restore: self._restore,
            Use: lambda entry: live.use(entry.solver),
        }

    def do(self, entries: list[Any]) -> None:
        """All of them."""
        for entry in entries:
            self._do(entry)

    def do_until(self, entries: list[Any], time: float) -> None:
        """As far as the time; the entry that would lead beyond it is cut short."""
        live = self.live
        if time < live.time:
            raise DescriptionError(f"The session began at {live.time:.9g} s and cannot be replayed until {time:.9g} s. Give a later time.")
        for part in (part for entry in entries for part in _parts(entry)):
            if isinstance(part, Go | Step) and self._end(part) > time:
                self._fire(part.fired, lambda: live.time < time and live.advance_to(time), whole=False)
                return
            self._do(part)
            if live.time > time:  # by a jump: redo or restore
                return

    def _end(self, part: Go | Step) -> float:
        """When an advance ends; only the integrator knows how far its steps go, so that they are tried."""
        if isinstance(part, Go) and part.steps is None:
            return part.ends[-1]
        trial = _Replay(self.live.branch(), [part], self._gives_up)
        trial.do([part])
        return trial.live.time

    def _do(self, entry: Any) -> None:
        if self._gives_up is not None and self._gives_up(self.live.time):
            raise GaveWay
        try:
            self._doing[type(entry)](entry)
        except BielleError:
            raise
        except Exception as error:  # anything: the journal may come from a damaged file
            what = type(entry).__name__
            raise FileError(
                f"The journal cannot be replayed: {what} at {self.live.time:.9g} s: {type(error).__name__}: {error}."
            ) from error

    def _edit(self, entry: Edit) -> None:
        live = self.live
        draft = Draft(live._mechanism, live._motion, live._pose)
        for operation in entry.operations:
            draft.apply(operation)
        draft.timers = list(entry.timers)
        live._do(draft, entry.label, entry.undoable)

    def _go(self, entry: Go) -> None:
        *complete, last = entry.ends
        for end in complete:
            self.live.advance_to(end)
        self._fire(entry.fired, lambda: self._stopped(entry, lambda: self.live._advance_to(last, entry.steps)))

    def _step(self, entry: Step) -> None:
        self._fire(entry.fired, lambda: self._stopped(entry, lambda: self.live._step(entry.count, entry.steps)))

    def _stopped(self, entry: Go | Step, advance: Callable[[], Any]) -> None:
        """An advance; one that was stopped by an error may raise it again where it did."""
        try:
            advance()
        except SimulationError:
            if entry.steps is None or self.live.journal.entries[-1].steps != entry.steps:
                raise

    def _snap(self, entry: Snap) -> None:
        snapshot = self.live.snapshot()
        if snapshot.number in self._wanted:
            self._kept[snapshot.number] = snapshot

    def _restore(self, entry: Restore) -> None:
        if entry.number not in self._kept:
            raise FileError(f"The journal cannot be replayed: it restores snapshot {entry.number}, which it does not take.")
        self.live.restore(self._kept[entry.number])

    # -- events

    def _fire(self, fired: list[Fired], advance: Callable[[], Any], *, whole: bool = True) -> None:
        """Advance; events on the way do what they did, and if the advance is the whole one, all of them must come."""
        script = Script(fired, self)
        self.live._script = script
        try:
            with contextlib.suppress(_StoppedAgain):
                advance()
            if whole and script.pending:
                raise DescriptionError(
                    f"event '{script.next}': the journal says that it fired before {self.live.time:.9g} s, but it did not. "
                    "Its condition must depend on the session alone, and be given again after loading."
                )
        finally:
            self.live._script = None


class _StoppedAgain(BaseException):
    """An advance ends where it did, because an event's action raised."""


class Script:
    """What the events of an advance did; see :attr:`Core._script`."""

    def __init__(self, fired: list[Fired], replay: _Replay) -> None:
        self._fired, self._replay = list(fired), replay

    @property
    def pending(self) -> int:
        """How many are still to come."""
        return len(self._fired)

    @property
    def next(self) -> str:
        """The name of the next one."""
        return self._fired[0].event if self._fired else "none"

    def act(self, event: str) -> None:
        """In the place of an event's action."""
        if self.next != event:
            raise DescriptionError(
                f"event '{event}': it fired at {self._replay.live.time:.9g} s, but the journal says {self.next}. "
                "Its condition must depend on the session alone."
            )
        fired = self._fired.pop(0)
        self._replay.do(fired.entries)
        if fired.failed:
            raise _StoppedAgain


def _all(entries: Iterable[Any]) -> Iterator[Any]:
    """Entries and those that events wrote."""
    for entry in entries:
        yield entry
        for fired in getattr(entry, "fired", ()):
            yield from _all(fired.entries)


def _parts(entry: Any) -> list[Any]:
    """An entry as several, one for each advance it holds."""
    if not isinstance(entry, Go):
        return [entry]
    *complete, last = entry.ends
    return [*(Go([end]) for end in complete), Go([last], entry.fired, entry.steps)]
