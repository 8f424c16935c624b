"""Time integration: what ``scipy.integrate.solve_ivp`` does, step by step, so that progress can be shown and Ctrl-C keeps what there is."""

import time as clock
from contextlib import ExitStack

import numpy as np

from ..errors import DescriptionError
from ..interrupts import Interrupts
from ..progress import progress_bar
from .checks import number

__all__ = ["METHODS", "integrate", "sample_times"]

METHODS = ("RK45", "RK23", "DOP853", "Radau", "BDF", "LSODA")
_PATIENCE = 1.0  # seconds before a progress bar appears


def sample_times(t0, tf, dt):
    """t0, t0 + dt, … before tf."""
    t0, tf, dt = number(t0, "t0"), number(tf, "tf"), number(dt, "dt", positive=True)
    if tf <= t0:
        raise DescriptionError(f"tf must be later than t0, got t0 = {t0:g} s and tf = {tf:g} s. Give a larger tf.")
    if dt > tf - t0:
        raise DescriptionError(f"dt must not be longer than the run, got dt = {dt:g} s for {tf - t0:g} s. Give a smaller dt.")
    t_eval = np.arange(t0, tf, dt)
    return t_eval[t_eval <= tf]  # rounding sometimes makes one more


def integrate(fun, t0, tf, y0, t_eval, method, text, **options):
    """What ``solve_ivp(fun, [t0, tf], y0, method, t_eval, **options)`` returns, number for number.

    After a second a progress bar shows ``text``. Ctrl-C ends the integration after the step under way; status is then −2.
    """
    import scipy.integrate
    from scipy.optimize import OptimizeResult

    t0, tf = float(t0), float(tf)
    solver = getattr(scipy.integrate, method)(fun, t0, y0, tf, **options)
    done, samples, status, message = 0, [], None, None
    began, show = clock.monotonic(), None
    interrupts = Interrupts()
    try:
        with interrupts, ExitStack() as stack:
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
                    status, message = 0, "The solver successfully reached the end of the integration interval."
                    break
                interrupts.check()
                if show is None and clock.monotonic() - began > _PATIENCE:
                    show = stack.enter_context(progress_bar(text))
                if show is not None:
                    show((solver.t - t0) / (tf - t0))
    except KeyboardInterrupt:
        if status is None:
            status, message = -2, f"Interrupted at t = {solver.t:.6g} s."
    if samples:
        t, y = (np.concatenate(pieces, axis=-1) for pieces in zip(*samples))
    else:
        t, y = t_eval[:0], np.empty((len(y0), 0))
    return OptimizeResult(
        t=t,
        y=y,
        sol=None,
        t_events=None,
        y_events=None,
        nfev=solver.nfev,
        njev=solver.njev,
        nlu=solver.nlu,
        status=status,
        message=message,
        success=status >= 0,
    )
