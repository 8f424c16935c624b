"""Other parameters for a component that exists: what ``set`` does, to a mechanism and in a session."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from ..errors import DescriptionError, unknown
from .components import take_out
from .description import Body, Force, Frame, Joint

if TYPE_CHECKING:
    from .mechanism import Mechanism

__all__ = ["BY_NAME", "START", "body_changes", "changed", "parameters_of", "remade_body", "successor"]

BY_NAME = object()  #: in the place of a value: the parameters are given by name

START = ("position", "orientation", "velocity", "angular_velocity")  #: where a body starts
_OF_BODIES = ("shape", "coordinates", "color", "visuals", "collisions")  # what a body has besides the parameters of its shape
_PLACES = ("a", "b", "at", "at_a", "at_b", "axes_a", "axes_b")


def parameters_of(m: Mechanism, component: Any, value: Any, parameters: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """Name of the component and its parameters, from ``set("spring", stiffness=200)`` or ``set("spring.stiffness", 200)``."""
    name = m._name(component, "set")
    if value is BY_NAME:
        m._table(name)
        if not parameters:
            raise DescriptionError(f"set '{name}': say what to change, as in {_shown_call(m, name)}.")
        return name, parameters
    if parameters:
        raise DescriptionError(f"set '{name}': give one value, as in set('rod.mass', 2), or several by name, as in set('rod', mass=2).")
    owner, _, parameter = name.rpartition(".")
    if not owner or not parameter.isidentifier():
        m._table(name)
        raise DescriptionError(f"set '{name}': say which parameter gets the value, as in {_shown_call(m, name)}.")
    m._table(owner)
    return owner, {parameter: value}


def _shown_call(m: Mechanism, name: str) -> str:
    """How to set something of a component, for a message."""
    item = m._table(name)[name]
    fields = item.shape.__struct_fields__ if isinstance(item, Body) else () if isinstance(item, Frame) else item.kind.__struct_fields__
    field = "mass" if "mass" in fields else next(iter(fields), "local" if isinstance(item, Frame) else "at")
    return f"set('{name}', {field}=…) or set('{name}.{field}', …)"


def changed(what: str, struct: Any, parameters: dict[str, Any], also: Iterable[str] = ()) -> Any:
    """A struct with other values in some of its fields; ``also`` are names that would have been understood besides these."""
    for name in parameters:
        if name not in struct.__struct_fields__:
            raise unknown("parameter", name, (*struct.__struct_fields__, *also), what)
    values = {k: np.asarray(v).tolist() if isinstance(v, np.generic) else v for k, v in parameters.items()}
    try:
        return msgspec.structs.replace(struct, **values)
    except DescriptionError as error:
        raise DescriptionError(f"{what}: {error}") from None


def body_changes(old: Body, parameters: dict[str, Any], more: tuple[str, ...] = ()) -> dict[str, Any]:
    """Fields of a body that change: its own (and ``more`` of them), and its shape with other values in some of its fields."""
    own = {k: v for k, v in parameters.items() if k in (*_OF_BODIES, *more)}
    of_shape = {k: v for k, v in parameters.items() if k not in own}
    shape = own.get("shape", old.shape)
    if of_shape:
        for one, other in (("mass", "density"), ("density", "mass")):  # one takes the place of the other
            if one in of_shape and getattr(shape, other, None) is not None:
                of_shape = {other: None} | of_shape
        shape = changed(f"body '{old.name}'", shape, of_shape, also=(*_OF_BODIES, *more))
    return own | {"shape": shape}


def remade_body(m: Mechanism, old: Body, changes: dict[str, Any]) -> Body:
    """The body with other values in some of its fields, checked as a new one is."""
    fields = {f: getattr(old, f) for f in old.__struct_fields__ if f != "name"} | changes
    return type(m)(m.gravity, plane=m.plane).add_body(old.name, fields.pop("shape"), **fields)


def successor(m: Mechanism, old: Body | Joint | Force | Frame, parameters: dict[str, Any]) -> Any:
    """The component with other parameters, checked as if it were added to the mechanism as described."""
    if isinstance(old, Body):
        return _body(m, old, body_changes(old, parameters, START))
    if isinstance(old, Frame):
        own = {"local": old.position} | {f: getattr(old, f) for f in ("orientation", "visuals", "collisions")}
        for name in parameters:
            if name not in own:
                raise unknown("parameter", name, own, f"frame '{old.name}'")
        return _without(m, old).add_frame(old.name, old.body, **(own | parameters))
    what = type(old).__name__.lower()
    known = _PLACES if isinstance(old, Joint) else (*_PLACES, "joint")
    moved = {k: v for k, v in parameters.items() if k in known}
    kind = changed(f"{what} '{old.name}'", old.kind, {k: v for k, v in parameters.items() if k not in known}, also=known)
    places = {f: getattr(old, f) for f in known} | _cleared(moved) | moved
    other = _without(m, old)
    new = (other.add_joint if isinstance(old, Joint) else other.add_force)(old.name, kind, **places)
    for user in (*other.joints.values(), *other.forces.values()):
        if old.name in user.through:
            user.kind.check_attachment(f"{type(user).__name__.lower()} '{user.name}'", user, other)
    return new


def _body(m: Mechanism, old: Body, changes: dict[str, Any]) -> Body:
    """A body that is where the points of its shape are goes with them, unless it is told where to be."""
    there = type(m)(m.gravity, plane=m.plane).add_body(old.name, old.shape)
    follows = {f: None for f in ("position", "orientation") if getattr(old, f) == getattr(there, f)}
    return remade_body(m, old, follows | changes)


def _cleared(moved: dict[str, Any]) -> dict[str, None]:
    """Places that another place takes the place of."""
    if moved.get("joint") is not None:
        return dict.fromkeys(_PLACES)
    if moved.get("at") is not None:
        return dict.fromkeys(("at_a", "at_b"))
    return {"at": None} if "at_a" in moved or "at_b" in moved else {}


def _without(m: Mechanism, component: Any) -> Mechanism:
    """The mechanism without a component, in which its successor can be made and checked."""
    other = m.copy()
    take_out(other._table(component.name), component.name)
    return other
