"""Modular robot: six boxes that let go of one another and couple again in another order, floating in space.

The modules a … f are joined by hinges with motors. While the simulation runs they become, one after the other,

    a snake     a-b-c-d-e-f, stretched
    a ring      all hinges turn by nearly 60°, and f docks to a
    a snake     c and d let go: d-e-f-a-b-c stretches, another order than before
    a star      its tail folds into a square, c docks to e, a and b let go: three legs of two modules each
    a tripod    the outer hinges are taken off and put on again a quarter turn further, and the feet bend out of the plane

The motors stop short of where two modules meet. ``live.add_joint`` closes the gap along a smooth ramp, and its work is booked under the
name of the joint. In the closed ring six parallel hinges say three things once too often, which is no trouble. Between edits the motors get
new targets by ``live.set(motor, target=…)``.

Nothing acts on the robot from outside; motors, joints and closings act between its parts. So through all changes of its shape its linear
and angular momentum must stay what they were: here those of a slow drift and tumble.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

import bielle as bl
from bielle.calls import explained
from bielle.live.session import LiveSession
from bielle.results.timeline import Timeline

from ._checks import Check, at_most, conserves, eased, equals, main

TITLE = "Modular robot that couples itself in another order"
DURATION = 16.5
MODULES, MASS, REACH = "abcdef", 1.5, 0.2  # REACH: from the centre of a module to its hinges [m]
FRONT, BACK = (REACH, 0.0, 0.0), (-REACH, 0.0, 0.0)  # these hinges, in the frame of the module
DRIFT, TUMBLE = np.array([0.01, 0.0, 0.02]), np.array([0.02, 0.02, 0.004])  # [m/s, rad/s]
STIFFNESS, DAMPING = 60.0, 15.0  # of the motors [N·m/rad, N·m·s/rad]
TURN, PAUSE = 2.2, 0.6  # [s] a change of shape, and the rest after it
IN_PLANE, ACROSS = "y", "z"  # axes of a hinge: the shape stays flat, or leaves the plane
OWN_AXES = (1.0, 0.0, 0.0, 0.0)  # they are axes of the modules, wherever these point at the time


@explained
def build() -> bl.Mechanism:
    """The snake along x, stretched; drifting and tumbling slowly."""
    m = bl.Mechanism(gravity=(0.0, 0.0, 0.0), name="modular robot")
    for k, module in enumerate(MODULES):
        place = np.array([(2 * k + 1 - len(MODULES)) * REACH, 0.0, 0.0])
        m.add_body(
            module,
            bl.box((0.36, 0.24, 0.24), mass=MASS),
            position=place,
            velocity=DRIFT + np.cross(TUMBLE, place),
            angular_velocity=TUMBLE,
        )
    for a, b in pairwise(MODULES):
        couple(m, a, b, bl.Revolute(axis=IN_PLANE))
    return m


def couple(where: bl.Mechanism | LiveSession, a: str, b: str, kind: Any, at_b: tuple[float, ...] = BACK, angle: float = 0.0) -> None:
    """A joint named a-b, between the front of a and a place of b, and a motor in it that holds ``angle`` [rad]."""
    where.add_joint(f"{a}-{b}", kind, a, b, at_a=FRONT, at_b=at_b, axes_a=OWN_AXES, axes_b=OWN_AXES)
    where.add_force(f"motor {a}-{b}", bl.Motor(target=angle, stiffness=STIFFNESS, damping=DAMPING), joint=f"{a}-{b}")


def solver() -> None:
    """The default solver."""


def play(live: LiveSession) -> None:
    """Snake, ring, snake, star, tripod."""
    live.advance(PAUSE)
    bend(live, "ring", dict.fromkeys(("a-b", "b-c", "c-d", "d-e", "e-f"), 58))
    dock(live, "f", "a", angle=np.pi / 3)
    live.remove("c-d", dependants=True)  # its motor goes too
    bend(live, "stretch", dict.fromkeys(("d-e", "e-f", "f-a", "a-b", "b-c"), 0))
    bend(live, "square", dict.fromkeys(("f-a", "a-b", "b-c"), 88))
    dock(live, "e", "c", at_b=FRONT, angle=-np.pi / 2)
    live.remove("a-b", dependants=True)
    bend(live, "star", {"e-f": -60, "f-a": 0, "e-c": -120, "b-c": 0})
    with live.edit("turn outer hinges"):
        for a, b in ("de", "fa", "bc"):
            live.remove(f"{a}-{b}", dependants=True)
            couple(live, a, b, bl.Revolute(axis=ACROSS))
    bend(live, "tripod", dict.fromkeys(("d-e", "f-a", "b-c"), 60))
    live.advance_to(DURATION)


def bend(live: LiveSession, label: str, degrees: dict[str, float]) -> None:
    """Let the motors turn their hinges to other angles, smoothly, and wait until all is still."""
    part = np.linspace(0.0, 1.0, 51)
    times = tuple(live.time + TURN * part)
    with live.edit(label):
        for hinge, angle in degrees.items():
            now = live[hinge].angle
            live.set(f"motor {hinge}", target=bl.Table(x=times, y=tuple(now + eased(part) * (np.radians(angle) - now))))
    live.advance(TURN + PAUSE)


def dock(live: LiveSession, a: str, b: str, **options: Any) -> None:
    """Join two modules that are near each other, and wait until the gap is closed."""
    with live.edit(f"dock {a}-{b}"):
        couple(live, a, b, bl.Revolute(axis=IN_PLANE), **options)
    live.settle()
    live.advance(PAUSE)


def momentum(result: Timeline) -> tuple[np.ndarray, np.ndarray]:
    """Linear momentum, and angular momentum about the origin, of the whole robot (n, 3)."""
    linear, angular = np.zeros((len(result), 3)), np.zeros((len(result), 3))
    for module in MODULES:
        body = result[module]
        inertia = result.mechanism.bodies[module].shape.mass_properties().inertia
        linear += MASS * body.velocity
        angular += np.cross(body.position, MASS * body.velocity)
        angular += np.einsum("nij,jk,nlk,nl->ni", body.rotation, inertia, body.rotation, body.angular_velocity)
    return linear, angular


def check(result: Timeline) -> list[Check]:
    """Momentum and energy through all shapes, gaps that were closed, and the shape at the end."""
    linear, angular = momentum(result)
    bustle = max(np.linalg.norm(result[module].velocity, axis=1).max() for module in MODULES) * MASS * len(MODULES)
    end = result.segments[-1]
    feet = np.array([end[module].point(place).position[-1] for module, place in (("d", BACK), ("a", FRONT), ("b", BACK))])
    sides = np.linalg.norm(feet - np.roll(feet, 1, axis=0), axis=1)
    leg = 2 * REACH + 2 * REACH * np.cos(np.radians(60))  # from the hub to a foot, along the plane of the star
    work = result.energy.closings
    return [
        equals("hinges at the end between modules that were not coupled at the start", len({*end.mechanism.joints} - {*build().joints}), 2),
        at_most("change of the linear momentum, relative to Σ m v", (linear - linear[0]) / bustle, 1e-9),
        at_most("change of the angular momentum, relative to Σ m v · 1 m", (angular - angular[0]) / bustle, 1e-9),
        at_most("sides of the triangle between the feet, off √3 legs [m]", sides - np.sqrt(3) * leg, 1e-3),
        equals("gaps that took work to close", sum(abs(work[joint][-1]) > 1e-4 for joint in ("f-a", "e-c")), 2),
        *conserves(result, violation=1e-9, energy=1e-7),
    ]


if __name__ == "__main__":
    main(__name__)
