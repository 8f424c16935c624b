"""Events of a session: awaited, located in time, acted upon."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import numpy as np

from ..errors import BielleError, CallbackError, DescriptionError, unknown
from ..kernels.slots import CODE_EVENT
from ..mechanism.vectors import number
from ..model import edit_model
from ..model.transfer import transfer
from ..solvers.run import Run
from .editing import Editing
from .events import RESOLUTION, Action, Event, condition, watch_of
from .journal import Alarm, Await, Fired, Forget, Go, Step

if TYPE_CHECKING:
    from .session import LiveSession

__all__ = ["Awaiting"]


class Awaiting(Editing):
    """The part of :class:`~bielle.live.session.LiveSession` that awaits events."""

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

        The instant is as accurate as the integrator. A quantity that is at its value when the event is defined, as near as a time of
        1e-9 s can tell, has to leave it and come back; one that exceeds a limit does so at once. Events go with what they look at.
        """
        threshold, direction, turning, limit = condition(**when)
        with self._lock:
            self._check_idle("await an event")
            resolution = number(resolution, "The resolution of an event", positive=True)
            if callable(quantity) and not isinstance(quantity, str):
                if turning:
                    raise DescriptionError("turns needs a quantity by name. Let your function return the rate, and say crosses=0.")
                event = Event(
                    self._event_name(name), None, do, once, limit, resolution, cast(Any, quantity), direction, threshold, since=self.time
                )
            else:
                watch = watch_of(self.mechanism, quantity, threshold, direction, turning)
                event = Event(self._event_name(name), watch, do, once, limit, resolution, since=self.time)
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
            self._run.arm(min(e.resolution for e in watched), sides, [e.name for e in watched if e.watch is not None and self._is_new(e)])
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
            event.action(cast("LiveSession", self))

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
            self._present = None
            values |= {name: value for name, value in later.items() if value * values[name] <= 0.0}
        return values

    def _ask(self, event: Event) -> float:
        self._present = None
        try:
            return event.value(cast("LiveSession", self))
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
