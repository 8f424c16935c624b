"""Prismatic joint: b slides along an axis of a without turning. Five equations."""

from ..kernels.lazy import entry
from ..mechanism.registry import register_joint
from ..mechanism.vectors import triad
from .kind import Axis, JointKind
from .primitives import in_plane, joint_arrays, perpendicular


@entry
def evaluate(ctx, first, last):
    """The cylindrical joint's four equations and n1_a · n2_b = 0; elements P_a, n1_a, n2_a, P_b, z_b, n2_b."""
    for j in range(first, last):
        x, xd, G, phi, gamma, width = joint_arrays(ctx, j, 3)
        for n in range(2):
            perpendicular(x, xd, G, phi, gamma, width, n, 1 + n, 4, 3)
            in_plane(x, xd, G, phi, gamma, width, 2 + n, 1 + n, 0, 3, 3)
        perpendicular(x, xd, G, phi, gamma, width, 4, 1, 5, 3)


@register_joint
class Prismatic(JointKind, frozen=True, tag="prismatic"):
    """Sliding along ``axis``."""

    dims = (3,)
    equations = 5
    motion = "prismatic"
    kernel = evaluate

    axis: Axis = "x"

    @classmethod
    def samples(cls, dim):
        return [cls(), cls(axis=(1.0, -2.0, 2.0))]

    def elements(self, a, b, dim):
        n1, n2, z = triad(self.axis_vector()).T
        return [a.point(), a.direction(n1), a.direction(n2), b.point(), b.direction(z), b.direction(n2)]
