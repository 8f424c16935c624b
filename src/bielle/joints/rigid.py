"""Rigid planar link: a and b move as one. Three equations."""

from ..kernels.lazy import entry
from ..mechanism.registry import register_joint
from ..mechanism.vectors import E1, E2
from .kind import JointKind
from .primitives import coincide, joint_arrays, perpendicular


@entry
def evaluate(ctx, first, last):
    """x_b − x_a = 0 and e1_a · e2_b = 0; elements P_a, e1_a, P_b, e2_b."""
    for j in range(first, last):
        x, xd, G, phi, gamma, width = joint_arrays(ctx, j, 2)
        coincide(x, xd, G, phi, gamma, width, 0, 0, 2, 2)
        perpendicular(x, xd, G, phi, gamma, width, 2, 1, 3, 2)


@register_joint
class Rigid(JointKind, frozen=True, tag="rigid"):
    """Planar weld: no relative motion."""

    dims = (2,)
    equations = 3
    motion = "fixed"
    kernel = evaluate
    meeting = True

    def elements(self, a, b, dim):
        return [a.point(), a.direction(E1), b.point(), b.direction(E2)]
