"""Imposed point: a point of b follows a path of the world. One equation per coordinate given."""

from typing import Any

import msgspec

from ..kernels.lazy import entry
from ..kernels.pointers import at
from ..mechanism.registry import register_joint
from .imposed_parts import SAMPLE_PATH, ImposedMotion, along, as_path, driven, needs_ground
from .primitives import joint_arrays


@entry
def evaluate(ctx, first, last):
    """x_b,k − s_k(t) = 0 for the coordinates k listed in the parameters; element P_b."""
    dim = ctx.count.dim
    joint_c, joint_p, param = ctx.joint_c, ctx.joint_p, ctx.param
    for j in range(first, last):
        x, _, G, phi, gamma, width = joint_arrays(ctx, j, dim)
        phi_t, s = driven(ctx, j)
        for row in range(joint_c[j + 1] - joint_c[j]):
            k = int(param[joint_p[j] + row])
            along(x, G, phi, gamma, phi_t, width, row, 0, k, at(s, 3 * row), dim)


@register_joint
class ImposedPoint(ImposedMotion, frozen=True, tag="imposed_point"):
    """The joint's point of b is at ``path`` [m], functions of time in world axes: (x, y) or (x, y, z); None leaves a coordinate free.

    Body a must be the ground; where the joint sits on it does not matter.
    """

    dims = (2, 3)
    kernel = evaluate
    grounded = True

    path: tuple[Any, ...]

    def __post_init__(self):
        msgspec.structs.force_setattr(self, "path", as_path(self.path, "ImposedPoint.path", free=True))

    @classmethod
    def samples(cls, dim):
        x, y, z = SAMPLE_PATH
        return [cls(path=(x, y)), cls(path=(None, y))] if dim == 2 else [cls(path=(x, y, z)), cls(path=(x, None, z))]

    def signals(self, dim):
        return [f for f in self.path if f is not None]

    def signal_units(self, dim):
        return ("m",) * self.count(dim)

    def count(self, dim):
        return len(self.signals(dim))

    def elements(self, a, b, dim):
        needs_ground(a, self.path, dim)
        return [b.point()]

    def parameters(self, a, b, dim):
        return [float(k) for k, f in enumerate(self.path) if f is not None]
