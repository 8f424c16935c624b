"""Rolling wheel: a round wheel of b touches a line of a and does not slip on it. One equation of positions, one of velocities."""

from ..mechanism.registry import register_joint
from ..mechanism.vectors import E1, E2, PlanarAxis, number, planar_axis
from .kind import JointKind
from .rolling_disc import evaluate


@register_joint
class RollingWheel(JointKind, frozen=True, tag="rolling_wheel"):
    """A wheel of b (``radius`` [m], its centre at the joint's point of b) rolls on a line of a.

    The line passes through the joint's point of a (so give ``at_a`` and ``at_b``, or frames) and runs along ``direction``; the wheel is on
    its left. a may move. The contact is bilateral. In the plane, rolling could be said with positions, s + R θ = constant; it is said with
    velocities, so that no turns are counted and any described angle is right. Multipliers: normal force and friction, of a on b [N].
    """

    dims = (2,)
    equations = 2
    nonholonomic = (1,)
    in_plane = ("direction",)
    kernel = evaluate  # the equations of a disc, in the plane

    radius: float
    direction: PlanarAxis = None  #: None: along the first axis of the plane

    @classmethod
    def samples(cls, dim):
        return [cls(radius=0.4), cls(radius=0.3, direction=0.7), cls(radius=0.2, direction=(1.0, -2.0))]

    def check(self, name):
        number(self.radius, f"joint '{name}': the radius", positive=True)
        self.axis_vector(name)

    def axis_vector(self, name=""):
        return planar_axis(self.direction, f"joint '{name}': the direction")[0]

    def elements(self, a, b, dim):
        t, n = planar_axis(self.direction, "the direction of the line")
        return [a.point(), a.direction(t), a.direction(n), b.point(), b.direction(E1), b.direction(E2)]

    def parameters(self, a, b, dim):
        return [self.radius]
