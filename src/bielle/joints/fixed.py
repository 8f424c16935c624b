"""Fixed joint: a and b move as one. Six equations."""

from ..kernels.lazy import entry
from ..mechanism.registry import register_joint
from ..mechanism.vectors import E1, E2, E3
from .kind import JointKind
from .primitives import coincide, joint_arrays, perpendicular


@entry
def evaluate(ctx, first, last):
    """x_b − x_a = 0, e1_a · e3_b = 0, e2_a · e3_b = 0, e1_a · e2_b = 0; elements P_a, e1_a, e2_a, P_b, e3_b, e2_b."""
    for j in range(first, last):
        x, xd, G, phi, gamma, width = joint_arrays(ctx, j, 3)
        coincide(x, xd, G, phi, gamma, width, 0, 0, 3, 3)
        perpendicular(x, xd, G, phi, gamma, width, 3, 1, 4, 3)
        perpendicular(x, xd, G, phi, gamma, width, 4, 2, 4, 3)
        perpendicular(x, xd, G, phi, gamma, width, 5, 1, 5, 3)


@register_joint
class Fixed(JointKind, frozen=True, tag="fixed"):
    """Weld: no relative motion."""

    dims = (3,)
    equations = 6
    motion = "fixed"
    kernel = evaluate
    meeting = True

    def elements(self, a, b, dim):
        return [a.point(), a.direction(E1), a.direction(E2), b.point(), b.direction(E3), b.direction(E2)]
