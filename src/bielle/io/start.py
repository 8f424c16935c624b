"""Where the links of a robot are, and how they move, if its joints stand and move as the user says."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from ..errors import DescriptionError, unknown
from ..mechanism.description import Pose, Twist
from ..mechanism.vectors import number, quaternion_to_matrix, rotation
from .robot import Mimic, Robot, RobotJoint
from .tree import Plan, times

__all__ = ["started"]


def started(robot: Robot, made: Plan, called: dict[str, str], positions: Any, velocities: Any) -> tuple[dict[str, Pose], dict[str, Twist]]:
    """Pose and twist of every link in the world; ``called`` are the names of joints in the mechanism, by which numbers are given."""
    q, v = (_numbers(robot, called, given, what) for given, what in ((positions, "positions"), (velocities, "velocities")))
    q = {name: joint.start for name, joint in robot.joints.items() if joint.start != 0.0} | q
    _follow(robot, called, q, v)
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


def _follow(robot: Robot, called: dict[str, str], q: dict[str, float], v: dict[str, float]) -> None:
    """Where joints stand, and how they move, that follow others, which perhaps follow others again."""
    first: dict[str, str] = {}  # of every joint, the one that leads all the way
    for joint in robot.joints.values():
        way, seen = [joint], {joint.name}
        while way[-1].name not in first and way[-1].mimic is not None:
            way.append(_leader(robot, way[-1].mimic))
            if way[-1].name in seen:
                raise joint.element.error(
                    f"it follows joints that follow each other in a circle: '{way[-1].name}' and others. Let one lead."
                )
            seen.add(way[-1].name)
        leads = first.setdefault(way[-1].name, way[-1].name)
        for follower in way[-2::-1]:
            mimic = follower.mimic
            assert mimic is not None  # on the way
            first[follower.name] = leads
            for found, offset, what in ((q, mimic.offset, "positions"), (v, 0.0, "velocities")):
                value = mimic.multiplier * found.get(mimic.leader, 0.0) + offset
                given = found.setdefault(follower.name, value)
                if not math.isclose(given, value, rel_tol=1e-9, abs_tol=1e-12):
                    raise DescriptionError(
                        f"{what}: joint '{called[follower.name]}' follows '{called[mimic.leader]}', which makes it {value:g}, "
                        f"got {given:g}. Leave it out, and give that of '{called[leads]}'."
                    )


def _leader(robot: Robot, mimic: Mimic) -> RobotJoint:
    """The joint that another follows."""
    leader = robot.joints.get(mimic.leader)
    if leader is None:
        raise mimic.element.error(str(unknown("joint", mimic.leader, robot.joints)).replace("There", "there", 1))
    if leader.type not in ("revolute", "continuous", "prismatic"):
        raise mimic.element.error(f"joint '{leader.name}' is {leader.type} and has no single coordinate to follow. Name another.")
    return leader


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
