"""Checked conversion of what users write into numbers: vectors, axes, orientations."""

import math
from collections.abc import Sequence
from types import FunctionType
from typing import Any

import numpy as np

from ..calls import explained
from ..errors import DescriptionError
from .mass import LARGEST, check_size, is_scalar

__all__ = [
    "AXES",
    "E1",
    "E2",
    "E3",
    "PlanarAxis",
    "axis",
    "lifted",
    "matrix_to_quaternion",
    "number",
    "orientation",
    "plain",
    "planar_axis",
    "quaternion_to_matrix",
    "rotation",
    "shown",
    "triad",
    "vector",
]

E1, E2, E3 = np.eye(3)  # the component's own axes

PlanarAxis = str | float | tuple[float, float] | None

AXES = {
    "x": (1.0, 0.0, 0.0),
    "y": (0.0, 1.0, 0.0),
    "z": (0.0, 0.0, 1.0),
    "-x": (-1.0, 0.0, 0.0),
    "-y": (0.0, -1.0, 0.0),
    "-z": (0.0, 0.0, -1.0),
}


def number(value: Any, what: str, *, positive: bool = False, nonnegative: bool = False) -> float:
    """A finite float, or an error that says what was expected."""
    if not is_scalar(value):
        raise DescriptionError(f"{what} must be a number, got {shown(value)}. Give a plain number in SI units.")
    try:
        result = float(value)
    except OverflowError:  # an integer beyond the range of floats
        result = math.inf
    if not math.isfinite(result):
        raise DescriptionError(f"{what} must be finite, got {shown(value)}. Check how it was computed.")
    if positive and result <= 0.0:
        raise DescriptionError(f"{what} must be positive, got {result}. Give a number > 0.")
    if nonnegative and result < 0.0:
        raise DescriptionError(f"{what} must not be negative, got {result}. Give a number >= 0.")
    check_size(what, result, positive)
    return result


def vector(value: Any, what: str, length: int) -> tuple[float, ...]:
    """``length`` finite floats, or an error that says what was expected."""
    if type(value) in (tuple, list) and len(value) == length and all(type(x) is float and abs(x) <= LARGEST for x in value):
        return tuple(value)
    array = _array(value, f"{what} must be {length} numbers")
    if array.shape != (length,):
        hint = f" Give {length} numbers."
        if array.shape in ((2,), (3,)):
            hint = " The mechanism is planar: give two numbers." if length == 2 else " The mechanism is spatial: give three numbers."
        raise DescriptionError(f"{what} must be {length} numbers, got {shown(value)}.{hint}")
    numbers = tuple(array.tolist())
    if not all(map(math.isfinite, numbers)):
        raise DescriptionError(f"{what} must be finite, got {shown(value)}. Check how it was computed.")
    for each in numbers:
        check_size(what, each, False)
    return numbers


def _array(value: Any, expected: str) -> np.ndarray:
    """An array of floats from numbers in any nesting; never from text, truth values or complex numbers."""
    try:
        array = np.asarray(value)
        if array.dtype.kind == "O":  # integers beyond 64 bits, or anything at all: only numbers pass
            array = np.array([number(item, "an entry") for item in array.ravel()]).reshape(array.shape)
        if array.dtype.kind not in "iuf" or (isinstance(value, list | tuple) and any(isinstance(item, bool) for item in value)):
            raise TypeError
        return array.astype(float)
    except (TypeError, ValueError, OverflowError):
        raise DescriptionError(f"{expected}, got {shown(value)}. Give plain numbers in SI units.") from None


def lifted(values: Any) -> np.ndarray:
    """(3,) from up to three numbers; what is missing is zero."""
    out = np.zeros(3)
    out[: len(values)] = values
    return out


def plain(value: Any) -> Any:
    """The value without numpy's types and with tuples for lists, so that descriptions compare and can be written to files."""
    if isinstance(value, np.ndarray | np.generic):
        value = value.tolist()
    if isinstance(value, list | tuple):
        return tuple(plain(item) for item in value)
    return value


def axis(value: Any, what: str) -> np.ndarray:
    """Unit vector (3,) from 'x', '-y', … or three numbers."""
    if isinstance(value, str):
        if value not in AXES:
            raise DescriptionError(f"{what} must be one of {', '.join(AXES)} or three numbers, got {shown(value)}.")
        return np.array(AXES[value])
    return _unit(np.array(vector(value, what, 3)), what, value)


def _unit(array: np.ndarray, what: str, value: Any) -> np.ndarray:
    """The direction of a vector; hypot neither overflows nor underflows as the sum of squares would."""
    length = math.hypot(*array)
    if length < 1e-12:
        raise DescriptionError(f"{what} must not be the zero vector, got {shown(value)}. Give a direction.")
    return array / length


def planar_axis(value: Any, what: str) -> tuple[np.ndarray, np.ndarray]:
    """Unit vector (3,) in the plane, from 'x', '-y', …, an angle [rad] or two numbers, and its normal to the left. None: the first axis."""
    if value is None:
        t = E1
    elif isinstance(value, str):
        if value not in ("x", "y", "-x", "-y"):
            raise DescriptionError(f"{what} must be 'x', 'y', '-x', '-y', an angle in radians or two numbers, got {shown(value)}.")
        t = np.array(AXES[value])
    elif is_scalar(value):
        angle = number(value, what)
        t = np.array([math.cos(angle), math.sin(angle), 0.0])
    else:
        t = _unit(np.array([*vector(value, what, 2), 0.0]), what, value)
    return t, np.array([-t[1], t[0], 0.0])


def triad(direction: np.ndarray) -> np.ndarray:
    """Columns (e1, e2, e3) of a right-handed frame whose third vector is the given unit vector; deterministic."""
    a, b, c = d = direction.tolist()  # plain numbers are much faster than arrays of three
    k = min(range(3), key=lambda i: abs(d[i]))
    x, y, z = ((1.0 if i == k else 0.0) - d[i] * d[k] for i in range(3))
    length = math.sqrt(x * x + y * y + z * z)
    x, y, z = x / length, y / length, z / length
    return np.array([[x, b * z - c * y, a], [y, c * x - a * z, b], [z, a * y - b * x, c]])


@explained
def rotation(about: Any, angle: float) -> tuple[float, float, float, float]:
    """Quaternion (w, x, y, z) of a turn by ``angle`` [rad] about an axis."""
    n = axis(about, "the axis of a rotation")
    half = 0.5 * number(angle, "the angle of a rotation")
    return (math.cos(half), *(float(math.sin(half) * x) for x in n))  # type: ignore[return-value]


def orientation(value: Any, what: str, planar: bool) -> Any:
    """Angle [rad] (planar) or unit quaternion (spatial; from a quaternion or a 3 × 3 rotation matrix), as plain numbers."""
    if planar:
        return number(value, f"{what} (an angle in radians: the mechanism is planar)")
    array = _array(value, f"{what} must be a quaternion (w, x, y, z) or a 3 × 3 rotation matrix")
    if not np.isfinite(array).all():
        raise DescriptionError(f"{what} must be finite, got {shown(value)}. Check how it was computed.")
    if array.shape == (3, 3):
        # entries of a rotation never exceed one, and looking first keeps the products from overflowing
        proper = np.abs(array).max() < 2.0 and np.abs(array.T @ array - np.eye(3)).max() <= 1e-6 and np.linalg.det(array) > 0.0
        if not proper:
            raise DescriptionError(f"{what} must be a proper rotation matrix (RᵀR = I, det R = 1), got {shown(value)}.")
        return quaternion_of(array)
    if array.shape != (4,):
        raise DescriptionError(
            f"{what} must be a quaternion (w, x, y, z) or a 3 × 3 rotation matrix, got {shown(value)}. "
            "Use bielle.rotation(axis, angle) to make one."
        )
    length = math.hypot(*array)
    if length < 1e-12 or not math.isfinite(length):
        raise DescriptionError(f"{what} must be a quaternion of finite length > 0, got {shown(value)}. Use (1, 0, 0, 0) for no rotation.")
    if abs(length - 1.0) < 1e-15:  # leave unit quaternions bit for bit as written, so that files round-trip
        return tuple(float(x) for x in array)
    return tuple(float(x) for x in array / length)


def rotation_matrix(orientation: float | Sequence[float]) -> np.ndarray:
    """(3, 3), body to world, of an angle in the plane or a quaternion."""
    if isinstance(orientation, float | int):
        c, s = math.cos(orientation), math.sin(orientation)
        return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    return quaternion_to_matrix(orientation)


def quaternion_to_matrix(q: Sequence[float]) -> np.ndarray:
    """Rotation matrix (3, 3), body to world."""
    w, x, y, z = q
    s = 2.0 / (w * w + x * x + y * y + z * z)
    return np.array(
        [
            [1 - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y)],
            [s * (x * y + w * z), 1 - s * (x * x + z * z), s * (y * z - w * x)],
            [s * (x * z - w * y), s * (y * z + w * x), 1 - s * (x * x + y * y)],
        ]
    )


def matrix_to_quaternion(R: np.ndarray) -> np.ndarray:
    """Unit quaternion (4,) with the largest component positive."""
    return np.array(quaternion_of(R))


def quaternion_of(R: np.ndarray) -> tuple[float, ...]:
    """The same as plain numbers (Shepperd's choice of pivot)."""
    (xx, xy, xz), (yx, yy, yz), (zx, zy, zz) = R.tolist()
    trace = xx + yy + zz
    largest = max(trace, xx, yy, zz)
    if largest == trace:
        q = (1.0 + trace, zy - yz, xz - zx, yx - xy)
    elif largest == xx:
        q = (zy - yz, 1.0 + 2.0 * xx - trace, xy + yx, xz + zx)
    elif largest == yy:
        q = (xz - zx, xy + yx, 1.0 + 2.0 * yy - trace, yz + zy)
    else:
        q = (yx - xy, xz + zx, yz + zy, 1.0 + 2.0 * zz - trace)
    length = math.hypot(*q)
    return tuple(x / length for x in q)


def shown(value: Any) -> str:
    """The value for a message, shortened."""
    if isinstance(value, np.ndarray):
        text = " ".join(np.array2string(value, separator=", ", threshold=8).split())
    elif isinstance(value, str):
        text = repr(value[:80])
    elif isinstance(value, FunctionType):
        text = f"the function {value.__name__}"
    else:
        try:
            text = repr(value)
        except ValueError:  # Python refuses to write integers of thousands of digits
            text = f"a {type(value).__name__} too long to show"
    return text if len(text) < 80 else text[:77] + "…"
