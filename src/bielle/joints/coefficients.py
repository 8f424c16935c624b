"""The bridge from the compiled loop to a callable Ψ(x) of the user, and the rate of Ψ along the motion."""

import ctypes
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ..mechanism.callbacks import Callback
from ..mechanism.vectors import shown

__all__ = ["CoefficientsCallback"]

_STEP = 1e-3  # how far the fastest element moves between the points of the difference that gives Ψ̇ [m, or 1 for directions]
_POINTER = ctypes.POINTER(ctypes.c_double)
_ELEMENTS = ctypes.CFUNCTYPE(None, ctypes.c_double, ctypes.c_int64, _POINTER, _POINTER, _POINTER)


class _CoefficientsError(Exception):
    """What the callable returned cannot be Ψ."""


class CoefficientsCallback(Callback):
    """Writes Ψ (rows × dim · elements), or with ``rate`` Ψ̇ ẋ (rows,), as ``call_elements`` wants it."""

    prototype = _ELEMENTS

    def __init__(self, function: Callable[[np.ndarray], Any], rows: int, dim: int, *, rate: bool) -> None:
        super().__init__()
        self.function, self.rows, self.dim, self.rate = function, rows, dim, rate

    def _call(self, t: float, n: int, x: Any, xd: Any, out: Any) -> None:
        width = self.dim * n
        numbers = np.full(self.rows if self.rate else self.rows * width, math.nan)
        try:
            where, speed = np.array(x[:width]), np.array(xd[:width]) if self.rate else np.zeros(width)
            if np.isfinite(where).all() and np.isfinite(speed).all():  # otherwise the motion is to blame, and not the function
                numbers = self._along(where, speed) if self.rate else self._coefficients(where).reshape(-1)
        except _CoefficientsError as error:
            self.failed(f"{error} at time {t:.9g}. Mend the function, or say how many rows it returns (rows=…).")
        except BaseException as error:
            self.failed(f"its coefficients raised {type(error).__name__}: {error} at time {t:.9g}. Mend the function.", error)
        for i, value in enumerate(numbers.tolist()):
            out[i] = value

    def _along(self, x: np.ndarray, xd: np.ndarray) -> np.ndarray:
        """Ψ̇ ẋ (rows,): d/dτ Ψ(x + τ ẋ) ẋ at τ = 0, by a difference of fourth order; zero at rest."""
        fastest = float(np.abs(xd).max())
        if fastest == 0.0:
            return np.zeros(self.rows)
        tau = _STEP / fastest
        a, b, c, d = (self._coefficients(x + k * tau * xd) @ xd for k in (-2, -1, 1, 2))
        return (a - 8 * b + 8 * c - d) / (12 * tau)

    def _coefficients(self, x: np.ndarray) -> np.ndarray:
        """Ψ (rows, dim · elements) at x (dim · elements,)."""
        n = x.size // self.dim
        result = self.function(x.reshape(n, self.dim))
        try:
            found = np.asarray(result, dtype=float)
        except (TypeError, ValueError):
            found = np.array(math.nan)
        allowed = [(self.rows, x.size), (self.rows, n, self.dim)] + ([(x.size,), (n, self.dim)] if self.rows == 1 else [])
        if found.shape not in allowed or not np.isfinite(found).all():
            wanted = f"{self.rows} × {x.size} finite numbers, {self.dim} for each of the {n} elements"
            raise _CoefficientsError(f"its coefficients must be {wanted}, got {shown(result)}")
        return found.reshape(self.rows, x.size)
