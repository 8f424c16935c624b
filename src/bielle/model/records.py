"""Records: bodies, joints, forces and watches of a mechanism in the form their tables store them.

A record depends on its own component, and on the coordinate kinds of the bodies it holds on to, on nothing else: that is what lets a
running simulation change one component and keep the rows of all others.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..bodies.kind import BodyKind, InternalConstraint
from ..errors import DescriptionError
from ..kernels.lazy import entry
from ..mechanism import registry
from ..mechanism.description import GROUND, Body, Force, Joint, Marker, Point
from .rows import Record
from .signals import SignalTable
from .watches import Subject, Watch

if TYPE_CHECKING:
    from ..mechanism.mechanism import Mechanism

__all__ = ["BodyItem", "ForceItem", "Hanging", "JointItem", "body_record", "force_record", "ground_record", "internal_records"]
__all__ += ["joint_record", "watch_record"]

KindOf = Callable[[str], BodyKind]  #: coordinate kind of a body, by its name


class BodyItem(NamedTuple):
    """What is kept of a body besides numbers."""

    kind: BodyKind


class Hanging(NamedTuple):
    """How one body can hang on the other in joint coordinates: the frame of the joint on both, which coincide where these are zero."""

    motion: str  #: see recursive/motions.py
    ends: tuple[str, str]  #: bodies a and b
    frames: np.ndarray  #: (2, 12): of the joint on a and on b, in their body frames; rotation, row by row, and position
    between: np.ndarray  #: (3, 3): axes of the frame on b in those of the frame on a, in the joint's own terms
    lead: float  #: of a screw [m/rad]


class JointItem(NamedTuple):
    """What is kept of a joint besides numbers."""

    kernel: entry
    internal: bool  #: equations between the coordinates of a body
    bodies: tuple[str, ...]  #: body of each element
    block_bodies: tuple[str, ...]  #: body of each Jacobian block
    callbacks: tuple[Any, ...]
    meeting: bool = False  #: :attr:`JointKind.meeting`, and a can move
    hanging: Hanging | None = None  #: if there are coordinates for what the joint leaves free


class ForceItem(NamedTuple):
    """What is kept of a force besides numbers."""

    kind: Any
    bodies: tuple[str, ...]
    callbacks: tuple[Any, ...]


class WatchItem(NamedTuple):
    """What is kept of a watch besides numbers."""

    watch: Watch
    subject: Subject
    bodies: tuple[str, ...]


# -- bodies


def ground_record() -> Record:
    """The first row of every table of bodies."""
    return body_row(GROUND, registry.bodies["ground"](None, None))


def body_record(m: Mechanism, body: Body) -> Record:
    """A body in the coordinates it asks for."""
    kind = registry.kind_of(registry.bodies, "coordinate", m.coordinates_of(body))
    return body_row(body.name, kind(body.shape.mass_properties(), body.shape.reference_points()))


def body_row(name: str, kind: BodyKind) -> Record:
    """A body of that kind."""
    parameters = kind.parameters()
    sizes = (kind.nq, kind.nv, kind.n_work, len(parameters), kind.nv**2)
    return Record(
        "" if name == GROUND else kind.name, name, BodyItem(kind), sizes, {"param": parameters, "mass": kind.mass().ravel().tolist()}
    )


# -- joints


def joint_record(m: Mechanism, joint: Joint, kind_of: KindOf) -> Record:
    """A joint between the bodies it names."""
    dim = m.dim
    markers = m.markers(joint)
    try:
        points = joint.kind.elements(*markers, dim)
        parameters = joint.kind.parameters(*markers, dim)
    except DescriptionError as error:
        raise DescriptionError(f"joint '{joint.name}': {error}") from None
    signals = SignalTable(f"joint '{joint.name}'", joint.kind.signals(dim), joint.kind.characteristics(dim))
    bodies, values = _elements(points, markers, kind_of)
    velocity_rows = joint.kind.velocity_rows(dim)
    level = [int(r in velocity_rows) for r in range(joint.kind.count(dim))]
    tag = type(joint.kind).__struct_config__.tag
    meeting = joint.kind.meeting and bodies[0] != GROUND
    record = _joint(tag, joint.name, joint.kind.kernel, False, level, bodies, values, parameters, signals, kind_of, meeting)
    if joint.kind.motion is not None:
        record.item = record.item._replace(hanging=_hanging(joint, *markers))
    return record


def _hanging(joint: Joint, a: Marker, b: Marker) -> Hanging:
    axes, frames = joint.kind.motion_axes(), np.empty((2, 12))
    for frame, marker, own in zip(frames, (a, b), axes):
        frame[:9], frame[9:] = (marker.basis @ own).reshape(-1), marker.local
    return Hanging(joint.kind.motion, (a.body, b.body), frames, axes[0].T @ axes[1], joint.kind.lead())


def internal_records(name: str, kind: BodyKind) -> list[Record]:
    """The equations between a body's own coordinates, as joints of the body with itself."""
    return [_internal(name, kind, i, constraint) for i, constraint in enumerate(kind.internal())]


def _internal(name: str, kind: BodyKind, i: int, constraint: InternalConstraint) -> Record:
    n = len(constraint.elements)
    values = {
        "elem_point": [int(is_point) for is_point, _ in constraint.elements],
        "elem_p": [x for _, described in constraint.elements for x in described],
    }
    key = f"~{kind.name}{i}"  # after all joints
    parameters = constraint.parameters
    level = [0] * constraint.equations
    return _joint(key, name, constraint.kernel, True, level, (name,) * n, values, parameters, SignalTable(name), lambda _: kind)


def _joint(key, name, kernel, internal, level, bodies, values, parameters, signals, kind_of, meeting=False) -> Record:
    blocks: dict[str, int] = {}  # bodies that can move, in the order they are met
    local = []
    for body in bodies:
        local.append(blocks.setdefault(body, len(blocks)) if body != GROUND and kind_of(body).nv > 0 else -1)
    item = JointItem(kernel, internal, bodies, tuple(blocks), tuple(signals.callbacks), meeting)
    values |= {"param": parameters, "level": level, "elem_local": local} | signals.values()
    n = len(bodies)
    sizes = (n, len(parameters), len(signals), signals.length, len(level), len(blocks))
    return Record(key, name, item, sizes, values)


# -- forces


def force_record(m: Mechanism, force: Force, kind_of: KindOf) -> Record:
    """A force on the bodies it names."""
    dim = m.dim
    markers = m.markers(force)
    bodies, values = _elements(force.kind.elements(*markers, dim=dim), markers, kind_of)
    parameters = force.kind.parameters(*markers, dim=dim)
    signals = SignalTable(f"force '{force.name}'", force.kind.signals(dim), force.kind.characteristics(dim), force.kind.order)
    values |= {"param": parameters} | signals.values()
    n = len(bodies)
    sizes = (n, len(parameters), len(signals), signals.length, force.kind.memory)
    item = ForceItem(force.kind, bodies, tuple(signals.callbacks))
    return Record(type(force.kind).__struct_config__.tag, force.name, item, sizes, values)


def _elements(points: list[Point], markers: tuple[Marker, ...], kind_of: KindOf) -> tuple[tuple[str, ...], dict[str, Any]]:
    """Body of each element, and its description in the terms of the body's kind (four numbers)."""
    sides = {m.side: m.body for m in markers}
    bodies = tuple(sides[p.side] for p in points)
    kinds = {side: kind_of(body) for side, body in sides.items()}
    return bodies, {
        "elem_point": [int(p.is_point) for p in points],
        "elem_p": [x for p in points for x in kinds[p.side].element(p.is_point, p.local)],
    }


# -- watches


def watch_record(m: Mechanism, name: str, watch: Watch, kind_of: KindOf) -> Record:
    """A watch on the components it names."""
    what = f"watch '{name}'"
    elements = watch.elements(m, what)
    values = {
        "elem_point": [int(e.is_point) for e in elements],
        "elem_p": [x for e in elements for x in kind_of(e.body).element(e.is_point, e.local)],
        "watch_k": [watch.direction, *watch.options(m, what)],
        "watch_p": [watch.threshold, watch.period],
    }
    item = WatchItem(watch, watch.subject, tuple(e.body for e in elements))
    return Record(str(type(watch).__struct_config__.tag), name, item, (len(elements), 1), values)
