"""Angles between bodies that no component of a mechanism has: what watches look at."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from ..errors import BielleError
from ..mechanism.description import GROUND
from ..model.watches import AngleWatch, JointAngleWatch
from .quantities import Component, angle_rates, scalar

if TYPE_CHECKING:
    from .result import Result

__all__ = ["TurnResult", "turn_of"]


def turn_of(run: Result, watch: Any) -> Component:
    """What has the angle of a watch as its ``angle``: a joint, a body in the plane, or the turn between two bodies."""
    if isinstance(watch, JointAngleWatch):
        return run[watch.joint]
    if isinstance(watch, AngleWatch) and run.model.dim == 2 and watch.other == GROUND:
        return run[watch.body]
    return TurnResult(run, watch)


class TurnResult(Component):
    """θ = atan2(d, c), c = a₁·b₁ + a₂·b₂, d = a₂·b₁ − a₁·b₂, of the four directions of a watch."""

    quantities = ("angle",)
    what = "angle"
    winding: ClassVar = {"angle": "_wound"}

    def __init__(self, run: Result, watch: Any) -> None:
        self.run = run
        self.watch = watch
        self.name = repr(watch)
        self._elements = watch.elements(run.mechanism, "an angle")

    def of(self, run: Result) -> TurnResult | None:
        try:
            return TurnResult(run, self.watch)
        except BielleError:  # its bodies did not exist yet
            return None

    @property
    def named(self) -> list[str]:
        return ["angle"]

    def _motion(self, body: str, local: np.ndarray) -> np.ndarray:
        """(3, n, dim) a direction and its rates."""
        if body != GROUND:
            return np.array([x[:, 0] for x in self.run[body].probe([(False, local)])])
        dim = self.run.model.dim
        still = np.zeros((3, len(self.run), dim))
        still[0] = local[:dim]
        return still

    @cached_property
    def _wound(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The angle up to whole turns, and its rates."""
        a1, a2, b1, b2 = (self._motion(e.body, e.local) for e in self._elements)
        s, c = scalar(a2, b1) - scalar(a1, b2), scalar(a1, b1) + scalar(a2, b2)
        return np.arctan2(s[0], c[0]), *angle_rates(s, c)

    @property
    def angle(self) -> np.ndarray:
        """(n,) [rad], up to whole turns: what led there tells how many."""
        return self._wound[0]
