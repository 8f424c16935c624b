"""Rolling disc: the rim of a disc of b touches a plane of a and does not slip on it. One equation of positions, two of velocities."""

import math

from ..kernels.lazy import entry
from ..mechanism.registry import register_joint
from ..mechanism.vectors import axis as unit_axis
from ..mechanism.vectors import number, triad
from .kind import Axis, JointKind
from .primitives import joint_arrays
from .slip import add, carried, dot, lift, put, refuse_parallel


@entry
def evaluate(ctx, first, last):
    """n·(c − o) − R s = 0 and, for each tangent t of the plane, t·w = 0 with w the slip of the disc's lowest point on a's material.

    Elements o_a, t_a … n_a, c_b, d1_b, d2_b: a point, the tangents and the normal of the plane; the centre and two orthonormal directions
    in the disc. With α_i = n·d_i and s = √(α₁² + α₂²) the lowest point of the rim is p = c − R Σ β_i d_i, β_i = α_i/s. (In space
    s = √(1 − (n·e)²), e the axis of the disc; in the plane s = 1.) The material there moves at u = ċ − R Σ β_i ḋ_i, whereas
    ṗ = u − R Σ β̇_i d_i. Second rates with ẍ = 0: α̈_i = 2 ṅ·ḋ_i and s s̈ = Σ (α̇_i² + α_i α̈_i) − ṡ².
    """
    dim = ctx.count.dim
    param, joint_p = ctx.param, ctx.joint_p
    for j in range(first, last):
        x, xd, G, phi, gamma, width = joint_arrays(ctx, j, dim)
        radius = param[joint_p[j]]
        o, n, c, d1, d2 = lift(x, 0, dim), lift(x, dim, dim), lift(x, dim + 1, dim), lift(x, dim + 2, dim), lift(x, dim + 3, dim)
        o_dot, n_dot, c_dot = lift(xd, 0, dim), lift(xd, dim, dim), lift(xd, dim + 1, dim)
        d1_dot, d2_dot = lift(xd, dim + 2, dim), lift(xd, dim + 3, dim)
        a1, a2 = dot(n, d1), dot(n, d2)
        a1_dot, a2_dot = dot(n_dot, d1) + dot(n, d1_dot), dot(n_dot, d2) + dot(n, d2_dot)
        s = math.sqrt(a1 * a1 + a2 * a2)
        s_dot = (a1 * a1_dot + a2 * a2_dot) / s
        squares = a1_dot * a1_dot + a2_dot * a2_dot + 2.0 * (a1 * dot(n_dot, d1_dot) + a2 * dot(n_dot, d2_dot))
        s_ddot = (squares - s_dot * s_dot) / s
        b1, b2 = a1 / s, a2 / s
        b1_dot, b2_dot = (a1_dot - b1 * s_dot) / s, (a2_dot - b2 * s_dot) / s
        p = add(add(c, -radius * b1, d1), -radius * b2, d2)
        u = add(add(c_dot, -radius * b1, d1_dot), -radius * b2, d2_dot)
        p_dot = add(add(u, -radius * b1_dot, d1), -radius * b2_dot, d2)
        # the rim touches the plane
        phi[0] = dot(n, add(c, -1.0, o)) - radius * s
        put(G, 0, 0, dim, -1.0, n)
        put(G, 0, dim, dim, 1.0, add(p, -1.0, o))
        put(G, 0, dim + 1, dim, 1.0, n)
        put(G, 0, dim + 2, dim, -radius * b1, n)
        put(G, 0, dim + 3, dim, -radius * b2, n)
        gamma[0] = 2.0 * dot(n_dot, add(c_dot, -1.0, o_dot)) - radius * s_ddot
        # and does not slip
        for k in range(1, dim):
            t, t_dot, row = lift(x, k, dim), lift(xd, k, dim), k * width
            phi[k] = 0.0
            put(G, row, dim + 1, dim, 1.0, t)
            put(G, row, dim + 2, dim, -radius * b1, t)
            put(G, row, dim + 3, dim, -radius * b2, t)
            turning = b1_dot * dot(t, d1_dot) + b2_dot * dot(t, d2_dot)
            gamma[k] = carried(x, xd, G, row, dim, t, t_dot, p, p_dot, u) - radius * turning


@register_joint
class RollingDisc(JointKind, frozen=True, tag="rolling_disc"):
    """A disc of b (a thin rim of ``radius`` [m] about ``axis``, its centre at the joint's point of b) rolls on a plane of a.

    The plane passes through the joint's point of a (so give ``at_a`` and ``at_b``, or frames) and has the normal ``normal``, on whose side
    the disc is. a may move. The contact is bilateral: it holds the disc down as well. The disc may be at any inclination but flat on the
    plane, where its lowest point is not unique. Multipliers: the normal force, and the two components of the friction force, of a on b [N].
    """

    dims = (3,)
    equations = 3
    nonholonomic = (1, 2)
    kernel = evaluate

    radius: float
    axis: Axis = "y"
    normal: Axis = "z"

    @classmethod
    def samples(cls, dim):
        return [cls(radius=0.4), cls(radius=0.3, axis=(1.0, 2.0, -0.5), normal=(1.0, -2.0, 2.0))]

    def check(self, name):
        super().check(name)
        number(self.radius, f"joint '{name}': the radius", positive=True)
        unit_axis(self.normal, f"joint '{name}': the normal")

    def check_placed(self, a, b, dim):
        normal, axle = unit_axis(self.normal, "the normal"), self.axis_vector()
        refuse_parallel(a.axes @ normal, b.axes @ axle, "the disc lies flat on the plane")

    def elements(self, a, b, dim):
        plane, disc = triad(unit_axis(self.normal, "the normal")), triad(self.axis_vector())
        return [a.point(), *(a.direction(e) for e in plane.T), b.point(), b.direction(disc[:, 0]), b.direction(disc[:, 1])]

    def parameters(self, a, b, dim):
        return [self.radius]
