"""Planar slider-crank driven by a constant torque.

Crank of 0.1 m and rod of 0.3 m, thin bars of 0.2 kg each, slider of 0.4 kg on the x axis; no gravity. It starts stretched at rest; 0.1
N·m acts on the crank for 3 s, in which it makes 19 turns, the last at 100 rad/s.

The published numbers are those of MATLAB's ode45 at 1e-6: seven digits at the beginning, four in the end. The exact ones are of
Lagrange's equation in θ; there the rate changes by 10⁴ rad/s² in a turn, so that 10⁻⁸ rad of θ are some 10⁻⁶ rad/s of θ'.

Source: Exudyn, TestModels/slidercrankRefSolM0.1_tol1e-6.txt and sliderCrankFloatingTest.py.
"""

from __future__ import annotations

import numpy as np

import bielle as bl
from bielle.calls import explained

from ._problem import Problem, Quantity, converged, point, table
from ._slider_crank import rod_angle

CRANK, ROD = 0.1, 0.3  # [m]
# t | θ, θ' | by how much they may be off: the error of the source, which exact() tells, rounded up
TABLE = """
  0.25804983 1.1976978 5.7951911 1e-7 1e-6 | 0.50322101 4.1211873 14.732801 3e-7 4e-5
  0.75003163 8.0329299 16.491360 4e-6 7e-5 | 1.0015668 14.160240 20.742081 1.5e-5 1.5e-4
  1.5001275 31.247025 62.667853 2.5e-4 1.4e-2 | 2.0008434 55.106362 39.585335 5e-4 2e-3
  2.5003055 85.459940 84.815140 2.1e-3 0.12 | 3.0 121.89082 101.69399 5e-3 0.34
"""


@explained
def build() -> bl.Mechanism:
    """Bodies 'crank', 'rod' and 'slider'."""
    m = bl.Mechanism(gravity=(0.0, 0.0), plane="xy", name="slider-crank")
    pin, end = (CRANK, 0.0), (CRANK + ROD, 0.0)
    m.add_body("crank", bl.rod((0.0, 0.0), pin, mass=0.2))
    m.add_body("rod", bl.rod(pin, end, mass=0.2))
    m.add_body("slider", bl.box((0.05, 0.03), mass=0.4), position=end)
    m.add_joint("bearing", bl.Pin(), m.ground, "crank", at=(0.0, 0.0))
    m.add_joint("crank pin", bl.Pin(), "crank", "rod", at=pin)
    m.add_joint("slider pin", bl.Pin(), "rod", "slider", at=end)
    m.add_joint("guide", bl.Slider(direction="x"), m.ground, "slider", at=end)
    m.add_force("drive", bl.Torque(torque=0.1), "crank")
    return m


def exact(time: np.ndarray) -> np.ndarray:
    """θ, θ' and the slider (3, n), from Lagrange's equation J(θ) θ'' = τ − ½ dJ/dθ θ'².

    J = Σ m |dx/dθ|² + I (dφ/dθ)² over the bodies, x their centres and φ their angles.
    """
    from scipy.integrate import solve_ivp

    def rates(_: float, y: np.ndarray) -> list[float]:
        s, c = np.sin(y[0]), np.cos(y[0])
        sa, ca, a1, a2 = rod_angle(y[0], CRANK / ROD)
        middle = (-CRANK * s - ROD / 2 * sa * a1, CRANK * c + ROD / 2 * ca * a1)
        middle_rate = (-CRANK * c - ROD / 2 * (ca * a1**2 + sa * a2), -CRANK * s + ROD / 2 * (ca * a2 - sa * a1**2))
        end, end_rate = -CRANK * s - ROD * sa * a1, -CRANK * c - ROD * (ca * a1**2 + sa * a2)
        turning = 0.2 * ROD**2 / 12
        inertia = 0.2 * CRANK**2 / 3 + 0.2 * np.dot(middle, middle) + turning * a1**2 + 0.4 * end**2
        half_slope = 0.2 * np.dot(middle, middle_rate) + turning * a1 * a2 + 0.4 * end * end_rate
        return [y[1], (0.1 - half_slope * y[1] ** 2) / inertia]

    theta, rate = solve_ivp(rates, (0.0, time[-1]), (0.0, 0.0), "DOP853", time, rtol=3e-14, atol=1e-16).y
    return np.stack([theta, rate, CRANK * np.cos(theta) + ROD * rod_angle(theta, CRANK / ROD)[1]])


READS = (lambda run: run["crank"].orientation, lambda run: run["crank"].angular_velocity, point("slider", 0))
NAMES = ("θ [rad]", "θ' [rad/s]", "slider [m]")
TIMES, *COLUMNS = table(TABLE)
TOLERANCES = (1e-8, 1e-6, 1e-8)
WHY = "ode45 at 1e-6: its own error, told by Lagrange's equation"

PROBLEM = Problem(
    title="Slider-crank driven by a constant torque",
    source="Exudyn, TestModels/slidercrankRefSolM0.1_tol1e-6.txt",
    build=build,
    duration=3.0,
    quantities=(
        *(
            converged(
                f"{name}, exact",
                read,
                TIMES,
                column,
                tolerance,
                "Lagrange's equation; ten digits of 122 rad and what they make of the rate",
            )
            for name, read, column, tolerance in zip(NAMES, READS, exact(TIMES), TOLERANCES)
        ),
        *(Quantity(NAMES[k], READS[k], TIMES, COLUMNS[k], COLUMNS[2 + k], WHY) for k in (0, 1)),
    ),
    step=1e-5,
)
