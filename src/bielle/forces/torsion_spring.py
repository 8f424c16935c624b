"""Torsion spring and damper about an axis."""

from typing import Any

import msgspec

from ..errors import DescriptionError
from ..kernels.functions import evaluate_function
from ..kernels.lazy import entry
from ..mechanism.functions import Polynomial
from ..mechanism.registry import register_force
from ..mechanism.vectors import number
from .curves import integrate_function
from .hinge import Axis, Hinge, add_tangent, apply_torque, hinge
from .kind import ForceKind
from .primitives import force_arrays, parameters, tangent_arrays, write_outputs

__all__ = ["TorsionSpring"]


@entry
def evaluate(ctx, first, last):
    """F = −T ∂θ/∂x with T = characteristic(θ − θ₀) + c θ̇: the torque −T on b about the axis, and T on a."""
    dim, force_s = ctx.count.dim, ctx.force_s
    for f in range(first, last):
        x, xd, F, _ = force_arrays(ctx, f, dim)
        p, curve = parameters(ctx, f), force_s[f]
        angle, rate, s, c, _, _ = hinge(ctx, f, x, xd, dim)
        torque = evaluate_function(ctx, curve, angle - p[0]) + p[1] * rate
        apply_torque(x, F, dim, s, c, -torque)
        write_outputs(ctx, f, integrate_function(ctx, curve, angle - p[0]), p[1] * rate * rate, 0.0, 0.0, torque)


@entry
def tangent(ctx, first, last):
    """See :func:`bielle.forces.hinge.add_tangent`."""
    dim, force_s, signal = ctx.count.dim, ctx.force_s, ctx.signal
    for f in range(first, last):
        x, xd, K, C, _ = tangent_arrays(ctx, f, dim)
        p, curve = parameters(ctx, f), force_s[f]
        state = hinge(ctx, f, x, xd, dim)
        torque = evaluate_function(ctx, curve, state[0] - p[0]) + p[1] * state[1]
        add_tangent(x, xd, K, C, dim, state, -torque, signal[3 * curve + 1], p[1])


@register_force
class TorsionSpring(Hinge, ForceKind, frozen=True, tag="torsion_spring"):  # pyright: ignore[reportGeneralTypeIssues]
    """Torque −k (θ − θ₀) − c θ̇ on b about the axis, and its opposite on a; θ is the angle of b relative to a, over many turns.

    stiffness       k [N·m/rad]
    damping         c [N·m·s/rad]
    angle           free angle θ₀ [rad]; None: that of the described configuration
    characteristic  torque over θ − θ₀, in place of k: a table, polynomial or callable [N·m]
    axis            None: the joint's, or the plane's normal

    A callable's energy is integrated numerically (see :mod:`bielle.forces.curves`). Output: k (θ − θ₀) + c θ̇ [N·m].
    """

    kernel = evaluate
    tangent = tangent
    curves = ("characteristic",)

    stiffness: float = 0.0
    damping: float = 0.0
    angle: float | None = None
    characteristic: Any = None
    axis: Axis | None = None

    @property
    def conservative(self) -> bool:
        return self.damping == 0.0

    @classmethod
    def samples(cls, dim):
        axis = None if dim == 2 else (1.0, 2.0, 2.0)
        hardening = Polynomial(coefficients=(0.0, 3.0, 0.5, 2.0))
        return [cls(stiffness=20.0, damping=0.5, axis=axis), cls(characteristic=hardening, damping=0.2, angle=-0.4, axis=axis)]

    def check(self, name):
        super().check(name)
        what = f"force '{name}'"
        number(self.stiffness, f"{what}: the stiffness")
        number(self.damping, f"{what}: the damping")
        if self.angle is not None:
            number(self.angle, f"{what}: the free angle")
        if self.characteristic is not None and self.stiffness != 0.0:
            raise DescriptionError(f"{what}: characteristic replaces stiffness, got both. Leave one out.")

    def turned_back(self, angle):
        return self if self.angle is None else msgspec.structs.replace(self, angle=self.angle - angle)

    def resolved(self, a, b=None, dim=3):
        return msgspec.structs.replace(self, angle=self.parameters(a, b, dim)[0])

    def parameters(self, a, b=None, dim=3):
        return [self.described_angle(a, b, dim) if self.angle is None else self.angle, self.damping]

    def characteristics(self, dim):
        return [Polynomial(coefficients=(0.0, self.stiffness)) if self.characteristic is None else self.characteristic]
