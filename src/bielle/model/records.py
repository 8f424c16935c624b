"""Records: bodies, joints, forces and watches of a mechanism in the form their tables store them.

A record depends on its own component, and on the coordinate kinds of the bodies it holds on to, on nothing else: that is what lets a
running simulation change one component and keep the rows of all others.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from ..bodies.kind import BodyKind, InternalConstraint
from ..errors import DescriptionError
from ..kernels.lazy import entry
from ..kernels.motions import MOTIONS
from ..mechanism import registry
from ..mechanism.description import GROUND, Body, Force, Joint, Marker, Point
from .rows import Record
from .signals import SignalTable
from .watches import Subject, Watch

if TYPE_CHECKING:
    from ..mechanism.mechanism import Mechanism

__all__ = ["BodyItem", "ForceItem", "JointItem", "body_record", "force_record", "ground_record", "internal_records"]
__all__ += ["joint_record", "watch_record"]

KindOf = Callable[[str], BodyKind]  #: coordinate kind of a body, by its name


class BodyItem(NamedTuple):
    """What is kept of a body besides numbers."""

    kind: BodyKind


class JointItem(NamedTuple):
    """What is kept of a joint besides numbers."""

    kernel: entry
    internal: bool  #: equations between the coordinates of a body
    bodies: tuple[str, ...]  #: body of each element
    block_bodies: tuple[str, ...]  #: body of each Jacobian block
    callbacks: tuple[Any, ...]
    meeting: bool = False  #: :attr:`JointKind.meeting`, and a can move
    through: tuple[str, ...] = ()  #: joints that it couples
    units: tuple[str, ...] = ()  #: of its functions of time


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
    inertia = [] if name == GROUND else _inertia(kind)
    sizes = (kind.nq, kind.nv, kind.n_work, len(parameters), kind.nv**2, int(bool(inertia)))
    values = {"param": parameters, "mass": kind.mass().ravel().tolist(), "inertia": inertia}
    return Record("" if name == GROUND else kind.name, name, BodyItem(kind), sizes, values)


def _inertia(kind: BodyKind) -> list[float]:
    """Mass, centre of mass and inertia about it (xx, xy, xz, yy, yz, zz), in the body frame."""
    p = kind.properties
    (xx, xy, xz), (_, yy, yz), (_, _, zz) = p.inertia.tolist()
    return [float(p.mass), *p.centre.tolist(), xx, xy, xz, yy, yz, zz]


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
    hanging = _hanging(joint.kind, *markers) if joint.kind.motion is not None else []
    more = (meeting, hanging, joint.through, joint.kind.signal_units(dim))
    return _joint(tag, joint.name, joint.kind.kernel, False, level, bodies, values, parameters, signals, kind_of, *more)


def _hanging(kind: Any, a: Marker, b: Marker) -> list[float]:
    """How b can hang on a in joint coordinates, or a on b: number of the motion; frames of the joint on a and on b, in their body frames,
    which coincide where the coordinates are zero (rotation, row by row, and position); axes of the latter in those of the former, in the
    joint's own terms; lead of a screw. Kernels of recursive/growing.py read it."""
    axes_a, axes_b = kind.motion_axes()
    out = [float(MOTIONS[kind.motion].number)]
    for marker, axes in ((a, axes_a), (b, axes_b)):
        out += [*(marker.basis @ axes).ravel().tolist(), *marker.local.tolist()]
    return [*out, *(axes_a.T @ axes_b).ravel().tolist(), kind.lead()]


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


def _joint(
    key, name, kernel, internal, level, bodies, values, parameters, signals, kind_of, meeting=False, hanging=(), through=(), units=()
) -> Record:
    blocks: dict[str, int] = {}  # bodies that can move, in the order they are met
    local = []
    for body in bodies:
        local.append(blocks.setdefault(body, len(blocks)) if body != GROUND and kind_of(body).nv > 0 else -1)
    item = JointItem(kernel, internal, bodies, tuple(blocks), tuple(signals.callbacks), meeting, through, units)
    values |= {"param": parameters, "level": level, "elem_local": local, "hanging": hanging} | signals.values()
    n = len(bodies)
    sizes = (n, len(parameters), len(signals), signals.length, len(level), len(blocks), int(bool(hanging)))
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
