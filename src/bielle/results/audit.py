"""The same guard for a mechanism that is being advanced: a look at energy and joints that costs about as much as an evaluation."""

from __future__ import annotations

import numpy as np

from ..kernels import slots
from ..kernels.lazy import entry
from ..kernels.pointers import call
from ..kernels.program import kinetic
from ..model.signals import velocity_jumps
from ..solvers.failures import jump_message
from ..solvers.run import Run, Solver
from .accuracy import COARSE, MOST, SLOW, Accuracy, conclude
from .parts import parts_of
from .shares import Shares, energy_limit

__all__ = ["Audit"]


@entry
def take_stock(ctx, anew, unused):
    """Into scalar[S_STOCK …]: kinetic energy, energy of forces, largest |φ| and |φ̇|, the joint of the largest of these.

    ``anew``: what follows from the state is found first; otherwise it was evaluated last at this very state.
    """
    count, routine, out = ctx.count, ctx.routine, ctx.scalar
    if anew == 1:
        call(routine.evaluate, ctx, 0, 0)
        call(routine.forces, ctx, 0, 0)
    elastic, gap, rate, worst = 0.0, 0.0, 0.0, -1.0
    for f in range(count.force):
        elastic += ctx.energy[f]
    joint_c, phi, phi_dot = ctx.joint_c, ctx.phi, ctx.phi_dot
    for j in range(count.joint):
        for c in range(joint_c[j], joint_c[j + 1]):
            if max(abs(phi[c]), abs(phi_dot[c])) > max(gap, rate):
                worst = float(j)
            gap, rate = max(gap, abs(phi[c])), max(rate, abs(phi_dot[c]))
    out[slots.S_STOCK], out[slots.S_STOCK + 1] = kinetic(ctx, ctx.v), elastic
    out[slots.S_STOCK + 2], out[slots.S_STOCK + 3], out[slots.S_STOCK + 4] = gap, rate, worst


class Audit:
    """What a session has lost since it began, and how far its joints are open.

    The energy of gravity is linear in the coordinates of all kinds of bodies here: −w · q with the weights w that act at rest.
    """

    def __init__(self, solver: Solver) -> None:
        self.found = Accuracy(0.0, MOST, 0.0, 0.0, solver.torn)  #: the worst so far
        self._solver = solver
        self.steps = 0  #: that were taken
        self._scale = self._speed = self._lost = self._since = 0.0
        self._known = False
        self._shares: Shares | None = None  #: the same of every part, where there are several

    def renew(self) -> None:
        """The state or the mechanism is another one now: what follows is compared with the start of the next advance."""
        self._known = False

    def begin(self, run: Run) -> None:
        """Before an advance. The run is left with derived quantities that belong to its state."""
        if self._known:
            return
        w, rows = run.workspace, run.model.body_rows
        kinds = [rows.records[first].item.kind for first, _ in rows.groups]
        self._linear = all(type(kind).__module__.startswith("bielle.bodies.") for kind in kinds)
        v = w.v.copy()
        w.v[:] = 0.0
        w.evaluate()
        self._weights = w.force[: run.model.nv].copy()
        self._places = np.repeat(w.body_q - w.body_v, w.body_nv) + np.arange(run.model.nv)
        self._heights = self._weights * w.q[self._places]
        n = np.repeat(w.body_nv, w.body_nv)  # the diagonal of the mass matrix
        self._masses = w.mass[np.repeat(w.body_m, w.body_nv) + (np.arange(len(n)) - np.repeat(w.body_v, w.body_nv)) * (n + 1)]
        self._mass = max(sum(record.item.kind.properties.mass for record in rows.records if record.item.kind.nv), 1e-300)
        self._gravity = float(np.linalg.norm(run.model.gravity))
        w.v[:] = v
        take_stock(w.address, 1)
        n, dim = int(w.joint_e[len(run.model.joint_rows.records)]), run.model.dim
        points = w.x[: dim * n].reshape(n, dim)[w.elem_point[:n] == 1]
        self._size = max(float(np.ptp(points, axis=0).max()) if len(points) else 0.0, 1e-3)
        # of what stands still only rounding changes
        self._still = max(self._mass * self._size * (self._gravity + SLOW**2 * self._size) * 1e-3, 1e-300)
        self._balance, self._since, self._known = self._total(run), run.time, True
        self._begin_parts(run)

    def _begin_parts(self, run: Run) -> None:
        # what explicit joints lose is booked for the whole, and the energy of unknown kinds of bodies is not known
        parts = parts_of(run.model) if self._linear and self._solver.slack[1] <= COARSE else []
        shares = Shares(run, parts, self._weights, self._places) if len(parts) > 1 else None
        if shares is not None and self._shares is not None and shares.like(self._shares):
            shares.go_on(self._shares)
        self._shares = shares

    def _total(self, run: Run) -> float:
        """What stays the same in an exact solution: mechanical energy and what was dissipated, less the works."""
        w = run.workspace
        kinetic_, elastic, *_ = w.scalar[slots.S_STOCK : slots.S_STOCK + 2].tolist()
        heights = self._weights * w.q[self._places] - self._heights  # since it began: where the origin is does not matter
        gross = kinetic_ + abs(elastic) + float(np.abs(heights).sum() + np.abs(w.work).sum())
        self._scale = max(self._scale, gross)
        self._speed = max(self._speed, float(np.abs(w.v).max(initial=0.0)))
        return kinetic_ + elastic - float(heights.sum()) + float(w.work[0] - w.work[1:].sum())

    def look(self, run: Run, steps: int, velocities: np.ndarray) -> Accuracy:
        """After an advance of so many steps with these velocities (n, nv), while what was evaluated last belongs to the state."""
        w, solver = run.workspace, self._solver
        if velocities.size:
            self._scale = max(self._scale, 0.5 * float((velocities**2 @ self._masses).max()))
            self._speed = max(self._speed, float(np.abs(velocities).max()))
        take_stock(w.address, 0)
        self.steps += steps
        total = self._total(run)
        self._lost += total - self._balance
        self._balance = total
        gap, rate, worst = w.scalar[slots.S_STOCK + 2 : slots.S_STOCK + 5].tolist()
        joint = run.model.joint_rows.records[int(worst)].name if worst >= 0.0 else ""
        scale, still, mass = (np.array(x) for x in (self._scale, self._still, self._mass))
        limit = float(energy_limit(solver, self.steps, scale, still, mass, self._gravity))
        energy = abs(self._lost) / max(self._scale, self._still) if self._linear else 0.0
        pace = max(self._speed, solver.slack[1], SLOW * self._size)
        found = conclude(solver, run.model, energy, limit, joint, gap / self._size, rate / pace, cause=lambda: self._jump(run))
        part = None if self._shares is None else self._shares.look(run, solver, self.steps, velocities, self._masses)
        if found.ok and part is not None:
            found = part
        self._since = run.time
        if not found.ok:
            self.found, self._lost = found, 0.0  # what is said is said
        elif self.found.ok:
            self.found = found
        return found

    def _jump(self, run: Run) -> str:
        """An imposed motion whose velocity has jumped in this advance, in words."""
        jumps = velocity_jumps(run.model, self._since, run.time)
        return jump_message(*jumps[0]) if jumps else ""
