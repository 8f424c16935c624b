"""Gear: the coordinate of one joint changes in proportion to that of another. One equation between velocities."""

from ..errors import DescriptionError
from ..kernels.lazy import entry, helper
from ..kernels.pointers import at
from ..mechanism.registry import register_joint
from ..mechanism.vectors import E1, E2, number, triad
from .kind import JointKind
from .primitives import joint_arrays, turning

__all__ = ["Gear"]

SMALLEST = 1e-12  # a ratio below this is none
SLIDING, TURNING = ("prismatic",), ("revolute", "helical", "cylindrical")  # motions with a displacement along an axis, an angle about one


@helper
def coordinate(x, xd, G, width, e, slides, factor, dim):
    """Write ``factor`` times ∂u/∂x to G, u the coordinate of the joint whose elements begin with e; what ü contains besides ∂u/∂x ẍ.

    An angle, of e1_b in the plane of e1_a and e2_a (elements in the order e1_a, e2_a, e1_b), or a displacement t_a · (x_b − x_a) (elements
    t_a, P_a, P_b).
    """
    if slides == 0.0:
        _, bias = turning(x, xd, G, width, 0, e, e + 1, e + 2, factor, dim)
        return bias
    bias = 0.0
    t, a, b = dim * e, dim * (e + 1), dim * (e + 2)
    for i in range(dim):
        G[t + i] = factor * (x[b + i] - x[a + i])
        G[a + i] = -factor * x[t + i]
        G[b + i] = factor * x[t + i]
        bias += 2.0 * xd[t + i] * (xd[b + i] - xd[a + i])
    return bias


@entry
def evaluate(ctx, first, last):
    """u̇_b − ratio u̇_a = 0, u the coordinates of the joints. Parameters: ratio, whether joint a slides, whether joint b does."""
    dim = ctx.count.dim
    for j in range(first, last):
        x, xd, G, phi, gamma, width = joint_arrays(ctx, j, dim)
        p = at(ctx.param, ctx.joint_p[j])
        leading = coordinate(x, xd, G, width, 0, p[1], -p[0], dim)
        phi[0] = 0.0
        gamma[0] = coordinate(x, xd, G, width, 3, p[2], 1.0, dim) - p[0] * leading


@register_joint
class Gear(JointKind, frozen=True, tag="gear"):
    """Couples two joints: the rate of joint b is ``ratio`` times that of joint a, and so is the change of its coordinate.

    ratio  [rad/rad, m/rad, rad/m or m/m]; negative if one goes back as the other goes forth

    a and b are joints with an axis. The coordinate is the angle of b relative to a about the axis of hinges, screws and cylindrical joints
    [rad], and the displacement along the axis of slides [m]. They are up to four bodies, of which some may be the same, or the ground. The
    relation is one of velocities: it holds from wherever the joints are described, and no turns are counted. Multiplier: the effort on the
    coordinate of joint b [N·m or N]; that on the coordinate of joint a is −ratio times as large.
    """

    dims = (2, 3)
    equations = 1
    nonholonomic = (0,)
    attachment = "joints"
    kernel = evaluate

    ratio: float

    @classmethod
    def samples(cls, dim):
        return [cls(ratio=-0.5), cls(ratio=2.0)]

    def check(self, name):
        what = f"joint '{name}': the ratio"
        if abs(number(self.ratio, what)) < SMALLEST:
            raise DescriptionError(f"{what} must not be zero, got {self.ratio}. To hold a joint still use Rigid or Fixed in its place.")

    def check_attachment(self, what, joint, m):
        if joint.a == joint.b:
            raise DescriptionError(f"{what}: it must couple two joints, got '{joint.a}' twice. Give two different joints.")
        for name in joint.through:
            check_coupled(what, name, m)

    def elements(self, a, b, c, d, dim):  # pyright: ignore[reportIncompatibleMethodOverride]
        return [*_elements(a, b, dim), *_elements(c, d, dim)]

    def parameters(self, a, b, c, d, dim):  # pyright: ignore[reportIncompatibleMethodOverride]
        return [self.ratio, float(a.motion in SLIDING), float(c.motion in SLIDING)]


def check_coupled(what, name, m):
    """Raise a DescriptionError if the joint of that name has no coordinate that a gear could hold on to."""
    kind = m.joints[name].kind
    if kind.motion not in SLIDING + TURNING:
        fitting = "Pin or Slider" if m.planar else "Revolute, Cylindrical, Helical or Prismatic"
        raise DescriptionError(
            f"{what}: it couples joints that turn about one axis, or slide along one, but '{name}' is {type(kind).__name__}. "
            f"Name another, or make it {fitting}."
        )


def _elements(a, b, dim):
    """Of a joint, by its markers."""
    if a.motion in SLIDING:
        return [a.direction(a.axis), a.point(), b.point()]
    e1, e2 = (E1, E2) if dim == 2 else triad(a.axis).T[:2]
    return [a.direction(e1), a.direction(e2), b.direction(e1)]
