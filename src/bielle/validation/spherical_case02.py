"""A pendulum on a ball joint (ADAMS, Spherical_Case02).

Ball joint at (1, 2, 3) m, centre of the body at (3, 2, 3) m, its axes turned by −45° about x; moments of inertia (0.04, 0.1, 0.1) kg·m².
It swings in the vertical plane like a pendulum, (0.1 + 4) θ'' = 2 g cos θ, whose solution is known to nine digits; ADAMS has five of
them.

Source: Project Chrono, data/testing/joints, Spherical_Case02 (curves of ADAMS).
"""

from __future__ import annotations

import numpy as np

import bielle as bl
from bielle.calls import explained

from ._adams import DURATION, SOURCE, mechanism
from ._problem import Problem, converged, point, published, spread, table

PIVOT = (1.0, 2.0, 3.0)
# t | position | quaternion
TABLE = """
   0.5 +2.66081 +2 +1.88568 +0.88384 -0.366099 +0.269035 +0.111438 | 1.0 +0.107619 +2 +1.21012 +0.486161 -0.201375 +0.785621 +0.325415
   1.5 -0.991669 +2 +2.81764 +0.0421627 -0.0174643 +0.922917 +0.382285 | 2.0 -0.951117 +2 +2.56052 +0.102132 -0.0423046 +0.918217 +0.380338
   2.5 +0.734494 +2 +1.0177 +0.608375 -0.251997 +0.695293 +0.288 | 3.0 +2.86917 +2 +2.28852 +0.908645 -0.376373 +0.167086 +0.0692092
   4.0 +2.29696 +2 +1.47754 +0.838769 -0.34743 +0.387324 +0.160435 | 5.0 -0.999684 +2 +2.96444 +0.00821332 -0.00340207 +0.923843 +0.382668
"""
CHECKED = "1 -0.892381486 -1.78987577 | 2 -1.95111717 -0.439479003 | 5 -1.99968387 -0.0355587475"  # t | x, z from the pivot


@explained
def build() -> bl.Mechanism:
    """The body on its ball joint."""
    m = mechanism("pendulum on a ball joint", (3.0, 2.0, 3.0), orientation=bl.rotation("x", -np.pi / 4))
    m.add_joint("ball", bl.Spherical(), m.ground, "body", at=PIVOT)
    return m


(TIMES, *COLUMNS), (MORE, *FROM_PIVOT) = table(TABLE), table(CHECKED)
FIVE = "five digits, as far as ADAMS is exact"

PROBLEM = Problem(
    title="Pendulum on a ball joint",
    source=SOURCE.format("Spherical_Case02"),
    build=build,
    duration=DURATION,
    quantities=(
        *spread(
            converged,
            ("x from the pivot [m], checked", "z from the pivot [m], checked"),
            [lambda run, k=k: run["body"].position[:, k] - PIVOT[k] for k in (0, 2)],
            MORE,
            FROM_PIVOT,
            1e-8,
            "nine digits of the equation in θ",
        ),
        *spread(published, ("x [m]", "y [m]", "z [m]"), [point("body", k) for k in range(3)], TIMES, COLUMNS, FIVE, digits=5),
        *spread(
            published,
            [f"quaternion {a}" for a in "wxyz"],
            [lambda run, k=k: run["body"].orientation[:, k] for k in range(4)],
            TIMES,
            COLUMNS[3:],
            FIVE,
            digits=5,
            least=1e-5,
        ),
    ),
    rtol=1e-11,
    atol=1e-13,
)
