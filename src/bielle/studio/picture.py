"""What a page draws of a mechanism: everything but where the bodies are. It is told anew when something other than that changes."""

from __future__ import annotations

import random
from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import BielleError
from ..joints.gear import SLIDING, TURNING
from ..joints.rotor import unseen
from ..mechanism.description import GROUND, Force, Joint, Marker
from ..mechanism.functions import Constant
from ..mechanism.vectors import E3, lifted, triad
from ..results.outlines import body_outlines, frame_outlines
from ..results.scene import PALETTE, complete
from .awaiting import event_data

if TYPE_CHECKING:
    from ..live.session import LiveSession
    from ..mechanism.mechanism import Mechanism

__all__ = ["Colors", "picture"]

_SLIDES = (*SLIDING, "cylindrical", "helical")  # motions of joints along their axes
_LOOKS = {
    "torsion_spring": "torsion",
    "motor": "motor",
    "linear_motor": "motor",
    "point_force": "arrow",
    "torque": "torque",
    "plane_contact": "plane",
    "callable_force": "function",
    "grab": "grab",
    "angle_friction": "friction",
    "slide_friction": "friction",
    "joint_damping": "friction",
    "angle_limit": "limit",
    "slide_limit": "limit",
}
_LOADS = {"point_force": "force", "torque": "torque"}  # what of them says where they point
_ROLLING = ("rolling_disc", "rolling_wheel")


def _straight(kind: Any) -> str:
    """A spring, a damper or both, by what there is of it; an arrow if it has neither."""
    stiff = [getattr(kind, name, None) for name in ("stiffness", "characteristic")]
    damped = [getattr(kind, name, None) for name in ("damping", "damper")]
    if not hasattr(kind, "stiffness"):
        return "arrow"
    return "spring" if not any(damped) else "spring-damper" if any(stiff) else "damper"


class Colors:
    """A colour for each body that has none of its own, the same as long as it is there, whatever comes and goes."""

    def __init__(self, others: Colors | None = None) -> None:
        self._known: dict[str, str] = {} if others is None else dict(others._known)
        self.number = random.getrandbits(32)  #: another one for another mechanism, by which a page knows that it is one

    def rename(self, name: str, new: str) -> None:
        """Its colour goes with a body."""
        if name in self._known:
            self._known[new] = self._known[name]

    def __call__(self, name: str) -> str:
        return self._known.setdefault(name, PALETTE[len(self._known) % len(PALETTE)])


def picture(m: Mechanism, colors: Colors, live: LiveSession | None = None, redundant: Collection[str] = ()) -> dict[str, Any]:
    """Bodies, joints, forces and frames of a mechanism, in plain numbers; ``live``: with what is going on in the session.

    redundant  joints that say again what others say
    """
    closing = live.closing if live is not None else {}
    events = live.events if live is not None else {}
    breakable = {event.breaks for event in events.values() if event.breaks}
    states = {"closing": closing, "breakable": breakable, "redundant": redundant}
    up = -lifted(m.gravity)
    length = float(np.linalg.norm(up))
    hidden = unseen(m)
    low, high = _bounds(m, hidden)
    return {
        "title": m.name,
        "planar": m.planar,
        "up": (up / length if length > 0 else np.array([0.0, 1.0, 0.0] if m.planar else [0.0, 0.0, 1.0])).tolist(),
        "gravity": lifted(m.gravity).tolist(),
        "bounds": [low.tolist(), high.tolist()],
        "bodies": _bodies(m, colors, hidden),
        "joints": [_joint(m, joint, states, hidden) for joint in m.joints.values()],
        "forces": [_force(m, force) for force in m.forces.values()],
        "frames": [
            {"name": f.name, "body": f.body, "position": f.pose.position.tolist(), "quaternion": f.pose.quaternion().tolist()}
            for f in m.frames.values()
        ],
        "events": [event_data(event) for event in events.values()],
    }


def _bodies(m: Mechanism, colors: Colors, hidden: Collection[str]) -> list[dict[str, Any]]:
    found = {}
    unread: dict[str, str] = {}
    for name, body in m.bodies.items():
        properties = body.shape.mass_properties()
        found[name] = {
            "name": name,
            "color": body.color or colors(name),
            "outline": [_primitive(*each) for each in body_outlines(m, body, unread)] if name not in hidden else [],
            "unseen": name in hidden,
            "centre": properties.centre.tolist(),
            "mass": properties.mass,
            "coordinates": body.coordinates or "",
            "fixed": f"fix {name}" in m.joints,
            "grabbed": f"grab {name}" in m.forces,
        }
    for frame in m.frames.values():
        if frame.body in found:
            found[frame.body]["outline"] += [_primitive(*each) for each in frame_outlines(m, frame, unread)]
    return list(found.values())


def _primitive(primitive: dict[str, Any], color: str | None) -> dict[str, Any]:
    return complete(primitive) | ({"color": color} if color else {})


def _joint(m: Mechanism, joint: Joint, of: Mapping[str, Collection[str]], hidden: Collection[str]) -> dict[str, Any]:
    states = [state for state, names in of.items() if joint.name in names]
    if f"lock {joint.name}" in m.joints:
        states.append("locked")
    out: dict[str, Any] = {"name": joint.name, "kind": _tag(joint.kind), "a": joint.a, "b": joint.b, "states": states}
    motion = joint.kind.motion
    out |= {"sliding": motion in _SLIDES, "turning": motion in TURNING}
    a, b = _ends(m, joint, hidden)
    axis_a, axis_b = _axes(m, joint, a, b)
    out |= {"a": a.body, "b": b.body, "point_a": a.local.tolist(), "point_b": b.local.tolist()}
    return out | {"axis_a": axis_a.tolist(), "axis_b": axis_b.tolist(), "unseen": joint.name in hidden}


def _ends(m: Mechanism, joint: Joint, hidden: Collection[str]) -> tuple[Marker, Marker]:
    """Between which points a joint is drawn: what couples two joints goes from what the one moves to what the other does."""
    markers = m.markers(joint)
    if not joint.through or joint.through[-1] in hidden:
        return markers[0], markers[1]
    return markers[1], markers[3]


def _axes(m: Mechanism, joint: Joint, a: Marker, b: Marker) -> tuple[np.ndarray, np.ndarray]:
    """Of a joint, in the axes of its bodies; of what rolls, the normal of its plane and the axle; of what couples joints, theirs."""
    if joint.through:
        return _wheel(a, m.planar), _wheel(b, m.planar)
    if _tag(joint.kind) in _ROLLING:  # elements: a point of the plane, tangents and the normal, a centre, two directions of the wheel
        _, *plane, _, first, second = joint.kind.elements(a, b, m.dim)
        return plane[-1].local, np.cross(first.local, second.local)
    axis = joint.kind.axis_vector()
    return a.basis @ axis, b.basis @ axis


def _wheel(marker: Marker, planar: bool) -> np.ndarray:
    """The axis of a wheel that turns with a joint, or rolls along it where it slides."""
    if marker.motion in SLIDING:
        return marker.basis @ (E3 if planar else triad(marker.axis)[:, 0])
    return marker.basis @ marker.axis


def _force(m: Mechanism, force: Force) -> dict[str, Any]:
    tag = _tag(force.kind)
    look = _LOOKS.get(tag, _straight)
    look = look if isinstance(look, str) else look(force.kind)
    out: dict[str, Any] = {"name": force.name, "kind": tag, "look": look, "joint": force.joint, "states": []}
    out |= {"a": force.a, "b": force.b, "point_a": None, "point_b": None, "direction": None, "in_world": False, "varies": False}
    try:
        markers = m.markers(force)
    except BielleError:
        return out
    for side, marker in zip("ab", markers):
        out[side], out[f"point_{side}"] = marker.body, marker.local.tolist()
    if markers and hasattr(force.kind, "axis_vector"):
        out["direction"] = (markers[0].basis @ force.kind.axis_vector()).tolist()
    if markers and tag in _LOADS:
        out |= _load(getattr(force.kind, _LOADS[tag]), markers[0], force.kind.axes == "world")
    return out


def _load(value: Any, marker: Marker, in_world: bool) -> dict[str, Any]:
    """Where a load points, in the axes of the world or of its body; None if it turns with time, which to and fro is not, or if it is 0."""
    zero = Constant(value=0.0)
    parts = [*value, zero][:3] if isinstance(value, tuple) else [zero, zero, value]
    constant = [part.value if isinstance(part, Constant) else None for part in parts]
    varying = [i for i, number in enumerate(constant) if number is None]
    vector: np.ndarray | None = None
    if not varying:
        vector = np.array(constant, dtype=float)
    elif len(varying) == 1 and sum(number == 0.0 for number in constant) == 2:
        vector = np.eye(3)[varying[0]]
    length = 0.0 if vector is None else float(np.linalg.norm(vector))
    direction = None if vector is None or length == 0.0 else ((vector if in_world else marker.own @ vector) / length).tolist()
    return {"direction": direction, "in_world": in_world, "varies": bool(varying)}


def _tag(kind: Any) -> str:
    return str(type(kind).__struct_config__.tag)


def _bounds(m: Mechanism, hidden: Collection[str]) -> tuple[np.ndarray, np.ndarray]:
    """Of what is described: opposite corners of a box around the bodies, and the places of joints on the ground."""
    points: list[np.ndarray] = []
    for body in (body for name, body in m.bodies.items() if name not in hidden):
        pose = body.pose
        for primitive in map(complete, body.shape.outline()):
            local = primitive.get("points") or [primitive.get("centre", primitive.get("position", [0.0, 0.0, 0.0]))]
            reach = float(np.max(primitive.get("size", primitive.get("radius", 0.0)), initial=0.0))
            for each in np.atleast_2d(np.array(local, dtype=float)):
                points += [pose.point(each) - reach, pose.point(each) + reach]
    for joint in (joint for name, joint in m.joints.items() if name not in hidden):
        points += [marker.local for marker in m.markers(joint)[:2] if marker.body == GROUND]
    cloud = np.array(points or [np.zeros(3)])
    low, high = cloud.min(axis=0), cloud.max(axis=0)
    if np.max(high - low) <= 0.0:
        low, high = low - 1.0, high + 1.0
    if m.planar:
        low[2] = high[2] = 0.0
    return low, high
