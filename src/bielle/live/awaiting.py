"""Events of a session: awaited, located in time, acted upon."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NoReturn, cast

import numpy as np

from ..calls import explained_methods
from ..errors import BielleError, CallbackError, DescriptionError, SimulationError, unknown
from ..mechanism.vectors import number
from ..model import edit_model
from ..model.conditions import RESOLUTION, condition, watch_of
from ..model.transfer import transfer
from ..results.turning import turn_of
from ..simulation import explain_failure
from ..solvers.instants import leaving
from ..solvers.run import Run
from .deeds import checked_deed, perform
from .editing import Editing
from .events import Action, Event
from .journal import Alarm, Await, Fired, Forget, Go, Step

if TYPE_CHECKING:
    from .session import LiveSession

__all__ = ["Awaiting", "StepFailedError"]

_MOST_AT_ONCE = 1000  # events while time does not get further
_COINCIDENT = 64  # units in the last place of the time within which crossings are one event


class StepFailedError(Exception):
    """A trial step could not be taken."""


@explained_methods
class Awaiting(Editing):
    """The part of :class:`~bielle.live.session.LiveSession` that awaits events."""

    _unarmed: Any  # checkpoint of the run before a leg was begun
    _furthest: float  # [s] time of the latest event of an advance
    _at_once: int  # events since then

    def when(
        self,
        quantity: Any,
        do: Action | str | None = None,
        *,
        name: str | None = None,
        undoable: bool = False,
        once: bool = True,
        resolution: float = RESOLUTION,
        every_turn: bool = False,
        **when: Any,
    ) -> Event:
        """Do something at the instant a quantity crosses a value, turns back, or exceeds a limit.

        quantity    a name: ``"tip.position.y"``, ``"arm.velocity.x"``, ``"elbow.angle"``, ``"elbow.angular_velocity"``, ``"elbow.force"``
                    and ``"elbow.moment"`` (magnitudes of the reaction), ``"spring.output"``, ``"energy.kinetic"``; a watch of
                    :mod:`bielle.model.watches`; or a function of the session that returns a number, called after every step
        do          a function of the session, which may edit it; or words, which are saved with the session: ``"pause"`` (the advance ends
                    there), ``"cut elbow"`` (a joint or force), ``"lock elbow"``; None: the session only notes it and goes on
        condition   one of ``crosses=``, ``rises=``, ``falls=`` (a value); ``above=``, ``below=`` (limits: also if exceeded already);
                    ``turns=`` 'max', 'min' or 'either'
        once        forget the event when it has happened
        resolution  longest step [s] while it is awaited: what happens and is undone within one step is not seen
        undoable    whether undo takes it back by itself, as an edit; otherwise it goes with the edit before it
        every_turn  an angle passes the value once a turn; otherwise it is counted over turns, as ``live["elbow"].angle``

        The instant is as accurate as the integrator. A quantity that is at its value when the event is defined, as near as a time of
        1e-9 s can tell, has to leave it and come back; one that exceeds a limit does so at once. Events go with what they look at.
        """
        threshold, direction, turning, limit = condition(**when)
        with self._lock:
            self._check_idle("await an event")
            resolution = number(resolution, "The resolution of an event", positive=True)
            action, does = self._doing(do)
            if callable(quantity) and not isinstance(quantity, str):
                if every_turn:
                    raise DescriptionError("every_turn needs an angle by name. Let your function return the angle modulo 2π.")
                if turning:
                    raise DescriptionError("turns needs a quantity by name. Let your function return the rate, and say crosses=0.")
                event = Event(
                    self._event_name(name),
                    None,
                    action,
                    once,
                    limit,
                    resolution,
                    cast(Any, quantity),
                    direction,
                    threshold,
                    since=self.time,
                    does=does,
                )
            else:
                watch = watch_of(self._mechanism, quantity, threshold, direction, turning, every_turn)
                named = quantity if isinstance(quantity, str) else ""
                more: dict[str, Any] = {"does": does, "quantity": named, "turns": turning}
                event = Event(self._event_name(name), watch, action, once, limit, resolution, since=self.time, **more)
            self._await(event, undoable)
            return event

    def _doing(self, do: Action | str | None) -> tuple[Action | None, str]:
        """What an event does: a function, and what words say."""
        return (None, checked_deed(self._mechanism, do)) if isinstance(do, str) else (do, "")

    def at(self, time: float, do: Action | str, *, name: str | None = None) -> Event:
        """Do something at a time [s]; ``do`` as in :meth:`when`."""
        time = number(time, "The time of an alarm")
        with self._lock:
            self._check_idle("set an alarm")
            if time <= self.time:
                raise DescriptionError(f"It is {self.time:.9g} s already: nothing can be done at {time:.9g} s. Choose a later time.")
            action, does = self._doing(do)
            event = Event(self._event_name(name), None, action, does=does)
            self._set_alarm(event, time)
            return event

    def _set_alarm(self, event: Event, time: float) -> None:
        self._events[event.name] = event
        self._timers += ((time, event.name),)
        self.journal.add(Alarm(event, time))
        self._changed()

    def breaks(
        self,
        joint: Any,
        *,
        force: float | None = None,
        moment: float | None = None,
        do: Action | str | None = None,
        undoable: bool = False,
    ) -> list[Event]:
        """Let a joint break when its reaction exceeds a force [N] or a moment [N·m]; forces that act in it go with it.

        ``do`` (as in :meth:`when`) is done afterwards. If a limit is exceeded already, because another joint has just broken, it breaks
        at once.
        """
        name = self._mechanism._name(joint, "breaks")
        if name not in self._mechanism.joints:
            raise unknown("joint", name, self._mechanism.joints, "breaks")
        if force is None and moment is None:
            raise DescriptionError(f"breaks '{name}': give the force or the moment at which it breaks.")

        limits = {what: limit for what, limit in (("force", force), ("moment", moment)) if limit is not None}
        for what, limit in limits.items():
            number(limit, f"breaks '{name}': the {what}", positive=True)
        with self._lock:
            self._check_idle("let a joint break")
            action, does = self._doing(do)
            made: list[Event] = []
            for what, limit in limits.items():
                quantity, called = f"{name}.{what}", self._event_name(f"{name} breaks ({what})")
                watch = watch_of(self._mechanism, quantity, limit, 1, turning=False)
                event = Event(called, watch, action, limit=True, breaks=name, does=does, quantity=quantity)
                self._await(event, undoable and not made)
                made.append(event)
            return made

    def forget(self, event: Event | str, *, undoable: bool = False) -> None:
        """Await an event no longer; ``undoable`` as in :meth:`when`."""
        name = event if isinstance(event, str) else event.name
        with self._lock:
            self._check_idle("forget an event")
            if name not in self._events:
                raise unknown("event", name, self._events)
            if undoable:
                self._keep_for_undo(self._moment(f"forget {name}"))
            self._drop_event(name)
            self.journal.add(Forget(name, undoable))
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

    def _await(self, event: Event, undoable: bool = False) -> None:
        before = self._moment(f"await {event.name}") if undoable else None
        if event.watch is not None:
            self._set_watches({**self.model.watches, event.name: event.watch})
        if before is not None:
            self._keep_for_undo(before)
        self._events[event.name] = event
        self.journal.add(Await(event, undoable))
        self._changed()

    def _drop_event(self, name: str) -> None:
        del self._events[name]
        self._timers = tuple(timer for timer in self._timers if timer[1] != name)
        if name in self.model.watches:
            self._set_watches({n: w for n, w in self.model.watches.items() if n != name})

    def _set_watches(self, watches: dict[str, Any]) -> None:
        """Watch other quantities from now on; the motion is not touched."""
        model, change = edit_model(self.model, self._mechanism, [], self.model.closings, watches)
        state = self._run.workspace.state()
        carried = transfer(state, self.model, model, change, {})
        carried.acc, carried.a0, carried.mu, carried.settled = state.acc, state.a0, state.mu, state.settled
        with self._under("Events are being set up", state):
            self._run = self.solver.start(model, carried)

    def _fire_exceeded(self, entry: Go | Step, most: int | None) -> bool:
        """Arm the watches; do at once what awaits a limit that is exceeded already, again and again while there is any.

        A limit that has been acted upon and is still exceeded has to come back first. Whether a leg can begin: not if an advance is done
        again that ended here.
        """
        while True:
            run = self._run
            run.disarm()
            self._unarmed = run.checkpoint()
            watched = [e for e in self._events.values() if e.watch is not None or e.function is not None]
            if not watched:
                return True
            angles = self._counted_angles()
            with self._under("A step is under way", self._unarmed[0]):
                try:
                    exceeded = self._exceeded(run, watched, angles)
                except BaseException:
                    self._forget_attempt(run)
                    raise
            self._beyond &= frozenset(exceeded)
            due = [name for name in exceeded if name not in self._beyond]
            if not due:
                return True
            self._perform(self._events[due[0]], entry)
            if self._ended(most):
                return False
            self._check_time_passes()

    def _counted_angles(self) -> dict[str, float]:
        """Watched angles, with their turns since the history begins."""
        counted = {name: watch for name, watch in self.model.watches.items() if watch.counts and not watch.period}
        return {name: self._unwound(turn_of(self.now, watch), "angle") for name, watch in counted.items()}

    def _exceeded(self, run: Run, watched: list[Event], angles: dict[str, float]) -> list[str]:
        """Arm the watches; names of the limits that are exceeded."""
        sides = {name: side for name, side in self._sides.items() if name in self.model.watches}
        run.forget_failures()
        new = [e.name for e in watched if e.watch is not None and self._is_new(e)]
        run.arm(min(e.resolution for e in watched), sides, new, angles)
        if run.failed:
            self._refuse_to_begin(run)
        beyond = set(run.exceeded)
        for event in (e for e in watched if e.limit):
            way, side = (event.direction if event.watch is None else event.watch.direction), self._sides.get(event.name)
            if event.watch is None and side is None:
                side = self._ask(event)
            if side is not None and way * side > 0:  # or it has only just got there, whatever rounding says
                beyond.add(event.name)
        return [e.name for e in watched if e.limit and e.name in beyond]

    def _ended(self, most: int | None) -> bool:
        raise NotImplementedError

    def _forget_attempt(self, run: Run) -> None:
        """Back to before a leg was begun: no step was taken, and nothing is left of the attempt."""
        run.rewind(self._unarmed)
        run.drop_samples_after(-np.inf)

    def _refuse_to_begin(self, run: Run) -> NoReturn:
        """A function of the user's fails where the session stands."""
        error = explain_failure(run) or SimulationError(f"The run was stopped at t = {run.time:.9g} s.")
        self._forget_attempt(run)
        run.forget_failures()
        raise type(error)(f"{error} The session stands at t = {run.time:.9g} s and can go on when that is mended.") from error.__cause__

    def _check_time_passes(self) -> None:
        """Between two events of an advance: stop if Ctrl-C was pressed, or if there is no end to them."""
        self._interrupts.check()
        if self._at_once > _MOST_AT_ONCE:
            raise SimulationError(
                f"event '{self.log[-1][1]}': {self._at_once} events have happened, and time gets no further than {self._furthest:.9g} s. "
                "Forget an event that its own action brings about (live.forget), or let the action change what it looks at."
            )

    def _perform(self, event: Event, entry: Go | Step) -> None:
        """Do what an event asks for; an error leaves the session where it is, able to go on."""
        self._at_once = 0 if self.time > self._furthest else self._at_once + 1
        self._furthest = max(self._furthest, self.time)
        if event.limit and not event.once:
            self._beyond |= {event.name}
        fired = Fired(event.name)
        entry.fired.append(fired)
        self.log.append((self.time, event.name))
        self._history.note(self.time, event.name)
        self._acting.append(event.name)
        try:
            with self.journal.inside(fired):
                if self._script is not None:
                    self._script.act(event.name)
                else:
                    self._act(event)
        except BaseException as error:
            fired.failed = True
            if isinstance(error, BielleError) or not isinstance(error, Exception):
                raise
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
        if event.breaks and event.breaks in self._mechanism.joints:
            with self.edit(f"{event.breaks} broke") as draft:
                draft.remove(event.breaks, dependants=True)
        if event.action is not None:
            event.action(cast("LiveSession", self))
        if event.does:
            perform(event.does, cast("LiveSession", self))

    def _is_new(self, event: Event) -> bool:
        """Whether it may stand on its threshold: it has only just been defined, and is no limit."""
        return event.since == self.time and not event.limit

    def _values(self, functions: list[Event]) -> dict[str, float]:
        return {event.name: self._ask(event) for event in functions}

    def _first_values(self, functions: list[Event]) -> dict[str, float]:
        """Those that the first step begins with; a function that stands on its threshold has the value that it goes to."""
        values = self._values(functions)
        new = [event for event in functions if self._is_new(event)]
        if new:
            with self._run.a_moment_later():
                later = self._values(new)
            self._run.refresh()
            values |= {name: value for name, value in later.items() if value * values[name] <= 0.0}
        return values

    def _ask(self, event: Event) -> float:
        """The function of an event, minus its threshold, at the present state."""
        what = f"event '{event.name}': its function"
        try:
            with self._under("An event's function is being asked", None):
                value = event.value(cast("LiveSession", self))
        except Exception as error:
            raise CallbackError(
                f"{what} raised {type(error).__name__}: {error} at t = {self._run.time:.9g} s. Mend the function."
            ) from error
        if not math.isfinite(value):
            raise CallbackError(
                f"{what} must return a finite number, got {value + event.threshold} at t = {self._run.time:.9g} s. Mend it."
            )
        return value

    def _look(self, functions: list[Event], before: dict[str, float], run: Run, start: Any) -> dict[str, float]:
        """Values of the user's functions after a step; if one has crossed zero, the run is taken back to that instant."""
        after = self._values(functions)
        sides = {name: self._sides.get(name, int(np.sign(value))) for name, value in before.items()}
        crossed = [e for e in functions if sides[e.name] * after[e.name] <= 0.0 and sides[e.name] and e.direction * sides[e.name] <= 0]
        if not crossed:
            self._sides = {n: s for n, s in self._sides.items() if n in self.model.watches}
            return after
        begin, end = start[0].time, run.time

        def go(time: float) -> None:
            run.rewind(start)
            run.resume()
            if time > begin:
                run.step_to(time)
                if run.failed or not run.ok:
                    raise StepFailedError

        def instant(event: Event) -> float:
            def value(time: float) -> float:
                if time == end:
                    return after[event.name]
                go(time)
                return self._ask(event)

            return leaving(sides[event.name], value, begin, before[event.name], end)

        instants = {event.name: instant(event) for event in crossed}
        first = min(instants.values())
        same = first + _COINCIDENT * float(np.spacing(max(abs(begin), abs(end))))
        happened = [name for name, time in instants.items() if time <= same]
        if self._fired and end > same:  # what compiled code watches happens later
            self._fired, self._sides = [], {}
        go(first)
        self._fired += happened
        self._sides |= {name: -sides[name] for name in happened}
        run.drop_samples_after(first)
        return after
