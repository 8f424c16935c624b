"""Point on a line: a point of b stays on a line of a. Two equations."""

from ..kernels.lazy import entry
from ..mechanism.registry import register_joint
from ..mechanism.vectors import triad
from .kind import Axis, JointKind
from .primitives import in_plane, joint_arrays


@entry
def evaluate(ctx, first, last):
    """n1_a · (x_b − x_a) = n2_a · (x_b − x_a) = 0, n1, n2 orthogonal to the line; elements P_a, n1_a, n2_a, P_b."""
    for j in range(first, last):
        x, xd, G, phi, gamma, width = joint_arrays(ctx, j, 3)
        in_plane(x, xd, G, phi, gamma, width, 0, 1, 0, 3, 3)
        in_plane(x, xd, G, phi, gamma, width, 1, 2, 0, 3, 3)


@register_joint
class PointOnLine(JointKind, frozen=True, tag="point_on_line"):
    """The line belongs to a, passes through the joint's point and runs along ``axis``."""

    dims = (3,)
    equations = 2
    kernel = evaluate

    axis: Axis = "x"

    @classmethod
    def samples(cls, dim):
        return [cls(), cls(axis=(1.0, -2.0, 2.0))]

    def elements(self, a, b, dim):
        n1, n2, _ = triad(self.axis_vector()).T
        return [a.point(), a.direction(n1), a.direction(n2), b.point()]
