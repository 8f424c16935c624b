"""Four-bar linkage of Grashof's kind: the shortest link turns all the way round, the one opposite only rocks.

Crank a, coupler b, rocker c and ground d with a + b ≤ c + d, uniform links, gravity. The crank starts at 12 rad/s, enough for full turns.
With θ the angle of the crank and φ that of the rocker, the loop closes where Freudenstein's equation holds,

    (d/a) cos φ − (d/c) cos θ + (a² − b² + c² + d²)/(2ac) = cos(θ − φ).

Everything moves with θ, so there is a reference of first order: the energy gives θ' = √(2 (E − V(θ))/I(θ)), with

    I(θ) = ⅓ m_a a² + m_b (|g'|² + b²/12 β'²) + ⅓ m_c c² φ'²,

g being the centre of the coupler and β its angle; φ' and β' follow from the velocities of the loop, a e_θ θ' + b e_β β' = c e_φ φ'.

Look at the frame 'pen', a point of the coupler off its line: it draws a coupler curve, of sixth degree. Its points are those from which
both pins of the coupler, each at its distance from the pen, can be put on their circles.
"""

from __future__ import annotations

import numpy as np
from scipy.integrate import solve_ivp

import bielle as bl
from bielle.calls import explained
from bielle.results.result import Result

from ._checks import Check, accumulated, at_least, at_most, conserves, equals, main

TITLE = "Four-bar linkage with its coupler curve"
DURATION = 5.0
GRAVITY = 9.81
CRANK, COUPLER, ROCKER, GROUND = 0.3, 1.0, 0.8, 0.9  # lengths a, b, c, d [m]
MASS = (0.3, 1.0, 0.8)  # of crank, coupler and rocker [kg]: one kilogram per metre
START, RATE = 0.5 * np.pi, 12.0  # angle of the crank [rad] and its rate [rad/s] at the start
PEN = (0.1, 0.35)  # where the pen is on the coupler, from its middle, along and across [m]


def configuration(theta: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Angles β of the coupler and φ of the rocker for angles θ of the crank, in the open assembly (the coupler above the ground)."""
    x, y = GROUND - CRANK * np.cos(theta), -CRANK * np.sin(theta)  # from the crank's end to the rocker's pivot
    r = np.hypot(x, y)
    beta = np.arctan2(y, x) + np.arccos((COUPLER**2 + r**2 - ROCKER**2) / (2 * COUPLER * r))
    phi = np.arctan2(CRANK * np.sin(theta) + COUPLER * np.sin(beta), CRANK * np.cos(theta) + COUPLER * np.cos(beta) - GROUND)
    return beta, phi


def _slopes(theta: np.ndarray, beta: np.ndarray, phi: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """dβ/dθ and dφ/dθ, from the velocity of the loop taken along the rocker and along the coupler."""
    return CRANK * np.sin(theta - phi) / (COUPLER * np.sin(phi - beta)), CRANK * np.sin(theta - beta) / (ROCKER * np.sin(phi - beta))


@explained
def build() -> bl.Mechanism:
    """The linkage with the crank upright."""
    m = bl.Mechanism(gravity=(0.0, -GRAVITY), plane="xy", name="four-bar linkage")
    beta, phi = configuration(np.array(START))
    slope_b, slope_c = _slopes(np.array(START), beta, phi)
    A = CRANK * np.array([np.cos(START), np.sin(START)])
    B = np.array([GROUND, 0.0]) + ROCKER * np.array([np.cos(phi), np.sin(phi)])
    D = np.array([GROUND, 0.0])

    def centre_velocity(start: np.ndarray, velocity: np.ndarray, end: np.ndarray, rate: float) -> np.ndarray:
        arm = 0.5 * (end - start)
        return velocity + rate * np.array([-arm[1], arm[0]])

    still, at_a = np.zeros(2), RATE * np.array([-A[1], A[0]])
    for name, start, velocity, end, mass, rate in (
        ("crank", np.zeros(2), still, A, MASS[0], RATE),
        ("coupler", A, at_a, B, MASS[1], RATE * float(slope_b)),
        ("rocker", D, still, B, MASS[2], RATE * float(slope_c)),
    ):
        m.add_body(name, bl.rod(start, end, mass=mass), velocity=centre_velocity(start, velocity, end, rate), angular_velocity=rate)
    m.add_joint("crank pivot", bl.Pin(), m.ground, "crank", at=(0.0, 0.0))
    m.add_joint("crank pin", bl.Pin(), "crank", "coupler", at=A)
    m.add_joint("rocker pin", bl.Pin(), "coupler", "rocker", at=B)
    m.add_joint("rocker pivot", bl.Pin(), m.ground, "rocker", at=D)
    m.add_frame("pen", "coupler", local=PEN)
    return m


def solver() -> None:
    """The default solver."""


def energies(theta: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Reduced inertia I(θ) and potential energy V(θ)."""
    beta, phi = configuration(theta)
    slope_b, slope_c = _slopes(theta, beta, phi)
    gx = -CRANK * np.sin(theta) - 0.5 * COUPLER * np.sin(beta) * slope_b
    gy = CRANK * np.cos(theta) + 0.5 * COUPLER * np.cos(beta) * slope_b
    a, b, c = MASS
    inertia = a * CRANK**2 / 3 + b * (gx**2 + gy**2 + (COUPLER * slope_b) ** 2 / 12) + c * (ROCKER * slope_c) ** 2 / 3
    heights = a * 0.5 * CRANK * np.sin(theta) + b * (CRANK * np.sin(theta) + 0.5 * COUPLER * np.sin(beta)) + c * 0.5 * ROCKER * np.sin(phi)
    return inertia, GRAVITY * heights


def reference(time: np.ndarray) -> np.ndarray:
    """Angle θ of the crank (n,) [rad]."""
    inertia, potential = energies(np.array(START))
    total = 0.5 * inertia * RATE**2 + potential

    def rate(t: float, y: np.ndarray) -> np.ndarray:
        i, v = energies(y)
        return np.sqrt(2 * (total - v) / i)

    return solve_ivp(rate, (0.0, time[-1]), (START,), method="DOP853", rtol=1e-13, atol=1e-14, t_eval=time).y[0]


def check(result: Result) -> list[Check]:
    """The loop is closed in every sample, the pen is on the coupler curve, and the crank turns as the reference does.

    A relative error ε of the energy is one of ε/2 of the speed, hence of the angle turned.
    """
    energy = accumulated(result, bl.Central().rtol)
    theta, phi = result["crank"].orientation, result["rocker"].orientation
    # orientations start anywhere in (−π, π]; the crank's is START at the start
    theta = theta - theta[0] + START
    a, b, c, d = CRANK, COUPLER, ROCKER, GROUND
    freudenstein = d / a * np.cos(phi) - d / c * np.cos(theta) + (a * a - b * b + c * c + d * d) / (2 * a * c) - np.cos(theta - phi)
    return [
        equals("degrees of freedom", result.mechanism.report().degrees_of_freedom, 1),
        at_least("full turns of the crank", np.ptp(theta) / (2 * np.pi), 5),
        *conserves(result, violation=1e-9, energy=energy),
        at_most("residual of Freudenstein's equation", freudenstein, 1e-8),
        at_most("pen off its coupler curve [m]", _off_curve(result["pen"].position), 1e-8),
        at_most("crank against the reference [rad]", theta - reference(result.time), 0.5 * energy * np.ptp(theta)),
    ]


def _off_curve(pen: np.ndarray) -> np.ndarray:
    """Distance from the rocker's circle of the coupler's second pin, if the first is put on the crank's circle at its distance of the pen.

    There are two such places of the first pin, mirror images in the line from the pivot to the pen; the curve belongs to one of them.
    """
    half = np.array([0.5 * COUPLER, 0.0])
    first, second = PEN + half, PEN - half  # from the two pins to the pen
    r, reach = np.hypot(*pen.T), np.hypot(*first)
    off = []
    for sign in (1.0, -1.0):
        theta = np.arctan2(pen[:, 1], pen[:, 0]) + sign * np.arccos((CRANK**2 + r**2 - reach**2) / (2 * CRANK * r))
        arm = pen - CRANK * np.stack([np.cos(theta), np.sin(theta)], axis=1)
        turn = np.arctan2(arm[:, 1], arm[:, 0]) - np.arctan2(first[1], first[0])
        pin = pen - np.stack(
            [np.cos(turn) * second[0] - np.sin(turn) * second[1], np.sin(turn) * second[0] + np.cos(turn) * second[1]], axis=1
        )
        off.append(np.abs(np.hypot(pin[:, 0] - GROUND, pin[:, 1]) - ROCKER))
    return np.minimum(*off)


if __name__ == "__main__":
    main(__name__)
