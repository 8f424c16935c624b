"""Time integration: what ``scipy.integrate.solve_ivp`` does, step by step, so that progress can be shown and Ctrl-C keeps what there is."""

import time as clock
from contextlib import contextmanager

import numpy as np

from ..errors import DescriptionError
from ..interrupts import Interrupts
from ..simulation import explain_failure
from .checks import number
from .waiting import patiently

__all__ = ["IMPLICIT", "METHODS", "SCIPY", "integrate", "integrate_compiled", "sample_times"]

SCIPY = ("RK45", "RK23", "DOP853", "Radau", "BDF", "LSODA")
IMPLICIT = SCIPY[3:]
METHODS = (*SCIPY, "bielle")
_SLICE = 0.025  # seconds of compiled work between looks at the clock and at Ctrl-C
_FINISHED = "The solver successfully reached the end of the integration interval."


def sample_times(t0, tf, dt):
    """t0, t0 + dt, … before tf."""
    t0, tf, dt = number(t0, "t0"), number(tf, "tf"), number(dt, "dt", positive=True)
    if tf <= t0:
        raise DescriptionError(f"tf must be later than t0, got t0 = {t0:g} s and tf = {tf:g} s. Give a larger tf.")
    if dt > tf - t0:
        raise DescriptionError(f"dt must not be longer than the run, got dt = {dt:g} s for {tf - t0:g} s. Give a smaller dt.")
    t_eval = np.arange(t0, tf, dt)
    return t_eval[t_eval <= tf]  # rounding sometimes makes one more


@contextmanager
def _watching(text):
    """A function to call between two steps with the fraction done: a progress bar after a second, and Ctrl-C takes effect."""
    interrupts = Interrupts()
    with interrupts, patiently(text) as show:

        def watch(fraction):
            interrupts.check()
            show(fraction)

        yield watch


def integrate(fun, t0, tf, y0, t_eval, method, text, **options):
    """What ``solve_ivp(fun, [t0, tf], y0, method, t_eval, **options)`` returns, number for number.

    After a second a progress bar shows ``text``. Ctrl-C ends the integration after the step under way; status is then −2.
    """
    import scipy.integrate

    t0, tf = float(t0), float(tf)
    solver = getattr(scipy.integrate, method)(fun, t0, y0, tf, **options)
    done, samples, status, message = 0, [], None, None
    try:
        with _watching(text) as watch:
            while status is None:
                message = solver.step()
                if solver.status == "failed":
                    status = -1
                    break
                upto = np.searchsorted(t_eval, solver.t, side="right")
                if upto > done:
                    wanted = t_eval[done:upto]
                    samples.append((wanted, solver.dense_output()(wanted)))
                    done = upto
                if solver.status == "finished":
                    status, message = 0, _FINISHED
                    break
                watch((solver.t - t0) / (tf - t0))
    except KeyboardInterrupt:
        if status is None:
            status, message = -2, f"Interrupted at t = {solver.t:.6g} s."
    if samples:
        t, y = (np.concatenate(pieces, axis=-1) for pieces in zip(*samples))
    else:
        t, y = t_eval[:0], np.empty((len(y0), 0))
    return _result(t, y, solver.nfev, solver.njev, solver.nlu, status, message)


def integrate_compiled(equations, t0, tf, t_eval, rtol, atol, max_step):
    """The same with the engine's own method, adaptive and of order 8: no Python between steps, but for functions of the student's."""
    t0, tf = float(t0), float(tf)
    run, status, message = equations.run(t0, rtol, atol, max_step), 0, _FINISHED
    run.sample_at(t_eval if t_eval[-1] == tf else np.append(t_eval, tf))
    steps = 8
    try:
        with _watching(equations.text) as watch:
            while not run.done and run.ok:
                began = clock.monotonic()
                run.advance(steps)
                equations.raise_errors()
                equations.refuse_changes()
                steps = min(2 * steps, 1_000_000) if clock.monotonic() - began < _SLICE else max(steps // 2, 1)
                watch(run.fraction)
    except KeyboardInterrupt:
        if not run.done:
            status, message = -2, f"Interrupted at t = {run.time:.6g} s."
    if status == 0 and not run.ok:
        status, message = -1, str(explain_failure(run))
    samples, counts = run.samples(), run.statistics()
    n = np.searchsorted(samples["t"], t_eval[-1], side="right")
    y = equations.states(samples)[:, :n]
    return _result(samples["t"][:n], y, counts["evaluations"], 0, counts["factorisations"], status, message)


def _result(t, y, nfev, njev, nlu, status, message):
    """With the attributes of SciPy's."""
    from scipy.optimize import OptimizeResult

    counts = {"nfev": nfev, "njev": njev, "nlu": nlu}
    return OptimizeResult(t=t, y=y, sol=None, t_events=None, y_events=None, **counts, status=status, message=message, success=status >= 0)
