"""The hand that pulls a point of a body towards a target: a damped spring whose force never exceeds a limit."""

import math

import msgspec

from ..errors import DescriptionError
from ..kernels.lazy import entry, helper
from ..kernels.pointers import at
from ..mechanism.registry import register_force
from ..mechanism.vectors import number, shown, vector
from .kind import ForceKind
from .primitives import force_arrays, parameters, tangent_arrays, total_power, write_outputs

__all__ = ["Grab"]


@helper
def moved(ctx, f):
    """How far the target has been moved since: the memory of the force."""
    return at(ctx.memory, ctx.force_m[f])


@helper
def pull(x, xd, p, d, dim, i):
    """s_i = k (target_i + d_i − x_i) − c ẋ_i, what a spring and damper without a limit would give."""
    return p[dim] * (p[i] + d[i] - x[i]) - p[dim + 1] * xd[i]


@helper
def softening(x, xd, p, d, dim):
    """(|s|, r) with r = √(1 + |s|²/F_max²), by which the limit divides the pull."""
    square = 0.0
    for i in range(dim):
        s = pull(x, xd, p, d, dim, i)
        square += s * s
    size = math.sqrt(square)
    return size, math.hypot(1.0, size / p[dim + 2])  # does not square the limit, which may be tiny


@entry
def evaluate(ctx, first, last):
    """F = s/r on the point, the only element. Power F · ẋ, applied. Parameters: target (dim numbers), k, c, F_max."""
    dim = ctx.count.dim
    for f in range(first, last):
        x, xd, F, _ = force_arrays(ctx, f, dim)
        p, d = parameters(ctx, f), moved(ctx, f)
        size, r = softening(x, xd, p, d, dim)
        for i in range(dim):
            F[i] = pull(x, xd, p, d, dim, i) / r
        write_outputs(ctx, f, 0.0, 0.0, 0.0, total_power(xd, F, dim), size / r)


@entry
def tangent(ctx, first, last):
    """With D = ∂F/∂s = (I − s sᵀ/(r F_max)²)/r, symmetric and positive: K = k D and C = c D."""
    dim = ctx.count.dim
    for f in range(first, last):
        x, xd, K, C, width = tangent_arrays(ctx, f, dim)
        p, d = parameters(ctx, f), moved(ctx, f)
        _, r = softening(x, xd, p, d, dim)
        bound = r * p[dim + 2]
        for i in range(dim):
            for j in range(dim):
                one = 1.0 if i == j else 0.0
                D = (one - pull(x, xd, p, d, dim, i) / bound * (pull(x, xd, p, d, dim, j) / bound)) / r
                K[i * width + j] = p[dim] * D
                C[i * width + j] = p[dim + 1] * D


@register_force
class Grab(ForceKind, frozen=True, kw_only=True, tag="grab"):
    """Pulls a point P of a body towards ``target`` with F = s/√(1 + |s|²/F_max²), s = k (target − x_P) − c ẋ_P.

    Near the target it is a damped spring without free length, far from it a pull of nearly F_max towards it; smooth in between.

    target     a point of the world [m]: two numbers in the plane, three in space
    stiffness  k [N/m]
    damping    c [N·s/m]
    limit      F_max [N], which |F| never exceeds

    A hand moves its target while time passes; how far it has is part of the state, not of the description.

    It is the hand of somebody outside: it stores no energy, and its power counts as that of an applied effort, also where it brakes.
    Output: magnitude [N].
    """

    dims = (2, 3)
    kernel = evaluate
    tangent = tangent
    memory = 3  # how far the target has been moved, of which a plane needs two
    memory_before = 0
    attachment = "one"

    target: tuple[float, ...]
    stiffness: float = 0.0
    damping: float = 0.0
    limit: float

    @classmethod
    def samples(cls, dim):
        target = (0.5, -0.3, 0.8)[:dim]
        return [
            cls(target=target, stiffness=100.0, damping=2.0, limit=1000.0),
            cls(target=target, stiffness=100.0, damping=30.0, limit=40.0),
        ]

    def check(self, name):
        what = f"force '{name}'"
        if isinstance(self.target, str) or not hasattr(self.target, "__len__") or len(self.target) not in (2, 3):
            raise DescriptionError(
                f"{what}: the target must be two numbers in the plane, three in space, got {shown(self.target)}. Give a point."
            )
        vector(self.target, f"{what}: the target", len(self.target))
        number(self.stiffness, f"{what}: the stiffness", nonnegative=True)
        number(self.damping, f"{what}: the damping", nonnegative=True)
        number(self.limit, f"{what}: the limit", positive=True)

    def check_attachment(self, what, force, m):
        super().check_attachment(what, force, m)
        vector(self.target, f"{what}: the target", m.dim)

    def keeps(self, before):
        return type(before) is type(self) and before.target == self.target

    def at_present(self, memory):
        return msgspec.structs.replace(self, target=tuple(float(x + d) for x, d in zip(self.target, memory)))

    def elements(self, a, b=None, dim=3):
        return [a.point()]

    def parameters(self, a, b=None, dim=3):
        return [*self.target, self.stiffness, self.damping, self.limit]
