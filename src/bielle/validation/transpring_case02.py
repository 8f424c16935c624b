"""A body that falls on a spring with a damper (ADAMS, TranSpring_Case02).

No joint. A spring of 100 N/m with 5 N·s/m and a free length of 2 m goes from the origin to the centre of the body, which starts at (0, 2,
0) m.

Source: Project Chrono, data/testing/joints, TranSpring_Case02 (curves of ADAMS).
"""

from __future__ import annotations

import bielle as bl
from bielle.calls import explained

from ._adams import DURATION, PRINTED, SOURCE, mechanism
from ._problem import Problem, point, published, spread, table

# t | y, z | their rates
TABLE = """
   0.5 +1.77355 -1.16213 -2.0178 -4.0968 | 1.0 -0.597327 -2.18907 -5.64161 +1.64701 | 1.5 -2.00751 -0.531256 -0.282547 +2.79137
   2.0 -1.98383 -0.324761 +0.0980817 -2.02428 | 2.5 -0.98056 -1.99289 +4.82219 -2.78918 | 3.0 +1.55345 -1.56114 +3.1047 +3.66348
   4.0 +1.78501 -1.10528 -1.70272 -3.62956 | 5.0 -1.9452 -0.767401 -0.652462 +2.8145
"""


@explained
def build() -> bl.Mechanism:
    """The body and its spring."""
    m = mechanism("body on a spring", (0.0, 2.0, 0.0))
    spring = bl.Spring(stiffness=100.0, damping=5.0, length=2.0)
    m.add_force("spring", spring, m.ground, "body", at_a=(0.0, 0.0, 0.0), at_b=(0.0, 0.0, 0.0))
    return m


TIMES, *COLUMNS = table(TABLE)
READS = [point("body", k, what) for what in ("position", "velocity") for k in (1, 2)]

PROBLEM = Problem(
    title="Body on a spring with a damper",
    source=SOURCE.format("TranSpring_Case02"),
    build=build,
    duration=DURATION,
    quantities=spread(published, ("y [m]", "z [m]", "y' [m/s]", "z' [m/s]"), READS, TIMES, COLUMNS, PRINTED),
    rtol=1e-11,
    atol=1e-13,
)
