"""LiveSession: a mechanism that runs, can be asked anything between steps, and can be changed at any of them."""

from __future__ import annotations

import time as clock
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..analysis.assembly import assemble
from ..errors import DescriptionError, JoiningError, SimulationError
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
from .hand import Hand, grab
from .history import History, Mark, Tail
from .joining import Joined, fit
from .journal import Edit, Go, Journal, Redo, Restore, Snap, Step, Undo
from .operations import Put
from .reading import Reading
from .realtime import Pacer
from .turns import Turns
from .verbs import Verbs

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


@dataclass(frozen=True)
class Undone:
    """An edit that was undone: where that led back to, where it was called, and what had been computed in between."""

    before: Moment
    now: Moment
    tail: Tail


@dataclass(frozen=True)
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
    """

    def __init__(
        self,
        mechanism: Mechanism,
        solver: Central | None = None,
        *,
        hold: str | tuple[str, ...] = (),
        record: float = 0.01,
        history: float = 5e8,
    ) -> None:
        self.solver = _checked(solver)
        self.record = number(record, "record (seconds between samples)", positive=True)
        announce_compilation()
        self._lock = Turns()
        self.mechanism = _self_contained(mechanism)
        model, described = compile_mechanism(self.mechanism)
        try:
            state = assemble(self.mechanism, model, described, (hold,) if isinstance(hold, str) else tuple(hold)).state
        finally:
            raise_callback_error(model)
        self._start(model, state, History(int(history)), Journal())
        self._history.begin(self.mechanism, model, None)

    def _start(self, model: Model, state: State, history: History, journal: Journal) -> None:
        self._run = self.solver.start(model, state)
        self._history = history
        self.journal = journal
        self._undo: list[Moment] = []
        self._redo: list[Undone] = []
        self._timers: tuple[tuple[float, str], ...] = ()
        self._draft: Draft | None = None
        self._present: Result | None = None
        self._snapshots = 0
        self._pacer: Pacer | None = None
        self.last_edit: list[Joined] = []  #: how the joints of the last edit were fitted

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
            entry = Go([time])
            self.journal.add(entry)
            self._go(time, entry)

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
            entry = Step(int(count))
            self.journal.add(entry)
            left = int(count)
            while left > 0:
                stop = self._next_stop(np.inf)
                if self.solver.fixed_step:
                    stop = min(stop, self.time + left * float(self.solver.step or 0.0))
                left -= self._leg(stop, left)
                self._pass_stops()

    def _go(self, end: float, entry: Go | None) -> None:
        """To a time, through the stops on the way (ends of closings and pushes)."""
        while self.time < end:
            self._leg(self._next_stop(end), None)
            self._pass_stops()

    def _leg(self, end: float, most: int | None) -> int:
        """To a time without stops on the way, at most so many steps; returns the steps taken. Samples go to the history."""
        run = self._run
        interval = self.record
        run.go_to(end, interval, _MOST_SAMPLES)
        self._present = None
        steps, taken = 8, 0
        before, checkpoint = run.checkpoint(), 0
        try:
            while not run.done and run.ok and (most is None or taken < most):
                before, checkpoint = run.checkpoint(), run.steps
                started = clock.perf_counter()
                run.advance(steps if most is None else min(steps, most - taken))
                taken = run.steps
                self._between_slices()
                spent = clock.perf_counter() - started
                if spent < 0.5 * _SLICE:
                    steps = min(2 * steps, 1_000_000)
                elif spent > 2 * _SLICE:
                    steps = max(steps // 2, 1)
            if not run.ok:
                self._fail(run, before, checkpoint)
        finally:
            self._history.add(run.samples())
            if self._history.end != self.time:
                self._sample()
        return max(taken, 1)

    def _between_slices(self) -> None:
        """Called every 50 ms while the session advances."""

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
        stops = [t for t, _ in self._timers] + [t for c in self.model.closings for t in c.joins]
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
            run = self.solver.start(model, transfer(state, self.model, model, change, {}))
            run = self._closed(run, [c.joint for c in closed if c.silent])
            self._sample()
            self._install(run, f"closed {', '.join(c.joint for c in closed)}")
        if over:
            self._timers = tuple(timer for timer in self._timers if timer[0] > now)
            draft = Draft(self.mechanism, self._motion, self._pose)
            for name in over:
                if name in draft.mechanism.forces:
                    draft.remove(name)
            if draft.operations:
                self._commit(draft, f"end of {', '.join(over)}")

    def _closed(self, run: Run, waited: list[str]) -> Run:
        """The run, after equations that waited for others have been looked at: those that do not follow from them are closed now."""
        if not waited:
            return run
        state = run.workspace.state()
        try:
            _, opened, _ = fit(run.workspace, state, [Put(self.mechanism.joints[name]) for name in waited])
        except JoiningError:
            return run  # the next step says what is wrong
        if not opened:
            return run
        model, change = edit_model(run.model, self.mechanism, [], run.model.closings + opened)
        return self.solver.start(model, transfer(state, run.model, model, change, {}))

    # -- real time

    def run_realtime(self, factor: float = 1.0, *, frame: float = 1 / 60) -> None:
        """Let time pass in the background, ``factor`` simulated seconds per second, in frames of ``frame`` simulated seconds.

        Everything can be read and edited meanwhile, between two frames. :meth:`pause`, :meth:`resume`, :meth:`stop`. If something goes
        wrong time stands still, and the error is raised by the next of these calls.
        """
        factor, frame = number(factor, "The factor", positive=True), number(frame, "The frame", positive=True)
        self.stop()
        self._pacer = Pacer(self, factor, frame)

    @property
    def running(self) -> bool:
        """Whether time passes in the background."""
        return self._pacer is not None and self._pacer.running

    def pause(self) -> None:
        """Let time stand still."""
        if self._pacer is not None:
            self._pacer.pause()
            self._raise_background_error()

    def resume(self) -> None:
        """Let time pass again."""
        self._raise_background_error()
        if self._pacer is None:
            raise DescriptionError("Nothing is paused: start with run_realtime(factor).")
        self._pacer.resume()

    def stop(self) -> None:
        """End what :meth:`run_realtime` began."""
        if self._pacer is not None:
            self._pacer.stop()
            self._raise_background_error()
            self._pacer = None

    def _raise_background_error(self) -> None:
        pacer = self._pacer
        if pacer is not None and pacer.error is not None:
            self._pacer = None
            raise pacer.error

    # -- edits

    def grab(self, body: Any, at: Any = None, **options: Any) -> Hand:
        """Take hold of a point of a body (``at`` in the world now, or ``local``; default: its centre of mass); move and release the hand.

        It pulls with a damped spring whose force is limited: ``stiffness``, ``damping`` and ``limit`` are chosen from the mass felt at
        the point, the step and the weight of the mechanism unless they are given.
        """
        with self._lock:
            return grab(self, body, at, **options)

    @contextmanager
    def edit(self, label: str = "edit", *, undoable: bool = True) -> Iterator[Draft]:
        """Several edits as one: ``with live.edit(): …``. If one of them is refused, none is done.

        What is not ``undoable`` by itself goes with the edit before it: the moves of a hand with the grab.
        """
        with self._lock:
            if self._draft is not None:
                raise DescriptionError("An edit is open already. Put the further changes into the same with block.")
            self._draft = draft = Draft(self.mechanism, self._motion, self._pose)
            try:
                yield draft
            finally:
                self._draft = None
            self._do(draft, label, undoable)

    @contextmanager
    def _transaction(self, label: str, undoable: bool = True) -> Iterator[Draft]:
        with self._lock:
            if self._draft is not None:
                yield self._draft
                return
            with self.edit(label, undoable=undoable) as draft:
                yield draft

    def _motion(self, name: str) -> tuple[Pose, Twist]:
        return motion_of(self.model, self._run.workspace.state(), name)

    def _pose(self, name: str) -> Pose:
        w = self._run.workspace
        row = self.model.bodies[name]
        return Pose(*row.kind.pose(w.q[row.q].copy()))

    def _do(self, draft: Draft, label: str, undoable: bool = True) -> None:
        """Commit a draft, so that it can be undone and is in the journal."""
        if not draft.operations:
            return
        before = self._moment(label) if undoable else None
        self._commit(draft, label)
        if before is not None:
            self._undo.append(before)
            del self._undo[:-_UNDO]
        self._redo.clear()
        now = self.time
        self._timers = tuple(timer for timer in self._timers if timer[1] not in draft.dropped)
        self._timers += tuple((now + seconds, name) for seconds, name in draft.timers)
        self.journal.add(Edit(now, label, draft.operations, draft.timers))

    def _commit(self, draft: Draft, label: str) -> None:
        state = self._run.workspace.state()
        done = commit(self.model, state, draft, self.solver)
        run = done.run or self.solver.start(done.model, done.state)
        self._sample()
        self.mechanism = draft.mechanism
        self.last_edit = done.joined
        self._install(run, label)

    def _install(self, run: Run, label: str) -> None:
        """Go on with another run from now on; a new stretch of history begins."""
        self._run, self._present = run, None
        self._history.begin(self.mechanism, run.model, EditRecord(run.time, label))

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
        with self._lock:
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
            return moment.label

    def redo(self) -> str:
        """Forward again to where the last undo was called."""
        with self._lock:
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
            return moment.label

    def snapshot(self) -> Snapshot:
        """Keep the present, to come back to with :meth:`restore` or to branch from."""
        with self._lock:
            self._check_idle("take a snapshot")
            self._snapshots += 1
            self.journal.add(Snap(self._snapshots))
            self._sample()
            return Snapshot(self._snapshots, self._moment(), self._history.copy(), tuple(self._undo))

    def restore(self, snapshot: Snapshot) -> None:
        """Back to a snapshot, state and topology, bit for bit."""
        with self._lock:
            self._check_idle("restore")
            if not isinstance(snapshot, Snapshot):
                raise DescriptionError(f"restore needs what snapshot() returned, got {snapshot!r:.80}.")
            self._history = snapshot.history.copy()
            self._undo, self._redo = list(snapshot.undo), []
            self._go_to_moment(snapshot.moment)
            self.journal.add(Restore(snapshot.number))

    def branch(self) -> LiveSession:
        """An independent session that goes on from the present; its journal begins here."""
        with self._lock:
            self._check_idle("branch")
            self._sample()
            other = LiveSession.__new__(LiveSession)
            other.solver, other.record, other._lock = self.solver, self.record, Turns()
            other.mechanism = self.mechanism
            other._start(self.model, self._run.workspace.state(), self._history.copy(), Journal())
            other._undo, other._timers = list(self._undo), self._timers
            return other


def _self_contained(mechanism: Mechanism) -> Mechanism:
    """A copy whose joints and forces do not depend on where its bodies are described: in a session these move."""
    m = mechanism.copy()
    for table in (m.joints, m.forces):
        for name, component in table.items():
            table[name] = mechanism.localised(component)  # type: ignore[type-var]
    return m


def _checked(solver: Any) -> Central:
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
