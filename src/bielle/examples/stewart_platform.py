"""Stewart platform: a table on six legs that push and pull, the mechanism of flight simulators.

Each leg is a cylinder on a universal joint, a rod that slides in it, and a ball joint under the table; in the slide works a linear
motor. Thirteen bodies, eighteen joints, six degrees of freedom, one for each motor, and nothing said twice. Legs of which five close
loops: in joint coordinates, ``bl.Recursive()``, the table hangs on the first leg and the balls of the other five are kept together by
their reactions.

The table is to heave, roll and pitch along a plan; what each leg has to be long for that is a distance between two points, and these
lengths are the targets of the motors, as tables over time. Motors are springs and dampers, and so the table follows a little behind.

The motion is checked against that of the central solver, which knows nothing of trees or joint coordinates. Reactions are checked against
the laws of Newton and Euler for the table, in which nothing but the forces of the six balls and the weight may appear,

    Σ f = m (a − g),        Σ (p − x) × f = I α + ω × I ω,

and the lengths of the legs against the positions of the table.
"""

from __future__ import annotations

from typing import Any

import numpy as np

import bielle as bl
from bielle.calls import explained
from bielle.results.result import Result
from bielle.solvers.central import Central
from bielle.solvers.recursive import Recursive

from ._checks import Check, accumulated, at_most, conserves, equals, main

TITLE = "Stewart platform, six legs with motors"
DURATION = 2.0
GRAVITY = np.array([0.0, 0.0, -9.81])
HEIGHT, BASE, TOP = 1.0, 1.0, 0.5  # of the table; radii of the circles of feet and of heads [m]
SIZE, MASS = (0.8, 0.8, 0.06), 20.0  # of the table [m, kg]
STIFFNESS, DAMPING = 4e4, 800.0  # of the motors [N/m, N s/m]
HEAVE, TILT = 0.12, 0.25  # of the plan [m, rad]
LEGS = range(6)


def _circle(radius: float, apart: float, height: float) -> np.ndarray:
    """Six points (6, 3) on a circle, in pairs that are 2 · apart [rad] from each other."""
    angles = np.array([2 * np.pi / 3 * (k // 2) + (apart if k % 2 else -apart) for k in LEGS])
    return np.column_stack([radius * np.cos(angles), radius * np.sin(angles), np.full(6, height)])


FEET = _circle(BASE, 0.2, 0.0)
HEADS = _circle(TOP, np.pi / 3 - 0.2, 0.0)  # in the frame of the table


def lengths(position: np.ndarray, rotation: np.ndarray) -> np.ndarray:
    """Of the legs (n, 6) [m], for positions (n, 3) and rotations (n, 3, 3) of the table."""
    return np.linalg.norm(position[:, None] + np.einsum("nij,kj->nki", rotation, HEADS) - FEET, axis=2)


def plan(time: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Positions and rotations of the table that are wanted; it sets off gently."""
    start = 1.0 - np.exp(-((3.0 * time) ** 3))
    position = np.column_stack([0.0 * time, 0.0 * time, HEIGHT + HEAVE * start * np.sin(5.0 * time)])
    roll, pitch = TILT * start * np.sin(4.0 * time), TILT * start * np.sin(6.0 * time)
    c, s, d, t, zero = np.cos(roll), np.sin(roll), np.cos(pitch), np.sin(pitch), 0.0 * time
    rotation = np.array([[d, zero, t], [s * t, c, -s * d], [-c * t, s, c * d]])  # about x, then about y
    return position, np.moveaxis(rotation, 2, 0)


@explained
def build() -> bl.Mechanism:
    """The table at rest, level."""
    m = bl.Mechanism(gravity=tuple(GRAVITY), name="Stewart platform")
    m.add_body("table", bl.box(SIZE, mass=MASS), position=(0.0, 0.0, HEIGHT), color="#5b6675")
    time = np.linspace(0.0, DURATION, 201)
    targets = lengths(*plan(time))
    for k, (foot, head) in enumerate(zip(FEET, HEADS + np.array([0.0, 0.0, HEIGHT]))):
        along = (head - foot) / np.linalg.norm(head - foot)
        across = np.cross(along, (0.0, 0.0, 1.0))
        axes: dict[str, Any] = {"axis_a": across, "axis_b": np.cross(along, across)}
        middle = 0.5 * (foot + head)
        m.add_body(f"cylinder {k}", bl.rod(foot, middle, mass=2.0, radius=0.035), color="#2f6db3")
        m.add_body(f"rod {k}", bl.rod(foot + 0.4 * (head - foot), head, mass=1.0, radius=0.02), color="#c8553d")
        m.add_joint(f"foot {k}", bl.Universal(**axes), m.ground, f"cylinder {k}", at=foot)
        m.add_joint(f"slide {k}", bl.Prismatic(axis=along), f"cylinder {k}", f"rod {k}", at=middle)
        m.add_joint(f"head {k}", bl.Spherical(), f"rod {k}", "table", at=head)
        target = bl.Table(x=tuple(time), y=tuple(targets[:, k] - targets[0, k]))
        m.add_force(f"motor {k}", bl.LinearMotor(target=target, stiffness=STIFFNESS, damping=DAMPING), joint=f"slide {k}")
    return m


def solver() -> Recursive:
    """In joint coordinates."""
    return Recursive()


def newton_euler(result: Result) -> tuple[np.ndarray, np.ndarray]:
    """Σ f − m (a − g) [N] and Σ (p − x) × f − I α − ω × I ω [N m] of the table (n, 3), f being the forces of the balls."""
    table, inertia = result["table"], result.mechanism.bodies["table"].shape.mass_properties().inertia
    forces = np.stack([result[f"head {k}"].force(on="table") for k in LEGS], axis=1)
    arms = np.einsum("nij,kj->nki", table.rotation, HEADS)
    world = np.einsum("nij,jk,nlk->nil", table.rotation, inertia, table.rotation)
    spin, turning = table.angular_velocity, np.einsum("nij,nj->ni", world, table.angular_acceleration)
    turning = turning + np.cross(spin, np.einsum("nij,nj->ni", world, spin))
    return forces.sum(axis=1) - MASS * (table.acceleration - GRAVITY), np.cross(arms, forces).sum(axis=1) - turning


def check(result: Result) -> list[Check]:
    """Freedom, the central solver, the laws of the table, the lengths of its legs, closed loops, energy."""
    report, table = result.mechanism.report(), result["table"]
    central = result.mechanism.simulate(DURATION, Central(rtol=1e-11, atol=1e-13), samples=result.time)
    apart = [result[body].position - central[body].position for body in result.mechanism.bodies]
    force, moment = newton_euler(result)
    largest = max(np.abs(result[f"head {k}"].force()).max() for k in LEGS)
    slides = np.stack([result[f"slide {k}"].displacement[:, 2] for k in LEGS], axis=1)
    long = lengths(table.position, table.rotation)
    return [
        equals("degrees of freedom", report.degrees_of_freedom, 6),
        equals("redundant equations", report.equations - report.rank, 0),
        equals("joints that close loops", len(result.mechanism.recursive().loops), 5),
        at_most("all bodies, off the central solver [m]", apart, 1e-8),
        at_most("forces on the table, off Newton's law, relative", force / largest, 1e-9),
        at_most("moments on the table, off Euler's law, relative", moment / largest, 1e-9),
        at_most("slides, off the lengths of the legs [m]", slides - (long - long[0]), 1e-9),
        at_most("table, off the plan, which motors yield by [m]", table.position - plan(result.time)[0], 5e-3),
        *conserves(result, violation=1e-9, energy=accumulated(result, 1e-9)),
    ]


if __name__ == "__main__":
    main(__name__)
