"""Motor in a sliding joint: a force that makes the displacement along an axis, or its speed, follow a target."""

import numpy as np

from ..errors import DescriptionError
from ..kernels import slots
from ..kernels.lazy import entry, helper
from ..kernels.pointers import ints
from ..mechanism.functions import Harmonic
from ..mechanism.registry import register_force
from ..mechanism.vectors import axis as unit_axis
from ..mechanism.vectors import planar_axis
from .drive import DriveKind, control
from .primitives import force_arrays, tangent_arrays, write_outputs

__all__ = ["LinearMotor"]


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


@entry
def evaluate(ctx, first, last):
    """F = N ∂u/∂x: the force N t on b, and its opposite on the same line on a. Power N u̇, of drives."""
    dim = ints(ctx, slots.COUNT)[slots.N_DIM]
    for f in range(first, last):
        x, xd, F, _ = force_arrays(ctx, f, dim)
        u, rate = displacement(x, xd, dim)
        effort, _, _ = control(ctx, f, u, rate)
        for k in range(3):
            for i in range(dim):
                F[dim * k + i] = effort * slope(x, k, i, dim)
        write_outputs(ctx, f, 0.0, 0.0, effort * rate, 0.0, effort)


@entry
def tangent(ctx, first, last):
    """With g = ∂u/∂x and H = ∂²u/∂x²: K = g (stiffness g + damping H ẋ)ᵀ − N H and C = damping g gᵀ."""
    dim = ints(ctx, slots.COUNT)[slots.N_DIM]
    for f in range(first, last):
        x, xd, K, C, width = tangent_arrays(ctx, f, dim)
        u, rate = displacement(x, xd, dim)
        effort, stiffness, damping = control(ctx, f, u, rate)
        for k in range(3):
            for i in range(dim):
                row, g = (dim * k + i) * width, slope(x, k, i, dim)
                for m in range(3):
                    for j in range(dim):
                        grad = slope(x, m, j, dim)
                        K[row + dim * m + j] = g * (stiffness * grad + damping * slope(xd, m, j, dim))
                        C[row + dim * m + j] = damping * g * grad
                if k == 0:
                    K[row + dim + i] += effort
                    K[row + 2 * dim + i] -= effort
                else:
                    K[row + i] += effort if k == 1 else -effort


@register_force
class LinearMotor(DriveKind, frozen=True, tag="linear_motor"):
    """Force on b along the axis, and its opposite on a, that makes u = t · (x_b − x_a) follow ``target`` [m], t the axis, fixed in a.

    In a joint, axis and points are the joint's. Between two bodies give ``axis``: 'x', '-y', … or numbers, in world axes of the
    described configuration (in the axes of the frame a, if it is one); in the plane also an angle [rad]. See
    :class:`bielle.forces.drive.DriveKind` for the law (target [m] or [m/s], stiffness [N/m], damping [N·s/m], feedforward and limit
    [N]). With a constant target it is a spring and damper along the axis. Output: force [N].
    """

    dims = (2, 3)
    kernel = evaluate
    tangent = tangent
    attachment = "joint"

    axis: str | float | tuple[float, ...] | None = None

    @classmethod
    def samples(cls, dim):
        axis = (3.0, 4.0) if dim == 2 else (1.0, 2.0, 2.0)
        wave = Harmonic(amplitude=2.0, frequency=0.7, phase=0.3)
        return [
            cls(target=wave, stiffness=30.0, damping=2.0, feedforward=1.0, axis=axis),
            cls(target=3.0, stiffness=30.0, damping=2.0, limit=80.0, axis=axis),
            cls(target=wave, damping=4.0, control="speed", axis=axis),
        ]

    def check_attachment(self, what, force, m):
        super().check_attachment(what, force, m)
        if self.axis is not None:
            self._axis(m.dim, f"{what}: the axis")
        elif force.joint is None:
            raise DescriptionError(f"{what}: LinearMotor between two bodies needs an axis. Give axis=…, or the joint it acts in.")
        else:
            joint = m.joints[force.joint].kind
            if not hasattr(joint, "direction" if m.planar else "axis"):
                raise DescriptionError(f"{what}: joint '{force.joint}' ({type(joint).__name__}) has no axis to slide along. Give axis=….")

    def _axis(self, dim: int, what: str = "the axis") -> np.ndarray:
        return planar_axis(self.axis, what)[0] if dim == 2 else unit_axis(self.axis, what)

    def elements(self, a, b=None, dim=3):
        return [a.direction(a.axis if self.axis is None else self._axis(dim)), a.point(), b.point()]
