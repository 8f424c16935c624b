"""The equations joints are made of. Nearly all spatial joints are combinations of three of them:

coincide       x_b − x_a = 0            three rows
perpendicular  d · e = 0                one row, d and e directions of different bodies
in_plane       n · (x_b − x_a) = 0      one row, n a direction

Screws and imposed rotations have an angle in their equations, which is no equation of its own:

turning        θ                        of a direction u of b in the plane of two directions e1, e2 of a
"""

import math

from ..kernels.lazy import helper
from ..kernels.pointers import at


@helper
def joint_arrays(ctx, j, dim):
    """(x, ẋ, G, φ, γ) of joint j, and the width dim · elements of G."""
    joint_e, c = ctx.joint_e, ctx.joint_c[j]
    e = joint_e[j]
    width = dim * (joint_e[j + 1] - e)
    x, xd = at(ctx.x, dim * e), at(ctx.x_dot, dim * e)
    G = at(ctx.g, ctx.joint_g[j])
    return x, xd, G, at(ctx.phi, c), at(ctx.gamma, c), width


@helper
def coincide(x, xd, G, phi, gamma, width, row, a, b, dim):
    """φ = x_b − x_a, rows ``row … row + dim``."""
    for n in range(dim):
        phi[row + n] = x[dim * b + n] - x[dim * a + n]
        G[(row + n) * width + dim * a + n] = -1.0
        G[(row + n) * width + dim * b + n] = 1.0
        gamma[row + n] = 0.0


@helper
def perpendicular(x, xd, G, phi, gamma, width, row, d, e, dim):
    """φ = x_d · x_e, both directions; φ̈ = ẍ_d·x_e + x_d·ẍ_e + 2 ẋ_d·ẋ_e."""
    value, bias = 0.0, 0.0
    for n in range(dim):
        value += x[dim * d + n] * x[dim * e + n]
        bias += 2.0 * xd[dim * d + n] * xd[dim * e + n]
        G[row * width + dim * d + n] = x[dim * e + n]
        G[row * width + dim * e + n] = x[dim * d + n]
    phi[row] = value
    gamma[row] = bias


@helper
def in_plane(x, xd, G, phi, gamma, width, row, n, a, b, dim):
    """φ = x_n · (x_b − x_a), n a direction, a and b points."""
    value, bias = 0.0, 0.0
    for i in range(dim):
        gap = x[dim * b + i] - x[dim * a + i]
        value += x[dim * n + i] * gap
        bias += 2.0 * xd[dim * n + i] * (xd[dim * b + i] - xd[dim * a + i])
        G[row * width + dim * n + i] = gap
        G[row * width + dim * a + i] = -x[dim * n + i]
        G[row * width + dim * b + i] = x[dim * n + i]
    phi[row] = value
    gamma[row] = bias


@helper
def turning(x, xd, G, width, row, e1, e2, u, factor, dim):
    """θ = atan2(d, c), c = u·e1, d = u·e2, and what θ̈ contains besides ∂θ/∂x ẍ; ``factor`` times ∂θ/∂x is written to G.

    With ρ² = c² + d² (one if u lies in the plane of e1 and e2):

        θ̇ = (c ḋ − d ċ)/ρ²,   θ̈ = (c d̈ − d c̈)/ρ² − 2 θ̇ (c ċ + d ḋ)/ρ²

    where d̈ = ü·e2 + u·ë2 + 2 u̇·ė2 and likewise c̈.
    """
    c, d, c_dot, d_dot, cross_1, cross_2 = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for n in range(dim):
        un, ud = x[dim * u + n], xd[dim * u + n]
        c += un * x[dim * e1 + n]
        d += un * x[dim * e2 + n]
        c_dot += ud * x[dim * e1 + n] + un * xd[dim * e1 + n]
        d_dot += ud * x[dim * e2 + n] + un * xd[dim * e2 + n]
        cross_1 += ud * xd[dim * e1 + n]
        cross_2 += ud * xd[dim * e2 + n]
    rho2 = c * c + d * d
    rate = (c * d_dot - d * c_dot) / rho2
    for n in range(dim):
        G[row * width + dim * e1 + n] = -factor * d * x[dim * u + n] / rho2
        G[row * width + dim * e2 + n] = factor * c * x[dim * u + n] / rho2
        G[row * width + dim * u + n] = factor * (c * x[dim * e2 + n] - d * x[dim * e1 + n]) / rho2
    return math.atan2(d, c), 2.0 * (c * cross_2 - d * cross_1 - rate * (c * c_dot + d * d_dot)) / rho2


@helper
def within_half_a_turn(angle):
    """The angle without whole turns, in [−π, π)."""
    return angle - 2.0 * math.pi * math.floor(angle / (2.0 * math.pi) + 0.5)
