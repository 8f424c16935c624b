"""Visuals: what is seen of a body or frame beside its mass, and what it touches with; plain data without weight.

A visual is a form at a place of the body's (or frame's) own axes. A list of them replaces the drawing of the shape; collisions are the
same forms, kept for programs that look for contact, and not drawn. In a file: ``visuals: [{type: box, size: [1.0, 0.2, 0.2]}]``.
"""

from collections.abc import Callable, Sequence
from typing import Any

import msgspec
import numpy as np

from ..calls import ExplainedStruct, explained
from ..errors import DescriptionError
from .mass import Placement, number, vector
from .vectors import orientation as unit_quaternion
from .vectors import quaternion_to_matrix, shown

__all__ = [
    "MAX_MESH_BYTES",
    "Visual",
    "VisualBox",
    "VisualCapsule",
    "VisualCylinder",
    "VisualMesh",
    "VisualSphere",
    "box",
    "capsule",
    "checked",
    "cylinder",
    "mesh",
    "sphere",
]

MAX_MESH_BYTES = 200 * 10**6  #: largest file of triangles that is read

Numbers = Sequence[float] | np.ndarray
_DEFAULTS = _HERE, _UPRIGHT, _SAME = (0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0), (1.0, 1.0, 1.0)


class _Visual(
    msgspec.Struct, metaclass=ExplainedStruct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True, tag_field="type"
):
    """Where a form is, and its colour; None: that of the body."""

    position: tuple[float, ...] = _HERE  #: of its centre, or of the origin of a mesh [m]
    orientation: tuple[float, ...] = _UPRIGHT  #: quaternion (w, x, y, z)
    color: str | None = None

    def __post_init__(self) -> None:
        self._clean("position", vector, (3,))
        self._put("orientation", unit_quaternion(self.orientation, f"visual '{self._kind}': the orientation", planar=False))
        if self.color is not None and not (isinstance(self.color, str) and self.color.isprintable()):
            raise DescriptionError(
                f"visual '{self._kind}': the color must be a string such as '#4682b4', got {shown(self.color)}. Give one."
            )

    @property
    def _kind(self) -> str:
        return str(self.__struct_config__.tag)

    def _clean(self, field: str, convert: Callable[..., Any], *args: Any, **options: Any) -> None:
        """Replace a field by its checked form."""
        self._put(field, convert(f"visual '{self._kind}'", field, getattr(self, field), *args, **options))

    def _put(self, field: str, value: Any) -> None:
        """Store a field before anybody can hold the frozen object; a default as the very object that files leave out."""
        msgspec.structs.force_setattr(self, field, next((default for default in _DEFAULTS if value == default), value))

    def placement(self) -> Placement:
        """Where its own axes stand in the body's."""
        return Placement(np.array(self.position), quaternion_to_matrix(self.orientation))

    def outline(self) -> dict[str, Any]:
        """What to draw, in the body's axes, as the primitives of :meth:`bielle.mechanism.shapes._Shape.outline`; of a mesh, its file."""
        raise NotImplementedError


class VisualBox(_Visual, frozen=True, tag="box"):
    """Box around its position."""

    size: tuple[float, ...]

    def __post_init__(self) -> None:
        super().__post_init__()
        self._clean("size", vector, (3,), positive=True)

    def outline(self) -> dict[str, Any]:
        at = self.placement()
        return {"kind": "box", "size": list(self.size), "position": at.position.tolist(), "rotation": at.rotation.tolist()}


class VisualSphere(_Visual, frozen=True, tag="sphere"):
    """Ball around its position."""

    radius: float

    def __post_init__(self) -> None:
        super().__post_init__()
        self._clean("radius", number, positive=True)

    def outline(self) -> dict[str, Any]:
        return {"kind": "sphere", "centre": list(self.position), "radius": self.radius}


class _Round(_Visual, frozen=True):
    """What lies along its own z axis, half of its length on each side."""

    radius: float
    length: float

    def __post_init__(self) -> None:
        super().__post_init__()
        self._clean("radius", number, positive=True)
        self._clean("length", number, positive=True)

    def outline(self) -> dict[str, Any]:
        at = self.placement()
        along = 0.5 * self.length * at.rotation[:, 2]
        return {"kind": self._kind, "points": [(at.position - along).tolist(), (at.position + along).tolist()], "radius": self.radius}


class VisualCylinder(_Round, frozen=True, tag="cylinder"):
    """Cylinder along z."""


class VisualCapsule(_Round, frozen=True, tag="capsule"):
    """Cylinder along z with a hemisphere beyond each end."""


class VisualMesh(_Visual, frozen=True, tag="mesh"):
    """Triangles of a file.

    file   as it was named, for instance ``package://arm/meshes/hand.stl``
    path   where it was found on this machine; None: it was not, and is not drawn
    scale  along its own axes; negative numbers mirror
    """

    file: str
    path: str | None = None
    scale: tuple[float, ...] = _SAME

    def __post_init__(self) -> None:
        super().__post_init__()
        for field, text in (("file", self.file), ("path", self.path)):
            if not (isinstance(text, str) and text) and not (field == "path" and text is None):
                raise DescriptionError(f"visual 'mesh': the {field} must be the name of a file, got {shown(text)}. Give one.")
        self._clean("scale", vector, (3,))
        if 0.0 in self.scale:
            raise DescriptionError(f"visual 'mesh': the scale must not be zero, got {self.scale}. Leave it out for the size in the file.")

    def outline(self) -> dict[str, Any]:
        at = self.placement()
        scaled = {"position": at.position.tolist(), "rotation": at.rotation.tolist(), "scale": list(self.scale)}
        return {"kind": "file", "path": self.path, "name": self.file, **scaled}


Visual = VisualBox | VisualCylinder | VisualCapsule | VisualSphere | VisualMesh


def checked(visuals: Any, what: str, planar: bool) -> tuple[Visual, ...]:
    """A tuple of visuals, or an error that says what was expected."""
    given = tuple(visuals) if isinstance(visuals, list | tuple) else visuals
    if not isinstance(given, tuple) or not all(isinstance(item, _Visual) for item in given):
        raise DescriptionError(f"{what} must be a list of bielle.visuals.box(…), mesh(…), …, got {shown(visuals)}.")
    if planar and given:
        raise DescriptionError(f"{what} are for spatial mechanisms, but this one is planar. Leave them out: the shape is drawn.")
    return given


@explained
def box(size: Numbers, *, position: Numbers = _HERE, orientation: Any = _UPRIGHT, color: str | None = None) -> VisualBox:
    """Box with three sizes around its position."""
    return VisualBox(size=size, position=position, orientation=orientation, color=color)  # type: ignore[arg-type]


@explained
def sphere(radius: float, *, position: Numbers = _HERE, color: str | None = None) -> VisualSphere:
    """Ball around its position."""
    return VisualSphere(radius=radius, position=position, color=color)  # type: ignore[arg-type]


@explained
def cylinder(
    radius: float, length: float, *, position: Numbers = _HERE, orientation: Any = _UPRIGHT, color: str | None = None
) -> VisualCylinder:
    """Cylinder along its own z axis around its position."""
    return VisualCylinder(radius=radius, length=length, position=position, orientation=orientation, color=color)  # type: ignore[arg-type]


@explained
def capsule(
    radius: float, length: float, *, position: Numbers = _HERE, orientation: Any = _UPRIGHT, color: str | None = None
) -> VisualCapsule:
    """Cylinder with a hemisphere beyond each end, along its own z axis; the length is that of the cylinder."""
    return VisualCapsule(radius=radius, length=length, position=position, orientation=orientation, color=color)  # type: ignore[arg-type]


@explained
def mesh(
    file: str,
    *,
    scale: Numbers = _SAME,
    position: Numbers = _HERE,
    orientation: Any = _UPRIGHT,
    color: str | None = None,
    path: str | None = None,
) -> VisualMesh:
    """Triangles of an STL or OBJ file; ``path`` says where it is if ``file`` is a name such as ``package://…`` (None: at ``file``)."""
    at = path if path is not None or "://" in file else file
    return VisualMesh(file=file, path=at, scale=scale, position=position, orientation=orientation, color=color)  # type: ignore[arg-type]
