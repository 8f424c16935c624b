"""Piecewise polynomials: what constants, polynomials, tables, steps and profiles are, and what their sums and products are again."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import DescriptionError

__all__ = ["Pieces"]

_MOST = 2_000_000  # coefficients; a table from a file may not multiply into more memory than this
_ROUNDING = 1e-9  # of the terms that a slope is the sum of: a difference below it is rounding of the coefficients


class Pieces:
    """f(x) = Σ_k c[i, k] u^(m−1−k): m coefficients for each of the n + 1 intervals that n knots make, highest power first.

    u = x − (the knot to the left); the first interval counts from the first knot, and from zero if there are no knots. The first and the
    last interval have no end. A knot belongs to the interval on its right, but the last one to the interval on its left: at both ends of
    a table the slope is the one inside.
    """

    def __init__(self, knots: Any, coefficients: Any) -> None:
        self.knots = np.asarray(knots, dtype=float)  #: (n,) increasing
        self.coefficients = np.asarray(coefficients, dtype=float)  #: (n + 1, m)

    @classmethod
    def between(cls, knots: Any, coefficients: Any) -> Pieces:
        """From the coefficients (n − 1, m) between n knots; constant beyond the ends."""
        knots, inner = np.asarray(knots, dtype=float), np.asarray(coefficients, dtype=float)
        before, after = np.zeros((2, 1, inner.shape[1]))
        before[0, -1] = inner[0, -1]
        after[0, -1] = np.polyval(inner[-1], knots[-1] - knots[-2])
        return cls(knots, np.concatenate([before, inner, after]))

    @property
    def origins(self) -> np.ndarray:
        """(n + 1,) where each interval counts from."""
        return np.concatenate([self.knots[:1], self.knots]) if len(self.knots) else np.zeros(1)

    def derivative(self) -> Pieces:
        """f′, which may jump at the knots."""
        m = self.coefficients.shape[1]
        powers = np.arange(m - 1, 0, -1)
        return Pieces(self.knots, self.coefficients[:, :-1] * powers if m > 1 else np.zeros_like(self.coefficients))

    def interval(self, x: np.ndarray) -> np.ndarray:
        """The number of the interval that each x belongs to."""
        found = np.searchsorted(self.knots, x, side="right")
        if len(self.knots) > 1:
            found = found - (x == self.knots[-1])
        return found

    def __call__(self, x: Any) -> np.ndarray:
        """f at x, of any shape."""
        x = np.asarray(x, dtype=float)
        which = self.interval(x)
        u, value = x - self.origins[which], np.zeros(x.shape)
        for k in range(self.coefficients.shape[1]):
            value = value * u + self.coefficients[which, k]
        return value

    def jumps(self) -> np.ndarray:
        """(n,) by how much the slope changes at each knot; zero where that is rounding."""
        slopes = self.derivative()
        c, lengths = slopes.coefficients[:-1], self.knots - slopes.origins[:-1]
        before, sizes = np.zeros((2, len(self.knots)))
        for k in range(c.shape[1]):
            before, sizes = before * lengths + c[:, k], sizes * np.abs(lengths) + np.abs(c[:, k])
        step = slopes.coefficients[1:, -1] - before
        return np.where(np.abs(step) > _ROUNDING * sizes.max(initial=0.0), step, 0.0)

    def _on(self, knots: np.ndarray) -> np.ndarray:
        """The coefficients on finer intervals: Taylor's expansion about where each of these begins."""
        finer = Pieces(knots, np.zeros((len(knots) + 1, 1)))
        inner = 0.5 * (knots[1:] + knots[:-1])
        middles = np.concatenate([knots[:1] - 1.0, inner, knots[-1:] + 1.0]) if len(knots) else np.zeros(1)
        which = np.searchsorted(self.knots, middles, side="right")
        c = self.coefficients[which].copy()
        shift = (finer.origins - self.origins[which])[:, None]
        m = c.shape[1]
        for last in range(m - 1, 0, -1):  # synthetic division by (u − shift), again and again
            for k in range(1, last + 1):
                c[:, k] += (shift * c[:, k - 1 : k])[:, 0]
        return c

    def _aligned(self, other: Pieces) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        knots = np.union1d(self.knots, other.knots)
        width = self.coefficients.shape[1] + other.coefficients.shape[1]
        if (len(knots) + 1) * width > _MOST:
            raise DescriptionError(f"A sum or product of functions would have more than {_MOST} coefficients. Use shorter tables.")
        return knots, self._on(knots), other._on(knots)

    def __add__(self, other: Pieces) -> Pieces:
        knots, a, b = self._aligned(other)
        sums = np.zeros((len(knots) + 1, max(a.shape[1], b.shape[1])))
        sums[:, sums.shape[1] - a.shape[1] :] += a
        sums[:, sums.shape[1] - b.shape[1] :] += b
        return Pieces(knots, sums)

    def __mul__(self, other: Pieces) -> Pieces:
        knots, a, b = self._aligned(other)
        products = np.zeros((len(knots) + 1, a.shape[1] + b.shape[1] - 1))
        for k in range(a.shape[1]):
            products[:, k : k + b.shape[1]] += a[:, k : k + 1] * b
        return Pieces(knots, products)
