"""What is behind a mirror that stands in the origin, in the plane and in space.

With S = diag(1, …, −1, …, 1), a body whose points are p + R x has the mirror image S p + S R x = S p + (S R S) S x: position and everything
in its own frame are reflected by S, and S R S is a rotation again. So are the axes of joints, F by S F S. What turns is reflected as well
and changes its sign: −S ω, which in the plane is −ω, and (w, −S v) for a quaternion (w, v). A screw changes its hand.

What acts in a joint goes by its angle or displacement, which is counted about or along an axis d. Behind the mirror that is d': if
d' = S d, displacements are what they were and angles change their signs; if d' = −S d it is the other way round. In the plane all angles
change their signs.
"""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np

from ..errors import DescriptionError
from ..joints.gear import SLIDING
from ..mechanism.functions import Calculus, Constant, Polynomial, Table
from ..mechanism.vectors import axis as unit_axis
from ..mechanism.vectors import planar_axis

__all__ = ["mirrored", "mirrored_force", "mirrored_gear"]

_VECTORS = ("start", "end", "centre", "position", "velocity", "force", "target", "path", "at", "at_a", "at_b", "scale", "normal")
_TURNS = ("orientation", "angular_velocity", "torque", "axes_a", "axes_b", "axis", "axis_a", "axis_b")
_REVERSED = ("pitch",)  # of what has a hand
_LISTS = ("polygon", "points")
_INSIDE = ("shape", "parts", "kind", "visuals", "collisions")
_COUNTED = ("target", "feedforward", "angle")  # of what acts in joints: along or about their axes
_SIZES = ("torque",)  # of what acts in joints: that of friction, which has no sign
_UNKNOWN = ("function", "coefficients")  # only their author knows what these are behind a mirror
_NAMES = "xyz"


def mirrored(thing: Any, axis: int, planar: bool) -> Any:
    """A body, frame, joint, force or what these are made of, with the coordinate ``axis`` (0: x, 1: y, 2: z) reversed."""
    fields = type(thing).__struct_fields__
    for field in _UNKNOWN:
        if field in fields:
            raise DescriptionError(f"A {type(thing).__name__} cannot be mirrored: its {field} may mean anything. Leave it out.")
    kept = _SIZES if getattr(thing, "measures", None) is not None else ()
    changed = [field for field in fields if field not in kept]
    new = {field: _mirrored(field, getattr(thing, field), axis, planar, "displacement" in fields) for field in changed}
    if planar and "angle" in getattr(thing, "functions", ()):  # that a joint imposes; in space its axis is turned instead
        new["angle"] = _minus(thing.angle)
    return msgspec.structs.replace(thing, **new)


def mirrored_force(force: Any, joint: Any, axis: int, planar: bool) -> Any:
    """A force behind the mirror; ``joint``: in which it acts, if any."""
    image = mirrored(force, axis, planar)
    own = getattr(force.kind, "axis", None) is not None
    lines = (force.kind, image.kind) if own else (joint.kind, mirrored(joint.kind, axis, planar)) if joint is not None else None
    if _sense(force.kind.measures, lines, axis, planar) > 0:
        return image
    return msgspec.structs.replace(image, kind=_counted_back(image.kind))


def mirrored_gear(gear: Any, joints: tuple[Any, Any], axis: int, planar: bool) -> Any:
    """What couples two joints behind the mirror."""
    image = mirrored(gear, axis, planar)
    measures = ["displacement" if joint.kind.motion in SLIDING else "angle" for joint in joints]
    senses = [_sense(what, (j.kind, mirrored(j.kind, axis, planar)), axis, planar) for what, j in zip(measures, joints)]
    return msgspec.structs.replace(image, kind=msgspec.structs.replace(image.kind, ratio=image.kind.ratio * senses[0] * senses[1]))


def _sense(measures: str | None, lines: tuple[Any, Any] | None, axis: int, planar: bool) -> int:
    """−1 if what is measured along or about a line of the first kind changes its sign along that of its image; else 1."""
    if measures == "angle" and planar:
        return -1
    if measures not in ("angle", "displacement") or lines is None:
        return 1
    before, behind = (_line(kind, planar) for kind in lines)
    along = 1 if behind @ np.array(_reflected(tuple(before), axis)) > 0.0 else -1
    return along if measures == "displacement" else -along


def _line(kind: Any, planar: bool) -> np.ndarray:
    """The axis of a joint, or of a force that has its own."""
    if hasattr(kind, "axis_vector"):
        return kind.axis_vector()
    return planar_axis(kind.axis, "the axis")[0] if planar else unit_axis(kind.axis, "the axis")


def _counted_back(kind: Any) -> Any:
    """What acts on −x as this does on x."""
    fields = set(type(kind).__struct_fields__)
    new = {field: _minus(value) for field in fields & set(_COUNTED) if (value := getattr(kind, field)) is not None}
    if fields >= {"lower", "upper"}:
        new |= {field: None if value is None else -value for field, value in (("lower", kind.upper), ("upper", kind.lower))}
    if getattr(kind, "characteristic", None) is not None:
        new["characteristic"] = _odd(kind.characteristic)
    return msgspec.structs.replace(kind, **new)


def _odd(f: Any) -> Any:
    """−f(−x)."""
    if isinstance(f, Polynomial):
        return Polynomial(coefficients=tuple(c * (-1.0) ** (k + 1) for k, c in enumerate(f.coefficients)))
    if isinstance(f, Table):
        slopes = None if f.slopes is None else f.slopes[::-1]
        return msgspec.structs.replace(f, x=tuple(-x for x in f.x[::-1]), y=tuple(-y for y in f.y[::-1]), slopes=slopes)
    raise DescriptionError("Only its author knows what its characteristic is behind a mirror. Leave it out.")


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
    if isinstance(x, Constant):
        return Constant(value=-x.value)  # a number stays one that a form can show
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
