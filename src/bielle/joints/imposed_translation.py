"""Imposed translation: the distance of a point of b along a direction of a is a function of time. One equation."""

from typing import Any

from ..kernels.lazy import entry
from ..mechanism.functions import Harmonic, Polynomial
from ..mechanism.registry import register_joint
from ..mechanism.vectors import axis as unit_axis
from ..mechanism.vectors import planar_axis
from .imposed_parts import ImposedMotion, driven
from .primitives import in_plane, joint_arrays


@entry
def evaluate(ctx, first, last):
    """n_a · (x_b − x_a) − s(t) = 0; elements P_a, n_a, P_b."""
    dim = ctx.count.dim
    for j in range(first, last):
        x, xd, G, phi, gamma, width = joint_arrays(ctx, j, dim)
        phi_t, s = driven(ctx, j)
        in_plane(x, xd, G, phi, gamma, width, 0, 1, 0, 2, dim)
        phi[0] -= s[0]
        phi_t[0] = -s[1]
        gamma[0] -= s[2]


@register_joint
class ImposedTranslation(ImposedMotion, frozen=True, tag="imposed_translation"):
    """The joint's point of b is ``displacement`` [m], a function of time, beyond its point of a along ``axis``, which belongs to a.

    The axis is 'x', 'y', 'z' or three numbers in space; an axis of the plane by its name, an angle [rad] or two numbers in the plane.
    Nothing is said about the other relative motions: a slider or prismatic joint along the same axis usually does.
    """

    dims = (2, 3)
    equations = 1
    in_plane = ("axis",)
    kernel = evaluate
    functions = ("displacement",)
    function_units = ("m",)
    output_unit = "N"

    displacement: Any
    axis: str | float | tuple[float, ...] | None = None  #: None: x, or the first axis of the plane

    @classmethod
    def samples(cls, dim):
        steady, to_and_fro = Polynomial(coefficients=(0.2, 0.5, -0.3)), Harmonic(amplitude=0.2, frequency=0.5)
        return [cls(displacement=steady), cls(displacement=to_and_fro, axis=(1.0, -2.0) if dim == 2 else (1.0, -2.0, 2.0))]

    def axis_vector(self, name=""):
        what = f"joint '{name}': the axis" if name else "the axis"
        if isinstance(self.axis, str) or (isinstance(self.axis, tuple) and len(self.axis) == 3):
            return unit_axis(self.axis, what)
        return planar_axis(self.axis, what)[0]

    def _along(self, dim):
        if dim == 2:
            return planar_axis(self.axis, "the axis")[0]
        return unit_axis("x" if self.axis is None else self.axis, "the axis")

    def elements(self, a, b, dim):
        return [a.point(), a.direction(self._along(dim)), b.point()]
