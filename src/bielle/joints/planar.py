"""Planar joint: b slides in a plane of a and turns about its normal. Three equations."""

from ..kernels.lazy import entry
from ..mechanism.registry import register_joint
from ..mechanism.vectors import triad
from .kind import Axis, JointKind
from .primitives import in_plane, joint_arrays, perpendicular


@entry
def evaluate(ctx, first, last):
    """z_a · (x_b − x_a) = 0 and n1_a · z_b = n2_a · z_b = 0, z the normal; elements P_a, n1_a, n2_a, z_a, P_b, z_b."""
    for j in range(first, last):
        x, xd, G, phi, gamma, width = joint_arrays(ctx, j, 3)
        in_plane(x, xd, G, phi, gamma, width, 0, 3, 0, 4, 3)
        for n in range(2):
            perpendicular(x, xd, G, phi, gamma, width, 1 + n, 1 + n, 5, 3)


@register_joint
class Planar(JointKind, frozen=True, tag="planar"):
    """Sliding in the plane across ``axis``, its normal, and turning about the normal: two flat faces that stay in contact."""

    dims = (3,)
    equations = 3
    motion = "planar"
    kernel = evaluate

    axis: Axis = "z"

    @classmethod
    def samples(cls, dim):
        return [cls(), cls(axis=(1.0, -2.0, 2.0))]

    def elements(self, a, b, dim):
        n1, n2, z = triad(self.axis_vector()).T
        return [a.point(), a.direction(n1), a.direction(n2), a.direction(z), b.point(), b.direction(z)]
