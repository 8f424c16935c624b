"""Slider-crank with rods of equal length: a mechanism that passes a singular position in every swing.

The double pendulum of point masses (see :mod:`bielle.examples.double_pendulum`) with its end on the line y = 0. With the crank at the
angle θ the knee is at (cos θ, sin θ) and the slider at (2 cos θ, 0): one degree of freedom,

    ½ (1 + 4 sin²θ) θ'² + g sin θ = E,    (1 + 4 sin²θ) θ'' = −(4 θ'² sin θ + g) cos θ.

It starts at rest with θ = π/4. The knee falls, the slider runs out to 2 m and back, and when the knee is at the bottom (θ = −π/2) the
rods lie on each other with the slider at the pivot. There the slider could stay for ever, both rods swinging about the pivot like one: a
second branch of motion begins. The Jacobian of the constraints loses a rank, and a KKT matrix without regularisation cannot be factored.
The velocities decide which branch is taken: the slider arrives with 2 θ', and no finite force can stop it at once, so the motion goes on
along the branch on which it came, to −2 m and back. That is what to look at: whether the run follows the reference through the branch
point, swing after swing, with the constraints and the energy intact.
"""

from __future__ import annotations

import numpy as np
from scipy.integrate import solve_ivp

import bielle as bl
from bielle.calls import explained
from bielle.results.result import Result
from bielle.solvers.central import Central

from ._checks import Check, at_least, at_most, conserves, equals, main

TITLE = "Slider-crank with equal rods, passing folded"
DURATION = 20.0
GRAVITY = 9.81
ANGLE = np.pi / 4  # of the crank at the start [rad]
ENERGY = 1e-5  # permitted relative error of the energy


@explained
def build(coordinates: str = "bar") -> bl.Mechanism:
    """The mechanism; ``coordinates`` may also be 'planar'."""
    m = bl.Mechanism(gravity=(0.0, -GRAVITY), plane="xy", name="slider-crank")
    c, s, ends = np.cos(ANGLE), np.sin(ANGLE), ((0.0, 0.0), (1.0, 0.0))
    m.add_body("crank", bl.rigid(1.5, (1 / 3, 0.0), 1 / 3, points=ends), orientation=ANGLE, coordinates=coordinates)
    rod = bl.rigid(1.5, (2 / 3, 0.0), 1 / 3, points=ends)
    m.add_body("rod", rod, position=(c, s), orientation=-ANGLE, coordinates=coordinates)
    m.add_joint("pivot", bl.Pin(), m.ground, "crank", at=(0.0, 0.0))
    m.add_joint("knee", bl.Pin(), "crank", "rod", at=(c, s))
    m.add_joint("slot", bl.PinInSlot(direction="x"), m.ground, "rod", at=(2 * c, 0.0))
    return m


def solver() -> Central:
    """Classical Runge–Kutta steps of a millisecond, projected onto the constraints."""
    return Central("projected", "rk4", step=1e-3)


def implicit_solver() -> Central:
    """The same step with the trapezoidal rule (Newmark) and the constraints at position level."""
    return Central("index3", "newmark", step=1e-3)


def reference(time: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Angle of the crank (n,) [rad] and its rate [rad/s], from the equation in θ."""

    def rates(t: float, y: np.ndarray) -> list[float]:
        s, c = np.sin(y[0]), np.cos(y[0])
        return [y[1], -(4 * y[1] ** 2 * s + GRAVITY) * c / (1 + 4 * s * s)]

    angle, rate = solve_ivp(rates, (0.0, time[-1]), (ANGLE, 0.0), method="DOP853", rtol=1e-13, atol=1e-14, t_eval=time).y
    return angle, rate


def check(result: Result) -> list[Check]:
    """Nothing blows up at the singular position, and the slider stays with the reference.

    A relative error ε of the energy is one of ε/2 of the speed, hence one of 2 |θ'| t ε/2 of the slider's place at the time t.
    """
    angle, rate = reference(result.time)
    slider = result["rod"].point((1.0, 0.0)).position[:, 0]
    passages = np.abs(np.diff(angle < -np.pi / 2)).sum()
    return [
        equals("degrees of freedom", result.mechanism.report().degrees_of_freedom, 1),
        at_least("passages through the singular position", passages, 8),
        *conserves(result, violation=1e-8, energy=ENERGY),
        at_most("slider against the reference [m]", slider - 2 * np.cos(angle), np.abs(rate).max() * result.time[-1] * ENERGY),
    ]


if __name__ == "__main__":
    main(__name__)
