"""Velocity relation: equations Ψ(x) ẋ + f(t) = 0 of the user's own between the rates of points and directions of a and b."""

from typing import Any

import msgspec
import numpy as np

from ..errors import DescriptionError
from ..kernels.lazy import entry
from ..kernels.pointers import at, call_elements
from ..mechanism.functions import Harmonic, Polynomial, as_function
from ..mechanism.registry import register_joint
from ..mechanism.vectors import number, plain, shown, vector
from .coefficients import CoefficientsCallback
from .imposed_parts import driven
from .kind import JointKind
from .primitives import joint_arrays

__all__ = ["VelocityRelation"]


@entry
def evaluate(ctx, first, last):
    """φ̇ = Ψ ẋ + f, γ = Ψ̇ ẋ + ḟ. Parameters: whether there are functions f, whether Ψ is a callable, and Ψ if it is constant.

    The signals are f of each row, then the two bridges to the callable: one writes Ψ, the other Ψ̇ ẋ.
    """
    dim, t = ctx.count.dim, ctx.scalar.time
    joint_c, joint_s, address = ctx.joint_c, ctx.joint_s, ctx.signal_n
    for j in range(first, last):
        x, xd, G, phi, gamma, width = joint_arrays(ctx, j, dim)
        p, rows = at(ctx.param, ctx.joint_p[j]), joint_c[j + 1] - joint_c[j]
        phi_t, s = driven(ctx, j)
        functions = rows if p[0] != 0.0 else 0
        if p[1] != 0.0:
            call_elements(address[joint_s[j] + functions], t, width // dim, x, xd, G)
            call_elements(address[joint_s[j] + functions + 1], t, width // dim, x, xd, gamma)
        else:
            for k in range(rows * width):
                G[k] = p[2 + k]
            for r in range(rows):
                gamma[r] = 0.0
        for r in range(rows):
            phi[r] = 0.0
            if functions > 0:
                phi_t[r] = s[3 * r]
                gamma[r] += s[3 * r + 1]


@register_joint
class VelocityRelation(JointKind, frozen=True, tag="velocity_relation"):
    """Σ_e Ψ_e ẋ_e + f(t) = 0 between rates of elements, in world axes; each row is an equation that holds for velocities only.

    The elements are, in this order: the joint's point of a, the vectors ``directions_a`` of a, the joint's point of b, the vectors
    ``directions_b`` of b. The vectors are in the joint's axes, of any length: the point plus a vector is another material point.

    coefficients  Ψ: rows of dim · elements numbers, or a callable that gives them: ``coefficients(x)``, x (elements, dim) in world axes
    offset        f [m/s, if Ψ has no unit]: functions of time, one per row; none: zero. Its work is counted as that of a drive
    rows          number of equations a callable gives; 1 unless said otherwise

    The reaction on element e is Ψ_eᵀ λ. Nothing makes those on a and on b opposite: what is left over is borne by the ground, as that of a
    gear is by its housing. They are opposite if Ψ vanishes for every motion of a and b as one body.

    Ψ̇ of a constant is zero. Of a callable it is a difference of fourth order along the motion, in steps in which the fastest element moves
    1 mm (a direction 10⁻³): to about 10⁻¹², relatively, if Ψ varies over lengths of a metre, and 10⁻⁹ if over a decimetre. The callable
    is Python called from the compiled loop, five times an evaluation, and cannot be written to a file.
    """

    dims = (2, 3)
    kernel = evaluate

    coefficients: Any
    offset: tuple[Any, ...] = ()
    directions_a: tuple[tuple[float, ...], ...] = ()
    directions_b: tuple[tuple[float, ...], ...] = ()
    rows: int | None = None

    def __post_init__(self):
        if not callable(self.coefficients):
            msgspec.structs.force_setattr(self, "coefficients", _matrix(self.coefficients))
        if not isinstance(self.offset, list | tuple):
            raise DescriptionError(
                f"VelocityRelation.offset must be a list of functions of time, one per row, got {shown(self.offset)}. Put it in brackets."
            )
        functions = tuple(as_function(f, f"VelocityRelation.offset[{k}]") for k, f in enumerate(self.offset))
        msgspec.structs.force_setattr(self, "offset", functions)

    @classmethod
    def samples(cls, dim):
        steady, wave = Polynomial(coefficients=(0.2, 0.5, -0.3)), Harmonic(amplitude=0.2, frequency=0.5)
        if dim == 2:
            rows = ((1.0, 0.0, 0.3, 0.2, -2.0, 0.1), (0.0, 1.0, 0.1, 0.0, 0.0, -1.0))
            return [
                cls(coefficients=((1.0, 2.0, 0.5, -1.0),)),
                cls(coefficients=rows, offset=(steady, wave), directions_b=((0.5, 1.0),)),
                cls(coefficients=_sample_2d, rows=2, directions_a=((1.0, 0.2),)),
            ]
        return [
            cls(coefficients=((1.0, 2.0, 0.5, -1.0, 0.3, 0.7),), offset=(wave,)),
            cls(coefficients=_sample_3d, rows=2, directions_a=((1.0, 0.2, 0.3),), directions_b=((0.0, 1.0, 0.5),)),
        ]

    def count(self, dim):
        if callable(self.coefficients):
            return 1 if self.rows is None else self.rows
        return len(self.coefficients)

    def velocity_rows(self, dim):
        return tuple(range(self.count(dim)))

    def check(self, name):
        what = f"joint '{name}'"
        if self.rows is not None and (not isinstance(self.rows, int) or isinstance(self.rows, bool) or self.rows < 1):
            raise DescriptionError(f"{what}: rows must be a whole number ≥ 1, got {shown(self.rows)}. Say how many equations there are.")
        rows = self.count(2)
        if self.rows not in (None, rows):
            raise DescriptionError(f"{what}: there are {rows} rows of coefficients, but rows = {self.rows}. Leave out rows.")
        if self.offset and len(self.offset) != rows:
            raise DescriptionError(f"{what}: the offset must be {rows} functions, one per row, got {len(self.offset)}. Give 0.0 for none.")

    def elements(self, a, b, dim):
        found = []
        for marker, directions in ((a, self.directions_a), (b, self.directions_b)):
            found.append(marker.point())
            for k, given in enumerate(directions):
                lifted = np.zeros(3)
                lifted[:dim] = vector(given, f"directions_{marker.side}[{k}]", dim)
                found.append(marker.direction(lifted))
        return found

    def signals(self, dim):
        return list(self.offset)

    def characteristics(self, dim):
        if not callable(self.coefficients):
            return []
        return [CoefficientsCallback(self.coefficients, self.count(dim), dim, rate=rate) for rate in (False, True)]

    def parameters(self, a, b, dim):
        kinds = [float(bool(self.offset)), float(callable(self.coefficients))]
        if callable(self.coefficients):
            return kinds
        width = dim * (2 + len(self.directions_a) + len(self.directions_b))
        for k, row in enumerate(self.coefficients):
            if len(row) != width:
                raise DescriptionError(
                    f"coefficients[{k}] must be {width} numbers, {dim} for each of the {width // dim} elements, got {len(row)}. "
                    "The elements are the point of a, directions_a, the point of b, directions_b."
                )
        return kinds + [value for row in self.coefficients for value in row]


def _matrix(value: Any) -> tuple[tuple[float, ...], ...]:
    """Rows of finite numbers."""
    found = plain(value)
    if not isinstance(found, tuple) or not found or not all(isinstance(row, tuple) and row for row in found):
        raise DescriptionError(
            f"VelocityRelation.coefficients must be rows of numbers, or a callable that gives them, got {shown(value)}. "
            "Give a list of lists: one row per equation."
        )
    return tuple(
        tuple(number(entry, f"VelocityRelation.coefficients[{i}][{k}]") for k, entry in enumerate(row)) for i, row in enumerate(found)
    )


def _sample_2d(x: np.ndarray) -> Any:
    """Two rows between P_a, a direction of a, and P_b."""
    (_, d, _), gap = x, x[2] - x[0]
    return [[-d, 0.3 * gap, d], [0.2 * np.sin(d), 1.0 + 0.1 * gap, [-d[1], d[0]]]]


def _sample_3d(x: np.ndarray) -> Any:
    """Two rows between P_a, a direction of a, P_b and a direction of b."""
    _, d, _, e = x
    across = np.cross(d, e)
    return [np.concatenate([-across, 0 * d, across, 0.3 * np.cos(x[2])]), np.concatenate([-d, 0.2 * e, d, 0.1 * x[0]])]
