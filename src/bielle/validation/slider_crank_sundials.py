"""Slider-crank with a spring and a damper, an example of SUNDIALS' solver IDAS by R. Serban.

Crank angle q, slider x, rod angle p: x = cos p + a cos q, sin p = −a sin q with a = ½ m and a rod of 1 m. The kinetic energy

    ½ J₁ q'² + ½ m₂ x'² + ½ J₂ p'²,    J₁ = 1 kg·m², m₂ = 1 kg, J₂ = 2 kg·m²,

is that of a crank whose centre is its pivot, and of a rod whose centre of mass is at the slider's pin; the slider has no mass, so it is a
pin of the rod in a slot of the ground. A spring of 1 N/m with 1 N·s/m and free length 1 m joins the middles of crank and rod. A force of
1 N along x acts on the rod one metre beyond the slider. No gravity, 10 s, from rest at q = π/2.

Source: SUNDIALS, examples/idas/serial/idasSlCrank_dns.c and its output (rtol 1e-6, atol 1e-7).
"""

from __future__ import annotations

import numpy as np

import bielle as bl
from bielle.calls import explained

from ._problem import Problem, converged, point, published, spread, table
from ._slider_crank import rod_angle

A = 0.5  # [m]
P0 = np.arcsin(-A)
# t | q, x, p
TABLE = """
0.4 1.5299 0.88672 -0.52312 | 0.8 1.4072 0.95128 -0.51591 | 1.2 1.2039 1.0638 -0.48559 | 1.6 0.92524 1.2176 -0.41084
2.0 0.57904 1.3803 -0.27714 | 2.4 0.17783 1.4882 -0.088565 | 2.8 -0.24460 1.4778 0.12138 | 3.2 -0.63618 1.3570 0.30161
4.0 -1.2064 1.0623 0.48609 | 4.8 -1.4300 0.93903 0.51789 | 6.0 -1.1080 1.1176 0.46386 | 7.2 -0.12091 1.4945 0.060346
8.0 0.64422 1.3536 -0.30500 | 9.2 1.2895 1.0159 -0.50105 | 10.0 1.2757 1.0236 -0.49881
"""


@explained
def build() -> bl.Mechanism:
    """Bodies 'crank' and 'rod', whose frame is at the slider."""
    m = bl.Mechanism(gravity=(0.0, 0.0), plane="xy", name="slider-crank of IDAS")
    end = (np.cos(P0), 0.0)
    m.add_body("crank", bl.rigid(1.0, (0.0, 0.0), 1.0, points=((0.0, 0.0), (A, 0.0))), orientation=np.pi / 2)
    m.add_body("rod", bl.rigid(1.0, (0.0, 0.0), 2.0, points=((-1.0, 0.0), (0.0, 0.0))), position=end, orientation=P0)
    m.add_joint("pivot", bl.Pin(), m.ground, "crank", at=(0.0, 0.0))
    m.add_joint("crank pin", bl.Pin(), "crank", "rod", at_a=(A, 0.0), at_b=(-1.0, 0.0))
    m.add_joint("slider", bl.PinInSlot(direction="x"), m.ground, "rod", at=end)
    m.add_force("spring", bl.Spring(stiffness=1.0, damping=1.0, length=1.0), "crank", "rod", at_a=(A / 2, 0.0), at_b=(-0.5, 0.0))
    m.add_force("push", bl.PointForce(force=(1.0, 0.0)), "rod", at=(2.0 * np.cos(P0), np.sin(P0)))
    return m


def action(run: bl.Result) -> np.ndarray:
    """Integral of the kinetic energy since the start [J·s], by a spline through the samples."""
    from scipy.interpolate import CubicSpline

    return CubicSpline(run.time, run.energy.kinetic).antiderivative()(run.time)


def exact(time: np.ndarray) -> np.ndarray:
    """q, x, p and the integral of the kinetic energy (4, n), from Lagrange's equation in q.

    J q'' = F d(x + cos p)/dq − T dl/dq − ½ dJ/dq q'²,    J = J₁ + m₂ (dx/dq)² + J₂ (dp/dq)²,    T = l − 1 + l'
    """
    from scipy.integrate import solve_ivp

    def rates(_: float, y: np.ndarray) -> list[float]:
        q, rate, _ = y
        s, c = A * np.sin(q), A * np.cos(q)
        sp, cp, p1, p2 = rod_angle(q, A)
        x1, x2 = -sp * p1 - s, -cp * p1**2 - sp * p2 - c
        inertia, half_slope = 1.0 + x1**2 + 2.0 * p1**2, x1 * x2 + 2.0 * p1 * p2
        apart, apart_rate = np.array([cp + c, -sp - s]) / 2.0, np.array([2.0 * x1 + sp * p1 + s, -cp * p1 - c]) / 2.0
        length = np.hypot(*apart)
        stretch = apart @ apart_rate / length
        push = x1 - sp * p1 - (length - 1.0 + stretch * rate) * stretch
        return [rate, (push - half_slope * rate**2) / inertia, 0.5 * inertia * rate**2]

    q, _, integral = solve_ivp(rates, (0.0, time[-1]), (np.pi / 2, 0.0, 0.0), "DOP853", time, rtol=1e-12, atol=1e-14).y
    sine, cosine, *_ = rod_angle(q, A)
    return np.stack([q, cosine + A * np.cos(q), np.arcsin(sine), integral])


TIMES, *COLUMNS = table(TABLE)
READS = (lambda run: run["crank"].orientation, point("rod", 0), lambda run: run["rod"].orientation, action)
NAMES = ("q [rad]", "x [m]", "p [rad]", "∫T dt [J·s]")

PROBLEM = Problem(
    title="Slider-crank with a spring and a damper",
    source="SUNDIALS, examples/idas/serial/idasSlCrank_dns.out",
    build=build,
    duration=10.0,
    quantities=(
        *spread(
            converged,
            [f"{n}, exact" for n in NAMES],
            READS,
            TIMES,
            exact(TIMES),
            1e-8,
            "Lagrange's equation in q, 1e-12; the integral is of a spline",
        ),
        *spread(published, NAMES[:3], READS, TIMES, COLUMNS, "five printed digits", digits=5, least=1e-5),
        converged(
            NAMES[3], action, 10.0, 3.3366160662934146, 1e-5, "tolerance 1e-6 of the source; it is off Lagrange's equation by 9.3e-6"
        ),
    ),
    rtol=1e-11,
    atol=1e-13,
)
