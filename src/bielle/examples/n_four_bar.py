"""N four-bar linkages in a row (benchmark A02 of the IFToMM library of computational benchmark problems).

N + 1 upright bars A_iB_i on pivots a metre apart, joined at their tops by N level bars: 2N + 1 bars of 1 kg and 1 m, gravity 9.81 m/s²,
started upright with 1 m/s at B₀. All uprights stay parallel and all levels level, so with p the angle from the upright

    p'' = (g/L) ((3N + 1)/2)/((4N + 1)/3) sin p,    p(0) = 0, p'(0) = 1/s.

The bars turn over and over, and in every half turn all of them lie in one line: there every one of the N loops could turn over into an
antiparallelogram, and the Jacobian of the constraints loses N ranks at once. Nothing but the velocities keeps the bars parallel. Look at
the place of B₀ after ten seconds, which the closed equation gives to as many digits as one wants.

M. González, D. Dopico, U. Lugrís, J. Cuadrado, *A benchmarking system for MBS simulation software*, Multibody Syst. Dyn. 16, 2006.
"""

from __future__ import annotations

import numpy as np
from scipy.integrate import solve_ivp

import bielle as bl
from bielle.calls import explained
from bielle.results.result import Result
from bielle.solvers.central import Central

from ._checks import Check, at_least, at_most, conserves, equals, main, stepped

TITLE = "N four-bar linkages in a row (IFToMM benchmark A02)"
DURATION = 10.0
GRAVITY = 9.81
PUBLISHED = (0.328458111536, 0.944518538180)  # B₀ at 10 s for N = 2, from the closed equation [m]
STEP = 1e-3  # [s]


@explained
def build(n: int = 2) -> bl.Mechanism:
    """``n`` windows; the uprights are called 'upright 0' … 'upright n', the levels 'level 1' … 'level n'."""
    m = bl.Mechanism(gravity=(0.0, -GRAVITY), plane="xy", name=f"{n} four-bar linkages")
    for i in range(n + 1):
        foot, head, upright = (float(i), 0.0), (float(i), 1.0), f"upright {i}"
        m.add_body(upright, bl.rod(foot, head, mass=1.0), velocity=(0.5, 0.0), angular_velocity=-1.0)
        m.add_joint(f"A{i}", bl.Pin(), m.ground, upright, at=foot)
        if i:
            level = f"level {i}"
            before = (float(i - 1), 1.0)
            m.add_body(level, bl.rod(before, head, mass=1.0), velocity=(1.0, 0.0))
            m.add_joint(f"B{i - 1} right", bl.Pin(), f"upright {i - 1}", level, at=before)
            m.add_joint(f"B{i} left", bl.Pin(), level, upright, at=head)
    return m


def solver() -> Central:
    """Classical Runge–Kutta steps of a millisecond, projected onto the constraints."""
    return Central("projected", "rk4", step=STEP)


def reference(n: int, time: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Angle p from the upright (n,) [rad] and its rate [rad/s]."""
    factor = GRAVITY * ((3 * n + 1) / 2) / ((4 * n + 1) / 3)

    def rates(t: float, y: np.ndarray) -> list[float]:
        return [y[1], factor * np.sin(y[0])]

    p, rate = solve_ivp(rates, (0.0, time[-1]), (0.0, 1.0), method="DOP853", rtol=1e-13, atol=1e-14, t_eval=time).y
    return p, rate


def check(result: Result) -> list[Check]:
    """One degree of freedom, no redundancy outside the flat positions, and the motion of the closed equation.

    A relative error ε of the energy, whose scale is that of the fastest bars, is one of up to ε/2 (p'_max/p'_min)² of the speed where they
    are slowest; it moves the angle by p' t times that.
    """
    n = sum(name.startswith("level") for name in result.mechanism.bodies)
    report = result.mechanism.report()
    p, rate = reference(n, result.time)
    epsilon = stepped(4, STEP, rate.max(), result.time[-1])
    limit = rate.max() * result.time[-1] * 0.5 * epsilon * (rate.max() / rate.min()) ** 2
    b0 = result["upright 0"].point(at=(0.0, 1.0)).position
    checks = [
        equals("degrees of freedom", report.degrees_of_freedom, 1),
        equals("redundant equations", report.equations - report.rank, 0),
        at_least("flat positions passed", np.abs(np.diff(np.floor(p / np.pi - 0.5))).sum(), 8),
        *conserves(result, violation=1e-8, energy=epsilon),
        at_most("B0 against the closed equation [m]", b0 - np.stack([np.sin(p), np.cos(p)], axis=1), limit),
    ]
    if n == 2 and result.time[-1] == DURATION:
        checks.append(at_most("B0 at 10 s against the published place [m]", b0[-1] - PUBLISHED, limit))
    return checks


if __name__ == "__main__":
    main(__name__)
