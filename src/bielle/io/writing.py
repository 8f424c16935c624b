"""URDF from a mechanism that is a tree, with joints that URDF knows.

The frame of a URDF link is that of the joint it hangs on; bodies whose frame is another are written in the axes of the joint. What URDF
cannot say is refused by name, unless the user drops it by name.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple
from xml.sax.saxutils import quoteattr

import numpy as np

from ..calls import explained
from ..errors import DescriptionError, unknown
from ..forces import JointDamping
from ..joints import Gear
from ..mechanism.description import GROUND, Body, Frame, Joint, Pose
from ..mechanism.files import path_text, write_bytes
from ..mechanism.mechanism import Mechanism
from ..mechanism.shapes import Explicit, Massless
from ..mechanism.vectors import number, triad
from ..mechanism.visuals import Visual
from .limits import said_by
from .tree import WORLD, Names, inverse, times

__all__ = ["rpy_of", "save_urdf"]

_TYPES = {"revolute": "continuous", "prismatic": "prismatic", "fixed": "fixed", "planar": "planar"}  # by what a joint leaves free
_ENDLESS = 1e9  # [m], [N], [m/s]: what is written where URDF wants a limit and there is none
_UNBOUNDED = {"lower": -_ENDLESS, "upper": _ENDLESS}
_LIMITS = ("lower", "upper", "effort", "velocity")
_HERE = Pose(np.zeros(3), np.eye(3))


class _Branch(NamedTuple):
    """A body, and how it hangs on another."""

    body: str
    parent: str
    joint: Joint | None  #: None: it is free
    on_parent: Pose  #: of the joint's frame in the frame of the parent
    on_body: Pose  #: of the joint's frame in the frame of the body: the frame of the link
    sign: int  #: of the axis: −1 if the joint is described from the body to its parent


@explained
def save_urdf(
    mechanism: Mechanism, path: str | os.PathLike[str], *, limits: Mapping[str, Mapping[str, float]] | None = None, drop: Iterable[str] = ()
) -> None:
    """Write a mechanism to a URDF file.

    limits  of joints by name: 'lower', 'upper', 'effort', 'velocity', as :func:`urdf_limits` gives them
    drop    names of components to be left out: joints that close loops, forces that URDF cannot say, …

    URDF says nothing about gravity, velocities and time: these are not written.
    """
    source = path_text(path)
    if mechanism.planar:
        raise DescriptionError("URDF describes spatial mechanisms, but this one is planar. Describe it in space.")
    m = mechanism.copy()
    for name in [drop] if isinstance(drop, str) else drop:
        m.remove(name)
    mimics = _mimics(m)
    branches = _branches(m)
    text = _Writer(m, branches, _said(m, branches, limits or {}), mimics, os.path.dirname(os.path.abspath(source))).text()
    write_bytes(source, text.encode("utf-8"))


def _mimics(m: Mechanism) -> dict[str, dict[str, Any]]:
    """What is said about joints that follow others, by their names. The gears that say so are taken out of the mechanism."""
    found: dict[str, dict[str, Any]] = {}
    for name, joint in [*m.joints.items()]:
        if not isinstance(joint.kind, Gear):
            continue
        leader, follower = joint.through
        leads: str | None = leader
        while leads in found and leads != follower:
            leads = found[leads]["joint"]
        if follower in found or leads == follower:
            why = "follows another already" if follower in found else f"leads '{leader}' already"
            raise DescriptionError(f"joint '{name}': in URDF a joint follows one, but '{follower}' {why}. Leave it out: drop=['{name}'].")
        ratio = joint.kind.ratio
        offset = _coordinate(m, m.joints[follower]) - ratio * _coordinate(m, m.joints[leader])
        found[follower] = {"joint": leader, "multiplier": ratio} | ({"offset": offset} if abs(offset) > 1e-14 else {})
        m.remove(name)
    return found


def _coordinate(m: Mechanism, joint: Joint) -> float:
    """The angle [rad] of a hinge in the described configuration, the displacement [m] of a slide."""
    a, b = m.markers(joint)
    e1, e2, along = triad(joint.kind.axis_vector()).T
    if joint.kind.motion == "prismatic":
        return float((a.axes @ along) @ (b.world - a.world))
    turned = b.axes @ e1
    return float(np.arctan2((a.axes @ e2) @ turned, (a.axes @ e1) @ turned))


def _branches(m: Mechanism) -> list[_Branch]:
    """The bodies, each after the one it hangs on."""
    for name, joint in m.joints.items():
        if joint.kind.motion not in _TYPES:
            raise DescriptionError(
                f"joint '{name}': URDF has no joint like {type(joint.kind).__name__}. Replace it, or leave it out: drop=['{name}']."
            )
    on: dict[str, list[str]] = {name: [] for name in (GROUND, *m.bodies)}
    markers = {name: m.markers(joint) for name, joint in m.joints.items()}
    for name, held in markers.items():
        for marker in held:
            on[marker.body].append(name)
    found: list[_Branch] = []
    reached, used = {GROUND}, set()

    def spread(queue: list[str]) -> None:
        for parent in queue:
            for name in on[parent]:
                a, b = markers[name]
                sign = 1 if a.body == parent else -1
                near, far = (a, b) if sign > 0 else (b, a)
                if name in used or far.body in reached:
                    continue
                joint = m.joints[name]
                if sign < 0 and joint.kind.motion == "planar":
                    raise DescriptionError(
                        f"joint '{name}': it must lead from '{parent}' to '{far.body}'. Describe it the other way round."
                    )
                used.add(name)
                reached.add(far.body)
                found.append(_Branch(far.body, parent, joint, Pose(near.local, near.basis), Pose(far.local, far.basis), sign))
                queue.append(far.body)

    spread([GROUND])
    for name, body in m.bodies.items():
        if name not in reached:
            reached.add(name)
            found.append(_Branch(name, GROUND, None, body.pose, _HERE, 1))
            spread([name])
    for name in m.joints:
        if name not in used:
            raise DescriptionError(f"joint '{name}': it closes a loop, and URDF knows trees only. Leave it out: drop=['{name}'].")
    return found


def _said(m: Mechanism, branches: list[_Branch], limits: Mapping[str, Mapping[str, float]]) -> dict[str, dict[str, dict[str, float]]]:
    """What is said about each joint by its forces and by the limits that were given, as elements and attributes."""
    motions = {branch.joint.name: branch.joint.kind.motion for branch in branches if branch.joint is not None}
    slides = {name for name, motion in motions.items() if motion == "prismatic"}
    said: dict[str, dict[str, dict[str, float]]] = {name: {"limit": {}, "dynamics": {}} for name in motions}
    for name, force in m.forces.items():
        kind, words = force.kind, said_by(force.kind)
        if isinstance(kind, JointDamping):
            words = {"dynamics": {"damping": kind.translational if force.joint in slides else kind.coefficient}}
        if force.joint is None or words is None or motions[force.joint] not in ("revolute", "prismatic"):
            raise DescriptionError(f"force '{name}': URDF cannot say what {type(kind).__name__} does there. Leave it out: drop=['{name}'].")
        for element, attributes in words.items():
            for key, value in attributes.items():
                before = said[force.joint][element]
                before[key] = before.get(key, 0.0) + value if element == "dynamics" else value
    for name, given in limits.items():
        if name not in said:
            raise unknown("joint", name, said, "limits")
        for key, value in given.items():
            if key not in _LIMITS:
                raise unknown("limit", key, _LIMITS, f"limits of joint '{name}'")
            said[name]["limit"][key] = number(value, f"limits of joint '{name}': {key}")
        limit = said[name]["limit"]
        if limit.get("lower", -_ENDLESS) > limit.get("upper", _ENDLESS):
            raise DescriptionError(
                f"limits of joint '{name}': lower must not exceed upper, got {limit['lower']:g} and {limit['upper']:g}. Exchange them."
            )
    return said


class _Writer:
    """Writes links and joints, line by line."""

    def __init__(
        self,
        m: Mechanism,
        branches: list[_Branch],
        said: dict[str, dict[str, dict[str, float]]],
        mimics: dict[str, dict[str, Any]],
        folder: str,
    ) -> None:
        self.m, self.branches, self.said, self.mimics, self.folder = m, branches, said, mimics, folder
        self.lines: list[str] = []
        self.links = {GROUND: _HERE} | {branch.body: branch.on_body for branch in branches}  # frames of links in the frames of bodies
        self.taken = Names((GROUND, *m.bodies, *m.frames))
        self.joints = Names(m.joints)
        self.root, self.root_frame = self._choose_root()

    def _choose_root(self) -> tuple[str, Frame | None]:
        """The name of the root link: a body that is fixed to the ground at the origin and all there is on it; else the first frame of the
        ground at the origin; else 'world'."""
        frames = [frame for frame in self.m.frames.values() if frame.body == GROUND]
        on_ground = [branch for branch in self.branches if branch.parent == GROUND]
        if len(on_ground) == 1 and not frames:
            only = on_ground[0]
            if only.joint is not None and only.joint.kind.motion == "fixed" and _same(only.on_parent, _HERE) and only.body != WORLD:
                return only.body, None
        frame = next((frame for frame in frames if _same(frame.pose, _HERE)), None)
        return (frame.name, frame) if frame is not None else (self.taken.new(WORLD, "link"), None)

    def text(self) -> str:
        self._put(0, "robot", self.m.name, close=False)
        if self.root not in self.m.bodies:
            self._link(self.root, None, self.root_frame, _HERE)
        for branch in self.branches:
            self._link(branch.body, self.m.bodies[branch.body], None, branch.on_body)
        for frame in self.m.frames.values():
            if frame is not self.root_frame:
                self._link(frame.name, None, frame, _HERE)
        for branch in self.branches:
            if branch.body != self.root:
                self._joint(branch)
        for frame in self.m.frames.values():
            if frame is not self.root_frame:
                self._mount(frame)
        return "\n".join(['<?xml version="1.0" encoding="UTF-8"?>', *self.lines, "</robot>", ""])

    def _put(self, depth: int, tag: str, name: str | None = None, close: bool = True, **attributes: Any) -> None:
        named = {} if name is None else {"name": name}
        words = [tag, *(f"{key}={quoteattr(_text(value))}" for key, value in (named | attributes).items())]
        self.lines.append("  " * depth + f"<{' '.join(words)}{'/' if close else ''}>")

    def _end(self, depth: int, tag: str) -> None:
        self.lines.append("  " * depth + f"</{tag}>")

    # -- links

    def _link(self, name: str, body: Body | None, frame: Frame | None, at: Pose) -> None:
        """A link whose frame stands at ``at`` in that of the body."""
        look: Any = body or frame
        if body is None and (frame is None or not (frame.visuals or frame.collisions)):
            self._put(1, "link", name)
            return
        self._put(1, "link", name, close=False)
        back = inverse(at)
        if body is not None and not isinstance(body.shape, Massless):
            properties = body.shape.mass_properties()
            I = back.rotation @ properties.inertia @ back.rotation.T
            self._put(2, "inertial", close=False)
            self._put(3, "origin", xyz=back.point(properties.centre), rpy=(0.0, 0.0, 0.0))
            self._put(3, "mass", value=properties.mass)
            self._put(3, "inertia", ixx=I[0, 0], ixy=I[0, 1], ixz=I[0, 2], iyy=I[1, 1], iyz=I[1, 2], izz=I[2, 2])
            self._end(2, "inertial")
        for tag, visuals in (("visual", look.visuals), ("collision", look.collisions)):
            for visual in visuals:
                self._visual(tag, visual, back)
        if body is not None and not body.visuals and not isinstance(body.shape, Explicit):  # which has no form
            for primitive in body.shape.outline():
                self._primitive(primitive, back, body.color)
        self._end(1, "link")

    def _visual(self, tag: str, visual: Visual, back: Pose) -> None:
        at = visual.placement()
        fields = {f: getattr(visual, f) for f in visual.__struct_fields__ if f not in ("position", "orientation", "color")}
        if "file" in fields:
            path = fields.pop("path")
            fields = {"filename": _from(self.folder, fields.pop("file"), path), "scale": fields["scale"]}
        self._form(tag, times(back, Pose(at.position, at.rotation)), str(visual.__struct_config__.tag), fields, visual.color)

    def _primitive(self, primitive: dict[str, Any], back: Pose, color: str | None) -> None:
        """A part of the drawing of a shape, if URDF has such a form."""
        kind = primitive["kind"]
        if kind == "box":
            at, fields = Pose(np.array(primitive["position"]), np.array(primitive["rotation"])), {"size": primitive["size"]}
        elif kind == "sphere":
            at, fields = Pose(np.array(primitive["centre"]), np.eye(3)), {"radius": primitive["radius"]}
        elif kind in ("segment", "cylinder", "capsule"):
            start, end = np.array(primitive["points"])
            length = float(np.linalg.norm(end - start))
            at, fields = Pose(0.5 * (start + end), triad((end - start) / length)), {"radius": primitive["radius"], "length": length}
            kind = "capsule" if kind == "capsule" else "cylinder"
        else:
            return
        self._form("visual", times(back, at), kind, fields, color)

    def _form(self, tag: str, at: Pose, form: str, fields: dict[str, Any], color: str | None) -> None:
        self._put(2, tag, close=False)
        self._put(3, "origin", xyz=at.position, rpy=rpy_of(at.rotation))
        self._put(3, "geometry", close=False)
        self._put(4, form, **fields)
        self._end(3, "geometry")
        rgba = _rgba(color)
        if rgba is not None and tag == "visual":
            self._put(3, "material", color, close=False)
            self._put(4, "color", rgba=rgba)
            self._end(3, "material")
        self._end(2, tag)

    # -- joints

    def _joint(self, branch: _Branch) -> None:
        joint, parent = branch.joint, self.root if branch.parent == GROUND else branch.parent
        origin = times(inverse(self.links[branch.parent]), branch.on_parent)
        if joint is None:
            self._hang(self.joints.new(f"{branch.body} free", "joint"), "floating", parent, branch.body, origin)
            return
        said, motion = self.said[joint.name], joint.kind.motion
        type, limit = _TYPES[motion], said["limit"]
        if motion == "revolute" and limit.keys() & {"lower", "upper"}:
            type = "revolute"
            limit = _UNBOUNDED | limit  # a bound that is left out would be zero
        elements: dict[str, dict[str, Any]] = {}
        if motion != "fixed":
            axis = getattr(joint.kind, "axis", "z")
            elements["axis"] = {"xyz": branch.sign * (joint.kind.axis_vector() if isinstance(axis, str) else np.array(axis))}
        if type == "prismatic":
            limit = _UNBOUNDED | limit
        if type in ("revolute", "prismatic"):
            limit = {"effort": _ENDLESS, "velocity": _ENDLESS} | limit
        if limit:
            elements["limit"] = {key: limit[key] for key in _LIMITS if key in limit}
        if any(said["dynamics"].values()):
            elements["dynamics"] = said["dynamics"]
        if joint.name in self.mimics:
            elements["mimic"] = self.mimics[joint.name]
        self._hang(joint.name, type, parent, branch.body, origin, elements)

    def _mount(self, frame: Frame) -> None:
        """The fixed joint that holds a link without mass."""
        parent = self.root if frame.body == GROUND else frame.body
        origin = times(inverse(self.links[frame.body]), frame.pose)
        self._hang(self.joints.new(f"{frame.name} mount", "joint"), "fixed", parent, frame.name, origin)

    def _hang(self, name: str, type: str, parent: str, child: str, origin: Pose, elements: dict[str, dict[str, Any]] | None = None) -> None:
        self._put(1, "joint", name, close=False, type=type)
        self._put(2, "origin", xyz=origin.position, rpy=rpy_of(origin.rotation))
        self._put(2, "parent", link=parent)
        self._put(2, "child", link=child)
        for tag, attributes in (elements or {}).items():
            self._put(2, tag, **attributes)
        self._end(1, "joint")


def rpy_of(R: np.ndarray) -> tuple[float, float, float]:
    """Roll, pitch and yaw [rad] with R = Rz(yaw) Ry(pitch) Rx(roll), to rounding everywhere.

    Where the pitch is a quarter turn, yaw and roll are about the same axis: whatever the yaw comes out as, the rest is found after it.
    """
    yaw = float(np.arctan2(R[1, 0], R[0, 0]))
    c, s = np.cos(yaw), np.sin(yaw)
    rest = np.array([[c, s, 0.0], [-s, c, 0.0], [0.0, 0.0, 1.0]]) @ R
    return float(np.arctan2(-rest[1, 2], rest[1, 1])), float(np.arctan2(-rest[2, 0], rest[0, 0])), yaw


def _same(a: Pose, b: Pose) -> bool:
    return bool(np.abs(a.position - b.position).max() <= 1e-15 and np.abs(a.rotation - b.rotation).max() <= 1e-15)


def _text(value: Any) -> str:
    """Numbers with as many digits as it takes to read back the same ones."""
    if isinstance(value, str):
        return value
    if np.ndim(value):
        return " ".join(_text(item) for item in value)
    return repr(float(value) + 0.0).removesuffix(".0")


def _from(folder: str, name: str, path: str | None) -> str:
    """The name of a mesh in a file of that folder: as it was, unless it is a relative path, which began elsewhere."""
    if path is None or "://" in name or os.path.isabs(name):
        return name
    return os.path.relpath(path, folder).replace(os.sep, "/")


def _rgba(color: str | None) -> tuple[float, ...] | None:
    """Four numbers from the name of a colour; None if it is none."""
    if color is None:
        return None
    from matplotlib.colors import is_color_like, to_rgba

    return tuple(round(part, 6) for part in to_rgba(color)) if is_color_like(color) else None
