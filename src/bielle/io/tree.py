"""The links of a robot as a tree, and which of them become bodies: those with mass, and those between joints on which some hangs.

The others are frames on these, or on the ground.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from ..errors import unknown
from ..mechanism.description import GROUND, Pose
from .robot import Link, Robot, RobotJoint

__all__ = ["WORLD", "Names", "Plan", "inverse", "names", "plan", "times"]

WORLD = "world"  #: a root link of this name is the ground, whatever else is asked for


def times(a: Pose, b: Pose) -> Pose:
    """The pose of a frame that stands at b in a frame that stands at a."""
    return Pose(a.point(b.position), a.rotation @ b.rotation)


def inverse(a: Pose) -> Pose:
    """The pose of the outer frame in the inner one."""
    return Pose(-(a.rotation.T @ a.position), a.rotation.T)


@dataclass
class Plan:
    """What becomes of links and joints."""

    root: str
    order: list[str]  #: links, each after its parent
    world: dict[str, Pose]  #: where each link is if all joints are at zero
    places: dict[str, tuple[str | None, Pose]]  #: of every link: the body it is part of (None: the ground), and where it is in it
    masses: dict[str, list[str]]  #: of every body, the links whose mass it has; none for one without
    joints: list[RobotJoint]  #: that remain joints


def plan(robot: Robot, base: str, merge_fixed: bool) -> Plan:
    """Who is who; raises if the links are no tree, or if something would have to move that has no mass, nor anything that hangs on it."""
    hung = _parents(robot)
    root, order = _order(robot, hung)
    here = Pose(np.zeros(3), np.eye(3))
    world = {root: here}
    for link in order[1:]:
        world[link] = times(world[hung[link].parent], hung[link].origin)
    made = Plan(root, order, world, {}, {}, [])
    fixed = base == "fixed" or root == WORLD
    below: dict[str, list[str]] = {link: [] for link in order}  # by fixed joints
    for link in order[1:]:
        if hung[link].type == "fixed":
            below[hung[link].parent].append(link)

    def body(name: str) -> None:
        made.places[name], made.masses[name] = (name, here), [name]

    carrying = _carrying(robot, hung, order)

    def lead(link: str) -> None:
        """A link that moves: it is a body, or a frame on the first body that is fixed to it; or a body without mass that carries others."""
        host = next((each for each in _fixed_below(link, below) if robot.links[each].mass is not None), None)
        if host is None:
            joint = hung.get(link)
            if joint is None or joint.type == "floating" or link not in carrying:
                raise robot.links[link].element.error(_massless(link, joint))
            made.places[link], made.masses[link] = (link, here), []
            return
        body(host)
        way, each = here, host
        while each != link:  # from the body back to the link
            way, each = times(hung[each].origin, way), hung[each].parent
        if host != link:
            made.places[link] = (host, inverse(way))

    for link in order:
        joint = hung.get(link)
        weighs = robot.links[link].mass is not None
        if joint is None:
            if fixed and (merge_fixed or not weighs or root == WORLD):
                if root == WORLD and weighs:
                    raise robot.links[link].element.error(f"a root link named '{WORLD}' is the ground and has no mass. Rename it.")
                made.places[link] = (None, here)
            else:
                lead(link)
        elif joint.type != "fixed":
            lead(link)
            made.joints.append(joint)
        elif link in made.places:  # the body that a massless link above it led to
            pass
        elif weighs and not merge_fixed:
            body(link)
            made.joints.append(joint)
        else:
            host, place = made.places[joint.parent]
            made.places[link] = (host, times(place, joint.origin))
            if weighs and host is not None:
                made.masses[host].append(link)
    return made


def _massless(link: str, joint: RobotJoint | None) -> str:
    if joint is None:
        return "a free base needs mass: the root link has no <inertial>, nor has one that is fixed to it. Add it, or leave out base='free'."
    return (
        f"it moves on joint '{joint.name}' ({joint.type}, line {joint.element.line}), but neither it nor what hangs on it has mass. "
        "Add <inertial>, or make the joint fixed."
    )


def _carrying(robot: Robot, hung: dict[str, RobotJoint], order: list[str]) -> set[str]:
    """Links that have mass, or on which something hangs that does."""
    found = {link for link in order if robot.links[link].mass is not None}
    for link in reversed(order[1:]):
        if link in found and hung[link].type != "floating":
            found.add(hung[link].parent)
    return found


def _fixed_below(link: str, below: dict[str, list[str]]) -> list[str]:
    """A link and all that is fixed to it further out, the nearest first."""
    found = [link]
    for each in found:
        found += below[each]
    return found


def _parents(robot: Robot) -> dict[str, RobotJoint]:
    """The joint on which each link hangs."""
    hung: dict[str, RobotJoint] = {}
    for joint in robot.joints.values():
        for end, link in (("parent", joint.parent), ("child", joint.child)):
            if link not in robot.links:
                found = joint.element.need(end)
                raise found.error(str(unknown("link", link, robot.links)).replace("There", "there", 1))
        if joint.parent == joint.child:
            raise joint.element.error(f"parent and child must be two links, got '{joint.child}' twice. Name another.")
        other = hung.get(joint.child)
        if other is not None:
            raise joint.element.error(
                f"link '{joint.child}' is the child of joint '{other.name}' (line {other.element.line}) already; URDF knows trees only. "
                "Close loops in Python: load the tree, and add a joint."
            )
        hung[joint.child] = joint
    return hung


def _order(robot: Robot, hung: dict[str, RobotJoint]) -> tuple[str, list[str]]:
    """The root, and all links, each after its parent."""
    if not robot.links:
        raise robot.element.error("there is no <link> in it. Add one.")
    roots = [link for link in robot.links if link not in hung]
    if len(roots) > 1:
        second: Link = robot.links[roots[1]]
        raise second.element.error(
            f"it hangs on no joint, nor does link '{roots[0]}' (line {robot.links[roots[0]].element.line}), but a tree has one root. "
            "Join them, by a floating joint if nothing holds them together."
        )
    children: dict[str, list[str]] = {link: [] for link in robot.links}
    for link, joint in hung.items():
        children[joint.parent].append(link)
    order = list(roots)
    for link in order:
        order += children[link]
    if len(order) < len(robot.links):
        reached, seen = set(order), set()
        cycle = next(link for link in robot.links if link not in reached)
        while cycle not in seen:
            seen.add(cycle)
            cycle = hung[cycle].parent
        joint = hung[cycle]
        raise joint.element.error(f"it closes a circle: link '{joint.child}' hangs on itself. One link must be the root; reverse a joint.")
    return roots[0], order


def names(robot: Robot) -> tuple[dict[str, str], dict[str, str]]:
    """What links and joints are called in a mechanism, where all components share one set of names and the ground has its own."""
    taken = Names({GROUND})
    links = {link: taken.new(link, "link") for link in robot.links}
    return links, {joint: taken.new(joint, "joint") for joint in robot.joints}


class Names:
    """Names that are taken."""

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self._taken = {*taken}
        self._counts: dict[tuple[str, str], int] = {}  # of those that were wanted before

    def new(self, wanted: str, suffix: str) -> str:
        """The name, or with a suffix (and a number) if it is taken; it is taken from now on."""
        name, count = wanted, self._counts.get((wanted, suffix), 1)
        while name in self._taken:
            name = f"{wanted} {suffix}" if count == 1 else f"{wanted} {suffix} {count}"
            count += 1
        self._counts[wanted, suffix] = count
        self._taken.add(name)
        return name
