"""Torque on a body, or between two, given over time."""

import math
from typing import Any

import msgspec

from ..errors import DescriptionError
from ..kernels.lazy import entry, helper
from ..kernels.pointers import at
from ..mechanism.functions import Harmonic, as_function
from ..mechanism.registry import register_force
from .kind import ForceKind
from .point_force import check_axes, components
from .primitives import cross_entry, force_arrays, parameters, tangent_arrays, total_power, turn, write_outputs

__all__ = ["Torque"]


@helper
def world_torque(ctx, f, x, dim):
    """τ in world axes; in body axes τ = Σ τ_i d_i over the three directions of a."""
    value = at(ctx.signal, 3 * ctx.force_s[f])
    if dim == 2:
        return 0.0, 0.0, value[0]
    if parameters(ctx, f)[0] == 0.0:
        return value[0], value[3], value[6]
    tx, ty, tz = 0.0, 0.0, 0.0
    for i in range(3):
        tx += value[3 * i] * x[3 * i]
        ty += value[3 * i] * x[3 * i + 1]
        tz += value[3 * i] * x[3 * i + 2]
    return tx, ty, tz


@helper
def weight(k, n, dim):
    """Share of the torque on direction k of n: ½ on each of three, 1 on the only one in the plane; negative on a if there is a b."""
    sides = 1 if dim == 2 else 3
    share = 1.0 if dim == 2 else 0.5
    return -share if n > sides and k < sides else share


@entry
def evaluate(ctx, first, last):
    """F = ½ τ × d on each of three directions per body, F = τ d⊥ on one in the plane; power Σ F · ḋ = τ · ω, applied."""
    dim = ctx.count.dim
    for f in range(first, last):
        x, xd, F, n = force_arrays(ctx, f, dim)
        tx, ty, tz = world_torque(ctx, f, x, dim)
        for k in range(n):
            share = weight(k, n, dim)
            turn(x, F, k, dim, share * tx, share * ty, share * tz)
        output = tz if dim == 2 else math.sqrt(tx * tx + ty * ty + tz * tz)
        write_outputs(ctx, f, 0.0, 0.0, 0.0, total_power(xd, F, dim * n), output)


@entry
def tangent(ctx, first, last):
    """F_k = w τ × d_k: −∂F_k/∂d_k = −w [τ], and in body axes, where ∂τ/∂d_j = τ_j I, −∂F_k/∂d_j = w τ_j [d_k] besides."""
    dim = ctx.count.dim
    for f in range(first, last):
        x, _, K, _, width = tangent_arrays(ctx, f, dim)
        n = width // dim
        tx, ty, tz = world_torque(ctx, f, x, dim)
        value = at(ctx.signal, 3 * ctx.force_s[f])
        follows = dim == 3 and parameters(ctx, f)[0] != 0.0
        for k in range(n):
            share = weight(k, n, dim)
            for i in range(dim):
                row = at(K, (dim * k + i) * width)
                for j in range(dim):
                    row[dim * k + j] -= share * cross_entry(tx, ty, tz, i, j)
                    if follows:
                        for m in range(3):
                            row[3 * m + j] += share * value[3 * m] * cross_entry(x[3 * k], x[3 * k + 1], x[3 * k + 2], i, j)


@register_force
class Torque(ForceKind, frozen=True, tag="torque"):
    """``torque`` [N·m]: a number, table or function of time in the plane (positive from the first axis to the second), three in space.

    On one body it acts from the ground on a; between two bodies, or in a joint, it acts on b and its opposite on a. ``axes`` is
    'world', or 'body' for components along the axes of a (of the frame a, if it is one). Output: torque; in space its magnitude [N·m].
    """

    dims = (2, 3)
    kernel = evaluate
    tangent = tangent
    attachment = "any"
    placed = False

    torque: Any
    axes: str = "world"

    def __post_init__(self) -> None:
        vectorial = isinstance(self.torque, list | tuple) or hasattr(self.torque, "shape")
        if vectorial and len(self.torque) == 3:
            value = components(self.torque, "Torque.torque")
        else:
            value = as_function(self.torque, "Torque.torque")
        msgspec.structs.force_setattr(self, "torque", value)

    @classmethod
    def samples(cls, dim):
        wave = Harmonic(amplitude=2.0, frequency=0.7, phase=0.3)
        return [cls(torque=wave)] if dim == 2 else [cls(torque=(1.0, wave, -3.0)), cls(torque=(1.0, wave, -3.0), axes="body")]

    def check(self, name):
        check_axes(self.axes, name)

    def check_attachment(self, what, force, m):
        super().check_attachment(what, force, m)
        if m.planar and isinstance(self.torque, tuple):
            raise DescriptionError(f"{what}: the mechanism is planar, but the torque has 3 components. Give one.")
        if not m.planar and not isinstance(self.torque, tuple):
            raise DescriptionError(f"{what}: the mechanism is spatial, but the torque has 1 component. Give three.")

    def elements(self, a, b=None, dim=3):
        sides = [a] if b is None else [a, b]
        return [point for side in sides for point in side.own_directions(dim)[: 1 if dim == 2 else 3]]

    def parameters(self, a, b=None, dim=3):
        return [1.0 if self.axes == "body" else 0.0]

    def signals(self, dim):
        return list(self.torque) if isinstance(self.torque, tuple) else [self.torque]
