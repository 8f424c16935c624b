"""From links and joints to a mechanism, whatever format they come from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np

from ..errors import BielleError, DescriptionError, FileError, warn
from ..forces import JointDamping, LinearMotor, TorsionSpring
from ..joints import Fixed, Gear, Planar, Prismatic, Revolute, Spherical
from ..mechanism.description import GROUND, Pose
from ..mechanism.mass import Placement, combine
from ..mechanism.mechanism import Mechanism
from ..mechanism.shapes import massless, rigid
from ..mechanism.vectors import quaternion_of, shown
from .inertia import repaired, unfit
from .limits import add_stops
from .meshes import Meshes
from .robot import Robot, RobotJoint
from .start import started
from .tree import WORLD, Names, Plan, names, plan, times
from .xml import Element

__all__ = ["built"]

_BASES = ("fixed", "free")
_TOLD = 6  # notes of one sort in a warning
_HERE = Pose(np.zeros(3), np.eye(3))


def built(
    robot: Robot,
    meshes: Meshes,
    *,
    base: str,
    gravity: Any,
    merge_fixed: bool,
    limits: bool,
    repair_inertia: bool,
    positions: Mapping[str, float],
    velocities: Mapping[str, float],
) -> Mechanism:
    """The mechanism; see :func:`bielle.load_urdf` for the options. Warnings tell what was passed over, changed or not found."""
    if base not in _BASES:
        raise DescriptionError(f"base must be 'fixed' or 'free', got {shown(base)}. Use one of these.")
    made = plan(robot, base, merge_fixed)
    if base == "free" and made.root == WORLD:
        raise robot.links[WORLD].element.error("a root link of this name is the ground, which is never free. Leave out base='free'.")
    builder = _Builder(robot, made, gravity, repair_inertia)
    builder.add_bodies(positions, velocities)
    builder.add_frames()
    builder.add_joints(base)
    builder.couple_joints()
    if limits:
        add_stops(builder.mechanism, robot, made, builder.joints, builder.new_name)
    for note in (*_passed_over(robot), *_few(builder.repaired, "inertia changed to one that a body can have: "), *_unfound(meshes)):
        warn(f"{robot.element.source}: {note}")
    builder.mechanism.mesh_folders = meshes.folders
    return builder.mechanism


class _Builder:
    """Puts a mechanism together, part by part; whatever a part does not accept is told with its line."""

    def __init__(self, robot: Robot, made: Plan, gravity: Any, repair: bool) -> None:
        self.robot, self.made, self.repair = robot, made, repair
        self.repaired: list[str] = []  # bodies whose inertia is not that of the file
        self.links, self.joints = names(robot)  # what they are called in the mechanism
        self.taken = Names((GROUND, *self.links.values(), *self.joints.values()))
        self.mechanism = Mechanism(gravity, name=robot.name)

    def add_bodies(self, positions: Any, velocities: Any) -> None:
        poses, twists = started(self.robot, self.made, self.joints, positions, velocities)
        for name in self.made.masses:
            link, twist = self.robot.links[name], twists[name]
            start = _numbers(poses[name], "position", "orientation")
            if velocities:
                start |= {"velocity": twist.linear, "angular_velocity": twist.angular}
            with _blamed(link.element):
                self.mechanism.add_body(self.links[name], self._shape(name), **start, visuals=link.visuals, collisions=link.collisions)

    def add_frames(self) -> None:
        for name, (body, place) in self.made.places.items():
            link, at = self.robot.links[name], _numbers(place, "local", "orientation")
            if name not in self.made.masses:
                with _blamed(link.element):
                    self.mechanism.add_frame(self.links[name], self._body(body), **at, visuals=link.visuals, collisions=link.collisions)

    def add_joints(self, base: str) -> None:
        root = self.made.root
        if base == "fixed" and root in self.made.masses:
            at = _numbers(_HERE, "at_a", "axes_a") | _numbers(_HERE, "at_b", "axes_b")
            self.mechanism.add_joint(self.new_name(f"{self.links[root]} base"), Fixed(), GROUND, self.links[root], **at)
        for joint in self.made.joints:
            name = self.joints[joint.name]
            with _blamed(joint.element):
                self._add_joint(joint, name)
                if joint.stiffness > 0.0:
                    slides = joint.type == "prismatic"  # along which a motor with a constant target is a spring
                    spring = (LinearMotor if slides else TorsionSpring)(
                        stiffness=joint.stiffness, **{"target" if slides else "angle": joint.rest}
                    )
                    self.mechanism.add_force(self.new_name(f"{name} spring"), spring, joint=name)
                if joint.damping > 0.0 and joint.type == "floating":
                    kind = JointDamping(coefficient=joint.damping, translational=joint.damping)
                    self.mechanism.add_force(self.new_name(f"{name} damping"), kind, *self._bodies(joint), **self._places(joint))
                elif joint.damping > 0.0:
                    kind = JointDamping(**{"translational" if joint.type == "prismatic" else "coefficient": joint.damping})
                    self.mechanism.add_force(self.new_name(f"{name} damping"), kind, joint=name)
                if joint.armature > 0.0:
                    self.mechanism.add_rotor(self.new_name(f"{name} rotor"), name, joint.armature)

    def _add_joint(self, joint: RobotJoint, name: str) -> None:
        """Join two bodies with the frames of the joint on both; a floating joint leaves them alone."""
        if joint.type == "floating":
            return
        self.mechanism.add_joint(name, _kind(joint), *self._bodies(joint), **self._places(joint))

    def _bodies(self, joint: RobotJoint) -> tuple[str, str]:
        """Those that a joint is between."""
        return self._body(self.made.places[joint.parent][0]), self._body(self.made.places[joint.child][0])

    def _places(self, joint: RobotJoint) -> dict[str, Any]:
        """The frames of a joint on them."""
        (_, on_a), (_, on_b) = self.made.places[joint.parent], self.made.places[joint.child]
        return _numbers(times(on_a, joint.origin), "at_a", "axes_a") | _numbers(on_b, "at_b", "axes_b")

    def couple_joints(self) -> None:
        """Let joints follow others; where they start, they stand as the offset says."""
        for name, joint in self.robot.joints.items():
            if joint.mimic is not None:
                follower, leader = self.joints[name], self.joints[joint.mimic.leader]
                with _blamed(joint.mimic.element):
                    self.mechanism.add_joint(self.new_name(f"{follower} mimic"), Gear(ratio=joint.mimic.multiplier), leader, follower)

    def new_name(self, wanted: str) -> str:
        """A name for what the file has none for."""
        return self.taken.new(wanted, "again")

    def _body(self, link: str | None) -> str:
        return GROUND if link is None else self.links[link]

    def _shape(self, body: str) -> Any:
        """What a body weighs: one link, or several that are merged."""
        parts = []
        for name in self.made.masses[body]:
            mass, place = self.robot.links[name].mass, self.made.places[name][1]
            assert mass is not None  # by the plan
            parts.append((mass, Placement(place.position, place.rotation)))
        if not parts:
            return massless()
        total = parts[0][0] if len(parts) == 1 else combine(parts)
        reason, element = unfit(total), self.robot.links[body].element
        if reason is not None and not self.repair:
            raise element.error(
                f"{reason} Or merge it with what it is fixed to (merge_fixed=True), or take the nearest that can be (repair_inertia=True)."
            )
        if reason is not None:
            given, total = total, repaired(total)
            change = np.abs(total.inertia - given.inertia).max()
            self.repaired.append(f"link '{body}' (line {element.line}, by {change:.2g} kg m²)")
        I = 0.5 * (total.inertia + total.inertia.T)
        return rigid(total.mass, total.centre, (I[0, 0], I[1, 1], I[2, 2], I[0, 1], I[0, 2], I[1, 2]))


def _kind(joint: RobotJoint) -> Any:
    """The kind of a joint that is one."""
    if joint.type in ("fixed", "spherical"):
        return Fixed() if joint.type == "fixed" else Spherical()
    kind = {"prismatic": Prismatic, "planar": Planar}.get(joint.type, Revolute)
    return kind(axis=joint.axis)  # type: ignore[arg-type]


def _passed_over(robot: Robot) -> list[str]:
    """A word about what the format does not define, and about what is not simulated."""
    notes = robot.element.notes.items()
    found = [f"{what} (line {lines[0]}{f' and {len(lines) - 1} more' if len(lines) > 1 else ''})" for what, lines in notes]
    return _few(found, f"passed over, since {robot.format} does not define it: ") + _few(
        [*robot.missing], "left out, since it is not simulated: "
    )


def _unfound(meshes: Meshes) -> list[str]:
    """A word about meshes that have no path."""
    remedy = " They are kept as names and not drawn; package_dirs=… says where to look."
    return [note + remedy for reason, names in meshes.missing.items() for note in _few(names, f"meshes that are {reason}: ")]


def _few(notes: list[str], head: str) -> list[str]:
    """The first of some notes in one sentence; nothing if there are none."""
    more = [f"and {len(notes) - _TOLD} more"] if len(notes) > _TOLD else []
    return [head + ", ".join(notes[:_TOLD] + more) + "."] if notes else []


def _numbers(pose: Pose, position: str, orientation: str) -> dict[str, Any]:
    """A pose as plain numbers, under these names."""
    return {position: tuple(pose.position.tolist()), orientation: quaternion_of(pose.rotation)}


@contextmanager
def _blamed(element: Element) -> Iterator[None]:
    """Say where in the file it is that a mechanism does not accept."""
    try:
        yield
    except FileError:
        raise
    except BielleError as error:
        raise element.error(str(error)) from error
