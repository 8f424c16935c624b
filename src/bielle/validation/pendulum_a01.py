"""Simple pendulum (benchmark A01 of the IFToMM library of computational benchmark problems).

1 kg at the end of a massless bar of 1 m on the hinge (0, 0), gravity 9.81 m/s²; starts level at x = −1 m, at rest; 10 s. The bar is a
`Distance` to the ground; it acts on the centre of the body, which nothing turns, so that its inertia does not matter.

The exact solution, with k = sin(π/4) and ω = √(g/L), θ from the vertical:

    sin(θ/2) = −k cd(ωt | k²),   x = L sin θ,   y = −L cos θ.

Source: IFToMM Technical Committee for Multibody Dynamics, *Library of Computational Benchmark Problems*, A01.
"""

from __future__ import annotations

import numpy as np

import bielle as bl
from bielle.calls import explained

from ._problem import Problem, converged, point, spread, table
from ._problem import published as printed_table

GRAVITY = 9.81
DURATION = 10.0
TABLE = """
  0.0 -1 0  |  0.5 -0.391049 -0.92037  |  1.0 0.986292 -0.165011  |  1.5 0.884132 -0.467237
  2.0 -0.793566 -0.608484  |  2.5 -0.996334 -0.0855439  |  3.0 0.176652 -0.984273  |  3.5 0.999914 -0.013142
  4.0 0.577564 -0.816346  |  4.5 -0.963293 -0.268452  |  5.0 -0.942305 -0.334754  |  5.5 0.665293 -0.746583
  6.0 0.999498 -0.0316965  |  6.5 0.0511945 -0.998689  |  7.0 -0.998619 -0.0525408  |  7.5 -0.727459 -0.686151
  8.0 0.919858 -0.392252  |  8.5 0.975626 -0.21944  |  9.0 -0.498374 -0.866962  |  9.5 -0.999992 -0.00402112
  10.0 -0.275087 -0.961419
"""


@explained
def build() -> bl.Mechanism:
    """One body, 'bob'."""
    m = bl.Mechanism(gravity=(0.0, -GRAVITY), plane="xy", name="simple pendulum")
    m.add_body("bob", bl.disc(0.05, mass=1.0), position=(-1.0, 0.0), angular_velocity=0.0)
    m.add_joint("bar", bl.Distance(), m.ground, "bob", at_a=(0.0, 0.0), at_b=(0.0, 0.0))
    return m


def exact(time: np.ndarray) -> np.ndarray:
    """x and y (2, n) [m]."""
    from scipy.special import ellipj

    _, cn, dn, _ = ellipj(np.sqrt(GRAVITY) * time, 0.5)
    half = -np.sqrt(0.5) * cn / dn  # sin(θ/2)
    return np.stack([2.0 * half * np.sqrt(1.0 - half**2), 2.0 * half**2 - 1.0])


TIMES, *PLACES = table(TABLE)
NAMES, READS = ("x [m]", "y [m]"), (point("bob", 0), point("bob", 1))

PROBLEM = Problem(
    title="Simple pendulum (A01)",
    source="IFToMM library of computational benchmark problems, A01",
    build=build,
    duration=DURATION,
    quantities=(
        *spread(converged, [f"{n}, exact" for n in NAMES], READS, TIMES, exact(TIMES), 1e-9, "elliptic functions; asked are nine digits"),
        *spread(printed_table, NAMES, READS, TIMES, PLACES, "six printed digits"),
    ),
)
