"""Functions of one variable laid out for the kernels, and the bridge from compiled loops to the user's Python callables."""

import ctypes
import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..kernels import functions as kernel
from ..mechanism.callbacks import Callback
from ..mechanism.functions import Compiled, Constant, Function, Harmonic, Polynomial, Table

__all__ = ["Callback", "SignalTable"]

_SCALAR = ctypes.CFUNCTYPE(None, ctypes.c_double, ctypes.POINTER(ctypes.c_double))


class FunctionCallback(Callback):
    """Bridge for a function of one variable."""

    def __init__(self, function: Function, owner: str, order: int) -> None:
        super().__init__(owner)
        self.function = function
        self.order = order
        self.pointer = _SCALAR(self._call)

    def _call(self, x: float, out: Any) -> None:
        values: tuple[float, ...] = (math.nan,) * 3
        try:
            values = (float(self.function.f(x)), 0.0, 0.0) if self.order == 0 else self.function.derivatives(x)
        except BaseException as error:
            self.failed(f"its function raised {type(error).__name__}: {error} at argument {x:.9g}. Mend the function.", error)
        else:
            if not all(map(math.isfinite, values)):
                self.failed(
                    f"its function returned a non-finite value or derivative {values} at argument {x:.9g}. It must be finite and smooth."
                )
        for i in range(3):
            out[i] = values[i]


class SignalTable:
    """The functions of a component."""

    def __init__(self, owner: str, signals: Sequence[Any] = (), curves: Sequence[Any] = (), order: int = 2) -> None:
        """Functions of time, and curves: functions of something a kernel computes; order: highest derivative of the former needed."""
        self.kind: list[int] = []
        self.number: list[int] = []
        self.size: list[int] = []
        self.param: list[float] = []
        self.callbacks: list[Callback] = []
        for function in signals:
            self._add(function, owner, order, 0)
        for function in curves:
            self._add(function, owner, 2, kernel.CURVE)

    def __len__(self) -> int:
        return len(self.kind)

    @property
    def length(self) -> int:
        """Number of parameters."""
        return len(self.param)

    def _add(self, function: Any, owner: str, order: int, sort: int) -> None:
        kind, number, numbers = self._lay_out(function, owner, order)
        self.kind.append(kind + sort)
        self.number.append(number)
        self.size.append(len(numbers))
        self.param += numbers

    def _lay_out(self, function: Any, owner: str, order: int) -> tuple[int, int, list[float]]:
        if isinstance(function, Constant):
            return kernel.CONSTANT, 1, [function.value]
        if isinstance(function, Polynomial):
            return kernel.POLYNOMIAL, len(function.coefficients), list(function.coefficients)
        if isinstance(function, Harmonic):
            return kernel.HARMONIC, 4, [function.amplitude, 2 * math.pi * function.frequency, function.phase, function.offset]
        if isinstance(function, Table):
            return kernel.SPLINE, len(function.x), [*function.x, *_spline(function)]
        if isinstance(function, Compiled):
            return kernel.CALLABLE, function.address, []
        if isinstance(function, Callback):  # a bridge of the force kind's own, which its kernel calls
            function.owner = owner
            callback = function
        else:
            callback = FunctionCallback(function, owner, order)
        self.callbacks.append(callback)
        return kernel.CALLABLE, callback.address, []

    def values(self) -> dict[str, list[Any]]:
        """Columns of the component's record."""
        return {"signal_kind": self.kind, "signal_n": self.number, "signal_size": self.size, "signal_param": self.param}


def _spline(table: Table) -> list[float]:
    """Four coefficients per interval, highest power first."""
    x, y = np.array(table.x), np.array(table.y)
    if table.method == "linear" or len(x) == 2:
        slopes = np.diff(y) / np.diff(x)
        coefficients = np.stack([0 * slopes, 0 * slopes, slopes, y[:-1]], axis=1)
    else:
        from scipy.interpolate import CubicSpline

        coefficients = CubicSpline(x, y, bc_type="natural").c.T
    return [float(c) for c in coefficients.reshape(-1)]
