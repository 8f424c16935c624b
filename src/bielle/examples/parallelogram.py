"""Parallelogram linkage with a third crank: one bar more than the motion needs, and a flat position in every half turn.

Three equal cranks of length L stand side by side on the ground and carry one coupler, which only translates. Two cranks would do: the
third says again what the others say, so that one equation is redundant in every position; the motion is determined, the
distribution of the load over the pins is not. :func:`bielle.report` finds the pins among which it lies.

When all cranks lie in the line of the pivots the linkage is flat: the coupler could also begin to tilt, and the Jacobian loses one more
rank. With two cranks the linkage could turn over there into an antiparallelogram. With three it cannot: to be on the straight coupler,
the heads need θ₂ = (θ₁ + θ₃)/2 in the first order and equal cosines, θ₁² = θ₂² = θ₃², in the second, which leaves only equal angles. The
branch is closed, but the equations of first order do not know it.

With p the angle of the cranks from the upright, n cranks of mass m_c and a coupler of mass m,

    p'' = (g/L) (n m_c/2 + m)/(n m_c/3 + m) sin p,    p(0) = 0, p'(0) = 1 rad/s.
"""

from __future__ import annotations

import numpy as np
from scipy.integrate import solve_ivp

import bielle as bl
from bielle.calls import explained
from bielle.results.result import Result
from bielle.solvers.central import Central

from ._checks import Check, at_least, at_most, conserves, equals, main, stepped

TITLE = "Parallelogram with a redundant crank, passing flat"
DURATION = 20.0
GRAVITY = 9.81
LENGTH, CRANKS = 1.0, 3
CRANK_MASS, COUPLER_MASS = 1.0, 2.0  # [kg]
RATE = 1.0  # of the cranks at the start [rad/s]
STEP = 1e-3  # [s]


@explained
def build() -> bl.Mechanism:
    """The linkage with its cranks upright."""
    m = bl.Mechanism(gravity=(0.0, -GRAVITY), plane="xy", name="parallelogram with three cranks")
    speed = RATE * LENGTH
    ends = [(i * LENGTH, LENGTH) for i in range(CRANKS)]
    m.add_body("coupler", bl.rod(ends[0], ends[-1], mass=COUPLER_MASS), velocity=(speed, 0.0))
    for i, end in enumerate(ends):
        foot, name = (end[0], 0.0), f"crank {i + 1}"
        m.add_body(name, bl.rod(foot, end, mass=CRANK_MASS), velocity=(0.5 * speed, 0.0), angular_velocity=-RATE)
        m.add_joint(f"foot {i + 1}", bl.Pin(), m.ground, name, at=foot)
        m.add_joint(f"head {i + 1}", bl.Pin(), name, "coupler", at=end)
    return m


def solver() -> Central:
    """Classical Runge–Kutta steps of a millisecond, projected onto the constraints."""
    return Central("projected", "rk4", step=STEP)


def reference(time: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Angle p of the cranks from the upright (n,) [rad] and its rate [rad/s]."""
    n, c, m = CRANKS, CRANK_MASS, COUPLER_MASS
    factor = GRAVITY / LENGTH * (n * c / 2 + m) / (n * c / 3 + m)

    def rates(t: float, y: np.ndarray) -> list[float]:
        return [y[1], factor * np.sin(y[0])]

    p, rate = solve_ivp(rates, (0.0, time[-1]), (0.0, RATE), method="DOP853", rtol=1e-13, atol=1e-14, t_eval=time).y
    return p, rate


def check(result: Result) -> list[Check]:
    """One redundant equation among all the pins; the motion of one degree of freedom, in spite of the flat positions.

    A relative error ε of the energy, whose scale is that of the fastest cranks, is one of up to ε/2 (p'_max/p'_min)² of the speed where
    they are slowest; it moves the angle by p' t times that.
    """
    report = result.mechanism.report()
    p, rate = reference(result.time)
    found = np.pi / 2 - result["crank 1"].orientation
    flat = np.abs(np.diff(np.floor(p / np.pi - 0.5))).sum()
    epsilon = stepped(4, STEP, rate.max(), result.time[-1])
    limit = rate.max() * result.time[-1] * 0.5 * epsilon * (rate.max() / rate.min()) ** 2
    pins = {f"{part} {i + 1}" for part in ("foot", "head") for i in range(CRANKS)}
    named = len(report.redundancies) == 1 and set(report.redundancies[0].joints) == pins and not report.redundancies[0].singular
    return [
        equals("degrees of freedom", report.degrees_of_freedom, 1),
        equals("redundant equations", report.equations - report.rank, 1),
        equals("pins named by the report, of the six", len(pins) if named else 0, len(pins)),
        at_least("flat positions passed", flat, 10),
        *conserves(result, violation=1e-8, energy=1e-5),
        at_most("tilt of the coupler [rad]", result["coupler"].orientation, 1e-8),
        at_most("crank against the reference [rad]", found - found[0] - p, limit),
    ]


if __name__ == "__main__":
    main(__name__)
