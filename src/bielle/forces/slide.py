"""The displacement of a point of b relative to one of a along an axis of a; what linear motors, limits and friction in slides act on.

With the axis t fixed in a it is u = t · (x_b − x_a). A force N is applied as N ∂u/∂x on t and the two points, hence its power is N u̇
exactly: the force N t on b, and its opposite on the same line on a.
"""

from typing import TYPE_CHECKING

import numpy as np

from ..errors import DescriptionError
from ..kernels.lazy import helper
from ..mechanism.vectors import axis as unit_axis
from ..mechanism.vectors import planar_axis

if TYPE_CHECKING:
    from .kind import ForceKind as _Kind
else:
    _Kind = object  # two bases with fields cannot be combined, so that this one has none

__all__ = ["Slide", "SlideAxis"]

SlideAxis = str | float | tuple[float, ...]


@helper
def slope(x, k, i, dim):
    """∂u/∂x of component i of element k; bilinear in x, so that its rate is the slope at ẋ. Elements t, P_a, P_b."""
    if k == 0:
        return x[2 * dim + i] - x[dim + i]
    return -x[i] if k == 1 else x[i]


@helper
def displacement(x, xd, dim):
    """u = t · (x_b − x_a) and its rate."""
    u, rate = 0.0, 0.0
    for i in range(dim):
        gap, speed = x[2 * dim + i] - x[dim + i], xd[2 * dim + i] - xd[dim + i]
        u += x[i] * gap
        rate += xd[i] * gap + x[i] * speed
    return u, rate


@helper
def apply_force(x, F, dim, force):
    """F = N ∂u/∂x."""
    for k in range(3):
        for i in range(dim):
            F[dim * k + i] = force * slope(x, k, i, dim)


@helper
def add_tangent(x, xd, K, C, dim, force, stiffness, damping):
    """Tangent of F = N g, g = ∂u/∂x, with stiffness = −∂N/∂u and damping = −∂N/∂u̇; H = ∂²u/∂x².

    K = g (stiffness g + damping H ẋ)ᵀ − N H,   C = damping g gᵀ.
    """
    width = 3 * dim
    for k in range(3):
        for i in range(dim):
            row, g = (dim * k + i) * width, slope(x, k, i, dim)
            for m in range(3):
                for j in range(dim):
                    grad = slope(x, m, j, dim)
                    K[row + dim * m + j] += g * (stiffness * grad + damping * slope(xd, m, j, dim))
                    C[row + dim * m + j] += damping * g * grad
            if k == 0:  # H couples t with P_a (−1) and P_b (+1)
                K[row + dim + i] += force
                K[row + 2 * dim + i] -= force
            else:
                K[row + i] += force if k == 1 else -force


class Slide(_Kind):  # pyright: ignore[reportGeneralTypeIssues]
    """Goes before a ForceKind with a field ``axis``, whose force depends on the displacement of b relative to a: in a joint along its
    axis and between its points, or between points of two bodies along ``axis``.

    ``axis`` belongs to a: 'x', '-y', … or numbers, in world axes of the described configuration (in the axes of the frame a, if it is
    one); in the plane also an angle [rad].
    """

    __slots__ = ()
    dims = (2, 3)
    attachment = "joint"
    measures = "displacement"
    in_plane = ("axis",)

    def check_attachment(self, what, force, m):
        super().check_attachment(what, force, m)
        kind = type(self).__name__
        if self.axis is not None:
            self._axis(m.dim, f"{what}: the axis")
        elif force.joint is None:
            raise DescriptionError(f"{what}: {kind} between two bodies needs an axis. Give axis=…, or the joint it acts in.")
        else:
            joint = m.joints[force.joint].kind
            if not hasattr(joint, "direction" if m.planar else "axis"):
                raise DescriptionError(f"{what}: joint '{force.joint}' ({type(joint).__name__}) has no axis to slide along. Give axis=….")

    def _axis(self, dim: int, what: str = "the axis") -> np.ndarray:
        return planar_axis(self.axis, what)[0] if dim == 2 else unit_axis(self.axis, what)

    def elements(self, a, b=None, dim=3):
        return [a.direction(a.axis if self.axis is None else self._axis(dim)), a.point(), b.point()]
