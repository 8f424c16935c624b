"""Result: what a run computed, asked by the names of the components."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from ..calls import explained_methods
from ..errors import unknown
from ..mechanism.description import GROUND
from ..mechanism.mechanism import Mechanism
from ..model import Model
from .quantities import BodyResult, ForceResult, FrameResult, JointResult, force_result, joint_result
from .record import Record
from .sweep import Sweeper

__all__ = ["Result"]


@explained_methods
class Result(Record):
    """Motion, reactions and energies of one mechanism, evaluated when they are asked for.

    samples   t (n,), q (n, nq), v and a (n, nv), lam (n, nc), memory (n, nm), and work (n, 3 + k): dissipated, of drives, of applied
              efforts, and of k gentle closings
    closings  names of the joints being closed gently, in the order of their columns

    ``run["lower"].position`` · ``run["elbow"].force(on="upper", axes="upper")`` · ``run.energy.balance`` · ``run.violation``
    """

    edits = ()
    _given = ("mechanism", "model", "samples", "closings", "info")

    def __init__(
        self,
        mechanism: Mechanism,
        model: Model,
        samples: dict[str, np.ndarray],
        *,
        closings: tuple[str, ...] = (),
        info: dict[str, Any] | None = None,
    ) -> None:
        self.mechanism = mechanism
        self.model = model
        self.samples = samples
        self.closings = closings
        self.info = info or {}
        self._cache = {}

    @property
    def segments(self) -> tuple[Result, ...]:
        """Itself: nothing was changed on the way."""
        return (self,)

    def names(self) -> list[str]:
        """Names that can be asked for."""
        m = self.mechanism
        return [*m.bodies, *m.joints, *m.forces, *m.frames]

    def __contains__(self, name: object) -> bool:
        m = self.mechanism
        return name in m.bodies or name in m.joints or name in m.forces or name in m.frames

    def _make(self, name: str) -> BodyResult | JointResult | ForceResult | FrameResult:
        m = self.mechanism
        if name in m.bodies:
            return BodyResult(self, name)
        if name in m.joints:
            return joint_result(self, name)
        return force_result(self, name) if name in m.forces else FrameResult(self, name)

    @cached_property
    def sweeper(self) -> Sweeper:
        return Sweeper(self.model, self.samples)

    @cached_property
    def violations(self) -> tuple[np.ndarray, np.ndarray]:
        """(n,) each: the largest constraint residual over all joints, and the largest rate of one."""
        position, velocity = self.sweeper.violation()
        return position.max(axis=1, initial=0.0), velocity.max(axis=1, initial=0.0)

    def rotation_of(self, axes: str) -> np.ndarray:
        """Rotation (n, 3, 3) to world of the axes named: 'world', a body or a frame."""
        if axes in ("world", GROUND):
            return np.broadcast_to(np.eye(3), (len(self), 3, 3))
        if axes in self.mechanism.bodies or axes in self.mechanism.frames:
            return self[axes].rotation
        raise unknown("set of axes", axes, ["world", "body", "joint", *self.mechanism.bodies, *self.mechanism.frames])
