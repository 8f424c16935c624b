"""How a session lets time pass: in legs between stops, each in slices between which it can be interrupted."""

from __future__ import annotations

import time as clock
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from ..errors import CallbackError, DescriptionError, JoiningError, SimulationError
from ..kernels.slots import CODE_EVENT, CODE_STEP_COLLAPSED
from ..mechanism.vectors import number
from ..model import edit_model
from ..model.transfer import transfer
from ..simulation import explain_failure
from ..solvers.run import Run
from .awaiting import Awaiting
from .draft import Draft
from .joining import fit
from .journal import Go, Step
from .operations import Put

__all__ = ["Advancing"]

_SLICE = 0.05  # [s] of compiled work between looks at the clock and at Ctrl-C
_MOST_SAMPLES = 20_000  # of one advance; a longer one keeps the last
_LOST = 50  # times rtol, of the energy present and of the work done so far: what a closing must not lose


class Advancing(Awaiting):
    """The part of :class:`~bielle.live.session.LiveSession` that advances it."""

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
        _forget_errors(run)
        run.go_to(end, self.record, _MOST_SAMPLES)
        self._present = self._balance = None
        functions = [event for event in self._events.values() if event.function is not None]
        values = self._first_values(functions)
        steps, begun, taken = 8, self._taken, 0
        before, checkpoint, failed = run.checkpoint(), 0, False
        try:
            # at its end a leg is always completed, so that where it stands depends on the number of its steps alone
            while not run.done and run.ok and not failed and (most is None or run.steps < most or run.time >= end):
                before, checkpoint = run.checkpoint(), run.steps
                started = clock.perf_counter()
                if functions:
                    steps = 1
                run.advance(steps if most is None else min(steps, max(most - run.steps, 1)))
                taken = run.steps  # an event that is located counts the steps in which it was found
                self._taken = begun + taken
                failed = _has_failed(run)
                if functions and not failed:
                    values = self._look(functions, values, run, before)
                if self._fired:
                    break
                if run.model.closings and run.ok and not failed:
                    self._check_ramps(run, before)
                if run.ok and run.time < end:
                    self._between_slices()
                spent = clock.perf_counter() - started
                if spent < 0.5 * _SLICE and not run.model.closings:
                    steps = min(2 * steps, 1_000_000)
                elif spent > 2 * _SLICE:
                    steps = max(steps // 2, 1)
            if run.code == CODE_EVENT and not failed:
                run.locate()
                self._fired = list(run.fired)
                self._sides = {name: run.sides[name] for name in run.fired}
            if failed or (not run.ok and not self._fired):
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
        size = max(float(np.ptp(w.x)), 1e-3)
        why = ""
        if worst > self.solver.torn * size:
            why = f"{worst:.3g} left over"
        elif run.in_short_steps:
            why = self._lost_energy()
        if why:
            run.rewind(before)
            run.resume()
            self._present = None
            raise SimulationError(_impassable(run, why) + f" The session stands at t = {run.time:.9g} s.")

    def _lost_energy(self) -> str:
        """Where a ramp leads through a singular position its forces grow beyond what can be integrated, while nothing else shows it:
        says so if the balance of energy has changed since it was first asked for in this leg."""
        self._present = None
        e, works = self.now.energy, self.now.samples["work"][0]
        balance = float(e.mechanical[0] + works[0] - works[1:].sum())
        present = float((e.kinetic + np.abs(e.elastic))[0] + np.abs(works).sum())
        if self._balance is None:
            self._balance = balance
        off = abs(balance - self._balance)
        return f"{off:.2g} J are lost" if off > _LOST * self.solver.energy_tolerance * (1.0 + present) else ""

    def _between_slices(self) -> None:
        """Called every 50 ms while the session advances, between two steps; what it raises stops the advance there."""
        self._interrupts.check()
        self._changed()

    def _fail(self, run: Run, before: Any, checkpoint: int) -> None:
        """Back to the last good step, and the error that says why it could not go on."""
        error = explain_failure(run) or SimulationError(f"The run was stopped at t = {run.time:.9g} s.")
        if run.code == CODE_STEP_COLLAPSED and run.model.closings and type(error) is SimulationError:
            error = SimulationError(_impassable(run, f"the step size collapsed at t = {run.time:.9g} s"))
        steps, own = run.steps - checkpoint, not isinstance(error, CallbackError)
        run.rewind(before)
        _forget_errors(run)
        if own and steps > 1:
            run.advance(steps - 1)
        elif not own:
            _repeat(run, steps)
        if not run.ok:
            run.rewind(before)
        _forget_errors(run)
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
            run.workspace.evaluate()
            _, opened, _ = fit(run.workspace, state, [Put(self.mechanism.joints[name]) for name in waited], self.solver.slack)
        except JoiningError as error:
            names = ", ".join(f"'{name}'" for name in waited)
            raise SimulationError(
                f"Closing {names}: it waited for other joints to close, but does not fit now. {error} The session stands at "
                f"t = {run.time:.9g} s."
            ) from None
        if not opened:
            return run
        model, change = edit_model(run.model, self.mechanism, [], run.model.closings + opened, run.model.watches)
        return self.solver.start(model, transfer(state, run.model, model, change, {}))


def _repeat(run: Run, steps: int) -> None:
    """So many steps, but not the one in which a function of the user's fails: a step that is taken again in parts may go well after it."""
    for _ in range(steps):
        good = run.checkpoint()
        run.advance(1)
        if not run.ok or _has_failed(run):
            run.rewind(good)
            return


def _has_failed(run: Run) -> bool:
    """Whether a function of the user's has."""
    return any(callback.error is not None for callback in run.model.callbacks)


def _forget_errors(run: Run) -> None:
    """What the user's functions have failed in does not count from now on."""
    for callback in run.model.callbacks:
        callback.error = callback.cause = None


def _impassable(run: Run, why: str) -> str:
    """What is said when joints cannot be closed along their ramps."""
    names = ", ".join(f"'{c.joint}'" for c in run.model.closings)
    return (
        f"Closing {names} gently leads through positions the mechanism cannot take ({why}): undo the joint, close it over another time "
        "(over=…), by joining='impulse', or from nearer."
    )
