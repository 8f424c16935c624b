"""Spatial double pendulum: two uniform rods, the first on a hinge, the second hanging from its end by a ball joint.

Rod 1 turns about the z axis through the origin and ends at (1, 1, 0); rod 2 ends at (1, 1, −1). Gravity pulls along −y, and the pendulum
starts at rest. In natural coordinates a body is two points and two unit vectors: 24 coordinates, 12 internal equations, 5 of the
hinge and 3 of the ball joint, which leaves 4 degrees of freedom (the turn of rod 2 about its own axis is one of them; nothing drives it).

The reference needs no rotations. With θ the angle of rod 1, n = (−sin θ, cos θ, 0), e = (cos θ, sin θ, 0), d the unit vector along rod 2,
a and b the lengths of the rods, which weigh m each, and μ the multiplier that keeps d at unit length,

    m (a²/3 + a²) θ'' + ½ m a b n·d''                    = m g·n (a/2 + a)
    ½ m a b (n θ'' − e θ'²) + ⅓ m b² d''                 = ½ m b g + μ d
    d·d''                                                = −d'·d'.

Look at the agreement between natural coordinates and quaternions: the same joints, written once, act on either.
"""

from __future__ import annotations

import numpy as np
from scipy.integrate import solve_ivp

import bielle as bl
from bielle.calls import explained
from bielle.results.result import Result
from bielle.solvers.central import Central

from ._checks import Check, accumulated, at_most, conserves, equals, main

TITLE = "Spatial double pendulum in natural coordinates"
DURATION = 5.0
GRAVITY = 9.81
MASS = 1.0  # of each rod [kg]
B1, B2 = (1.0, 1.0, 0.0), (1.0, 1.0, -1.0)  # ends of the two rods at the start


@explained
def build(coordinates: str = "natural") -> bl.Mechanism:
    """The pendulum; ``coordinates`` may also be 'spatial' (centre of mass and quaternion)."""
    m = bl.Mechanism(gravity=(0.0, -GRAVITY, 0.0), name="spatial double pendulum")
    m.add_body("rod 1", bl.rod((0.0, 0.0, 0.0), B1, mass=MASS), coordinates=coordinates)
    m.add_body("rod 2", bl.rod(B1, B2, mass=MASS), coordinates=coordinates)
    m.add_joint("hinge", bl.Revolute(axis="z"), m.ground, "rod 1", at=(0.0, 0.0, 0.0))
    m.add_joint("ball", bl.Spherical(), "rod 1", "rod 2", at=B1)
    return m


def solver() -> Central:
    """Tighter than the default: two runs with different coordinates are to agree to seven digits after five seconds."""
    return Central(rtol=1e-10, atol=1e-12)


def reference(time: np.ndarray) -> np.ndarray:
    """End of rod 2 (n, 3) [m]."""
    a, b = float(np.linalg.norm(B1)), float(np.linalg.norm(np.subtract(B2, B1)))
    g = np.array([0.0, -GRAVITY, 0.0])

    def rates(t: float, y: np.ndarray) -> np.ndarray:
        theta, rate, d, d_rate = y[0], y[1], y[2:5], y[5:8]
        e, n = np.array([np.cos(theta), np.sin(theta), 0.0]), np.array([-np.sin(theta), np.cos(theta), 0.0])
        A, f = np.zeros((5, 5)), np.zeros(5)  # unknowns θ'', d'', −μ; everything divided by the mass
        A[0, 0], A[0, 1:4], f[0] = 4 * a * a / 3, 0.5 * a * b * n, 1.5 * a * g @ n
        A[1:4, 0], A[1:4, 1:4], A[1:4, 4] = 0.5 * a * b * n, b * b / 3 * np.eye(3), d
        f[1:4] = 0.5 * b * g + 0.5 * a * b * e * rate**2
        A[4, 1:4], f[4] = d, -d_rate @ d_rate
        x = np.linalg.solve(A, f)
        return np.concatenate([[rate, x[0]], d_rate, x[1:4]])

    start = np.concatenate([[np.arctan2(B1[1], B1[0]), 0.0], np.subtract(B2, B1) / b, np.zeros(3)])
    theta, _, *d = solve_ivp(rates, (0.0, time[-1]), start, method="DOP853", rtol=1e-13, atol=1e-14, t_eval=time).y[:5]
    return a * np.stack([np.cos(theta), np.sin(theta), 0 * theta], axis=1) + b * np.stack(d, axis=1)


def check(result: Result) -> list[Check]:
    """Four degrees of freedom; the same motion in other coordinates, and as the reference has it."""
    report = result.mechanism.report()
    other = build("spatial").simulate(result.time[-1], solver(), samples=result.time)
    end = result["rod 2"].point(at=B2).position
    energy = accumulated(result, solver().rtol)
    return [
        equals("coordinates", report.coordinates, 24),
        equals("equations", report.equations, 20),
        equals("degrees of freedom", report.degrees_of_freedom, 4),
        *conserves(result, violation=1e-9, energy=energy),
        at_most("end of rod 2, natural coordinates against quaternions [m]", end - other["rod 2"].point(at=B2).position, 1e-7),
        at_most("end of rod 2 against the reference [m]", end - reference(result.time), 1e-7),
    ]


if __name__ == "__main__":
    main(__name__)
