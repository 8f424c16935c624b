"""Imposed rotation: b turns relative to a about an axis as a function of time says. One equation."""

from typing import Any

from ..kernels.lazy import entry
from ..mechanism.functions import Harmonic, Polynomial
from ..mechanism.registry import register_joint
from ..mechanism.vectors import E1, E2, triad
from .imposed_parts import ImposedMotion, driven, turn
from .kind import Axis
from .primitives import joint_arrays


@entry
def evaluate(ctx, first, last):
    """θ − s(t) = 0, θ from e1_a to e1_b about e1_a × e2_a; elements e1_a, e2_a, e1_b."""
    dim = ctx.count.dim
    for j in range(first, last):
        x, xd, G, phi, gamma, width = joint_arrays(ctx, j, dim)
        phi_t, s = driven(ctx, j)
        turn(x, xd, G, phi, gamma, phi_t, width, 0, 0, 1, 2, s, dim)


@register_joint
class ImposedRotation(ImposedMotion, frozen=True, tag="imposed_rotation"):
    """The rotation of b relative to a about ``axis`` is ``angle`` [rad], a function of time; any number of turns.

    It is counted from the described configuration; between two frames, or with ``axes_a`` and ``axes_b``, from where these coincide. It
    says nothing about the other five relative motions: a hinge about the same axis usually does. In the plane the axis is the normal,
    whatever ``axis`` says.
    """

    dims = (2, 3)
    equations = 1
    kernel = evaluate
    functions = ("angle",)
    function_units = ("rad",)
    output_unit = "N·m"

    angle: Any
    axis: Axis = "z"

    @classmethod
    def samples(cls, dim):
        steady, to_and_fro = Polynomial(coefficients=(0.1, 1.5, -0.4)), Harmonic(amplitude=0.3, frequency=0.4)
        return [cls(angle=steady), cls(angle=to_and_fro, axis=(1.0, -2.0, 2.0))]

    def elements(self, a, b, dim):
        e1, e2 = (E1, E2) if dim == 2 else triad(self.axis_vector()).T[:2]
        return [a.direction(e1), a.direction(e2), b.direction(e1)]
