"""LiveSession: a mechanism that runs, can be asked anything between steps, and can be changed at any of them."""

from __future__ import annotations

import threading
import time as clock
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np

from ..analysis.assembly import assemble
from ..errors import DescriptionError, SimulationError
from ..kernels.lazy import announce_compilation
from ..mechanism.description import Pose, Twist
from ..mechanism.mechanism import Mechanism
from ..mechanism.vectors import number
from ..model import Model, State, compile_mechanism, edit_model
from ..model.transfer import transfer
from ..results.result import Result
from ..results.timeline import EditRecord, Timeline
from ..simulation import explain_failure, raise_callback_error
from ..solvers.central import Central, Run
from .commit import commit, motion_of
from .draft import Draft, pose_numbers
from .history import History, Mark, Tail
from .interrupts import Interrupts
from .joining import Joined
from .journal import Edit, Go, Journal, Redo, Restore, Snap, Step, Undo
from .reading import Reading
from .start import Start
from .verbs import Verbs

if TYPE_CHECKING:
    from .autosave import Autosave
    from .encoding import Encoder

__all__ = ["LiveSession", "Snapshot"]

_SLICE = 0.05  # [s] of compiled work between looks at the clock and at Ctrl-C
_MOST_SAMPLES = 20_000  # of one advance; a longer one keeps the last
_UNDO = 200  # edits that can be undone


@dataclass(frozen=True)
class Moment:
    """Everything a session needs to go on from an instant exactly."""

    mechanism: Mechanism
    model: Model
    state: State
    timers: tuple[tuple[float, str], ...]
    label: str
    mark: Mark


@dataclass(frozen=True, eq=False)
class Snapshot:
    """An instant that was kept; see :meth:`LiveSession.snapshot`."""

    number: int
    moment: Moment
    history: History
    undo: tuple[Moment, ...]

    def __repr__(self) -> str:
        return f"Snapshot {self.number} at {self.moment.state.time:.6g} s"


class LiveSession(Verbs):
    """Made by ``m.live()``. It has its own copy of the mechanism, :attr:`mechanism`, which follows the edits.

    solver    how to advance; a one-step method of :class:`~bielle.Central` (the default is accurate and adaptive)
    hold      bodies that stay where they are described when the mechanism is assembled at the start
    record    seconds between samples of the history
    history   bytes that samples may take; the oldest go first
    autosave  a file that is kept up to date, so that a crash costs a second at most; :func:`bielle.load_session` goes on from it
    """

    def __init__(
        self,
        mechanism: Mechanism,
        solver: Central | None = None,
        *,
        hold: str | tuple[str, ...] = (),
        record: float = 0.01,
        history: float = 5e8,
        autosave: str | PathLike[str] | None = None,
    ) -> None:
        self.solver = checked_solver(solver)
        self.record = number(record, "record (seconds between samples)", positive=True)
        announce_compilation()
        self._lock = threading.RLock()
        self.mechanism = _self_contained(mechanism)
        model, described = compile_mechanism(self.mechanism)
        try:
            state = assemble(self.mechanism, model, described, (hold,) if isinstance(hold, str) else tuple(hold)).state
        finally:
            raise_callback_error(model)
        self._start(model, state, History(int(history)), Journal())
        self._history.begin(self.mechanism, model, None)
        self._save_to(autosave)

    def _start(self, model: Model, state: State, history: History, journal: Journal, began: Start | None = None) -> None:
        self._run = self.solver.start(model, state)
        self._history = history
        self.journal = journal
        self._undo: list[Moment] = []
        self._redo: list[tuple[Moment, Tail]] = []
        self._timers: tuple[tuple[float, str], ...] = ()
        self._draft: Draft | None = None
        self._present: Result | None = None
        self._snapshots = 0
        self._snapshots_taken: weakref.WeakSet[Snapshot] = weakref.WeakSet()  # those that the journal knows of
        self._interrupts = Interrupts()
        self._entry: Go | Step | None = None  # the advance under way, and the steps it took so far
        self._taken = 0
        #: set by a replay: called with the name of an event that fires, in the place of the event's action; does what the action did
        self._on_event: Callable[[str], None] | None = None
        self._autosave: Autosave | None = None
        self._encoder: Encoder | None = None
        self.last_edit: list[Joined] = []  #: how the joints of the last edit were fitted
        self._began = began or Start(self.solver, self.record, history.limit, self._moment())

    # -- reading

    @property
    def time(self) -> float:
        """[s]"""
        return self._run.time

    @property
    def model(self) -> Model:
        """The tables that run now."""
        return self._run.model

    @property
    def version(self) -> int:
        """Changes with every edit."""
        return self.model.version

    @property
    def state(self) -> State:
        """A copy of the present state."""
        with self._lock:
            return self._run.workspace.state()

    @property
    def now(self) -> Result:
        """The present as a result of one sample: anything can be asked of it."""
        with self._lock:
            if self._present is None:
                closings = tuple(c.joint for c in self.model.closings)
                self._present = Result(self.mechanism, self.model, self._run.present(), closings=closings)
            return self._present

    def __getitem__(self, name: Any) -> Reading:
        """The present of a body, joint, force or frame: ``live["arm"].position``, ``live["elbow"].force()``."""
        return Reading(self.now[name])

    @property
    def energy(self) -> Reading:
        """The present energies: ``live.energy.kinetic``…"""
        return Reading(self.now.energy)

    @property
    def closing(self) -> dict[str, float]:
        """Joints that are being closed gently, and when they will be closed [s]."""
        return {c.joint: c.end for c in self.model.closings}

    def result(self) -> Timeline:
        """What was computed so far, as a result across all changes."""
        with self._lock:
            self._sample()
            return self._history.copy().result({"solver": self.solver.describe(), "status": "live"})

    def describe(self) -> Mechanism:
        """The mechanism as it is now: a description whose bodies start where they are, with the velocities they have."""
        with self._lock:
            m, state = self.mechanism.copy(), self.state
            for name, body in self.mechanism.bodies.items():
                pose, twist = motion_of(self.model, state, name)
                position, orientation = pose_numbers(pose, m.planar)
                spin = float(twist.angular[2]) if m.planar else tuple(map(float, twist.angular))
                m.bodies[name] = type(body)(
                    name=name,
                    shape=body.shape,
                    position=position,
                    orientation=orientation,
                    velocity=tuple(map(float, twist.linear[: m.dim])),
                    angular_velocity=spin,
                    coordinates=body.coordinates,
                    color=body.color,
                )
            return m

    def __repr__(self) -> str:
        m = self.mechanism
        parts = f"{len(m.bodies)} bodies, {len(m.joints)} joints, {len(m.forces)} forces"
        return f"LiveSession at {self.time:.6g} s: {parts}; {self.solver.describe()}"

    # -- advancing

    def advance(self, duration: float) -> None:
        """Let so many seconds pass. Ctrl-C stops between two steps; the session can go on."""
        duration = number(duration, "The duration", positive=True)
        with self._lock:
            self.advance_to(self.time + duration)

    def advance_to(self, time: float) -> None:
        """Let time pass until ``time`` [s]."""
        time = number(time, "The time to advance to")
        with self._lock:
            self._check_idle("advance")
            if time <= self.time:
                raise DescriptionError(
                    f"The session is at {self.time:.9g} s already and cannot advance to {time:.9g} s. To go back use undo or restore."
                )
            self._advance_to(time)

    def _advance_to(self, time: float, most: int | None = None) -> None:
        """To a time; ``most``: not further than so many steps, as an advance did that was interrupted."""
        entry = self.journal.add(Go([time]))
        with self._under_way(entry, most):
            self._go(time, entry, most)

    def settle(self) -> None:
        """Let time pass until all joints that are being closed gently are closed."""
        with self._lock:
            if self.model.closings:
                self.advance_to(max(c.end for c in self.model.closings))

    def step(self, count: int = 1) -> None:
        """That many steps of the integrator."""
        if isinstance(count, bool) or not isinstance(count, int | np.integer) or count < 1:
            raise DescriptionError(f"The number of steps must be a positive integer, got {count!r}.")
        with self._lock:
            self._check_idle("step")
            self._step(int(count))

    def _step(self, count: int, most: int | None = None) -> None:
        """So many steps; ``most`` as in :meth:`_advance_to`."""
        entry = self.journal.add(Step(count))
        with self._under_way(entry, most):
            left = count
            while left > 0 and (most is None or self._taken < most):
                stop = self._next_stop(np.inf)
                if self.solver.fixed_step:
                    stop = min(stop, self.time + left * float(self.solver.step or 0.0))
                left -= self._leg(stop, left if most is None else min(left, most - self._taken))
                self._pass_stops()

    @contextmanager
    def _under_way(self, entry: Go | Step, most: int | None) -> Iterator[None]:
        """An advance: Ctrl-C waits for the end of a slice, and an entry whose end is not reached says after how many steps that was."""
        outer = self._entry, self._taken
        with self._interrupts:
            self._entry, self._taken = entry, 0
            try:
                yield
            except BaseException:
                entry.steps = self._taken
                raise
            else:
                entry.steps = None if most is None else self._taken
            finally:
                self._entry, self._taken = outer
                self._changed()

    def _go(self, end: float, entry: Go, most: int | None = None) -> None:
        """To a time, through the stops on the way (ends of closings and pushes)."""
        while self.time < end and (most is None or self._taken < most):
            self._leg(self._next_stop(end), None if most is None else most - self._taken)
            self._pass_stops()

    def _leg(self, end: float, most: int | None) -> int:
        """To a time without stops on the way, at most so many steps; returns the steps taken. Samples go to the history."""
        run = self._run
        interval = self.record
        run.go_to(end, interval, _MOST_SAMPLES)
        self._present = None
        steps, begun = 8, self._taken
        before, checkpoint = run.checkpoint(), 0
        try:
            # at its end a leg is always completed, so that where it stands depends on the number of its steps alone
            while not run.done and run.ok and (most is None or run.steps < most or run.time >= end):
                before, checkpoint = run.checkpoint(), run.steps
                started = clock.perf_counter()
                run.advance(steps if most is None else min(steps, max(most - run.steps, 1)))
                self._taken = begun + run.steps
                if run.ok and run.time < end:
                    self._between_slices()
                spent = clock.perf_counter() - started
                if spent < 0.5 * _SLICE:
                    steps = min(2 * steps, 1_000_000)
                elif spent > 2 * _SLICE:
                    steps = max(steps // 2, 1)
            if not run.ok:
                self._fail(run, before, checkpoint)
        finally:
            self._taken = begun + run.steps
            self._history.add(run.samples())
            if self._history.end != self.time:
                self._sample()
        return max(run.steps, 1)

    def _between_slices(self) -> None:
        """Called every 50 ms while the session advances, between two steps; what it raises stops the advance there."""
        self._interrupts.check()
        self._changed()

    def _fail(self, run: Run, before: Any, checkpoint: int) -> None:
        """Back to the last good step, and the error that says why it could not go on."""
        error = explain_failure(run) or SimulationError(f"The run was stopped at t = {run.time:.9g} s.")
        steps = run.steps - checkpoint
        run.rewind(before)
        if steps > 1:
            run.advance(steps - 1)
        if not run.ok:  # the user's function failed in an earlier step than its traces showed
            run.rewind(before)
        for callback in run.model.callbacks:
            callback.error = callback.cause = None
        message = f"{error} The session stands at the last good step, t = {run.time:.9g} s, and can go on from there."
        raise type(error)(message, None) from error.__cause__

    def _next_stop(self, end: float) -> float:
        stops = [t for t, _ in self._timers] + [c.end for c in self.model.closings]
        return min([end, *(t for t in stops if t > self.time)])

    def _pass_stops(self) -> None:
        """End the pushes and closings whose time has come."""
        now = self.time
        over = [name for t, name in self._timers if t <= now]
        closed = [c for c in self.model.closings if c.end <= now]
        if closed:
            left = tuple(c for c in self.model.closings if c.end > now)
            state = self._run.workspace.state()
            model, change = edit_model(self.model, self.mechanism, [], left)
            self._install(model, transfer(state, self.model, model, change, {}), f"closed {', '.join(c.joint for c in closed)}")
        if over:
            self._timers = tuple(timer for timer in self._timers if timer[0] > now)
            draft = Draft(self.mechanism, self._motion)
            for name in over:
                if name in draft.mechanism.forces:
                    draft.remove(name)
            if draft.operations:
                self._commit(draft, f"end of {', '.join(over)}")

    # -- edits

    @contextmanager
    def edit(self, label: str = "edit") -> Iterator[Draft]:
        """Several edits as one: ``with live.edit(): …``. If one of them is refused, none is done."""
        with self._lock:
            if self._draft is not None:
                raise DescriptionError("An edit is open already. Put the further changes into the same with block.")
            self._draft = draft = Draft(self.mechanism, self._motion)
            try:
                yield draft
            finally:
                self._draft = None
            self._do(draft, label)

    @contextmanager
    def _transaction(self, label: str) -> Iterator[Draft]:
        with self._lock:
            if self._draft is not None:
                yield self._draft
                return
            with self.edit(label) as draft:
                yield draft

    def _motion(self, name: str) -> tuple[Pose, Twist]:
        return motion_of(self.model, self._state_for_reading(), name)

    def _state_for_reading(self) -> State:
        if self._present is None or not hasattr(self, "_read_state") or self._read_version != (self.version, self.time):
            self._read_state, self._read_version = self._run.workspace.state(), (self.version, self.time)
        return self._read_state

    def _do(self, draft: Draft, label: str) -> None:
        """Commit a draft, so that it can be undone and is in the journal."""
        if not draft.operations:
            return
        with self._interrupts:
            before = self._moment(label)
            self._commit(draft, label)
            self._undo.append(before)
            del self._undo[:-_UNDO]
            self._redo.clear()
            now = self.time
            self._timers += tuple((now + seconds, name) for seconds, name in draft.timers)
            self.journal.add(Edit(now, str(label), draft.operations, draft.timers))
            self._changed()

    def _commit(self, draft: Draft, label: str) -> None:
        state = self._run.workspace.state()
        done = commit(self.model, state, draft)
        self.mechanism = draft.mechanism
        self.last_edit = done.joined
        self._install(done.model, done.state, label)

    def _install(self, model: Model, state: State, label: str) -> None:
        """Run another model from now on; a new stretch of history begins."""
        self._sample()
        run = self.solver.start(model, state)
        self._run, self._present = run, None
        self._history.begin(self.mechanism, model, EditRecord(state.time, label))

    def _sample(self) -> None:
        """The present belongs to the history."""
        if self._history.end != self.time:
            self._history.add(self._run.present())

    def _check_idle(self, verb: str) -> None:
        if self._draft is not None:
            raise DescriptionError(f"An edit is open: finish it (leave the with block) before you {verb}.")

    # -- time travel

    def _moment(self, label: str = "") -> Moment:
        return Moment(self.mechanism, self.model, self._run.workspace.state(), self._timers, label, self._history.mark(self.time))

    def _go_to_moment(self, moment: Moment) -> None:
        self.mechanism = moment.mechanism
        self._run = self.solver.start(moment.model, moment.state)
        self._timers = moment.timers
        self._present = None

    def undo(self) -> str:
        """Back to the state right before the last edit, time and topology included; returns what was undone."""
        with self._lock, self._interrupts:
            self._check_idle("undo")
            if not self._undo:
                raise DescriptionError("There is nothing to undo: no edit was made yet, or all are undone.")
            moment = self._undo.pop()
            now = self._moment(moment.label)
            self._sample()
            tail = self._history.go_back(moment.mark)
            self._redo.append((now, tail))
            self._go_to_moment(moment)
            self.journal.add(Undo())
            self._changed()
            return moment.label

    def redo(self) -> str:
        """Forward again to where the last undo was called."""
        with self._lock, self._interrupts:
            self._check_idle("redo")
            if not self._redo:
                raise DescriptionError("There is nothing to redo: nothing was undone since the last edit.")
            moment, tail = self._redo.pop()
            self._undo.append(self._moment(moment.label))
            self._history.go_forward(tail)
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

    def branch(self) -> LiveSession:
        """An independent session that goes on from the present, with the same past (journal, undo, snapshots); it is not autosaved."""
        with self._lock:
            self._check_idle("branch")
            self._sample()
            journal = self.journal.copy(None if self._entry is None else self._taken)
            other = LiveSession._at(self._began, self._moment(), journal, self._history.copy())
            other._undo, other._snapshots = list(self._undo), self._snapshots
            other._snapshots_taken = weakref.WeakSet(self._snapshots_taken)
            return other

    @classmethod
    def _at(cls, began: Start, moment: Moment, journal: Journal, history: History | None = None) -> LiveSession:
        """A session that began somewhere and stands at a moment, to which its journal has led."""
        live = cls.__new__(cls)
        live.solver, live.record, live._lock = began.solver, began.record, threading.RLock()
        live.mechanism = moment.mechanism
        if history is None:
            history = History(began.history)
            history.begin(moment.mechanism, moment.model, None)
        live._start(moment.model, moment.state, history, journal, began)
        live._timers = moment.timers
        return live

    # -- keeping

    def replay(self, until: float | None = None) -> LiveSession:
        """A new session that begins as this one did and does everything again: it ends in the same state, bit for bit.

        It has all samples and can undo everything, also if this session was loaded from a file.

        until  [s] stop when it first gets there
        """
        from .replay import replay

        with self._lock:
            self._check_idle("replay")
            journal = self.journal.copy(None if self._entry is None else self._taken)
        return replay(self._began, journal, until)

    def save(self, path: str | PathLike[str]) -> None:
        """Write the session to a file, from which :func:`bielle.load_session` goes on exactly as this one would.

        It holds data only: the start, the journal and the present. Python functions are represented by names, and given again when the
        file is loaded. Samples are not in it (``live.result().save(…)`` keeps them), nor are the states to undo to: :meth:`replay` of the
        loaded session computes them again. The file appears complete or not at all.
        """
        from .files import save

        with self._lock:
            self._check_idle("save")
            save(self, path)

    def _save_to(self, path: str | PathLike[str] | None) -> None:
        """Keep a file up to date from now on."""
        if path is not None:
            from .autosave import Autosave

            self._autosave = Autosave(self, path)

    def _changed(self) -> None:
        """Something happened that an autosaved file must know of. What an event's action does is saved when the action is over."""
        if self._autosave is not None and not self.journal.in_event:
            self._autosave.changed()


def _self_contained(mechanism: Mechanism) -> Mechanism:
    """A copy whose joints and forces do not depend on where its bodies are described: in a session these move."""
    m = mechanism.copy()
    for table in (m.joints, m.forces):
        for name, component in table.items():
            table[name] = mechanism.localised(component)  # type: ignore[type-var]
    return m


def checked_solver(solver: Any) -> Central:
    """The solver, or the default; refused unless it can be stopped and started at any step."""
    solver = Central() if solver is None else solver
    if not isinstance(solver, Central):
        raise DescriptionError(
            f"The solver must be made by bielle.Central(…), got {solver!r}. Write Central(integrator='rk4', step=1e-3), say."
        )
    if not solver.one_step:
        raise DescriptionError(
            f"A live session needs a method that can stop and start at any step, but '{solver.integrator}' is SciPy's. "
            "Use adaptive, rk4, newmark, hht or generalized-alpha."
        )
    return solver
