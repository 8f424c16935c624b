"""Planar slider-crank driven by a constant torque.

Crank of 0.1 m and rod of 0.3 m, thin bars of 0.2 kg each, slider of 0.4 kg on the x axis; no gravity. It starts stretched at rest; 0.1 N·m acts on the
crank for 3 s, in which it makes 19 turns, the last at 100 rad/s.

The published numbers are those of MATLAB's ode45 at 1e-6: seven digits at the beginning, four in the end. The converged ones are of Lagrange's
equation of the same mechanism, DOP853.

Source: Exudyn, TestModels/slidercrankRefSolM0.1_tol1e-6.txt and sliderCrankFloatingTest.py.
"""

from __future__ import annotations

import numpy as np

import bielle as bl

from ._problem import Problem, Quantity, converged, point, spread, table

CRANK, ROD = 0.1, 0.3  # [m]
# t | θ, θ' | relative error of the source: the difference from the converged numbers, rounded up
TABLE = """
0.25804983 1.1976978 5.7951911 1e-6 | 0.50322101 4.1211873 14.732801 1e-5 | 1.0015668 14.160240 20.742081 1e-5
1.5001275 31.247025 62.667853 3e-4 | 3.0 121.89082 101.69399 4e-3
"""
CHECKED = """
0.25804983 1.19769785 5.79519028 | 0.50322101 4.12118709 14.73283687 | 1.0015668 14.1602276 20.74193758
1.5001275 31.24680874 62.65421226 | 3.0 121.8862774 101.36563721
"""
SLIDER = "0.3 1.452798823 6.437745628 0.294859987 | 1.0 14.127892219 20.537482869 0.283771692"  # t | θ, θ', x of the slider


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


READS = (lambda run: run["crank"].orientation, lambda run: run["crank"].angular_velocity, point("slider", 0))
NAMES = ("θ [rad]", "θ' [rad/s]", "slider [m]")
(TIMES, THETA, RATE, ERROR), (MORE, *EXACT), (FEW, *WITH_SLIDER) = table(TABLE), table(CHECKED), table(SLIDER)
WHY = "ode45 at 1e-6: its own error, found from the converged numbers"

PROBLEM = Problem(
    title="Slider-crank driven by a constant torque",
    source="Exudyn, TestModels/slidercrankRefSolM0.1_tol1e-6.txt",
    build=build,
    duration=3.0,
    quantities=(
        *spread(converged, [f"{n}, checked" for n in NAMES], READS, MORE, EXACT, 1e-7, "DOP853, ten digits of 122 rad"),
        *spread(converged, [f"{n}, checked early" for n in NAMES], READS, FEW, WITH_SLIDER, 1e-8, "DOP853, ten digits"),
        Quantity(NAMES[0], READS[0], TIMES, THETA, ERROR * THETA, WHY),
        Quantity(NAMES[1], READS[1], TIMES, RATE, ERROR * RATE, WHY),
    ),
    step=1e-5,
)
