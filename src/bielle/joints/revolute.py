"""Revolute joint: coincident points and a common axis. Five equations."""

from ..kernels.lazy import entry
from ..mechanism.registry import register_joint
from ..mechanism.vectors import triad
from .kind import Axis, JointKind
from .primitives import coincide, joint_arrays, perpendicular


@entry
def evaluate(ctx, first, last):
    """x_b − x_a = 0, n1_a · z_b = 0, n2_a · z_b = 0, with n1, n2 orthogonal to the axis z; elements P_a, n1_a, n2_a, P_b, z_b.

    Written with two fixed normals rather than two chosen rows of a cross product, so that it holds for every direction of the axis.
    """
    for j in range(first, last):
        x, xd, G, phi, gamma, width = joint_arrays(ctx, j, 3)
        coincide(x, xd, G, phi, gamma, width, 0, 0, 3, 3)
        perpendicular(x, xd, G, phi, gamma, width, 3, 1, 4, 3)
        perpendicular(x, xd, G, phi, gamma, width, 4, 2, 4, 3)


@register_joint
class Revolute(JointKind, frozen=True, tag="revolute"):
    """Hinge about ``axis``: leaves the rotation about it free."""

    dims = (3,)
    equations = 5
    motion = "revolute"
    kernel = evaluate
    meeting = True

    axis: Axis = "z"

    @classmethod
    def samples(cls, dim):
        return [cls(), cls(axis=(1.0, -2.0, 2.0))]

    def elements(self, a, b, dim):
        n1, n2, z = triad(self.axis_vector()).T
        return [a.point(), a.direction(n1), a.direction(n2), b.point(), b.direction(z)]
