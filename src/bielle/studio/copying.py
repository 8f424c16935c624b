"""Copies and other names: edits that are made of a description of the present."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..errors import DescriptionError, unknown
from ..live.session import LiveSession
from ..mechanism.description import Force, Joint
from ..mechanism.mechanism import Mechanism
from ..mechanism.vectors import lifted
from .awaiting import renamed_events
from .mirroring import mirrored, mirrored_force, mirrored_gear

__all__ = ["duplicated", "renamed"]

_MOST = 1000  # bodies at once
_BODY = ("shape", "position", "orientation", "velocity", "angular_velocity", "coordinates", "color", "visuals", "collisions")
_SEEN = ("visuals", "collisions")
_HELD = ("lock", "fix", "grab")  # what holds a component is called after it
_PLACES = ("at", "at_a", "at_b", "axes_a", "axes_b")


def renamed(live: LiveSession, name: str, new: str) -> None:
    """Give a component another name, everywhere it is mentioned: it goes, and is there again under the other name as it is now."""
    with live._lock:
        before, after = live.describe(), live.describe()
        after.rename(name, new)
        for held in [f"{how} {name}" for how in _HELD if f"{how} {name}" in after]:
            after.rename(held, f"{held.removesuffix(name)}{new}")
        events = live.events
        with live.edit(f"rename {name}"):
            _adopt(live, before, after)
        renamed_events(live, events, name, new)


def _adopt(live: LiveSession, before: Mechanism, after: Mechanism) -> None:
    """Let components that differ between two descriptions of the present go, and put the others in their place."""
    gone = [n for n in before._names() if n in before and (n not in after or _of(after, n) != _of(before, n))]
    for name in gone:
        if live._draft is not None and name in live._draft.mechanism:
            live.remove(name, dependants=True)
    there = live._draft.mechanism if live._draft is not None else live.mechanism
    for body in after.bodies.values():
        if body.name not in there.bodies:
            live.add_body(body.name, **{f: getattr(body, f) for f in _BODY})
    for frame in after.frames.values():
        if frame.name not in there.frames:
            live.add_frame(frame.name, frame.body, local=frame.position, orientation=frame.orientation, **_given(frame, _SEEN))
    for joint in sorted(after.joints.values(), key=lambda j: bool(j.through)):
        if joint.name not in there.joints:
            live.add_joint(joint.name, joint.kind, joint.a, joint.b, **_given(joint, _PLACES))
    for force in after.forces.values():
        if force.name not in there.forces:
            live.add_force(force.name, force.kind, force.a, force.b, **_given(force, (*_PLACES, "joint")))


def _of(m: Mechanism, name: str) -> Any:
    return m._table(name)[name]


def _given(component: Any, fields: tuple[str, ...]) -> dict[str, Any]:
    return {f: getattr(component, f) for f in fields if getattr(component, f) is not None}


def duplicated(live: LiveSession, names: list[str], offset: Any, count: int, mirror: str | None) -> list[str]:
    """Copies of bodies, with the joints, forces and frames between them and what acts in these joints, moved by so much each; or mirrored.

    Returns their names.
    """
    m = live.describe()
    bodies = [name for name in names if name in m.bodies]
    if not bodies:
        raise unknown("body", names[0], m.bodies) if names else DescriptionError("Select the bodies to copy.")
    if not 1 <= count * len(bodies) <= _MOST:
        raise DescriptionError(f"Between 1 and {_MOST} bodies can be made at once, got {count} copies of {len(bodies)}.")
    if mirror == "z" and m.planar:
        raise DescriptionError("A planar mechanism is mirrored along x or y, got z.")
    beside = np.zeros(3) if mirror is not None else _size(m, bodies)  # a mirror stands in the origin
    shift = beside if offset is None else np.array(offset, dtype=float)
    made = []
    with live.edit("duplicate"):
        for k in range(1, count + 1):
            made += _copy(live, m, bodies, k * shift, mirror)
    return made


def _copy(live: LiveSession, m: Mechanism, bodies: list[str], shift: np.ndarray, mirror: str | None) -> list[str]:
    taken = set(live._draft.mechanism._names() if live._draft is not None else m._names())
    names = {name: _fresh(name, taken) for name in bodies}
    behind = _behind(m, mirror)
    for name in bodies:
        body = behind(m.bodies[name])
        fields = {f: getattr(body, f) for f in _BODY}
        fields["position"] = tuple(float(x) for x in (lifted(body.position) + shift)[: m.dim])
        live.add_body(names[name], **fields)
    for frame in m.frames.values():
        if frame.body in names:
            seen = behind(frame)
            place = {"local": seen.position, "orientation": seen.orientation}
            live.add_frame(_fresh(frame.name, taken), names[frame.body], **place, **_given(seen, _SEEN))
    joints: dict[str, str] = {}
    for joint in (joint for joint in m.joints.values() if not joint.through and {joint.a, joint.b} <= set(names)):
        joints[joint.name] = _fresh(joint.name, taken)
        seen = behind(joint)
        live.add_joint(joints[joint.name], seen.kind, names[joint.a], names[joint.b], **_given(seen, _PLACES))
    for gear in (joint for joint in m.joints.values() if joint.through and set(joint.through) <= set(joints)):
        live.add_joint(_fresh(gear.name, taken), behind(gear).kind, joints[gear.a], joints[gear.b])
    for force in m.forces.values():
        if force.joint in joints:
            live.add_force(_fresh(force.name, taken), behind(force).kind, joint=joints[force.joint])
        elif force.joint is None and force.a in names and (force.b is None or force.b in names):
            seen = behind(force)
            live.add_force(_fresh(force.name, taken), seen.kind, names[force.a], force.b and names[force.b], **_given(seen, _PLACES))
    return list(names.values())


def _behind(m: Mechanism, mirror: str | None) -> Callable[[Any], Any]:
    """What a component becomes behind the mirror, or itself if there is none."""
    if mirror is None:
        return lambda thing: thing

    def behind(thing: Any) -> Any:
        axis, planar = "xyz".index(mirror), m.planar
        try:
            if isinstance(thing, Force):
                return mirrored_force(thing, m.joints.get(thing.joint or ""), axis, planar)
            if isinstance(thing, Joint) and thing.through:
                return mirrored_gear(thing, (m.joints[thing.a], m.joints[thing.b]), axis, planar)
            return mirrored(thing, axis, planar)
        except DescriptionError as error:
            raise DescriptionError(f"'{thing.name}': {error}") from None

    return behind


def _size(m: Mechanism, bodies: list[str]) -> np.ndarray:
    """A shift to the right by which copies do not cover what they are copies of."""
    places = np.array([lifted(m.bodies[n].position) for n in bodies])
    reach = max(
        float(np.sqrt(np.trace(p.inertia) / p.mass)) if (p := m.bodies[n].shape.mass_properties()).mass > 0 else 0.1 for n in bodies
    )
    return np.array([np.ptp(places[:, 0]) + 3 * reach, 0.0, 0.0])


def _fresh(name: str, taken: set[str]) -> str:
    """The name with the next number that is free."""
    stem, _, last = name.rpartition(" ")
    stem, first = (stem, int(last) + 1) if stem and last.isdigit() else (name, 2)
    new = next(f"{stem} {i}" for i in range(first, 10**9) if f"{stem} {i}" not in taken)
    taken.add(new)
    return new
