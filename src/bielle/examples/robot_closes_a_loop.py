"""Robot that loses its forearm, gets it back, and takes hold of a rail: a tree, two trees, a tree, a loop, in one run.

The arm of :mod:`bielle.examples.robot_arm`, read from a URDF file, is thrown with its motors off and advanced in joint coordinates,
``bl.Recursive()``. Then

    the elbow is cut        the forearm flies on as a free body, the rest swings on; a link has become a tree of its own
    the elbow is joined     gently, across the gap that has opened meanwhile: until it is closed, the joint closes a loop
    the hand grips a rail   a straight wire through the place where the hand is at the moment; its motion across the wire is stopped
                            gently, and from then on arm and ground are a closed loop with one degree of freedom

Joint coordinates are read off the bodies at every step, so that an edit need not know about them; which joint closes a loop, and which
body hangs on which, is found anew each time.

Nothing but gravity acts on the forearm in flight: its centre describes a parabola, and its angular momentum about it is constant. A cut
does no work, and what closings do is booked, so that the energy balance closes from beginning to end. A cut can be taken back: a session
in which that was done goes on with the same bits as one in which nothing happened. And the arm on its rail moves as the central
solver says, which knows no trees: it starts from ``live.describe()``.
"""

from __future__ import annotations

import numpy as np

import bielle as bl
from bielle.calls import explained
from bielle.live.session import LiveSession
from bielle.results.timeline import Timeline
from bielle.solvers.central import Central
from bielle.solvers.recursive import Recursive

from . import robot_arm
from ._checks import Check, at_most, conserves, equals, main, moments

TITLE = "Robot arm that is cut, joined again, and takes hold of a rail"
CUT, JOINED, GRIPPED, DURATION = 0.25, 0.45, 1.3, 3.0  # [s]
STOPPED = 0.2  # how long the hand takes to come to rest across the rail [s]
HAND = (robot_arm.B, 0.0, 0.0)  # in the frame of the forearm
RAIL = "y"
OWN_AXES = (1.0, 0.0, 0.0, 0.0)  # the axis of the elbow is one of the bodies, wherever these point at the time


@explained
def build() -> bl.Mechanism:
    """The arm of the file, thrown."""
    return robot_arm.build()


def solver() -> Recursive:
    """In joint coordinates."""
    return Recursive()


def play(live: LiveSession) -> None:
    """Cut, join, grip."""
    until_gripped(live)
    live.advance_to(DURATION)


def until_gripped(live: LiveSession) -> None:
    """To the moment when the hand is on its rail and at rest across it."""
    live.advance_to(CUT)
    live.remove("elbow")
    live.advance_to(JOINED)
    upper, lower = (robot_arm.A, 0.0, 0.0), (0.0, 0.0, 0.0)  # the places of the elbow, in the frames of the two
    live.add_joint("elbow", bl.Revolute(axis="y"), "upper", "lower", at_a=upper, at_b=lower, axes_a=OWN_AXES, axes_b=OWN_AXES)
    live.settle()
    live.advance_to(GRIPPED)
    hand = live["lower"].point(HAND).position
    live.add_joint("grip", bl.PointOnLine(axis=RAIL), "ground", "lower", at_a=hand, at_b=HAND, over=STOPPED)
    live.settle()


def undone() -> bool:
    """Whether a session in which the elbow was cut and the cut undone goes on bit for bit as one in which nothing happened."""
    straight, edited = build().live(solver()), build().live(solver())
    for live in (straight, edited):
        live.advance_to(CUT)
    edited.remove("elbow")
    edited.advance(0.2)
    edited.undo()  # back to CUT
    for live in (straight, edited):
        live.advance_to(2 * CUT)
    return all(x.tobytes() == y.tobytes() for x, y in ((straight.state.q, edited.state.q), (straight.state.v, edited.state.v)))


def by_central(time: np.ndarray) -> np.ndarray:
    """The hand (n, 3) [m] from when it is on its rail on, by another solver."""
    live = build().live(solver())
    until_gripped(live)
    run = live.describe().simulate(time[-1] - live.time, Central(rtol=1e-10, atol=1e-12), samples=time - live.time)
    return run["lower"].point(HAND).position


def spin(result: Timeline, span: slice) -> np.ndarray:
    """Angular momentum (n, 3) of the forearm about its centre [N m s]."""
    inertia, rotation = result.mechanism.bodies["lower"].shape.mass_properties().inertia, result["lower"].rotation[span]
    return np.einsum("nij,jk,nlk,nl->ni", rotation, inertia, rotation, result["lower"].angular_velocity[span])


def check(result: Timeline) -> list[Check]:
    """The forearm in flight, the hand on its rail, freedom, energy, and what is undone is undone."""
    flight, rail = moments(result, CUT, JOINED), moments(result, GRIPPED + STOPPED, DURATION)
    time, centre = result.time[flight, None] - CUT, result["lower"].centre
    position, momentum = centre.position[flight], spin(result, flight)
    parabola = position[0] + centre.velocity[flight][0] * time + 0.5 * np.array(result.mechanism.gravity) * time**2
    velocity = np.hstack([result[body].velocity for body in result.mechanism.bodies])
    jumps = [velocity[span.start] - velocity[span.start - 1] for span in result.spans[1:]]
    hand = result["lower"].point(HAND).position[rail]
    freedom = [segment.mechanism.report().degrees_of_freedom for segment in result.segments]
    return [
        equals("degrees of freedom of the arm", freedom[0], 3),
        equals("degrees of freedom when it is cut", freedom[1], 2 + 6),
        equals("degrees of freedom on the rail", freedom[-1], 1),
        at_most("jump of a velocity at an edit [m/s]", jumps, 0.0),
        at_most("forearm in flight, off its parabola [m]", position - parabola, 1e-9),
        at_most("its angular momentum, change, relative", (momentum - momentum[0]) / np.linalg.norm(momentum[0]), 1e-9),
        at_most("hand, off its rail [m]", (hand - hand[0])[:, [0, 2]], 1e-9),
        at_most("hand on its rail, off the central solver [m]", hand - by_central(result.time[rail]), 1e-7),
        equals("undo, then going on, gives the bits of a run without the cut", undone(), True),
        *conserves(result, violation=1e-9, energy=1e-8),
    ]


if __name__ == "__main__":
    main(__name__)
