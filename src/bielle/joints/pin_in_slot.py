"""Pin in a slot: a point of b stays on a line of a and may turn. One equation."""

from ..kernels.lazy import entry
from ..mechanism.registry import register_joint
from ..mechanism.vectors import PlanarAxis, planar_axis
from .kind import JointKind
from .primitives import in_plane, joint_arrays


@entry
def evaluate(ctx, first, last):
    """n_a · (x_b − x_a) = 0, n normal to the slot; elements P_a, n_a, P_b."""
    for j in range(first, last):
        x, xd, G, phi, gamma, width = joint_arrays(ctx, j, 2)
        in_plane(x, xd, G, phi, gamma, width, 0, 1, 0, 2, 2)


@register_joint
class PinInSlot(JointKind, frozen=True, tag="pin_in_slot"):
    """Planar point-on-line joint; the slot belongs to a and runs along ``direction``."""

    dims = (2,)
    equations = 1
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
        _, n = planar_axis(self.direction, "the direction of a slot")
        return [a.point(), a.direction(n), b.point()]
