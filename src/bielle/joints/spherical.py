"""Spherical joint: a point of a and a point of b coincide. Three equations."""

from ..kernels.lazy import entry
from ..mechanism.registry import register_joint
from .kind import JointKind
from .primitives import coincide, joint_arrays


@entry
def evaluate(ctx, first, last):
    """x_b − x_a = 0; elements P_a, P_b."""
    for j in range(first, last):
        x, xd, G, phi, gamma, width = joint_arrays(ctx, j, 3)
        coincide(x, xd, G, phi, gamma, width, 0, 0, 1, 3)


@register_joint
class Spherical(JointKind, frozen=True, tag="spherical"):
    """Ball joint: leaves the three relative rotations free."""

    dims = (3,)
    equations = 3
    motion = "spherical"
    kernel = evaluate
    meeting = True

    def elements(self, a, b, dim):
        return [a.point(), b.point()]
