"""Dry friction in a sliding joint."""

from ..kernels.lazy import entry
from ..mechanism.registry import register_force
from ..mechanism.vectors import number
from .friction import friction
from .kind import ForceKind
from .primitives import force_arrays, parameters, tangent_arrays, write_outputs
from .slide import Slide, SlideAxis, add_tangent, apply_force, displacement

__all__ = ["SlideFriction"]


@entry
def evaluate(ctx, first, last):
    """F = N ∂u/∂x with N = −T tanh(u̇/s): the force N t on b, and its opposite on the same line on a."""
    dim = ctx.count.dim
    for f in range(first, last):
        x, xd, F, _ = force_arrays(ctx, f, dim)
        _, rate = displacement(x, xd, dim)
        force, _, dissipated = friction(parameters(ctx, f), rate)
        apply_force(x, F, dim, force)
        write_outputs(ctx, f, 0.0, dissipated, 0.0, 0.0, force)


@entry
def tangent(ctx, first, last):
    """See :func:`bielle.forces.slide.add_tangent`."""
    dim = ctx.count.dim
    for f in range(first, last):
        x, xd, K, C, _ = tangent_arrays(ctx, f, dim)
        _, rate = displacement(x, xd, dim)
        force, damping, _ = friction(parameters(ctx, f), rate)
        add_tangent(x, xd, K, C, dim, force, 0.0, damping)


@register_force
class SlideFriction(Slide, ForceKind, frozen=True, tag="slide_friction"):  # pyright: ignore[reportGeneralTypeIssues]
    """Force −T tanh(u̇/s) on b along the axis, and its opposite on a; u̇ is the rate of u = t · (x_b − x_a), t the axis, fixed in a.

    force  T [N], whatever the load on the slide
    speed  s [m/s]: from about 3 s on the force is T. Below, it is viscous: what friction should hold creeps at s artanh(load/T), and the
           smaller s, the shorter the time m s/T in which what stops comes to rest, and the steps of an explicit integrator
    axis   None: the joint's; otherwise as in :class:`bielle.forces.slide.Slide`

    Output: force on b [N].
    """

    kernel = evaluate
    tangent = tangent

    force: float
    speed: float = 1e-3
    axis: SlideAxis | None = None

    @classmethod
    def samples(cls, dim):
        axis = (3.0, 4.0) if dim == 2 else (1.0, 2.0, 2.0)
        return [cls(force=3.0, speed=0.5, axis=axis), cls(force=2.0, speed=4.0, axis=axis)]

    def check(self, name):
        super().check(name)
        number(self.force, f"force '{name}': the force", nonnegative=True)
        number(self.speed, f"force '{name}': the speed", positive=True)

    def parameters(self, a, b=None, dim=3):
        return [self.force, self.speed]
