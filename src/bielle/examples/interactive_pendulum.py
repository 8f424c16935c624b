"""Interactive pendulum: a double pendulum that is taken apart while it swings.

Two thin rods start level and at rest. While they swing, the elbow is cut: the lower rod flies off, and from then on only gravity acts on
it, so that its centre describes a parabola and its spin stays what it was. The upper rod goes on as a single pendulum with the equation
θ'' = −(3 g/2 ℓ) cos θ. Then the pivot is cut as well, and the upper rod falls.

A cut is one line, ``live.remove("elbow")``. Velocities stay as they are, so it does no work: the energy of all that swings and flies is
constant from the beginning to the end. An edit can be undone, time included: :func:`undone` cuts the elbow, waits, takes the cut back, and
has every bit of the state again, so that the pendulum goes on as if it had never been cut.
"""

from __future__ import annotations

import numpy as np
from scipy.integrate import solve_ivp

import bielle as bl
from bielle.calls import explained
from bielle.live.session import LiveSession
from bielle.results.timeline import Timeline

from ._checks import Check, at_most, conserves, equals, flies_freely, main, moments

TITLE = "Double pendulum that is cut while it swings, and undone"
DURATION = 1.85
ELBOW_CUT, PIVOT_CUT = 0.75, 1.4  # [s]
GRAVITY, LENGTH = 9.81, 1.0


@explained
def build() -> bl.Mechanism:
    """Two rods, level and at rest."""
    m = bl.Mechanism(gravity=(0.0, -GRAVITY), plane="xy", name="interactive pendulum")
    m.add_body("upper", bl.rod((0.0, 0.0), (LENGTH, 0.0), mass=1.0))
    m.add_body("lower", bl.rod((LENGTH, 0.0), (2 * LENGTH, 0.0), mass=1.0))
    m.add_joint("pivot", bl.Pin(), m.ground, "upper", at=(0.0, 0.0))
    m.add_joint("elbow", bl.Pin(), "upper", "lower", at=(LENGTH, 0.0))
    return m


def solver() -> None:
    """The default solver."""


def play(live: LiveSession) -> None:
    """Swing, cut, swing, cut, fall."""
    live.advance_to(ELBOW_CUT)
    live.remove("elbow")
    live.advance_to(PIVOT_CUT)
    live.remove("pivot")
    live.advance_to(DURATION)


def undone() -> bool:
    """Whether a session in which the elbow was cut and the cut undone goes on bit for bit as one in which nothing happened."""
    straight, edited = build().live(solver()), build().live(solver())
    for live in (straight, edited):
        live.advance_to(ELBOW_CUT)
    edited.remove("elbow")
    edited.advance(0.3)
    edited.undo()  # back to ELBOW_CUT
    for live in (straight, edited):
        live.advance_to(DURATION)
    return "elbow" in edited.mechanism.joints and _bits(straight) == _bits(edited)


def _bits(live: LiveSession) -> list[bytes]:
    state = live.state
    return [np.asarray(x).tobytes() for x in (state.time, state.q, state.v, state.work, state.lam, state.memory)]


def _single_pendulum(start: np.ndarray, time: np.ndarray) -> np.ndarray:
    """Angle and rate (2, n) of the upper rod alone."""

    def rates(_, y):
        return [y[1], -1.5 * GRAVITY / LENGTH * np.cos(y[0])]

    return solve_ivp(rates, (time[0], time[-1]), start, method="DOP853", rtol=1e-13, atol=1e-14, t_eval=time).y


def check(result: Timeline) -> list[Check]:
    """What flies, flies as it must, what swings, swings as it must, and what is undone is undone."""
    swing, upper = moments(result, ELBOW_CUT, PIVOT_CUT), result["upper"]
    motion = np.stack([upper.angle[swing], upper.angular_velocity[swing]])
    return [
        *flies_freely(result, "lower", ELBOW_CUT, DURATION),
        *flies_freely(result, "upper", PIVOT_CUT, DURATION),
        at_most("upper rod alone, off the single pendulum [rad]", motion - _single_pendulum(motion[:, 0], result.time[swing]), 1e-7),
        equals("undo, then going on, gives the bits of a run without the cut", undone(), True),
        *conserves(result, violation=1e-9, energy=1e-8),
    ]


if __name__ == "__main__":
    main(__name__)
