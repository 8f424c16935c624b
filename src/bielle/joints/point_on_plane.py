"""Point on a plane: a point of b stays in a plane of a. One equation."""

from ..kernels.lazy import entry
from ..mechanism.registry import register_joint
from .kind import Axis, JointKind
from .primitives import in_plane, joint_arrays


@entry
def evaluate(ctx, first, last):
    """n_a · (x_b − x_a) = 0; elements P_a, n_a, P_b."""
    for j in range(first, last):
        x, xd, G, phi, gamma, width = joint_arrays(ctx, j, 3)
        in_plane(x, xd, G, phi, gamma, width, 0, 1, 0, 2, 3)


@register_joint
class PointOnPlane(JointKind, frozen=True, tag="point_on_plane"):
    """The plane belongs to a, passes through the joint's point and has the normal ``axis``."""

    dims = (3,)
    equations = 1
    kernel = evaluate

    axis: Axis = "z"

    @classmethod
    def samples(cls, dim):
        return [cls(), cls(axis=(1.0, -2.0, 2.0))]

    def elements(self, a, b, dim):
        return [a.point(), a.direction(self.axis_vector()), b.point()]
