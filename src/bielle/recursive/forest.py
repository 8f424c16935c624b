"""Forest: the bodies of a model as trees, in which every body hangs on one joint; all other joints close loops."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..errors import unknown
from ..mechanism.description import GROUND
from ..model import Model
from ..model.records import Hanging
from .motions import MOTIONS, Motion

__all__ = ["Forest", "Link", "grow"]

_UNIT = np.zeros((2, 12))
_UNIT[:, [0, 4, 8]] = 1.0
_FLIP = np.diag([1.0, -1.0, -1.0])  # half a turn about x: a joint that is gone through backwards counts forwards


class Link(NamedTuple):
    """A body, and the joint it hangs on."""

    name: str  #: of the body
    joint: str  #: of the joint; of the body if it is free
    parent: int  #: row of the link it hangs on; −1: the ground
    motion: Motion
    backwards: bool  #: the parent is body b of the joint
    free: bool = False  #: there is no joint


class Forest(NamedTuple):
    """Links such that each hangs on one before it, and where their frames are.

    The frame of a link is that of its joint on its body. Poses (12) are a rotation, row by row, and a position.
    """

    links: list[Link]
    place: np.ndarray  #: (n, 12) of the joint's frame on the parent, in the frame of the parent's link
    body: np.ndarray  #: (n, 12) of the body frame in the frame of the link
    between: np.ndarray  #: (n, 9) turns the frame between the two angles of a universal joint
    lead: np.ndarray  #: (n,) of a screw [m/rad]
    loops: list[str]  #: joints that are not part of the trees


def grow(model: Model, root: str | None = None) -> Forest:
    """Joints are taken in the order in which they are described, nearest to the ground first; bodies that no such joint ties to the ground
    are free. A body named as ``root`` is free in any case, and everything that it can carry hangs on it.
    """
    rows, closing = model.joint_rows, {c.joint for c in model.closings}
    bodies = [record.name for record in model.body_rows.records if record.name != GROUND]
    if root is not None and root not in model.body_rows.index:
        raise unknown("body", root, bodies)
    on: dict[str, list[tuple[str, Hanging]]] = {}
    for name in model.joint_names:
        hanging = rows.records[rows.index[name]].item.hanging
        if hanging is not None and name not in closing:
            for end in hanging.ends:
                on.setdefault(end, []).append((name, hanging))
    links: list[Link] = []
    held: list[Hanging | None] = []
    row, used = {GROUND: -1}, set()

    def spread(queue: list[str]) -> None:
        for parent in queue:
            for name, hanging in on.get(parent, ()):
                a, b = hanging.ends
                child = b if a == parent else a
                if child not in row:
                    used.add(name)
                    row[child] = len(links)
                    links.append(Link(child, name, row[parent], MOTIONS[hanging.motion], child == a))
                    held.append(hanging)
                    queue.append(child)

    def free(name: str) -> None:
        row[name] = len(links)
        links.append(Link(name, name, -1, MOTIONS["free" if model.dim == 3 else "planar"], False, True))
        held.append(None)
        spread([name])

    if root is not None and root != GROUND:
        free(root)
    spread([GROUND])
    for name in bodies:
        if name not in row:
            free(name)
    return Forest(links, *_poses(links, held), [name for name in model.joint_names if name not in used])


def _poses(links: list[Link], held: list[Hanging | None]) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Of all links at once: a running simulation grows its forest anew at every edit."""
    n, back = len(links), [i for i, link in enumerate(links) if link.backwards]
    frames = np.array([_UNIT if h is None else h.frames[::-1] if link.backwards else h.frames for link, h in zip(links, held)])
    R, p = frames.reshape(n, 2, 12)[:, :, :9].reshape(n, 2, 3, 3), frames.reshape(n, 2, 12)[:, :, 9:]
    R[back] = R[back] @ _FLIP
    body_R = R[:, 1].transpose(0, 2, 1)
    body_p = -np.einsum("nij,nj->ni", body_R, p[:, 1])
    parents = np.array([link.parent for link in links], dtype=np.int64)
    place_R, place_p = R[:, 0].copy(), p[:, 0].copy()
    hung = np.flatnonzero(parents >= 0)
    on = parents[hung]
    place_R[hung] = body_R[on] @ R[hung, 0]
    place_p[hung] = body_p[on] + np.einsum("nij,nj->ni", body_R[on], p[hung, 0])
    between = np.array([_UNIT[0, :9].reshape(3, 3) if h is None else h.between for h in held]).reshape(n, 3, 3)
    between[back] = _FLIP @ between[back].transpose(0, 2, 1) @ _FLIP
    lead = np.array([0.0 if h is None else h.lead for h in held])
    return _packed(place_R, place_p), _packed(body_R, body_p), between.reshape(n, 9), lead


def _packed(R: np.ndarray, p: np.ndarray) -> np.ndarray:
    return np.concatenate([R.reshape(-1, 9), p], axis=1)
