"""Inverse dynamics: what the motors of a robot arm must do for a planned motion, and the motion that follows from it.

The arm of :mod:`bielle.examples.robot_arm` is to swing from one posture to another in a second and a half, all joints together,

    q(t) = q₀ + (q₁ − q₀) σ(t/T),      σ(s) = s⁵ (126 − 420 s + 540 s² − 315 s³ + 70 s⁴),

at rest at both ends, where four derivatives of σ vanish. ``model.rnea_batch(q, v, a)`` gives the torques M(q) a + h(q, v) of all moments
of the plan in one call. They are handed to motors as tables over time, and nothing else guides the arm: no motor knows where it
is. So it is the equations of motion alone that bring it along the plan, to rest at the other end.

The torques are compared with those of the equations in three angles that are derived by hand in ``robot_arm``. Between the points of a
table runs a cubic spline, whose error is of fourth order in their distance; so is that of the motion. A torque that is wrong by δ all the
time leads a joint with the inertia m astray by ½ δ/m T². On a longer way errors grow, and motors would have to look at the joints, too.
"""

from __future__ import annotations

import numpy as np
from scipy.interpolate import CubicSpline

import bielle as bl
from bielle.calls import explained
from bielle.recursive import RecursiveModel
from bielle.results.result import Result
from bielle.solvers.recursive import Recursive

from . import robot_arm
from ._checks import Check, accumulated, at_least, at_most, conserves, main

TITLE = "Robot arm driven along a planned motion by inverse dynamics"
DURATION = 1.5
START = robot_arm.START
GOAL = {"waist": 2.0, "shoulder": 0.3, "elbow": -1.2}  # [rad]
POINTS = 401  # of the tables


def plan(time: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Angles, rates and accelerations (n, 3) of the joints, in the order of GOAL."""
    s = time / DURATION
    sigma = s**5 * (126 - 420 * s + 540 * s**2 - 315 * s**3 + 70 * s**4)
    rate = 630 * s**4 * (1 - s) ** 4 / DURATION
    acceleration = 2520 * s**3 * (1 - s) ** 3 * (1 - 2 * s) / DURATION**2
    start, way = np.array([START[name] for name in GOAL]), np.array([GOAL[name] - START[name] for name in GOAL])
    return start + np.outer(sigma, way), np.outer(rate, way), np.outer(acceleration, way)


def recursive() -> RecursiveModel:
    """The arm in its joint coordinates, which are in the order of GOAL: waist, shoulder, elbow."""
    return bl.load_urdf(robot_arm.URDF, gravity=(0.0, 0.0, -robot_arm.GRAVITY)).recursive()


def torques(time: np.ndarray) -> np.ndarray:
    """What the joints have to do (n, 3) [N m], by the recursive algorithm, for all moments at once."""
    return recursive().rnea_batch(*plan(time))


def by_hand(time: np.ndarray) -> np.ndarray:
    """The same (n, 3) from the equations in φ, α, β."""
    A, B, M, N, g = robot_arm.A, robot_arm.B, robot_arm.M, robot_arm.N, robot_arm.GRAVITY
    angles, rates, accelerations = ((x[:, 0], -x[:, 1], -x[:, 1] - x[:, 2]) for x in plan(time))
    (_, x, z), (turn, x1, z1), (turning, x2, z2) = angles, rates, accelerations
    value, by_x, by_z = robot_arm.about_vertical(x, z)
    c, s = 0.5 * N * A * B * np.cos(z - x), 0.5 * N * A * B * np.sin(z - x)
    waist = value * turning + (by_x * x1 + by_z * z1) * turn
    alpha = (M / 3 + N) * A * A * x2 + c * z2 - s * z1**2 - 0.5 * by_x * turn**2 + (M / 2 + N) * g * A * np.cos(x)
    beta = N * B * B / 3 * z2 + c * x2 + s * x1**2 - 0.5 * by_z * turn**2 + N / 2 * g * B * np.cos(z)
    return np.stack([waist, -alpha - beta, -beta], axis=1)  # angles of shoulder and elbow are −α and α − β


@explained
def build(points: int = POINTS) -> bl.Mechanism:
    """The arm at rest where the plan starts, with a motor in each joint that gives the torques of a table."""
    m = bl.load_urdf(robot_arm.URDF, gravity=(0.0, 0.0, -robot_arm.GRAVITY), positions=START)
    time = np.linspace(0.0, DURATION, points)
    for name, torque in zip(GOAL, torques(time).T):
        m.add_force(f"{name} motor", bl.Motor(feedforward=bl.Table(x=tuple(time), y=tuple(torque))), joint=name)
    return m


def solver(points: int = POINTS) -> Recursive:
    """In joint coordinates. No step is longer than the distance between two points of a table, where a spline is not smooth."""
    return Recursive(rtol=1e-10, atol=1e-12, max_step=DURATION / (points - 1))


def astray() -> float:
    """Acceleration [rad/s²] that the splines can add to the plan: their error over the smallest inertia of the arm on its way."""
    time, points = np.linspace(0.0, DURATION, 20 * POINTS), np.linspace(0.0, DURATION, POINTS)
    error = CubicSpline(points, torques(points), bc_type="natural")(time) - torques(time)
    return float(np.abs(error).max() / np.linalg.eigvalsh(recursive().crba_batch(plan(time)[0])).min())


def off_plan(result: Result) -> np.ndarray:
    """Angles of the joints beyond those planned (n, 3) [rad]."""
    return np.stack([result[name].angle for name in GOAL], axis=1) - plan(result.time)[0]


def check(result: Result) -> list[Check]:
    """The torques of the formula; the plan; its error, which is that of the spline; rest at the end; the work of the motors."""
    mine, formula = torques(result.time), by_hand(result.time)
    coarse, fine = (np.abs(off_plan(build(points).simulate(DURATION, solver(points)))).max() for points in (51, 101))
    end = [result[name].angular_velocity[-1] for name in ("turntable", "upper", "lower")]
    lifted = result.energy.mechanical[-1] - result.energy.mechanical[0]
    return [
        at_most("torques, off the equations by hand, relative", (mine - formula) / np.abs(formula).max(), 1e-12),
        at_most("angles, off the plan [rad]", off_plan(result), 0.5 * astray() * DURATION**2),
        at_least("error with twice the distance of points, in errors", coarse / fine, 12.0),
        at_most("velocity at the end [rad/s]", end, astray() * DURATION),
        at_most("work of the motors less the energy gained, relative", result.energy.drives[-1] / lifted - 1.0, 1e-8),
        *conserves(result, violation=1e-12, energy=accumulated(result, 1e-10)),
    ]


if __name__ == "__main__":
    main(__name__)
