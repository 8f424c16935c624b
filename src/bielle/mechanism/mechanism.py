"""Mechanism: the description a person edits."""

from __future__ import annotations

from os import PathLike
from types import FunctionType
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from ..calls import example, explained_methods
from ..errors import AccessError, DescriptionError, NamingError, nearest, unknown
from . import attachment, changing, display, files, registry
from . import visuals as looks
from .attachment import Component, Poses
from .components import Bodies, Forces, Frames, Joints, missing_attribute, refill, take_out
from .description import GROUND, Body, Force, Frame, Joint, Marker, Pose, Twist
from .mass import is_scalar
from .meshes import MeshFolders
from .shapes import Massless, validate_mass_properties
from .vectors import lifted, matrix_to_quaternion, number, orientation, plain, shown, vector
from .verbs import Verbs

__all__ = ["Mechanism"]

_PLANES = ("xy", "xz", "yz")
_TABLES = {"bodies": "body", "joints": "joint", "forces": "force", "frames": "frame"}  # and what one of them is called
_LONGEST_NAME = 200  # characters: a name is for people and must fit in a message


@explained_methods
class Mechanism(Verbs):
    """Named bodies, joints, forces and frames: plain data, checked as it is entered.

    gravity  acceleration of free fall [m/s²]; two numbers for a planar mechanism, three for a spatial one
    plane    None for a spatial mechanism; 'xy', 'xz' or 'yz' for a planar one, in which all vectors have two components, along the
             axes of these names
    """

    def __init__(self, gravity: Any = None, *, plane: str | None = None, name: str = "mechanism") -> None:
        if plane not in (None, *_PLANES):
            raise DescriptionError(f"plane must be None (spatial) or one of 'xy', 'xz', 'yz', got {shown(plane)}.")
        self._plane = None if plane is None else str.__str__(plane)
        self.name = name
        self.gravity = ((0.0, -9.81) if plane else (0.0, 0.0, -9.81)) if gravity is None else gravity
        self.bodies: dict[str, Body] = Bodies()
        self.joints: dict[str, Joint] = Joints()
        self.forces: dict[str, Force] = Forces()
        self.frames: dict[str, Frame] = Frames()
        self.mesh_folders: MeshFolders | None = None  #: where meshes may be that are drawn; None: anywhere, since no file names them

    # -- what it is

    @property
    def name(self) -> str:
        return self._title

    @name.setter
    def name(self, name: str) -> None:
        if not isinstance(name, str) or not name.isprintable():
            raise DescriptionError(f"The name of a mechanism must be a string on one line, got {shown(name)}. Leave out line breaks.")
        self._title = str.__str__(name)

    @property
    def plane(self) -> str | None:
        """None: spatial. It cannot change: the vectors already given would have the wrong length."""
        return self._plane

    @plane.setter
    def plane(self, plane: Any) -> None:
        raise AccessError(
            f"The plane of a mechanism cannot change: it is {self._plane!r}, and so are the vectors in it. "
            f"Make another: Mechanism(plane={plane!r})."
        )

    @property
    def axes(self) -> tuple[str, ...]:
        """Names of the axes along which vectors have their components: those of the plane, or x, y and z."""
        return tuple(self._plane or "xyz")

    @property
    def gravity(self) -> tuple[float, ...]:
        """Acceleration of free fall [m/s²]."""
        return self._gravity

    @gravity.setter
    def gravity(self, gravity: Any) -> None:
        if isinstance(gravity, str) and gravity in _PLANES:
            raise DescriptionError(f"gravity must be {self.dim} numbers, got '{gravity}'. A plane is given by name: plane='{gravity}'.")
        if is_scalar(gravity):
            falls = "(0, -9.81)" if self.planar else "(0, 0, -9.81)"
            raise DescriptionError(f"gravity must be {self.dim} numbers, got {shown(gravity)}. It is a vector: write {falls}, say.")
        self._gravity = vector(gravity, "gravity", self.dim)

    @property
    def planar(self) -> bool:
        return self.plane is not None

    @property
    def dim(self) -> int:
        return 2 if self.planar else 3

    @property
    def ground(self) -> str:
        """The fixed world, to be named where a body is wanted."""
        return GROUND

    # -- editing

    @example('add_body("rod", bielle.rod((0, 0), (1, 0), mass=1.0))')
    def add_body(
        self,
        name: str,
        shape: Any,
        *,
        position: Any = None,
        orientation: Any = None,
        velocity: Any = None,
        angular_velocity: Any = None,
        coordinates: str | None = None,
        color: str | None = None,
        visuals: Any = (),
        collisions: Any = (),
    ) -> Body:
        """Add a body.

        A shape made from two points (a rod) is where these points are, unless ``position`` says otherwise. ``velocity`` is that of
        the origin of the body frame, ``angular_velocity`` is in world axes. ``visuals`` (:mod:`bielle.visuals`) are drawn in the place
        of the shape; ``collisions`` are kept, and not drawn.
        """
        name = self._new_name(name)
        what = f"body '{name}'"
        if not hasattr(shape, "mass_properties"):
            remedy = f"Call it: {shape.__name__}(…)." if isinstance(shape, FunctionType) else "Make one."
            raise DescriptionError(f"{what}: the shape must be made by bielle.rod, box, disc, sphere, …, got {shown(shape)}. {remedy}")
        dim, planar, dimension = self.dim, self.planar, shape.dimension()
        if dimension not in (None, dim):
            raise DescriptionError(
                f"{what}: the shape is made of {dimension}-vectors, but the mechanism is {self._adjective()}. "
                f"Give {dim} numbers per vector."
            )
        massless = isinstance(shape, Massless)
        if not getattr(shape, "checked", False):
            validate_mass_properties(what, shape.mass_properties(), planar)
        placement = shape.placement()
        if position is None:
            position = placement.position[:dim] if placement is not None else (0.0,) * dim
        if orientation is None:
            if placement is not None:
                R = placement.rotation
                orientation = float(np.arctan2(R[1, 0], R[0, 0])) if planar else matrix_to_quaternion(R)
            else:
                orientation = 0.0 if planar else (1.0, 0.0, 0.0, 0.0)
        if angular_velocity is not None:
            about = f"{what}: the angular velocity"
            angular_velocity = number(angular_velocity, about) if planar else vector(angular_velocity, about, 3)
        if coordinates is not None:
            fitting = ", ".join(k for k, c in registry.bodies.items() if c.dim == dim)
            if not isinstance(coordinates, str):
                raise DescriptionError(f"{what}: coordinates must be the name of a kind, got {shown(coordinates)}. Use one of: {fitting}.")
            if coordinates not in registry.bodies:
                raise unknown("kind of coordinates", coordinates, registry.bodies, what)
            if registry.bodies[coordinates].dim != dim:
                raise DescriptionError(
                    f"{what}: coordinates '{coordinates}' are for another dimension; this mechanism is {self._adjective()}. "
                    f"Use one of: {fitting}."
                )
            if massless and not registry.bodies[coordinates].without_mass:
                raise DescriptionError(f"{what}: without mass it cannot have coordinates of the kind {shown(coordinates)}. Leave them out.")
            registry.bodies[coordinates](shape.mass_properties(), shape.reference_points()).check(name)
        if color is not None and not (isinstance(color, str) and color.isprintable()):
            raise DescriptionError(f"{what}: the color must be a string such as 'steelblue' or '#4682b4', got {shown(color)}. Give one.")
        body = Body(
            name=name,
            shape=shape,
            position=vector(position, f"{what}: the position", dim),
            orientation=_orientation(orientation, f"{what}: the orientation", planar),
            velocity=None if velocity is None else vector(velocity, f"{what}: the velocity", dim),
            angular_velocity=angular_velocity,
            coordinates=coordinates,
            color=color,
            visuals=looks.checked(visuals, f"{what}: the visuals", planar),
            collisions=looks.checked(collisions, f"{what}: the collisions", planar),
        )
        self.bodies[name] = body
        return body

    @example('add_frame("tip", "rod", at=(1, 0))')
    def add_frame(
        self,
        name: str,
        body: Any,
        at: Any = None,
        *,
        local: Any = None,
        orientation: Any = None,
        visuals: Any = (),
        collisions: Any = (),
    ) -> Frame:
        """Name a place on a body: ``at`` in world axes of the described configuration, or ``local`` in the body's own frame.

        ``orientation`` is that of the frame in the body: an angle, a quaternion or a rotation matrix. ``visuals`` (:mod:`bielle.visuals`)
        are drawn with the body, in the axes of the frame; so the ground can be seen too.
        """
        name = self._new_name(name)
        what = f"frame '{name}'"
        owner = self._body_name(body, what)
        if (at is None) == (local is None):
            got = "neither" if at is None else "both"
            raise DescriptionError(f"{what}: give either at (world axes) or local (the body's own frame), got {got}.")
        if local is None:
            world = lifted(vector(at, f"{what}: the point", self.dim))
            local = self.pose(owner).local(world)[: self.dim]
        if orientation is None:
            orientation = 0.0 if self.planar else (1.0, 0.0, 0.0, 0.0)
        frame = Frame(
            name=name,
            body=owner,
            position=vector(local, f"{what}: the point", self.dim),
            orientation=_orientation(orientation, f"{what}: the orientation", self.planar),
            visuals=looks.checked(visuals, f"{what}: the visuals", self.planar),
            collisions=looks.checked(collisions, f"{what}: the collisions", self.planar),
        )
        self.frames[name] = frame
        return frame

    @example('add_joint("hinge", bielle.Pin(), "ground", "rod", at=(0, 0))')
    def add_joint(
        self,
        name: str,
        kind: Any,
        a: Any,
        b: Any,
        at: Any = None,
        *,
        at_a: Any = None,
        at_b: Any = None,
        axes_a: Any = None,
        axes_b: Any = None,
    ) -> Joint:
        """Join a and b (bodies, ground or frames); kinds that couple joints, such as Gear, take two joints in their place, and no places.

        ``at`` is the place in world axes of the described configuration; ``at_a`` and ``at_b`` are places in the bodies' own frames,
        for parts that are not yet assembled. The joint's own axes, in which its axis is given, are those of the world in the described
        configuration; ``axes_a`` and ``axes_b`` are orientations in the bodies' own frames instead (an angle, a quaternion or a
        rotation matrix). Frames bring their own place and axes.
        """
        name = self._new_name(name)
        what = f"joint '{name}'"
        kind = self._checked_kind(registry.joints, "joint", name, kind)
        if kind.attachment == "joints":
            a, b = self._joint_name(a, what), self._joint_name(b, what)
            if any(given is not None for given in (at, at_a, at_b, axes_a, axes_b)):
                raise DescriptionError(f"{what}: it couples joints '{a}' and '{b}', which say where. Leave out the places and the axes.")
            coupling = Joint(name=name, kind=kind, a=a, b=b)
            kind.check_attachment(what, coupling, self)
            self.joints[name] = coupling
            return coupling
        a, b = self._place_name(a, what), self._place_name(b, what)
        if self._owner(a) == self._owner(b):
            by = "" if a == b else f" (by '{a}' and '{b}')"
            raise DescriptionError(f"{what}: it must join two bodies, got '{self._owner(a)}' twice{by}. Give two different bodies.")
        if kind.grounded and self._owner(a) != GROUND:
            raise DescriptionError(f"{what}: a of {type(kind).__name__} must be the ground, got '{a}'. Give m.ground as a.")
        axes = self._axes(what, ("a", a, axes_a), ("b", b, axes_b))
        joint = Joint(name=name, kind=kind, a=a, b=b, **self._places(what, at=at, at_a=at_a, at_b=at_b), **axes)
        self._check_places(what, joint)
        self.joints[name] = joint
        return joint

    @example('add_force("pull", bielle.PointForce(force=(0, 1)), "rod", at=(1, 0))')
    def add_force(
        self,
        name: str,
        kind: Any,
        a: Any = None,
        b: Any = None,
        at: Any = None,
        *,
        at_a: Any = None,
        at_b: Any = None,
        axes_a: Any = None,
        axes_b: Any = None,
        joint: Any = None,
    ) -> Force:
        """Apply an effort: on ``a`` alone, between ``a`` and ``b``, or in a ``joint`` (on its two bodies, along its axis).

        Places and axes are given as in :meth:`add_joint`.
        """
        name = self._new_name(name)
        what = f"force '{name}'"
        kind = self._checked_kind(registry.forces, "force", name, kind)
        if joint is not None:
            joint = self._joint_name(joint, what)
            through = self.joints[joint].through
            if through:
                raise DescriptionError(
                    f"{what}: joint '{joint}' couples the joints '{through[0]}' and '{through[1]}', and nothing acts in it. "
                    "Give one of these."
                )
            if any(given is not None for given in (a, b, at, at_a, at_b, axes_a, axes_b)):
                raise DescriptionError(f"{what}: it acts in joint '{joint}', which says where. Leave out a, b, the places and the axes.")
            made = Force(name=name, kind=kind, joint=joint)
        else:
            if a is None:
                raise DescriptionError(f"{what}: name the body it acts on, or the joint it acts in (joint=…).")
            a = self._place_name(a, what)
            b = None if b is None else self._place_name(b, what)
            for key, given in (("at_b", at_b), ("axes_b", axes_b)):
                if given is not None and b is None:
                    raise DescriptionError(f"{what}: {key} is given on b, but there is no b. Name the body b, or leave out {key}.")
            axes = self._axes(what, ("a", a, axes_a), ("b", b, axes_b))
            made = Force(name=name, kind=kind, a=a, b=b, **self._places(what, at=at, at_a=at_a, at_b=at_b), **axes)
        kind.check_attachment(what, made, self)
        self.forces[name] = made
        return made

    def set(self, component: Any, value: Any = changing.BY_NAME, /, **parameters: Any) -> Any:
        """Give a component other parameters: ``m.set("spring", stiffness=200)``, or ``m.set("spring.stiffness", 200)``; what it is then.

        Of a joint or force, those of its kind, and its places (``at``, ``at_a``, …, ``a``, ``b``, ``joint``); of a body, those of its shape
        (``mass``, ``end``, …) and its own (``position``, ``velocity``, ``color``, …); of a frame ``local`` and ``orientation``.
        """
        name, parameters = changing.parameters_of(self, component, value, parameters)
        table = self._table(name)
        table[name] = changing.successor(self, table[name], parameters)
        return table[name]

    def remove(self, component: Any) -> None:
        """Remove a component. A body that joints, forces or frames still hold on to cannot go before them."""
        name = self._name(component)
        if name == GROUND:
            raise DescriptionError("The ground cannot be removed: every mechanism has one. Remove the joints that hold on to it instead.")
        table = self._table(name)
        users = self._users(name)
        if users:
            depend, these = ("depends", "it") if len(users) == 1 else ("depend", "these")
            raise DescriptionError(f"'{name}' cannot be removed: {', '.join(users)} still {depend} on it. Remove {these} first.")
        take_out(table, name)

    def rename(self, component: Any, new: str) -> None:
        """Give a component another name, everywhere it is mentioned."""
        old = self._name(component)
        if old == GROUND:
            raise DescriptionError(
                "The ground cannot be renamed: every mechanism has one, of that name. Name a frame on it instead (add_frame)."
            )
        table = self._table(old)
        new = self._new_name(new)
        mentions: list[tuple[dict[str, Any], tuple[str, ...]]]
        mentions = [(self.frames, ("body",)), (self.joints, ("a", "b")), (self.forces, ("a", "b", "joint"))]
        for each, fields in mentions:
            for key, item in each.items():
                changes = {f: new for f in fields if getattr(item, f) == old}
                if changes:
                    each[key] = msgspec.structs.replace(item, **changes)
        refill(table, [(new if k == old else k, msgspec.structs.replace(x, name=new) if k == old else x) for k, x in table.items()])

    # -- files and displays

    def save(self, path: str | PathLike[str]) -> None:
        """Write the description to a file that ends in .yaml, .yml or .json (:mod:`bielle.mechanism.files`), or in .urdf."""
        files.save(self, path)

    @classmethod
    def load(cls, path: str | PathLike[str]) -> Mechanism:
        """The mechanism that :meth:`save` wrote, or that somebody wrote by hand."""
        return files.load(path)

    def to_dict(self) -> dict[str, Any]:
        """The description as dictionaries, lists, strings and numbers, as in a file."""
        return files.to_dict(self)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Mechanism:
        """The inverse of :meth:`to_dict`."""
        return files.from_dict(data)

    def __repr__(self) -> str:
        return display.text(self)

    def _repr_html_(self) -> str:
        return display.html(self)

    def copy(self) -> Mechanism:
        """An independent copy."""
        other = object.__new__(type(self))
        other.__dict__ |= self.__dict__ | {name: getattr(self, name).copy() for name in _TABLES}
        return other

    # -- looking up

    def __getitem__(self, component: Any) -> Body | Joint | Force | Frame:
        """The body, joint, force or frame of that name, as it is described."""
        name = self._name(component)
        return self._table(name)[name]

    def __contains__(self, component: object) -> bool:
        return any(component in table for table in (self.bodies, self.joints, self.forces, self.frames))

    def __iter__(self) -> Any:
        """Names of all components."""
        return iter(self._names()[1:])

    if not TYPE_CHECKING:  # to a type checker every misspelling would be right

        def __getattr__(self, name: str) -> Any:
            if name.startswith("_") or not isinstance(self.__dict__.get("bodies"), dict):
                raise AttributeError(name)
            if name in self:
                raise AccessError(f"The mechanism has no attribute '{name}', but a component of that name: write m['{name}'].")
            raise missing_attribute("A mechanism", name, dir(type(self)))

        def __setattr__(self, name: str, value: Any) -> None:
            if name in _TABLES and name in self.__dict__:
                kind = _TABLES[name]
                raise AccessError(
                    f"{name} can only be read. Write m.add_{kind}(name, …) to add a {kind}, m.set(name, …) to change one, "
                    "m.remove(name) to remove one."
                )
            known = name.startswith("_") or name in _TABLES or name == "mesh_folders" or hasattr(type(self), name)
            if type(self) is Mechanism and not known:  # a class of the user's own has attributes of its own
                if name in self:
                    raise AccessError(f"The mechanism has no attribute '{name}', but a component of that name: write m.set('{name}', …).")
                near = nearest(name, ("gravity", "name", "plane", *_TABLES))
                hint = f"Did you mean '{near}'?" if near else "Its gravity and name can be set."
                raise AccessError(f"A mechanism has no '{name}'. {hint}")
            super().__setattr__(name, value)

    def pose(self, name: str) -> Pose:
        """Described pose of a body's frame; of the ground, the world."""
        if name == GROUND:
            return _WORLD
        return self.bodies[self._body_name(name)].pose

    def twist(self, name: str) -> Twist:
        """Described velocity of a body's frame."""
        if name == GROUND:
            return Twist(np.zeros(3), np.zeros(3))
        return self.bodies[self._body_name(name)].twist

    def coordinates_of(self, body: Body) -> str:
        """Name of the coordinates a body uses."""
        return body.coordinates or ("planar" if self.planar else "spatial")

    def markers(self, component: Joint | Force, poses: Poses | None = None) -> tuple[Marker, ...]:
        """How a joint or force holds on to its bodies.

        ``poses``, a callable that gives the pose of a body by its name, takes the place of the described configuration: a component
        that is placed by ``at``, or whose axes are those of the world, is then placed among the bodies as they stand there. A force in
        a joint holds on where that joint is described, and only looks at where it is now.
        """
        return attachment.markers(self, component, poses)

    def localised(self, component: Component, poses: Poses | None = None) -> Component:
        """The same joint or force in self-contained form, which no longer depends on the described configuration.

        Its places and axes are fixed in its bodies (``at_a``, ``axes_a``, …; frames stay, for they are fixed too) and what its kind
        takes from the configuration (the length of a spring) is given by numbers. ``poses`` says where the bodies are; None: as
        described. Then compiling the mechanism with it gives the same equations.
        """
        return attachment.localised(self, component, poses)

    def _adjective(self) -> str:
        return "planar" if self.planar else "spatial"

    # -- checks

    def _name(self, component: Any, where: str = "") -> str:
        if isinstance(component, Body | Joint | Force | Frame):
            return component.name
        if not isinstance(component, str):
            prefix = f"{where}: " if where else ""
            raise DescriptionError(f"{prefix}a component must be given by its name or by what add_… returned, got {shown(component)}.")
        return str.__str__(component)  # a plain string, also of a subclass (numpy has one)

    def _names(self) -> list[str]:
        return [GROUND, *self.bodies, *self.joints, *self.forces, *self.frames]

    def _new_name(self, name: Any) -> str:
        if not isinstance(name, str) or not name or name != name.strip() or not name.isprintable() or len(name) > _LONGEST_NAME:
            remedy = "Choose another." if isinstance(name, str) else "Choose another; it comes first, before what it names."
            raise DescriptionError(
                f"A name must be a printable string of 1 to {_LONGEST_NAME} characters without spaces at its ends, got {shown(name)}. "
                f"{remedy}"
            )
        if name == GROUND or any(name in table for table in (self.bodies, self.joints, self.forces, self.frames)):
            raise NamingError(
                f"The name '{name}' is taken already. Names are unique among bodies, joints, forces and frames: choose another."
            )
        return str.__str__(name)

    def _checked_kind(self, table: dict[str, Any], what: str, name: str, kind: Any) -> Any:
        """The kind with its parameters checked and in their plain form: floats and tuples instead of arrays and lists."""
        where = f"{what} '{name}'"
        if type(kind) not in table.values():
            raise DescriptionError(f"{where}: expected a {what} kind such as {self._fitting(table, 4)}, …, got {self._no_kind(what, kind)}")
        if self.dim not in kind.dims:
            alike = next((c.__name__ for c in table.values() if self.dim in c.dims and _alike(c, kind)), None)
            raise DescriptionError(
                f"{where}: {type(kind).__name__} is for {'spatial' if self.planar else 'planar'} mechanisms, "
                f"but this one is {self._adjective()}. Use {alike or f'one of: {self._fitting(table)}'}."
            )
        kind = self._in_plane(where, kind)
        kind.check(name)
        try:
            return msgspec.convert({field: plain(getattr(kind, field)) for field in kind.__struct_fields__}, type(kind))
        except msgspec.ValidationError as error:
            raise DescriptionError(f"{where}: {type(kind).__name__} does not accept its parameters: {error}.") from error

    def _fitting(self, table: dict[str, Any], most: int | None = None) -> str:
        """Kinds of the mechanism's dimension, for a message; the usual ones first: those that leave a motion free, short names."""
        kinds = [c for c in table.values() if self.dim in c.dims]
        return ", ".join(c.__name__ for c in sorted(kinds, key=lambda c: (getattr(c, "motion", None) is None, len(c.__name__)))[:most])

    def _no_kind(self, what: str, kind: Any) -> str:
        """What was given in the place of a kind, and what to write."""
        other = {"joint": registry.forces, "force": registry.joints}[what]
        if isinstance(kind, type):
            return f"the class {kind.__name__}. Write {kind.__name__}() with parentheses."
        if type(kind) in other.values():
            return f"{type(kind).__name__}. Use add_{'force' if what == 'joint' else 'joint'} for it."
        return f"{shown(kind)}. Make one as in add_{what}(name, Kind(…), …)."

    def _in_plane(self, where: str, kind: Any) -> Any:
        """The kind with directions in the plane that are given by the names of its axes as numbers, unless the plane is xy."""
        changes = {}
        for field in kind.in_plane if self._plane in ("xz", "yz") else ():
            value = getattr(kind, field)
            if isinstance(value, str):
                named = {f"{sign}{axis}": v for sign, u in (("", 1.0), ("-", -1.0)) for axis, v in zip(self.axes, ((u, 0.0), (0.0, u)))}
                if value not in named:
                    raise DescriptionError(
                        f"{where}: the plane is {self._plane}, and the {field} in it must be {', '.join(map(repr, named))}, "
                        f"an angle in radians or two numbers, got {shown(value)}."
                    )
                changes[field] = named[value]
        return msgspec.structs.replace(kind, **changes) if changes else kind

    def _body_name(self, body: Any, where: str = "") -> str:
        name = self._name(body, where)
        if name != GROUND and name not in self.bodies:
            raise unknown("body", name, [GROUND, *self.bodies], where)
        return name

    def _place_name(self, place: Any, where: str) -> str:
        name = self._name(place, where)
        if name != GROUND and name not in self.bodies and name not in self.frames:
            if name in self.joints and where.startswith("force"):
                raise DescriptionError(
                    f"{where}: '{name}' is a joint, and no body or frame. To act in it, give it by name: joint='{name}'."
                )
            if name in self.joints or name in self.forces:
                what = "joint" if name in self.joints else "force"
                raise DescriptionError(f"{where}: '{name}' is a {what}, and no body or frame. Give one of these, or the ground.")
            raise unknown("body or frame", name, [GROUND, *self.bodies, *self.frames], where)
        return name

    def _joint_name(self, joint: Any, where: str) -> str:
        name = self._name(joint, where)
        if name not in self.joints:
            raise unknown("joint", name, self.joints, where)
        return name

    def _owner(self, place: str) -> str:
        return self.frames[place].body if place in self.frames else place

    def _places(self, what: str, **given: Any) -> dict[str, Any]:
        """at, at_a and at_b, checked."""
        places = {key: None if place is None else vector(place, f"{what}: {key}", self.dim) for key, place in given.items()}
        if places["at"] is not None and (places["at_a"] is not None or places["at_b"] is not None):
            raise DescriptionError(
                f"{what}: give either at (one place in world axes) or at_a and at_b (places in the bodies' own frames), got both."
            )
        return places

    def _axes(self, what: str, *sides: tuple[str, Any, Any]) -> dict[str, Any]:
        """axes_a and axes_b, checked, from (side, body or frame, axes)."""
        checked = {}
        for side, place, axes in sides:
            key = f"axes_{side}"
            if axes is not None and place in self.frames:
                owner = self.frames[place].body
                raise DescriptionError(
                    f"{what}: '{place}' is a frame, which has axes of its own. Leave out {key}, or give the body '{owner}' in its place."
                )
            checked[key] = None if axes is None else _orientation(axes, f"{what}: {key}", self.planar)
        return checked

    def _check_places(self, what: str, joint: Joint) -> None:
        for side, place, local in (("a", joint.a, joint.at_a), ("b", joint.b, joint.at_b)):
            if joint.at is None and local is None and place not in self.frames:
                raise DescriptionError(
                    f"{what}: say where it is on '{place}': at=(world point), at_{side}=(point in its own frame), or a frame."
                )

    def _table(self, name: str) -> dict[str, Any]:
        for table in (self.bodies, self.joints, self.forces, self.frames):
            if name in table:
                return table
        raise unknown("component", name, self._names())

    def _users(self, name: str) -> list[str]:
        users = [f"frame '{f.name}'" for f in self.frames.values() if f.body == name]
        users += [f"joint '{j.name}'" for j in self.joints.values() if name in (j.a, j.b)]
        return users + [f"force '{f.name}'" for f in self.forces.values() if name in (f.a, f.b, f.joint)]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Mechanism):
            return NotImplemented
        mine, theirs = ({key: value for key, value in vars(m).items() if key != "mesh_folders"} for m in (self, other))
        return mine == theirs

    __hash__ = None  # type: ignore[assignment]


def _alike(one: Any, other: Any) -> bool:
    """Whether two joint kinds leave the same motion free."""
    motion = getattr(one, "motion", None)
    return motion is not None and motion == getattr(other, "motion", None)


_orientation = orientation
_WORLD = Pose(np.zeros(3), np.eye(3))
_WORLD.position.flags.writeable = _WORLD.rotation.flags.writeable = False
