"""Motor in a sliding joint: a force that makes the displacement along an axis, or its speed, follow a target."""

from ..kernels.lazy import entry
from ..mechanism.functions import Harmonic
from ..mechanism.registry import register_force
from .drive import DriveKind, control
from .primitives import force_arrays, tangent_arrays, write_outputs
from .slide import Slide, SlideAxis, add_tangent, apply_force, displacement

__all__ = ["LinearMotor"]


@entry
def evaluate(ctx, first, last):
    """F = N ∂u/∂x: the force N t on b, and its opposite on the same line on a. Power N u̇, of drives."""
    dim = ctx.count.dim
    for f in range(first, last):
        x, xd, F, _ = force_arrays(ctx, f, dim)
        u, rate = displacement(x, xd, dim)
        force, _, _ = control(ctx, f, u, rate)
        apply_force(x, F, dim, force)
        write_outputs(ctx, f, 0.0, 0.0, force * rate, 0.0, force)


@entry
def tangent(ctx, first, last):
    """See :func:`bielle.forces.slide.add_tangent`."""
    dim = ctx.count.dim
    for f in range(first, last):
        x, xd, K, C, _ = tangent_arrays(ctx, f, dim)
        u, rate = displacement(x, xd, dim)
        force, stiffness, damping = control(ctx, f, u, rate)
        add_tangent(x, xd, K, C, dim, force, stiffness, damping)


@register_force
class LinearMotor(Slide, DriveKind, frozen=True, tag="linear_motor"):  # pyright: ignore[reportGeneralTypeIssues]
    """Force on b along the axis, and its opposite on a, that makes u = t · (x_b − x_a) follow ``target`` [m], t the axis, fixed in a.

    In a joint, axis and points are the joint's; see :class:`bielle.forces.slide.Slide` for ``axis``, and
    :class:`bielle.forces.drive.DriveKind` for the law (target [m] or [m/s], stiffness [N/m], damping [N·s/m], feedforward and limit
    [N]). With a constant target it is a spring and damper along the axis. Output: force [N].
    """

    kernel = evaluate
    tangent = tangent

    axis: SlideAxis | None = None

    @classmethod
    def samples(cls, dim):
        axis = (3.0, 4.0) if dim == 2 else (1.0, 2.0, 2.0)
        wave = Harmonic(amplitude=2.0, frequency=0.7, phase=0.3)
        return [
            cls(target=wave, stiffness=30.0, damping=2.0, feedforward=1.0, axis=axis),
            cls(target=3.0, stiffness=30.0, damping=2.0, limit=80.0, axis=axis),
            cls(target=wave, damping=4.0, control="speed", axis=axis),
        ]
