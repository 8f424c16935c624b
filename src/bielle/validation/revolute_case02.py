"""A pendulum on an inclined hinge (ADAMS, Revolute_Case02).

Hinge at (1, 2, 3) m about (0, 1, 1)/√2; the centre of the body starts at (3, 2, 3) m, its axes are turned by −45° about x and its moments
of inertia (0.04, 0.1, 0.1) kg·m². It swings like a pendulum under g/√2: (0.1 + 4) θ'' = (2 g/√2) cos θ.

Source: Project Chrono, data/testing/joints, Revolute_Case02 (curves of ADAMS).
"""

from __future__ import annotations

import numpy as np

import bielle as bl
from bielle.calls import explained

from ._adams import DURATION, PRINTED, SOURCE, mechanism
from ._problem import Problem, point, published, spread, table

# t | position | angular velocity about y, the same as about z
TABLE = """
   0.5 +2.82591 +2.57708 +2.42292 +1.17487 | 1.0 +1.0421 +3.4139 +1.5861 +1.83898 | 1.5 -0.802951 +2.61211 +2.38789 +1.21
   2.0 -1 +2.00063 +2.99937 +0.0387227 | 2.5 -0.846888 +2.54268 +2.45732 -1.13931 | 3.0 +0.8738 +3.4114 +1.5886 -1.83735
   4.0 +3 +2.00251 +2.99749 -0.0774453 | 5.0 +1.20996 +3.4064 +1.5936 +1.8341
"""


@explained
def build() -> bl.Mechanism:
    """The body on its hinge."""
    m = mechanism("pendulum on an inclined hinge", (3.0, 2.0, 3.0), orientation=bl.rotation("x", -np.pi / 4))
    m.add_joint("hinge", bl.Revolute(axis=(0.0, 1.0, 1.0)), m.ground, "body", at=(1.0, 2.0, 3.0))
    return m


TIMES, *COLUMNS = table(TABLE)

PROBLEM = Problem(
    title="Pendulum on an inclined hinge",
    source=SOURCE.format("Revolute_Case02"),
    build=build,
    duration=DURATION,
    quantities=(
        *spread(published, ("x [m]", "y [m]", "z [m]"), [point("body", k) for k in range(3)], TIMES, COLUMNS, PRINTED),
        *spread(
            published,
            ("ωy [rad/s]", "ωz [rad/s]"),
            [lambda run, k=k: run["body"].angular_velocity[:, k] for k in (1, 2)],
            TIMES,
            (COLUMNS[3], COLUMNS[3]),
            PRINTED,
        ),
    ),
    rtol=1e-11,
    atol=1e-13,
)
