"""The look at energy and joints of a session, part by part: where nothing but the ground connects several."""

from __future__ import annotations

import numpy as np

from ..solvers.run import Run, Solver
from .accuracy import LEAST, MOST, SAFETY, SLOW, Accuracy, conclude, joint_limits
from .parts import Part

__all__ = ["SEVERAL", "Shares", "energy_limit"]

Array = np.ndarray

SEVERAL = 5.0  #: coordinates of a body, whose errors add up


def energy_limit(solver: Solver, steps: int, scale: Array, still: Array, mass: Array, gravity: float) -> Array:
    """As for simulations, with the speed that all the energy present (scale) would give all the mass."""
    if solver.tolerances is None:  # joints that yield let everything sink
        return MOST + mass * gravity * solver.slack[0] / np.maximum(scale, still)
    rtol, atol = solver.tolerances
    speed = np.maximum(np.sqrt(2.0 * scale / mass), 1e-300)
    return np.clip(SAFETY * SEVERAL * steps * (rtol + atol / speed), LEAST, MOST)


class Shares:
    """Energies, gaps and speeds of parts (P,), since a session began."""

    def __init__(self, run: Run, parts: list[Part], weights: Array, places: Array) -> None:
        w, model = run.workspace, run.model
        bodies = _labels(len(model.body_rows), [part.bodies for part in parts])
        joints = _labels(len(model.joint_rows), [part.joints for part in parts])
        forces = _labels(len(model.force_rows), [part.forces for part in parts])
        self.parts, self._active = parts, parts[-1].works
        self._forces, self._rows = forces, np.repeat(joints, model.joint_rows.size("nc"))
        self._coordinates = np.repeat(bodies, w.body_nv[: len(bodies)])
        self._order = np.argsort(self._coordinates, kind="stable")
        self._starts = np.searchsorted(self._coordinates[self._order], np.arange(len(parts)))
        self._weights, self._places, self._heights = weights, places, weights * w.q[places]
        self._blocks = [_blocks(w, bodies, nv) for nv in sorted(set(w.body_nv[: len(bodies)].tolist()) - {0})]
        inertia = np.zeros((len(bodies), 10))  # that of the ground, too
        inertia[model.body_rows.size("ni") > 0] = model.body_rows.column("inertia").reshape(-1, 10)
        self.mass = np.maximum(self._by(bodies, inertia[:, 0]), 1e-300)
        self.gravity = float(np.linalg.norm(model.gravity))
        self.size = np.array([_size(w, part, inertia, model.dim) for part in parts])
        # of what stands still only rounding changes
        self.still = np.maximum(self.mass * self.size * (self.gravity + SLOW**2 * self.size) * 1e-3, 1e-300)
        self.scale, self.speed, self.lost = (np.zeros(len(parts)) for _ in range(3))
        self.balance = self._total(run)

    def like(self, other: Shares) -> bool:
        """Whether the parts are the same as those of others."""
        return np.array_equal(self._coordinates, other._coordinates) and np.array_equal(self._rows, other._rows)

    def go_on(self, before: Shares) -> None:
        """After an edit of the same parts: what they have lost stays lost."""
        self.scale, self.speed, self.lost = np.maximum(self.scale, before.scale), np.maximum(self.speed, before.speed), before.lost

    def _by(self, label: Array, values: Array) -> Array:
        """Sums of values by part; those of label −1 belong to the ground."""
        return np.bincount(label + 1, values, len(self.parts) + 1)[1:]

    def _total(self, run: Run) -> Array:
        """What stays the same in an exact solution: mechanical energy, and in the part that has works these, too."""
        w = run.workspace
        kinetic, elastic = np.zeros(len(self.parts)), w.energy[: len(self._forces)]
        for mass, v, label in self._blocks:
            kinetic += self._by(label, 0.5 * np.einsum("bi,bij,bj->b", w.v[v], w.mass[mass], w.v[v]))
        heights = self._weights * w.q[self._places] - self._heights
        total = kinetic + self._by(self._forces, elastic) - self._by(self._coordinates, heights)
        gross = kinetic + self._by(self._forces, np.abs(elastic)) + self._by(self._coordinates, np.abs(heights))
        if self._active:
            total[-1] += float(w.work[0] - w.work[1:].sum())
            gross[-1] += float(np.abs(w.work).sum())
        self.scale = np.maximum(self.scale, gross)
        return total

    def look(self, run: Run, solver: Solver, steps: int, velocities: Array, masses: Array) -> Accuracy | None:
        """The first part that is not as promised."""
        w, starts, order = run.workspace, self._starts, self._order
        if velocities.size:
            self.scale = np.maximum(self.scale, 0.5 * np.add.reduceat((velocities**2 * masses)[:, order], starts, axis=1).max(axis=0))
            self.speed = np.maximum(self.speed, np.maximum.reduceat(np.abs(velocities)[:, order], starts, axis=1).max(axis=0))
        total = self._total(run)
        self.lost = self.lost + total - self.balance
        self.balance = total
        scale = np.maximum(self.scale, self.still)
        pace = np.maximum(np.maximum(self.speed, solver.slack[1]), SLOW * self.size)
        gap, rate = np.abs(w.phi[: len(self._rows)]) / self.size[self._rows], np.abs(w.phi_dot[: len(self._rows)]) / pace[self._rows]
        energy, limit = np.abs(self.lost) / scale, energy_limit(solver, steps, self.scale, self.still, self.mass, self.gravity)
        torn, slow = joint_limits(solver)
        off = ~(energy <= limit)
        off[self._rows[~((gap <= torn) & (rate <= slow))]] = True
        if not off.any():
            return None
        k = int(np.flatnonzero(off)[0])
        self.lost[k] = 0.0  # what is said is said
        return self._figures(run, solver, k, float(energy[k]), float(limit[k]), gap, rate)

    def _figures(self, run: Run, solver: Solver, k: int, energy: float, limit: float, gap: Array, rate: Array) -> Accuracy:
        model, part, own = run.model, self.parts[k], np.flatnonzero(self._rows == k)
        name, largest, fastest = "", 0.0, 0.0
        if len(own):
            worst = own[np.argmax(np.maximum(gap, rate)[own])]
            joint = int(np.searchsorted(model.joint_rows.starts("nc"), worst, side="right")) - 1
            name, largest, fastest = model.joint_rows.records[joint].name, float(gap[own].max()), float(rate[own].max())
        return conclude(solver, model, energy, limit, name, largest, fastest, part=part.title(model))


def _labels(n: int, groups: list[Array]) -> Array:
    """(n,) number of the part of every row, −1 of the ground."""
    out = np.full(n, -1)
    for k, rows in enumerate(groups):
        out[rows] = k
    return out


def _blocks(w, bodies: Array, nv: int) -> tuple[Array, Array, Array]:
    """Of all bodies with nv velocities: where their masses (b, nv, nv) and velocities (b, nv) are, and the part they are in."""
    own = np.flatnonzero(w.body_nv[: len(bodies)] == nv)
    mass = w.body_m[own, None] + np.arange(nv * nv)
    return mass.reshape(-1, nv, nv), w.body_v[own, None] + np.arange(nv), bodies[own]


def _size(w, part: Part, inertia: Array, dim: int) -> float:
    """Extent of the points of the joints, or radii of gyration where these are larger [m]."""
    elements = np.concatenate([np.arange(w.joint_e[j], w.joint_e[j + 1]) for j in part.joints] or [np.zeros(0, int)])
    points = w.x[: dim * len(w.elem_point)].reshape(-1, dim)[elements[w.elem_point[elements] == 1]]
    own = inertia[part.bodies]
    own = own[own[:, 0] > 0.0]
    gyration = np.sqrt(np.abs(own[:, [4, 7, 9]]).max(axis=1) / own[:, 0]) if len(own) else np.zeros(1)
    return max(float(np.ptp(points, axis=0).max()) if len(points) else 0.0, float(gyration.max()), 1e-300)
