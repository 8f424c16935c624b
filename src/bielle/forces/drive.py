"""The law of motors: a controller that follows a target, with a limited effort."""

import math
from typing import Any

from ..errors import DescriptionError, DescriptionWarning, warn
from ..kernels.lazy import helper
from ..kernels.pointers import at
from ..mechanism.functions import Constant
from ..mechanism.vectors import number
from .kind import ForceKind
from .primitives import parameters

__all__ = ["DriveKind"]

ZERO = Constant(value=0.0)  # one object, which files leave out
KNEE = 0.9  # the part of the limit up to which the effort is what the controller wants


@helper
def saturate(wanted, limit):
    """The effort a motor can give, and its slope: ``wanted`` up to KNEE · limit, then bending over towards the limit.

    Beyond the knee e = 0.9 L it is e + (L − e) tanh((|wanted| − e)/(L − e)): twice continuously differentiable, and never above L.
    """
    knee = KNEE * limit
    size = abs(wanted)
    if size <= knee:
        return wanted, 1.0
    bent = math.tanh((size - knee) / (limit - knee))
    return math.copysign(knee + (limit - knee) * bent, wanted), 1.0 - bent * bent


@helper
def control(ctx, f, position, rate):
    """Effort, stiffness = −∂effort/∂position and damping = −∂effort/∂rate.

    k_p (target − position) + k_d (target' − rate) + feedforward, or under speed control k_d (target − rate) + feedforward; saturated.
    Under saturation stiffness and damping fade with the slope of the saturation: the tangent is that of the law, so that a saturated
    motor is a given effort to an implicit integrator.
    """
    p, signal = parameters(ctx, f), at(ctx.signal, 3 * ctx.force_s[f])
    stiffness, damping, limit, speed = p[0], p[1], p[2], p[3]
    wanted = signal[3]
    if speed != 0.0:
        wanted += damping * (signal[0] - rate)
    else:
        wanted += stiffness * (signal[0] - position) + damping * (signal[1] - rate)
    effort, slope = saturate(wanted, limit)
    return effort, slope * stiffness, slope * damping


class DriveKind(ForceKind, frozen=True):
    """Effort = k_p (target(t) − position) + k_d (target'(t) − rate) + feedforward(t), of the size of ``limit`` at most.

    target       function of time; its derivative serves the damping
    stiffness    k_p
    damping      k_d
    feedforward  function of time
    limit        largest effort; None: unlimited. Up to 90 % of it the law is as above, beyond it bends smoothly towards the limit
    control      'position', or 'speed': then target is that of the rate, and the effort k_d (target(t) − rate) + feedforward(t)
    """

    functions = ("target", "feedforward")
    order = 1

    target: Any = ZERO
    stiffness: float = 0.0
    damping: float = 0.0
    feedforward: Any = ZERO
    limit: float | None = None
    control: str = "position"

    def check(self, name):
        super().check(name)
        what = f"force '{name}'"
        number(self.stiffness, f"{what}: the stiffness", nonnegative=True)
        number(self.damping, f"{what}: the damping", nonnegative=True)
        if self.limit is not None:
            number(self.limit, f"{what}: the limit", positive=True)
        if self.control not in ("position", "speed"):
            raise DescriptionError(f"{what}: control must be 'position' or 'speed', got {self.control!r}. Use one of these.")
        if self.stiffness == 0.0 and self.damping == 0.0 and self.feedforward == ZERO:  # no error: motors are switched off that way
            remedy = "damping" if self.control == "speed" else "stiffness or damping"
            warn(
                f"{what}: {type(self).__name__} has neither stiffness nor damping nor feedforward, and does nothing. "
                f"Give it {remedy}, to follow its target, or the effort as feedforward.",
                DescriptionWarning,
            )
        if self.control == "speed" and self.stiffness != 0.0:
            raise DescriptionError(f"{what}: under speed control there is no stiffness, got {self.stiffness}. Give damping instead.")

    def parameters(self, a, b=None, dim=3):
        return [self.stiffness, self.damping, math.inf if self.limit is None else self.limit, 1.0 if self.control == "speed" else 0.0]
