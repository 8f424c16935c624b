"""The law of limits: a stop at either end of a range, which pushes back what goes beyond and never holds it."""

import math

import msgspec

from ..errors import DescriptionError
from ..kernels.lazy import helper
from ..mechanism.vectors import number
from .kind import ForceKind

__all__ = ["LimitKind"]


@helper
def stop(p, position, rate):
    """(effort, stiffness = −∂effort/∂position, damping = −∂effort/∂rate, energy, dissipated power) at a position with a rate.

    With the excess e ≥ 0 beyond the limit and its rate ė, the stop pushes back with k e (1 + c ė), or not at all where that would pull:
    what leaves faster than 1/c leaves the stop behind. The energy is ½ k e²; the rest of the power, k e c ė², is lost. Where the stop is
    left behind, its energy is: −k e ė.
    """
    lower, upper, k, c = p[0], p[1], p[2], p[3]
    if position > upper:
        excess, outward = position - upper, 1.0
    elif position < lower:
        excess, outward = lower - position, -1.0
    else:
        return 0.0, 0.0, 0.0, 0.0, 0.0
    factor, energy = 1.0 + c * outward * rate, 0.5 * k * excess * excess
    if factor <= 0.0:
        return 0.0, 0.0, 0.0, energy, -k * excess * outward * rate
    return -outward * k * excess * factor, k * factor, k * excess * c, energy, k * excess * c * rate * rate


class LimitKind(ForceKind, frozen=True, kw_only=True):
    """Effort k e (1 + c ė), never negative, against the excess e of the position beyond ``lower`` or ``upper``; zero in between.

    lower      end of the range; None: there is none on this side
    upper      the other end
    stiffness  k
    damping    c, of the law of Hunt and Crossley: the loss of an impact depends on c and the velocity of the impact, not on k

    The effort is continuous: the damping grows with the excess, so that the stop is met without a jump and left without being pulled at.
    """

    lower: float | None = None
    upper: float | None = None
    stiffness: float
    damping: float = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        for field, none in (("lower", -math.inf), ("upper", math.inf)):  # what files cannot hold is left out
            value = getattr(self, field)
            if isinstance(value, float) and value == none:
                msgspec.structs.force_setattr(self, field, None)

    def check(self, name):
        super().check(name)
        what = f"force '{name}'"
        if self.lower is None and self.upper is None:
            raise DescriptionError(f"{what}: {type(self).__name__} limits nothing, got neither lower nor upper. Give one or both.")
        lower = -math.inf if self.lower is None else number(self.lower, f"{what}: the lower limit")
        upper = math.inf if self.upper is None else number(self.upper, f"{what}: the upper limit")
        if lower > upper:
            raise DescriptionError(f"{what}: lower must not be above upper, got {lower} and {upper}. Exchange them.")
        number(self.stiffness, f"{what}: the stiffness", positive=True)
        number(self.damping, f"{what}: the damping", nonnegative=True)

    def parameters(self, a, b=None, dim=3):
        lower, upper = -math.inf if self.lower is None else self.lower, math.inf if self.upper is None else self.upper
        return [lower, upper, self.stiffness, self.damping]
