"""The angle by which b has turned relative to a about an axis, counted over many turns; what torsion springs and motors act on.

With e₁, e₂ of a orthogonal to the axis and e₁' of b, which coincides with e₁ at angle zero, the angle is θ = atan2(s, c) with
s = e₂·e₁' and c = e₁·e₁'. A torque T is applied as T ∂θ/∂x on the three directions, hence its power is T θ̇ exactly and its reaction
is exact, whatever the joint; for a joint that keeps the axis, it is the torque T about the axis. Where a joint lets b tilt, θ is
the angle of the projection of e₁' on the plane across a's axis; it exists as long as e₁' is not parallel to that axis.

atan2 knows θ up to whole turns. The memory of the force is (θ, θ̇, t, 1) at the last accepted step, or zero at first. From there the
trapezoidal rule on θ̇ tells about where θ is, and the angle nearest to that is taken, however many turns there are in a step. If the
angle is more than an eighth of a turn from where it was expected, rates change too much within a step for turns to be counted.
"""

import math
from typing import TYPE_CHECKING, Self

import numpy as np

from ..errors import DescriptionError
from ..kernels import slots
from ..kernels.lazy import entry, helper
from ..kernels.pointers import at
from ..kernels.rotations import TURN, nearest_angle
from ..mechanism.description import Marker
from ..mechanism.vectors import E1, E2, triad
from ..mechanism.vectors import axis as unit_axis
from .primitives import force_arrays

if TYPE_CHECKING:
    from .kind import ForceKind as _Kind
else:
    _Kind = object  # two bases with fields cannot be combined, so that this one has none

__all__ = ["Axis", "Hinge"]

Axis = str | tuple[float, float, float]
UNEXPECTED = TURN / 8.0  # [rad] from where an angle is expected: turns are not counted any more


@helper
def hinge(ctx, f, x, xd, dim):
    """(θ, θ̇, s, c, ṡ, ċ) of the elements e₁, e₂, e₁'."""
    s, c, sd, cd = 0.0, 0.0, 0.0, 0.0
    for i in range(dim):
        s += x[dim + i] * x[2 * dim + i]
        c += x[i] * x[2 * dim + i]
        sd += xd[dim + i] * x[2 * dim + i] + x[dim + i] * xd[2 * dim + i]
        cd += xd[i] * x[2 * dim + i] + x[i] * xd[2 * dim + i]
    rate = (c * sd - s * cd) / (s * s + c * c)
    return nearest_angle(math.atan2(s, c), _expected(ctx, f, rate)), rate, s, c, sd, cd


@helper
def _expected(ctx, f, rate):
    """About where θ is, by the trapezoidal rule from what the force remembers."""
    memory = at(ctx.memory, ctx.force_m[f])
    return memory[0] + memory[3] * 0.5 * (memory[1] + rate) * (ctx.scalar.time - memory[2])


@entry
def remember(ctx, first, last):
    """Keep angle, rate and time of the accepted step; if turns cannot be counted what was kept stays, with CODE_TURNS."""
    dim, status = ctx.count.dim, ctx.status
    for f in range(first, last):
        x, xd, _, _ = force_arrays(ctx, f, dim)
        angle, rate, _, _, _, _ = hinge(ctx, f, x, xd, dim)
        if abs(angle - _expected(ctx, f, rate)) > UNEXPECTED and status.turned >= 0:
            status.code, status.turned = slots.CODE_TURNS, f
            continue
        memory = at(ctx.memory, ctx.force_m[f])
        memory[0], memory[1], memory[2], memory[3] = angle, rate, ctx.scalar.time, 1.0


@helper
def slopes(x, k, i, dim):
    """∂s and ∂c with regard to component i of element k; bilinear in x, so that their rates are the slopes at ẋ."""
    if k == 0:
        return 0.0, x[2 * dim + i]
    if k == 1:
        return x[2 * dim + i], 0.0
    return x[dim + i], x[i]


@helper
def apply_torque(x, F, dim, s, c, torque):
    """F = T ∂θ/∂x = T (c ∂s − s ∂c)/(s² + c²)."""
    scale = torque / (s * s + c * c)
    for k in range(3):
        for i in range(dim):
            ds, dc = slopes(x, k, i, dim)
            F[dim * k + i] = scale * (c * ds - s * dc)


@helper
def add_tangent(x, xd, K, C, dim, state, torque, stiffness, damping):
    """Tangent of F = T g, g = ∂θ/∂x, with stiffness = −∂T/∂θ and damping = −∂T/∂θ̇; H = ∂²θ/∂x².

    K = g (stiffness g + damping H ẋ)ᵀ − T H,   C = damping g gᵀ.
    """
    _, _, s, c, sd, cd = state
    r2 = s * s + c * c
    second, mixed = 2.0 * s * c / (r2 * r2), (s * s - c * c) / (r2 * r2)  # ∂²θ/∂c² = −∂²θ/∂s², ∂²θ/∂s∂c
    width = 3 * dim
    for k in range(3):
        for i in range(dim):
            ds, dc = slopes(x, k, i, dim)
            g = (c * ds - s * dc) / r2
            for m in range(3):
                for j in range(dim):
                    es, ec = slopes(x, m, j, dim)
                    fs, fc = slopes(xd, m, j, dim)
                    rate = (c * fs - s * fc) / r2 - second * (es * sd - ec * cd) + mixed * (es * cd + ec * sd)
                    bend = -second * (ds * es - dc * ec) + mixed * (ds * ec + dc * es)
                    if i == j and k != m and k + m >= 2:  # e₁' with e₁ (c) or with e₂ (s)
                        bend += -s / r2 if k + m == 2 else c / r2
                    place = (dim * k + i) * width + dim * m + j
                    grad = (c * es - s * ec) / r2
                    K[place] += g * (stiffness * grad + damping * rate) - torque * bend
                    C[place] += damping * g * grad


class Hinge(_Kind):  # pyright: ignore[reportGeneralTypeIssues]
    """Goes before a ForceKind with a field ``axis``, whose torque depends on the angle of b relative to a: in a joint about its axis, or
    between two bodies about ``axis``.

    The angle is zero where the axes of the two sides coincide: in the described configuration, unless frames, or ``axes_a`` and
    ``axes_b``, turn them. ``axis`` belongs to a: 'x', '-y', … or three numbers, in these axes (those of the world, unless turned). In
    a joint the angle is that of the joint, also for a force that is added when the joint has turned already.
    """

    __slots__ = ()
    dims = (2, 3)
    commit = remember
    memory = 4
    memory_before = 1  # θ; the angle nearest to it is taken, as it was then
    attachment = "joint"
    measures = "angle"
    placed = False

    def check(self, name):
        super().check(name)
        if self.axis is not None:
            unit_axis(self.axis, f"force '{name}': the axis")

    def check_attachment(self, what, force, m):
        super().check_attachment(what, force, m)
        kind = type(self).__name__
        if m.planar and self.axis is not None:
            raise DescriptionError(f"{what}: in a planar mechanism {kind} acts about the plane's normal. Leave out axis.")
        if m.planar or self.axis is not None:
            return
        if force.joint is None:
            raise DescriptionError(f"{what}: {kind} between two bodies needs an axis. Give axis=…, or the joint it acts in.")
        joint = m.joints[force.joint].kind
        if not hasattr(joint, "axis"):
            raise DescriptionError(f"{what}: joint '{force.joint}' ({type(joint).__name__}) has no single axis. Give axis=….")

    def at_present(self, memory):
        """A description begins to count at the angle within half a turn, so that the turns go into what θ is compared with."""
        turns = round((memory[0] - math.remainder(memory[0], TURN)) / TURN)
        return self.turned_back(TURN * turns) if turns else self

    def turned_back(self, angle: float) -> Self:
        """The kind that acts at θ − angle as this one does at θ [rad]; this one if turns do not matter to it."""
        return self

    def _directions(self, a: Marker, dim: int) -> tuple[np.ndarray, np.ndarray]:
        """e₁, e₂ in the component's own axes."""
        if dim == 2:
            return E1, E2
        e1, e2, _ = triad(a.axis if self.axis is None else unit_axis(self.axis, "the axis")).T
        return e1, e2

    def elements(self, a, b=None, dim=3):
        e1, e2 = self._directions(a, dim)
        return [a.direction(e1), a.direction(e2), b.direction(e1)]

    def described_angle(self, a: Marker, b: Marker, dim: int) -> float:
        """θ in the described configuration [rad]."""
        e1, e2 = self._directions(a, dim)
        turned = b.axes @ e1
        return float(np.arctan2((a.axes @ e2) @ turned, (a.axes @ e1) @ turned))
