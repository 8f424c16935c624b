"""What is behind a mirror, in the plane.

With S = diag(∓1, ±1), a body whose points are p + R(θ) x has the mirror image S p + S R(θ) x = S p + R(−θ) S x: position and everything in
its own frame are reflected by S, angles change their sign.
"""

from __future__ import annotations

from typing import Any

import msgspec

__all__ = ["mirrored"]

_VECTORS = ("start", "end", "centre", "position", "velocity", "direction", "force", "at", "at_a", "at_b")
_TURNS = ("orientation", "angular_velocity", "torque", "axes_a", "axes_b")
_LISTS = ("polygon", "points")
_PARTS = ("shape", "parts")


def mirrored(thing: Any, axis: int) -> Any:
    """A planar body, shape, joint or force kind with the coordinate ``axis`` (0: x, 1: y) reversed."""
    values = {field: getattr(thing, field) for field in type(thing).__struct_fields__}
    return msgspec.structs.replace(thing, **_mirrored(values, axis))


def _mirrored(values: dict[str, Any], axis: int) -> dict[str, Any]:
    """Values by the name of their field, reflected where they are places, directions, angles or made of such."""
    out = dict(values)
    for field, value in values.items():
        if field in _VECTORS and isinstance(value, tuple) and all(isinstance(x, int | float) for x in value):
            out[field] = _reflected(value, axis)
        elif field in _TURNS and isinstance(value, int | float):
            out[field] = -value
        elif field in _LISTS:
            out[field] = tuple(_reflected(point, axis) for point in reversed(value))
        elif field in _PARTS:
            out[field] = tuple(mirrored(part, axis) for part in value) if isinstance(value, tuple) else mirrored(value, axis)
    return out


def _reflected(vector: tuple[float, ...], axis: int) -> tuple[float, ...]:
    return tuple(-x if i == axis else x for i, x in enumerate(vector))
