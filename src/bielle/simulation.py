"""simulate: compile, assemble, advance, and hand back a Result; progress and interruption on the way."""

from __future__ import annotations

import time as clock
from collections.abc import Callable
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np

from .analysis.assembly import assemble_and_tell, held
from .calls import explained
from .errors import AccuracyError, AccuracyWarning, CallbackError, DescriptionError, SimulationError, warn
from .formulations.accelerations import accelerate, project
from .kernels import slots
from .kernels.ahead import compile_ahead
from .kernels.functions import CALLABLE, TERMS
from .kernels.lazy import announce_compilation, entries_in
from .mechanism.mass import is_scalar
from .mechanism.vectors import shown
from .model import Model, compile_mechanism
from .model.conditions import RESOLUTION, Ending, endings
from .model.needs import kernels_of
from .model.signals import velocity_jumps
from .results import sweep
from .results.accuracy import judge
from .results.result import Result
from .solvers.choice import AUTO, Choice, checked, choose
from .solvers.failures import explain_stop, jump_message
from .solvers.recursive import Recursive
from .solvers.run import Run, Solver

if TYPE_CHECKING:
    from .mechanism.mechanism import Mechanism

__all__ = ["ProgressBar", "explain_failure", "prepare", "progress_bar", "raise_callback_error", "simulate"]

_MOST_SAMPLES = 10**8
_SLICE = 0.05  # seconds of compiled work between looks at the clock, the progress bar and Ctrl-C


@explained
def simulate(
    mechanism: Mechanism,
    duration: float,
    solver: Solver | str | None = None,
    *,
    samples: int | Any = 501,
    hold: str | tuple[str, ...] = (),
    until: Any = None,
    strict: bool = False,
    progress: bool | Callable[[float], None] = False,
) -> Result:
    """Simulate for ``duration`` seconds and return the Result.

    solver    how; the default is accurate (order 8, rtol 1e-9) and projects positions and velocities onto the constraints; "central",
              "modular", "recursive": that family as it is by itself; "auto": the one that suits the mechanism, told with the reason in
              ``result.info["solver"]``
    samples   number of equidistant samples, or the times themselves; fixed-step solvers take at least that many, every so many steps
    hold      bodies that stay where they are described when the mechanism is assembled at the start
    until     end when something happens, before the duration is over: (quantity, word, value) with the quantities and words of
              :meth:`bielle.live.session.LiveSession.when`, as in ``until=("tip.position.y", "below", 0.0)``; or a list of such, the first
              counts. The last sample is at that instant, and ``result.info["event"]`` tells which it was, None if none
    strict    raise an AccuracyError if the run is not as accurate as its method promises, instead of a warning
    progress  True: a bar with the time left; or a function called with the fraction done

    ``result.info["status"]`` is "finished" if the balance of energy and the joints are as accurate as the method promises; otherwise it is
    "inaccurate", an AccuracyWarning says what is off, and ``result.info["accuracy"]`` holds the figures.

    Ctrl-C returns what was computed so far (``result.info["status"] == "interrupted"``). If the run cannot go on,
    a SimulationError is raised whose ``result`` holds the same.
    """
    automatic = isinstance(solver, str) and solver == AUTO
    how = None if automatic else checked(solver)
    times = _times(duration, samples)
    prepare(mechanism, how)
    started = clock.perf_counter()
    awaited = endings(mechanism, until)
    model, described = compile_mechanism(mechanism, {name: ending.watch for name, ending in awaited.items()})
    by_default = solver is None and bool(model.massless)  # the default cannot do without mass
    solver, why = choose(model) if how is None or by_default else Choice(how, "")
    if solver is not how:
        prepare(mechanism, solver)
    if solver.step is not None and solver.step > times[-1]:
        raise DescriptionError(f"The step of {solver.step:g} s is longer than the duration of {times[-1]:g} s. Take a smaller step.")
    solver.check(model)
    _check_motions(model, times[-1])
    try:
        assembly = assemble_and_tell(mechanism, model, described, held(mechanism, hold))
    finally:
        raise_callback_error(model)
    run = solver.start(model, assembly.state)
    run.check()
    event = _await(run, awaited)
    over = event is not None
    if not over:
        run.sample_at(times)
    info: dict[str, Any] = {"solver": solver.describe() + (f" (auto: {why})" if why else ""), "assembly": assembly, "status": "finished"}
    bar = progress_bar(progress)
    interrupted = False
    try:
        if not over:
            _advance(run, bar)
            event = _located(run)
    except KeyboardInterrupt:
        interrupted = True
        info["status"] = "interrupted"
    finally:
        bar.close()
    info |= {"seconds": clock.perf_counter() - started, "statistics": run.statistics()} | run.account()
    if awaited:
        info["event"] = event
    result = Result(mechanism.copy(), model, run.present() if over else run.samples(), info=info)
    if not interrupted and not _interrupted_in_callback(result):
        _check(run, result)
    _guard(result, solver, strict)
    return result


def prepare(mechanism: Mechanism, solver: Solver | None) -> None:
    """Have the kernels at hand that a mechanism needs, and the solver if it is known: those that are missing are compiled together."""
    announce_compilation()
    if not hasattr(mechanism, "joints"):  # whoever compiles it says what is wrong
        return
    own = [] if solver is None else solver.kernels(mechanism.dim)
    compile_ahead([*kernels_of(mechanism, isinstance(solver, Recursive)), accelerate, project, *entries_in(sweep), *own])


def _guard(result: Result, solver: Solver, strict: bool) -> None:
    """Say so if a run is not what its method promises."""
    found = judge(result, solver, result.info["statistics"]["steps"])
    result.info["accuracy"] = asdict(found)
    if found.ok:
        return
    if result.info["status"] == "finished":
        result.info["status"] = "inaccurate"
    if strict:
        raise AccuracyError(f"{found.message} What was computed ({len(result)} samples) is in the error's result.", result)
    warn(found.message, AccuracyWarning)


def _check_motions(model: Model, end: float) -> None:
    """Refuse imposed motions whose velocity jumps on the way."""
    jumps = velocity_jumps(model, 0.0, end)
    if jumps:
        raise DescriptionError(jump_message(*jumps[0]))


def _times(duration: Any, samples: Any) -> np.ndarray:
    if not is_scalar(duration) or not 0.0 < duration < np.inf:
        raise DescriptionError(f"The duration must be a positive number of seconds, got {shown(duration)}. Give a number, such as 10.")
    duration = float(duration)
    if is_scalar(samples):
        if not 2 <= samples < np.inf:
            raise DescriptionError(f"At least two samples are needed, got {samples}.")
        if samples != np.floor(samples):
            raise DescriptionError(f"samples must be a whole number, or the times themselves, got {samples}. Write samples=501, say.")
        if samples > _MOST_SAMPLES:
            raise DescriptionError(f"There can be at most {_MOST_SAMPLES} samples, got {samples}. Take fewer, or simulate in parts.")
        return np.linspace(0.0, duration, int(samples))
    try:
        times = np.asarray(samples, dtype=float)
        times = times if times.ndim else None
    except (TypeError, ValueError):
        times = None
    if times is None or isinstance(samples, str):
        raise DescriptionError(f"samples must be a whole number, or the times themselves, got {shown(samples)}. Write samples=501, say.")
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


def _await(run: Run, awaited: dict[str, Ending]) -> str | None:
    """Watch for what ends the run; the limit that is exceeded at the start already, if any."""
    if not awaited:
        return None
    if not run.solver.one_step:
        raise DescriptionError(
            f"until needs a method that can stop at any step, but this one is SciPy's ({run.solver.describe()}). "
            "Use adaptive, rk4, newmark, hht or generalized-alpha."
        )
    run.arm(RESOLUTION, new=[name for name, ending in awaited.items() if not ending.limit])
    return next((f"{name} at the start" for name in run.exceeded if awaited[name].limit), None)


def _located(run: Run) -> str | None:
    """Take a run that has stopped because something crossed to the very instant, and tell what it was."""
    if run.code != slots.CODE_EVENT:
        return None
    time = run.locate()
    return f"{' and '.join(run.fired)} at {time:.6g} s" if run.fired else None


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
    if run.code in (slots.CODE_OK, slots.CODE_EVENT) and all(callback.error is None for callback in run.model.callbacks):
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
    if run.code in (slots.CODE_OK, slots.CODE_STOPPED, slots.CODE_EVENT):
        return None
    values = run.workspace.signal[: 3 * len(run.model.signal_owners)].reshape(-1, 3)
    for owner, kind, value in zip(run.model.signal_owners, run.model.arrays["signal_kind"], values):
        if kind in (CALLABLE, TERMS) and not np.isfinite(value).all():  # a compiled function of time: it cannot say so itself
            return CallbackError(
                f"{owner}: its function returned a non-finite value or derivative {tuple(value)} near t = {run.time:.9g} s. "
                "It must be finite and smooth."
            )
    return SimulationError(explain_stop(run))


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
