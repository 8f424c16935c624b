"""Stiff flyball governor (benchmark A05 of the IFToMM library of computational benchmark problems).

A shaft turns freely about z. A slider slides on it; two rods are hinged at its top, at (±0.05, 0, 1) m about y, with 5 kg at their ends.
Springs of 8·10⁵ N/m with dampers of 4·10⁴ N·s/m, free length 0.5 m, join the slider at (±0.05, 0, s) to the middles of the rods. Shaft
and rods are bricks of 1 × 0.01 × 0.01 m, the slider a cube of 0.1 m, of 3000 kg/m³; gravity 9.81 m/s² along −z.

It starts with the rods 30° below the level, s = 0.5 m, all turning with 2π rad/s. The springs are so stiff and damped (rates up to some
10⁵/s) that explicit steps are short. What is compared is the height s of the slider. 10 s, of which the first three are published.

Source: IFToMM Technical Committee for Multibody Dynamics, *Library of Computational Benchmark Problems*, A05.
"""

from __future__ import annotations

from typing import Any

import numpy as np

import bielle as bl
from bielle.calls import explained

from ._problem import Problem, converged, point, published, table

SPIN, DENSITY, BALL = (0.0, 0.0, 2 * np.pi), 3000.0, 5.0  # [rad/s, kg/m³, kg]
TABLE = """
  0.0 0.500000  |  0.1 0.523836  |  0.2 0.585079  |  0.3 0.658632  |  0.4 0.717713  |  0.5 0.743249
  0.6 0.727631  |  0.7 0.675467  |  0.8 0.603181  |  0.9 0.536282  |  1.0 0.501420  |  1.1 0.513713
  1.2 0.567730  |  1.3 0.640878  |  1.4 0.705698  |  1.5 0.740684  |  1.6 0.735264  |  1.7 0.691027
  1.8 0.621601  |  1.9 0.550746  |  2.0 0.505909  |  2.1 0.506231  |  2.2 0.551569  |  2.3 0.622584
  2.4 0.691814  |  2.5 0.735602  |  2.6 0.740475  |  2.7 0.705002  |  2.8 0.639911  |  2.9 0.566833
  3.0 0.513246
"""
CHECKED = "0.1 0.523836476 | 0.5 0.743249425 | 1 0.501420922 | 2 0.505909294 | 3 0.513246078 | 5 0.535563104 | 10 0.619622917"


def rod_with_ball(size: float = 0.01) -> Any:
    """A rod along x with its frame in the middle and a point of 5 kg at its end; moments of inertia about the common centre."""
    mass = DENSITY * size**2
    total = mass + BALL
    along, across = mass * size**2 / 6, mass * (1.0 + size**2) / 12 + mass * BALL / total * 0.5**2
    return bl.rigid(total, (BALL / total * 0.5, 0.0, 0.0), (along, across, across), points=((-0.5, 0.0, 0.0), (0.5, 0.0, 0.0)))


@explained
def build() -> bl.Mechanism:
    """Bodies 'shaft', 'slider', 'rod +', 'rod −'."""
    m = bl.Mechanism(gravity=(0.0, 0.0, -9.81), name="flyball governor")
    m.add_body("shaft", bl.box((0.01, 0.01, 1.0), density=DENSITY), position=(0.0, 0.0, 0.5), angular_velocity=SPIN)
    m.add_body(
        "slider", bl.box((0.1, 0.1, 0.1), density=DENSITY), position=(0.0, 0.0, 0.5), velocity=(0.0, 0.0, 0.0), angular_velocity=SPIN
    )
    m.add_joint("bearing", bl.Revolute(axis="z"), m.ground, "shaft", at=(0.0, 0.0, 0.0))
    m.add_joint("sleeve", bl.Prismatic(axis="z"), "shaft", "slider", at=(0.0, 0.0, 0.5))
    rod = rod_with_ball()
    for side, sign in (("+", 1.0), ("−", -1.0)):
        down = np.pi / 6 if sign > 0 else np.pi * 5 / 6  # about y, from x: the rod's x axis points outwards and down
        middle = (sign * (0.05 + 0.5 * np.cos(np.pi / 6)), 0.0, 0.75)
        motion = {"velocity": np.cross(SPIN, middle), "angular_velocity": SPIN}
        m.add_body(f"rod {side}", rod, position=middle, orientation=bl.rotation("y", down), **motion)
        m.add_joint(f"hinge {side}", bl.Revolute(axis="y"), "shaft", f"rod {side}", at=(sign * 0.05, 0.0, 1.0))
        spring = bl.Spring(stiffness=8e5, damping=4e4, length=0.5)
        m.add_force(f"spring {side}", spring, "slider", f"rod {side}", at_a=(sign * 0.05, 0.0, 0.0), at_b=(0.0, 0.0, 0.0))
    return m


height = point("slider", 2)
(TIMES, HEIGHTS), (MORE, EXACT) = table(TABLE), table(CHECKED)

PROBLEM = Problem(
    title="Stiff flyball governor (A05)",
    source="IFToMM library of computational benchmark problems, A05",
    build=build,
    duration=10.0,
    quantities=(
        converged("s [m], checked", height, MORE, EXACT, 1e-8, "two degrees of freedom and the angular momentum, Radau 1e-10"),
        published("s [m]", height, TIMES, HEIGHTS, "six printed digits, off the checked solution by 1.2e-6", least=2e-6),
    ),
    rtol=1e-10,
    atol=1e-12,
    step=2e-5,
    quick=False,
)
