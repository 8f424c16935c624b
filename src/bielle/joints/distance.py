"""Distance: a point of a and a point of b keep their distance. One equation."""

import msgspec
import numpy as np

from ..errors import DescriptionError
from ..kernels.lazy import entry
from ..mechanism.registry import register_joint
from ..mechanism.vectors import number
from .kind import JointKind
from .primitives import joint_arrays


@entry
def evaluate(ctx, first, last):
    """φ = (|x_b − x_a|² − ℓ²)/(2ℓ), smooth everywhere; elements P_a, P_b."""
    dim = ctx.count.dim
    param, joint_p = ctx.param, ctx.joint_p
    for j in range(first, last):
        x, xd, G, phi, gamma, _ = joint_arrays(ctx, j, dim)
        length = param[joint_p[j]]
        value, bias = -length, 0.0
        for n in range(dim):
            gap, rate = x[dim + n] - x[n], xd[dim + n] - xd[n]
            value += gap * gap / length
            bias += rate * rate / length
            G[n] = -gap / length
            G[dim + n] = gap / length
        phi[0] = 0.5 * value
        gamma[0] = bias


@register_joint
class Distance(JointKind, frozen=True, tag="distance"):
    """Massless rod of ``length`` [m] between two points (``at_a`` on a, ``at_b`` on b); None: as long as described."""

    dims = (2, 3)
    equations = 1
    kernel = evaluate

    length: float | None = None

    @classmethod
    def samples(cls, dim):
        return [cls(), cls(length=0.8)]

    def check(self, name):
        if self.length is not None:
            number(self.length, f"joint '{name}': the length", positive=True)

    def elements(self, a, b, dim):
        return [a.point(), b.point()]

    def resolved(self, a, b, dim):
        return msgspec.structs.replace(self, length=self.parameters(a, b, dim)[0])

    def parameters(self, a, b, dim):
        if self.length is not None:
            return [self.length]
        length = float(np.linalg.norm(b.world - a.world))
        if length < 1e-12:
            raise DescriptionError(
                "A distance joint needs two points that are apart, but its points coincide in the described configuration. "
                "Give at_a and at_b, or length > 0; to keep two points together use a pin or spherical joint."
            )
        return [length]
