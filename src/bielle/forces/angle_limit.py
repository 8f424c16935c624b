"""Limits of the angle in a turning joint."""

import math

import msgspec

from ..kernels.lazy import entry
from ..mechanism.registry import register_force
from .hinge import Axis, Hinge, add_tangent, apply_torque, hinge
from .limit import LimitKind, stop
from .primitives import force_arrays, parameters, tangent_arrays, write_outputs

__all__ = ["AngleLimit"]


@entry
def evaluate(ctx, first, last):
    """F = M ∂θ/∂x: the torque M of the stop on b about the axis, and −M on a."""
    dim = ctx.count.dim
    for f in range(first, last):
        x, xd, F, _ = force_arrays(ctx, f, dim)
        angle, rate, s, c, _, _ = hinge(ctx, f, x, xd, dim)
        torque, _, _, energy, dissipated = stop(parameters(ctx, f), angle, rate)
        apply_torque(x, F, dim, s, c, torque)
        write_outputs(ctx, f, energy, dissipated, 0.0, 0.0, torque)


@entry
def tangent(ctx, first, last):
    """See :func:`bielle.forces.hinge.add_tangent`."""
    dim = ctx.count.dim
    for f in range(first, last):
        x, xd, K, C, _ = tangent_arrays(ctx, f, dim)
        state = hinge(ctx, f, x, xd, dim)
        torque, stiffness, damping, _, _ = stop(parameters(ctx, f), state[0], state[1])
        add_tangent(x, xd, K, C, dim, state, torque, stiffness, damping)


@register_force
class AngleLimit(Hinge, LimitKind, frozen=True, kw_only=True, tag="angle_limit"):  # pyright: ignore[reportGeneralTypeIssues]
    """Torque on b about the axis, and its opposite on a, that pushes the angle of b relative to a back to ``lower`` … ``upper`` [rad].

    The angle is zero in the described configuration and counted over many turns, and so may the limits be; see
    :class:`bielle.forces.limit.LimitKind` for the law (stiffness [N·m/rad], damping [s/rad]). Output: torque on b [N·m].
    """

    kernel = evaluate
    tangent = tangent

    axis: Axis | None = None

    def turned_back(self, angle):
        lower, upper = (None if end is None else end - angle for end in (self.lower, self.upper))
        return msgspec.structs.replace(self, lower=lower, upper=upper)

    @classmethod
    def samples(cls, dim):
        """Ranges that no angle within half a turn is in: beyond the upper end, below the lower, and lower only."""
        axis = None if dim == 2 else (1.0, 2.0, 2.0)
        return [
            cls(lower=-6.0, upper=-1.2 * math.pi, stiffness=30.0, damping=0.4, axis=axis),
            cls(lower=1.2 * math.pi, upper=6.0, stiffness=30.0, damping=0.3, axis=axis),
            cls(lower=4.0, stiffness=20.0, axis=axis),
        ]
