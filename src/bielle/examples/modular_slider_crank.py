"""Slider-crank of autonomous components: a closed loop that passes singular positions (Seguy 2003, VI.3.1).

The mechanism is that of :mod:`bielle.examples.slider_crank`: the double pendulum of the thesis with its tip on the line y = 0. Crank and
rod are components; pivot and knee make a tree of them, and the slot closes the loop. So each step finds one force by iteration, that of
the slot, and takes the other joints in a sweep. When the rods lie on each other the slot has no force to give: its inverse mass, seen
through the components, vanishes. With ``merge="loops"`` ground, crank and rod become one component with a central solution inside.

The thesis sees the slider off its line by about 10⁻⁵ m. Iterated joints are closed to their tolerance, also there. What the singular
position costs is accuracy of the motion: near it a small force means a large multiplier. The slider is held against the equation in one
angle; its error is that of second-order steps, compared with half the step.
"""

from __future__ import annotations

import numpy as np

import bielle as bl
from bielle.calls import explained
from bielle.results.result import Result
from bielle.solvers.modular import Modular

from . import slider_crank
from ._checks import Check, at_least, at_most, conserves, equals, main, swinging

TITLE = "Slider-crank of autonomous components, passing folded"
DURATION = slider_crank.DURATION


@explained
def build() -> bl.Mechanism:
    """The mechanism."""
    return slider_crank.build()


def solver() -> Modular:
    """Iterated joints, a millisecond; the slot closes the loop."""
    return Modular()


def slider(result: Result) -> np.ndarray:
    """(n, 2) the slider's place [m]."""
    return result["rod"].point((1.0, 0.0)).position


def check(result: Result) -> list[Check]:
    """Both ways to treat the loop: nothing opens, no energy is lost, the slider stays with the reference.

    A relative error ε of the energy is one of |θ'| t ε of the slider's place, as in :mod:`bielle.examples.slider_crank`.
    """
    angle, rate = slider_crank.reference(result.time)
    fastest, tolerance = float(np.abs(rate).max()), solver().tolerance
    energy = swinging(solver().step, fastest)
    checks = [
        at_least("passages through the singular position", np.abs(np.diff(angle < -np.pi / 2)).sum(), 8),
        equals("joints that are iterated", len(result.info["convergence"]["loose"]), 1),
    ]
    merged = build().simulate(DURATION, Modular(merge="loops"))
    for run, name in ((result, "in a sweep"), (merged, "loop merged")):
        off = [
            at_most("gap of a joint in all steps [m]", max(run.info["convergence"]["gap"].values()), tolerance),
            at_most("slider off its line [m]", slider(run)[:, 1], 2.0 * tolerance),
            *conserves(run, violation=tolerance, energy=energy),
            at_most("slider against the reference [m]", slider(run)[:, 0] - 2 * np.cos(angle), fastest * DURATION * energy),
            equals("steps whose gaps stayed open", run.info["convergence"]["open_steps"], 0),
        ]
        checks += [Check(f"{name}: {check.name}", check.value, check.limit, check.ok) for check in off]
    return checks


if __name__ == "__main__":
    main(__name__)
