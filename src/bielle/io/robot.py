"""What a URDF file says, element by element, as plain data: links, joints and how they are made. No word yet about the whole.

Elements that carry no mechanics are passed over (``_PASSED``); what is unknown is refused, since it may be a slip of the pen.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..errors import BielleError
from ..mechanism.description import Pose
from ..mechanism.mass import MassProperties
from ..mechanism.vectors import quaternion_to_matrix
from ..mechanism.visuals import Visual, VisualBox, VisualCapsule, VisualCylinder, VisualMesh, VisualSphere
from .inertia import impossible
from .xml import Element

__all__ = ["TYPES", "Limit", "Link", "Mimic", "Robot", "RobotJoint", "quaternion_of_rpy", "read_robot"]

TYPES = ("revolute", "continuous", "prismatic", "fixed", "floating", "planar")
_LONGEST = 80  # characters of a name in a message
_PASSED = {
    "robot": ("gazebo", "material", "mujoco", "ros2_control", "sensor", "transmission"),
    "link": ("audio_source", "contact", "gazebo", "self_collision_checking", "sensor"),
    "joint": ("calibration", "gazebo", "hardwareInterface", "safety_controller"),
}


@dataclass(frozen=True)
class Link:
    """A link; its frame is that of the joint it hangs on."""

    name: str
    element: Element
    mass: MassProperties | None  #: about its centre, in the axes of the link; None: it has no mass
    visuals: tuple[Visual, ...] = ()
    collisions: tuple[Visual, ...] = ()


@dataclass(frozen=True)
class Limit:
    """What a joint may do at most; None: nothing is said about it."""

    lower: float | None = None  #: [rad] or [m]
    upper: float | None = None
    effort: float | None = None  #: [N·m] or [N]
    velocity: float | None = None  #: [rad/s] or [m/s]


@dataclass(frozen=True)
class Mimic:
    """The joint follows another: q = multiplier · q_leader + offset."""

    leader: str
    multiplier: float
    offset: float
    element: Element


@dataclass(frozen=True)
class RobotJoint:
    """A joint between two links: of one of TYPES, or 'spherical', which URDF does not have."""

    name: str
    element: Element
    type: str
    parent: str
    child: str
    origin: Pose  #: of the child's frame in the parent's, in the zero position
    axis: tuple[float, ...]
    limit: Limit = field(default_factory=Limit)
    damping: float = 0.0  #: [N·m·s/rad] or [N·s/m]
    friction: float = 0.0  #: [N·m] or [N]
    stiffness: float = 0.0  #: of a spring in a hinge [N·m/rad] or slide [N/m]; URDF has none
    rest: float = 0.0  #: where it pulls to [rad]
    armature: float = 0.0  #: [kg·m²] or [kg]; URDF has none
    mimic: Mimic | None = None
    start: float = 0.0  #: where it stands unless told otherwise [rad] or [m]; in URDF at zero


@dataclass(frozen=True)
class Robot:
    """Links and joints by name."""

    name: str
    element: Element
    links: dict[str, Link]
    joints: dict[str, RobotJoint]
    format: str = "URDF"  #: of the file
    missing: Sequence[str] = ()  #: mechanics of the file that are not simulated, to be told


def read_robot(root: Element, resolve: Any, *, repair: bool = False) -> Robot:
    """The robot in a document.

    resolve  (element, name) tells where the file of a mesh is, or None
    repair   inertias that nothing can have are let pass, and a mass of zero is none
    """
    if root.tag != "robot":
        raise root.error('a URDF file begins with <robot name="…">. Is it another format, or a part of a file?')
    for element in _descendants(root):
        if element.tag.startswith("xacro:"):
            raise element.error("it is a macro of xacro, which is expanded first: `xacro robot.xacro > robot.urdf`.")
    root.owner = f"robot '{root.attributes['name'][:_LONGEST]}'" if "name" in root.attributes else ""
    root.check(("name", "version"), ("link", "joint"), _PASSED["robot"], ("force_element", "loop_joint"))
    colors = {m.attributes["name"]: c for m in _descendants(root) if m.tag == "material" and "name" in m.attributes and (c := _rgba(m))}
    links: dict[str, Link] = {}
    joints: dict[str, RobotJoint] = {}
    for table, tag in ((links, "link"), (joints, "joint")):
        for element in root.all(tag):
            name = element.text("name")
            for each in (element, *_descendants(element)):
                each.owner = f"{tag} '{name if len(name) <= _LONGEST else name[:_LONGEST] + '…'}'"
            if name in table:
                raise element.error(f"there is one of this name on line {table[name].element.line} already. Rename one of them.")
            made = _link(name, element, colors, resolve, repair) if tag == "link" else _joint(name, element)
            table[name] = made  # type: ignore[assignment]
    return Robot(root.attributes.get("name", "").strip() or "robot", root, links, joints)


def _descendants(element: Element) -> Iterator[Element]:
    pending = [element]
    while pending:
        children = pending.pop().children
        yield from children
        pending += children


# -- links


def _link(name: str, element: Element, colors: dict[str, str], resolve: Any, repair: bool) -> Link:
    element.check(("name", "type"), ("inertial", "visual", "collision"), _PASSED["link"])
    inertial = element.one("inertial")
    visuals = tuple(_visual(each, colors, resolve) for each in element.all("visual"))
    collisions = tuple(_visual(each, {}, resolve) for each in element.all("collision"))
    return Link(name, element, None if inertial is None else _mass(inertial, repair), visuals, collisions)


def _mass(inertial: Element, repair: bool) -> MassProperties | None:
    """Mass, centre and inertia in the axes of the link; None if everything is zero, which is how some files say that there is none."""
    inertial.check((), ("origin", "mass", "inertia"))
    mass, inertia = inertial.need("mass"), inertial.need("inertia")
    mass.check(("value",))
    inertia.check(("ixx", "ixy", "ixz", "iyy", "iyz", "izz"))
    value = mass.number("value")
    xx, yy, zz = (inertia.number(key) for key in ("ixx", "iyy", "izz"))
    xy, xz, yz = (inertia.number(key, 0.0) for key in ("ixy", "ixz", "iyz"))
    matrix = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    if value == 0.0 and (repair or not matrix.any()):
        if matrix.any():
            mass.notes.setdefault("inertia without mass", []).append(inertia.line)
        return None
    if value <= 0.0:
        raise mass.error(f"the mass must be positive, got {value:g} kg. A link without mass has no <inertial>.")
    reason = None if repair else impossible(matrix)
    if reason is not None:
        raise inertia.error(f"{reason}. Correct it, or let the nearest be taken that a body can have: repair_inertia=True.")
    at = _origin(inertial)
    return MassProperties(value, at.position, at.rotation @ matrix @ at.rotation.T)


def _visual(element: Element, colors: dict[str, str], resolve: Any) -> Visual:
    element.check(("name", "group"), ("origin", "geometry", "material"), ("contact_coefficients", "verbose"))
    at = element.one("origin")
    position, orientation = ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0)) if at is None else _placed(at)
    material = element.one("material")
    color = None if material is None else _rgba(material) or colors.get(material.attributes.get("name", ""))
    where = {"position": position, "orientation": orientation, "color": color}
    geometry = element.need("geometry")
    geometry.check((), tuple(_GEOMETRY))
    if len(geometry.children) != 1:
        raise geometry.error(f"it must hold one of {', '.join(f'<{tag}>' for tag in _GEOMETRY)}, got {len(geometry.children)} elements.")
    form = geometry.children[0]
    if form.tag not in _GEOMETRY:
        raise form.error(f"it is no form of URDF. Use one of {', '.join(f'<{tag}>' for tag in _GEOMETRY)}.")
    cls, numbers = _GEOMETRY[form.tag]
    form.check((*numbers, *(("filename", "scale") if cls is VisualMesh else ())))
    fields: dict[str, Any] = {key: form.numbers(key, 3) if key == "size" else form.number(key) for key in numbers}
    if cls is VisualMesh:
        name = form.text("filename")
        fields = {"file": name, "path": resolve(form, name), "scale": form.numbers("scale", 3, (1.0, 1.0, 1.0))}
    try:
        return cls(**fields, **where)
    except BielleError as error:
        raise form.error(str(error)) from None


_GEOMETRY: dict[str, tuple[Any, tuple[str, ...]]] = {
    "box": (VisualBox, ("size",)),
    "cylinder": (VisualCylinder, ("radius", "length")),
    "sphere": (VisualSphere, ("radius",)),
    "capsule": (VisualCapsule, ("radius", "length")),
    "mesh": (VisualMesh, ()),
}


def _rgba(material: Element) -> str | None:
    """The colour of a material as '#rrggbb', with two more digits if one can see through it."""
    color = material.one("color")
    if color is None:
        return None
    *rgb, alpha = color.numbers("rgba", 4)
    digits = [f"{round(255 * min(max(part, 0.0), 1.0)):02x}" for part in (*rgb, alpha)]
    return "#" + "".join(digits if alpha < 1.0 else digits[:3])


# -- joints


def _joint(name: str, element: Element) -> RobotJoint:
    element.check(("name", "type"), ("origin", "parent", "child", "axis", "limit", "dynamics", "mimic"), _PASSED["joint"])
    type = element.text("type")
    if type not in TYPES:
        raise element.error(f"there is no joint type '{type[:80]}'. Use one of: {', '.join(TYPES)}.")
    ends = {}
    for end in ("parent", "child"):
        found = element.need(end)
        found.check(("link",))
        ends[end] = found.text("link")
    damping, friction = _dynamics(element, type)
    return RobotJoint(
        name,
        element,
        type,
        **ends,
        origin=_origin(element),
        axis=_axis(element) if type not in ("fixed", "floating") else (1.0, 0.0, 0.0),
        limit=_limit(element, type),
        damping=damping,
        friction=friction,
        mimic=_mimic(element, name, type),
    )


def _axis(joint: Element) -> tuple[float, ...]:
    axis = joint.one("axis")
    if axis is None:
        return (1.0, 0.0, 0.0)
    axis.check(("xyz",))
    xyz = axis.numbers("xyz", 3, (1.0, 0.0, 0.0))
    if math.hypot(*xyz) < 1e-12:
        raise axis.error(f"the axis must not be the zero vector, got {xyz}. Give a direction.")
    return xyz


def _limit(joint: Element, type: str) -> Limit:
    """Its numbers. URDF says that a bound that is left out is zero; if both are, there is none: otherwise nothing could move."""
    limit = joint.one("limit")
    if limit is None:
        return Limit()
    limit.check(("lower", "upper", "effort", "velocity", "acceleration", "deceleration", "jerk"))
    given = {key: limit.number(key) for key in ("lower", "upper", "effort", "velocity") if key in limit.attributes}
    for key in ("effort", "velocity"):
        if given.get(key, 0.0) < 0.0:
            raise limit.error(f"the {key} must not be negative, got {given[key]:g}. Give its magnitude.")
    bounded = type in ("revolute", "prismatic") and ("lower" in given or "upper" in given)
    lower, upper = (given.pop("lower", 0.0), given.pop("upper", 0.0))
    if not bounded:
        return Limit(**given)
    if lower > upper:
        raise limit.error(f"lower must not exceed upper, got {lower:g} and {upper:g}. Exchange them.")
    return Limit(lower=lower, upper=upper, **given)


def _dynamics(joint: Element, type: str) -> tuple[float, float]:
    dynamics = joint.one("dynamics")
    if dynamics is None:
        return 0.0, 0.0
    dynamics.check(("damping", "friction"), refused=("armature", "spring_reference", "spring_stiffness", "stiffness"))
    found = []
    for key in ("damping", "friction"):
        value = dynamics.number(key, 0.0)
        if value < 0.0:
            raise dynamics.error(f"the {key} must not be negative, got {value:g}. Give a number >= 0.")
        if value > 0.0 and type in ("planar", "floating"):
            raise dynamics.error(f"URDF does not say what {key} means in a {type} joint. Remove it, and add a force in Python.")
        found.append(value if type != "fixed" else 0.0)
    return found[0], found[1]


def _mimic(joint: Element, name: str, type: str) -> Mimic | None:
    mimic = joint.one("mimic")
    if mimic is None:
        return None
    mimic.check(("joint", "multiplier", "offset"))
    leader = mimic.text("joint")
    if type == "fixed":  # which follows nothing
        return None
    if type not in ("revolute", "continuous", "prismatic"):
        raise mimic.error(f"a {type} joint has no single coordinate that could follow another. Remove it.")
    if leader == name:
        raise mimic.error("a joint cannot follow itself. Name another.")
    return Mimic(leader, mimic.number("multiplier", 1.0), mimic.number("offset", 0.0), mimic)


# -- places


def _origin(element: Element) -> Pose:
    """The <origin> of an element; without one, no displacement."""
    origin = element.one("origin")
    if origin is None:
        return Pose(np.zeros(3), np.eye(3))
    position, orientation = _placed(origin)
    return Pose(np.array(position), quaternion_to_matrix(orientation))


def _placed(origin: Element) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Position and quaternion (w, x, y, z)."""
    origin.check(("xyz", "rpy", "quat_xyzw"))
    position = origin.numbers("xyz", 3, (0.0, 0.0, 0.0))
    if "quat_xyzw" not in origin.attributes:
        return position, quaternion_of_rpy(*origin.numbers("rpy", 3, (0.0, 0.0, 0.0)))
    if "rpy" in origin.attributes:
        raise origin.error("it has rpy and quat_xyzw, which both say how it is turned. Remove one of them.")
    x, y, z, w = origin.numbers("quat_xyzw", 4)
    length = math.hypot(w, x, y, z)
    if length < 1e-12:
        raise origin.error("the quaternion must not be zero. Use 0 0 0 1 for no rotation.")
    return position, (w / length, x / length, y / length, z / length)


def quaternion_of_rpy(roll: float, pitch: float, yaw: float) -> tuple[float, float, float, float]:
    """(w, x, y, z) of the rotation Rz(yaw) Ry(pitch) Rx(roll): about the fixed axes x, then y, then z [rad]."""
    (a, b), (c, d), (e, f) = ((math.cos(0.5 * angle), math.sin(0.5 * angle)) for angle in (roll, pitch, yaw))
    return (a * c * e + b * d * f, b * c * e - a * d * f, a * d * e + b * c * f, a * c * f - b * d * e)
