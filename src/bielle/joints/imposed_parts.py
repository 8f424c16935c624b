"""What the imposed motions are made of: two equations driven by a function s(t), and the checks of their descriptions.

along  x_p,k − s(t) = 0   one component of a point, in world axes
turn   θ − s(t) = 0       the angle of a direction u of b in the plane of two directions e1, e2 of a
"""

from typing import Any

from ..errors import DescriptionError, DescriptionWarning, warn
from ..kernels.lazy import helper
from ..kernels.pointers import at
from ..mechanism.description import GROUND, Marker
from ..mechanism.functions import Harmonic, Polynomial, as_function
from .kind import JointKind
from .primitives import turning, within_half_a_turn

__all__ = ["SAMPLE_PATH", "ImposedMotion", "along", "as_path", "driven", "needs_ground", "turn"]

#: three functions for the contract tests
SAMPLE_PATH = (Harmonic(amplitude=0.2, frequency=0.5), Polynomial(coefficients=(0.1, 0.5, -0.2)), Polynomial(coefficients=(-0.2, 0.3, 0.4)))


@helper
def driven(ctx, j):
    """(φ_t of joint j, its signals: value, first and second derivative of one function after the other)."""
    phi_t = at(ctx.phi_t, ctx.joint_c[j])
    return phi_t, at(ctx.signal, 3 * ctx.joint_s[j])


@helper
def along(x, G, phi, gamma, phi_t, width, row, p, k, s, dim):
    """φ = x_p,k − s; φ_t = −ṡ and φ̈ = ẍ_p,k − s̈. The other entries of the row are zero and stay so."""
    phi[row] = x[dim * p + k] - s[0]
    G[row * width + dim * p + k] = 1.0
    phi_t[row] = -s[1]
    gamma[row] = -s[2]


@helper
def turn(x, xd, G, phi, gamma, phi_t, width, row, e1, e2, u, s, dim):
    """φ = θ − s modulo whole turns, in [−π, π), with θ as :func:`bielle.joints.primitives.turning` has it.

    The angle itself, rather than its sine, has unit slope everywhere: the multiplier is the torque about the axis, and an assembly
    finds the right position from anywhere within half a turn.
    """
    angle, bias = turning(x, xd, G, width, row, e1, e2, u, 1.0, dim)
    phi[row] = within_half_a_turn(angle - s[0])
    phi_t[row] = -s[1]
    gamma[row] = bias - s[2]


class ImposedMotion(JointKind, frozen=True):
    """A joint whose positions are functions of time."""

    def check(self, name: str) -> None:
        """Warn of functions whose rate jumps on the way, as where straight lines meet. Where tables end, a run may end too."""
        super().check(name)
        for function in self.signals(3):
            jumps = function.rate_jumps()
            knots = [x for pieces, _ in function.expanded() for x in pieces.knots.tolist()] if jumps else []
            inner = [x for x in jumps if min(knots) < x < max(knots)]
            if inner:
                warn(
                    f"joint '{name}': the velocity of its motion jumps at t = {inner[0]:.6g} s, which no finite force does: a run that "
                    "gets there is refused. Use a table with method='clamped' or 'monotone', or another smooth function.",
                    DescriptionWarning,
                )
                return


def as_path(value: Any, what: str, *, free: bool = False) -> tuple[Any, ...]:
    """Two or three functions of time from what a user writes for them; with ``free``, None leaves a component free."""
    if not isinstance(value, list | tuple) or len(value) not in (2, 3):
        raise DescriptionError(f"{what} must be one function of time per coordinate: two in the plane, three in space, got {value!r}.")
    if not free and any(f is None for f in value):
        raise DescriptionError(f"{what} must say every coordinate, got {value!r}. To leave some free use an imposed point.")
    if all(f is None for f in value):
        raise DescriptionError(f"{what} must give at least one coordinate, got only None.")
    return tuple(None if f is None else as_function(f, f"{what}[{k}]") for k, f in enumerate(value))


def needs_ground(a: Marker, path: tuple[Any, ...], dim: int) -> None:
    """Refuse a motion in world axes whose body a moves, or whose number of coordinates is not that of the mechanism."""
    if a.body != GROUND:
        raise DescriptionError(f"the motion is imposed in world axes, so body a must be the ground, got '{a.body}'. Give the ground as a.")
    if len(path) != dim:
        raise DescriptionError(f"the mechanism has {dim} coordinates, but the motion gives {len(path)}. Give {dim} functions.")
