"""A pair of black boxes: two teams have half a double pendulum each, and none shows the other more than the point where they meet.

It is the pendulum of :mod:`bielle.examples.double_pendulum`, cut at the elbow. The upper half is the mechanism of this process. The lower
half is simulated by another one, started as ``python -m bielle.examples.black_box_pair right``, and known here by two ports only: 'top',
where it is joined, and 'tip', which nobody holds, so that one can see where it goes. Nothing but positions, velocities and forces of these
points passes between the two.

Over every step of the glue the force at the elbow is a straight line, found so that both halves are in the same place, with the same
velocity, when the step is over. The component of the force that a straight line leaves out is orthogonal to straight lines, which makes the
method one of fourth order (:mod:`bielle.gluing`); the integrators of the halves are far more precise. Look at the tip: it is where the
whole pendulum has it, although the whole is nowhere.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable

import numpy as np

import bielle as bl
from bielle.calls import explained
from bielle.errors import SimulationError
from bielle.gluing import GlueResult, serve
from bielle.results.result import Result

from . import double_pendulum
from ._checks import Check, at_most, conserves, equals, main

TITLE = "Double pendulum in two halves that do not know each other"
DURATION = 5.0
STEP = 0.01  # of the glue [s]
TOLERANCE = 1e-10  # gap at the end of a step [m]
ELBOW, TIP = (1.0, 0.0), (1.0, -1.0)  # at the start


@explained
def build() -> bl.Mechanism:
    """The half of this process, without the other."""
    m = double_pendulum.build()
    m.name = "upper half"
    m.remove("elbow")
    m.remove("lower")
    return m


@explained
def build_right() -> bl.Mechanism:
    """The half of the other process."""
    m = double_pendulum.build()
    m.name = "lower half"
    for component in ("elbow", "pivot", "upper"):
        m.remove(component)
    return m


def solver() -> None:
    """The default solver, in both halves."""


def run(
    mechanism: bl.Mechanism,
    duration: float,
    solver: bl.Central | None = None,
    *,
    samples: int = 501,
    progress: bool | Callable[[float], None] = False,
) -> Result:
    """Glue the upper half to the lower one; the result is that of the upper half, and what is known of the joint is in its ``info``."""
    left = bl.Part(mechanism, {"end": ("upper", ELBOW)}, solver=solver, record=duration / (samples - 1))
    right = bl.Remote([sys.executable, "-m", __spec__.name, "right"])
    with bl.Glue(STEP, tolerance=TOLERANCE) as glue:
        glue.add("left", left)
        glue.add("right", right)
        glue.join("elbow", ("left", "end"), ("right", "top"))
        try:
            glued = glue.simulate(duration, samples=samples, progress=progress)
        except SimulationError as error:
            error.result = None if error.result is None else _of_left(error.result)
            raise
    result = _of_left(glued)
    result.info["glue"] |= {"right has ended": not right.running}
    return result


def _of_left(glued: GlueResult) -> Result:
    result = glued["left"]
    result.info["status"] = glued.status
    if len(glued):
        result.info["glue"] = {
            "time": glued.time,
            "tip": glued.port("right", "tip").position,
            "force": glued["elbow"].force(on="right"),
            "gap": float(glued["elbow"].gap.max()),
            "iterations": float(glued.iterations.mean()),
        }
    return result


def check(result: Result) -> list[Check]:
    """The tip is where the reference has it, and the elbow carries what that of the whole pendulum carries.

    A motion that turns at ω, with a force that is straight over steps of h, leaves out terms from (ωh)⁵/5! of a radius on. There are T/h
    of them, each moved on by the flow. The force, which turns twice as fast, is of fourth order too, (2ωh)⁴ of its size, but in the first
    and the last sample. Two coordinates within the tolerance each are √2 tolerances apart at most.
    """
    glue, whole = result.info["glue"], double_pendulum.build().simulate(DURATION, samples=len(result.info["glue"]["time"]))
    rate = max(float(np.abs(whole[body].angular_velocity).max()) for body in ("upper", "lower"))
    left_out = DURATION * rate * (rate * STEP) ** 4 / math.factorial(5)
    tip = np.linalg.norm(glue["tip"] - double_pendulum.reference(glue["time"])[0], axis=1)
    force = whole["elbow"].force(on="lower")
    error = np.linalg.norm(glue["force"] - force, axis=1)[1:-1]
    return [
        at_most("tip against the reference [m]", tip, double_pendulum.amplification() * left_out),
        at_most("force in the elbow against that of the whole [N]", error, (2 * rate * STEP) ** 4 * float(np.abs(force).max())),
        at_most("gap at the elbow [m]", glue["gap"], math.sqrt(2) * TOLERANCE),
        *conserves(result, violation=1e-9, energy=1e-9 * DURATION / STEP),
        equals("the other process has ended", int(glue["right has ended"]), 1),
    ]


def serve_right() -> None:
    """What the other process does."""
    serve(bl.Part(build_right(), {"top": ("lower", ELBOW), "tip": ("lower", TIP)}))


if __name__ == "__main__":
    if sys.argv[1:] == ["right"]:
        serve_right()
    else:
        main(__name__)
