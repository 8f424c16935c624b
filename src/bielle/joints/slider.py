"""Slider (planar prismatic joint): b slides along a line of a without turning. Two equations."""

from ..kernels.lazy import entry
from ..mechanism.registry import register_joint
from ..mechanism.vectors import PlanarAxis, planar_axis
from .kind import JointKind
from .primitives import in_plane, joint_arrays, perpendicular


@entry
def evaluate(ctx, first, last):
    """n_a · (x_b − x_a) = 0 and n_a · t_b = 0, n normal and t along the line; elements P_a, n_a, P_b, t_b."""
    for j in range(first, last):
        x, xd, G, phi, gamma, width = joint_arrays(ctx, j, 2)
        in_plane(x, xd, G, phi, gamma, width, 0, 1, 0, 2, 2)
        perpendicular(x, xd, G, phi, gamma, width, 1, 1, 3, 2)


@register_joint
class Slider(JointKind, frozen=True, tag="slider"):
    """Planar sliding joint along ``direction``."""

    dims = (2,)
    equations = 2
    motion = "prismatic"
    in_plane = ("direction",)
    kernel = evaluate

    direction: PlanarAxis = None  #: None: along the first axis of the plane

    @classmethod
    def samples(cls, dim):
        return [cls(), cls(direction=0.7), cls(direction=(1.0, -2.0))]

    def check(self, name):
        planar_axis(self.direction, f"joint '{name}': the direction")

    def axis_vector(self, name=""):
        return planar_axis(self.direction, f"joint '{name}': the direction")[0]

    def elements(self, a, b, dim):
        t, n = planar_axis(self.direction, "the direction of a slider")
        return [a.point(), a.direction(n), b.point(), b.direction(t)]
