"""The instant at which a quantity leaves its side of a threshold, between two times."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

__all__ = ["leaving"]

_HALVINGS = 40
_ULPS = 4  # units in the last place of the time, to which an instant is found
_MOST = 500  # trials


def leaving(side: float, value: Callable[[float], float], start: float, first: float, end: float) -> float:
    """When a quantity leaves its side (+1 above zero, −1 below) for the other, between a start, where it is ``first``, and an end, where it
    is zero or beyond.

    A quantity that has only just come to its side is on the threshold at the start, to rounding. Then it is looked for at half the time,
    a quarter, and so on; if it is not found there, it has left at once.
    """
    low = start
    if side * first <= 0.0:
        times = (start + (end - start) * 0.5**i for i in range(1, _HALVINGS))
        low, first = next(((t, found) for t in times if side * (found := value(t)) > 0.0), (start, 0.0))
        if low == start:
            return start
    return _root(value, low, first, end, value(end), _ULPS * float(np.spacing(max(abs(start), abs(end)))))


def _root(value: Callable[[float], float], a: float, fa: float, b: float, fb: float, tolerance: float) -> float:
    """A zero between a and b, where the signs differ, by inverse quadratic interpolation where it converges and bisection elsewhere.

    T. R. Chandrupatla, *A new hybrid quadratic/bisection algorithm for finding the zero of a nonlinear function without using
    derivatives*, Adv. Eng. Software 28 (1997).
    """
    if fb == 0.0:
        return b
    fraction = 0.5
    for _ in range(_MOST):
        x = a + fraction * (b - a)
        fx = value(x)
        if (fx > 0.0) == (fa > 0.0):
            c, fc = a, fa
        else:
            c, fc, b, fb = b, fb, a, fa
        a, fa = x, fx
        best = a if abs(fa) < abs(fb) else b
        least = tolerance / abs(b - a) if b != a else 1.0
        if fx == 0.0 or least > 0.5:
            return a if fx == 0.0 else best
        fraction = 0.5
        if fc not in (fa, fb):
            xi, phi = (a - b) / (c - b), (fa - fb) / (fc - fb)
            if phi**2 < xi and (1.0 - phi) ** 2 < 1.0 - xi:
                fraction = fa / (fb - fa) * fc / (fb - fc) + (c - a) / (b - a) * fa / (fc - fa) * fb / (fc - fb)
        fraction = min(max(fraction, least), 1.0 - least)
    return a if abs(fa) < abs(fb) else b
