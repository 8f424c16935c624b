"""Imposed body: position and orientation of b are functions of time. Three equations in the plane, six in space."""

from typing import Any

import msgspec

from ..kernels.lazy import entry
from ..kernels.pointers import at
from ..mechanism.registry import register_joint
from ..mechanism.vectors import E1, E2, triad
from .imposed_parts import SAMPLE_PATH, ImposedMotion, along, as_path, driven, needs_ground, turn
from .kind import Axis
from .primitives import joint_arrays, perpendicular


@entry
def evaluate(ctx, first, last):
    """x_b − p(t) = 0 and θ − s(t) = 0; in space also e1_a · z_b = e2_a · z_b = 0, z the axis of rotation.

    Elements P_b, e1_a, e2_a, e1_b and, in space, z_b. The axis is the same in a and in b, so only the last row of the orientation moves.
    """
    dim = ctx.count.dim
    for j in range(first, last):
        x, xd, G, phi, gamma, width = joint_arrays(ctx, j, dim)
        phi_t, s = driven(ctx, j)
        for k in range(dim):
            along(x, G, phi, gamma, phi_t, width, k, 0, k, at(s, 3 * k), dim)
        turn(x, xd, G, phi, gamma, phi_t, width, dim, 1, 2, 3, at(s, 3 * dim), dim)
        if dim == 3:
            perpendicular(x, xd, G, phi, gamma, width, 4, 1, 4, 3)
            perpendicular(x, xd, G, phi, gamma, width, 5, 2, 4, 3)


@register_joint
class ImposedBody(ImposedMotion, frozen=True, tag="imposed_body"):
    """The joint's point of b is at ``position`` [m], functions of time in world axes, and b is turned by ``angle`` [rad] about ``axis``.

    The rotation is counted from the described orientation; the axis is fixed. Body a must be the ground; where the joint sits on it
    does not matter. In the plane the axis is the normal, whatever ``axis`` says.
    """

    dims = (2, 3)
    kernel = evaluate
    grounded = True
    functions = ("angle",)

    position: tuple[Any, ...]
    angle: Any = 0.0
    axis: Axis = "z"

    def __post_init__(self):
        msgspec.structs.force_setattr(self, "position", as_path(self.position, "ImposedBody.position"))
        super().__post_init__()

    @classmethod
    def samples(cls, dim):
        x, y, z = SAMPLE_PATH
        if dim == 2:
            return [cls(position=(x, y)), cls(position=(y, x), angle=z, axis=(1.0, -2.0, 2.0))]
        return [cls(position=(x, y, z)), cls(position=(z, x, y), angle=y, axis=(1.0, -2.0, 2.0))]

    def signals(self, dim):
        return [*self.position, self.angle]

    def signal_units(self, dim):
        return (*dim * ("m",), "rad")

    def count(self, dim):
        return 3 if dim == 2 else 6

    def elements(self, a, b, dim):
        needs_ground(a, self.position, dim)
        if dim == 2:
            return [b.point(), a.direction(E1), a.direction(E2), b.direction(E1)]
        e1, e2, z = triad(self.axis_vector()).T
        return [b.point(), a.direction(e1), a.direction(e2), b.direction(e1), b.direction(z)]
