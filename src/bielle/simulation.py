"""simulate: compile, assemble, advance, and hand back a Result; progress and interruption on the way."""

from __future__ import annotations

import time as clock
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from .analysis.assembly import assemble
from .errors import CallbackError, DescriptionError, SimulationError
from .kernels import slots
from .kernels.functions import CALLABLE
from .kernels.lazy import announce_compilation
from .model import Model, compile_mechanism
from .results.result import Result
from .solvers.choice import AUTO, Choice, checked, choose
from .solvers.run import Run, Solver

if TYPE_CHECKING:
    from .mechanism.mechanism import Mechanism

__all__ = ["ProgressBar", "explain_failure", "progress_bar", "raise_callback_error", "simulate"]

_SLICE = 0.05  # seconds of compiled work between looks at the clock, the progress bar and Ctrl-C


def simulate(
    mechanism: Mechanism,
    duration: float,
    solver: Solver | str | None = None,
    *,
    samples: int | Any = 501,
    hold: str | tuple[str, ...] = (),
    progress: bool | Callable[[float], None] = False,
) -> Result:
    """Simulate for ``duration`` seconds and return the Result.

    solver    how; the default is accurate (order 8, rtol 1e-9) and projects positions and velocities onto the constraints; "auto": the
              family that suits the mechanism, told with the reason in ``result.info["solver"]``
    samples   number of equidistant samples, or the times themselves; fixed-step solvers take at least that many, every so many steps
    hold      bodies that stay where they are described when the mechanism is assembled at the start
    progress  True: a bar with the time left; or a function called with the fraction done

    Ctrl-C returns what was computed so far (``result.info["status"] == "interrupted"``). If the run cannot go on,
    a SimulationError is raised whose ``result`` holds the same.
    """
    automatic = isinstance(solver, str) and solver == AUTO
    how = None if automatic else checked(solver)
    times = _times(duration, samples)
    hold = (hold,) if isinstance(hold, str) else tuple(hold)
    announce_compilation()
    started = clock.perf_counter()
    model, described = compile_mechanism(mechanism)
    solver, why = choose(model) if how is None else Choice(how, "")
    if solver.step is not None and solver.step > times[-1]:
        raise DescriptionError(f"The step of {solver.step:g} s is longer than the duration of {times[-1]:g} s. Take a smaller step.")
    solver.check(model)
    try:
        assembly = assemble(mechanism, model, described, hold)
    finally:
        raise_callback_error(model)
    run = solver.start(model, assembly.state)
    run.check()
    run.sample_at(times)
    info: dict[str, Any] = {"solver": solver.describe() + (f" (auto: {why})" if why else ""), "assembly": assembly, "status": "finished"}
    bar = progress_bar(progress)
    interrupted = False
    try:
        _advance(run, bar)
    except KeyboardInterrupt:
        interrupted = True
        info["status"] = "interrupted"
    finally:
        bar.close()
    info |= {"seconds": clock.perf_counter() - started, "statistics": run.statistics()} | run.account()
    result = Result(mechanism.copy(), model, run.samples(), info=info)
    if not interrupted and not _interrupted_in_callback(result):
        _check(run, result)
    return result


def _times(duration: Any, samples: Any) -> np.ndarray:
    try:
        duration = float(duration)
    except (TypeError, ValueError):
        raise DescriptionError(f"The duration must be a number of seconds, got {duration!r}.") from None
    if not (np.isfinite(duration) and duration > 0):
        raise DescriptionError(f"The duration must be a positive number of seconds, got {duration}.")
    if isinstance(samples, int | np.integer):
        if samples < 2:
            raise DescriptionError(f"At least two samples are needed, got {samples}.")
        return np.linspace(0.0, duration, int(samples))
    times = np.asarray(samples, dtype=float)
    if (
        times.ndim != 1
        or len(times) < 1
        or not np.isfinite(times).all()
        or (np.diff(times) <= 0).any()
        or times[0] < 0
        or times[-1] > duration
    ):
        raise DescriptionError(f"The sample times must increase strictly from 0 or later to at most the duration {duration:g} s.")
    return times if times[-1] == duration else np.append(times, duration)


def _advance(run: Run, bar: Any) -> None:
    steps = 8
    while not run.done and run.code == slots.CODE_OK:
        before = clock.perf_counter()
        run.advance(steps)
        took = clock.perf_counter() - before
        bar.update(run.fraction)
        if took < 0.5 * _SLICE:
            steps = min(2 * steps, 1_000_000)
        elif took > 2 * _SLICE:
            steps = max(steps // 2, 1)


def _interrupted_in_callback(result: Result) -> bool:
    """Whether Ctrl-C came while a callable of the user was running, where it cannot be raised."""
    if any(isinstance(callback.cause, KeyboardInterrupt) for callback in result.model.callbacks):
        result.info["status"] = "interrupted"
        return True
    return False


def raise_callback_error(model: Model) -> None:
    for callback in model.callbacks:
        if callback.error is not None:
            raise callback.error from callback.cause


def _check(run: Run, result: Result) -> None:
    """Turn the outcome of a run that stopped early into an error that says why and keeps what was computed."""
    if run.code == slots.CODE_OK and all(callback.error is None for callback in run.model.callbacks):
        return
    error = explain_failure(run)
    if error is None:
        return
    result.info["status"] = "failed"
    kept = f"What was computed until then ({len(result)} samples) is in the error's result."
    raise type(error)(f"{error} {kept}", result) from error.__cause__


def explain_failure(run: Run) -> SimulationError | None:
    """Why a run could not go on; None if it was only stopped."""
    for callback in run.model.callbacks:
        if callback.error is not None:
            error = CallbackError(f"{callback.error} (At t = {run.time:.9g} s.)")
            error.__cause__ = callback.cause
            return error
    if run.code in (slots.CODE_OK, slots.CODE_STOPPED):
        return None
    values = run.workspace.signal[: 3 * len(run.model.signal_owners)].reshape(-1, 3)
    for owner, kind, value in zip(run.model.signal_owners, run.model.arrays["signal_kind"], values):
        if kind == CALLABLE and not np.isfinite(value).all():  # a compiled function of time: it cannot say so itself
            return CallbackError(
                f"{owner}: its function returned a non-finite value or derivative {tuple(value)} near t = {run.time:.9g} s. "
                "It must be finite and smooth."
            )
    where = _offender(run)
    reasons = {
        slots.CODE_NONFINITE: f"The motion of {where} became infinite or not a number near t = {run.time:.6g} s. "
        "The step is too large for the stiffness or speed present: take a smaller step, an implicit or adaptive integrator.",
        slots.CODE_STEP_COLLAPSED: f"The step size collapsed at t = {run.time:.9g} s (around {where}): the motion is not smooth there "
        "(an impact, a jump in a law, a position that the joints cannot pass) or the tolerances are tighter than the arithmetic allows. "
        + ("Take a smaller step or smooth the law." if run.solver.fixed_step else "Loosen rtol and atol or smooth the law."),
        slots.CODE_NOT_CONVERGED: f"Newton's iteration did not converge in the step after t = {run.time:.6g} s (around {where}). "
        "Take a smaller step, more damping (generalized-alpha with a smaller radius), or at a singular position the formulation index3.",
    }
    return SimulationError(reasons[run.code])


def _offender(run: Run) -> str:
    """The body whose acceleration or velocity stands out."""
    w, model = run.workspace, run.model
    worst, name = -1.0, "the mechanism"
    for row in model.bodies.values():
        if row.kind.nv == 0:
            continue
        values = np.concatenate([w.v[row.v], w.acc[row.v]])
        size = np.inf if not np.isfinite(values).all() else float(np.abs(values).max())
        if size > worst:
            worst, name = size, f"body '{row.name}'"
    return name


class ProgressBar:
    """One that shows nothing."""

    def update(self, fraction: float) -> None: ...
    def close(self) -> None: ...


class _CallBar(ProgressBar):
    def __init__(self, function: Callable[[float], None]) -> None:
        self.update = function  # type: ignore[method-assign]


class _RichBar(ProgressBar):
    """A progress bar with the time left."""

    def __init__(self) -> None:
        from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

        columns = (
            TextColumn("simulating"),
            BarColumn(),
            TextColumn("{task.percentage:>5.1f}%"),
            TimeElapsedColumn(),
            TextColumn("left"),
            TimeRemainingColumn(),
        )
        self._progress = Progress(*columns, transient=True)
        self._task = self._progress.add_task("", total=1.0)
        self._progress.start()

    def update(self, fraction: float) -> None:
        self._progress.update(self._task, completed=fraction)

    def close(self) -> None:
        self._progress.stop()


def progress_bar(progress: bool | Callable[[float], None]) -> ProgressBar:
    """What tells how far something is: a bar, a function called with the fraction done, or nothing."""
    if callable(progress):
        return _CallBar(progress)
    return _RichBar() if progress else ProgressBar()
