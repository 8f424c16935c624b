"""SciPy's adaptive methods on the compiled right-hand side: RK45, RK23, DOP853, Radau, BDF, LSODA.

State y = (q, v, work). The one-step methods (all but BDF and LSODA) are projected onto the constraints after every step; the multi-step
methods keep a history that must not be disturbed, so with the ``projected`` formulation their samples are projected and
the constraints are stabilised in between.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ..kernels import slots
from .adaptive import MANY_SHORT_STEPS
from .steps import last_sample, project_step

if TYPE_CHECKING:
    from ..model import Context

__all__ = ["METHODS", "ScipyStepper"]

METHODS = ("RK45", "RK23", "DOP853", "Radau", "BDF", "LSODA")
_MULTISTEP = ("BDF", "LSODA")
_IMPLICIT = ("Radau", "BDF", "LSODA")
_STABILISATION = (20.0, 1.0)  # ω [rad/s] and ξ for multi-step methods: slow against the motion, fast against drift


class ScipyStepper:
    """Drives one of SciPy's ``OdeSolver`` classes step by step, taking samples from its dense output."""

    def __init__(
        self,
        workspace: Any,
        method: str,
        rtol: float,
        atol: float,
        max_step: float,
        end: float,
        linearise: Callable[[Any], Callable[[], np.ndarray]],
    ) -> None:
        """linearise: makes of a workspace what finds ∂(q̇, v̇)/∂(q, v) at its state, for the methods that need it."""
        import scipy.integrate

        self.w: Context = workspace
        m = workspace.model
        self.nq, self.nv = m.nq, m.nv
        self.project = bool(workspace.count[slots.N_PROJECT] > 0)
        self.multistep = method in _MULTISTEP
        if self.project and self.multistep:
            workspace.scalar[slots.S_OMEGA], workspace.scalar[slots.S_XI] = _STABILISATION
        self.end = end
        start = float(workspace.scalar[slots.S_TIME])
        y0 = np.concatenate([workspace.q[: self.nq], workspace.v[: self.nv], workspace.work])
        cls = getattr(scipy.integrate, method)
        self._start = (start, y0.copy())
        options: dict[str, Any] = {"rtol": max(rtol, 1e-13), "atol": atol, "max_step": max_step}
        if method in _IMPLICIT:
            self._linearise = linearise(workspace)
            options["jac"] = self.jacobian
        self.solver = cls(self.rates, start, y0, end, **options) if end > start else None

    def _load(self, t: float, y: np.ndarray) -> None:
        w = self.w
        w.scalar[slots.S_TIME] = t
        w.q[: self.nq] = y[: self.nq]
        w.v[: self.nv] = y[self.nq : self.nq + self.nv]
        w.work[:] = y[self.nq + self.nv :]

    def rates(self, t: float, y: np.ndarray) -> np.ndarray:
        """dy/dt."""
        w = self.w
        self._load(t, y)
        w.accelerate()  # type: ignore[attr-defined]
        power = w.power[: 3 * int(w.count[slots.N_FORCE])].reshape(-1, 3).sum(axis=0)
        nc = w.model.nc
        power[1] -= w.lam[:nc] @ w.phi_t[:nc]
        return np.concatenate([w.qd[: self.nq], w.acc[: self.nv], power])

    def jacobian(self, t: float, y: np.ndarray) -> np.ndarray:
        """∂(dy/dt)/∂y; nothing depends on the works, and what theirs depend on is left out: they follow."""
        self._load(t, y)
        out, n = np.zeros((len(y), len(y))), self.nq + self.nv
        out[:n, :n] = self._linearise()
        return out

    def _sample(self) -> None:
        """Record the state that is loaded, projected if the formulation says so."""
        w = self.w
        if self.project:
            project_step(w.address)
        if w.status[slots.ST_CODE] == slots.CODE_OK:
            last_sample(w.address, 0)

    def _go_back(self, before: tuple[float, np.ndarray, int]) -> None:
        """To the start of a step that leads where the joints cannot follow."""
        time, y, samples = before
        self._load(time, y)
        self.w.status[slots.ST_SAMPLE] = samples

    def advance(self, steps: int) -> None:
        """At most that many steps."""
        w = self.w
        status, wanted = w.status, w.sample_t
        for _ in range(steps):
            n = int(w.count[slots.N_SAMPLES])
            if status[slots.ST_STEPS] == 0 and status[slots.ST_SAMPLE] == 0:
                self._load(*self._start)  # SciPy has evaluated rates elsewhere meanwhile
                self._sample()
            if status[slots.ST_SAMPLE] >= n or self.solver is None or self.solver.status != "running":
                return
            before = float(self.solver.t), self.solver.y.copy(), int(status[slots.ST_SAMPLE])
            message = self.solver.step()
            if self.solver.status == "failed":
                finite = np.isfinite(self.solver.y).all()
                status[slots.ST_CODE] = slots.CODE_STEP_COLLAPSED if finite else slots.CODE_NONFINITE
                self.message = message
                return
            t = float(self.solver.t)
            last = self.solver.status == "finished"
            if status[slots.ST_SAMPLE] < n and (wanted[status[slots.ST_SAMPLE]] <= t or last):
                dense = self.solver.dense_output()
                while status[slots.ST_SAMPLE] < n and (wanted[status[slots.ST_SAMPLE]] <= t or last):
                    time = min(float(wanted[status[slots.ST_SAMPLE]]), t)
                    self._load(time, self.solver.y if time == t else dense(time))
                    self._sample()
                    if status[slots.ST_CODE] != slots.CODE_OK:
                        self._go_back(before)
                        return
            if self.project and not self.multistep and not last:
                self._load(t, self.solver.y)
                project_step(w.address)
                if status[slots.ST_CODE] != slots.CODE_OK:
                    self._go_back(before)
                    return
                self.solver.y = np.concatenate([w.q[: self.nq], w.v[: self.nv], w.work])
                self.solver.f = self.rates(t, self.solver.y)
            else:
                self._load(t, self.solver.y)
            status[slots.ST_STEPS] += 1
            short = self.solver.step_size is not None and self.solver.step_size < w.scalar[slots.S_SHORT_STEP]
            status[slots.ST_SHORT] = status[slots.ST_SHORT] + 1 if short else 0
            if status[slots.ST_SHORT] >= MANY_SHORT_STEPS:
                status[slots.ST_CODE] = slots.CODE_STEP_COLLAPSED
                return
            if not np.isfinite(self.solver.y).all():
                status[slots.ST_CODE] = slots.CODE_NONFINITE
                return
            if w.count[slots.N_COMMIT]:
                w.evaluate()
                w.commit()
            if status[slots.ST_STOP] != 0:
                status[slots.ST_CODE] = slots.CODE_STOPPED
                return
