"""Pin (planar revolute joint): a point of a and a point of b coincide. Two equations."""

from ..kernels.lazy import entry
from ..mechanism.registry import register_joint
from .kind import JointKind
from .primitives import coincide, joint_arrays


@entry
def evaluate(ctx, first, last):
    """x_b − x_a = 0; elements P_a, P_b."""
    for j in range(first, last):
        x, xd, G, phi, gamma, width = joint_arrays(ctx, j, 2)
        coincide(x, xd, G, phi, gamma, width, 0, 0, 1, 2)


@register_joint
class Pin(JointKind, frozen=True, tag="pin"):
    """Planar hinge: leaves the relative rotation free."""

    dims = (2,)
    equations = 2
    motion = "revolute"
    kernel = evaluate
    meeting = True

    def elements(self, a, b, dim):
        return [a.point(), b.point()]
