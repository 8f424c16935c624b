"""Time travel of a session: undo and redo, snapshots, branches."""

from __future__ import annotations

import weakref
from typing import Self

from ..calls import explained_methods
from ..errors import DescriptionError
from .advancing import Advancing
from .history import History
from .journal import Journal, Redo, Restore, Snap, Undo
from .moments import Moment, Snapshot, Undone
from .start import Start
from .turns import Turns

__all__ = ["Travel"]


@explained_methods
class Travel(Advancing):
    """The part of :class:`~bielle.live.session.LiveSession` that goes back and forth in time."""

    def _go_to_moment(self, moment: Moment) -> None:
        self._mechanism = moment.mechanism
        self._run = self.solver.start(moment.model, moment.state)
        self._take_over(moment)

    def _take_over(self, moment: Moment) -> None:
        """What is awaited, and how that stands."""
        self._timers, self._events, self._sides = moment.timers, dict(moment.events), dict(moment.sides)
        self._fired, self._beyond = list(moment.due), moment.beyond
        self._winding.forget()
        self._audit.renew()

    def undo(self) -> str:
        """Back to the state right before the last edit, time and topology included; returns what was undone."""
        with self._lock, self._interrupts:
            self._check_idle("undo")
            if not self._undo:
                raise DescriptionError("There is nothing to undo: no edit was made yet, or all are undone.")
            moment = self._undo.pop()
            now = self._moment(moment.label)
            self._sample()
            tail = self._history.go_back(moment.mark, moment.mechanism, moment.model)
            self._redo.append(Undone(moment, now, tail))
            self._go_to_moment(moment)
            self.journal.add(Undo())
            self._changed()
            return moment.label

    def redo(self) -> str:
        """Forward again to where the last undo was called; the time that has passed since is given up."""
        with self._lock, self._interrupts:
            self._check_idle("redo")
            if not self._redo:
                raise DescriptionError("There is nothing to redo: nothing was undone since the last edit.")
            undone = self._redo.pop()
            moment = undone.now
            self._undo.append(undone.before)
            self._history.go_back(undone.before.mark, undone.before.mechanism, undone.before.model)  # what was computed since is in vain
            self._history.go_forward(undone.tail)
            self._go_to_moment(moment)
            self.journal.add(Redo())
            self._changed()
            return moment.label

    def snapshot(self) -> Snapshot:
        """Keep the present, to come back to with :meth:`restore` or to branch from."""
        with self._lock:
            self._check_idle("take a snapshot")
            self._snapshots += 1
            self.journal.add(Snap(self._snapshots))
            self._sample()
            snapshot = Snapshot(self._snapshots, self._moment(), self._history.copy(), tuple(self._undo))
            self._snapshots_taken.add(snapshot)
            self._changed()
            return snapshot

    def restore(self, snapshot: Snapshot) -> None:
        """Back to a snapshot of this session or of the past it was branched from: state and topology, bit for bit."""
        with self._lock, self._interrupts:
            self._check_idle("restore")
            if not isinstance(snapshot, Snapshot):
                raise DescriptionError(f"restore needs what snapshot() returned, got {snapshot!r:.80}.")
            if snapshot not in self._snapshots_taken:
                raise DescriptionError(f"{snapshot!r} is of another session, whose past is not that of this one. Restore it there.")
            self._history = snapshot.history.copy()
            self._undo, self._redo = list(snapshot.undo), []
            self._go_to_moment(snapshot.moment)
            self.journal.add(Restore(snapshot.number))
            self._changed()

    def branch(self) -> Self:
        """An independent session that goes on from the present, with the same past (journal, undo, snapshots); it is not autosaved."""
        with self._lock:
            self._check_idle("branch")
            self._sample()
            journal = self.journal.copy(None if self._entry is None else self._taken)
            other = type(self)._at(self._began, self._moment(), journal, self._history.copy())
            other._undo, other._snapshots = list(self._undo), self._snapshots
            other._snapshots_taken = weakref.WeakSet(self._snapshots_taken)
            return other

    @classmethod
    def _at(cls, began: Start, moment: Moment, journal: Journal, history: History | None = None) -> Self:
        """A session that began somewhere and stands at a moment, to which its journal has led."""
        live = cls.__new__(cls)
        live.solver, live.record, live._lock = journal.solver(began.solver), began.record, Turns()
        live._mechanism = moment.mechanism
        if history is None:
            history = History(began.history)
            history.begin(moment.mechanism, moment.model, None)
        live._start(moment.model, moment.state, history, journal, began)
        live._take_over(moment)
        return live
