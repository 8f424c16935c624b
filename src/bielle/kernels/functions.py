"""Functions of one variable, with first and second derivative: motions of time, characteristics of springs.

Row s of the signal table says which function; its value and derivatives are written to signal[3s : 3s+3].
"""

import math

from . import slots
from .lazy import entry, helper
from .pointers import at, call_scalar, floats, ints

CONSTANT, POLYNOMIAL, HARMONIC, SPLINE, CALLABLE = range(5)
CURVE = 16  # added to the kind of a function that is not one of time


@helper
def evaluate_function(ctx, s, x):
    """Evaluate function s at x; returns its value, and leaves value and derivatives in signal[3s : 3s+3]."""
    out = at(floats(ctx, slots.SIGNAL), 3 * s)
    n = ints(ctx, slots.SIGNAL_N)[s]
    p = at(floats(ctx, slots.PARAM), ints(ctx, slots.SIGNAL_P)[s])
    kind = ints(ctx, slots.SIGNAL_KIND)[s] % CURVE
    if kind == CONSTANT:
        out[0], out[1], out[2] = p[0], 0.0, 0.0
    elif kind == POLYNOMIAL:  # Horner, derivatives along
        f, d, dd = 0.0, 0.0, 0.0
        for k in range(n - 1, -1, -1):
            dd = dd * x + 2.0 * d
            d = d * x + f
            f = f * x + p[k]
        out[0], out[1], out[2] = f, d, dd
    elif kind == HARMONIC:  # offset + amplitude sin(ωx + phase)
        c, sn = math.cos(p[1] * x + p[2]), math.sin(p[1] * x + p[2])
        out[0], out[1], out[2] = p[3] + p[0] * sn, p[0] * p[1] * c, -p[0] * p[1] * p[1] * sn
    elif kind == SPLINE:  # knots, then four coefficients per interval, highest power first; constant beyond the ends
        if x < p[0]:
            out[0], out[1], out[2] = p[n + 3], 0.0, 0.0
        elif x > p[n - 1]:
            c = at(p, n + 4 * (n - 2))
            u = p[n - 1] - p[n - 2]
            out[0], out[1], out[2] = ((c[0] * u + c[1]) * u + c[2]) * u + c[3], 0.0, 0.0
        else:
            low, high = 0, n - 1
            while high - low > 1:
                middle = (low + high) // 2
                if p[middle] <= x:
                    low = middle
                else:
                    high = middle
            c = at(p, n + 4 * low)
            u = x - p[low]
            out[0] = ((c[0] * u + c[1]) * u + c[2]) * u + c[3]
            out[1] = (3.0 * c[0] * u + 2.0 * c[1]) * u + c[2]
            out[2] = 6.0 * c[0] * u + 2.0 * c[1]
    else:
        call_scalar(n, x, out)
    return out[0]


@entry
def evaluate_signals(ctx, first, last):
    """Bring all functions of time up to date."""
    kind = ints(ctx, slots.SIGNAL_KIND)
    t = floats(ctx, slots.SCALAR)[slots.S_TIME]
    for s in range(first, last):
        if kind[s] < CURVE:
            evaluate_function(ctx, s, t)
