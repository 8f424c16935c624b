"""What is seen of a body: its visuals, else its collisions, else lines to its joints or its shape."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..mechanism.description import Body, Frame, Pose
from ..mechanism.shapes import moved
from ..mechanism.visuals import Visual
from .surfaces import UnreadableError, surface

if TYPE_CHECKING:
    from ..mechanism.mechanism import Mechanism

__all__ = ["Outline", "body_outlines", "frame_outlines"]

Outline = tuple[dict[str, Any], str | None]  #: a primitive, and its colour if it has one of its own
_HERE = Pose(np.zeros(3), np.eye(3))


def body_outlines(m: Mechanism, body: Body, unread: dict[str, str]) -> list[Outline]:
    """In the frame of the body; ``unread`` is told which meshes cannot be drawn, and why."""
    found = _visuals(m, body.visuals, _HERE, unread)
    if body.visuals and not found:
        found = _visuals(m, body.collisions, _HERE, unread) or _sticks(m, body)
    return found or [(primitive, None) for primitive in body.shape.outline()]


def frame_outlines(m: Mechanism, frame: Frame, unread: dict[str, str]) -> list[Outline]:
    """In the frame of the body it is on."""
    return _visuals(m, frame.visuals, frame.pose, unread)


def _visuals(m: Mechanism, visuals: Sequence[Visual], at: Pose, unread: dict[str, str]) -> list[Outline]:
    """What can be drawn of visuals in a frame that stands at ``at`` in its body."""
    found: list[Outline] = []
    for visual in visuals:
        primitive = moved(visual.outline(), at)
        try:
            found.append((surface(primitive, m.mesh_folders) if primitive["kind"] == "file" else primitive, visual.color))
        except UnreadableError as reason:
            unread[primitive["name"]] = str(reason)
    return found


def _sticks(m: Mechanism, body: Body) -> list[Outline]:
    """Lines from the centre of mass of a body to its joints."""
    centre = body.shape.mass_properties().centre
    joints = [joint for joint in m.joints.values() if not joint.through]
    ends = [marker.local for joint in joints for marker in m.markers(joint) if marker.body == body.name]
    apart = [end for end in ends if np.linalg.norm(end - centre) > 1e-9]
    return [({"kind": "segment", "points": [centre.tolist(), end.tolist()], "radius": 0.0}, None) for end in apart]
