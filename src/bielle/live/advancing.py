"""How a session lets time pass: in legs between stops, each in slices between which it can be interrupted."""

from __future__ import annotations

import time as clock
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import numpy as np

from ..calls import explained_methods
from ..errors import AccuracyError, AccuracyWarning, BielleError, CallbackError, DescriptionError, JoiningError, SimulationError, warn
from ..kernels.slots import CODE_EVENT, CODE_STEP_COLLAPSED
from ..mechanism.vectors import number
from ..model import edit_model
from ..model.transfer import transfer
from ..results.turning import turn_of
from ..simulation import explain_failure
from ..solvers.leftover import largest_leftover
from ..solvers.run import Run
from .awaiting import Awaiting, StepFailedError
from .deeds import Paused
from .draft import Draft
from .events import Event
from .joining import fit
from .journal import Go, Step
from .operations import Put
from .work import GaveWay, Work

__all__ = ["Advancing"]

_SLICE = 0.05  # [s] of compiled work between looks at the clock and at Ctrl-C; nothing that is computed depends on it
_RAMP_STEPS = 8  # between looks at joints that are being closed
_MOST_SAMPLES = 20_000  # of one leg: a longer advance is made of several
_LOST = 50  # times rtol, of the energy present and of the work done so far: what a closing must not lose


@explained_methods
class Advancing(Awaiting):
    """The part of :class:`~bielle.live.session.LiveSession` that advances it."""

    def advance(self, duration: float) -> None:
        """Let so many seconds pass. Ctrl-C stops between two steps, an event that pauses at its instant; the session can go on."""
        duration = number(duration, "The duration", positive=True)
        with self._lock:
            self._check_still("advance")
            self.advance_to(self.time + duration)

    def advance_to(self, time: float) -> None:
        """Let time pass until ``time`` [s]."""
        time = number(time, "The time to advance to")
        with self._lock:
            self._check_still("advance")
            if time <= self.time:
                raise DescriptionError(
                    f"The session is at {self.time:.9g} s already and cannot advance to {time:.9g} s. To go back use undo or restore."
                )
            self._advance_to(time)

    def _advance_to(self, time: float, most: int | None = None) -> None:
        """To a time; ``most``: not further than so many steps, as an advance did that was interrupted."""
        entry = self.journal.add(Go([time]))
        with suppress(Paused), self._under_way(entry, most):
            self._go(time, entry, most)

    def settle(self) -> None:
        """Let time pass until all joints that are being closed gently are closed."""
        with self._lock:
            self._check_still("advance")
            if self.model.closings:
                self.advance_to(max(c.end for c in self.model.closings))

    def step(self, count: int = 1) -> None:
        """That many steps of the integrator."""
        if isinstance(count, bool) or not isinstance(count, int | np.integer) or count < 1:
            raise DescriptionError(f"The number of steps must be a positive integer, got {count!r}.")
        with self._lock:
            self._check_still("step")
            self._step(int(count))

    def _check_still(self, verb: str) -> None:
        self._check_idle(verb)
        if self._entry is not None:
            event = f"the action of event '{self._acting[-1]}'" if self._acting else "what is called on the way"
            raise DescriptionError(
                f"The session is advancing: {event} cannot {verb}. It can edit, and set what is to happen next (live.at, live.when)."
            )

    def _step(self, count: int, most: int | None = None) -> None:
        """So many steps; ``most`` as in :meth:`_advance_to`."""
        entry = self.journal.add(Step(count))
        with suppress(Paused), self._under_way(entry, most):
            left = count
            while left > 0 and self._set_out(entry, most):
                stop = self._next_stop(np.inf)
                if self.solver.fixed_step:
                    stop = min(stop, self.time + left * float(self.solver.step or 0.0))
                if self._history.end is None:  # steps are sampled where they end; a stretch of history has its beginning all the same
                    self._sample()
                left -= self._leg(stop, left if most is None else min(left, most - self._taken))
                if not self._arrive(entry, most):
                    return

    @contextmanager
    def _under_way(self, entry: Go | Step, most: int | None) -> Iterator[None]:
        """An advance: Ctrl-C waits for the end of a slice, and an entry whose end is not reached says after how many steps that was."""
        with self._interrupts:
            self._entry, self._taken = entry, 0
            self._furthest, self._at_once, self._round = -np.inf, 0, None
            try:
                yield
            except BaseException:
                entry.steps = self._taken
                raise
            else:
                entry.steps = None if most is None else self._taken
            finally:
                self._entry, self._taken = None, 0
                self._changed()

    def _go(self, end: float, entry: Go, most: int | None = None) -> None:
        """To a time, through the stops on the way: ends of closings and pushes, alarms, events."""
        while self.time < end and self._set_out(entry, most):
            self._leg(self._next_stop(end), None if most is None else most - self._taken)
            if not self._arrive(entry, most):
                return

    def _ended(self, most: int | None) -> bool:
        """Whether an advance that is done again has done all that the first one did before it was stopped."""
        return most is not None and self._taken >= most and not (self._script is not None and self._script.pending)

    def _set_out(self, entry: Go | Step, most: int | None) -> bool:
        """Do what is due and what awaits a limit that is exceeded; whether a leg can begin."""
        here = self._taken, self.time, self._script.pending if self._script is not None else 0
        if self._ended(most) or (most is not None and here == self._round):  # what is still to come does not come
            return False
        self._round = here
        self._check_time_passes()
        while self._fired:  # an action that undoes what it did is about to act again
            self._pass_stops(entry)
            if self._ended(most):
                return False
            self._check_time_passes()
        return self._fire_exceeded(entry, most)

    def _arrive(self, entry: Go | Step, most: int | None) -> bool:
        """Do what is due after a leg, unless the advance was stopped before that."""
        if self._fired and self._ended(most):
            return False
        self._pass_stops(entry)
        return True

    # -- a leg

    def _leg(self, end: float, most: int | None) -> int:
        """To a time without stops on the way, at most so many steps; returns the steps taken. Samples go to the history.

        If an event comes first, the run is at its instant. If something goes wrong the session stands at the last good step. Where that is
        depends on the steps alone, never on how many are taken between two looks at the clock.
        """
        run, begun = self._run, self._taken
        started, iterations = clock.perf_counter(), run.statistics()["iterations"]
        try:
            with self._under("A step is under way", run.workspace.state()) as work:
                try:
                    self._audit.begin(run)
                    self._travel(run, end, most, work)
                except _Stopped as stopped:
                    self._taken = begun + self._stand_at(run, stopped.checkpoint)
                    message = f"{stopped.error} The session stands at the last good step, t = {run.time:.9g} s, and can go on from there."
                    raise type(stopped.error)(message, None) from stopped.error.__cause__
        finally:
            self._spent.seconds += clock.perf_counter() - started
            self._spent.steps += self._taken - begun
            self._spent.iterations += run.statistics()["iterations"] - iterations
            if self._taken > begun and not self._fired:
                self._sides = {}
            self._winding.forget(run.time)
            samples = run.samples()
            self._history.add(samples)
            if self._history.end != run.time:
                self._sample()
        self._guard(run, self._taken - begun, samples["v"])
        return max(self._taken - begun, 1)

    def _travel(self, run: Run, end: float, most: int | None, work: Work) -> None:
        """The steps of a leg."""
        begun, steps, self._balance = self._taken, _RAMP_STEPS, None
        functions = [event for event in self._events.values() if event.function is not None]
        values = self._begin_leg(run, end, functions)
        before = checked = run.checkpoint()
        looked = clock.perf_counter()
        # at its end a leg is always completed, so that where it stands depends on the number of its steps alone
        while not run.done and run.ok and (most is None or run.steps < most or run.time >= end):
            before = run.checkpoint()
            started = clock.perf_counter()
            count = 1 if functions or self._single_steps else _RAMP_STEPS if run.model.closings else steps
            if not self._take(run, before, count if most is None else min(count, max(most - run.steps, 1)), work):
                continue
            self._taken = begun + run.steps  # an event that is located counts the steps in which it was found
            if functions:
                values = self._look_at(functions, values, run, before)
            if self._fired:
                break
            if run.model.closings and run.ok and (run.steps % _RAMP_STEPS == 0 or run.time >= end):
                self._check_ramps(run, checked)
                checked = run.checkpoint()
            now = clock.perf_counter()
            if run.ok and run.time < end and (count > 1 or now - looked > 0.5 * _SLICE):
                looked = now
                run.look()  # so that nothing is about to happen where the session may be stopped, or saved
                if run.ok:
                    with self._at_rest():
                        self._between_slices()
            if now - started < 0.5 * _SLICE:
                steps = min(2 * steps, 1_000_000)
            elif now - started > 2 * _SLICE:
                steps = max(steps // 2, 1)
        if not self._fired and run.time < end:
            run.look()
        if run.code == CODE_EVENT and not self._fired:
            self._locate(run, before)

    @contextmanager
    def _at_rest(self) -> Iterator[None]:
        """Between two steps of a leg, where the present is what is read."""
        work, self._work = self._work, None
        try:
            yield
        finally:
            self._work = work

    def _begin_leg(self, run: Run, end: float, functions: list[Event]) -> dict[str, float]:
        """Set out for a time; the values of the functions that events look at."""
        try:
            run.forget_failures()
            run.go_to(end, self.record, _MOST_SAMPLES)
            values = self._first_values(functions)
        except BaseException:
            self._forget_attempt(run)
            raise
        if run.failed:
            self._refuse_to_begin(run)
        return values

    def _take(self, run: Run, before: Any, count: int, work: Work) -> bool:
        """So many steps; False if they are to be taken one by one, because a function that is called in them reads the session."""
        work.tell(before[0])
        try:
            run.advance(count)
        except BaseException:
            run.rewind(before)
            raise
        if work.read and count > 1:
            self._single_steps = True
            run.rewind(before)
            run.forget_failures()
            return False
        if run.failed or not (run.ok or run.code == CODE_EVENT):
            self._fail(run, before)
        return True

    def _look_at(self, functions: list[Event], values: dict[str, float], run: Run, before: Any) -> dict[str, float]:
        """Values of the functions that events look at, after a step; if something happened in it, the run is at the first such instant."""
        if run.time < run.end:
            run.look()
        if run.code == CODE_EVENT:
            self._locate(run, before)
        try:
            return self._look(functions, values, run, before)
        except StepFailedError:
            error = explain_failure(run) or SimulationError(f"The run was stopped at t = {run.time:.9g} s.")
            raise _Stopped(error, before) from None
        except CallbackError as error:
            raise _Stopped(error, before) from None
        except BaseException:
            self._taken -= 1
            run.rewind(before)
            raise

    def _locate(self, run: Run, before: Any) -> None:
        """Take the run to the instant of the event in its last step."""
        run.locate()
        if run.failed or not run.fired:
            self._fail(run, before)
        self._fired = list(run.fired)
        self._sides = {name: run.sides[name] for name in run.fired}

    def _guard(self, run: Run, steps: int, velocities: np.ndarray) -> None:
        """Say so if energy or joints are off by more than the method promises."""
        said_before = not self._audit.found.ok
        found = self._audit.look(run, steps, velocities)
        if found.ok or self._fired or self._script is not None:  # what is replayed has been said
            return
        message = f"{found.message} (At t = {run.time:.9g} s.)"
        if self._strict:
            raise AccuracyError(f"{message} The session stands there, and can go on.")
        if not said_before:
            warn(message, AccuracyWarning)

    def _check_ramps(self, run: Run, before: Any) -> None:
        """Refuse to go through positions the mechanism cannot take while a joint is being closed along its ramp."""
        gap, size = self._gap(run)
        why = ""
        if gap > self.solver.torn * size:
            why = f"{largest_leftover(run.workspace)} left over"
        elif run.in_short_steps:
            why = self._lost_energy()
        if why:
            raise _Stopped(SimulationError(_impassable(run, why)), before)

    def _lost_energy(self) -> str:
        """Where a ramp leads through a singular position its forces grow beyond what can be integrated, while nothing else shows it:
        says so if the balance of energy has changed since it was first asked for in this leg."""
        with self._at_rest():
            e, works = self.now.energy, self.now.samples["work"][0]
        balance = float(e.mechanical[0] + works[0] - works[1:].sum())
        present = float((e.kinetic + np.abs(e.elastic) + np.abs(e.gravitational))[0] + np.abs(works).sum())
        if self._balance is None:
            self._balance = balance
        off = abs(balance - self._balance)
        return f"{off:.2g} J are lost" if off > _LOST * self.solver.energy_tolerance * (1.0 + present) else ""

    def _turned(self, whole: bool) -> dict[tuple[str, str], float]:
        """Angles beyond half a turn: those that events await, or the ``whole`` of them, which takes longer; none if functions of the user's
        fail, without which nothing can be read."""
        watches = [watch for watch in self.model.watches.values() if watch.counts and not watch.period]
        if not watches and not whole:
            return {}
        angles: dict[tuple[str, str], float] = {}
        with self._at_rest(), suppress(BielleError):
            now = self.now
            found = [turn_of(now, watch) for watch in watches]
            if whole:
                found += [now[name] for name in now.names() if "angle" in getattr(now[name], "winding", ())]
            angles = {(of.name, "angle"): self._unwound(of, "angle") for of in found}
        return {key: angle for key, angle in angles.items() if abs(angle) > np.pi}

    def _between_slices(self) -> None:
        """Called every 50 ms while the session advances, between two steps; what it raises stops the advance there."""
        self._interrupts.check()
        self._changed()
        if self._gives_way is not None and self._gives_way():
            raise GaveWay

    def _fail(self, run: Run, before: Any) -> None:
        """Back to the last good step, and the error that says why it could not go on."""
        error = explain_failure(run) or SimulationError(f"The run was stopped at t = {run.time:.9g} s.")
        if run.code == CODE_STEP_COLLAPSED and run.model.closings and type(error) is SimulationError:
            error = SimulationError(_impassable(run, f"the step size collapsed at t = {run.time:.9g} s"))
        raise _Stopped(error, self._last_good(run, before))

    def _last_good(self, run: Run, before: Any) -> Any:
        """The checkpoint after the last step that went well, of those that were taken since another; some integrators count the one that
        failed, some do not."""
        steps = run.steps
        run.rewind(before)
        run.forget_failures()
        if steps - 1 > run.steps:
            run.advance(steps - 1 - run.steps)
        if run.failed or not run.ok:  # a function that does not fail where it did
            return before
        good = run.checkpoint()
        if steps > run.steps:
            run.advance(1)
        if run.failed or not run.ok:
            return good
        here, (gap, size) = run.checkpoint(), self._gap(run)
        return here if gap <= self.solver.torn * size else good  # an integrator that is about to give up may have torn them apart

    def _gap(self, run: Run) -> tuple[float, float]:
        """The largest residual of a joint, and the size of the mechanism [m]."""
        w = run.workspace
        w.evaluate()
        return float(np.abs(w.phi[: run.model.nc]).max(initial=0.0)), max(float(np.ptp(w.x)) if len(w.x) else 0.0, 1e-3)

    def _stand_at(self, run: Run, checkpoint: Any) -> int:
        """Leave the run at a checkpoint, or at the event that has come just before it; returns the steps it took to get there.

        If it took none, nothing is left of the attempt.
        """
        run.rewind(checkpoint)
        taken = run.steps
        if taken == 0:
            self._forget_attempt(run)
        elif run.time < run.end:
            run.look()
            if run.code == CODE_EVENT:
                run.locate()
            if run.fired:
                self._fired = list(run.fired)
                self._sides = {name: run.sides[name] for name in run.fired}
            elif not run.ok:
                run.rewind(checkpoint)
        run.forget_failures()
        return taken

    def _next_stop(self, end: float) -> float:
        stops = [t for t, _ in self._timers] + [t for c in self.model.closings for t in c.joins]
        if np.isfinite(end):  # steps that are counted are sampled otherwise
            step = self.solver.step if self.solver.fixed_step else None
            stops.append(self.time + _MOST_SAMPLES * (self.record if step is None else max(1, round(self.record / step)) * step))
        return min([end, *(t for t in stops if t > self.time)])

    def _pass_stops(self, entry: Go | Step) -> None:
        """End the pushes and closings whose time has come; do what events and alarms ask for."""
        now = self.time
        for _ in range(len(self._fired)):
            event = self._events.get(self._fired.pop(0)) if self._fired else None
            if event is not None:  # gone if the action before took its component
                self._perform(event, entry)
            if self.time != now:  # an action has gone back in time
                return
        for name in [name for t, name in self._timers if t <= now and name in self._events]:
            if name not in self._events:
                continue
            self._timers = tuple(timer for timer in self._timers if timer[1] != name)
            self._perform(self._events[name], entry)
            if self.time != now:
                return
        over = [name for t, name in self._timers if t <= now]
        closed = [c for c in self.model.closings if c.end <= now]
        if closed:
            left = tuple(c for c in self.model.closings if c.end > now)
            state = self._run.workspace.state()
            with self._under("A joint is being closed", state):
                model, change = edit_model(self.model, self._mechanism, [], left, self.model.watches)
                run = self.solver.start(model, transfer(state, self.model, model, change, {}))
                run = self._closed(run, [c.joint for c in closed if c.silent])
            self._sample()
            self._install(run, f"closed {', '.join(c.joint for c in closed)}")
        if over:
            self._timers = tuple(timer for timer in self._timers if timer[0] > now)
            draft = Draft(self._mechanism, self._motion, self._pose)
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
            run.workspace.evaluate()
            _, opened, _ = fit(run.workspace, state, [Put(self._mechanism.joints[name]) for name in waited], self.solver.slack)
        except JoiningError as error:
            names = ", ".join(f"'{name}'" for name in waited)
            raise SimulationError(
                f"Closing {names}: it waited for other joints to close, but does not fit now. {error} The session stands at "
                f"t = {run.time:.9g} s."
            ) from None
        if not opened:
            return run
        model, change = edit_model(run.model, self._mechanism, [], run.model.closings + opened, run.model.watches)
        return self.solver.start(model, transfer(state, run.model, model, change, {}))


class _Stopped(Exception):  # noqa: N818 (it is handled here, nobody sees it)
    """A leg cannot go on: why, and the checkpoint at which it was still well."""

    def __init__(self, error: SimulationError, checkpoint: Any) -> None:
        super().__init__(error)
        self.error, self.checkpoint = error, checkpoint


def _impassable(run: Run, why: str) -> str:
    """What is said when joints cannot be closed along their ramps."""
    names = ", ".join(f"'{c.joint}'" for c in run.model.closings)
    return (
        f"Closing {names} gently leads through positions the mechanism cannot take ({why}): undo the joint, close it over another time "
        "(over=…), by joining='impulse', or from nearer."
    )
