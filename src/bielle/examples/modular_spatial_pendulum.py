"""Spatial double pendulum of autonomous components in natural coordinates (Seguy 2003, VI.4).

The pendulum is that of :mod:`bielle.examples.spatial_double_pendulum`: a rod on a hinge, a second one on a ball joint, two points and two
unit vectors each. A component solves the twelve coordinates and six internal equations of its own rod; hinge and ball joint act between
components. The thesis sees the end of the first rod leave its plane by 10⁻³ m.

Steps are of second order: halving them divides the error by four, against the central solver and against the reference without rotations
alike. That is what to look at, and that the end of the first rod stays in its plane. If the error is E h² and nothing else, halving the
step changes the result by ¾ E h²; the error is held against that change, times 1.5 for the terms of higher order.
"""

from __future__ import annotations

import numpy as np

import bielle as bl
from bielle.calls import explained
from bielle.results.result import Result
from bielle.solvers.modular import Modular

from . import spatial_double_pendulum
from ._checks import Check, at_least, at_most, conserves, equals, main, swinging
from .spatial_double_pendulum import B1, B2

TITLE = "Spatial double pendulum of autonomous components"
DURATION = spatial_double_pendulum.DURATION
STEP = 1e-3  # [s]


@explained
def build(coordinates: str = "natural") -> bl.Mechanism:
    """The pendulum; ``coordinates`` may also be 'spatial' (centre of mass and quaternion)."""
    return spatial_double_pendulum.build(coordinates)


def solver() -> Modular:
    """Iterated joints."""
    return Modular(step=STEP)


def end(result: Result) -> np.ndarray:
    """(n, 3) end of rod 2 [m]."""
    return result["rod 2"].point(at=B2).position


def check(result: Result) -> list[Check]:
    """Second order against the central solver and the reference; joints closed, no energy lost."""
    time = result.time
    finer = build().simulate(time[-1], Modular(step=STEP / 2), samples=len(time))
    central = build().simulate(time[-1], spatial_double_pendulum.solver(), samples=time)
    reference = spatial_double_pendulum.reference(time)
    errors = {
        name: [np.linalg.norm(end(run) - other, axis=1).max() for run in (result, finer)]
        for name, other in (("the central solver", end(central)), ("the reference", reference))
    }
    change = np.linalg.norm(end(result) - end(finer), axis=1).max()
    rate = float(max(np.linalg.norm(result[rod].angular_velocity, axis=1).max() for rod in ("rod 1", "rod 2")))
    checks = [equals("joints that are iterated", len(result.info["convergence"]["loose"]), 0)]
    for name, (coarse, fine) in errors.items():
        checks += [
            at_most(f"end of rod 2 against {name} [m]", coarse, 1.5 * change / (1.0 - 0.25)),
            at_least(f"order against {name}", np.log2(coarse / fine), 1.9),
        ]
    return [
        *checks,
        at_most("end of rod 1, off its plane [m]", result["rod 1"].point(at=B1).position[:, 2], 10.0 * solver().tolerance),
        *conserves(result, violation=solver().tolerance, energy=swinging(STEP, rate)),
    ]


if __name__ == "__main__":
    main(__name__)
