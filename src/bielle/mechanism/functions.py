"""Functions of one variable as data: motions and efforts over time, characteristics of springs.

Wherever a function is expected one may give a number (constant), a table (two arrays), one of the kinds below, or any Python
callable. All but callables can be written to a file.
"""

from collections.abc import Callable, Sequence
from typing import Any

import msgspec
import numpy as np

from ..errors import DescriptionError
from .vectors import number, plain, shown

__all__ = [
    "AnyFunction",
    "Compiled",
    "Constant",
    "Function",
    "FunctionKind",
    "Harmonic",
    "Polynomial",
    "Table",
    "as_function",
    "compiled",
    "hold_functions",
]


class FunctionKind(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True, tag_field="type", tag=str.lower
):
    """A function f(x) with two derivatives."""

    def _put(self, field: str, value: Any) -> None:
        """Store the cleaned form of a field; only for ``__post_init__``, before anybody can hold the frozen object."""
        msgspec.structs.force_setattr(self, field, value)


def _numbers(values: Any, what: str, entry: str) -> tuple[float, ...]:
    """Plain finite floats from a sequence or an array with one dimension."""
    found = plain(values)
    if not isinstance(found, tuple):
        raise DescriptionError(f"{what} must be a list of numbers, got {shown(values)}. Give a list or an array.")
    return tuple(number(value, entry) for value in found)


class Constant(FunctionKind, frozen=True):
    """f(x) = value."""

    value: float

    def __post_init__(self) -> None:
        self._put("value", number(self.value, "the value of a constant function"))


class Polynomial(FunctionKind, frozen=True):
    """f(x) = c₀ + c₁x + c₂x² + …"""

    coefficients: tuple[float, ...]

    def __post_init__(self) -> None:
        self._put("coefficients", _numbers(self.coefficients, "the coefficients of a polynomial", "a coefficient of a polynomial"))
        if not self.coefficients:
            raise DescriptionError("A polynomial needs at least one coefficient, got none. Give coefficients=(c0, c1, …).")


class Harmonic(FunctionKind, frozen=True):
    """f(x) = offset + amplitude · sin(2π · frequency · x + phase)."""

    amplitude: float
    frequency: float  #: [Hz]
    phase: float = 0.0  #: [rad]
    offset: float = 0.0

    def __post_init__(self) -> None:
        for field in ("amplitude", "frequency", "phase", "offset"):
            self._put(field, number(getattr(self, field), f"the {field} of a harmonic function"))


class Table(FunctionKind, frozen=True):
    """f given at increasing x: a natural cubic spline through the points (twice differentiable), or straight lines.

    Constant beyond the ends.
    """

    x: tuple[float, ...]
    y: tuple[float, ...]
    method: str = "cubic"

    def __post_init__(self) -> None:
        for field in ("x", "y"):
            self._put(field, _numbers(getattr(self, field), f"the {field} of a table", f"an entry of {field} of a table"))
        if len(self.x) != len(self.y) or len(self.x) < 2:
            raise DescriptionError(f"A table needs as many x as y and at least two, got {len(self.x)} and {len(self.y)}. Complete it.")
        if any(b <= a for a, b in zip(self.x[:-1], self.x[1:])):
            raise DescriptionError("The x of a table must increase strictly. Sort them and remove duplicates.")
        if self.method not in ("cubic", "linear"):
            raise DescriptionError(f"The method of a table must be 'cubic' or 'linear', got {shown(self.method)}. Use one of these.")


class Function:
    """A Python callable f(x); derivatives are taken numerically unless given. Needs no Numba; cannot be written to a file."""

    def __init__(
        self, f: Callable[[float], float], first: Callable[[float], float] | None = None, second: Callable[[float], float] | None = None
    ) -> None:
        for each in (f, first, second):
            if each is not None and not callable(each):
                raise DescriptionError(f"A function of time must be callable, got {shown(each)}.")
        self.f, self.first, self.second = f, first, second

    def __repr__(self) -> str:
        return f"Function({getattr(self.f, '__name__', self.f)!s})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Function) and (self.f, self.first, self.second) == (other.f, other.first, other.second)

    __hash__ = None  # type: ignore[assignment]

    def derivatives(self, x: float) -> tuple[float, float, float]:
        """f, f', f'' at x; where not given, by differences of fourth order with a step that balances truncation and rounding."""
        h = 1e-3 * max(1.0, abs(x)) ** 0.25
        value = float(self.f(x))
        if self.first is None:
            a, b, c, d = (float(self.f(x + k * h)) for k in (-2, -1, 1, 2))
            first = (a - 8 * b + 8 * c - d) / (12 * h)
            second = (-a + 16 * b - 30 * value + 16 * c - d) / (12 * h * h)
        else:
            first = float(self.first(x))
            a, b, c, d = (float(self.first(x + k * h)) for k in (-2, -1, 1, 2)) if self.second is None else (0.0,) * 4
            second = (a - 8 * b + 8 * c - d) / (12 * h)
        if self.second is not None:
            second = float(self.second(x))
        return value, first, second


AnyFunction = Constant | Polynomial | Harmonic | Table


def as_function(value: Any, what: str) -> Any:
    """What a user may write for a function, as one of the kinds above."""
    if isinstance(value, FunctionKind | Function):
        return value
    if isinstance(value, bool):
        raise DescriptionError(f"{what} must be a number, a function or a table, got {shown(value)}. Give one of these.")
    if isinstance(value, int | float | np.number):
        return Constant(value=number(value, what))
    if isinstance(value, dict):
        try:
            return msgspec.convert(value, AnyFunction)
        except msgspec.ValidationError as error:
            raise DescriptionError(f"{what}: {error}.") from None
    if callable(value):
        return Function(value)  # type: ignore[arg-type]
    if (
        isinstance(value, Sequence | np.ndarray)
        and not isinstance(value, str)
        and len(value) == 2
        and all(hasattr(v, "__len__") for v in value)
    ):
        return Table(x=value[0], y=value[1])
    raise DescriptionError(
        f"{what} must be a number, a callable, a table (x, y) or one of Polynomial, Harmonic, Table, got {shown(value)}. Give one of these."
    )


class Compiled(Function):
    """A function of one variable that Numba can compile; made by :func:`compiled`."""

    _address: int | None = None

    @property
    def address(self) -> int:
        """Machine address of ``void f(double x, double out[3])``, compiled when it is first asked for."""
        if self._address is None:
            self._compile()
        assert self._address is not None
        return self._address

    def _compile(self) -> None:
        import numba
        from numba.core import types
        from numba.core.errors import NumbaError

        f: Any = numba.njit(self.f)
        first: Any = None if self.first is None else numba.njit(self.first)
        second: Any = None if self.second is None else numba.njit(self.second)

        def whole(x, out):
            h = 1e-3 * max(1.0, abs(x)) ** 0.25  # as in Function.derivatives
            value = f(x)
            out[0] = value
            if first is None:
                a, b, c, d = f(x - 2 * h), f(x - h), f(x + h), f(x + 2 * h)
                out[1] = (a - 8 * b + 8 * c - d) / (12 * h)
                out[2] = (-a + 16 * b - 30 * value + 16 * c - d) / (12 * h * h)
            else:
                out[1] = first(x)
                if second is None:
                    out[2] = (first(x - 2 * h) - 8 * first(x - h) + 8 * first(x + h) - first(x + 2 * h)) / (12 * h)
            if second is not None:
                out[2] = second(x)

        try:
            self._kernel = numba.cfunc(types.void(types.float64, types.CPointer(types.float64)))(whole)
        except NumbaError as error:
            reason = str(error).strip().splitlines()[-1][:100]
            raise DescriptionError(
                f"The function {getattr(self.f, '__name__', self.f)} cannot be compiled by Numba ({reason}). "
                "Use it without bielle.compiled."
            ) from error
        self._address = self._kernel.address


def compiled(
    f: Callable[[float], float], first: Callable[[float], float] | None = None, second: Callable[[float], float] | None = None
) -> Compiled:
    """Make a plain Python function of one variable run at compiled speed inside the time loop: ``@bielle.compiled``."""
    return Compiled(f, first, second)


def hold_functions(struct: Any, fields: tuple[str, ...]) -> None:
    """Let these fields of a frozen description hold functions, whatever was written there; for its ``__post_init__``. None stays None."""
    for field in fields:
        value = getattr(struct, field)
        if value is not None:
            msgspec.structs.force_setattr(struct, field, as_function(value, f"{type(struct).__name__}.{field}"))
