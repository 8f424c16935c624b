"""A body on a hinge with a torsion spring and a damper (ADAMS, RotSpring_Case01).

Hinge at the origin about y, centre of the body at (2, 0, 0) m, 0.1 kg·m² about the hinge's direction; 200 N·m/rad and 10 N·m·s/rad, free
as it starts: (0.1 + 4) θ'' = 2 g cos θ − 200 θ − 10 θ'.

Source: Project Chrono, data/testing/joints, RotSpring_Case01 (curves of ADAMS).
"""

from __future__ import annotations

import numpy as np

import bielle as bl
from bielle.calls import explained

from ._adams import DURATION, GRAVITY, INERTIA, PRINTED, SOURCE, mechanism
from ._problem import Problem, converged, point, published, spread, table

# t | x, z
TABLE = """
   0.5 +1.97729 -0.300513 | 1.0 +1.99492 -0.142445 | 1.5 +1.98812 -0.21767 | 2.0 +1.99126 -0.18677
   2.5 +1.99032 -0.196541 | 3.0 +1.99041 -0.195577 | 4.0 +1.99038 -0.195926 | 5.0 +1.99044 -0.195325
"""


@explained
def build() -> bl.Mechanism:
    """The body, its hinge and its spring."""
    m = mechanism("body on a torsion spring", (2.0, 0.0, 0.0), orientation=bl.rotation("x", -np.pi / 2))
    m.add_joint("hinge", bl.Revolute(axis="y"), m.ground, "body", at=(0.0, 0.0, 0.0))
    m.add_force("spring", bl.TorsionSpring(stiffness=200.0, damping=10.0), joint="hinge")
    return m


def exact(time: np.ndarray) -> np.ndarray:
    """x and z (2, n) [m] from the equation in θ."""
    from scipy.integrate import solve_ivp

    def rates(_: float, y: np.ndarray) -> list[float]:
        return [y[1], (2.0 * -GRAVITY[2] * np.cos(y[0]) - 200.0 * y[0] - 10.0 * y[1]) / (INERTIA[2] + 4.0)]

    theta = solve_ivp(rates, (0.0, time[-1]), (0.0, 0.0), "DOP853", time, rtol=1e-13, atol=1e-15).y[0]
    return np.stack([2.0 * np.cos(theta), -2.0 * np.sin(theta)])


TIMES, *COLUMNS = table(TABLE)
NAMES, READS = ("x [m]", "z [m]"), (point("body", 0), point("body", 2))
OFF = 1.5e-6  # [m]; ADAMS is off the equation in θ by up to 1.2e-6, at 0.5 s

PROBLEM = Problem(
    title="Body on a torsion spring with a damper",
    source=SOURCE.format("RotSpring_Case01"),
    build=build,
    duration=DURATION,
    quantities=(
        *spread(converged, [f"{n}, exact" for n in NAMES], READS, TIMES, exact(TIMES), 1e-9, "the equation in θ, 1e-13"),
        *spread(published, NAMES, READS, TIMES, COLUMNS, f"{PRINTED}; ADAMS is off the equation in θ by 1.2e-6", least=OFF),
    ),
    rtol=1e-11,
    atol=1e-13,
)
