"""A force that the user's own Python function computes; the compiled loop calls it."""

import ctypes
import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..errors import DescriptionError
from ..kernels.lazy import entry
from ..kernels.pointers import call_elements
from ..mechanism.callbacks import Callback
from ..mechanism.registry import register_force
from .kind import ForceKind
from .primitives import force_arrays, total_power, turn, write_outputs

__all__ = ["CallableForce", "View"]


@entry
def evaluate(ctx, first, last):
    """The function's force f and torque τ on a, as a force on P_a and ½ τ × d on its directions; power applied.

    On b the exact opposite: −f on P_b, and the torque −τ − (x_a − x_b) × f that moves it to the line of action. Elements: P_a and the
    directions of a, then the same of b. The function writes f and τ to the place of the efforts, from where they are spread.
    """
    dim = ctx.count.dim
    t, address, force_s = ctx.scalar.time, ctx.signal_n, ctx.force_s
    for f in range(first, last):
        x, xd, F, n = force_arrays(ctx, f, dim)
        call_elements(address[force_s[f]], t, n, x, xd, F)
        fx, fy, fz, tx, ty, tz = F[0], F[1], 0.0, 0.0, 0.0, F[2]
        if dim == 3:
            fz, tx, ty, tz = F[2], F[3], F[4], F[5]
        for k in range(1, 1 + dim):
            turn(x, F, k, dim, 0.5 * tx, 0.5 * ty, 0.5 * tz)
        F[0] = fx
        F[1] = fy
        if dim == 3:
            F[2] = fz
        if n > 1 + dim:
            b = dim * (1 + dim)
            rx, ry, rz = x[0] - x[b], x[1] - x[b + 1], 0.0
            F[b] = -fx
            F[b + 1] = -fy
            if dim == 3:
                rz = x[2] - x[b + 2]
                F[b + 2] = -fz
            tx, ty, tz = tx + ry * fz - rz * fy, ty + rz * fx - rx * fz, tz + rx * fy - ry * fx
            for k in range(2 + dim, 2 + 2 * dim):
                turn(x, F, k, dim, -0.5 * tx, -0.5 * ty, -0.5 * tz)
        write_outputs(ctx, f, 0.0, 0.0, 0.0, total_power(xd, F, dim * n), math.sqrt(fx * fx + fy * fy + fz * fz))


class View:
    """What the function sees of the body at the attachment point, in world axes; vectors have two components in the plane.

    time              [s]
    position          (dim,) of the point [m]
    velocity          (dim,) of the point [m/s]
    rotation          (dim, dim), the body's axes as columns
    angle             [rad], only in the plane, between −π and π
    angular_velocity  [rad/s]: a number in the plane, (3,) in space
    other             the same of b, if the force acts between two bodies; otherwise None
    """

    __slots__ = ("_rates", "_values", "other", "time")

    def __init__(self, time: float, values: np.ndarray, rates: np.ndarray, other: "View | None" = None) -> None:
        """values, rates: (1 + dim, dim), the point and the directions."""
        self.time = time
        self._values = values
        self._rates = rates
        self.other = other

    @property
    def position(self) -> np.ndarray:
        return self._values[0]

    @property
    def velocity(self) -> np.ndarray:
        return self._rates[0]

    @property
    def rotation(self) -> np.ndarray:
        return self._values[1:].T

    @property
    def angle(self) -> float:
        if len(self._values) != 3:
            raise AttributeError("angle exists in planar mechanisms only; use rotation.")
        return math.atan2(self._values[1, 1], self._values[1, 0])

    @property
    def angular_velocity(self) -> Any:
        d, u = self._values[1:], self._rates[1:]
        if len(d) == 2:
            return 0.5 * float(np.sum(d[:, 0] * u[:, 1] - d[:, 1] * u[:, 0]))
        return 0.5 * np.cross(d, u).sum(axis=0)


_POINTER = ctypes.POINTER(ctypes.c_double)
_FORCE = ctypes.CFUNCTYPE(None, ctypes.c_double, ctypes.c_int64, _POINTER, _POINTER, _POINTER)


class ForceCallback(Callback):
    """Bridge for a function f(t, view)."""

    prototype = _FORCE

    def __init__(self, function: Any, dim: int) -> None:
        super().__init__()
        self.function = function
        self.dim = dim

    def _call(self, t: float, n: int, x: Any, xd: Any, out: Any) -> None:
        width = self.dim + (1 if self.dim == 2 else 3)
        numbers: Sequence[float] = (math.nan,) * width
        try:
            result = self.function(t, self._view(t, n, x, xd))
        except BaseException as error:
            self.failed(f"its function raised {type(error).__name__}: {error} at time {t:.9g}. Mend the function.", error)
        else:
            numbers = self._numbers(result, t, numbers)
        for i in range(width):
            out[i] = numbers[i]

    def _view(self, t: float, n: int, x: Any, xd: Any) -> View:
        dim, side = self.dim, 1 + self.dim
        values, rates = (np.array(p[: dim * n]).reshape(n, dim) for p in (x, xd))
        other = View(t, values[side:], rates[side:]) if n > side else None
        return View(t, values[:side], rates[:side], other)

    def _numbers(self, result: Any, t: float, nothing: Sequence[float]) -> Sequence[float]:
        """Force and torque as floats, or ``nothing`` and an error that tells what came instead."""
        dim = self.dim
        try:
            paired = isinstance(result, tuple) and len(result) == 2 and np.ndim(result[0]) > 0
            force, torque = result if paired else (result, 0.0 if dim == 2 else (0.0, 0.0, 0.0))
            force, torque = np.asarray(force, dtype=float), np.asarray(torque, dtype=float)
        except (TypeError, ValueError):
            force = torque = np.array(math.nan)
        if force.shape != (dim,) or torque.shape != (() if dim == 2 else (3,)):
            moment = "one number" if dim == 2 else "three numbers"
            wanted = f"{dim} numbers, or a pair of {dim} numbers and the torque ({moment})"
            self.failed(f"its function must return {wanted}, got {result!r} at time {t:.9g}.")
            return nothing
        numbers = [*force.tolist(), *torque.reshape(-1).tolist()]
        if not all(map(math.isfinite, numbers)):
            self.failed(f"its function returned a force that is not finite, {result!r}, at time {t:.9g}. Mend the function.")
            return nothing
        return numbers


@register_force
class CallableForce(ForceKind, frozen=True, tag="callable_force"):
    """``function(t, view)`` returns the force on a [N] in world axes, or the pair (force, torque [N·m]); see :class:`View`.

    Acts on a at its point, and, if there is a b (or in a joint), with the exact opposite on b. It is Python called from the compiled
    loop: some microseconds a call. Implicit integrators treat it explicitly (it has no tangent), and it cannot be written to a file.
    Output: magnitude of the force [N].
    """

    dims = (2, 3)
    kernel = evaluate
    attachment = "any"

    function: Any

    @classmethod
    def samples(cls, dim):
        return [cls(function=_drag), cls(function=_swirl)]

    def check(self, name):
        if not callable(self.function):
            raise DescriptionError(f"force '{name}': the function must be callable as function(t, view), got {self.function!r}.")

    def elements(self, a, b=None, dim=3):
        sides = [a] if b is None else [a, b]
        return [element for side in sides for element in (side.point(), *side.own_directions(dim))]

    def characteristics(self, dim):
        return [ForceCallback(self.function, dim)]


def _drag(t: float, view: View) -> Any:
    return -0.3 * (view.velocity if view.other is None else view.velocity - view.other.velocity)


def _swirl(t: float, view: View) -> Any:
    return np.cos(t) - 0.3 * view.velocity - 2.0 * view.position, -0.2 * view.angular_velocity
