"""Stops and dry friction of joints, as forces.

URDF says where a stop is and not how hard it is. Here it is as hard as makes what hangs on the joint, in the zero position, swing on it at
``FREQUENCY``: k = J ω², J being the moment of inertia about the axis, or the mass. ``DAMPING`` is the same for all: what an impact loses
depends on it and on the velocity alone.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from ..forces import AngleFriction, AngleLimit, SlideFriction, SlideLimit
from ..mechanism.mass import Placement, combine
from .robot import RobotJoint
from .tree import Plan

if TYPE_CHECKING:
    from ..mechanism.mechanism import Mechanism
    from .robot import Robot

__all__ = ["DAMPING", "FREQUENCY", "add_stops", "said_by"]

FREQUENCY = 30.0  #: [Hz]
DAMPING = 5.0  #: [s/rad] or [s/m]


def add_stops(mechanism: Mechanism, robot: Robot, plan: Plan, joints: dict[str, str], new_name: Any) -> None:
    """Add the stops and the friction of all joints; ``joints`` are their names in the mechanism, ``new_name`` finds names of forces."""
    for joint in plan.joints:
        slides = joint.type == "prismatic"
        name = joints[joint.name]
        if joint.limit.lower is not None:
            stiffness = carried(robot, plan, joint) * (2.0 * math.pi * FREQUENCY) ** 2
            stop = SlideLimit if slides else AngleLimit
            kind = stop(lower=joint.limit.lower, upper=joint.limit.upper, stiffness=stiffness, damping=DAMPING)
            mechanism.add_force(new_name(f"{name} limit"), kind, joint=name)
        if joint.friction > 0.0:
            friction = SlideFriction(force=joint.friction) if slides else AngleFriction(torque=joint.friction)
            mechanism.add_force(new_name(f"{name} friction"), friction, joint=name)


def carried(robot: Robot, plan: Plan, joint: RobotJoint) -> float:
    """Of all that hangs on a joint at zero: the moment of inertia [kg·m²] about the axis of a hinge, the mass [kg] on a slide."""
    hung = {each.child: each.parent for each in robot.joints.values()}
    on = {joint.child}
    for link in plan.order:
        if hung.get(link) in on:
            on.add(link)
    parts = [(mass, plan.world[link]) for link in on if (mass := robot.links[link].mass) is not None]
    total = combine((mass, Placement(at.position, at.rotation)) for mass, at in parts)
    if joint.type == "prismatic":
        return total.mass
    at = plan.world[joint.child]
    axis = at.rotation @ (np.array(joint.axis) / math.hypot(*joint.axis))
    arm = np.cross(axis, total.centre - at.position)
    return float(axis @ total.inertia @ axis + total.mass * arm @ arm)


def said_by(kind: Any) -> dict[str, dict[str, float]] | None:
    """What URDF says in the place of a force kind, by element and attribute; None if it is none of those that are made here."""
    if isinstance(kind, AngleLimit | SlideLimit):
        return {"limit": {key: value for key, value in (("lower", kind.lower), ("upper", kind.upper)) if value is not None}}
    if isinstance(kind, AngleFriction | SlideFriction):
        return {"dynamics": {"friction": kind.torque if isinstance(kind, AngleFriction) else kind.force}}
    return None
