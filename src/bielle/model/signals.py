"""Functions of one variable laid out for the kernels, and the bridge from compiled loops to the user's Python callables."""

import ctypes
import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from ..errors import DescriptionError
from ..kernels import functions as kernel
from ..mechanism.callbacks import Callback
from ..mechanism.functions import Compiled, Function, Harmonic
from ..mechanism.pieces import Pieces

__all__ = ["Callback", "SignalTable", "rebind", "velocity_jumps"]

JUMP = 1e-3  # of the largest slope of a table: less, as splines through samples of a smooth motion leave at their ends, is no blow
ROUNDING = 1e-12  # of the largest weight of a jump: where it is multiplied by less, by a sine that passes zero, nothing jumps
_SCALAR = ctypes.CFUNCTYPE(None, ctypes.c_double, ctypes.POINTER(ctypes.c_double))


class FunctionCallback(Callback):
    """Bridge for a function of one variable."""

    prototype = _SCALAR

    def __init__(self, function: Function, owner: str, order: int) -> None:
        super().__init__(owner)
        self.function = function
        self.order = order

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
        self.callbacks: list[Callback | Compiled] = []  # those whose addresses are among the numbers, in order
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
        """Kind, n and parameters, as kernels/functions.py has them."""
        if isinstance(function, Callback):  # a bridge of the force kind's own, which its kernel calls
            function.owner = owner
            self.callbacks.append(function)
            return kernel.CALLABLE, function.address, []
        try:
            expanded = function.expanded()
        except DescriptionError as error:
            raise DescriptionError(f"{owner}: {error}") from None
        terms = [
            [self._simple(factor, owner, order) for factor in ([pieces] if _matters(pieces, others) else []) + [*others]]
            for pieces, others in expanded
        ]
        if len(terms) == 1 and len(terms[0]) == 1:
            return terms[0][0]
        flat: list[float] = []
        for factors in terms:
            flat.append(len(factors))
            for kind, n, numbers in factors:
                flat += [kind, n, len(numbers), *numbers]  # addresses have fewer bits than the 53 of a float
        return kernel.TERMS, len(terms), flat

    def _simple(self, factor: Any, owner: str, order: int) -> tuple[int, int, list[float]]:
        if isinstance(factor, Pieces):
            knots, coefficients = factor.knots.tolist(), factor.coefficients
            return kernel.PIECES, len(knots), [coefficients.shape[1], *knots, *coefficients.ravel().tolist()]
        if isinstance(factor, Harmonic):
            return kernel.HARMONIC, 4, [factor.amplitude, 2 * math.pi * factor.frequency, factor.phase, factor.offset]
        callback = factor if isinstance(factor, Compiled) else FunctionCallback(factor, owner, order)
        self.callbacks.append(callback)
        return kernel.CALLABLE, callback.address, []

    def values(self) -> dict[str, list[Any]]:
        """Columns of the component's record."""
        return {"signal_kind": self.kind, "signal_n": self.number, "signal_size": self.size, "signal_param": self.param}


def _matters(pieces: Pieces, others: tuple[Any, ...]) -> bool:
    """Whether a factor is more than a 1 beside others."""
    return not others or len(pieces.knots) > 0 or pieces.coefficients.tolist() != [[1.0]]


def rebind(values: dict[str, list[Any]], callbacks: Sequence[Callback | Compiled]) -> None:
    """Let columns hold the present addresses of the functions that are called through these: they differ from process to process."""
    given, place, param = iter(callbacks), 0, values["signal_param"]
    for i, (kind, n, size) in enumerate(zip(values["signal_kind"], values["signal_n"], values["signal_size"])):
        end = place + size
        if kind % kernel.CURVE == kernel.CALLABLE:
            callback = next(given)
            values["signal_n"][i] = callback.address
        elif kind % kernel.CURVE == kernel.TERMS:
            for _ in range(n):
                place, factors = place + 1, int(param[place])
                for _ in range(factors):
                    if param[place] == kernel.CALLABLE:
                        callback = next(given)
                        param[place + 1] = callback.address
                    place += 3 + int(param[place + 2])
        place = end


def velocity_jumps(model: Any, start: float, end: float) -> list[tuple[str, float, float, str]]:
    """Joints whose imposed motion jumps in velocity after ``start`` and before ``end`` [s]: name, when, by how much, and in which unit
    ("" if it is not known).

    Piecewise polynomials may: where straight lines meet, and where tables end with a slope. Where they are multiplied by callables,
    nobody looks.
    """
    found = []
    for record in model.joint_rows.records:
        values, first = record.values, 0
        if any(values["level"]):
            continue
        units = [*(f"{unit}/s" for unit in record.item.units), *len(values["signal_kind"]) * [""]]
        for kind, n, size, unit in zip(values["signal_kind"], values["signal_n"], values["signal_size"], units):
            numbers, first = values["signal_param"][first : first + size], first + size
            for pieces, harmonics in _pieces(kind, n, numbers):
                x = pieces.knots
                weight = np.prod([a * np.sin(w * x + phase) + offset for a, w, phase, offset in harmonics], axis=0)
                jumps, slopes = pieces.jumps() * weight, pieces.derivative()(x) * weight
                rounding = ROUNDING * np.abs(pieces.jumps()) * np.prod([abs(a) + abs(offset) for a, _, _, offset in harmonics])
                noticed = (start < x) & (x < end) & (np.abs(jumps) > np.maximum(JUMP * np.abs(slopes).max(initial=0.0), rounding))
                found += [(record.name, float(x[k]), float(jumps[k]), unit) for k in np.flatnonzero(noticed)]
    return sorted(found, key=lambda each: each[1])


def _pieces(kind: int, n: int, numbers: Sequence[float]) -> Iterator[tuple[Pieces, list[Sequence[float]]]]:
    """The terms of a function, as :meth:`SignalTable._lay_out` wrote it, that are piecewise polynomials, times harmonics or not."""
    if kind == kernel.PIECES:
        yield _read_pieces(n, numbers), []
    elif kind == kernel.TERMS:
        place = 0
        for _ in range(n):
            factors, place = [], place + 1
            for _ in range(int(numbers[place - 1])):
                of, knots, size = (int(x) for x in numbers[place : place + 3])
                factors.append((of, knots, numbers[place + 3 : place + 3 + size]))
                place += 3 + size
            pieces = [_read_pieces(knots, rest) for of, knots, rest in factors if of == kernel.PIECES]
            harmonics = [rest for of, _, rest in factors if of == kernel.HARMONIC]
            if pieces and len(pieces) + len(harmonics) == len(factors):
                yield pieces[0], harmonics


def _read_pieces(n: int, numbers: Sequence[float]) -> Pieces:
    return Pieces(numbers[1 : 1 + n], np.reshape(numbers[1 + n :], (n + 1, int(numbers[0]))))
