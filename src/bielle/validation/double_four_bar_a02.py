"""Two four-bar linkages in a row: benchmark A02 with N = 2, as most programs show it.

The mechanism and its equation are those of :mod:`bielle.validation.n_four_bar_a02`. Published are numbers of generalised-alpha with
halved steps; their extrapolation (second order) is what is compared here, beside the equation itself.

Source: Exudyn, TestModels/fourBarMechanismIftomm.py (comments).
"""

from __future__ import annotations

import numpy as np

import bielle as bl
from bielle.calls import explained

from . import n_four_bar_a02 as row
from ._problem import Problem, converged, spread

FINE, FINEST = (0.3284552113, 0.9445195467, 1.423045728, -0.4948619021), (0.3284573768, 0.9445187937, 1.423050003, -0.4948670827)
EXTRAPOLATED = [fine + 4.0 / 3.0 * (finest - fine) for fine, finest in zip(FINE, FINEST)]  # steps of 0.25 and 0.125 ms


@explained
def build() -> bl.Mechanism:
    """Two windows."""
    return row.build(2)


TIMES = np.array([1.0, 5.0, 10.0])
EXACT = row.exact(2, TIMES)
# An error ε of the energy is one of ½ ε (p'max/p'min)² of the speed where it is least, and moves the bars by p' t times that.
FASTEST = np.sqrt(1.0 + 4.0 * row.GRAVITY * 3.5 / 3.0)  # p'max [1/s]; the least is 1
LIMIT = FASTEST * row.DURATION * 0.5 * 1e-10 * FASTEST**2  # 1.6e-7 m
WHY = "the equation in p: what an energy error of 1e-10, a hundred times the tolerance of a step, makes of it"

PROBLEM = Problem(
    title="Double four-bar mechanism (A02), N = 2",
    source="Exudyn, TestModels/fourBarMechanismIftomm.py",
    build=build,
    duration=row.DURATION,
    quantities=(
        *spread(converged, [f"{n}, exact" for n in row.NAMES[:2]], row.B0, TIMES, EXACT, LIMIT, WHY),
        *spread(converged, [f"{n}, exact" for n in row.NAMES[2:]], row.B0[2:], TIMES, EXACT[2:], FASTEST * LIMIT, WHY),
        *spread(converged, row.NAMES, row.B0, row.DURATION, EXTRAPOLATED, 2e-7, "seven digits remain after extrapolation"),
        row.energy(1e-6),
    ),
)
