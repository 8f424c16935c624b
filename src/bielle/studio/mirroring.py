"""What is behind a mirror that stands in the origin, in the plane and in space.

With S = diag(1, …, −1, …, 1), a body whose points are p + R x has the mirror image S p + S R x = S p + (S R S) S x: position and everything
in its own frame are reflected by S, and S R S is a rotation again. So are the axes of joints, F by S F S. What turns is reflected as well
and changes its sign: −S ω, which in the plane is −ω, and (w, −S v) for a quaternion (w, v). A screw changes its hand.
"""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np

from ..errors import DescriptionError
from ..mechanism.functions import Calculus

__all__ = ["mirrored"]

_VECTORS = ("start", "end", "centre", "position", "velocity", "force", "target", "path", "at", "at_a", "at_b", "scale", "normal")
_TURNS = ("orientation", "angular_velocity", "torque", "axes_a", "axes_b", "axis", "axis_a", "axis_b")
_REVERSED = ("pitch",)  # of what has a hand
_LISTS = ("polygon", "points")
_INSIDE = ("shape", "parts", "kind", "visuals", "collisions")
_UNKNOWN = ("function", "coefficients")  # only their author knows what these are behind a mirror
_NAMES = "xyz"


def mirrored(thing: Any, axis: int, planar: bool) -> Any:
    """A body, frame, joint, force or what these are made of, with the coordinate ``axis`` (0: x, 1: y, 2: z) reversed."""
    fields = type(thing).__struct_fields__
    for field in _UNKNOWN:
        if field in fields:
            raise DescriptionError(f"A {type(thing).__name__} cannot be mirrored: its {field} may mean anything. Leave it out.")
    new = {field: _mirrored(field, getattr(thing, field), axis, planar, "displacement" in fields) for field in fields}
    return msgspec.structs.replace(thing, **new)


def _mirrored(field: str, value: Any, axis: int, planar: bool, shifts: bool) -> Any:
    """The value of a field; ``shifts``: its axis says where something is moved to, not about which it turns."""
    if field in _INSIDE:
        return tuple(mirrored(part, axis, planar) for part in value) if isinstance(value, tuple) else mirrored(value, axis, planar)
    if field == "normal" or (field == "axis" and shifts):
        return _direction(value, axis, (1 if planar else 2) if field == "normal" else 0)
    if value is None:
        return None
    if field == "direction":  # of a line, in the plane: an angle changes its sign, the line of a letter is its own image
        return -value if isinstance(value, float | int) else value if isinstance(value, str) else _reflected(value, axis)
    if field in _VECTORS and isinstance(value, tuple):
        return _reflected(value, axis)
    if field in _TURNS:
        return _turned(value, axis)
    if field in _REVERSED:
        return -value
    if field in _LISTS:
        return tuple(_reflected(point, axis) for point in value)
    if field == "inertia":
        return _inertia(value, axis)
    return value


def _reflected(vector: tuple[Any, ...], axis: int) -> tuple[Any, ...]:
    return tuple(_minus(x) if i == axis else x for i, x in enumerate(vector))


def _minus(x: Any) -> Any:
    return x * -1.0 if isinstance(x, Calculus) else -x


def _direction(value: Any, axis: int, otherwise: int) -> Any:
    """A vector that may be given by a letter, an angle in the plane, or not at all."""
    if isinstance(value, float | int):
        return float(np.pi - value) if axis == 0 else -value
    vector = _vector(_NAMES[otherwise] if value is None else value)
    image = _reflected(vector, axis)
    return value if image == vector else image


def _turned(value: Any, axis: int) -> Any:
    """An angle, a rate or moment about axes, a quaternion, or the axis of a turn, which keeps its sign."""
    if isinstance(value, str):
        vector = _vector(value)
        image = tuple(-x for x in _reflected(vector, axis))
        return value if image == vector else image
    if not isinstance(value, tuple):
        return _minus(value)
    if len(value) == 4:
        return (value[0], *(_minus(x) for x in _reflected(value[1:], axis)))
    return tuple(_minus(x) for x in _reflected(value, axis))


def _vector(value: Any) -> tuple[float, ...]:
    """'x', '-y' or numbers."""
    if not isinstance(value, str):
        return tuple(value)
    sign = -1.0 if value.startswith("-") else 1.0
    return tuple(sign * (letter == value[-1]) for letter in _NAMES)


def _inertia(value: Any, axis: int) -> Any:
    """One number in the plane; in space the diagonal, with or without xy, xz, yz, or the whole matrix."""
    if not isinstance(value, tuple) or (len(value) == 3 and not isinstance(value[0], tuple)):
        return value
    sign = [-1.0 if i == axis else 1.0 for i in range(3)]
    if len(value) == 6:
        return (*value[:3], *(sign[i] * sign[k] * x for (i, k), x in zip(((0, 1), (0, 2), (1, 2)), value[3:])))
    return tuple(tuple(sign[i] * sign[k] * x for k, x in enumerate(row)) for i, row in enumerate(value))
