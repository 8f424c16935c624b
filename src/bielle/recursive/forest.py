"""Forest: the bodies of a mechanism as trees, in which every body hangs on one joint."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..errors import DescriptionError
from ..mechanism.description import GROUND, Marker, Pose
from .motions import MOTIONS, Motion

if TYPE_CHECKING:
    from ..mechanism.mechanism import Mechanism

__all__ = ["Link", "grow"]


class Link(NamedTuple):
    """A body, and the joint it hangs on."""

    name: str  #: of the body
    joint: str  #: of the joint; of the body if it is free
    parent: int  #: row of the link it hangs on; −1: the ground
    motion: Motion
    place: Pose  #: of the joint's frame on the parent, in the frame of the parent's link
    body: Pose  #: of the body frame in the frame of the link, which is that of the joint on the body
    twist: np.ndarray  #: (3, 3): turns the frame between the two angles of a universal joint; otherwise 1


def grow(mechanism: Mechanism) -> list[Link]:
    """Links such that each hangs on one before it; bodies that no tree joint ties to the ground are free.

    Joints are taken in the order in which they are described, nearest to the ground first.
    """
    on: dict[str, list[str]] = {name: [] for name in (GROUND, *mechanism.bodies)}
    markers: dict[str, tuple[Marker, ...]] = {}
    for name, joint in mechanism.joints.items():
        markers[name] = mechanism.markers(joint)
        for marker in markers[name]:
            on[marker.body].append(name)
    links: list[Link] = []
    row = {GROUND: -1}
    frames = {GROUND: Pose(np.zeros(3), np.eye(3))}  # of the body frames in the frames of their links
    used: set[str] = set()

    def hang(name: str, joint: str, parent: str, motion: Motion, place: Pose, body: Pose, twist: np.ndarray) -> None:
        row[name], frames[name] = len(links), body
        links.append(Link(name, joint, row[parent], motion, _times(frames[parent], place), body, twist))

    def spread(queue: list[str]) -> None:
        for parent in queue:
            for name in on[parent]:
                kind = mechanism.joints[name].kind
                if kind.motion is None or name in used:
                    continue
                a, b = markers[name]
                child = b.body if a.body == parent else a.body
                if child in row:
                    continue
                used.add(name)
                axes_a, axes_b = kind.motion_axes()
                if a.body != parent:
                    raise DescriptionError(
                        f"Joint '{name}' goes from '{a.body}' to '{b.body}', but the tree reaches it from '{parent}': its coordinates "
                        "would count backwards. Describe it the other way round."
                    )
                place, body = Pose(a.local, a.basis @ axes_a), _inverse(Pose(b.local, b.basis @ axes_b))
                hang(child, name, parent, MOTIONS[kind.motion], place, body, axes_a.T @ axes_b)
                queue.append(child)

    spread([GROUND])
    for name in mechanism.bodies:
        if name not in row:
            hang(name, name, GROUND, MOTIONS["free" if mechanism.dim == 3 else "planar"], frames[GROUND], frames[GROUND], np.eye(3))
            spread([name])
    loops = [name for name in mechanism.joints if name not in used]
    if loops:
        raise DescriptionError(
            f"Joint '{loops[0]}' ({type(mechanism.joints[loops[0]].kind).__name__}) closes a loop, or has no joint coordinates; trees "
            "have no such joints. Use the central or the modular solver for this mechanism."
        )
    return links


def _times(a: Pose, b: Pose) -> Pose:
    return Pose(a.point(b.position), a.rotation @ b.rotation)


def _inverse(a: Pose) -> Pose:
    return Pose(-(a.rotation.T @ a.position), a.rotation.T)
