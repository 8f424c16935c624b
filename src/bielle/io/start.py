"""Where the links of a robot are, and how they move, if its joints stand and move as the user says."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from ..errors import DescriptionError, unknown
from ..mechanism.description import Pose, Twist
from ..mechanism.vectors import number, quaternion_to_matrix, rotation
from .robot import Robot, RobotJoint
from .tree import Plan, times

__all__ = ["started"]


def started(robot: Robot, made: Plan, called: dict[str, str], positions: Any, velocities: Any) -> tuple[dict[str, Pose], dict[str, Twist]]:
    """Pose and twist of every link in the world; ``called`` are the names of joints in the mechanism, by which numbers are given."""
    q, v = (_numbers(robot, called, given, what) for given, what in ((positions, "positions"), (velocities, "velocities")))
    hung = {joint.child: joint for joint in robot.joints.values()}
    poses = {made.root: made.world[made.root]}
    twists = {made.root: Twist(np.zeros(3), np.zeros(3))}
    for link in made.order[1:]:
        joint = hung[link]
        at, moves = times(poses[joint.parent], joint.origin), twists[joint.parent]
        axis = np.array(joint.axis) / math.hypot(*joint.axis)
        angle, way = (0.0, q.get(joint.name, 0.0)) if joint.type == "prismatic" else (q.get(joint.name, 0.0), 0.0)
        turn = quaternion_to_matrix(rotation(axis, angle)) if angle != 0.0 else np.eye(3)
        poses[link] = times(at, Pose(way * axis, turn))
        rate, along = v.get(joint.name, 0.0), at.rotation @ axis
        linear = moves.at(poses[link].position - poses[joint.parent].position)
        if joint.type == "prismatic":
            twists[link] = Twist(linear + rate * along, moves.angular)
        else:
            twists[link] = Twist(linear, moves.angular + rate * along)
    return poses, twists


def _numbers(robot: Robot, called: dict[str, str], given: Any, what: str) -> dict[str, float]:
    """The numbers by the names of the joints in the file."""
    if not isinstance(given, Mapping):
        raise DescriptionError(f"{what} must be a dictionary from names of joints to numbers, got {given!r:.80}.")
    names: dict[str, RobotJoint] = {new: robot.joints[old] for old, new in called.items()}
    found = {}
    for name, value in given.items():
        if name not in names:
            raise unknown("joint", str(name), names, what)
        if names[name].type not in ("revolute", "continuous", "prismatic"):
            raise DescriptionError(f"{what}: joint '{name}' is {names[name].type}: it has no single coordinate. Leave it out.")
        found[names[name].name] = number(value, f"{what}: that of joint '{name}'")
    return found
