"""Universal (Cardan) joint: coincident points, an axis of a stays orthogonal to an axis of b. Four equations."""

from ..errors import DescriptionError
from ..kernels.lazy import entry
from ..mechanism.registry import register_joint
from ..mechanism.vectors import axis as unit_axis
from ..mechanism.vectors import triad
from .kind import Axis, JointKind
from .primitives import coincide, joint_arrays, perpendicular


@entry
def evaluate(ctx, first, last):
    """x_b − x_a = 0 and u_a · w_b = 0; elements P_a, u_a, P_b, w_b."""
    for j in range(first, last):
        x, xd, G, phi, gamma, width = joint_arrays(ctx, j, 3)
        coincide(x, xd, G, phi, gamma, width, 0, 0, 2, 3)
        perpendicular(x, xd, G, phi, gamma, width, 3, 1, 3, 3)


@register_joint
class Universal(JointKind, frozen=True, tag="universal"):
    """Cross of two orthogonal axes: ``axis_a`` fixed in a, ``axis_b`` fixed in b."""

    dims = (3,)
    equations = 4
    motion = "universal"
    kernel = evaluate
    meeting = True

    axis_a: Axis = "x"
    axis_b: Axis = "y"

    @classmethod
    def samples(cls, dim):
        return [cls(), cls(axis_a=(1.0, -2.0, 2.0), axis_b=(2.0, 2.0, 1.0))]

    def check(self, name):
        u = unit_axis(self.axis_a, f"joint '{name}': axis_a")
        w = unit_axis(self.axis_b, f"joint '{name}': axis_b")
        if abs(u @ w) > 1e-9:
            raise DescriptionError(
                f"joint '{name}': the two axes of a universal joint must be orthogonal, got {self.axis_a} and {self.axis_b} "
                f"(cosine {u @ w:.3g}). Give axis_b orthogonal to axis_a."
            )

    def motion_axes(self):
        return triad(unit_axis(self.axis_a, "axis_a")), triad(unit_axis(self.axis_b, "axis_b"))

    def elements(self, a, b, dim):
        u, w = unit_axis(self.axis_a, "axis_a"), unit_axis(self.axis_b, "axis_b")
        return [a.point(), a.direction(u), b.point(), b.direction(w)]
