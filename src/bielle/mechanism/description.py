"""Plain data of a mechanism: bodies, joints, forces, frames, and where they are."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from ..calls import ExplainedStruct, explained_methods
from .components import instead, no_attribute
from .shapes import Shape
from .vectors import E3, lifted, matrix_to_quaternion, rotation_matrix
from .visuals import Visual

__all__ = ["GROUND", "Body", "Force", "Frame", "Joint", "Marker", "Point", "Pose", "Twist"]

GROUND = "ground"

_UNIT = np.eye(3)


@partial(explained_methods, but=("__init__",))  # engines make many
class Pose:
    """Where a frame is: position (3,) of its origin [m] and rotation (3, 3), frame to world. Planar ones have z = 0."""

    def __init__(self, position: np.ndarray, rotation: np.ndarray) -> None:
        self.position = position
        self.rotation = rotation

    @classmethod
    def of(cls, position: Any, orientation: Any) -> "Pose":
        """From plain numbers: two or three coordinates, an angle or a quaternion."""
        return cls(lifted(position), rotation_matrix(orientation))

    def point(self, local: np.ndarray) -> np.ndarray:
        """World position of a point given in the frame."""
        return self.position + self.rotation @ local

    def local(self, world: np.ndarray) -> np.ndarray:
        """The inverse of :meth:`point`."""
        return self.rotation.T @ (world - self.position)

    def angle(self) -> float:
        """Planar orientation [rad]."""
        return float(np.arctan2(self.rotation[1, 0], self.rotation[0, 0]))

    def quaternion(self) -> np.ndarray:
        return matrix_to_quaternion(self.rotation)


@partial(explained_methods, but=("__init__",))
class Twist:
    """Velocity (3,) of a frame's origin and angular velocity (3,), in world axes."""

    def __init__(self, linear: np.ndarray, angular: np.ndarray) -> None:
        self.linear = linear
        self.angular = angular

    def at(self, arm: np.ndarray) -> np.ndarray:
        """Velocity of the point at ``arm`` (world axes) from the origin."""
        (x, y, z), (a, b, c) = self.angular, arm  # written out: np.cross takes ten times as long for two vectors
        return self.linear + np.array([y * c - z * b, z * a - x * c, x * b - y * a])


class Body(msgspec.Struct, metaclass=ExplainedStruct, frozen=True, kw_only=True, omit_defaults=True):
    """A rigid body: what it is made of, where it starts, and the coordinates it uses."""

    name: str
    shape: Shape
    position: tuple[float, ...]  #: origin of the body frame at the start [m]
    orientation: float | tuple[float, ...]  #: angle [rad] (planar) or quaternion (w, x, y, z)
    velocity: tuple[float, ...] | None = None  #: of the origin [m/s]; None: at rest
    angular_velocity: float | tuple[float, ...] | None = None  #: in world axes [rad/s]; None: at rest
    coordinates: str | None = None  #: kind of coordinates; None: the mechanism's default
    color: str | None = None
    visuals: tuple[Visual, ...] = ()  #: drawn in the place of the shape, if there are any
    collisions: tuple[Visual, ...] = ()  #: what it touches with; not drawn

    if not TYPE_CHECKING:  # to a type checker every misspelling would be right

        def __getattr__(self, name: str) -> Any:
            raise no_attribute(self, name, "shape")

    def _instead(self, field: str) -> str:
        return instead(self, field)

    @property
    def pose(self) -> Pose:
        """Described pose of the body frame."""
        return Pose.of(self.position, self.orientation)

    @property
    def twist(self) -> Twist:
        """Described velocity of the body frame."""
        linear, angular = np.zeros(3), np.zeros(3)
        if self.velocity is not None:
            linear[: len(self.velocity)] = self.velocity
        if self.angular_velocity is not None:
            if isinstance(self.angular_velocity, float | int):
                angular[2] = self.angular_velocity
            else:
                angular[:] = self.angular_velocity
        return Twist(linear, angular)


class Frame(msgspec.Struct, metaclass=ExplainedStruct, frozen=True, kw_only=True, omit_defaults=True):
    """A named place on a body, with axes: local position and orientation in the body frame."""

    name: str
    body: str
    position: tuple[float, ...]
    orientation: float | tuple[float, ...]
    visuals: tuple[Visual, ...] = ()  #: drawn with the body, in the axes of the frame
    collisions: tuple[Visual, ...] = ()

    if not TYPE_CHECKING:  # to a type checker every misspelling would be right

        def __getattr__(self, name: str) -> Any:
            raise no_attribute(self, name)

    def _instead(self, field: str) -> str:
        return f"Write m.set('{self.name}', local=…)." if field == "position" else instead(self, field, "body")

    @property
    def pose(self) -> Pose:
        """Pose in the body frame."""
        return Pose.of(self.position, self.orientation)


class Joint(msgspec.Struct, metaclass=ExplainedStruct, frozen=True, kw_only=True, omit_defaults=True):
    """A relation between two bodies (or frames on them), or between two joints."""

    name: str
    kind: Any  #: an instance of a registered joint kind
    a: str  #: body or frame; or joint, if the kind couples joints
    b: str
    at: tuple[float, ...] | None = None  #: where, in world axes, in the described configuration
    at_a: tuple[float, ...] | None = None  #: where on a, in a's own frame
    at_b: tuple[float, ...] | None = None
    axes_a: float | tuple[float, ...] | None = None  #: the joint's own axes in a's own frame: angle [rad] or quaternion (w, x, y, z)
    axes_b: float | tuple[float, ...] | None = None  #: None: the frame's, or those of the world in the described configuration

    if not TYPE_CHECKING:  # to a type checker every misspelling would be right

        def __getattr__(self, name: str) -> Any:
            raise no_attribute(self, name, "kind")

    def _instead(self, field: str) -> str:
        return instead(self, field, "kind")

    @property
    def through(self) -> tuple[str, ...]:
        """Joints through which it holds on to bodies; none if it joins bodies itself."""
        return (self.a, self.b) if self.kind.attachment == "joints" else ()


class Force(msgspec.Struct, metaclass=ExplainedStruct, frozen=True, kw_only=True, omit_defaults=True):
    """An effort on one body, between two, or in a joint."""

    name: str
    kind: Any
    a: str | None = None
    b: str | None = None
    at_a: tuple[float, ...] | None = None  #: point on a, in a's own frame
    at_b: tuple[float, ...] | None = None
    at: tuple[float, ...] | None = None
    axes_a: float | tuple[float, ...] | None = None  #: the force's own axes in a's own frame, as those of a joint
    axes_b: float | tuple[float, ...] | None = None
    joint: str | None = None  #: acts in this joint, on its two bodies

    if not TYPE_CHECKING:  # to a type checker every misspelling would be right

        def __getattr__(self, name: str) -> Any:
            raise no_attribute(self, name, "kind")

    def _instead(self, field: str) -> str:
        return instead(self, field, "kind")

    @property
    def through(self) -> tuple[str, ...]:
        """Joints through which it holds on to bodies: that in which it acts, if any."""
        return () if self.joint is None else (self.joint,)


class Point:
    """An interface element: a material point or a body-fixed direction of one of the sides."""

    __slots__ = ("is_point", "local", "side")

    def __init__(self, side: str, is_point: bool, local: np.ndarray) -> None:
        self.side = side
        self.is_point = is_point
        self.local = local


class Marker:
    """How a joint or force holds on to a body: a point, and a basis that turns the component's own axes into the body's.

    ``pose`` is where the body stands. A kind that reads ``world`` or ``axes`` depends on it and must say so in ``resolved``.
    It is looked up when it is asked for.

    Kinds ask for elements with :meth:`point`, :meth:`direction` and :meth:`own_directions`; they never see the body.
    """

    def __init__(
        self,
        side: str,
        body: str,
        local: np.ndarray,
        basis: np.ndarray,
        poses: Callable[[str], Pose],
        axis: np.ndarray = E3,
        own: np.ndarray = _UNIT,
        motion: str | None = None,
    ) -> None:
        self.side = side
        self.body = body
        self.local = local
        self.basis = basis
        self._poses = poses
        self.axis = axis  #: axis of the joint through which the component holds on, in its own axes; z for turning in the plane
        self.motion = motion  #: what that joint leaves free: see :attr:`bielle.joints.kind.JointKind.motion`
        self.own = own  #: the axes of the frame, or those of the body, in the body frame, as columns

    @property
    def pose(self) -> Pose:
        """Where the body stands, in the described configuration or in the one that was asked for."""
        return self._poses(self.body)

    @property
    def world(self) -> np.ndarray:
        """Where the point is, likewise."""
        return self.pose.point(self.local)

    @property
    def axes(self) -> np.ndarray:
        """The component's own axes in the world, likewise, as columns."""
        return self.pose.rotation @ self.basis

    def point(self) -> Point:
        """The material point at which the component attaches."""
        return Point(self.side, True, self.local)

    def direction(self, vector: np.ndarray) -> Point:
        """The body-fixed direction that now points along ``vector`` of the component's axes."""
        return Point(self.side, False, self.basis @ vector)

    def own_directions(self, dim: int) -> list[Point]:
        """The axes of the body, or of the frame if the component is attached to one: ``dim`` directions."""
        return [Point(self.side, False, self.own[:, i]) for i in range(dim)]
