"""How joints and forces hold on to bodies: their markers, and components written in the frames of their own bodies alone."""

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec
import numpy as np

from ..errors import DescriptionError
from .description import GROUND, Force, Joint, Marker, Pose
from .vectors import lifted, quaternion_of, rotation_matrix

if TYPE_CHECKING:
    from .mechanism import Mechanism

__all__ = ["Poses", "localised", "markers"]

Poses = Callable[[str], Pose]  #: the pose of a body, by its name
Component = TypeVar("Component", Joint, Force)
_UNIT = np.eye(3)


def markers(mechanism: "Mechanism", component: Joint | Force, poses: Poses | None = None) -> tuple[Marker, ...]:
    """One marker per body that the component holds on to; see :meth:`Mechanism.markers`."""
    now = mechanism.pose if poses is None else _with_ground(mechanism, poses)
    if component.through:
        return tuple(marker for name in component.through for marker in _in_joint(mechanism, component, name, now))
    return tuple(_marker(mechanism, component, side, place, now) for side, place in _sides(component))


def localised(mechanism: "Mechanism", component: Component, poses: Poses | None = None) -> Component:
    """The component in terms of its own bodies alone; see :meth:`Mechanism.localised`."""
    if isinstance(component, Joint) and component.through:
        return component  # it says nothing of places
    held = markers(mechanism, component, poses)
    try:
        if isinstance(component, Joint):
            component.kind.check_placed(*held, dim=mechanism.dim)
        kind = component.kind.resolved(*held, dim=mechanism.dim)
    except DescriptionError as error:
        raise DescriptionError(f"{type(component).__name__.lower()} '{component.name}': {error}") from None
    own: dict[str, Any] = {}
    if not component.through:
        own["at"] = None
        for (side, place), marker in zip(_sides(component), held):
            in_frame = place in mechanism.frames  # which is fixed in its body, with axes of its own
            if component.at is not None or not in_frame:
                own[f"at_{side}"] = tuple(marker.local[: mechanism.dim].tolist())
            if not in_frame and getattr(component, f"axes_{side}") is None:
                own[f"axes_{side}"] = _orientation(marker.basis, mechanism.planar)
    return msgspec.structs.replace(component, kind=kind, **own)


def _in_joint(mechanism: "Mechanism", component: Joint | Force, name: str, now: Poses) -> list[Marker]:
    """How a joint holds on to its bodies, for a component that does so through it. If there are several, sides are told apart by name."""
    joint = mechanism.joints[name]
    axis, motion = joint.kind.axis_vector(name), joint.kind.motion
    held = markers(mechanism, joint)  # as described, even if its bodies are elsewhere now: it is already there
    suffix = f" of {name}" if len(component.through) > 1 else ""
    return [Marker(each.side + suffix, each.body, each.local, each.basis, now, axis, each.own, motion) for each in held]


def _with_ground(mechanism: "Mechanism", poses: Poses) -> Poses:
    """The poses of bodies, and that of the ground, which never moves."""
    return lambda name: mechanism.pose(GROUND) if name == GROUND else poses(name)


def _sides(component: Joint | Force) -> list[tuple[str, str]]:
    """('a', body or frame) and, if there is one, ('b', body or frame)."""
    return [(side, place) for side, place in (("a", component.a), ("b", component.b)) if place is not None]


def _marker(mechanism: "Mechanism", component: Joint | Force, side: str, place: str, now: Poses) -> Marker:
    """Point: the component's own (at_a), else its world point (at), else the frame's. Axes: the component's own (axes_a), else the
    frame's, else those of the world as the body stands now."""
    frame = mechanism.frames.get(place)
    body = frame.body if frame else place
    local, axes = (component.at_a, component.axes_a) if side == "a" else (component.at_b, component.axes_b)
    in_world = (local is None and component.at is not None) or (axes is None and frame is None)
    pose = now(body) if in_world else None
    if local is not None:
        point = lifted(local)
    elif component.at is not None:
        assert pose is not None
        point = pose.local(lifted(component.at))
    else:
        point = frame.pose.position if frame else np.zeros(3)
    own = frame.pose.rotation if frame else _UNIT
    if axes is not None:
        basis = rotation_matrix(axes)
    else:
        basis = pose.rotation.T if pose is not None and not frame else own
    return Marker(side, body, point, basis, now, own=own)


def _orientation(rotation: np.ndarray, planar: bool) -> float | tuple[float, ...]:
    """A rotation matrix (3, 3) as an angle [rad] or a quaternion (w, x, y, z), plain numbers."""
    if planar:
        return math.atan2(rotation[1, 0], rotation[0, 0])
    return quaternion_of(rotation)
