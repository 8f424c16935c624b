"""Functions of one variable as data: motions and efforts over time, characteristics of springs.

Wherever a function is expected one may give a number (constant), a table (two arrays), one of the kinds below, their sums and products,
or any Python callable. All but callables can be written to a file. All can be called: ``f(t)``, ``f.rate(t)``, ``f.acceleration(t)``.
"""

from __future__ import annotations

import importlib
import math
import sys
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import msgspec
import numpy as np

from ..calls import ExplainedStruct, explained, explained_methods
from ..errors import DescriptionError
from .pieces import Pieces
from .vectors import number, plain, shown

__all__ = [
    "AnyFunction",
    "Compiled",
    "Constant",
    "Function",
    "FunctionKind",
    "Harmonic",
    "Polynomial",
    "Product",
    "SmoothStep",
    "Sum",
    "Table",
    "TrapezoidalProfile",
    "as_function",
    "compiled",
    "hold_functions",
]

_ROUNDING = 1e-12  # of a jump whose factors are as large as they are near by: less is none
_MOST_TERMS = 1000  # of a product of sums, multiplied out

Term = tuple[Pieces, tuple[Any, ...]]  # a piecewise polynomial times harmonics and callables


@explained_methods
class Calculus:
    """What all functions can do: be evaluated with two derivatives, added and multiplied."""

    __slots__ = ()
    __array_ufunc__ = None  # numbers of NumPy leave sums and products to us

    def expanded(self) -> list[Term]:
        """The function multiplied out: the sum of these products."""
        raise NotImplementedError

    def _derivatives(self, x: Any) -> np.ndarray:
        """(3, …) f, f′, f″ at x of any shape."""
        x = np.asarray(x, dtype=float)
        total = np.zeros((3, *x.shape))
        for pieces, others in self.expanded():
            slope = pieces.derivative()
            value = np.array([pieces(x), slope(x), slope.derivative()(x)])
            for other in others:
                f, g = value, other._derivatives(x)
                value = np.array([f[0] * g[0], f[1] * g[0] + f[0] * g[1], f[2] * g[0] + 2.0 * f[1] * g[1] + f[0] * g[2]])
            total += value
        return total

    def _derivative(self, x: Any, order: int) -> Any:
        value = self._derivatives(x)[order]
        return float(value) if value.ndim == 0 else value

    def __call__(self, x: Any) -> Any:
        """f(x), of a number or of each number of an array."""
        return self._derivative(x, 0)

    def rate(self, x: Any) -> Any:
        """f′(x)."""
        return self._derivative(x, 1)

    def acceleration(self, x: Any) -> Any:
        """f″(x)."""
        return self._derivative(x, 2)

    def rate_jumps(self) -> tuple[float, ...]:
        """Where the rate jumps: corners of straight lines, ends of a table that arrive with a slope. A callable is taken to have none."""
        jumps: dict[float, float] = {}
        sizes: dict[float, float] = {}  # of the terms of each, with factors as large as they are near by
        for pieces, others in self.expanded():
            knots = pieces.knots.tolist()
            near = [*knots, *(0.5 * (a + b) for a, b in pairwise(knots))]
            size = math.prod(max(abs(float(other(x))) for x in near) for other in others) if knots else 0.0
            for x, jump in zip(knots, pieces.jumps().tolist()):
                if jump:
                    jumps[x] = jumps.get(x, 0.0) + jump * math.prod(float(other(x)) for other in others)
                    sizes[x] = sizes.get(x, 0.0) + abs(jump) * size
        return tuple(sorted(x for x, jump in jumps.items() if abs(jump) > _ROUNDING * sizes[x]))

    def __add__(self, other: Any) -> Sum:
        return Sum(terms=(*_parts(self, Sum), *_parts(other, Sum)))

    def __radd__(self, other: Any) -> Sum:
        return as_function(other, "a term of a sum") + self

    def __mul__(self, other: Any) -> Product:
        return Product(factors=(*_parts(self, Product), *_parts(other, Product)))

    def __rmul__(self, other: Any) -> Product:
        return as_function(other, "a factor of a product") * self

    def __neg__(self) -> Product:
        return -1.0 * self

    def __sub__(self, other: Any) -> Sum:
        return self + -as_function(other, "a term of a sum")

    def __rsub__(self, other: Any) -> Sum:
        return -self + other

    def __truediv__(self, other: Any) -> Product:
        divisor = number(other, "what a function is divided by")
        if divisor == 0.0:
            raise DescriptionError("What a function is divided by must not be zero.")
        return self * (1.0 / divisor)


class FunctionKind(
    Calculus,
    msgspec.Struct,
    metaclass=ExplainedStruct,
    frozen=True,
    kw_only=True,
    omit_defaults=True,
    forbid_unknown_fields=True,
    tag_field="type",
    tag=str.lower,
):
    """A function f(x) with two derivatives."""

    def _put(self, field: str, value: Any) -> None:
        """Store the cleaned form of a field; only for ``__post_init__``, before anybody can hold the frozen object."""
        msgspec.structs.force_setattr(self, field, value)

    def _put_numbers(self, *fields: str) -> None:
        for field in fields:
            self._put(field, number(getattr(self, field), f"{type(self).__name__}.{field}"))


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

    def expanded(self) -> list[Term]:
        return [(Pieces((), [[self.value]]), ())]


class Polynomial(FunctionKind, frozen=True):
    """f(x) = c₀ + c₁x + c₂x² + …"""

    coefficients: tuple[float, ...]

    def __post_init__(self) -> None:
        self._put("coefficients", _numbers(self.coefficients, "the coefficients of a polynomial", "a coefficient of a polynomial"))
        if not self.coefficients:
            raise DescriptionError("A polynomial needs at least one coefficient, got none. Give coefficients=(c0, c1, …).")

    def expanded(self) -> list[Term]:
        return [(Pieces((), [self.coefficients[::-1]]), ())]


class Harmonic(FunctionKind, frozen=True):
    """f(x) = offset + amplitude · sin(2π · frequency · x + phase)."""

    amplitude: float
    frequency: float  #: [Hz]
    phase: float = 0.0  #: [rad]
    offset: float = 0.0

    def __post_init__(self) -> None:
        for field in ("amplitude", "frequency", "phase", "offset"):
            self._put(field, number(getattr(self, field), f"the {field} of a harmonic function"))

    def expanded(self) -> list[Term]:
        return [(_ONE, (self,))]

    def _derivatives(self, x: Any) -> np.ndarray:
        a, w = self.amplitude, 2 * math.pi * self.frequency
        sine, cosine = (f(w * np.asarray(x, dtype=float) + self.phase) for f in (np.sin, np.cos))
        return np.array([self.offset + a * sine, a * w * cosine, -a * w * w * sine])


class Table(FunctionKind, frozen=True):
    """f given at increasing x; constant beyond the ends.

    method  'cubic'    natural cubic spline: twice differentiable between the ends, f″ = 0 at the ends, where it arrives with a slope
            'clamped'  cubic spline that begins and ends with ``slopes``, level unless given: then it joins the constants smoothly
            'monotone' cubic Hermite (PCHIP): keeps the shape of the points, no overshoot; f″ jumps at the points
            'linear'   straight lines: f′ jumps at the points
    """

    x: tuple[float, ...]
    y: tuple[float, ...]
    method: str = "cubic"
    slopes: tuple[float, float] | None = None  #: of a clamped table, at its first and its last point; None: level

    def __post_init__(self) -> None:
        for field in ("x", "y"):
            self._put(field, _numbers(getattr(self, field), f"the {field} of a table", f"an entry of {field} of a table"))
        if len(self.x) != len(self.y) or len(self.x) < 2:
            raise DescriptionError(f"A table needs as many x as y and at least two, got {len(self.x)} and {len(self.y)}. Complete it.")
        if any(b <= a for a, b in zip(self.x[:-1], self.x[1:])):
            raise DescriptionError("The x of a table must increase strictly. Sort them and remove duplicates.")
        if self.method not in _METHODS:
            listed = ", ".join(f"'{method}'" for method in _METHODS[:-1])
            raise DescriptionError(
                f"The method of a table must be {listed} or '{_METHODS[-1]}', got {shown(self.method)}. Use one of these."
            )
        if self.slopes is not None:
            self._put("slopes", _numbers(self.slopes, "the slopes of a table", "a slope of a table"))
            if len(self.slopes) != 2:
                raise DescriptionError(
                    f"The slopes of a table are two, at its first and its last point, got {len(self.slopes)}. Give slopes=(first, last)."
                )
            if self.method != "clamped":
                raise DescriptionError(f"Only a clamped table is told its slopes, got method='{self.method}'. Use method='clamped'.")

    def expanded(self) -> list[Term]:
        return [(Pieces.between(self.x, self._coefficients()), ())]

    def _coefficients(self) -> np.ndarray:
        """(n − 1, 4) highest power first."""
        try:
            with np.errstate(all="ignore"):
                found = self._fitted()
        except (ValueError, np.linalg.LinAlgError):  # of numbers that are too large on the way
            found = np.full(1, np.nan)
        if not np.isfinite(found).all():
            raise DescriptionError("A table is too steep: its slopes are beyond all numbers. Move the points apart.")
        return found

    def _fitted(self) -> np.ndarray:
        x, y = np.array(self.x), np.array(self.y)
        if self.method == "linear" or (len(x) == 2 and self.method != "clamped"):
            slopes = np.diff(y) / np.diff(x)
            return np.stack([0 * slopes, 0 * slopes, slopes, y[:-1]], axis=1)
        from scipy.interpolate import CubicSpline, PchipInterpolator

        if self.method == "monotone":
            return PchipInterpolator(x, y).c.T
        first, last = self.slopes or (0.0, 0.0)
        ends: Any = "natural" if self.method == "cubic" else ((1, first), (1, last))
        return CubicSpline(x, y, bc_type=ends).c.T


_METHODS = ("cubic", "clamped", "monotone", "linear")


class SmoothStep(FunctionKind, frozen=True, tag="smooth_step"):
    """From ``start`` until t0 to ``end`` from t1 on, in between start + (end − start)(10s³ − 15s⁴ + 6s⁵) with s = (x − t0) / (t1 − t0).

    Rate and acceleration begin and end with zero and do not jump. The largest rate is 15/8 · (end − start) / (t1 − t0), in the middle.
    """

    start: float
    end: float
    t0: float
    t1: float

    def __post_init__(self) -> None:
        self._put_numbers("start", "end", "t0", "t1")
        if self.t1 <= self.t0:
            raise DescriptionError(f"A smooth step must end after it begins, got t0={self.t0:g} and t1={self.t1:g}. Give t1 > t0.")

    def expanded(self) -> list[Term]:
        rise, time = self.end - self.start, self.t1 - self.t0
        c = [6.0 * rise / time**5, -15.0 * rise / time**4, 10.0 * rise / time**3, 0.0, 0.0, self.start]
        pieces = Pieces.between((self.t0, self.t1), [c])
        pieces.coefficients[-1, -1] = self.end  # not to rounding
        return [(pieces, ())]


class TrapezoidalProfile(FunctionKind, frozen=True, tag="trapezoidal_profile"):
    """From ``start`` until t0 to ``end`` from t1 on with a trapezoidal velocity: constant acceleration during ``ramp`` seconds, constant
    speed (end − start) / (t1 − t0 − ramp), the same deceleration.

    The rate does not jump, the acceleration does. A ramp of half the time makes a triangle of the trapezoid.
    """

    start: float
    end: float
    t0: float
    t1: float
    ramp: float | None = None  #: [s] at most (t1 − t0) / 2; None: a third of the time

    def __post_init__(self) -> None:
        self._put_numbers("start", "end", "t0", "t1")
        if self.t1 <= self.t0:
            raise DescriptionError(f"A trapezoidal profile must end after it begins, got t0={self.t0:g} and t1={self.t1:g}. Give t1 > t0.")
        time = self.t1 - self.t0
        self._put("ramp", time / 3 if self.ramp is None else number(self.ramp, "TrapezoidalProfile.ramp", positive=True))
        assert self.ramp is not None
        if self.ramp > 0.5 * time * (1 + 1e-12):
            raise DescriptionError(
                f"The ramp of a trapezoidal profile may take half the time at most, {0.5 * time:g} s, got {self.ramp:g} s. Shorten it."
            )

    @classmethod
    def within(cls, start: float, end: float, speed: float, acceleration: float, t0: float = 0.0) -> TrapezoidalProfile:
        """The quickest way from start to end within a speed and an acceleration, from t0 on; short ways are triangles."""
        speed = number(speed, "the speed of a trapezoidal profile", positive=True)
        acceleration = number(acceleration, "the acceleration of a trapezoidal profile", positive=True)
        way = abs(number(end, "the end of a trapezoidal profile") - number(start, "the start of a trapezoidal profile"))
        if way == 0.0:
            raise DescriptionError(f"A trapezoidal profile must lead somewhere, got start and end {start:g}. Use a constant.")
        ramp = min(speed / acceleration, math.sqrt(way / acceleration))
        return cls(start=start, end=end, t0=t0, t1=t0 + ramp + way / (acceleration * ramp), ramp=ramp)

    def expanded(self) -> list[Term]:
        ramp, time = self.ramp, self.t1 - self.t0
        assert ramp is not None
        speed = (self.end - self.start) / (time - ramp)
        half, way = 0.5 * speed / ramp, 0.5 * speed * ramp
        coefficients = [[half, 0.0, self.start], [0.0, speed, self.start + way], [-half, speed, self.end - way]]
        knots = [self.t0, self.t0 + ramp, self.t1 - ramp, self.t1]
        if knots[2] <= knots[1]:  # a triangle
            knots[1:3] = [0.5 * (self.t0 + self.t1)]
            del coefficients[1]
        pieces = Pieces.between(knots, coefficients)
        pieces.coefficients[-1, -1] = self.end  # not to rounding
        return [(pieces, ())]


class Sum(FunctionKind, frozen=True):
    """f(x) = Σ of its terms, each a function: ``f + g``, ``f - 2.0``."""

    terms: tuple[Any, ...]

    def __post_init__(self) -> None:
        self._put("terms", _functions(self.terms, "sum", "term"))

    def expanded(self) -> list[Term]:
        return _collected([term for each in self.terms for term in each.expanded()])


class Product(FunctionKind, frozen=True):
    """f(x) = Π of its factors, each a function: ``f * g``, ``3.0 * f``."""

    factors: tuple[Any, ...]

    def __post_init__(self) -> None:
        self._put("factors", _functions(self.factors, "product", "factor"))

    def expanded(self) -> list[Term]:
        product: list[Term] = [(_ONE, ())]
        for factor in self.factors:
            product = _collected([(p * q, (*f, *g)) for p, f in product for q, g in factor.expanded()])
        return product


_ONE = Pieces((), [[1.0]])


def _functions(values: Any, what: str, part: str) -> tuple[Any, ...]:
    if not isinstance(values, list | tuple) or not values:
        raise DescriptionError(f"A {what} of functions needs a list of at least one {part}, got {shown(values)}.")
    return tuple(as_function(value, f"a {part} of a {what}") for value in values)


def _parts(value: Any, kind: type[Sum] | type[Product]) -> tuple[Any, ...]:
    """What a sum or a product is made of, so that long ones do not nest."""
    function = as_function(value, f"a {'term of a sum' if kind is Sum else 'factor of a product'}")
    if isinstance(function, kind):
        return function.terms if isinstance(function, Sum) else function.factors
    return (function,)


def _collected(terms: list[Term]) -> list[Term]:
    """Terms with the same harmonics and callables added up."""
    found: list[Term] = []
    for pieces, others in terms:
        for k, (before, same) in enumerate(found):
            if same == others:
                found[k] = (before + pieces, others)
                break
        else:
            found.append((pieces, others))
    if len(found) > _MOST_TERMS:
        raise DescriptionError(
            f"A product of sums of functions has {len(found)} terms when multiplied out, more than {_MOST_TERMS}. Use simpler functions."
        )
    return found


@explained_methods
class Function(Calculus):
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

    def expanded(self) -> list[Term]:
        return [(_ONE, (self,))]

    def _derivatives(self, x: Any) -> np.ndarray:
        x = np.asarray(x, dtype=float)
        return np.array([self.derivatives(each) for each in x.ravel().tolist()]).T.reshape(3, *x.shape)

    def __call__(self, x: Any) -> Any:
        """f(x): what the callable returns, for each number of an array."""
        x = np.asarray(x, dtype=float)
        values = np.array([float(self.f(each)) for each in x.ravel().tolist()]).reshape(x.shape)
        return float(values) if values.ndim == 0 else values

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


AnyFunction = Constant | Polynomial | Harmonic | Table | SmoothStep | TrapezoidalProfile | Sum | Product


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
        f"{what} must be a number, a callable, a table (x, y) or one of Polynomial, Harmonic, Table, SmoothStep, TrapezoidalProfile, "
        f"got {shown(value)}. Give one of these."
    )


class Compiled(Function):
    """A function of one variable that Numba can compile; made by :func:`compiled`."""

    _address: int | None = None

    def __reduce__(self) -> Any:
        """By its name, if it was made with a decorator; otherwise from its functions. Machine code is compiled anew where it is needed."""
        module, name = getattr(self.f, "__module__", None), getattr(self.f, "__qualname__", "")
        if getattr(sys.modules.get(module or ""), name, None) is self:
            return _named, (module, name)
        return Compiled, (self.f, self.first, self.second)

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


def _named(module: str, name: str) -> Compiled:
    """A compiled function that is an attribute of a module."""
    return getattr(importlib.import_module(module), name)


@explained
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
