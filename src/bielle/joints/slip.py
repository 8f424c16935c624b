"""What kinds that bind a velocity of b relative to a have in common: vectors, and the velocity of a's material under a moving point.

The first elements of such a joint are a point o of a and dim orthonormal directions e_j of a. A place p of the world has the coordinates
ξ_j = e_j·(p − o) on a, and a's material there moves at ȯ + Σ ξ_j ė_j. With u the velocity of b's material at p, the slip is

    w = u − ȯ − Σ_j ξ_j ė_j

and the equation m·w = 0, m a unit vector, has the coefficients −m for ȯ and −ξ_j m for ė_j, besides those of u. Its reaction is the force
λ m on b and the opposite on a, both at p. In its rate stands ξ̇_j = ė_j·(p − o) + e_j·(ṗ − ȯ); ṗ is how fast the place moves, which is
not u if b rolls.

Vectors are triples here, in the plane with z = 0, so that one formula serves both dimensions.
"""

import math

import numpy as np

from ..errors import DescriptionError
from ..kernels.lazy import helper

__all__ = ["add", "carried", "cross", "dot", "lift", "put", "refuse_parallel"]


@helper
def lift(x, element, dim):
    """The element as a triple."""
    k = dim * element
    return x[k], x[k + 1], (x[k + 2] if dim == 3 else 0.0)


@helper
def add(a, factor, b):
    """a + factor · b."""
    return a[0] + factor * b[0], a[1] + factor * b[1], a[2] + factor * b[2]


@helper
def dot(a, b):
    """a · b."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@helper
def cross(a, b):
    """a × b."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


@helper
def put(G, start, element, dim, factor, a):
    """Write factor · a as the coefficients of an element in the row of G that begins at ``start``."""
    k = start + dim * element
    G[k] = factor * a[0]
    G[k + 1] = factor * a[1]
    if dim == 3:
        G[k + 2] = factor * a[2]


@helper
def carried(x, xd, G, start, dim, m, m_dot, p, p_dot, u):
    """Write the coefficients of a's elements 0 … dim in the equation m·w = 0; returns ṁ·w − Σ ξ̇_j m·ė_j, a's part of its γ."""
    o_dot = lift(xd, 0, dim)
    arm, arm_dot = add(p, -1.0, lift(x, 0, dim)), add(p_dot, -1.0, o_dot)
    put(G, start, 0, dim, -1.0, m)
    bias = dot(m_dot, add(u, -1.0, o_dot))
    for j in range(1, dim + 1):
        e, e_dot = lift(x, j, dim), lift(xd, j, dim)
        coordinate, rate = dot(e, arm), dot(e_dot, arm) + dot(e, arm_dot)
        put(G, start, j, dim, -coordinate, m)
        bias -= coordinate * dot(m_dot, e_dot) + rate * dot(m, e_dot)
    return bias


def refuse_parallel(normal: np.ndarray, direction: np.ndarray, what: str) -> None:
    """Refuse a configuration in which a direction of b is along the normal of a, where the equations of slip are not defined."""
    (a, b, c), (x, y, z) = normal.tolist(), direction.tolist()
    sine = math.hypot(b * z - c * y, c * x - a * z, a * y - b * x)
    if sine < 1e-6:
        raise DescriptionError(
            f"{what} where the joint is made: axis and normal must not be parallel, got a sine of {sine:.1g} between them. "
            "Turn the body, or give another axis or normal."
        )
