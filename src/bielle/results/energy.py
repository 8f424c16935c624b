"""The energy audit of a run."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from .result import Result

__all__ = ["Energy"]


class Energy:
    """Energies (n,) [J] and their balance: kinetic + gravitational + elastic + dissipated − work of drives − work of applied efforts.

    The three works are integrated together with the motion, to the same order, so that what is left in ``error`` is the integrator's.
    """

    def __init__(self, run: Result) -> None:
        self._run = run

    @cached_property
    def kinetic(self) -> np.ndarray:
        """½ vᵀ M v."""
        v = self._run.samples["v"]
        total = np.zeros(len(self._run))
        for row in self._run.model.bodies.values():
            if row.kind.nv:
                own = v[:, row.v]
                total += 0.5 * np.einsum("ni,ij,nj->n", own, row.kind.mass(), own)
        return total

    @cached_property
    def gravitational(self) -> np.ndarray:
        """−Σ m g · x_G."""
        run = self._run
        g = np.zeros(3)
        g[: len(run.mechanism.gravity)] = run.mechanism.gravity
        total = np.zeros(len(run))
        for row in run.model.bodies.values():
            if row.kind.nv:
                position, rotation = row.kind.pose(run.samples["q"][:, row.q])
                total -= row.kind.properties.mass * (position + rotation @ row.kind.properties.centre) @ g
        return total

    @cached_property
    def elastic(self) -> np.ndarray:
        """Potential energy of all forces."""
        run = self._run
        if not run.model.forces:
            return np.zeros(len(run))
        return run.sweeper.forces(slice(0, 0))[2][:, :, 0].sum(axis=1)

    @property
    def dissipated(self) -> np.ndarray:
        """Lost in dampers since the start."""
        return self._run.samples["work"][:, 0]

    @property
    def drives(self) -> np.ndarray:
        """Work of motors and imposed motions since the start."""
        return self._run.samples["work"][:, 1]

    @property
    def applied(self) -> np.ndarray:
        """Work of applied forces and torques since the start."""
        return self._run.samples["work"][:, 2]

    @property
    def mechanical(self) -> np.ndarray:
        """Kinetic + gravitational + elastic."""
        return self.kinetic + self.gravitational + self.elastic

    @property
    def balance(self) -> np.ndarray:
        """Mechanical + dissipated − works − initial mechanical energy: zero for an exact solution."""
        total = self.mechanical + self.dissipated - self.drives - self.applied
        return total - total[:1]  # also if there are no samples

    @cached_property
    def scale(self) -> float:
        """What errors are compared with: the largest swing of kinetic, gravitational or elastic energy, or work."""
        if not len(self._run):
            return 1.0
        swings = [np.ptp(x) for x in (self.kinetic, self.gravitational, self.elastic, self.dissipated, self.drives, self.applied)]
        # of something that stays where it is only rounding swings, which is no measure: nine digits above it is
        rounding = 1e-9 * max(np.abs(self.gravitational).max(), np.abs(self.elastic).max())
        return float(max([*swings, np.abs(self.kinetic).max(), rounding, 1e-300]))

    @property
    def error(self) -> np.ndarray:
        """Balance relative to :attr:`scale`."""
        return self.balance / self.scale
