"""Energy of a characteristic: the integral of one of the functions of :mod:`bielle.kernels.functions`, from zero.

Exact for constants, polynomials, harmonics, tables and their sums. For a callable, and for products with a harmonic or a callable,
Gauss–Legendre quadrature on eight points: exact up to degree 15, and as good as the function is smooth; a characteristic with corners
had better be a table of straight lines.
"""

import math

import numpy as np

from ..kernels.functions import CURVE, HARMONIC, PIECES, TERMS, evaluate_simple, evaluate_term, interval
from ..kernels.lazy import helper
from ..kernels.pointers import at

NODES, WEIGHTS = (tuple(float(value) for value in values) for values in np.polynomial.legendre.leggauss(8))


@helper
def pieces_integral(p, n, x):
    """∫ of a piecewise polynomial from its first knot, or from zero if it has none, to x."""
    m = int(p[0])
    last, _ = interval(p, n, x)
    total = 0.0
    for i in range(min(1, last), last + 1):
        start = p[max(i, 1)] if n > 0 else 0.0
        u = (p[i + 1] if i < last else x) - start
        c = at(p, 1 + n + m * i)
        part = 0.0
        for k in range(m):
            part = part * u + c[k] / (m - k)
        total += part * u
    return total


@helper
def simple_integral(kind, n, p, x, out):
    """∫₀ˣ of a function that is no sum of products."""
    total = 0.0
    if kind == PIECES:
        total = pieces_integral(p, n, x) - pieces_integral(p, n, 0.0)
    elif kind == HARMONIC:
        # cos φ − cos(ωx + φ) = 2 sin(ωx/2 + φ) sin(ωx/2), divided by ω without dividing by zero
        half = 0.5 * p[1] * x
        ratio = math.sin(half) / half if half != 0.0 else 1.0
        total = p[3] * x + p[0] * x * math.sin(half + p[2]) * ratio
    else:
        for i in range(len(NODES)):
            evaluate_simple(kind, n, p, 0.5 * x * (1.0 + NODES[i]), out)
            total += 0.5 * x * WEIGHTS[i] * out[0]
    return total


@helper
def integrate_function(ctx, s, x):
    """∫₀ˣ of function s; its place in ``signal`` is overwritten."""
    out = at(ctx.signal, 3 * s)
    n = ctx.signal_n[s]
    p = at(ctx.param, ctx.signal_p[s])
    kind = ctx.signal_kind[s] % CURVE
    if kind != TERMS:
        return simple_integral(kind, n, p, x, out)
    total = 0.0
    first = 0
    for _ in range(n):
        term = at(p, first)
        if int(term[0]) == 1:
            total += simple_integral(int(term[1]), int(term[2]), at(term, 4), x, out)
            first += 4 + int(term[3])
        else:
            size = 0
            for i in range(len(NODES)):
                value, _, _, size = evaluate_term(term, 0.5 * x * (1.0 + NODES[i]), out)
                total += 0.5 * x * WEIGHTS[i] * value
            first += size
    return total
