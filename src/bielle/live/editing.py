"""Edits of a session: transactions that are done as a whole, can be undone, and are in the journal."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, cast

from ..calls import explained_methods
from ..errors import DescriptionError, unknown
from ..mechanism.description import Pose, Twist
from ..mechanism.vectors import vector
from ..model import State
from ..model.transfer import motion_of
from .commit import commit
from .core import Core
from .draft import Draft
from .hand import Hand, aimed, grab
from .journal import Aim, Edit
from .moments import Moment
from .verbs import Verbs

if TYPE_CHECKING:
    from .session import LiveSession

__all__ = ["Editing"]

_UNDO = 200  # edits that can be undone, at most
_UNDO_ANYWAY = 20  # and as many of these when the history does not go back as far any more


@explained_methods
class Editing(Core, Verbs):
    """The part of :class:`~bielle.live.session.LiveSession` that edits it."""

    def grab(self, body: Any, at: Any = None, **options: Any) -> Hand:
        """Take hold of a point of a body (``at`` in the world now, or ``local``; default: its centre of mass); move and release the hand.

        It pulls with a damped spring whose force is limited: ``stiffness``, ``damping`` and ``limit`` are chosen from the mass felt at
        the point, the step and the weight of the mechanism unless they are given.
        """
        with self._lock:
            self._check_free("edit the session")
            return grab(cast("LiveSession", self), body, at, **options)

    def _aim(self, name: str, target: Any) -> None:
        """Let a hand pull somewhere else. That is part of the grab: it begins no stretch of history, and is undone with it."""
        with self._lock:
            self._check_idle("move a hand")
            point = vector(target, f"{name}: the target", self._mechanism.dim)
            if name not in self._mechanism.forces:
                raise unknown("force", name, self._mechanism.forces)
            with self._interrupts:
                state = self._run.workspace.state()
                with self._under("A hand is being moved", state):
                    run = self.solver.start(self.model, aimed(self.model, state, name, point))
                self._sample()
                self._run.release()
                self._run, self._present = run, None
                self._audit.renew()
                self._redo.clear()
                self.journal.add(Aim(name, point))
                self._changed()

    @contextmanager
    def edit(self, label: str = "edit", *, undoable: bool = True) -> Iterator[Draft]:
        """Several edits as one: ``with live.edit(): …``. If one of them is refused, none is done.

        What is not ``undoable`` by itself goes with the edit before it: the moves of a hand with the grab.
        """
        with self._lock:
            self._check_free("edit the session")
            if self._draft is not None:
                raise DescriptionError("An edit is open already. Put the further changes into the same with block.")
            self._draft = draft = Draft(self._mechanism, self._motion, self._pose)
            try:
                yield draft
            finally:
                self._draft = None
            self._do(draft, label, undoable)

    @contextmanager
    def _transaction(self, label: str, undoable: bool = True) -> Iterator[Draft]:
        with self._lock:
            self._check_free("edit the session")
            if self._draft is not None:
                yield self._draft
                return
            with self.edit(label, undoable=undoable) as draft:
                draft.alone = True
                yield draft

    def _motion(self, name: str) -> tuple[Pose, Twist]:
        return motion_of(self.model, self._run.workspace.state(), name)

    def _pose(self, name: str) -> Pose:
        rows = self.model.body_rows
        i, starts = rows.index[name], rows.starts("nq")
        return Pose(*rows.records[i].item.kind.pose(self._run.workspace.q[starts[i] : starts[i + 1]]))

    def _do(self, draft: Draft, label: str, undoable: bool = True) -> None:
        """Commit a draft, so that it can be undone and is in the journal."""
        if not draft.operations:
            return
        with self._interrupts:
            state = self._run.workspace.state()
            before = self._moment(label, state) if undoable else None
            self._commit(draft, label, state)
            if before is not None:
                self._keep_for_undo(before)
            self._redo.clear()
            now = self.time
            self._timers = tuple(timer for timer in self._timers if timer[1] not in draft.dropped)
            self._timers += tuple((now + seconds, name) for seconds, name in draft.timers)
            self.journal.add(Edit(now, str(label), draft.operations, draft.timers, undoable))
            self._changed()

    def _keep_for_undo(self, before: Moment) -> None:
        """A moment that undo comes back to next."""
        self._undo.append(before)
        while len(self._undo) > _UNDO or (len(self._undo) > _UNDO_ANYWAY and self._history.forgot(self._undo[0].mark)):
            del self._undo[0]
        self._redo.clear()

    def _commit(self, draft: Draft, label: str, state: State) -> None:
        with self._under("An edit is under way", state):
            done = commit(self.model, state, draft, self.solver)
            run = done.run or self.solver.start(done.model, done.state)
            run.check(draft.touched)
        self._sample()
        self._mechanism = draft.mechanism
        self.last_edit = done.joined
        self._install(run, label)
