"""Limits of the displacement in a sliding joint."""

from ..kernels.lazy import entry
from ..mechanism.registry import register_force
from .limit import LimitKind, stop
from .primitives import force_arrays, parameters, tangent_arrays, write_outputs
from .slide import Slide, SlideAxis, add_tangent, apply_force, displacement

__all__ = ["SlideLimit"]


@entry
def evaluate(ctx, first, last):
    """F = N ∂u/∂x: the force N t of the stop on b, and its opposite on the same line on a."""
    dim = ctx.count.dim
    for f in range(first, last):
        x, xd, F, _ = force_arrays(ctx, f, dim)
        u, rate = displacement(x, xd, dim)
        force, _, _, energy, dissipated = stop(parameters(ctx, f), u, rate)
        apply_force(x, F, dim, force)
        write_outputs(ctx, f, energy, dissipated, 0.0, 0.0, force)


@entry
def tangent(ctx, first, last):
    """See :func:`bielle.forces.slide.add_tangent`."""
    dim = ctx.count.dim
    for f in range(first, last):
        x, xd, K, C, _ = tangent_arrays(ctx, f, dim)
        u, rate = displacement(x, xd, dim)
        force, stiffness, damping, _, _ = stop(parameters(ctx, f), u, rate)
        add_tangent(x, xd, K, C, dim, force, stiffness, damping)


@register_force
class SlideLimit(Slide, LimitKind, frozen=True, kw_only=True, tag="slide_limit"):  # pyright: ignore[reportGeneralTypeIssues]
    """Force on b along the axis, and its opposite on a, that pushes u = t · (x_b − x_a) back between ``lower`` and ``upper`` [m].

    In a joint, axis and points are the joint's; see :class:`bielle.forces.slide.Slide` for ``axis``, and
    :class:`bielle.forces.limit.LimitKind` for the law (stiffness [N/m], damping [s/m]). Output: force on b [N].
    """

    kernel = evaluate
    tangent = tangent

    axis: SlideAxis | None = None

    @classmethod
    def samples(cls, dim):
        """Ranges further away than anything in the tests: beyond the upper end, below the lower, and lower only."""
        axis = (3.0, 4.0) if dim == 2 else (1.0, 2.0, 2.0)
        return [
            cls(lower=-9.0, upper=-5.0, stiffness=30.0, damping=0.2, axis=axis),
            cls(lower=5.0, upper=9.0, stiffness=30.0, damping=0.2, axis=axis),
            cls(lower=4.0, stiffness=20.0, axis=axis),
        ]
