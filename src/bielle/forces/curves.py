"""Energy of a characteristic: the integral of one of the functions of :mod:`bielle.kernels.functions`, from zero.

Exact for constants, polynomials, harmonics and tables. For a callable, Gauss–Legendre quadrature on eight points: exact up to degree
15, and as good as the callable is smooth; a characteristic with corners had better be a table of straight lines.
"""

import math

import numpy as np

from ..kernels import slots
from ..kernels.functions import CALLABLE, CONSTANT, CURVE, HARMONIC, POLYNOMIAL, SPLINE, evaluate_function
from ..kernels.lazy import helper
from ..kernels.pointers import at, floats, ints

NODES, WEIGHTS = (tuple(float(value) for value in values) for values in np.polynomial.legendre.leggauss(8))


@helper
def table_integral(p, n, x):
    """∫ from the first knot to x of a table: n knots, four coefficients per interval, constant beyond the ends."""
    if x <= p[0]:
        return p[n + 3] * (x - p[0])
    total, end = 0.0, 0.0
    for i in range(n - 1):
        c = at(p, n + 4 * i)
        u = min(x, p[i + 1]) - p[i]
        if u > 0.0:
            total += (((c[0] * u / 4.0 + c[1] / 3.0) * u + c[2] / 2.0) * u + c[3]) * u
            end = ((c[0] * u + c[1]) * u + c[2]) * u + c[3]
    return total + end * max(x - p[n - 1], 0.0)


@helper
def integrate_function(ctx, s, x):
    """∫₀ˣ of function s."""
    n = ints(ctx, slots.SIGNAL_N)[s]
    p = at(floats(ctx, slots.PARAM), ints(ctx, slots.SIGNAL_P)[s])
    kind = ints(ctx, slots.SIGNAL_KIND)[s] % CURVE
    total = 0.0
    if kind == CONSTANT:
        total = p[0] * x
    elif kind == POLYNOMIAL:
        for k in range(n - 1, -1, -1):
            total = (total + p[k] / (k + 1.0)) * x
    elif kind == HARMONIC:
        # cos φ − cos(ωx + φ) = 2 sin(ωx/2 + φ) sin(ωx/2), divided by ω without dividing by zero
        half = 0.5 * p[1] * x
        ratio = math.sin(half) / half if half != 0.0 else 1.0
        total = p[3] * x + p[0] * x * math.sin(half + p[2]) * ratio
    elif kind == SPLINE:
        total = table_integral(p, n, x) - table_integral(p, n, 0.0)
    elif kind == CALLABLE:
        for i in range(len(NODES)):
            total += 0.5 * x * WEIGHTS[i] * evaluate_function(ctx, s, 0.5 * x * (1.0 + NODES[i]))
    return total
