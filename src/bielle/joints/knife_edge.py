"""Knife edge: a point of b may move, relative to a, along a blade fixed to b, but not across it. One equation, of velocities."""

import math

from ..kernels.lazy import entry
from ..mechanism.registry import register_joint
from ..mechanism.vectors import axis as unit_axis
from ..mechanism.vectors import planar_axis, triad
from .kind import Axis, JointKind
from .primitives import joint_arrays
from .slip import add, carried, cross, dot, lift, put, refuse_parallel


@entry
def evaluate(ctx, first, last):
    """m·w = 0, m = n × t/|n × t|, w the velocity of P_b relative to a's material there; elements P_a, e1_a … (the last is n), P_b, t_b.

    In the plane n is the plane's normal. With c = n × t: ṁ = (ċ − m (m·ċ))/|c|.
    """
    dim = ctx.count.dim
    for j in range(first, last):
        x, xd, G, phi, gamma, _ = joint_arrays(ctx, j, dim)
        n, n_dot = (0.0, 0.0, 1.0), (0.0, 0.0, 0.0)
        if dim == 3:
            n, n_dot = lift(x, 3, 3), lift(xd, 3, 3)
        t, t_dot = lift(x, dim + 2, dim), lift(xd, dim + 2, dim)
        c = cross(n, t)
        size = math.sqrt(dot(c, c))
        m = (c[0] / size, c[1] / size, c[2] / size)
        c_dot = add(cross(n_dot, t), 1.0, cross(n, t_dot))
        across = add(c_dot, -dot(m, c_dot), m)
        m_dot = (across[0] / size, across[1] / size, across[2] / size)
        p, u = lift(x, dim + 1, dim), lift(xd, dim + 1, dim)
        phi[0] = 0.0
        put(G, 0, dim + 1, dim, 1.0, m)
        gamma[0] = carried(x, xd, G, 0, dim, m, m_dot, p, u, u)


@register_joint
class KnifeEdge(JointKind, frozen=True, tag="knife_edge"):
    """The joint's point of b moves over a only along the blade ``axis``, which belongs to b: a skate, a sail's keel, a trailer's wheels.

    The direction that is barred is normal × blade, to the left of the blade. In space ``normal`` is the normal of the surface of a on which
    the blade stands, and the blade must not be upright on it; the point may leave the surface, where a point on a plane usually keeps it.
    In the plane the normal is that of the plane, whatever ``normal`` says. The joint's point of a does not matter. The multiplier is the
    force [N] of a on b to the left of the blade.
    """

    dims = (2, 3)
    equations = 1
    nonholonomic = (0,)
    in_plane = ("axis",)
    kernel = evaluate

    axis: str | float | tuple[float, ...] | None = None  #: None: x, or the first axis of the plane
    normal: Axis = "z"

    @classmethod
    def samples(cls, dim):
        return [cls(), cls(axis=(1.0, -2.0) if dim == 2 else (1.0, 2.0, -0.5), normal=(1.0, -2.0, 2.0))]

    def check(self, name):
        super().check(name)
        unit_axis(self.normal, f"joint '{name}': the normal")

    def axis_vector(self, name=""):
        what = f"joint '{name}': the axis" if name else "the axis"
        if self.axis is None or isinstance(self.axis, str) or (isinstance(self.axis, tuple) and len(self.axis) == 3):
            return self._blade(what)
        return planar_axis(self.axis, what)[0]

    def _blade(self, what="the axis"):
        """Its direction in space."""
        return unit_axis("x" if self.axis is None else self.axis, what)

    def check_placed(self, a, b, dim):
        if dim == 3:
            normal, blade = unit_axis(self.normal, "the normal"), self._blade()
            refuse_parallel(a.axes @ normal, b.axes @ blade, "the blade stands upright on its surface")

    def elements(self, a, b, dim):
        if dim == 2:
            blade, _ = planar_axis(self.axis, "the axis")
            surface = triad(unit_axis("z", "the normal"))[:, :2]
        else:
            blade, surface = self._blade(), triad(unit_axis(self.normal, "the normal"))
        return [a.point(), *(a.direction(e) for e in surface.T), b.point(), b.direction(blade)]
