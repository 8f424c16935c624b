"""Rotor: what turns behind a gear. Its inertia, seen from the joint it is geared to, is that joint's armature."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection, Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import DescriptionError
from ..mechanism.description import GROUND, Body, Joint, Pose, Twist
from ..mechanism.registry import register_joint
from ..mechanism.shapes import Explicit, MassProperties, rigid
from ..mechanism.vectors import number
from .gear import SLIDING, Gear, check_coupled
from .pin import Pin
from .revolute import Revolute

if TYPE_CHECKING:
    from ..mechanism.mechanism import Mechanism

__all__ = ["Rotor", "add_rotor", "unseen", "without_rotors"]

Motions = Callable[[str], tuple[Pose, Twist]]  #: where a body is, and how it moves
LIGHT = 1e-3  # mass of a rotor, in terms of the lightest body of its joint: it rests in its bearing, and only its inertia matters
SMALL = 0.25  # radius of its ball, in terms of the radius of gyration of these bodies


@register_joint
class Rotor(Gear, frozen=True, tag="rotor"):
    """Gears the bearing of a rotor to a joint: the rotor turns ``ratio`` times as fast as the joint moves.

    ratio  [rad/rad, or rad/m for a slide]

    a is the joint, b the bearing: a hinge between the ground and the rotor. ``m.add_rotor`` makes all three. The bearing stands in the
    world, so that the rotor's axis does not turn with the joint, and its weight rests on nothing: kinetic energy ½ inertia (ratio u̇)², u
    the coordinate of the joint, is all that the mechanism feels. That is an armature of ratio² inertia, and in joint coordinates it is
    taken as such, as long as nothing else holds the rotor; otherwise, and in other coordinates, it is a gear. Multiplier: the torque of the
    gear on the rotor [N·m]; the effort on the coordinate of the joint is −ratio times as large. Rotor and bearing are not drawn, unless the
    rotor has a form or carries something.
    """


def add_rotor(to: Any, m: Mechanism, motion: Motions, name: str, joint: Any, inertia: float, ratio: float) -> Any:
    """Add a rotor, its bearing and its gear; see :meth:`bielle.Mechanism.add_rotor`.

    to: where components are added, the mechanism m itself or a draft of it; motion: pose and velocity of its bodies
    """
    what, bearing, geared = f"rotor '{name}'", f"{name} bearing", f"{name} gear"
    for new in (name, bearing, geared):
        m._new_name(new)
    inertia = number(inertia, f"{what}: the inertia")
    if not inertia > 0.0:
        raise DescriptionError(f"{what}: the inertia must be positive, got {inertia}. To do without a rotor leave it out.")
    driven = m.joints[m._joint_name(joint, what)]
    gear = Rotor(ratio=ratio)
    gear.check(geared)
    check_coupled(what, driven.name, m)
    place, axis, rate = _state(m, driven, motion)
    place = tuple(place[: m.dim].tolist())
    bodies = [m.bodies[each.body] for each in m.markers(driven) if each.body != GROUND]
    beside = _masses(bodies) or _masses(m.bodies.values())
    mass = LIGHT * min((each.mass for each in beside), default=1.0)
    radius = SMALL * min((_gyration(each) for each in beside), default=1.0)
    shape = rigid(mass, (0.0,) * m.dim, inertia if m.planar else (inertia,) * 3, radius=radius or None)
    turning = ratio * rate if m.planar else tuple((ratio * rate * axis).tolist())
    body = to.add_body(name, shape, position=place, angular_velocity=turning)
    to.add_joint(bearing, Pin() if m.planar else Revolute(axis=tuple(axis.tolist())), GROUND, name, place)
    to.add_joint(geared, gear, driven.name, bearing)
    return body


def _masses(bodies: Iterable[Body]) -> list[MassProperties]:
    """Of those that have any."""
    return [found for body in bodies if (found := body.shape.mass_properties()).mass > 0.0]


def _gyration(properties: MassProperties) -> float:
    """Root mean square distance of a mass from its centre."""
    return math.sqrt(0.5 * float(np.trace(properties.inertia)) / properties.mass)


def _state(m: Mechanism, joint: Any, motion: Motions) -> tuple[np.ndarray, np.ndarray, float]:
    """Where a joint is, its axis in the world, and how fast its coordinate changes."""
    a, b = m.markers(joint, lambda name: motion(name)[0])
    axis = a.axes @ joint.kind.axis_vector(joint.name)
    (pose_a, twist_a), (pose_b, twist_b) = ((m.pose(GROUND), m.twist(GROUND)) if e.body == GROUND else motion(e.body) for e in (a, b))
    if joint.kind.motion not in SLIDING:
        return a.world, axis, float(axis @ (twist_b.angular - twist_a.angular))
    x = b.world
    v = [twist.linear + np.cross(twist.angular, x - pose.position) for pose, twist in ((pose_a, twist_a), (pose_b, twist_b))]
    return a.world, axis, float(axis @ (v[1] - v[0]))


def unseen(m: Mechanism) -> frozenset[str]:
    """Names of rotors that are not drawn, and of their bearings: those that are geared, have no form and carry nothing.

    Their bearings stand in the world, where the joints are described and soon are no more, and their inertia says nothing of their size.
    """
    gears = [joint for joint in m.joints.values() if isinstance(joint.kind, Rotor)]
    if not gears:
        return frozenset()
    holders = Counter(m._owner(place) for joint in m.joints.values() if not joint.through for place in (joint.a, joint.b))
    names: set[str] = set()
    for bearing, rotor in filter(None, (_bearing(m, gear) for gear in gears)):
        body = m.bodies[rotor]
        if holders[rotor] == 1 and isinstance(body.shape, Explicit) and not body.shape.points and not body.visuals:
            names |= {bearing.name, rotor}
    return frozenset(names)


def _bearing(m: Mechanism, gear: Joint) -> tuple[Joint, str] | None:
    """The bearing of a rotor and the rotor's name, by its gear; None if what is geared is no hinge on the ground."""
    bearing = m.joints[gear.b]
    a, b = m._owner(bearing.a), m._owner(bearing.b)
    if bearing.kind.motion != "revolute" or GROUND not in (a, b):
        return None
    return bearing, b if a == GROUND else a


def without_rotors(m: Mechanism, keep: Collection[str] = ()) -> tuple[Mechanism, dict[str, float]]:
    """The mechanism without rotors that nothing but their bearing and their gear holds and nothing acts on; armatures by joint.

    keep: gears whose rotors stay in any case
    """
    armatures: dict[str, float] = {}
    gears = [joint for joint in m.joints.values() if isinstance(joint.kind, Rotor) and joint.name not in keep]
    if not gears:
        return m, armatures
    m = m.copy()
    for gear in gears:
        found = _bearing(m, gear)
        if found is None:
            continue
        bearing, body = found
        users = {user for name in (body, bearing.name) for user in m._users(name)}
        if len(users) > 2:  # bearing and gear
            continue
        about = next(each for each in m.markers(bearing) if each.body == body).basis @ bearing.kind.axis_vector()  # in the rotor's own axes
        inertia = about @ m.bodies[body].shape.mass_properties().inertia @ about
        armatures[gear.a] = armatures.get(gear.a, 0.0) + float(gear.kind.ratio**2 * inertia)
        for name in (gear.name, bearing.name, body):
            m.remove(name)
    return m, armatures
