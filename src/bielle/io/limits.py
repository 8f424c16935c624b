"""Stops and dry friction of joints, as forces.

URDF says where a stop is and not how hard it is. Here it is as hard as makes what hangs on the joint, in the zero position, swing on it at
``FREQUENCY``, with ``RATIO`` of the critical damping: k = J ω² and c = 2 ζ J ω, J being the moment of inertia about the axis, or the mass.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from ..mechanism.mass import Placement, combine
from .robot import RobotJoint
from .tree import Plan

if TYPE_CHECKING:
    from ..mechanism.mechanism import Mechanism
    from .robot import Robot

__all__ = ["FREQUENCY", "RATIO", "add_stops", "said_by"]

FREQUENCY = 30.0  #: [Hz]
RATIO = 0.5


def add_stops(mechanism: Mechanism, robot: Robot, plan: Plan, joints: dict[str, str], new_name: Any) -> None:
    """Add the stops and the friction of all joints; ``joints`` are their names in the mechanism, ``new_name`` finds names of forces."""
    from ..forces import AngleFriction, AngleLimit, SlideFriction, SlideLimit

    for joint in plan.joints:
        slides = joint.type == "prismatic"
        name = joints[joint.name]
        if joint.limit.lower is not None:
            omega, inertia = 2.0 * math.pi * FREQUENCY, carried(robot, plan, joint)
            kind = (SlideLimit if slides else AngleLimit)(
                lower=joint.limit.lower, upper=joint.limit.upper, stiffness=inertia * omega**2, damping=2.0 * RATIO * inertia * omega
            )
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
    what = type(kind).__name__
    if what in ("AngleLimit", "SlideLimit"):
        return {"limit": {"lower": kind.lower, "upper": kind.upper}}
    if what in ("AngleFriction", "SlideFriction"):
        return {"dynamics": {"friction": kind.torque if what == "AngleFriction" else kind.force}}
    return None
