"""Dry friction in a turning joint."""

from ..kernels.lazy import entry
from ..mechanism.registry import register_force
from ..mechanism.vectors import number
from .friction import friction
from .hinge import Axis, Hinge, add_tangent, apply_torque, hinge
from .kind import ForceKind
from .primitives import force_arrays, parameters, tangent_arrays, write_outputs

__all__ = ["AngleFriction"]


@entry
def evaluate(ctx, first, last):
    """F = M ∂θ/∂x with M = −T tanh(θ̇/s): the torque M on b about the axis, and −M on a."""
    dim = ctx.count.dim
    for f in range(first, last):
        x, xd, F, _ = force_arrays(ctx, f, dim)
        _, rate, s, c, _, _ = hinge(ctx, f, x, xd, dim)
        torque, _, dissipated = friction(parameters(ctx, f), rate)
        apply_torque(x, F, dim, s, c, torque)
        write_outputs(ctx, f, 0.0, dissipated, 0.0, 0.0, torque)


@entry
def tangent(ctx, first, last):
    """See :func:`bielle.forces.hinge.add_tangent`."""
    dim = ctx.count.dim
    for f in range(first, last):
        x, xd, K, C, _ = tangent_arrays(ctx, f, dim)
        state = hinge(ctx, f, x, xd, dim)
        torque, damping, _ = friction(parameters(ctx, f), state[1])
        add_tangent(x, xd, K, C, dim, state, torque, 0.0, damping)


@register_force
class AngleFriction(Hinge, ForceKind, frozen=True, tag="angle_friction"):  # pyright: ignore[reportGeneralTypeIssues]
    """Torque −T tanh(θ̇/s) on b about the axis, and its opposite on a; θ̇ is the rate at which b turns relative to a.

    torque  T [N·m], whatever the load on the bearing
    speed   s [rad/s]: from about 3 s on the torque is T. Below, it is viscous: what friction should hold creeps at s artanh(load/T), and
            the smaller s, the shorter the time I s/T in which what stops comes to rest, and the steps of an explicit integrator
    axis    None: the joint's, or the plane's normal

    Output: torque on b [N·m].
    """

    kernel = evaluate
    tangent = tangent
    commit = None  # turns do not matter

    torque: float
    speed: float = 1e-3
    axis: Axis | None = None

    @classmethod
    def samples(cls, dim):
        axis = None if dim == 2 else (1.0, 2.0, 2.0)
        return [cls(torque=3.0, speed=0.5, axis=axis), cls(torque=2.0, speed=4.0, axis=axis)]

    def check(self, name):
        super().check(name)
        number(self.torque, f"force '{name}': the torque", nonnegative=True)
        number(self.speed, f"force '{name}': the speed", positive=True)

    def parameters(self, a, b=None, dim=3):
        return [self.torque, self.speed]
