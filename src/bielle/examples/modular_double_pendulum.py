"""Double pendulum of autonomous components: the first example of the thesis on modular solution (Seguy 2003, VI.2).

The pendulum is that of :mod:`bielle.examples.double_pendulum`: massless rods of 1 m in two-point coordinates, 1 kg at the elbow and at
the tip, one rod level and one hanging, at rest. Each rod is a component that advances itself; a joint knows the two bodies it joins and
nothing else. The thesis lets joints be springs, as stiff as the step allows (``joints="explicit"``): at 10⁻⁴ s its tip cannot be told
from a central solution, at 10⁻³ s it can, and at 10⁻² s the motion is wrong, but stable. Iterated joints are closed at any step.

Both schemes are of second order. Explicit joints add an error of their own, which is of second order too: their stiffness is m ω² with ω
~ 1/h, so that a force F opens a gap F/(m ω²) ~ h². So everything falls by 100 when the step falls by 10, which is what to look at: the
tip against the reference in two angles over 5 s, and the gaps of the joints, explicit ones over 30 s, at three steps. LIMITS are from a
first trial of the two schemes outside the library, its iterations stopped after forty.

What the joints store and damp is lost to the bodies. If the pendulum starts π/10 off the vertical, stretched out, joints have less to do,
and the energy that the bodies have stays within a thousandth for 30 s, explicit joints or not.
"""

from __future__ import annotations

import warnings

import numpy as np

import bielle as bl
from bielle.calls import explained
from bielle.errors import AccuracyWarning
from bielle.results.result import Result
from bielle.solvers.modular import Modular

from . import double_pendulum
from ._checks import Check, at_least, at_most, conserves, main, swinging

TITLE = "Double pendulum of autonomous components, joints iterated or explicit"
DURATION = 5.0
LONG = 30.0  # [s]
GENTLE = (-0.4 * np.pi, -0.4 * np.pi)  # angles of the rods from the horizontal: π/10 from the vertical
STEPS = (1e-2, 1e-3, 1e-4)  # [s]
LIMITS = {  #: error of the tip and largest gap [m] at each step
    "iterated": ((0.1, 2e-4), (5e-4, 1e-6), (1e-6, 1e-9)),
    "explicit": ((0.7, 36e-3), (1.3e-3, 3e-4), (1.3e-5, 3e-6)),
}


@explained
def build() -> bl.Mechanism:
    """The pendulum."""
    return double_pendulum.build()


def solver() -> Modular:
    """Iterated joints, a millisecond."""
    return Modular()


def scheme(joints: str, step: float) -> Modular:
    """One of the two schemes as it is; no bodies are merged on the way."""
    return Modular(joints, step=step, merge=())


def tip_error(result: Result) -> float:
    """Largest distance of the tip from the reference in the first 5 s [m]."""
    first = result.time <= DURATION * (1.0 + 1e-9)
    return float(np.linalg.norm(double_pendulum.tip(result)[first] - double_pendulum.reference(result.time[first])[0], axis=1).max())


def gap(result: Result) -> float:
    """Largest gap of a joint in all steps [m]."""
    return max(result.info["convergence"]["gap"].values())


def rate(result: Result) -> float:
    """Largest angular velocity [rad/s]."""
    return float(max(np.abs(result[rod].angular_velocity).max() for rod in ("upper", "lower")))


def check(result: Result) -> list[Check]:
    """The run, and both schemes at three steps."""
    checks = [
        at_most("tip against the reference [m]", tip_error(result), LIMITS["iterated"][1][0]),
        *conserves(result, violation=solver().tolerance, energy=swinging(solver().step, rate(result))),
    ]
    for joints, limits in LIMITS.items():
        errors, duration = [], LONG if joints == "explicit" else DURATION
        for step, (tip, open_) in zip(STEPS, limits):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", AccuracyWarning)  # of explicit joints in the longest steps
                run = build().simulate(duration, scheme(joints, step), samples=round(duration / STEPS[0]) + 1)
            errors.append(tip_error(run))
            gained = max(0.0, (run.energy.mechanical - run.energy.mechanical[0]).max()) / run.energy.scale
            about = f"{joints}, step {step:g} s"
            checks += [
                at_most(f"{about}, tip in 5 s [m]", errors[-1], tip),
                at_most(f"{about}, gap in {duration:g} s [m]", gap(run), open_),
                at_most(f"{about}, energy gained in {duration:g} s, relative", gained, swinging(step, rate(run))),
            ]
        orders = np.log10(errors[:-1]) - np.log10(errors[1:])
        small = orders if joints == "iterated" else orders[1:]  # gaps of a centimetre are not
        checks.append(at_least(f"{joints}, order", small, 1.9))
        gentle = double_pendulum.build(angles=GENTLE).simulate(LONG, scheme(joints, 1e-3))
        change = (gentle.energy.mechanical - gentle.energy.mechanical[0]) / gentle.energy.scale
        checks.append(at_most(f"{joints}, from π/10, change of the bodies' energy in {LONG:g} s", change, 1e-3))
    return checks


if __name__ == "__main__":
    main(__name__)
