"""Functions of one variable, with first and second derivative: motions of time, characteristics of springs.

Row s of the signal table says which function; its value and derivatives are written to signal[3s : 3s+3]. Its parameters are

    PIECES     m, the n knots, m coefficients for each of the n + 1 intervals: see mechanism/pieces.py
    HARMONIC   amplitude, ω, phase, offset
    CALLABLE   none; n is an address
    TERMS      n terms to be added: for each the number of its factors, for each of these its kind, n, number of parameters, parameters
"""

import math

from .lazy import entry, helper
from .pointers import at, call_scalar

PIECES, HARMONIC, CALLABLE, TERMS = range(4)
CURVE = 16  # added to the kind of a function that is not one of time


@helper
def interval(p, n, x):
    """Which of the n + 1 intervals x belongs to, and what x counts from there; p begins with m and the knots."""
    if n == 0:
        return 0, x
    if x < p[1]:
        return 0, x - p[1]
    if n == 1 or x > p[n]:
        return n, x - p[n]
    low, high = 0, n - 1  # the last knot belongs to the interval on its left
    while high - low > 1:
        middle = (low + high) // 2
        if p[1 + middle] <= x:
            low = middle
        else:
            high = middle
    return low + 1, x - p[1 + low]


@helper
def evaluate_simple(kind, n, p, x, out):
    """Value and derivatives of a function that is no sum of products."""
    if kind == PIECES:  # Horner, derivatives along
        m = int(p[0])
        i, u = interval(p, n, x)
        c = at(p, 1 + n + m * i)
        f, d, dd = 0.0, 0.0, 0.0
        for k in range(m):
            dd = dd * u + 2.0 * d
            d = d * u + f
            f = f * u + c[k]
        out[0], out[1], out[2] = f, d, dd
    elif kind == HARMONIC:  # offset + amplitude sin(ωx + phase)
        c, sn = math.cos(p[1] * x + p[2]), math.sin(p[1] * x + p[2])
        out[0], out[1], out[2] = p[3] + p[0] * sn, p[0] * p[1] * c, -p[0] * p[1] * p[1] * sn
    else:
        call_scalar(n, x, out)


@helper
def evaluate_term(p, x, out):
    """A product: its value, its derivatives, and how many parameters it has. ``out`` is overwritten with its last factor."""
    f, d, dd = 1.0, 0.0, 0.0
    size = 1
    for _ in range(int(p[0])):
        evaluate_simple(int(p[size]), int(p[size + 1]), at(p, size + 3), x, out)
        dd = dd * out[0] + 2.0 * d * out[1] + f * out[2]
        d = d * out[0] + f * out[1]
        f = f * out[0]
        size += 3 + int(p[size + 2])
    return f, d, dd, size


@helper
def evaluate_function(ctx, s, x):
    """Evaluate function s at x; returns its value, and leaves value and derivatives in signal[3s : 3s+3]."""
    out = at(ctx.signal, 3 * s)
    n = ctx.signal_n[s]
    p = at(ctx.param, ctx.signal_p[s])
    kind = ctx.signal_kind[s] % CURVE
    if kind != TERMS:
        evaluate_simple(kind, n, p, x, out)
        return out[0]
    f, d, dd = 0.0, 0.0, 0.0
    first = 0
    for _ in range(n):
        a, b, c, size = evaluate_term(at(p, first), x, out)
        f, d, dd, first = f + a, d + b, dd + c, first + size
    out[0], out[1], out[2] = f, d, dd
    return f


@entry
def evaluate_signals(ctx, first, last):
    """Bring all functions of time up to date."""
    kind = ctx.signal_kind
    t = ctx.scalar.time
    for s in range(first, last):
        if kind[s] < CURVE:
            evaluate_function(ctx, s, t)
