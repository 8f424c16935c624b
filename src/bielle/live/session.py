"""LiveSession: a mechanism that runs, can be asked anything between steps, and can be changed at any of them."""

from __future__ import annotations

import time as clock
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from os import PathLike
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from ..analysis.assembly import assemble
from ..errors import BielleError, CallbackError, DescriptionError, JoiningError, SimulationError, unknown
from ..kernels.lazy import announce_compilation
from ..kernels.slots import CODE_EVENT, CODE_STEP_COLLAPSED
from ..mechanism.description import Pose, Twist
from ..mechanism.mechanism import Mechanism
from ..mechanism.vectors import number
from ..model import Model, State, compile_mechanism, edit_model
from ..model.transfer import motion_of, transfer
from ..results.result import Result
from ..results.timeline import EditRecord, Timeline
from ..simulation import explain_failure, raise_callback_error
from ..solvers.central import Central, Run
from .commit import commit
from .draft import Draft, pose_numbers
from .events import RESOLUTION, Action, Event, condition, watch_of
from .hand import Hand, grab
from .history import History, Mark, Tail
from .interrupts import Interrupts
from .joining import Joined, fit
from .journal import Alarm, Await, Edit, Fired, Forget, Go, Journal, Redo, Restore, Snap, Step, Undo
from .operations import Put
from .reading import Reading
from .realtime import Pacer
from .start import Start
from .turns import Turns
from .verbs import Verbs

if TYPE_CHECKING:
    from .autosave import Autosave
    from .encoding import Encoder

__all__ = ["LiveSession", "Snapshot"]

_SLICE = 0.05  # [s] of compiled work between looks at the clock and at Ctrl-C
_MOST_SAMPLES = 20_000  # of one advance; a longer one keeps the last
_UNDO = 200  # edits that can be undone
_TORN = 1e-6  # residual of a joint, relative to the size of the mechanism, that a closing must not cause


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
        self._lock = Turns()
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
        self._redo: list[Undone] = []
        self._timers: tuple[tuple[float, str], ...] = ()
        self._events: dict[str, Event] = {}
        self._sides: dict[str, int] = {}  # of events that have just fired: where they are going
        self._draft: Draft | None = None
        self._present: Result | None = None
        self._snapshots = 0
        self._fired: list[str] = []  # events to be acted upon before time passes
        self._acting: list[str] = []  # events whose actions are running
        self.log: list[tuple[float, str]] = []  #: events that have happened: (time, name)
        self._pacer: Pacer | None = None
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
        numbers = ((m.bodies, "body", "bodies"), (m.joints, "joint", "joints"), (m.forces, "force", "forces"))
        parts = ", ".join(f"{len(table)} {one if len(table) == 1 else many}" for table, one, many in numbers)
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
                if self._fired:
                    self._pass_stops(entry)
                self._fire_exceeded(entry)
                stop = self._next_stop(np.inf)
                if self.solver.fixed_step:
                    stop = min(stop, self.time + left * float(self.solver.step or 0.0))
                left -= self._leg(stop, left if most is None else min(left, most - self._taken))
                self._pass_stops(entry)

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
        """To a time, through the stops on the way: ends of closings and pushes, alarms, events."""
        while self.time < end and (most is None or self._taken < most):
            if self._fired:
                self._pass_stops(entry)
            self._fire_exceeded(entry)
            self._leg(self._next_stop(end), None if most is None else most - self._taken)
            self._pass_stops(entry)

    def _leg(self, end: float, most: int | None) -> int:
        """To a time without stops on the way, at most so many steps; returns the steps taken. Samples go to the history.

        If an event comes first, the run is at its instant.
        """
        run = self._run
        run.go_to(end, self.record, _MOST_SAMPLES)
        self._present = None
        functions = [event for event in self._events.values() if event.function is not None]
        values = self._values(functions)
        steps, begun, taken = 8, self._taken, 0
        before, checkpoint = run.checkpoint(), 0
        try:
            # at its end a leg is always completed, so that where it stands depends on the number of its steps alone
            while not run.done and run.ok and (most is None or run.steps < most or run.time >= end):
                before, checkpoint = run.checkpoint(), run.steps
                started = clock.perf_counter()
                if functions:
                    steps = 1
                run.advance(steps if most is None else min(steps, max(most - run.steps, 1)))
                taken = run.steps  # an event that is located counts the steps in which it was found
                self._taken = begun + taken
                if functions:
                    values = self._look(functions, values, run, before)
                if self._fired:
                    break
                if run.model.closings and run.ok:
                    self._check_ramps(run, before)
                if run.ok and run.time < end:
                    self._between_slices()
                spent = clock.perf_counter() - started
                if spent < 0.5 * _SLICE and not run.model.closings:
                    steps = min(2 * steps, 1_000_000)
                elif spent > 2 * _SLICE:
                    steps = max(steps // 2, 1)
            if run.code == CODE_EVENT:
                run.locate()
                self._fired = list(run.fired)
                self._sides = {name: run.sides[name] for name in run.fired}
            if not run.ok and not self._fired:
                self._fail(run, before, checkpoint)
        except BaseException:  # the run has gone back to where it was still well
            taken = run.steps
            raise
        finally:
            self._taken = begun + taken
            self._history.add(run.samples())
            if self._history.end != self.time:
                self._sample()
        return max(taken, 1)

    def _check_ramps(self, run: Run, before: Any) -> None:
        """Refuse to go through positions the mechanism cannot take while a joint is being closed along its ramp."""
        w = run.workspace
        w.evaluate()
        worst = float(np.abs(w.phi[: run.model.nc]).max())
        size = max(float(np.ptp(w.x[: run.model.sizes["x"]])), 1e-3)
        if worst > (_TORN if self.solver.formulation in ("projected", "index3") else 1e3 * _TORN) * size:
            run.rewind(before)
            run.resume()
            raise SimulationError(_impassable(run, f"{worst:.3g} left over") + f" The session stands at t = {run.time:.9g} s.")

    def _between_slices(self) -> None:
        """Called every 50 ms while the session advances, between two steps; what it raises stops the advance there."""
        self._interrupts.check()
        self._changed()

    def _fail(self, run: Run, before: Any, checkpoint: int) -> None:
        """Back to the last good step, and the error that says why it could not go on."""
        error = explain_failure(run) or SimulationError(f"The run was stopped at t = {run.time:.9g} s.")
        if run.code == CODE_STEP_COLLAPSED and run.model.closings and type(error) is SimulationError:
            error = SimulationError(_impassable(run, f"the step size collapsed at t = {run.time:.9g} s"))
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

    def _pass_stops(self, entry: Go | Step) -> None:
        """End the pushes and closings whose time has come; do what events and alarms ask for."""
        now = self.time
        fired, self._fired = self._fired, []
        for name in fired:
            event = self._events.get(name)
            if event is not None and (event.watch is None or name in self.model.watches):  # gone if the action before took its component
                self._perform(event, entry)
        if self.time != now:  # an action has gone back in time
            return
        for name in [name for t, name in self._timers if t <= now and name in self._events]:
            self._timers = tuple(timer for timer in self._timers if timer[1] != name)
            self._perform(self._events[name], entry)
            if self.time != now:
                return
        over = [name for t, name in self._timers if t <= now]
        closed = [c for c in self.model.closings if c.end <= now]
        if closed:
            left = tuple(c for c in self.model.closings if c.end > now)
            state = self._run.workspace.state()
            model, change = edit_model(self.model, self.mechanism, [], left, self.model.watches)
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
                self._commit(draft, f"end of {', '.join(over)}", self._run.workspace.state())

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
        model, change = edit_model(run.model, self.mechanism, [], run.model.closings + opened, run.model.watches)
        return self.solver.start(model, transfer(state, run.model, model, change, {}))

    # -- events

    def when(
        self,
        quantity: Any,
        do: Action | None = None,
        *,
        name: str | None = None,
        once: bool = True,
        resolution: float = RESOLUTION,
        **when: Any,
    ) -> Event:
        """Do something at the instant a quantity crosses a value, turns back, or exceeds a limit.

        quantity    a name: ``"tip.position.y"``, ``"arm.velocity.x"``, ``"elbow.angle"``, ``"elbow.angular_velocity"``, ``"elbow.force"``
                    and ``"elbow.moment"`` (magnitudes of the reaction), ``"spring.output"``, ``"energy.kinetic"``; a watch of
                    :mod:`bielle.model.watches`; or a function of the session that returns a number, called after every step
        do          a function of the session, which may edit it; None: the session only notes it and goes on
        condition   one of ``crosses=``, ``rises=``, ``falls=`` (a value); ``above=``, ``below=`` (limits: also if exceeded already);
                    ``turns=`` 'max', 'min' or 'either'
        once        forget the event when it has happened
        resolution  longest step [s] while it is awaited: what happens and is undone within one step is not seen

        The instant is as accurate as the integrator. Events go with the components they look at.
        """
        threshold, direction, turning, limit = condition(**when)
        with self._lock:
            self._check_idle("await an event")
            resolution = number(resolution, "The resolution of an event", positive=True)
            if callable(quantity) and not isinstance(quantity, str):
                if turning:
                    raise DescriptionError("turns needs a quantity by name. Let your function return the rate, and say crosses=0.")
                event = Event(self._event_name(name), None, do, once, limit, resolution, cast(Any, quantity), direction, threshold)
            else:
                watch = watch_of(self.mechanism, quantity, threshold, direction, turning)
                event = Event(self._event_name(name), watch, do, once, limit, resolution)
            self._await(event)
            return event

    def at(self, time: float, do: Action, *, name: str | None = None) -> Event:
        """Do something at a time [s]."""
        time = number(time, "The time of an alarm")
        with self._lock:
            if time <= self.time:
                raise DescriptionError(f"It is {self.time:.9g} s already: nothing can be done at {time:.9g} s. Choose a later time.")
            event = Event(self._event_name(name), None, do)
            self._set_alarm(event, time)
            return event

    def _set_alarm(self, event: Event, time: float) -> None:
        self._events[event.name] = event
        self._timers += ((time, event.name),)
        self.journal.add(Alarm(event, time))
        self._changed()

    def breaks(self, joint: Any, *, force: float | None = None, moment: float | None = None, do: Action | None = None) -> list[Event]:
        """Let a joint break when its reaction exceeds a force [N] or a moment [N·m]; forces that act in it go with it.

        ``do`` is called afterwards. If a limit is exceeded already, because another joint has just broken, it breaks at once.
        """
        name = self.mechanism._name(joint, "breaks")
        if name not in self.mechanism.joints:
            raise unknown("joint", name, self.mechanism.joints, "breaks")
        if force is None and moment is None:
            raise DescriptionError(f"breaks '{name}': give the force or the moment at which it breaks.")

        limits = {what: limit for what, limit in (("force", force), ("moment", moment)) if limit is not None}
        for what, limit in limits.items():
            number(limit, f"breaks '{name}': the {what}", positive=True)
        with self._lock:
            self._check_idle("let a joint break")
            made = []
            for what, limit in limits.items():
                watch = watch_of(self.mechanism, f"{name}.{what}", limit, 1, turning=False)
                made.append(Event(self._event_name(f"{name} breaks ({what})"), watch, do, limit=True, breaks=name))
                self._await(made[-1])
            return made

    def forget(self, event: Event | str) -> None:
        """Await an event no longer."""
        name = event if isinstance(event, str) else event.name
        with self._lock:
            if name not in self._events:
                raise unknown("event", name, self._events)
            self._drop_event(name)
            self.journal.add(Forget(name))
            self._changed()

    @property
    def events(self) -> dict[str, Event]:
        """What is awaited, by name."""
        return dict(self._events)

    def _event_name(self, name: str | None) -> str:
        if name is None:
            name = next(n for i in range(1, 10**9) if (n := f"event {i}") not in self._events)
        if not isinstance(name, str) or name in self._events:
            raise DescriptionError(f"The name of an event must be a string that no other awaited event has, got {name!r:.80}.")
        return name

    def _await(self, event: Event) -> None:
        if event.watch is not None:
            self._set_watches({**self.model.watches, event.name: event.watch})
        self._events[event.name] = event
        self.journal.add(Await(event))
        self._changed()

    def _drop_event(self, name: str) -> None:
        del self._events[name]
        self._timers = tuple(timer for timer in self._timers if timer[1] != name)
        if name in self.model.watches:
            self._set_watches({n: w for n, w in self.model.watches.items() if n != name})

    def _set_watches(self, watches: dict[str, Any]) -> None:
        """Watch other quantities from now on; the motion is not touched."""
        model, change = edit_model(self.model, self.mechanism, [], self.model.closings, watches)
        state = self._run.workspace.state()
        carried = transfer(state, self.model, model, change, {})
        carried.acc, carried.a0, carried.mu, carried.settled = state.acc, state.a0, state.mu, state.settled
        self._run, self._present = self.solver.start(model, carried), None

    def _fire_exceeded(self, entry: Go | Step) -> None:
        """Arm the watches; do at once what awaits a limit that is exceeded already, again and again while there is any."""
        while True:
            self._events = {n: e for n, e in self._events.items() if e.watch is None or n in self.model.watches}
            watched = [e for e in self._events.values() if e.watch is not None or e.function is not None]
            self._run.disarm()
            if not watched:
                return
            sides = {name: side for name, side in self._sides.items() if name in self.model.watches}
            self._run.arm(min(e.resolution for e in watched), sides)
            beyond = [name for name in self._run.exceeded if self._events[name].limit]
            beyond += [e.name for e in watched if e.function and e.limit and e.direction * self._ask(e) > 0]
            if not beyond:
                return
            self._perform(self._events[beyond[0]], entry)

    def _perform(self, event: Event, entry: Go | Step) -> None:
        """Do what an event asks for; an error leaves the session where it is, able to go on."""
        fired = Fired(event.name)
        entry.fired.append(fired)
        self.log.append((self.time, event.name))
        self._acting.append(event.name)
        try:
            with self.journal.inside(fired):
                if self._on_event is not None:
                    self._on_event(event.name)
                else:
                    self._act(event)
        except BielleError:
            raise
        except Exception as error:
            raise CallbackError(
                f"event '{event.name}': its action raised {type(error).__name__}: {error} at t = {self.time:.9g} s. "
                "The session stands at that instant and can go on."
            ) from error
        finally:  # after the action: whoever undoes what it did finds the event about to act again
            self._acting.pop()
            over = event.once or (event.watch is None and event.function is None)
            if over and self._events.get(event.name) is event:
                self._drop_event(event.name)

    def _act(self, event: Event) -> None:
        if event.breaks and event.breaks in self.mechanism.joints:
            with self.edit(f"{event.breaks} broke") as draft:
                draft.remove(event.breaks, dependants=True)
        if event.action is not None:
            event.action(self)

    def _values(self, functions: list[Event]) -> dict[str, float]:
        return {event.name: self._ask(event) for event in functions}

    def _ask(self, event: Event) -> float:
        self._present = None
        try:
            return event.value(self)
        except Exception as error:
            raise CallbackError(
                f"event '{event.name}': its function raised {type(error).__name__}: {error} at t = {self.time:.9g} s. Mend the function."
            ) from error

    def _look(self, functions: list[Event], before: dict[str, float], run: Run, start: Any) -> dict[str, float]:
        """Values of the user's functions after a step; if one has crossed zero, the run is taken back to that instant."""
        after = self._values(functions)
        if not run.ok and run.code != CODE_EVENT:
            return after

        def has_crossed(event: Event) -> bool:
            a, b = self._known_side(event.name, before[event.name]), after[event.name]
            return a * b < 0 or (b == 0.0 and a != 0.0) if event.direction == 0 else event.direction * a < 0 <= event.direction * b

        crossed = [event for event in functions if has_crossed(event)]
        if not crossed:
            self._sides = {n: s for n, s in self._sides.items() if n in self.model.watches}
            return after
        from scipy.optimize import brentq

        begin, end = start[0].time, run.time

        def at(time: float, event: Event) -> float:
            run.rewind(start)
            run.resume()
            run.step_to(time)
            return self._ask(event)

        instants = {}
        for event in crossed:
            first = before[event.name] if before[event.name] != 0.0 else -after[event.name]

            def value(t: float, event: Event = event, first: float = first) -> float:
                return first if t == begin else at(t, event)

            exact = 4e-16 * max(1.0, abs(end))
            instants[event.name] = end if after[event.name] == 0.0 else brentq(value, begin, end, xtol=exact, rtol=np.float64(1e-15))
        instant = min(instants.values())
        run.rewind(start)
        run.resume()
        if instant > begin:
            run.step_to(instant)
        self._fired = [name for name, t in instants.items() if t <= instant * (1 + 1e-14)]
        self._sides |= {name: 1 if after[name] > 0 else -1 for name in self._fired if after[name] != 0.0}
        run.drop_samples_after(instant)
        return after

    def _known_side(self, name: str, value: float) -> float:
        """A function that has just fired stands on the side it went to, whatever rounding says."""
        return float(self._sides.get(name, value)) if name in self._sides else value

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
                draft.alone = True
                yield draft

    def _motion(self, name: str) -> tuple[Pose, Twist]:
        return motion_of(self.model, self._run.workspace.state(), name)

    def _pose(self, name: str) -> Pose:
        w = self._run.workspace
        row = self.model.bodies[name]
        return Pose(*row.kind.pose(w.q[row.q]))

    def _do(self, draft: Draft, label: str, undoable: bool = True) -> None:
        """Commit a draft, so that it can be undone and is in the journal."""
        if not draft.operations:
            return
        with self._interrupts:
            state = self._run.workspace.state()
            before = self._moment(label, state) if undoable else None
            self._commit(draft, label, state)
            if before is not None:
                self._undo.append(before)
                del self._undo[:-_UNDO]
            self._redo.clear()
            now = self.time
            self._timers = tuple(timer for timer in self._timers if timer[1] not in draft.dropped)
            self._timers += tuple((now + seconds, name) for seconds, name in draft.timers)
            self.journal.add(Edit(now, str(label), draft.operations, draft.timers, undoable))
            self._changed()

    def _commit(self, draft: Draft, label: str, state: State) -> None:
        done = commit(self.model, state, draft, self.solver)
        run = done.run or self.solver.start(done.model, done.state)
        self._sample()
        self.mechanism = draft.mechanism
        self.last_edit = done.joined
        self._install(run, label)

    def _install(self, run: Run, label: str) -> None:
        """Go on with another run from now on; a new stretch of history begins."""
        self._run.workspace.release()
        self._run, self._present = run, None
        self._history.begin(self.mechanism, run.model, EditRecord(run.time, label, _kind(label)))

    def _sample(self) -> None:
        """The present belongs to the history."""
        if self._history.end != self.time:
            self._history.add(self._run.present())

    def _check_idle(self, verb: str) -> None:
        if self._draft is not None:
            raise DescriptionError(f"An edit is open: finish it (leave the with block) before you {verb}.")

    # -- time travel

    def _moment(self, label: str = "", state: State | None = None) -> Moment:
        state, mark = state or self._run.workspace.state(), self._history.mark(self.time)
        return Moment(self.mechanism, self.model, state, self._timers, dict(self._events), tuple(self._acting), label, mark)

    def _go_to_moment(self, moment: Moment) -> None:
        self.mechanism = moment.mechanism
        self._run = self.solver.start(moment.model, moment.state)
        self._timers, self._events, self._sides = moment.timers, dict(moment.events), {}
        self._fired = list(moment.due)
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
        live.solver, live.record, live._lock = began.solver, began.record, Turns()
        live.mechanism = moment.mechanism
        if history is None:
            history = History(began.history)
            history.begin(moment.mechanism, moment.model, None)
        live._start(moment.model, moment.state, history, journal, began)
        live._timers, live._events, live._fired = moment.timers, dict(moment.events), list(moment.due)
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


_VERBS = ("add", "remove", "replace", "set", "fix", "free", "lock", "unlock", "push", "teleport", "grab", "closed", "end")


def _kind(label: str) -> str:
    """What sort of edit it was, where its label says so."""
    first, last = label.split(" ")[0], label.rsplit(" ")[-1]
    return "break" if last == "broke" else first if first in _VERBS else "edit"


def _impassable(run: Run, why: str) -> str:
    """What is said when joints cannot be closed along their ramps."""
    names = ", ".join(f"'{c.joint}'" for c in run.model.closings)
    return (
        f"Closing {names} gently leads through positions the mechanism cannot take ({why}): undo the joint, close it over another time "
        "(over=…), by joining='impulse', or from nearer."
    )


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
