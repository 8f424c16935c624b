"""Shapes: what a body looks like and, from that, how heavy and how inert it is.

A shape is plain frozen data with a ``type`` tag, so a file reads ``shape: {type: rod, start: [0, 0, 0], end: [1, 0, 0], mass: 1.0}``;
the lower-case functions (:func:`rod`, :func:`box`, …) build the same from anything that looks like a vector.

**Planar and spatial.** Vectors have 2 coordinates in a planar mechanism and 3 in a spatial one; ``dimension()`` tells which, and is
None for a shape that works in both. Planar shapes lie in the plane z = 0 as laminae without thickness.

**Weight.** Exactly one of ``mass`` (kg) and ``density``. The density is in kg/m³ wherever there is a volume. A planar area (rectangle,
disc or polygon without thickness, planar rod with a radius, planar cylinder or capsule) has a density in kg/m², a planar rod without
radius one in kg/m.

**Frames.** Two-point shapes (rod, cylinder, capsule) have a frame of their own: origin in the middle of the two points, x axis from
start to end, y axis horizontal (``z_world x x``, normalised; the world's y if x is vertical), z axis completing it. If both points lie
in the xy plane the z axis is the world's. All other shapes are given directly in the body frame.
"""

import math
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

import msgspec
import numpy as np

from bielle.errors import DescriptionError

from ..calls import ExplainedStruct, explained
from . import mass as formulas
from .mass import (
    MassProperties,
    Placement,
    inertia_numbers,
    is_scalar,
    number,
    same_length,
    show,
    validate_mass_properties,
    vector,
    vectors,
)

__all__ = [
    "Box",
    "Capsule",
    "Compound",
    "Cylinder",
    "Disc",
    "Explicit",
    "Extrusion",
    "MassProperties",
    "Part",
    "Placement",
    "Plate",
    "Rod",
    "Shape",
    "Sphere",
    "box",
    "capsule",
    "compound",
    "cylinder",
    "disc",
    "extruded",
    "massless",
    "moved",
    "plate",
    "rigid",
    "rod",
    "sphere",
    "validate_mass_properties",
]

Vector = tuple[float, ...]  # 2 or 3 numbers
Numbers = Sequence[float] | np.ndarray

_MOST_POINTS = 10_000  # of a polygon


def _lift(vector: Vector | None) -> list[float]:
    """Three coordinates: a planar vector gets z = 0, None is the origin."""
    return [*(vector or ()), 0.0, 0.0, 0.0][:3]


class _Shape(
    msgspec.Struct,
    metaclass=ExplainedStruct,
    frozen=True,
    kw_only=True,
    omit_defaults=True,
    forbid_unknown_fields=True,
    tag_field="type",
    tag=str.lower,
):
    """What all shapes can do."""

    checked: ClassVar[bool] = True  #: what was made has been checked: in the plane, if it is for nothing else, or in space, which is more

    @property
    def _kind(self) -> str:
        return type(self).__name__.lower()

    def _put(self, field: str, value: Any) -> None:
        """Store the cleaned form of a field; only for ``__post_init__``, before anybody can hold the frozen object."""
        msgspec.structs.force_setattr(self, field, value)

    def _clean(self, field: str, convert: Callable[..., Any], *args: Any, optional: bool = False, **options: Any) -> None:
        """Replace a field by its checked and converted form; an optional one may be None."""
        value = getattr(self, field)
        if not (optional and value is None):
            self._put(field, convert(self._kind, field, value, *args, **options))

    def _check(self) -> None:
        validate_mass_properties(self._kind, self.mass_properties(), self.dimension() == 2)

    def mass_properties(self) -> MassProperties:
        """Mass, centre of mass (3,) and inertia (3, 3) about it, in the body frame."""
        raise NotImplementedError

    def placement(self) -> Placement | None:
        """Where a two-point shape puts its body frame; None for a shape that is given in the body frame."""
        return None

    def dimension(self) -> int | None:
        """2 for planar vectors, 3 for spatial ones, None for a shape that works in both."""
        return None

    def outline(self) -> list[dict[str, Any]]:
        """What to draw, in the body frame, as plain JSON types.

        ``segment``, ``cylinder`` and ``capsule`` have ``points`` (two) and ``radius``; ``box`` has ``size``, ``position`` (of its centre)
        and ``rotation`` (3 rows); ``sphere`` has ``centre`` and ``radius``; ``polygon`` has ``points`` (mid-plane) and ``thickness``.
        """
        raise NotImplementedError

    def reference_points(self) -> tuple[np.ndarray, np.ndarray]:
        """Two distinct points (3,) of the body frame: the ends of a two-point shape, else the origin and a length along x."""
        return np.zeros(3), np.array([self._reach(), 0.0, 0.0])

    def _reach(self) -> float:
        """Characteristic length; here the root mean square distance of the mass from its centre, ``sqrt(tr(I) / 2m)``."""
        properties = self.mass_properties()
        return math.sqrt(float(np.trace(properties.inertia)) / 2.0 / properties.mass)


class _Solid(_Shape, frozen=True, kw_only=True):
    """A homogeneous shape: exactly one of mass and density, declared by each solid itself so that they come last in a file."""

    def _weigh(self) -> tuple[float | None, float | None]:
        return self.mass, self.density  # type: ignore[attr-defined]

    def _check(self) -> None:
        mass, density = self._weigh()
        if (mass is None) == (density is None):
            if mass is None:
                got = "neither. Give mass > 0 or density > 0."
            else:
                got = f"both (mass = {show(mass)}, density = {show(density)}). Remove one."
            raise DescriptionError(f"{self._kind}: exactly one of mass and density is needed, got {got}")
        remedy = "Give mass > 0 or density > 0."
        self._clean("mass", number, optional=True, unit="kilograms", positive=True, remedy=remedy)
        self._clean("density", number, optional=True, unit="kg/m³ (planar: kg/m² or kg/m)", positive=True, remedy=remedy)
        super()._check()

    def _total(self, measure: float) -> float:
        """The mass, from the density and the given volume, area or length if need be."""
        mass, density = self._weigh()
        if mass is not None:
            return mass
        assert density is not None  # by _check
        return density * measure


class _TwoPoint(_Solid, frozen=True, kw_only=True):
    """A solid along the line from start to end, with its frame in the middle (see the top of this file)."""

    _radius_optional: ClassVar[bool] = False
    start: Vector
    end: Vector

    def __post_init__(self) -> None:
        self._clean("start", vector)
        self._clean("end", vector)
        same_length(self._kind, start=self.start, end=self.end)
        # points closer than rounding of their coordinates give no direction
        if self._length <= 1e-12 * max(map(abs, (*self.start, *self.end))):
            raise DescriptionError(
                f"{self._kind}: the points start and end must differ (length > 0), got {self.start} and {self.end}. Move one of them."
            )
        self._clean("radius", number, positive=True, optional=self._radius_optional)
        self._check()

    @property
    def _length(self) -> float:
        return math.dist(self.start, self.end)

    def placement(self) -> Placement:
        return formulas.frame_between(self.start, self.end)

    def dimension(self) -> int:
        return len(self.start)

    def reference_points(self) -> tuple[np.ndarray, np.ndarray]:
        half = 0.5 * self._length
        return np.array([-half, 0.0, 0.0]), np.array([half, 0.0, 0.0])

    def _drawn(self, kind: str, radius: float) -> list[dict[str, Any]]:
        return [{"kind": kind, "points": [point.tolist() for point in self.reference_points()], "radius": radius}]


class Rod(_TwoPoint, frozen=True, kw_only=True):
    """Thin rod: ``m L²/12`` across, exactly, and ``m r²/2`` about its own axis so that its spin is not massless.

    ``radius`` is L/100 unless given; it serves the axial inertia, the drawing and the density: ``m = density pi r² L`` for a spatial rod
    (which therefore needs an explicit radius), ``density 2 r L`` for a planar one with and ``density L`` for one without radius.
    """

    _radius_optional: ClassVar[bool] = True
    radius: float | None = None
    mass: float | None = None
    density: float | None = None

    def _check(self) -> None:
        thickest = self._length / math.sqrt(3.0)  # where m r²/2 equals the sum of the two other moments
        if self.effective_radius > thickest:
            raise DescriptionError(
                f"rod: the radius must be at most length/sqrt(3) = {thickest:.6g} metres for a thin rod, got {self.radius!r}. "
                "Use a cylinder or a disc for something this thick."
            )
        if self.dimension() == 3 and self.radius is None and self.mass is None and self.density is not None:
            raise DescriptionError(
                f"rod: a spatial rod with a density in kg/m³ needs a radius to have a volume, got density = {show(self.density)} without "
                "radius. Give radius > 0, or mass instead of density."
            )
        super()._check()

    @property
    def effective_radius(self) -> float:
        """The radius, or its default length/100."""
        return self._length / 100.0 if self.radius is None else self.radius

    def mass_properties(self) -> MassProperties:
        length, radius = self._length, self.effective_radius
        if self.dimension() == 3:
            measure = math.pi * radius * radius * length
        else:
            measure = length if self.radius is None else 2.0 * radius * length
        mass = self._total(measure)
        return MassProperties(mass, np.zeros(3), formulas.rod_inertia(mass, length, radius))

    def outline(self) -> list[dict[str, Any]]:
        return self._drawn("segment", self.effective_radius)


class Cylinder(_TwoPoint, frozen=True, kw_only=True):
    """Solid cylinder from start to end: volume ``pi r² L``; in the plane its side view, a rectangular lamina L x 2r."""

    radius: float
    mass: float | None = None
    density: float | None = None

    def mass_properties(self) -> MassProperties:
        length, radius = self._length, self.radius
        if self.dimension() == 3:
            mass = self._total(math.pi * radius * radius * length)
            return MassProperties(mass, np.zeros(3), formulas.cylinder_inertia(mass, length, radius))
        mass = self._total(2.0 * radius * length)
        return MassProperties(mass, np.zeros(3), formulas.box_inertia(mass, length, 2.0 * radius, 0.0))

    def outline(self) -> list[dict[str, Any]]:
        return self._drawn("cylinder", self.radius)


class Capsule(_TwoPoint, frozen=True, kw_only=True):
    """Cylinder from start to end with a solid hemisphere beyond each: volume ``pi r² L + 4/3 pi r³``; in the plane a stadium (lamina)."""

    radius: float
    mass: float | None = None
    density: float | None = None

    def mass_properties(self) -> MassProperties:
        length, radius = self._length, self.radius
        if self.dimension() == 3:
            mass = self._total(math.pi * radius * radius * (length + 4.0 * radius / 3.0))
            return MassProperties(mass, np.zeros(3), formulas.capsule_inertia(mass, length, radius))
        mass = self._total(radius * (2.0 * length + math.pi * radius))
        return MassProperties(mass, np.zeros(3), formulas.stadium_inertia(mass, length, radius))

    def outline(self) -> list[dict[str, Any]]:
        return self._drawn("capsule", self.radius)


class Box(_Solid, frozen=True, kw_only=True):
    """Box with sides along the axes (3 sizes), or rectangular lamina (2 sizes), around ``centre`` (default: the origin)."""

    size: Vector
    centre: Vector | None = None
    mass: float | None = None
    density: float | None = None

    def __post_init__(self) -> None:
        self._clean("size", vector, positive=True)
        self._clean("centre", vector, optional=True)
        if self.centre is not None:
            same_length("box", size=self.size, centre=self.centre)
        self._check()

    def mass_properties(self) -> MassProperties:
        mass = self._total(math.prod(self.size))
        a, b, c = _lift(self.size)
        return MassProperties(mass, np.array(_lift(self.centre)), formulas.box_inertia(mass, a, b, c))

    def dimension(self) -> int:
        return len(self.size)

    def outline(self) -> list[dict[str, Any]]:
        x, y, z = _lift(self.centre)
        if self.dimension() == 3:
            return [{"kind": "box", "size": list(self.size), "position": [x, y, z], "rotation": np.eye(3).tolist()}]
        a, b = 0.5 * self.size[0], 0.5 * self.size[1]
        corners = [[x - a, y - b, 0.0], [x + a, y - b, 0.0], [x + a, y + b, 0.0], [x - a, y + b, 0.0]]
        return [{"kind": "polygon", "points": corners, "thickness": 0.0}]

    def _reach(self) -> float:
        return 0.5 * self.size[0]


class Plate(_Solid, frozen=True, kw_only=True):
    """Flat box around the origin: ``size`` along x and y, ``thickness`` along z. Works in both dimensions; the density is per volume."""

    size: Vector
    thickness: float
    mass: float | None = None
    density: float | None = None

    def __post_init__(self) -> None:
        self._clean("size", vector, (2,), positive=True)
        self._clean("thickness", number, positive=True)
        self._check()

    def mass_properties(self) -> MassProperties:
        mass = self._total(math.prod(self.size) * self.thickness)
        return MassProperties(mass, np.zeros(3), formulas.box_inertia(mass, self.size[0], self.size[1], self.thickness))

    def outline(self) -> list[dict[str, Any]]:
        return [{"kind": "box", "size": [*self.size, self.thickness], "position": [0.0, 0.0, 0.0], "rotation": np.eye(3).tolist()}]

    def _reach(self) -> float:
        return 0.5 * self.size[0]


class _Round(_Solid, frozen=True, kw_only=True):
    """A solid with a radius around ``centre`` (default: the origin); the centre, if given, sets the dimension."""

    radius: float
    centre: Vector | None = None

    def __post_init__(self) -> None:
        self._clean("radius", number, positive=True)
        self._clean("centre", vector, optional=True)
        self._check()

    def dimension(self) -> int | None:
        return None if self.centre is None else len(self.centre)

    def _reach(self) -> float:
        return self.radius


class Sphere(_Round, frozen=True, kw_only=True):
    """Solid ball: ``2/5 m r²``, volume ``4/3 pi r³``. A ball in the plane too; the flat thing is a :class:`Disc`."""

    mass: float | None = None
    density: float | None = None

    def mass_properties(self) -> MassProperties:
        mass = self._total(4.0 / 3.0 * math.pi * self.radius * self.radius * self.radius)
        return MassProperties(mass, np.array(_lift(self.centre)), formulas.ball_inertia(mass, self.radius))

    def outline(self) -> list[dict[str, Any]]:
        return [{"kind": "sphere", "centre": _lift(self.centre), "radius": self.radius}]


class Disc(_Round, frozen=True, kw_only=True):
    """Disc normal to z: ``Izz = m r²/2``. Without thickness a lamina (density in kg/m²), else a flat cylinder from -t/2 to t/2 (kg/m³)."""

    thickness: float | None = None
    mass: float | None = None
    density: float | None = None

    def __post_init__(self) -> None:
        self._clean("thickness", number, positive=True, optional=True)
        super().__post_init__()

    def mass_properties(self) -> MassProperties:
        mass = self._total(math.pi * self.radius * self.radius * (1.0 if self.thickness is None else self.thickness))
        return MassProperties(mass, np.array(_lift(self.centre)), formulas.disc_inertia(mass, self.radius, self.thickness or 0.0))

    def outline(self) -> list[dict[str, Any]]:
        x, y, z = _lift(self.centre)
        if self.thickness is None:
            return [{"kind": "disc", "centre": [x, y, z], "radius": self.radius, "normal": [0.0, 0.0, 1.0]}]
        half = 0.5 * self.thickness
        return [{"kind": "cylinder", "points": [[x, y, z - half], [x, y, z + half]], "radius": self.radius}]


class Extrusion(_Solid, frozen=True, kw_only=True):
    """Simple polygon in the xy plane, in either sense of rotation, extruded from z = -t/2 to t/2; exact by Green's theorem.

    The body frame is that of the coordinates, not the centroid. Without thickness it is a lamina (density in kg/m², else in kg/m³).
    The polygon closes by itself.
    """

    polygon: tuple[Vector, ...]
    thickness: float | None = None
    mass: float | None = None
    density: float | None = None

    def __post_init__(self) -> None:
        self._clean("polygon", vectors, (2,))
        self._clean("thickness", number, positive=True, optional=True)
        count = len(self.polygon)
        if count < 3:
            raise DescriptionError(f"extrusion: the polygon must have at least 3 points, got {count}. Add points.")
        if count > _MOST_POINTS:  # each edge is compared with all others
            raise DescriptionError(f"extrusion: the polygon must have at most {_MOST_POINTS} points, got {count}. Thin it out.")
        for i, point in enumerate(self.polygon):
            if point == self.polygon[i - 1]:
                raise DescriptionError(
                    f"extrusion: consecutive points of the polygon must differ, got {point} twice (points {(i - 1) % count} and {i}). "
                    "Remove one; the polygon closes by itself."
                )
        area = formulas.polygon_section(self.polygon)[0]
        if area <= 1e-12 * self._extent * self._extent:
            raise DescriptionError(
                f"extrusion: the polygon must enclose an area, got zero area ({area:.3g} m²): its points are on a line or its edges cross. "
                "List the corners in order along the boundary."
            )
        meeting = formulas.meeting_edges(self.polygon)
        if meeting is not None:
            raise DescriptionError(
                f"extrusion: the polygon must not intersect or touch itself, got edges {meeting[0]} and {meeting[1]} that meet "
                "(edge i runs from point i to the next one). List the corners in order along the boundary."
            )
        self._check()

    @property
    def _extent(self) -> float:
        """The longer side of the bounding box."""
        return max(max(column) - min(column) for column in zip(*self.polygon))

    def mass_properties(self) -> MassProperties:
        """With the central moments per area: ``Ixx = m (yy + t²/12)``, ``Iyy = m (xx + t²/12)``, ``Izz = m (xx + yy)``, ``Ixy = -m xy``."""
        area, (x, y), moments = formulas.polygon_section(self.polygon)
        xx, yy, xy = moments.tolist()
        mass = self._total(area if self.thickness is None else area * self.thickness)
        across = (self.thickness or 0.0) * (self.thickness or 0.0) / 12.0
        ixx, iyy, izz, ixy = mass * (yy + across), mass * (xx + across), mass * (xx + yy), -mass * xy
        return MassProperties(mass, np.array([x, y, 0.0]), np.array([[ixx, ixy, 0.0], [ixy, iyy, 0.0], [0.0, 0.0, izz]]))

    def outline(self) -> list[dict[str, Any]]:
        return [{"kind": "polygon", "points": [_lift(point) for point in self.polygon], "thickness": self.thickness or 0.0}]

    def _reach(self) -> float:
        return 0.5 * self._extent


class Explicit(_Shape, frozen=True, kw_only=True):
    """Mass, centre of mass and inertia about it, by hand.

    A planar body (``centre`` with 2 coordinates) has one number, Izz; the lifted matrix is that of a round lamina, diag(Izz/2, Izz/2, Izz).
    A spatial one has three (the diagonal), six ``(xx, yy, zz, xy, xz, yz)`` or 3 x 3; xy, xz, yz are matrix entries, so ``xy = -∫xy dm``.
    ``points`` (none, or two and more) are joined by lines in the drawing; without them a ball is drawn. The first and the next that
    differs from it are the reference points, on which two-point and natural coordinates are built. ``radius`` is that of the lines (length
    of the longest/100 unless given) or of the ball (the root mean square distance of the mass from its centre), and of the drawing only.
    """

    mass: float
    centre: Vector
    inertia: float | tuple[float | tuple[float, ...], ...]
    points: tuple[Vector, ...] = ()
    radius: float | None = None

    def __post_init__(self) -> None:
        self._clean("mass", number, unit="kilograms", positive=True, remedy="Give mass > 0.")
        self._clean("radius", number, positive=True, optional=True)
        self._clean("centre", vector)
        self._clean("points", vectors, (self.dimension(),))
        if len(set(self.points)) == 1:
            raise DescriptionError(f"explicit: the points to draw must be none, or two and more, got only {self.points[0]}. Add a point.")
        if is_scalar(self.inertia) != (self.dimension() == 2):
            expected = "one number (Izz) for a planar centre" if self.dimension() == 2 else "3, 6 or 3x3 numbers for a spatial centre"
            raise DescriptionError(
                f"explicit: the inertia must be {expected}, got {show(self.inertia)} with centre = {self.centre}. "
                "Give the centre 2 coordinates in a planar mechanism, 3 in a spatial one."
            )
        self._clean("inertia", inertia_numbers)
        self._check()

    def _check(self) -> None:
        # the matrix as given, since mass_properties() would hide that it is not symmetric
        given = MassProperties(self.mass, np.array(_lift(self.centre)), self._matrix())
        validate_mass_properties("explicit", given, self.dimension() == 2)

    def _matrix(self) -> np.ndarray:
        values = np.array(self.inertia)
        if values.size == 1:
            return np.diag([0.5, 0.5, 1.0]) * values
        if values.size == 6:
            xx, yy, zz, xy, xz, yz = values
            return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        return np.diag(values) if values.ndim == 1 else values

    def mass_properties(self) -> MassProperties:
        matrix = self._matrix()
        return MassProperties(self.mass, np.array(_lift(self.centre)), 0.5 * matrix + 0.5 * matrix.T)

    def dimension(self) -> int:
        return len(self.centre)

    def reference_points(self) -> tuple[np.ndarray, np.ndarray]:
        if not self.points:
            return super().reference_points()
        second = next(point for point in self.points if point != self.points[0])
        return np.array(_lift(self.points[0])), np.array(_lift(second))

    def outline(self) -> list[dict[str, Any]]:
        if not self.points:
            return [{"kind": "sphere", "centre": _lift(self.centre), "radius": self._reach() if self.radius is None else self.radius}]
        radius = self.radius or max(math.dist(a, b) for a, b in zip(self.points, self.points[1:])) / 100.0
        return [{"kind": "segment", "points": [_lift(a), _lift(b)], "radius": radius} for a, b in zip(self.points, self.points[1:])]


class Part(msgspec.Struct, metaclass=ExplainedStruct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A shape in a compound. ``position`` and ``orientation`` move the coordinates in which the shape is given (default: not at all).

    So the points of a rod without either are points of the compound. The orientation is a quaternion (w, x, y, z), not necessarily of
    length one, in a spatial compound; an angle about z in radians in a planar one.
    """

    shape: "Shape"
    position: Vector | None = None
    orientation: float | tuple[float, ...] | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.shape, _Shape):
            raise DescriptionError(f"compound: a part must hold a shape, got {show(self.shape)}. Build one with rod(...) or box(...), say.")
        put = msgspec.structs.force_setattr
        if self.position is not None:
            put(self, "position", vector("compound", "position of a part", self.position))
        if self.orientation is None:
            return
        if is_scalar(self.orientation):
            put(self, "orientation", number("compound", "orientation of a part", self.orientation, unit="radians"))
            return
        quaternion = vector("compound", "orientation of a part", self.orientation, (4,), unit="quaternion (w, x, y, z)")
        if math.hypot(*quaternion) < 1e-12:
            raise DescriptionError(
                f"compound: the orientation of a part must be a non-zero quaternion (w, x, y, z), got {quaternion}. "
                "Use (1, 0, 0, 0) for no rotation."
            )
        put(self, "orientation", quaternion)

    def placement(self) -> Placement:
        """Where the body frame of the shape stands in the compound."""
        part = Placement(np.array(_lift(self.position)), formulas.rotation_matrix(self.orientation))
        return formulas.compose(part, self.shape.placement())

    def dimensions(self) -> dict[str, int]:
        """What in this part is planar (2) or spatial (3), by name."""
        found = {"shape": self.shape.dimension(), "position": None if self.position is None else len(self.position)}
        if self.orientation is not None:
            found["orientation"] = 2 if isinstance(self.orientation, float) else 3
        return {name: dimension for name, dimension in found.items() if dimension is not None}


class Compound(_Shape, frozen=True, kw_only=True):
    """Several shapes welded together (nested if you like), in the frame in which the parts are placed; parallel-axis theorem."""

    parts: tuple[Part, ...]

    def __post_init__(self) -> None:
        self._put("parts", tuple(_part(part) for part in self.parts))
        if not self.parts:
            raise DescriptionError("compound: at least one part is needed, got none. Give a shape or (shape, position, orientation).")
        found = {f"{name} of part {i}": dimension for i, part in enumerate(self.parts) for name, dimension in part.dimensions().items()}
        planar, spatial = ([name for name, dimension in found.items() if dimension == d] for d in (2, 3))
        if planar and spatial:
            raise DescriptionError(
                f"compound: the parts must be all planar or all spatial, got a mixture: the {planar[0]} is planar, the {spatial[0]} "
                "is spatial. Planar is 2 coordinates and an angle, spatial is 3 coordinates and a quaternion (w, x, y, z)."
            )
        self._check()

    def mass_properties(self) -> MassProperties:
        return formulas.combine((part.shape.mass_properties(), part.placement()) for part in self.parts)

    def dimension(self) -> int | None:
        return next((dimension for part in self.parts for dimension in part.dimensions().values()), None)

    def outline(self) -> list[dict[str, Any]]:
        return [moved(primitive, part.placement()) for part in self.parts for primitive in part.shape.outline()]


def moved(primitive: dict[str, Any], at: Any) -> dict[str, Any]:
    """A drawing primitive of a frame that stands at ``at``, a placement or a pose."""
    new = dict(primitive)
    for field in ("points", "centre", "position"):
        if field in new:
            new[field] = (np.array(new[field]) @ at.rotation.T + at.position).tolist()
    for field in ("rotation", "normal"):
        if field in new:
            new[field] = (at.rotation @ np.array(new[field])).tolist()
    return new


class Massless(_Shape, frozen=True):
    """No mass at all: a body between joints that moves because of what hangs on it. Only the recursive solver can do with it."""

    def mass_properties(self) -> MassProperties:
        return MassProperties(0.0, np.zeros(3), np.zeros((3, 3)))

    def outline(self) -> list[dict[str, Any]]:
        return []

    def _reach(self) -> float:
        return 1.0


Shape = Rod | Cylinder | Capsule | Box | Plate | Sphere | Disc | Extrusion | Explicit | Compound | Massless


@explained
def rod(start: Numbers, end: Numbers, *, mass: float | None = None, density: float | None = None, radius: float | None = None) -> Rod:
    """Thin rod between two points; see :class:`Rod` for its radius (default length/100) and its density."""
    return Rod(start=start, end=end, mass=mass, density=density, radius=radius)  # type: ignore[arg-type]


@explained
def cylinder(start: Numbers, end: Numbers, radius: float, *, mass: float | None = None, density: float | None = None) -> Cylinder:
    """Solid cylinder whose end faces are centred at two points."""
    return Cylinder(start=start, end=end, radius=radius, mass=mass, density=density)  # type: ignore[arg-type]


@explained
def capsule(start: Numbers, end: Numbers, radius: float, *, mass: float | None = None, density: float | None = None) -> Capsule:
    """Solid capsule whose hemispheres are centred at two points."""
    return Capsule(start=start, end=end, radius=radius, mass=mass, density=density)  # type: ignore[arg-type]


@explained
def box(size: Numbers, *, mass: float | None = None, density: float | None = None, centre: Numbers | None = None) -> Box:
    """Box (3 sizes) or rectangular lamina (2 sizes) around ``centre`` (default: the origin of the body frame)."""
    return Box(size=size, mass=mass, density=density, centre=centre)  # type: ignore[arg-type]


@explained
def plate(size: Numbers, thickness: float, *, mass: float | None = None, density: float | None = None) -> Plate:
    """Rectangular plate: two sizes along x and y, thickness along z."""
    return Plate(size=size, thickness=thickness, mass=mass, density=density)  # type: ignore[arg-type]


@explained
def sphere(radius: float, *, mass: float | None = None, density: float | None = None, centre: Numbers | None = None) -> Sphere:
    """Solid ball around ``centre`` (default: the origin of the body frame)."""
    return Sphere(radius=radius, mass=mass, density=density, centre=centre)  # type: ignore[arg-type]


@explained
def disc(
    radius: float, *, mass: float | None = None, density: float | None = None, thickness: float | None = None, centre: Numbers | None = None
) -> Disc:
    """Disc normal to z: a lamina, or with a thickness a flat cylinder."""
    return Disc(radius=radius, mass=mass, density=density, thickness=thickness, centre=centre)  # type: ignore[arg-type]


@explained
def extruded(
    polygon: Sequence[Numbers] | np.ndarray, thickness: float | None = None, *, mass: float | None = None, density: float | None = None
) -> Extrusion:
    """Polygon (n, 2) in the xy plane with a thickness along z, or without one as a lamina."""
    return Extrusion(polygon=polygon, thickness=thickness, mass=mass, density=density)  # type: ignore[arg-type]


@explained
def rigid(
    mass: float, centre: Numbers, inertia: Any, *, points: Sequence[Numbers] | np.ndarray = (), radius: float | None = None
) -> Explicit:
    """Mass, centre of mass and inertia about it by hand: planar Izz; spatial 3, 6 ``(xx, yy, zz, xy, xz, yz)`` or 3 x 3 numbers.

    It is drawn as lines from point to point, or as a ball; see :class:`Explicit` for their radius.
    """
    return Explicit(mass=mass, centre=centre, inertia=inertia, points=points, radius=radius)  # type: ignore[arg-type]


@explained
def massless() -> Massless:
    """No mass: for a body between joints, with others beyond it that have some. Needs ``solver="auto"`` or ``bielle.Recursive()``."""
    return Massless()


@explained
def compound(*parts: Any) -> Compound:
    """Shapes welded together; a part is a shape, ``(shape, position)``, ``(shape, position, orientation)`` or a :class:`Part`."""
    return Compound(parts=parts)


def _part(part: Any) -> Part:
    if isinstance(part, Part):
        return part
    given = list(part) if isinstance(part, tuple | list) else [part]
    if not 1 <= len(given) <= 3:
        raise DescriptionError(f"compound: a part must be (shape, position, orientation), got {len(given)} items. Give one to three.")
    return Part(**dict(zip(("shape", "position", "orientation"), given)))
