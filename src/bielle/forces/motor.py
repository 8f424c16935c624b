"""Motor in a turning joint: a torque that makes the angle, or the speed, follow a target."""

import msgspec

from ..kernels.lazy import entry
from ..mechanism.functions import Harmonic
from ..mechanism.registry import register_force
from .drive import DriveKind, control
from .hinge import Axis, Hinge, add_tangent, apply_torque, hinge
from .primitives import force_arrays, tangent_arrays, write_outputs

__all__ = ["Motor"]


@entry
def evaluate(ctx, first, last):
    """F = M ∂θ/∂x: the torque M on b about the axis, and −M on a. Power M θ̇, of drives."""
    dim = ctx.count.dim
    for f in range(first, last):
        x, xd, F, _ = force_arrays(ctx, f, dim)
        angle, rate, s, c, _, _ = hinge(ctx, f, x, xd, dim)
        torque, _, _ = control(ctx, f, angle, rate)
        apply_torque(x, F, dim, s, c, torque)
        write_outputs(ctx, f, 0.0, 0.0, torque * rate, 0.0, torque)


@entry
def tangent(ctx, first, last):
    """See :func:`bielle.forces.hinge.add_tangent`."""
    dim = ctx.count.dim
    for f in range(first, last):
        x, xd, K, C, _ = tangent_arrays(ctx, f, dim)
        state = hinge(ctx, f, x, xd, dim)
        torque, stiffness, damping = control(ctx, f, state[0], state[1])
        add_tangent(x, xd, K, C, dim, state, torque, stiffness, damping)


@register_force
class Motor(Hinge, DriveKind, frozen=True, tag="motor"):  # pyright: ignore[reportGeneralTypeIssues]
    """Torque on b about the joint's axis, and its opposite on a, that makes the angle of b relative to a follow ``target`` [rad].

    The angle is counted over many turns from the described configuration; see :class:`bielle.forces.drive.DriveKind` for the law
    (target [rad] or [rad/s], stiffness [N·m/rad], damping [N·m·s/rad], feedforward and limit [N·m]). Output: torque [N·m].
    """

    kernel = evaluate
    tangent = tangent

    axis: Axis | None = None

    def turned_back(self, angle):
        return self if self.control == "speed" else msgspec.structs.replace(self, target=self.target - angle)

    @classmethod
    def samples(cls, dim):
        axis = None if dim == 2 else (1.0, 2.0, 2.0)
        wave = Harmonic(amplitude=2.0, frequency=0.7, phase=0.3)
        return [
            cls(target=wave, stiffness=30.0, damping=2.0, feedforward=1.0, axis=axis),
            cls(target=3.0, stiffness=30.0, damping=2.0, limit=60.0, axis=axis),
            cls(target=wave, damping=4.0, control="speed", axis=axis),
        ]
