"""Watches: descriptions of quantities that stop a run when they cross a threshold.

A description is plain data that names components of a mechanism. The quantity minus the threshold is what kernels/watches.py evaluates.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, ClassVar, NamedTuple

import msgspec
import numpy as np

from ..calls import ExplainedStruct
from ..errors import DescriptionError, unknown
from ..kernels import watches as kernels
from ..kernels.lazy import entry
from ..mechanism.description import GROUND, Marker
from ..mechanism.vectors import axis as unit_axis
from ..mechanism.vectors import number, triad, vector

if TYPE_CHECKING:
    from ..mechanism.mechanism import Mechanism

__all__ = ["AngleWatch", "AnyWatch", "DirectionWatch", "DistanceWatch", "JointAngleWatch", "KineticEnergyWatch", "OutputWatch"]
__all__ += ["PointWatch", "ReactionWatch", "Subject", "Watch"]


class Element(NamedTuple):
    """A point or direction of a body, in the body frame (3,)."""

    body: str
    is_point: bool
    local: np.ndarray


class Subject(NamedTuple):
    """The component a watch reads besides its own elements; at most one of the names is given."""

    joint: str = ""
    force: str = ""


class Watch(
    msgspec.Struct, metaclass=ExplainedStruct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True, tag_field="type"
):
    """A quantity and the threshold whose crossing is an event: ``direction`` +1 upwards, −1 downwards, 0 both ways."""

    kernel: ClassVar[entry]

    threshold: float = 0.0
    direction: int = 0

    def __post_init__(self) -> None:
        msgspec.structs.force_setattr(self, "threshold", number(self.threshold, "the threshold of a watch"))
        if self.direction not in (-1, 0, 1):
            raise DescriptionError(f"The direction of a watch must be +1 (upwards), −1 (downwards) or 0 (both), got {self.direction!r}.")

    def elements(self, m: Mechanism, what: str) -> list[Element]:
        """Points and directions the kernel sees, in its order; an error of the kind ``unknown`` if they are on bodies that do not exist."""
        return []

    def options(self, m: Mechanism, what: str) -> tuple[int, int]:
        """Two numbers the kernel is told."""
        return 0, 0

    @property
    def subject(self) -> Subject:
        return Subject()

    @property
    def period(self) -> float:
        """With which the threshold comes again; 0: there is only one."""
        return 0.0

    @property
    def counts(self) -> bool:
        """Whether it is an angle, whose turns are counted."""
        return False


class PointWatch(Watch, frozen=True, kw_only=True, tag="point"):
    """A component, in world axes, of the position (``order`` 0), velocity (1) or acceleration (2) of a material point [m, s].

    Relative to the point ``other_point`` of the body ``other``: the origin of the world if not said. ``axis`` is 0, 1, 2 for x, y, z.
    """

    kernel = kernels.point

    body: str
    point: tuple[float, ...]  #: in the body frame
    axis: int
    order: int = 0
    other: str = GROUND
    other_point: tuple[float, ...] | None = None  #: None: the origin of the other's frame

    def elements(self, m, what):
        return [_point(m, what, self.body, self.point), _point(m, what, self.other, self.other_point)]

    def options(self, m, what):
        return _among(self.axis, m.dim, f"{what}: the axis"), _among(self.order, 3, f"{what}: the order")


class DistanceWatch(Watch, frozen=True, kw_only=True, tag="distance"):
    """The distance of two material points [m], or its rate (``order`` 1); the other is the origin of the world if not said."""

    kernel = kernels.distance

    body: str
    point: tuple[float, ...]
    other: str = GROUND
    other_point: tuple[float, ...] | None = None
    order: int = 0

    def elements(self, m, what):
        return [_point(m, what, self.body, self.point), _point(m, what, self.other, self.other_point)]

    def options(self, m, what):
        return 0, _among(self.order, 2, f"{what}: the order")


class _Turning(Watch, frozen=True, kw_only=True):
    """An angle [rad], counted over turns, or its rate (``order`` 1).

    A simulation begins with an angle between −π and π; a session goes on from the turns there were since its history begins. With
    ``every_turn`` it crosses its threshold once a turn, whatever number of turns the threshold has in it.
    """

    kernel = kernels.angle

    order: int = 0
    every_turn: bool = False

    def options(self, m, what):
        return 0, _among(self.order, 2, f"{what}: the order")

    @property
    def period(self) -> float:
        return 2 * math.pi if self.every_turn and self.order == 0 else 0.0

    @property
    def counts(self) -> bool:
        return self.order == 0


class AngleWatch(_Turning, frozen=True, kw_only=True, tag="angle"):
    """By how much a body is turned relative to another, zero where their frames are parallel [rad].

    In space about ``axis``, which has the same components in both body frames. ``order`` 1: its rate.
    """

    body: str
    other: str = GROUND
    axis: str | tuple[float, float, float] = "z"

    def elements(self, m, what):
        plane = np.eye(3) if m.dim == 2 else triad(unit_axis(self.axis, f"{what}: the axis"))
        return [Element(_body(m, what, body), False, plane[:, i]) for body in (self.other, self.body) for i in range(2)]


class DirectionWatch(_Turning, frozen=True, kw_only=True, tag="direction"):
    """The angle of a direction of a body in the plane of two directions of another, from the first towards the second [rad].

    ``order`` 1: its rate.
    """

    body: str
    along: tuple[float, ...]  #: in the frame of the body
    first: tuple[float, ...]  #: in the frame of the other
    second: tuple[float, ...]
    other: str = GROUND

    def elements(self, m, what):
        given = [(self.other, self.first), (self.other, self.second), (self.body, self.along)]
        found = [Element(_body(m, what, body), False, _unit(m, f"{what}: a direction", values)) for body, values in given]
        return [*found, Element(self.body, False, np.zeros(3))]


class JointAngleWatch(_Turning, frozen=True, kw_only=True, tag="joint angle"):
    """The turn of b relative to a about the axis of a joint, zero in the described configuration, as ``result["joint"].angle`` [rad].

    ``order`` 1: its rate.
    """

    joint: str

    def elements(self, m, what):
        through = _joint(m, what, self.joint).through
        if through:
            raise DescriptionError(f"{what}: joint '{self.joint}' couples joints and has no angle. Watch '{through[0]}' or '{through[1]}'.")
        own = m.joints[self.joint].kind.axes(m.dim)
        return [Element(side.body, False, side.basis @ own[:, i]) for side in _sides(m, self.joint) for i in range(2)]

    @property
    def subject(self) -> Subject:
        return Subject(joint=self.joint)


class ReactionWatch(Watch, frozen=True, kw_only=True, tag="reaction"):
    """The magnitude of the force that a joint exerts on b [N], or with ``moment`` of its moment about the joint's point on b [N·m]."""

    kernel = kernels.reaction

    joint: str
    moment: bool = False

    def elements(self, m, what):
        _joint(m, what, self.joint)
        b = _sides(m, self.joint)[-1]
        return [Element(b.body, True, b.local)]

    def options(self, m, what):
        return 0, int(self.moment)

    @property
    def subject(self) -> Subject:
        return Subject(joint=self.joint)


class OutputWatch(Watch, frozen=True, kw_only=True, tag="output"):
    """The scalar of a force element: tension of a spring [N], torque of a motor [N·m]…"""

    kernel = kernels.output

    force: str

    def elements(self, m, what):
        if self.force not in m.forces:
            raise unknown("force", self.force, m.forces, what)
        return []

    @property
    def subject(self) -> Subject:
        return Subject(force=self.force)


class KineticEnergyWatch(Watch, frozen=True, kw_only=True, tag="kinetic energy"):
    """½ vᵀMv of all bodies [J]."""

    kernel = kernels.kinetic_energy


#: for reading watches back from plain data
AnyWatch = PointWatch | DistanceWatch | AngleWatch | DirectionWatch | JointAngleWatch | ReactionWatch | OutputWatch | KineticEnergyWatch


def _among(value: int, n: int, what: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < n:
        raise DescriptionError(f"{what} must be one of {', '.join(map(str, range(n)))}, got {value!r}.")
    return value


def _body(m: Mechanism, what: str, name: str) -> str:
    if name != GROUND and name not in m.bodies:
        raise unknown("body", name, [GROUND, *m.bodies], what)
    return name


def _point(m: Mechanism, what: str, body: str, point: tuple[float, ...] | None) -> Element:
    local = np.zeros(3)
    if point is not None:
        local[: m.dim] = vector(point, f"{what}: the point", m.dim)
    return Element(_body(m, what, body), True, local)


def _unit(m: Mechanism, what: str, values: tuple[float, ...]) -> np.ndarray:
    local = np.zeros(3)
    local[: m.dim] = vector(values, what, m.dim)
    return unit_axis(local, what)


def _joint(m: Mechanism, what: str, name: str):
    if name not in m.joints:
        raise unknown("joint", name, m.joints, what)
    return m.joints[name]


def _sides(m: Mechanism, joint: str) -> tuple[Marker, ...]:
    return m.markers(m.joints[joint])
