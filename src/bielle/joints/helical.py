"""Helical joint: a nut on a screw, which advances along the axis as it turns about it. Five equations."""

import math

from ..errors import DescriptionError
from ..kernels.lazy import entry
from ..mechanism.registry import register_joint
from ..mechanism.vectors import number, triad
from .kind import Axis, JointKind
from .primitives import in_plane, joint_arrays, perpendicular, turning, within_half_a_turn

SHORTEST = 1e-12  # [m/turn] a pitch below this is none


@entry
def evaluate(ctx, first, last):
    """The cylindrical joint's four equations and d − h θ = 0, h = pitch/2π; elements P_a, n1_a, n2_a, P_b, z_b, z_a, n1_b.

    d = z_a · (x_b − x_a), and θ is the angle of n1_b in the plane of n1_a and n2_a. atan2 knows it up to whole turns: taken is the angle
    nearest to d/h, so that φ = h (d/h − θ modulo whole turns), which is at most half a pitch. How far b has come tells how often it has
    turned, and nothing has to be remembered.
    """
    param, joint_p = ctx.param, ctx.joint_p
    for j in range(first, last):
        x, xd, G, phi, gamma, width = joint_arrays(ctx, j, 3)
        for n in range(2):
            perpendicular(x, xd, G, phi, gamma, width, n, 1 + n, 4, 3)
            in_plane(x, xd, G, phi, gamma, width, 2 + n, 1 + n, 0, 3, 3)
        h = param[joint_p[j]]
        in_plane(x, xd, G, phi, gamma, width, 4, 5, 0, 3, 3)
        angle, bias = turning(x, xd, G, width, 4, 1, 2, 6, -h, 3)
        phi[4] = h * within_half_a_turn(phi[4] / h - angle)
        gamma[4] -= h * bias


@register_joint
class Helical(JointKind, frozen=True, tag="helical"):
    """Turning about ``axis`` and, in proportion, sliding along it: a screw.

    pitch  advance of b along the axis per turn about it [m/turn]; positive for a right-handed thread

    A thread fits again after a whole turn, or a whole pitch further on. So what is off by more than half a pitch comes together at the
    nearest turn of the thread.
    """

    dims = (3,)
    equations = 5
    motion = "helical"
    kernel = evaluate

    axis: Axis = "z"
    pitch: float = 0.01

    @classmethod
    def samples(cls, dim):
        return [cls(pitch=2.0), cls(axis=(1.0, -2.0, 2.0), pitch=-3.0)]

    def check(self, name):
        super().check(name)
        what = f"joint '{name}': the pitch"
        if isinstance(self.pitch, float) and math.isinf(self.pitch):
            raise DescriptionError(f"{what} must be finite, got {self.pitch}. For what slides without turning use Prismatic.")
        if abs(number(self.pitch, what)) < SHORTEST:
            raise DescriptionError(f"{what} must not be zero, got {self.pitch}. For what turns without sliding use Revolute.")

    def lead(self):
        return self.pitch / (2.0 * math.pi)

    def elements(self, a, b, dim):
        n1, n2, z = triad(self.axis_vector()).T
        return [a.point(), a.direction(n1), a.direction(n2), b.point(), b.direction(z), a.direction(z), b.direction(n1)]

    def parameters(self, a, b, dim):
        return [self.lead()]
