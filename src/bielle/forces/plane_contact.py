"""A point of b on a plane of a: a spring and a damper that push, and never pull."""

from ..kernels.lazy import entry, helper
from ..mechanism.registry import register_force
from ..mechanism.vectors import E2, E3, axis, number, planar_axis
from .kind import ForceKind
from .primitives import force_arrays, parameters, tangent_arrays, write_outputs
from .slide import SlideAxis, add_tangent, apply_force, displacement

__all__ = ["PlaneContact"]


@helper
def support(p, height, rate):
    """(force, stiffness = −∂force/∂u, damping = −∂force/∂u̇, energy, dissipated power) of a point at a height above that of a.

    Below it, N = −k u − c u̇, or nothing where that would pull: then what the spring has left is lost, as k |u| u̇.
    """
    k, c, u = p[0], p[1], height - p[2]
    if u >= 0.0:
        return 0.0, 0.0, 0.0, 0.0, 0.0
    force, energy = -k * u - c * rate, 0.5 * k * u * u
    if force <= 0.0:
        return 0.0, 0.0, 0.0, energy, -k * u * rate
    return force, k, c, energy, c * rate * rate


@entry
def evaluate(ctx, first, last):
    """F = N ∂u/∂x: the force N n on the point of b, and its opposite on the same line on a."""
    dim = ctx.count.dim
    for f in range(first, last):
        x, xd, F, _ = force_arrays(ctx, f, dim)
        u, rate = displacement(x, xd, dim)
        force, _, _, energy, dissipated = support(parameters(ctx, f), u, rate)
        apply_force(x, F, dim, force)
        write_outputs(ctx, f, energy, dissipated, 0.0, 0.0, force)


@entry
def tangent(ctx, first, last):
    """See :func:`bielle.forces.slide.add_tangent`."""
    dim = ctx.count.dim
    for f in range(first, last):
        x, xd, K, C, _ = tangent_arrays(ctx, f, dim)
        u, rate = displacement(x, xd, dim)
        force, stiffness, damping, _, _ = support(parameters(ctx, f), u, rate)
        add_tangent(x, xd, K, C, dim, force, stiffness, damping)


@register_force
class PlaneContact(ForceKind, frozen=True, tag="plane_contact"):
    """Force N = −k u − c u̇ on a point of b that is below a plane of a, u = n · (x_b − x_a) − h < 0, along the normal n; never negative.

    stiffness  k [N/m]
    damping    c [N·s/m]; the force jumps where the plane is met at speed, by c times that. :class:`bielle.forces.SlideLimit` does not
    normal     n, fixed in a: 'y', '-x', … or numbers, in world axes of the described configuration; None: the last axis, the second of the
               plane and z in space
    height     h [m] of the plane above the force's point on a

    There is no friction in it. Output: N [N].
    """

    dims = (2, 3)
    in_plane = ("normal",)
    kernel = evaluate
    tangent = tangent

    stiffness: float
    damping: float = 0.0
    normal: SlideAxis | None = None
    height: float = 0.0

    @classmethod
    def samples(cls, dim):
        """Planes higher than anything in the tests."""
        normal = (3.0, 4.0) if dim == 2 else (1.0, 2.0, 2.0)
        return [cls(stiffness=20.0, damping=0.5, height=9.0), cls(stiffness=30.0, damping=0.2, normal=normal, height=8.0)]

    def check(self, name):
        number(self.stiffness, f"force '{name}': the stiffness", positive=True)
        number(self.damping, f"force '{name}': the damping", nonnegative=True)
        number(self.height, f"force '{name}': the height")

    def _normal(self, dim, what="the normal"):
        if self.normal is None:
            return E2 if dim == 2 else E3
        return planar_axis(self.normal, what)[0] if dim == 2 else axis(self.normal, what)

    def check_attachment(self, what, force, m):
        super().check_attachment(what, force, m)
        self._normal(m.dim, f"{what}: the normal")

    def plane(self, a, dim):
        """Point and normal of the plane in the frame of a's body, for whoever draws it."""
        normal = a.basis @ self._normal(dim)
        return a.local + self.height * normal, normal

    def elements(self, a, b=None, dim=3):
        return [a.direction(self._normal(dim)), a.point(), b.point()]

    def parameters(self, a, b=None, dim=3):
        return [self.stiffness, self.damping, self.height]
