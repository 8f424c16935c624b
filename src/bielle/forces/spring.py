"""Spring and damper along the line between a point of a and a point of b."""

import math
from typing import Any

import msgspec
import numpy as np

from ..errors import DescriptionError
from ..kernels.functions import evaluate_function
from ..kernels.lazy import entry, helper
from ..mechanism.functions import Polynomial, Table
from ..mechanism.registry import register_force
from ..mechanism.vectors import number
from .curves import integrate_function
from .kind import ForceKind
from .primitives import force_arrays, parameters, tangent_arrays, write_outputs

__all__ = ["Spring"]

SHORTEST = 1e-12  # [m] below this the direction from a to b is lost in the rounding of coordinates of order one


@helper
def line(x, xd, dim):
    """Length ℓ, its rate, and the unit vector n from a to b, as (ℓ, ℓ̇, nx, ny, nz).

    Where ℓ vanishes, n is any unit vector orthogonal to the relative velocity, so that ℓ̇ = 0 and the damper is silent.
    """
    gx, gy, gz = x[dim] - x[0], x[dim + 1] - x[1], 0.0
    ux, uy, uz = xd[dim] - xd[0], xd[dim + 1] - xd[1], 0.0
    if dim == 3:
        gz, uz = x[5] - x[2], xd[5] - xd[2]
    length = math.sqrt(gx * gx + gy * gy + gz * gz)
    if length > SHORTEST:
        nx, ny, nz = gx / length, gy / length, gz / length
        return length, nx * ux + ny * uy + nz * uz, nx, ny, nz
    # u × e with e the axis u is least along, z in the plane: never small against u
    if dim == 2 or (abs(uz) <= abs(ux) and abs(uz) <= abs(uy)):
        nx, ny, nz = uy, -ux, 0.0
    elif abs(uy) <= abs(ux):
        nx, ny, nz = -uz, 0.0, ux
    else:
        nx, ny, nz = 0.0, uz, -uy
    size = math.sqrt(nx * nx + ny * ny + nz * nz)
    if size == 0.0:
        return length, 0.0, 1.0, 0.0, 0.0
    return length, 0.0, nx / size, ny / size, nz / size


@helper
def law(ctx, f, length, rate):
    """Tension without and of the damper, and their slopes ∂/∂ℓ and ∂/∂ℓ̇."""
    p, signal, s = parameters(ctx, f), ctx.signal, ctx.force_s[f]
    elastic = evaluate_function(ctx, s, length - p[0]) + p[1]
    viscous = evaluate_function(ctx, s + 1, rate)
    return elastic, viscous, signal[3 * s + 1], signal[3 * s + 4]


@entry
def evaluate(ctx, first, last):
    """F_b = −T n, F_a = T n, with T = characteristic(ℓ − ℓ₀) + preload + damper(ℓ̇); elements P_a, P_b.

    Where ℓ vanishes, F_b = −T' (x_b − x_a) − (T − T' ℓ) n: the same, written so that a linear spring without free length has the smooth
    force −k (x_b − x_a), whatever n is.
    """
    dim = ctx.count.dim
    for f in range(first, last):
        x, xd, F, _ = force_arrays(ctx, f, dim)
        length, rate, nx, ny, nz = line(x, xd, dim)
        elastic, viscous, slope, _ = law(ctx, f, length, rate)
        tension = elastic + viscous
        linear = slope if length <= SHORTEST else 0.0
        for i in range(dim):
            n = nx if i == 0 else (ny if i == 1 else nz)
            F[i] = (tension - linear * length) * n + linear * (x[dim + i] - x[i])
            F[dim + i] = -F[i]
        p, s = parameters(ctx, f), ctx.force_s[f]
        elongation = length - p[0]
        write_outputs(ctx, f, integrate_function(ctx, s, elongation) + p[1] * elongation, viscous * rate, 0.0, 0.0, tension)


@entry
def tangent(ctx, first, last):
    """With P = I − n nᵀ and w = P u/ℓ, u the relative velocity: K = T_ℓ n nᵀ + T_ℓ̇ n wᵀ + (T/ℓ) P and C = T_ℓ̇ n nᵀ for b on b.

    Where ℓ vanishes, K = T_ℓ I and C = 0: exact for a linear spring without free length, the direction being undefined for others.
    """
    dim = ctx.count.dim
    for f in range(first, last):
        x, xd, K, C, width = tangent_arrays(ctx, f, dim)
        length, rate, nx, ny, nz = line(x, xd, dim)
        elastic, viscous, slope, damping = law(ctx, f, length, rate)
        for i in range(dim):
            ni = nx if i == 0 else (ny if i == 1 else nz)
            for j in range(dim):
                nj = nx if j == 0 else (ny if j == 1 else nz)
                one = 1.0 if i == j else 0.0
                if length > SHORTEST:
                    turning = (xd[dim + j] - xd[j] - rate * nj) / length
                    k = ni * (slope * nj + damping * turning) + (elastic + viscous) / length * (one - ni * nj)
                    c = damping * ni * nj
                else:
                    k, c = slope * one, 0.0
                for a in range(2):
                    for b in range(2):
                        place = (dim * a + i) * width + dim * b + j
                        K[place] = k if a == b else -k
                        C[place] = c if a == b else -c


@register_force
class Spring(ForceKind, frozen=True, tag="spring"):
    """Tension T = k (ℓ − ℓ₀) + c ℓ̇ + preload, with ℓ the distance between the points.

    stiffness       k [N/m]
    damping         c [N·s/m]
    length          free length ℓ₀ [m]; None: the distance in the described configuration
    characteristic  force over elongation ℓ − ℓ₀, in place of k: a table, polynomial or callable [N]
    damper          force over elongation rate, in place of c [N]
    preload         [N]

    A callable's energy is integrated numerically (see :mod:`bielle.forces.curves`). Output: tension [N].
    """

    dims = (2, 3)
    kernel = evaluate
    tangent = tangent
    curves = ("characteristic", "damper")
    measures = "length"

    stiffness: float = 0.0
    damping: float = 0.0
    length: float | None = None
    characteristic: Any = None
    damper: Any = None
    preload: float = 0.0

    @property
    def conservative(self) -> bool:
        return self.damping == 0.0 and self.damper is None

    @classmethod
    def samples(cls, dim):
        hardening = Table(x=(-2.0, -0.5, 0.0, 0.4, 2.0), y=(-300.0, -20.0, 0.0, 15.0, 260.0))
        return [
            cls(stiffness=100.0, damping=2.0),
            cls(stiffness=100.0, length=0.0),
            cls(characteristic=hardening, damper=Polynomial(coefficients=(0.0, 2.0, 0.0, 0.3)), length=0.3, preload=5.0),
        ]

    def check(self, name):
        what = f"force '{name}'"
        number(self.stiffness, f"{what}: the stiffness")
        number(self.damping, f"{what}: the damping")
        number(self.preload, f"{what}: the preload")
        if self.length is not None:
            number(self.length, f"{what}: the free length", nonnegative=True)
        for given, linear in (("characteristic", "stiffness"), ("damper", "damping")):
            if getattr(self, given) is not None and getattr(self, linear) != 0.0:
                raise DescriptionError(f"{what}: {given} replaces {linear}, got both. Leave one out.")

    def check_attachment(self, what, force, m):
        if force.at is not None:
            raise DescriptionError(
                f"{what}: a spring has two ends, but at is one place. Give at_a and at_b (points in the bodies' own frames), or two frames."
            )
        super().check_attachment(what, force, m)

    def elements(self, a, b=None, dim=3):
        return [a.point(), b.point()]

    def resolved(self, a, b=None, dim=3):
        return msgspec.structs.replace(self, length=self.parameters(a, b, dim)[0])

    def parameters(self, a, b=None, dim=3):
        length = float(np.linalg.norm(b.world - a.world)) if self.length is None else self.length
        return [length, self.preload]

    def characteristics(self, dim):
        elastic = Polynomial(coefficients=(0.0, self.stiffness)) if self.characteristic is None else self.characteristic
        return [elastic, Polynomial(coefficients=(0.0, self.damping)) if self.damper is None else self.damper]
