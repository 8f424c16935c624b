"""A run: a model being advanced by a solver, whichever it is."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property
from typing import Any, Protocol

import numpy as np

from ..errors import DescriptionError
from ..integrators.adaptive import MANY_NOISY_PROBES, MANY_SHORT_STEPS
from ..integrators.steps import last_sample
from ..kernels import slots
from ..kernels.lazy import entry
from ..kernels.memory import Uncopyable
from ..model import Model, State
from .watcher import Watcher
from .workspace import Workspace

__all__ = ["Run", "Solver"]

SHORT_RAMP_STEP = 1e-2  # of the time a ramp takes: something is going on
HOPELESS_RAMP_STEP = 1e-6  # of the time a ramp takes
HOPELESS_STEP = 1e-8  # of the time that is to pass
LONG = 10.0  # [s] of more time the length says nothing: who lets a thousand hours pass means to stop it some day
_SAMPLED = {
    "sample_q": slots.N_Q,
    "sample_v": slots.N_V,
    "sample_a": slots.N_V,
    "sample_l": slots.N_C,
    "sample_w": slots.N_WORK,
    "sample_f": slots.N_MEMORY,
}
MOMENT = 1e-9  # [s], and of the time: what happens within it happens at once
RAMP_STEPS = 8  # adaptive steps in which a joint is closed gently, at least
FIXED_RAMP_STEPS = 32  # fixed ones, which are of lower order


class Solver(Protocol):
    """How to advance a model: what sessions and simulations know of it. Solvers are frozen dataclasses of plain data."""

    @property
    def step(self) -> float | None:
        """[s] of fixed steps."""
        ...

    @property
    def max_step(self) -> float:
        """[s]"""
        ...

    @property
    def fixed_step(self) -> bool:
        """Whether steps are of equal length."""
        ...

    @property
    def one_step(self) -> bool:
        """Whether the next step depends on nothing but the present state, so that a run can be changed at any step."""
        ...

    @property
    def torn(self) -> float:
        """Residual of a joint, relative to the size of the mechanism, from which on it is not closed any more."""
        ...

    @property
    def slack(self) -> tuple[float, float]:
        """Gap [m, or of directions] and rate [1/s of it] that joints may have although they count as closed."""
        ...

    @property
    def tolerances(self) -> tuple[float, float] | None:
        """rtol and atol of adaptive steps; None of fixed ones."""
        ...

    @property
    def energy_tolerance(self) -> float:
        """Of the energy present, what may get lost; infinite if that is not controlled."""
        ...

    @property
    def remedy(self) -> str:
        """What to do about a run that is not accurate enough."""
        ...

    def kernels(self, dim: int) -> list[entry]:
        """Those that its steps need, besides those of the mechanism, in the plane (2) or in space."""
        ...

    def check(self, model: Model) -> None:
        """Refuse options that do not fit a model."""
        ...

    def start(self, model: Model, state: State) -> Run:
        """Prepare to advance a model from a state; the run is told by ``sample_at`` or ``go_to`` how far."""
        ...

    def describe(self) -> str:
        """One line for reports."""
        ...


class Run(Uncopyable):
    """A model being advanced; whoever holds it decides how far and how long.

    :meth:`sample_at` or :meth:`go_to` say how far and when to take samples; :meth:`advance` goes there, a few steps at a time. They may
    be called again and again: the run goes on from where it is, with the step size it has found.

    :meth:`arm` makes it stop, with the code CODE_EVENT, after a step in which a watch of the model has crossed its threshold;
    :meth:`locate` then takes it back to the very instant.
    """

    def __init__(self, solver: Solver, model: Model, workspace: Workspace, kernel: entry, *, carries: bool = False) -> None:
        """kernel: takes steps. carries: whether accelerations and multipliers go on from step to step, instead of following from
        positions and velocities."""
        self.solver = solver
        self.model = model
        self.workspace = workspace
        self._kernel = kernel
        self._carries = carries
        self.start_time = self.end = float(workspace.scalar[slots.S_TIME])
        self._fixed_steps = 0
        self._resolution = np.inf
        self._watcher: Watcher | None = None
        self._kept: np.ndarray | None = None  # of the samples taken, those that were asked for
        self._widths = {name: int(model.layout.count[k]) for name, k in _SAMPLED.items()}

    def release(self) -> None:
        """Leave the memory to the next run: nobody must look at this one any more."""
        self.workspace.release()

    def check(self, touched: Collection[str] | None = None) -> None:
        """Refuse to begin if the solver's options do not fit the state; after an edit, for what it has ``touched``."""

    def sample_at(self, times: np.ndarray) -> None:
        """Go to the last of these times (increasing, the first not before the present) and take samples at all of them.

        Fixed steps are shortened a little if they do not divide the duration, and sampled on the times wanted if these fall on steps, or
        else at least as often.
        """
        self._aim(float(times[-1]))
        if self.solver.fixed_step:
            times, self.workspace.count[slots.N_EVERY] = self._grid(times, float(self.workspace.scalar[slots.S_STEP]))
        self._allocate(times)

    def go_to(self, end: float, interval: float, most: int) -> None:
        """Go to a time and take samples about every ``interval`` seconds, here and there included; at most so many, the last ones."""
        start, w = self.time, self.workspace
        self._aim(end)
        if self.solver.fixed_step:
            step = float(w.scalar[slots.S_STEP])
            every = max(1, round(interval / step), -(-self._fixed_steps // most))
            w.count[slots.N_EVERY] = every
            self._allocate(np.zeros(-(-self._fixed_steps // every) + 1))
            return
        if not np.isfinite(end):  # steps are counted: whoever counts them takes the samples, except at an event
            self._allocate(np.zeros(1))
            w.count[slots.N_SAMPLES] = 0
            return
        n = max(int((end - start) / interval * (1 - 1e-9)), 0)
        first = max(0, n + 1 - most)
        self._allocate(np.append(start + interval * np.arange(first, n + 1), end))

    def _aim(self, end: float) -> None:
        """Set out for a time."""
        w, s, solver = self.workspace, self.workspace.scalar, self.solver
        self.start_time, self.end = self.time, end
        s[slots.S_TIME0], s[slots.S_END] = self.start_time, end
        s[slots.S_MAX_STEP] = self._longest_step()
        s[slots.S_MIN_STEP] = 1e-14 * max(1.0, abs(end) if np.isfinite(end) else 0.0)
        s[slots.S_SHORT_STEP] = self._hopeless_step()
        self._remember()
        w.status[[slots.ST_CODE, slots.ST_STEPS, slots.ST_SAMPLE, slots.ST_STOP, slots.ST_SHORT, slots.ST_NOISY]] = 0
        self._kept = None
        shortest = min(float(solver.step or np.inf), self._longest_step())
        if shortest < 10.0 * s[slots.S_MIN_STEP]:
            raise DescriptionError(
                f"Steps of {shortest:g} s are too short to tell one time from the next. "
                "Take a longer step, max_step, or resolution of events."
            )
        if solver.fixed_step:
            span, step = end - self.start_time, min(float(solver.step or 0.0), self._longest_step())
            # a whole number of steps: the step is shortened a little if it does not divide the duration
            self._fixed_steps = max(int(np.ceil(span / step * (1 - 1e-12))), 1)
            s[slots.S_STEP] = span / self._fixed_steps
            self._find_powers()

    def _remember(self) -> None:
        """Let components remember the state that steps start from: velocities may have changed since the last one ended."""
        w = self.workspace
        if w.count[slots.N_COMMIT]:
            w.status[slots.ST_TURNED] = -1
            w.evaluate()
            w.commit()
            w.status[slots.ST_TURNED] = 0

    def _longest_step(self) -> float:
        """So that no event is missed, and that the work of ramps, whose error is not estimated, is right."""
        steps = FIXED_RAMP_STEPS if self.solver.fixed_step else RAMP_STEPS
        return min([self.solver.max_step, self._resolution, 1e300, *(ramp / steps for ramp in self._ramps())])

    def _ramps(self) -> list[float]:
        """Times [s] on whose scale the ramps of joints being closed change."""
        return [c.stopping if self.time < c.joins[0] else c.duration for c in self.model.closings]

    def _hopeless_step(self) -> float:
        """Of the adaptive integrators: many steps in a row that are shorter lead nowhere.

        A ramp is smooth on the scale of its duration. Where it leads through a position that the mechanism cannot take, velocities, and
        with them the steps, go up and down for ever. Without one, it is a fraction of the time that is to pass: so many steps would
        take hours.
        """
        span = min(self.end - self.start_time, LONG)
        hopeless = max((HOPELESS_RAMP_STEP * ramp for ramp in self._ramps()), default=0.0)
        hopeless = max(hopeless, HOPELESS_STEP * span if np.isfinite(self.end) else 0.0)
        return min(hopeless, 0.1 * self._longest_step())  # short steps that were asked for are another matter

    @property
    def hopeless_step(self) -> float:
        """[s] Many adaptive steps in a row that are shorter end a run."""
        return float(self.workspace.scalar[slots.S_SHORT_STEP])

    @property
    def in_hopeless_steps(self) -> bool:
        """Whether so many have been taken."""
        return int(self.workspace.status[slots.ST_SHORT]) >= MANY_SHORT_STEPS

    @property
    def in_rounding(self) -> bool:
        """Whether adaptive steps have become as short as they are because accelerations are not known better than by rounding."""
        return int(self.workspace.status[slots.ST_NOISY]) >= MANY_NOISY_PROBES

    @property
    def in_short_steps(self) -> bool:
        """Whether steps chosen for accuracy are far shorter than the ramps of joints being closed ask for."""
        step = float(self.workspace.scalar[slots.S_NEXT_STEP])
        return not self.solver.fixed_step and 0.0 < step < SHORT_RAMP_STEP * min(self._ramps(), default=0.0)

    def _find_powers(self) -> None:
        """What a step takes from the evaluation that closed the one before, if anything, found again.

        So a journey depends on the state it starts from, to the last bit, and not on what else the workspace has been used for.
        """
        w = self.workspace
        if self._carries and w.status[slots.ST_FRESH]:
            w.evaluate()
            w.apply_forces()

    def _grid(self, times: np.ndarray, step: float) -> tuple[np.ndarray, int]:
        """Times at which fixed steps are sampled, and every how many steps that is."""
        n = self._fixed_steps
        wanted = (times - self.start_time) / step
        every = int(np.gcd.reduce([n, *np.rint(wanted).astype(int)]))
        if np.abs(wanted - np.rint(wanted)).max() < 1e-6:
            self._kept = np.rint(wanted).astype(int) // every
        else:
            every = max(1, n // max(len(times) - 1, 1))
            while n % every:
                every -= 1
            if np.ptp(np.diff(times)) > 1e-9 * step:
                raise DescriptionError(
                    f"The chosen sample times do not fall on the steps of {step:g} s. "
                    "Choose multiples of the step, give the number of samples, or take an adaptive integrator."
                )
        return self.start_time + step * every * np.arange(n // every + 1), every

    def _allocate(self, times: np.ndarray) -> None:
        w, n = self.workspace, len(times)
        try:
            for name, width in self._widths.items():
                w.bind(name, np.zeros(n * width))
        except MemoryError:
            size = 8e-9 * n * sum(self._widths.values())
            raise DescriptionError(f"There is no room for {n} samples, {size:.3g} GB. Take fewer: samples=…") from None
        w.bind("sample_t", np.array(times, dtype=float))
        w.count[slots.N_SAMPLES] = n

    # -- advancing

    def advance(self, steps: int) -> None:
        """At most that many steps; ends early at the end of the run or when something goes wrong (see :attr:`code`)."""
        w = self.workspace
        if self.code == slots.CODE_EVENT:  # where to go on from there is for the caller to say
            return
        if self.solver.fixed_step:
            steps = min(steps, self._fixed_steps - int(w.status[slots.ST_STEPS]))
            if steps > 0:
                self._call(steps)
            if w.status[slots.ST_STEPS] == self._fixed_steps and w.status[slots.ST_CODE] == slots.CODE_OK:
                w.scalar[slots.S_TIME] = self.end  # start + n·step may differ in the last digit
                if self._watcher is None or not self._watcher.check():
                    self._last_sample()
        else:
            self._call(steps)

    def _call(self, steps: int) -> None:
        """At most so many steps; a function of the user's that fails stops them."""
        stop = self.workspace.status[slots.ST_STOP : slots.ST_STOP + 1] if self.callbacks else None
        for callback in self.callbacks:
            callback.stop = stop
        try:
            self._take(steps)
        finally:
            for callback in self.callbacks:
                callback.stop = None

    @cached_property
    def callbacks(self) -> list[Any]:
        """Bridges to functions of the user's."""
        return self.model.callbacks

    @property
    def failed(self) -> bool:
        """Whether a function of the user's has failed since :meth:`forget_failures`."""
        return any(callback.error is not None for callback in self.callbacks)

    def forget_failures(self) -> None:
        """What functions of the user's have failed in does not count from now on."""
        for callback in self.callbacks:
            callback.error = callback.cause = None

    def _take(self, steps: int) -> None:
        """At most so many steps."""
        self._kernel(self.workspace.address, steps, 0)

    def _last_sample(self) -> None:
        w = self.workspace
        if w.status[slots.ST_SAMPLE] < w.count[slots.N_SAMPLES]:
            last_sample(w.address, int(self._carries))

    def present(self) -> dict[str, np.ndarray]:
        """One sample, of the present; as :meth:`samples` gives them. The run is not disturbed."""
        w = self.workspace
        kept = {name: getattr(w, name) for name in (*self._widths, "sample_t")}
        status, count = w.status[slots.ST_SAMPLE], w.count[slots.N_SAMPLES]
        carried = w.acc.copy(), w.lam.copy()
        self._allocate(np.zeros(1))
        w.status[slots.ST_SAMPLE] = 0
        last_sample(w.address, int(bool(w.status[slots.ST_FRESH])))
        out, kept_rows = None, self._kept
        self._kept = None
        out = self.samples()
        self._kept = kept_rows
        for name, array in kept.items():
            w.bind(name, array)
        w.status[slots.ST_SAMPLE], w.count[slots.N_SAMPLES] = status, count
        w.acc[:], w.lam[:] = carried
        return out

    def checkpoint(self) -> tuple[Any, ...]:
        """Where the run is, to come back to with :meth:`rewind`."""
        return self.workspace.state(), self.workspace.status.copy()

    def rewind(self, checkpoint: tuple[Any, ...]) -> None:
        """Back to a checkpoint of the same journey."""
        state, status, *_ = checkpoint
        self.workspace.load(state)
        self.workspace.status[:] = status
        self._find_powers()

    @property
    def ok(self) -> bool:
        """Whether the run can go on."""
        return self.code == slots.CODE_OK

    @property
    def steps(self) -> int:
        """Steps taken since the run was last told how far."""
        return int(self.workspace.status[slots.ST_STEPS])

    def step_to(self, time: float) -> None:
        """Go to a time not after the end of the next step, in one step that is not watched, and no further: the run is then to be aimed
        anew."""
        w, s = self.workspace, self.workspace.scalar
        w.status[[slots.ST_CODE, slots.ST_STEPS, slots.ST_STOP, slots.ST_WATCHING]] = 0
        s[slots.S_TIME0], s[slots.S_END] = self.time, time
        if self.solver.fixed_step:
            s[slots.S_STEP] = time - self.time
            self._call(1)
            if self.code == slots.CODE_OK:
                s[slots.S_TIME] = time
        else:
            self._call(10_000)  # one, unless it is rejected

    def resume(self) -> None:
        """What a step relies on besides the state itself: implicit ones start from the powers of the forces at that state."""
        self._find_powers()

    def drop_samples_after(self, time: float) -> None:
        """Samples that were taken after an instant to which the run has gone back."""
        w = self.workspace
        taken = int(w.status[slots.ST_SAMPLE])
        w.status[slots.ST_SAMPLE] = int(np.searchsorted(w.sample_t[:taken], time, side="left"))

    def refresh(self) -> None:
        """Bring elements, forces, accelerations and multipliers up to date with the state; implicit methods carry the latter two."""
        w = self.workspace
        if not self._carries:
            w.accelerate()
        elif w.status[slots.ST_FRESH]:
            self.resume()
        else:  # as at their first step
            w.accelerate()
            w.a0[:] = w.acc
            w.status[slots.ST_FRESH] = 1

    # -- events

    @contextmanager
    def a_moment_later(self) -> Iterator[None]:
        """At about the state of a moment later, too short a time to matter; :meth:`refresh` afterwards."""
        w = self.workspace
        state = w.state()
        self.refresh()
        moment = MOMENT * (1.0 + abs(self.time))
        w.retract(moment * w.v)
        w.v[:] += moment * w.acc
        w.scalar[slots.S_TIME] += moment
        try:
            self.refresh()
            yield
        finally:
            w.load(state)

    def arm(
        self,
        resolution: float,
        sides: Mapping[str, int] | None = None,
        new: Collection[str] = (),
        angles: Mapping[str, float] | None = None,
    ) -> None:
        """Watch the model's watches from the present state on; to be called before ``go_to`` or ``sample_at``.

        resolution
            longest step [s]: a watch that crosses its threshold and comes back within one step is not seen
        sides
            +1 (above the threshold) or −1 for watches that stand there whatever rounding says, because an event has just been located
            at this state: see :attr:`sides`, those of :attr:`fired`
        new
            watches that may stand on their threshold, as near as a moment can tell: they have to leave it before they can cross it
        angles
            of watched angles, about where they are with the turns they have made so far [rad]; others are between −π and π now
        """
        if not resolution > 0:
            raise DescriptionError(f"The resolution must be a positive number of seconds, got {resolution}.")
        self.disarm()
        self._resolution = resolution  # also without watches: whoever looks at something else between steps
        self.workspace.scalar[slots.S_MAX_STEP] = self._longest_step()
        if self.model.watches:
            self._watcher = Watcher(self, sides or {}, new, angles)

    def disarm(self) -> None:
        """Watch no longer."""
        self.workspace.status[slots.ST_WATCHING] = 0
        self._watcher, self._resolution = None, np.inf
        self.workspace.scalar[slots.S_MAX_STEP] = self._longest_step()

    def look(self) -> None:
        """Compare the watches at the present state, as the next step would do at its start; the state is not disturbed."""
        if self._watcher is not None and self.ok:
            here = self.checkpoint()
            if not self._watcher.check():
                self.rewind(here)

    @property
    def exceeded(self) -> list[str]:
        """Watches that were beyond their threshold when armed: above it if they look upwards, below it if downwards."""
        return [] if self._watcher is None else self._watcher.exceeded

    @property
    def crossed(self) -> list[str]:
        """Watches that crossed in the last step, when the code is CODE_EVENT and before :meth:`locate`."""
        return [] if self._watcher is None else self._watcher.crossed

    @property
    def fired(self) -> list[str]:
        """Watches that crossed at the instant :meth:`locate` has found."""
        return [] if self._watcher is None else self._watcher.fired

    @property
    def sides(self) -> dict[str, int]:
        """Of each watch, +1 above its threshold, −1 below it, 0 on it or not a number; of those just fired, the side they go to."""
        return {} if self._watcher is None else self._watcher.sides

    def locate(self) -> float:
        """Take the run from the end of a step in which watches have crossed to the first crossing, and return that time [s].

        The instant is as accurate as the integrator: its last step is taken again, from its start, to trial times. Of several watches
        the first wins, with those that cross at the same instant (see :attr:`fired`); the others are found again later. The last sample
        is at the instant, and the run has ended there: ``go_to`` or ``sample_at`` let it go on. If a step fails on the way, the run is
        back at the start of the last step, nothing has fired, and :attr:`code` says why.
        """
        if self._watcher is None or self.code != slots.CODE_EVENT or not self.crossed:
            raise DescriptionError("There is no event to locate: no watch has crossed its threshold in the last step.")
        w = self.workspace
        time = self._watcher.locate()
        n = int(np.searchsorted(w.sample_t[: int(w.status[slots.ST_SAMPLE])], time, side="left" if self.fired else "right"))
        w.status[slots.ST_SAMPLE] = n
        if self._kept is not None:
            self._kept = self._kept[self._kept < n]
        if self.fired:
            w.count[slots.N_SAMPLES] = n + 1
            last_sample(w.address, 1)
            self._kept = None if self._kept is None else np.append(self._kept, n)
            self.end = time
        return time

    # -- outcome

    @property
    def code(self) -> int:
        """0 while all is well, otherwise one of the CODE_… constants."""
        return int(self.workspace.status[slots.ST_CODE])

    @property
    def done(self) -> bool:
        """Whether it has arrived: the last sample has been taken."""
        return self.end != np.inf and bool(self.workspace.status[slots.ST_SAMPLE] >= self.workspace.count[slots.N_SAMPLES])

    @property
    def time(self) -> float:
        return float(self.workspace.scalar[slots.S_TIME])

    @property
    def fraction(self) -> float:
        """How much of the run is done, from 0 to 1."""
        span = self.end - self.start_time
        return 1.0 if self.done or span <= 0 else min(max((self.time - self.start_time) / span, 0.0), 1.0)

    def samples(self, since: float = -np.inf) -> dict[str, np.ndarray]:
        """Samples taken so far, from a time on: t (n,), q (n, nq), v, a (n, nv), lam (n, nc), work (n, nw), memory (n, nm)."""
        n = int(self.workspace.status[slots.ST_SAMPLE])
        first = int(np.searchsorted(self.workspace.sample_t[:n], since)) if since > -np.inf else 0
        names = {"sample_q": "q", "sample_v": "v", "sample_a": "a", "sample_l": "lam", "sample_w": "work", "sample_f": "memory"}
        out = {"t": self.workspace.sample_t[first:n].copy()}
        for field, name in names.items():
            width = self._widths[field]
            out[name] = getattr(self.workspace, field)[first * width : n * width].reshape(n - first, width).copy()
        if self._kept is not None:
            kept = self._kept[(self._kept >= first) & (self._kept < n)] - first
            out = {name: values[kept] for name, values in out.items()}
        return out

    def account(self) -> dict[str, Any]:
        """What else the solver has to say about the run."""
        return {}

    def statistics(self) -> dict[str, int]:
        """Steps, rejected steps, evaluations, Newton iterations, factorisations."""
        status = self.workspace.status
        names = {"steps": slots.ST_STEPS, "rejected": slots.ST_REJECTED, "evaluations": slots.ST_EVALUATIONS}
        names |= {"iterations": slots.ST_ITERATIONS, "factorisations": slots.ST_FACTORISATIONS}
        return {name: int(status[i]) for name, i in names.items()}
