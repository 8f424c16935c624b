"""What is left over of the equations of a joint, as people are told: those that see points are lengths, those of directions alone angles.

d · e, of two directions that are to be orthogonal, is the sine of the angle they lack, and not that angle. It is the sine of another one,
too, beyond a quarter turn. So a joint that has axes on both bodies, which are to coincide, lacks the angle between these.
"""

import math
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from ..model import Context
from ..model.model import JointRow
from ..model.transfer import twist_of
from .positions import Sides, sides

__all__ = ["Leftover", "largest_leftover", "leftover", "leftover_rate"]

ROUNDING = 1e-15  # of directions: an angle below it is none
ALIKE = 1e-12  # a residual that is off a sine by less is that sine
STEEP = 1e-6  # slope of a sine from which on its rate tells how fast the angle changes


class Leftover(NamedTuple):
    """How far a joint is open, or how fast its bodies move against each other."""

    amount: float
    unit: str  #: m or rad, m/s or rad/s

    def __str__(self) -> str:
        return f"{self.amount:.3g} {self.unit}"


def leftover(context: Context, row: JointRow, *, nearly: bool = False) -> Leftover:
    """The largest gap of a joint, a length or an angle, at the state that was evaluated last. One that is being closed: to its ramp.

    nearly: only what is left over of its equations is looked at, which tells small angles only, but not the state itself
    """
    lengths, sines, others = _equations(context, row, context.phi)
    axes = None if nearly else _axes(context, row)
    if axes is not None:
        angle = _angle_between(axes)
        return _larger(lengths, [angle if angle > ROUNDING else 0.0], "")
    return _larger(lengths, [*others, *(abs(_asin(s) - _asin(s - phi)) for phi, s in sines)], "")


def leftover_rate(context: Context, row: JointRow, *, nearly: bool = False) -> Leftover:
    """The largest velocity in a joint that should be none, of points or of angles, likewise."""
    lengths, sines, others = _equations(context, row, context.phi_dot)
    axes = None if nearly else _axes(context, row)
    if axes is not None:
        return _larger(lengths, [_turning(context, axes)], "/s")
    slopes = [(rate, math.sqrt(max(1.0 - s * s, 0.0))) for rate, s in sines]
    return _larger(lengths, [*others, *(abs(rate) / (slope if slope > STEEP else 1.0) for rate, slope in slopes)], "/s")


def largest_leftover(context: Context, joints: Iterable[str] | None = None, *, rate: bool = False) -> Leftover:
    """Of these joints, or of all, that of the one whose equations are off most."""
    rows, residual = context.model.joints, np.abs(context.phi_dot if rate else context.phi)
    off = {name: float(residual[rows[name].equations].max(initial=0.0)) for name in (rows if joints is None else joints)}
    if not off:
        return Leftover(0.0, "m/s" if rate else "m")
    row = rows[max(off, key=lambda name: off[name])]
    return leftover_rate(context, row) if rate else leftover(context, row)


def _larger(lengths: list[float], angles: list[float], per: str) -> Leftover:
    length, angle = max(lengths, default=0.0), max(angles, default=0.0)
    return Leftover(angle, f"rad{per}") if angle > length or not lengths else Leftover(length, f"m{per}")


def _equations(context: Context, row: JointRow, residual: np.ndarray) -> tuple[list[float], list[tuple[float, float]], list[float]]:
    """Sizes of the residuals (nc,) of a joint's equations that see points; of sines, residuals with these sines; sizes of all others."""
    own, dim = residual[row.equations].tolist(), context.model.dim
    points = context.model.arrays["elem_point"][row.elements].tolist()
    if all(points):
        return [abs(value) for value in own], [], []
    start, elements = int(context.joint_g[row.index]), len(points)
    G = context.g[start : start + len(own) * elements * dim].reshape(len(own), elements, dim)
    x = context.x[dim * row.elements.start : dim * row.elements.stop].reshape(elements, dim)
    ramp = math.inf if _closes(context, row) else ALIKE
    lengths, sines, others = [], [], []
    for value, phi, coefficients in zip(own, context.phi[row.equations].tolist(), G):
        used = np.flatnonzero(coefficients.any(axis=1)).tolist()
        if any(points[k] for k in used):
            lengths.append(abs(value))
            continue
        if len(used) == 2 and np.array_equal(coefficients[used], x[used[::-1]]):  # of d · e they are e and d
            sine = float(x[used[0]] @ x[used[1]])
            if abs(phi - sine) <= ramp:  # an angle in the equation may look alike in one position
                sines.append((value, sine))
                continue
        others.append(abs(value))
    return lengths, sines, others


def _axes(context: Context, row: JointRow) -> Sides | None:
    """The axes of a joint that is open by the angle between them."""
    off = *context.phi[row.equations].tolist(), *context.phi_dot[row.equations].tolist()
    return None if _closes(context, row) or not all(map(math.isfinite, off)) else sides(context, row.name)


def _closes(context: Context, row: JointRow) -> bool:
    """Whether the joint follows a ramp."""
    return any(closing.joint == row.name for closing in context.model.closings)


def _asin(sine: float) -> float:
    return math.asin(min(max(sine, -1.0), 1.0))


def _angle_between(axes: Sides) -> float:
    """[rad] by which the axes of a joint on b are turned from those on a; of z alone, if it may turn about z."""
    a, b = axes.axes
    if axes.about_z:
        return math.atan2(_norm(np.cross(a[:, 2], b[:, 2])), float(a[:, 2] @ b[:, 2]))
    R = a.T @ b  # 2 sin θ n is in what is not symmetric, 1 + 2 cos θ is the trace
    return math.atan2(_norm(np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]])), float(np.trace(R)) - 1.0)


def _turning(context: Context, axes: Sides) -> float:
    """[rad/s] at which b turns relative to a; or its axis z does, if it may turn about z."""
    spins = []
    for body in axes.bodies:
        row = context.model.bodies[body]
        spins.append(twist_of(row.kind, context.q[row.q], context.v[row.v]).angular if row.kind.nv else np.zeros(3))
    relative = spins[1] - spins[0]
    return _norm(np.cross(relative, axes.axes[1][:, 2]) if axes.about_z else relative)


def _norm(vector: np.ndarray) -> float:
    return math.hypot(*vector.tolist())
