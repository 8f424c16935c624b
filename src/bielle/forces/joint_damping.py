"""Viscous damping of the relative rotation, and of the relative translation, of two bodies."""

import math

from ..errors import DescriptionError
from ..kernels.lazy import entry, helper
from ..mechanism.registry import register_force
from ..mechanism.vectors import number
from .kind import ForceKind
from .primitives import cross_entry, force_arrays, parameters, tangent_arrays, turn, write_outputs

__all__ = ["JointDamping"]


@helper
def relative_turning(x, xd, dim):
    """Ω = ω_b − ω_a = Σ ± ½ d × ḋ over ``dim`` directions of a and as many of b; (0, 0, Ω) in the plane."""
    wx, wy, wz = 0.0, 0.0, 0.0
    for k in range(2 * dim):
        half = -0.5 if k < dim else 0.5
        d, u = dim * k, dim * k
        wz += half * (x[d] * xd[u + 1] - x[d + 1] * xd[u])
        if dim == 3:
            wx += half * (x[d + 1] * xd[u + 2] - x[d + 2] * xd[u + 1])
            wy += half * (x[d + 2] * xd[u] - x[d] * xd[u + 2])
    return wx, wy, wz


@helper
def sliding(x, xd, r, dim):
    """Rate of u_r = d_r · (x_b − x_a): the r-th component of the relative velocity as an observer on a sees it."""
    a, b, rate = 2 * dim * dim, (2 * dim + 1) * dim, 0.0
    for i in range(dim):
        rate += xd[dim * r + i] * (x[b + i] - x[a + i]) + x[dim * r + i] * (xd[b + i] - xd[a + i])
    return rate


@helper
def slope(x, r, k, i, dim):
    """∂u_r/∂x of component i of element k; bilinear in x, so that its rate is the slope at ẋ."""
    if k == r:
        return x[(2 * dim + 1) * dim + i] - x[2 * dim * dim + i]
    if k == 2 * dim:
        return -x[dim * r + i]
    if k == 2 * dim + 1:
        return x[dim * r + i]
    return 0.0


@entry
def evaluate(ctx, first, last):
    """Torque −c Ω on b and c Ω on a; −c_t u̇_r ∂u_r/∂x for the translation. Elements: directions of a, of b, and P_a, P_b if c_t ≠ 0."""
    dim = ctx.count.dim
    for f in range(first, last):
        x, xd, F, n = force_arrays(ctx, f, dim)
        p = parameters(ctx, f)
        wx, wy, wz = relative_turning(x, xd, dim)
        for k in range(2 * dim):
            half = (0.5 if k < dim else -0.5) * p[0]
            turn(x, F, k, dim, half * wx, half * wy, half * wz)
        square = wx * wx + wy * wy + wz * wz
        power = p[0] * square
        if n > 2 * dim:
            for i in range(2 * dim):
                F[2 * dim * dim + i] = 0.0
            for r in range(dim):
                rate = sliding(x, xd, r, dim)
                power += p[1] * rate * rate
                for k in range(n):
                    for i in range(dim):
                        F[dim * k + i] -= p[1] * rate * slope(x, r, k, i, dim)
        output = p[0] * wz if dim == 2 else p[0] * math.sqrt(square)
        write_outputs(ctx, f, 0.0, power, 0.0, 0.0, output)


@entry
def tangent(ctx, first, last):
    """Rotation, with σ = −1 on a and 1 on b: C = ¼ c σ_k σ_j ((d_k · d_j) I − d_j d_kᵀ) and
    K = ¼ c σ_k σ_j (ḋ_j d_kᵀ − (d_k · ḋ_j) I) + ½ c σ_k [Ω] (the last for k = j). Translation, with g = ∂u/∂x and H = ∂²u/∂x²:
    C = c_t g gᵀ and K = c_t (g (H ẋ)ᵀ + u̇ H), summed over the components.
    """
    dim = ctx.count.dim
    for f in range(first, last):
        x, xd, K, C, width = tangent_arrays(ctx, f, dim)
        p = parameters(ctx, f)
        wx, wy, wz = relative_turning(x, xd, dim)
        for k in range(2 * dim):
            for m in range(2 * dim):
                quarter = 0.25 * p[0] * (1.0 if (k < dim) == (m < dim) else -1.0)
                dot, mixed = 0.0, 0.0
                for i in range(dim):
                    dot += x[dim * k + i] * x[dim * m + i]
                    mixed += x[dim * k + i] * xd[dim * m + i]
                for i in range(dim):
                    for j in range(dim):
                        place = (dim * k + i) * width + dim * m + j
                        one = 1.0 if i == j else 0.0
                        C[place] = quarter * (dot * one - x[dim * m + i] * x[dim * k + j])
                        K[place] = quarter * (xd[dim * m + i] * x[dim * k + j] - mixed * one)
                        if k == m:
                            K[place] += (-0.5 if k < dim else 0.5) * p[0] * cross_entry(wx, wy, wz, i, j)
        if width > 2 * dim * dim:
            for r in range(dim):
                rate = p[1] * sliding(x, xd, r, dim)
                for k in range(2 * dim + 2):
                    for i in range(dim):
                        g, row = p[1] * slope(x, r, k, i, dim), (dim * k + i) * width
                        for m in range(2 * dim + 2):
                            for j in range(dim):
                                C[row + dim * m + j] += g * slope(x, r, m, j, dim)
                                K[row + dim * m + j] += g * slope(xd, r, m, j, dim)
                for i in range(dim):  # H couples d_r with P_a (−1) and P_b (+1)
                    for side in range(2):
                        coupling = -rate if side == 0 else rate
                        d, point = dim * r + i, dim * (2 * dim + side) + i
                        K[d * width + point] += coupling
                        K[point * width + d] += coupling


@register_force
class JointDamping(ForceKind, frozen=True, tag="joint_damping"):
    """Torque −c (ω_b − ω_a) on b and its opposite on a; works in every joint, since only the rotations a joint allows are there to damp.

    coefficient    c [N·m·s/rad]
    translational  [N·s/m], times the relative velocity of the joint's points, as an observer on a sees it, for sliding joints

    Acts in a joint, or between two bodies. Output: c (ω_b − ω_a), in space its magnitude [N·m].
    """

    dims = (2, 3)
    kernel = evaluate
    tangent = tangent
    attachment = "joint"
    placed = False

    coefficient: float = 0.0
    translational: float = 0.0

    @classmethod
    def samples(cls, dim):
        return [cls(coefficient=0.7), cls(coefficient=0.7, translational=3.0)]

    def check(self, name):
        number(self.coefficient, f"force '{name}': the coefficient", nonnegative=True)
        number(self.translational, f"force '{name}': the translational coefficient", nonnegative=True)

    def check_attachment(self, what, force, m):
        super().check_attachment(what, force, m)
        nowhere = [p for p, local in ((force.a, force.at_a), (force.b, force.at_b)) if local is None and p not in m.frames]
        if self.translational != 0.0 and force.joint is None and force.at is None and nowhere:
            raise DescriptionError(
                f"{what}: to damp translation it must know where on '{nowhere[0]}'. Give at, at_a and at_b, frames, or a joint."
            )

    def elements(self, a, b=None, dim=3):
        points = [a.point(), b.point()] if self.translational != 0.0 else []
        return a.own_directions(dim) + b.own_directions(dim) + points

    def parameters(self, a, b=None, dim=3):
        return [self.coefficient, self.translational]
