"""MJCF, the format of MuJoCo: the part of it that is bodies on joints, read into the links and joints that URDF has too.

Bodies with an ``<inertial>``, or with the mass of their geoms; hinges, slides, balls and free bodies; damping, springs in hinges and
slides, friction and ranges, and flags that take these out; classes of defaults; all ways to say an orientation. Whatever else carries
mechanics is refused by name and line, or told if it is a spring or friction of a free body.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

import numpy as np

from ..calls import explained
from ..errors import BielleError, DescriptionError
from ..mechanism import mass as formulas
from ..mechanism.description import Pose
from ..mechanism.mass import MassProperties, Placement
from ..mechanism.mechanism import Mechanism
from ..mechanism.vectors import quaternion_of, quaternion_to_matrix, rotation, shown, triad
from ..mechanism.visuals import Visual, VisualBox, VisualCapsule, VisualCylinder, VisualMesh, VisualSphere
from . import including, xml
from .building import built
from .inertia import impossible
from .meshes import Meshes
from .robot import Limit, Link, Robot, RobotJoint
from .tree import WORLD, Names, inverse, times
from .xml import Element

__all__ = ["load_mjcf"]

_PLACE = ("pos", "quat", "axisangle", "euler", "xyaxes", "zaxis")
_TOP = ("compiler", "option", "default", "worldbody", "actuator")
_TOP_PASSED = ("asset", "contact", "custom", "keyframe", "sensor", "size", "statistic", "visual")
_TOP_REFUSED = ("deformable", "equality", "extension", "tendon")
_IGNORABLE = ("actuator", "deformable", "equality", "extension", "medium", "tendon")
_OPTION = ("gravity", "density", "viscosity")
_OPTION_PASSED = (  # numerics and contacts; magnetic: of sensors; wind: of a medium, without which it does nothing
    "actuatorgroupdisable", "apirate", "ccd_iterations", "ccd_tolerance", "collision", "cone", "impratio", "integrator", "iterations",
    "jacobian", "ls_iterations", "ls_tolerance", "magnetic", "mpr_iterations", "mpr_tolerance", "noslip_iterations", "noslip_tolerance",
    "o_friction", "o_margin", "o_solimp", "o_solref", "sdf_initpoints", "sdf_iterations", "sleep_tolerance", "solver", "timestep",
    "tolerance", "wind",
)  # fmt: skip
_FLAGS = ("gravity", "passive", "spring", "damper", "constraint", "limit", "frictionloss", "equality", "actuation")
_FLAGS_PASSED = (
    "autoreset", "clampctrl", "contact", "energy", "eulerdamp", "filterparent", "fwdinv", "invdiscrete", "island", "midphase", "multiccd",
    "nativeccd", "override", "refsafe", "sensor", "sensornoise", "sleep", "warmstart",
)  # fmt: skip
_FLAG_OF = {"equality": "equality", "actuator": "actuation"}  # which takes out an element as a whole
_BODY = ("inertial", "joint", "freejoint", "geom", "site", "body", "camera", "light")
_BODY_REFUSED = ("attach", "composite", "flexcomp", "frame", "include", "plugin", "replicate")
_COMPILER = ("angle", "coordinate", "eulerseq", "meshdir", "assetdir", "autolimits", "inertiafromgeom", "settotalmass")
_COMPILER_PASSED = ("alignfree", "convexhull", "discardvisual", "exactmeshinertia", "fitaabb", "fusestatic", "saveinertial", "strippath")
_COMPILER_PASSED += ("texturedir", "usethread")
_COMPILER_REFUSED = ("balanceinertia", "boundinertia", "boundmass", "inertiagrouprange")
_JOINT = ("name", "class", "type", "pos", "axis", "range", "limited", "damping", "stiffness", "springref", "frictionloss", "armature")
_JOINT += ("ref",)
_JOINT_PASSED = (
    "actuatorfrclimited", "actuatorfrcrange", "actuatorgravcomp", "group", "margin", "solimpfriction", "solimplimit", "solreffriction",
    "solreflimit", "user",
)  # fmt: skip
_JOINT_REFUSED = ("springdamper",)
_GEOM = ("name", "class", "type", "size", "fromto", "mass", "density", "rgba", "contype", "conaffinity", "mesh", *_PLACE)
_GEOM_PASSED = (
    "condim", "fitscale", "fluidcoef", "fluidshape", "friction", "gap", "group", "hfield", "margin", "material", "priority",
    "solimp", "solmix", "solref", "user",
)  # fmt: skip
_GEOM_REFUSED = ("shellinertia",)
_SIZES = {"sphere": 1, "capsule": 2, "cylinder": 2, "box": 3, "ellipsoid": 3}


@explained
def load_mjcf(
    path_or_text: Any,
    *,
    merge_fixed: bool = False,
    limits: bool = False,
    repair_inertia: bool = False,
    ignore: Iterable[str] = (),
    positions: Any = MappingProxyType({}),
    velocities: Any = MappingProxyType({}),
    max_bytes: int = xml.MAX_BYTES,
) -> Mechanism:
    """The mechanism of an MJCF file, or of its text, as far as it is bodies on joints; see :func:`load_urdf` for the options.

    ignore  what is left out although it carries mechanics: 'actuator', 'tendon', 'equality', 'deformable', 'extension', and 'medium', the
            air or water of ``<option density=… viscosity=… wind=…>``

    Geoms do not touch each other: there is no contact in bielle. Files that it includes are looked for in its folder.
    """
    ignored = {ignore} if isinstance(ignore, str) else {*ignore}
    if ignored - {*_IGNORABLE}:
        raise DescriptionError(f"ignore must be some of {', '.join(_IGNORABLE)}, got {shown(ignore)}.")
    source, path, content = xml.source_and_content(path_or_text, "mjcf", max_bytes)
    root = xml.parse(content, source)
    if root.tag != "mujoco":
        raise root.error("an MJCF file begins with <mujoco>. Is it another format, or a part of a file?")
    meshes = Meshes(None if path is None else os.path.dirname(path))
    including.expand(root, meshes.folders, max_bytes)
    root.children = [child for child in root.children if child.tag not in ignored]
    reader = _Reader(root, meshes, repair_inertia, medium="medium" not in ignored)
    robot = reader.robot()
    return built(
        robot,
        reader.meshes,
        base="fixed",
        gravity=reader.gravity,
        merge_fixed=merge_fixed,
        limits=limits,
        repair_inertia=repair_inertia,
        positions=positions,
        velocities=velocities,
    )


@dataclass
class _Found:
    """What belongs to a body, or to the world."""

    masses: list[tuple[MassProperties, Placement]] = field(default_factory=list)
    visuals: list[Visual] = field(default_factory=list)
    collisions: list[Visual] = field(default_factory=list)


class _Reader:
    """Reads a document; bodies become links below the world."""

    def __init__(self, root: Element, meshes: Meshes, repair: bool, medium: bool) -> None:
        self.root, self.meshes, self.repair = root, meshes, repair
        option = self._merged(root, "option")
        option.check((*_OPTION, *_OPTION_PASSED), ("flag",))
        self.off = self._switched_off(option)
        root.children = [child for child in root.children if _FLAG_OF.get(child.tag) not in self.off]
        for child in root.children:
            if child.tag in _TOP_REFUSED:
                raise child.error(f"it carries mechanics that are not read and would be missing. Leave it out: ignore='{child.tag}'.")
        root.check(("model",), _TOP, _TOP_PASSED)
        self.compiler = self._merged(root, "compiler")
        self.compiler.check((*_COMPILER, *_COMPILER_PASSED), ("lengthrange",), refused=_COMPILER_REFUSED)
        self.unit = math.pi / 180.0 if self._word(self.compiler, "angle", ("degree", "radian")) == "degree" else 1.0
        self._word(self.compiler, "coordinate", ("local",))
        self.autolimits = self._word(self.compiler, "autolimits", ("true", "false")) == "true"
        self.from_geoms = self._word(self.compiler, "inertiafromgeom", ("auto", "true", "false"))
        for name in ("density", "viscosity"):
            if any(option.numbers(name, 1, (0.0,))) and "passive" not in self.off and medium:
                raise option.error(f"a medium with {name} is not simulated, and its drag would be missing. Leave it out: ignore='medium'.")
        gravity = option.numbers("gravity", 3, (0.0, 0.0, -9.81))
        self.gravity = (0.0, 0.0, 0.0) if "gravity" in self.off else gravity
        for actuator in (child for each in root.all("actuator") for child in each.children):
            if actuator.tag != "motor":  # which does nothing without control
                raise actuator.error(
                    "actuators other than <motor> act by themselves, and are not read. "
                    "Leave it out, ignore='actuator', and add a force in Python."
                )
        self.defaults: dict[str, dict[str, dict[str, str]]] = {"main": {}}
        for each in root.all("default"):
            self._read_defaults(each, {}, top=True)
        folder = self.compiler.attributes.get("meshdir", self.compiler.attributes.get("assetdir", ""))
        files = [each for asset in root.all("asset") for each in asset.all("mesh") if "file" in each.attributes]
        self.files = {each.attributes.get("name", _stem(each.attributes["file"])): (each, folder) for each in files}
        self.links: dict[str, Link] = {}
        self.joints: dict[str, RobotJoint] = {}
        self.missing: list[str] = []
        self.taken = Names((WORLD,))
        self.taken_joints = Names()

    def robot(self) -> Robot:
        worlds = list(self.root.all("worldbody"))
        if not worlds:
            raise self.root.error("the element <worldbody> is missing. Add it.")
        self.links[WORLD] = Link(WORLD, worlds[0], None)
        found = _Found()
        pending = []
        for world in worlds:
            world.owner = "worldbody"
            world.check((), tuple(tag for tag in _BODY if tag not in ("inertial", "joint", "freejoint")), refused=_BODY_REFUSED)
            pending += [(body, WORLD, "main") for body in world.all("body")]
            self._add_geoms(world, "main", found, weigh=False)
            self._add_sites(world, WORLD, "main")
        self.links[WORLD] = Link(WORLD, worlds[0], None, tuple(found.visuals), tuple(found.collisions))
        for body, parent, childclass in pending:  # grows as bodies are read
            pending += self._add_body(body, parent, childclass)
        self.root.owner = ""
        self._scale(self.compiler.number("settotalmass", -1.0))
        return Robot(self.root.attributes.get("model", "").strip() or "mjcf", self.root, self.links, self.joints, "MJCF", self.missing)

    # -- bodies

    def _add_body(self, element: Element, parent: str, childclass: str) -> list[tuple[Element, str, str]]:
        """Add a body with its joint, geoms and sites; returns the bodies in it."""
        name = self.taken.new(element.attributes.get("name", "").strip() or "body", "body")
        for each in (element, *(child for child in element.children if child.tag != "body")):
            each.owner = f"body '{name[:80]}'"
        refused = ("mocap",) if "passive" in self.off or not any(self.gravity) else ("mocap", "gravcomp")
        element.check(("name", "childclass", "user", "sleep", "gravcomp", *_PLACE), _BODY, refused=(*_BODY_REFUSED, *refused))
        childclass = element.attributes.get("childclass", childclass)
        inertial = element.one("inertial")
        found = _Found()
        weigh = self.from_geoms == "true" or (self.from_geoms == "auto" and inertial is None)
        self._add_geoms(element, childclass, found, weigh)
        if weigh:
            mass = formulas.combine(found.masses) if found.masses else None
        else:
            mass = None if inertial is None else self._inertial(inertial)
        self.links[name] = Link(name, element, mass, tuple(found.visuals), tuple(found.collisions))
        self._hang(element, name, parent, childclass)
        self._add_sites(element, name, childclass)
        return [(each, name, childclass) for each in element.all("body")]

    def _hang(self, element: Element, name: str, parent: str, childclass: str) -> None:
        """The joints of a body, one after the other from its parent to it, with links without mass between them; without any, a weld."""
        origin = self._pose(element)
        joints = [self._kind_of(self._with_defaults(each, childclass), name) for tag in ("freejoint", "joint") for each in element.all(tag)]
        if not joints:
            self._join(RobotJoint(self._joint_name(f"{name} weld"), element, "fixed", parent, name, origin, (1.0, 0.0, 0.0)))
            return
        if any(kind == "free" for _, _, kind in joints):
            joint, called, _ = joints[0]
            if len(joints) > 1:
                raise joint.error(f"body '{name}' has {len(joints)} joints, but what is free has no other. Remove some.")
            numbers = self._resistance(joint)
            if numbers["armature"] > 0.0:
                raise joint.error("armatures are not read in a free body. Remove armature.")
            lost = [key for key in ("stiffness", "frictionloss") if numbers[key] > 0.0]
            self.missing += [f"{key} of the free joint '{called[:80]}' (line {joint.line})" for key in lost]
            self._join(RobotJoint(called, joint, "floating", parent, name, origin, (1.0, 0.0, 0.0), damping=numbers["damping"]))
            return
        last = np.zeros(3)  # where the joint before is, in the frame of the body
        for i, (joint, called, kind) in enumerate(joints):
            anchor = np.array(joint.numbers("pos", 3, (0.0, 0.0, 0.0)))
            at = Pose(anchor - last, np.eye(3)) if i else Pose(origin.point(anchor), origin.rotation)
            child = name
            if i < len(joints) - 1 or anchor.any():  # the next joint, or the body, is elsewhere: a link without mass stands here
                child = self.taken.new(f"{called} anchor", "link")
                self.links[child] = Link(child, joint, None)
            self._join(self._joint(called, joint, kind, parent, child, at))
            parent, last = child, anchor
        if parent != name:
            back = inverse(Pose(last, np.eye(3)))
            self._join(RobotJoint(self._joint_name(f"{parent} weld"), element, "fixed", parent, name, back, (1.0, 0.0, 0.0)))

    def _kind_of(self, joint: Element, body: str) -> tuple[Element, str, str]:
        """A joint, its name and its kind."""
        free = joint.tag == "freejoint"
        if not free:
            joint.check(_JOINT, (), (), _JOINT_REFUSED)
        called = self._joint_name(joint.attributes.get("name", "").strip() or f"{body} {'free' if free else 'joint'}")
        joint.owner = f"joint '{called[:80]}'"
        return joint, called, "free" if free else self._word(joint, "type", ("hinge", "slide", "ball", "free"))

    def _joint(self, called: str, joint: Element, kind: str, parent: str, child: str, at: Pose) -> RobotJoint:
        axis = joint.numbers("axis", 3, (0.0, 0.0, 1.0))
        if math.hypot(*axis) < 1e-12:
            raise joint.error(f"the axis must not be the zero vector, got {axis}. Give a direction.")
        numbers = self._resistance(joint)
        if kind not in ("hinge", "slide") and numbers["stiffness"] > 0.0:
            raise joint.error(
                f"springs are read in hinges and slides only, got stiffness in a {kind}. Remove it, and add a force in Python."
            )
        for key, what in (("frictionloss", "friction is"), ("armature", "armatures are")):
            if kind == "ball" and numbers[key] > 0.0:
                raise joint.error(f"{what} not read in a ball. Remove {key}.")
        unit = self.unit if kind == "hinge" else 1.0
        start = 0.0 if kind == "ball" else unit * joint.number("ref", 0.0)  # what the joint shows as it is described
        if start != 0.0:
            along = np.array(axis) / math.hypot(*axis)
            back = Pose(np.zeros(3), quaternion_to_matrix(rotation(along, -start))) if kind == "hinge" else Pose(-start * along, np.eye(3))
            at = times(at, back)
        return RobotJoint(
            called,
            joint,
            {"hinge": "continuous", "slide": "prismatic", "ball": "spherical"}[kind],
            parent,
            child,
            at,
            axis,
            limit=self._limit(joint, unit) if kind != "ball" and "limit" not in self.off else Limit(),
            damping=numbers["damping"],
            friction=numbers["frictionloss"],
            stiffness=numbers["stiffness"],
            rest=unit * joint.number("springref", 0.0),
            armature=numbers["armature"],
            start=start,
        )

    def _resistance(self, joint: Element) -> dict[str, float]:
        """What a joint does by itself, as far as flags leave it in."""
        numbers = {key: joint.number(key, 0.0) for key in ("damping", "stiffness", "frictionloss", "armature")}
        for key, value in numbers.items():
            if value < 0.0:
                raise joint.error(f"the {key} must not be negative, got {value:g}. Give a number >= 0.")
        for key, flag in (("stiffness", "spring"), ("damping", "damper"), ("frictionloss", "frictionloss")):
            if flag in self.off:
                numbers[key] = 0.0
        return numbers

    def _limit(self, joint: Element, unit: float) -> Limit:
        limited = self._word(joint, "limited", ("auto", "true", "false"))
        if "range" not in joint.attributes or limited == "false" or (limited == "auto" and not self.autolimits):
            return Limit()
        lower, upper = (unit * x for x in joint.numbers("range", 2))
        if lower > upper:
            raise joint.error(f"range must go from the lower to the upper limit, got {joint.attributes['range']!r}. Exchange them.")
        return Limit(lower=lower, upper=upper)

    def _join(self, joint: RobotJoint) -> None:
        self.joints[joint.name] = joint

    def _joint_name(self, wanted: str) -> str:
        return self.taken_joints.new(wanted, "joint")

    def _add_sites(self, element: Element, name: str, childclass: str) -> None:
        """Sites with a name are links without mass: frames."""
        for site in element.all("site"):
            if site.attributes.get("name", "").strip():
                called = self.taken.new(site.attributes["name"].strip(), "site")
                pose = self._pose(self._with_defaults(site, childclass))
                self.links[called] = Link(called, site, None)
                self._join(RobotJoint(self._joint_name(f"{called} weld"), site, "fixed", name, called, pose, (1.0, 0.0, 0.0)))

    # -- mass

    def _scale(self, wanted: float) -> None:
        """Let all bodies together have that mass [kg], if it is positive."""
        total = math.fsum(link.mass.mass for link in self.links.values() if link.mass is not None)
        if wanted > 0.0 and total > 0.0:
            for name, link in self.links.items():
                if link.mass is not None:
                    scaled = MassProperties(wanted / total * link.mass.mass, link.mass.centre, wanted / total * link.mass.inertia)
                    self.links[name] = replace(link, mass=scaled)

    def _inertial(self, element: Element) -> MassProperties:
        element.check(("mass", "diaginertia", "fullinertia", *_PLACE))
        mass = element.number("mass")
        if mass <= 0.0:
            raise element.error(f"the mass must be positive, got {mass:g} kg. Leave out <inertial> if there is none.")
        if "fullinertia" in element.attributes:
            xx, yy, zz, xy, xz, yz = element.numbers("fullinertia", 6)
            matrix = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        else:
            matrix = np.diag(element.numbers("diaginertia", 3))
        reason = None if self.repair else impossible(matrix)
        if reason is not None:
            raise element.error(f"{reason}. Correct it, or let the nearest be taken that a body can have: repair_inertia=True.")
        at = self._pose(element)
        return MassProperties(mass, at.position, at.rotation @ matrix @ at.rotation.T)

    def _add_geoms(self, element: Element, childclass: str, found: _Found, weigh: bool) -> None:
        for given in element.all("geom"):
            geom = self._with_defaults(given, childclass)
            geom.owner = element.owner
            geom.check(_GEOM, ("plugin",), (), _GEOM_REFUSED)
            kind = geom.attributes.get("type", "mesh" if "mesh" in geom.attributes else "sphere")
            massless = geom.attributes.get("mass", "").strip() in ("0", "0.0")
            if kind in ("plane", "hfield"):  # of the world only
                continue
            if kind == "mesh":
                if weigh and not massless:
                    raise geom.error('the mass of a mesh is not computed. Give the body an <inertial>, or the geom mass="0".')
                visual = self._mesh(geom)
            elif kind in _SIZES:
                size, at = self._size(geom, kind)
                visual = _visual(geom, kind, size, at)
                if weigh and not massless:
                    found.masses.append((_solid(geom, kind, size), Placement(at.position, at.rotation)))
            else:
                raise geom.error(f"geoms of the type '{kind[:80]}' are not read. Use one of: {', '.join(_SIZES)}, mesh, plane.")
            if visual is not None:
                found.visuals.append(visual)
                if geom.number("contype", 1.0) or geom.number("conaffinity", 1.0):
                    found.collisions.append(visual)

    def _size(self, geom: Element, kind: str) -> tuple[tuple[float, ...], Pose]:
        """Radius and half length, or half sizes, and where it is."""
        words = geom.attributes.get("size", "").split()
        if "fromto" not in geom.attributes:
            size = geom.numbers("size", len(words) if len(words) > _SIZES[kind] else _SIZES[kind])[: _SIZES[kind]]
            at = self._pose(geom)
        elif kind in ("capsule", "cylinder"):
            ends = np.array(geom.numbers("fromto", 6)).reshape(2, 3)
            length = float(np.linalg.norm(ends[1] - ends[0]))
            if length < 1e-12:
                raise geom.error("the two points of fromto must differ. Move one of them.")
            size = (geom.numbers("size", max(len(words), 1))[0], 0.5 * length)
            at = Pose(ends.mean(axis=0), triad((ends[1] - ends[0]) / length))
        else:
            raise geom.error(f"fromto is read for capsules and cylinders, got a {kind}. Give pos, size and an orientation.")
        if min(size) <= 0.0:
            raise geom.error(f"sizes must be positive, got {geom.attributes.get('size')!r}. Correct them.")
        return size, at

    def _mesh(self, geom: Element) -> Visual | None:
        name = geom.text("mesh")
        if name not in self.files:
            raise geom.error(f"there is no mesh '{name[:80]}' with a file among the assets. Add it, or remove the geom.")
        asset, folder = self.files[name]
        file = os.path.join(folder, asset.attributes["file"])
        at = self._pose(geom)
        scale = asset.numbers("scale", 3, (1.0, 1.0, 1.0))
        where = {"position": tuple(at.position.tolist()), "orientation": quaternion_of(at.rotation), "color": _color(geom)}
        return VisualMesh(file=file, path=self.meshes.resolve(geom, file), scale=scale, **where)

    # -- words, places, defaults

    def _word(self, element: Element, name: str, words: tuple[str, ...]) -> str:
        """One of some words; the first unless it is said."""
        word = element.attributes.get(name, words[0]).strip()
        if word not in words:
            raise element.error(f"the attribute '{name}' must be one of {', '.join(words)}, got '{word[:80]}'. Use one of these.")
        return word

    def _pose(self, element: Element) -> Pose:
        given = [key for key in _PLACE[1:] if key in element.attributes]
        if len(given) > 1:
            raise element.error(f"{given[0]} and {given[1]} both say how it is turned. Remove one of them.")
        position = np.array(element.numbers("pos", 3, (0.0, 0.0, 0.0)))
        return Pose(position, self._rotation(element, given[0]) if given else np.eye(3))

    def _rotation(self, element: Element, how: str) -> np.ndarray:
        numbers = element.numbers(how, {"quat": 4, "axisangle": 4, "euler": 3, "xyaxes": 6, "zaxis": 3}[how])
        try:
            if how == "quat":
                return quaternion_to_matrix(_nonzero(numbers))
            if how == "axisangle":
                return quaternion_to_matrix(rotation(numbers[:3], self.unit * numbers[3]))
            if how == "euler":
                return self._euler(numbers)
            if how == "zaxis":
                return _from_z(np.array(_nonzero(numbers)))
            x, y = np.array(_nonzero(numbers[:3])), np.array(numbers[3:])
            y = np.array(_nonzero(tuple(y - (x @ y) * x)))
            return np.column_stack([x, y, np.cross(x, y)])
        except BielleError as error:
            raise element.error(f"the attribute '{how}': {error}") from None
        except ValueError:
            raise element.error(f"the attribute '{how}' must not be zero, got {element.attributes[how]!r}. Give a direction.") from None

    def _euler(self, angles: tuple[float, ...]) -> np.ndarray:
        """Turns about axes that turn along (small letters of eulerseq) or stay (capitals)."""
        sequence = self.compiler.attributes.get("eulerseq", "xyz")
        if len(sequence) != 3 or {*sequence.lower()} - {*"xyz"}:
            raise self.compiler.error(f"eulerseq must be three of x, y, z, X, Y, Z, got '{sequence[:80]}'. Correct it.")
        R = np.eye(3)
        for letter, angle in zip(sequence, angles):
            turn = quaternion_to_matrix(rotation(letter.lower(), self.unit * angle))
            R = R @ turn if letter.islower() else turn @ R
        return R

    def _switched_off(self, option: Element) -> set[str]:
        """What flags disable, as far as it is read here.

        Earlier versions of MuJoCo have 'passive' for what is now 'spring' and 'damper': both together take out all passive forces.
        """
        flags = self._merged(option, "flag")
        flags.check((*_FLAGS, *_FLAGS_PASSED))
        off = {name for name in _FLAGS if self._word(flags, name, ("enable", "disable")) == "disable"}
        if "constraint" in off:
            off |= {"limit", "frictionloss", "equality"}
        if "passive" in off or {"spring", "damper"} <= off:
            off |= {"passive", "spring", "damper"}
        return off

    def _merged(self, root: Element, tag: str) -> Element:
        """All elements of that tag as one."""
        found = list(root.all(tag))
        merged = Element(tag, {}, found[0].line if found else root.line, root.source, root.notes)
        for each in found:
            merged.attributes |= each.attributes
            merged.children += each.children
        return merged

    def _read_defaults(self, element: Element, above: dict[str, dict[str, str]], top: bool = False) -> None:
        name = element.attributes.get("class", "main") if top else element.text("class")
        own = {tag: dict(attributes) for tag, attributes in above.items()}
        for child in element.children:
            if child.tag in ("joint", "geom", "site"):
                own.setdefault(child.tag, {}).update(child.attributes)
        self.defaults[name] = own
        for child in element.all("default"):
            self._read_defaults(child, own)

    def _with_defaults(self, element: Element, childclass: str) -> Element:
        """The element with what its class says where it says nothing itself, and without what is passed over."""
        name = element.attributes.get("class", childclass)
        if name not in self.defaults:
            raise element.error(f"there is no class '{name[:80]}' among the defaults. Add it, or correct the name.")
        own = self.defaults[name].get(element.tag, {})
        ways = [key for key in (*_PLACE[1:], "fromto") if key in element.attributes]
        own = {key: value for key, value in own.items() if not (ways and key in (*_PLACE[1:], "fromto"))}
        attributes = {k: v for k, v in (own | element.attributes).items() if k not in (*_JOINT_PASSED, *_GEOM_PASSED)}
        full = Element(element.tag, attributes, element.line, element.source, element.notes)
        full.children, full.owner = element.children, element.owner
        return full


def _solid(geom: Element, kind: str, size: tuple[float, ...]) -> MassProperties:
    """Mass and inertia of a geom in its own axes, from its mass or density (1000 kg/m³)."""
    if kind == "sphere":
        volume, unit = 4.0 / 3.0 * math.pi * size[0] ** 3, formulas.ball_inertia(1.0, size[0])
    elif kind == "box":
        volume, unit = 8.0 * math.prod(size), formulas.box_inertia(1.0, *(2.0 * x for x in size))
    elif kind == "ellipsoid":
        a, b, c = (x * x / 5.0 for x in size)
        volume, unit = 4.0 / 3.0 * math.pi * math.prod(size), np.diag([b + c, a + c, a + b])
    else:
        radius, length = size[0], 2.0 * size[1]
        volume = math.pi * radius**2 * (length + (4.0 / 3.0 * radius if kind == "capsule" else 0.0))
        about_x = (formulas.capsule_inertia if kind == "capsule" else formulas.cylinder_inertia)(1.0, length, radius)
        unit = np.diag(np.diag(about_x)[[1, 2, 0]])  # along z here
    mass = geom.number("mass") if "mass" in geom.attributes else geom.number("density", 1000.0) * volume
    if mass <= 0.0:
        raise geom.error(f'the mass must be positive, got {mass:g} kg. Give mass="0" to a geom that has none.')
    return MassProperties(mass, np.zeros(3), mass * unit)


def _visual(geom: Element, kind: str, size: tuple[float, ...], at: Pose) -> Visual | None:
    where: dict[str, Any] = {"position": tuple(at.position.tolist()), "orientation": quaternion_of(at.rotation), "color": _color(geom)}
    if kind == "sphere":
        return VisualSphere(radius=size[0], **where)
    if kind == "box":
        return VisualBox(size=tuple(2.0 * x for x in size), **where)
    if kind == "ellipsoid":
        return None  # there is no such form
    return (VisualCapsule if kind == "capsule" else VisualCylinder)(radius=size[0], length=2.0 * size[1], **where)


def _color(geom: Element) -> str | None:
    if "rgba" not in geom.attributes:
        return None
    return "#" + "".join(f"{round(255 * min(max(x, 0.0), 1.0)):02x}" for x in geom.numbers("rgba", 4)[:3])


def _nonzero(numbers: tuple[float, ...]) -> tuple[float, ...]:
    """The numbers over their length."""
    length = math.hypot(*numbers)
    if length < 1e-12:
        raise ValueError
    return tuple(x / length for x in numbers)


def _from_z(z: np.ndarray) -> np.ndarray:
    """The shortest rotation that brings the z axis to a unit vector."""
    if z[2] < -1.0 + 1e-12:
        return np.diag([1.0, -1.0, -1.0])
    x, y, w = -z[1], z[0], 1.0 + z[2]
    return quaternion_to_matrix((w, x, y, 0.0))


def _stem(file: str) -> str:
    return os.path.splitext(os.path.basename(file))[0]
