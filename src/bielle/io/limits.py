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
from ..mechanism.mass import MassProperties, Placement, combine
from .tree import Plan

if TYPE_CHECKING:
    from ..mechanism.mechanism import Mechanism
    from .robot import Robot

__all__ = ["DAMPING", "FREQUENCY", "add_stops", "said_by"]

FREQUENCY = 30.0  #: [Hz]
DAMPING = 5.0  #: [s/rad] or [s/m]
_HERE = Placement(np.zeros(3), np.eye(3))


def add_stops(mechanism: Mechanism, robot: Robot, plan: Plan, joints: dict[str, str], new_name: Any) -> None:
    """Add the stops and the friction of all joints; ``joints`` are their names in the mechanism, ``new_name`` finds names of forces."""
    inertias = carried(robot, plan)
    for joint in plan.joints:
        slides = joint.type == "prismatic"
        name = joints[joint.name]
        if joint.limit.lower is not None:
            stiffness = inertias[joint.name] * (2.0 * math.pi * FREQUENCY) ** 2
            stop = SlideLimit if slides else AngleLimit
            kind = stop(lower=joint.limit.lower, upper=joint.limit.upper, stiffness=stiffness, damping=DAMPING)
            mechanism.add_force(new_name(f"{name} limit"), kind, joint=name)
        if joint.friction > 0.0:
            friction = SlideFriction(force=joint.friction) if slides else AngleFriction(torque=joint.friction)
            mechanism.add_force(new_name(f"{name} friction"), friction, joint=name)


def carried(robot: Robot, plan: Plan) -> dict[str, float]:
    """Of all that hangs on each joint at zero: the moment of inertia [kg·m²] about the axis of a hinge, the mass [kg] on a slide."""
    hung = {each.child: each for each in robot.joints.values()}
    on: dict[str, list[tuple[MassProperties, Placement]]] = {link: [] for link in plan.order}  # what hangs on each link, in the world
    found = {}
    for link in reversed(plan.order):
        mass, at = robot.links[link].mass, plan.world[link]
        parts = on.pop(link) + ([] if mass is None else [(mass, Placement(at.position, at.rotation))])
        joint = hung.get(link)
        if joint is None or not parts:
            continue
        total = combine(parts)
        on[joint.parent].append((total, _HERE))
        if joint.type == "prismatic":
            found[joint.name] = total.mass
            continue
        axis = at.rotation @ (np.array(joint.axis) / math.hypot(*joint.axis))
        arm = np.cross(axis, total.centre - at.position)
        found[joint.name] = float(axis @ total.inertia @ axis + total.mass * arm @ arm)
    return found


def said_by(kind: Any) -> dict[str, dict[str, float]] | None:
    """What URDF says in the place of a force kind, by element and attribute; None if it is none of those that are made here."""
    if isinstance(kind, AngleLimit | SlideLimit):
        return {"limit": {key: value for key, value in (("lower", kind.lower), ("upper", kind.upper)) if value is not None}}
    if isinstance(kind, AngleFriction | SlideFriction):
        return {"dynamics": {"friction": kind.torque if isinstance(kind, AngleFriction) else kind.force}}
    return None
