"""Force on a point of a body, given over time in world axes or in axes that turn with the body."""

import math
from typing import Any

import msgspec

from ..errors import DescriptionError
from ..kernels.lazy import entry
from ..kernels.pointers import at
from ..mechanism.functions import Harmonic, as_function
from ..mechanism.registry import register_force
from .kind import ForceKind
from .primitives import force_arrays, tangent_arrays, total_power, write_outputs

__all__ = ["PointForce"]


@entry
def evaluate(ctx, first, last):
    """F = (f₁, f₂[, f₃]) on the point; with directions d_i behind it among the elements, F = Σ f_i d_i. Power F · ẋ, applied."""
    dim = ctx.count.dim
    signal, force_s = ctx.signal, ctx.force_s
    for f in range(first, last):
        x, xd, F, n = force_arrays(ctx, f, dim)
        value = at(signal, 3 * force_s[f])
        for k in range(dim * n):
            F[k] = 0.0
        square = 0.0
        for k in range(dim):
            if n == 1:
                F[k] = value[3 * k]
            else:
                for i in range(dim):
                    F[k] += value[3 * i] * x[dim * (1 + i) + k]
            square += F[k] * F[k]
        write_outputs(ctx, f, 0.0, 0.0, 0.0, total_power(xd, F, dim), math.sqrt(square))


@entry
def tangent(ctx, first, last):
    """−∂F/∂d_i = −f_i I; nothing in world axes."""
    dim = ctx.count.dim
    signal, force_s = ctx.signal, ctx.force_s
    for f in range(first, last):
        _, _, K, _, width = tangent_arrays(ctx, f, dim)
        value = at(signal, 3 * force_s[f])
        if width > dim:
            for k in range(dim):
                for i in range(dim):
                    K[k * width + dim * (1 + i) + k] = -value[3 * i]


@register_force
class PointForce(ForceKind, frozen=True, tag="point_force"):
    """``force`` [N]: two components in the plane, three in space, each a number, a table or a function of time.

    ``axes`` is 'world', or 'body' for components along the axes of the body (of the frame, if it is attached to one), so that the
    force follows the body. Output: magnitude [N].
    """

    dims = (2, 3)
    kernel = evaluate
    tangent = tangent
    attachment = "one"

    force: tuple[Any, ...]
    axes: str = "world"

    def __post_init__(self) -> None:
        msgspec.structs.force_setattr(self, "force", components(self.force, "PointForce.force"))

    @classmethod
    def samples(cls, dim):
        moving = (3.0, Harmonic(amplitude=2.0, frequency=0.7, phase=0.3), -1.0)[:dim]
        return [cls(force=moving), cls(force=moving, axes="body")]

    def check(self, name):
        check_axes(self.axes, name)

    def check_attachment(self, what, force, m):
        super().check_attachment(what, force, m)
        if len(self.force) != m.dim:
            kind = "planar" if m.dim == 2 else "spatial"
            raise DescriptionError(f"{what}: the mechanism is {kind}, but the force has {len(self.force)} components. Give {m.dim}.")

    def elements(self, a, b=None, dim=3):
        return [a.point()] + (a.own_directions(dim) if self.axes == "body" else [])

    def signals(self, dim):
        return list(self.force)


def components(values: Any, what: str) -> tuple[Any, ...]:
    """Two or three functions of time."""
    if not hasattr(values, "__len__") or isinstance(values, str | dict) or len(values) not in (2, 3):
        raise DescriptionError(f"{what} must be two or three components, each a number, a table or a function of time, got {values!r}.")
    return tuple(as_function(value, f"{what}[{i}]") for i, value in enumerate(values))


def check_axes(axes: Any, name: str) -> None:
    """Raise unless the axes are those of the world or of the body."""
    if axes not in ("world", "body"):
        raise DescriptionError(f"force '{name}': axes must be 'world' or 'body', got {axes!r}. Use one of these.")
