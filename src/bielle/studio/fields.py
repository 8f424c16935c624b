"""Properties of components as fields of a form: name, value, unit, what may be entered; and what was entered as a value of the engine."""

from __future__ import annotations

import json
from types import UnionType
from typing import TYPE_CHECKING, Any, Union, get_args, get_origin

import msgspec

from ..errors import BielleError, DescriptionError, unknown
from ..mechanism import registry
from ..mechanism.description import Body, Force, Frame, Joint
from ..mechanism.files import component_data

if TYPE_CHECKING:
    from ..live.session import LiveSession
    from ..mechanism.mechanism import Mechanism

__all__ = ["field", "kind_fields", "plain", "properties", "set_property"]

MECHANISM = ""  #: the name under which the properties of the whole are asked for

_UNITS = {
    "mass": "kg",
    "density": "kg/m³",
    "radius": "m",
    "length": "m",
    "thickness": "m",
    "size": "m",
    "start": "m",
    "end": "m",
    "centre": "m",
    "position": "m",
    "stiffness": "N/m",
    "damping": "N·s/m",
    "coefficient": "N·m·s",
    "force": "N",
    "torque": "N·m",
    "limit": "N",
    "gravity": "m/s²",
    "target": "m",
    "velocity": "m/s",
    "lower": "rad",
    "upper": "rad",
    "angle": "rad",
    "rate": "rad/s",
    "speed": "rad/s",
    "inertia": "kg·m²",
    "lead": "m/rad",
    "pitch": "m/turn",
    "preload": "N",
    "translational": "N·s/m",
    "height": "m",
    "displacement": "m",
    "path": "m",
    "polygon": "m",
    "points": "m",
}
_TURNING = {"stiffness": "N·m/rad", "damping": "N·m·s/rad", "limit": "N·m", "target": "rad", "feedforward": "N·m"}
_SLIDING = {"lower": "m", "upper": "m", "rate": "m/s", "speed": "m/s", "feedforward": "N"}
_UNITS_OF: dict[str, dict[str, str]] = {  # of kinds that act about or along an axis
    **dict.fromkeys(("torsion_spring", "motor", "angle_limit", "angle_friction", "joint_damping"), _UNITS | _TURNING),
    **dict.fromkeys(("slide_limit", "slide_friction", "linear_motor"), _UNITS | _SLIDING),
}
_POSITIVE = ("mass", "density", "radius", "thickness")
_NOT_NEGATIVE = ("stiffness", "damping", "coefficient", "limit")
_AXES = ["x", "y", "z"]
_AXIS_KEYS = ("axis", "axis_a", "axis_b", "direction", "normal")
UNSET = ""  #: of a choice: nothing is chosen
_UNSET_KINDS = {float: "number", int: "integer", tuple[float, ...]: "vector"}  # of fields that have no value, by what may be entered


def properties(m: Mechanism, name: str) -> dict[str, Any]:
    """What a form shows of a component, or of the whole if no name is given."""
    if name == MECHANISM:
        fields = [field("gravity", list(m.gravity))]
        return {"name": name, "what": "mechanism", "kind": "planar" if m.planar else "spatial", "fields": fields}
    component = m._table(name)[name]
    if isinstance(component, Body):
        return {"name": name, "what": "body", "kind": _tag(component.shape), "fields": _of_body(m, component)}
    if isinstance(component, Frame):
        local = [field("position", list(component.position)), field("body", component.body, fixed=True)]
        return {"name": name, "what": "frame", "kind": "frame", "fields": local}
    what = "joint" if isinstance(component, Joint) else "force"
    places = [field(side, getattr(component, side), fixed=True) for side in ("a", "b") if getattr(component, side)]
    if isinstance(component, Force) and component.joint:
        places = [field("joint", component.joint, fixed=True)]
    return {"name": name, "what": what, "kind": _tag(component.kind), "fields": [*_of_struct(component.kind, m.dim), *places]}


def kind_fields(cls: Any) -> list[dict[str, Any]]:
    """The fields of a kind as they are when nothing is said, for whoever is about to make one."""
    try:
        return _of_struct(cls())
    except (BielleError, TypeError):
        return [_of_field(f, None, _UNITS_OF.get(str(cls.__struct_config__.tag), _UNITS), 3) for f in msgspec.structs.fields(cls)]


def set_property(live: LiveSession, name: str, key: str, value: Any) -> None:
    """Give a component another value of a property, as it was entered."""
    m = live.mechanism
    if name == MECHANISM:
        if key != "gravity":
            raise DescriptionError(f"The mechanism has no property '{key}' that can be changed while it runs. Change its gravity.")
        live.set_gravity(_cut(value, m.gravity))
        return
    component = m._table(name)[name]
    if isinstance(component, Body):
        _set_body(live, component, key, value)
    elif isinstance(component, Frame):
        live.set(name, **{"local" if key == "position" else key: _cut(value, component.position)})
    else:
        live.set(name, **{key: _converted(f"{name}.{key}", component.kind, key, value)})


# -- bodies


def _of_body(m: Mechanism, body: Body) -> list[dict[str, Any]]:
    fields = _of_struct(body.shape, m.dim, skip=("parts",))
    if not any(field["key"] == "mass" for field in fields):
        fields.insert(0, field("mass", body.shape.mass_properties().mass, fixed=True))
    choices = [kind for kind, cls in registry.bodies.items() if cls.dim == m.dim and kind != "ground"]
    default = "planar" if m.planar else "spatial"
    fields.append(field("coordinates", body.coordinates or default, kind="choice", choices=choices))
    fields.append(field("color", body.color or "", kind="color"))
    return fields


def _set_body(live: LiveSession, body: Body, key: str, value: Any) -> None:
    if key == "coordinates":
        live.replace(body.name, coordinates=value)
    elif key == "color":
        live.set(body.name, color=value or None)
    else:
        live.set(body.name, **{key: _converted(f"{body.name}.{key}", body.shape, key, value)})


# -- structs


def _of_struct(struct: Any, dim: int = 3, skip: tuple[str, ...] = ()) -> list[dict[str, Any]]:
    """A field for each of a struct's, in so many dimensions."""
    data = plain(struct)
    units = _UNITS_OF.get(_tag(struct), _UNITS)
    if getattr(struct, "control", None) == "speed":
        units = units | {"target": f"{units['target']}/s"}
    values = {key: data.get(key, _shown(getattr(struct, key))) for key in type(struct).__struct_fields__}
    return [_of_field(f, values[f.name], units, dim) for f in msgspec.structs.fields(type(struct)) if f.name not in skip]


def _of_field(declared: Any, value: Any, units: dict[str, str], dim: int) -> dict[str, Any]:
    """A field of a struct; what is not set yet can be entered as what was declared."""
    key, kinds = declared.name, _alternatives(declared.type)
    if key in _AXIS_KEYS and str in kinds and (value is None or value in _AXES):
        axes = [UNSET] * (type(None) in kinds) + _AXES[:dim]
        return field(key, value, units, kind="choice", choices=axes if value in (None, *axes) else [*axes, value])
    kind = None if value not in (None, []) else next((shown for kind, shown in _UNSET_KINDS.items() if kind in kinds), "json")
    return field(key, value, units, kind=kind)


def _alternatives(declared: Any) -> tuple[Any, ...]:
    """Of which types something may be."""
    return get_args(declared) if get_origin(declared) in (Union, UnionType) else (declared,)


def field(
    key: str, value: Any, units: dict[str, str] = _UNITS, *, kind: str | None = None, choices: list[str] | None = None, fixed: bool = False
) -> dict[str, Any]:
    if key == "control":
        kind, choices = "choice", ["position", "speed"]
    lowest = 0.0 if key in _POSITIVE or key in _NOT_NEGATIVE else None
    kind = kind or _type(value)
    return {
        "key": key,
        "label": key.replace("_", " "),
        "type": kind,
        "value": json.dumps(value, ensure_ascii=False) if kind == "json" else value,
        "unit": units.get(key, ""),
        "min": lowest,
        "max": None,
        "choices": choices,
        "help": "",
        "fixed": fixed,
    }


def _type(value: Any) -> str:
    if isinstance(value, bool):
        return "bool"
    if value is None or isinstance(value, int | float):
        return "number"
    if isinstance(value, str):
        return "text"
    if isinstance(value, list) and all(isinstance(x, int | float) for x in value):
        return "vector"
    return "json"


def _converted(what: str, struct: Any, key: str, value: Any) -> Any:
    """A value as it was entered, as the type that the struct has there."""
    cls = type(struct)
    if key not in cls.__struct_fields__:
        raise unknown("property", key, cls.__struct_fields__, what.rpartition(".")[0])
    if isinstance(value, str):
        value = None if value == UNSET and key in _AXIS_KEYS else _entered(value, getattr(struct, key))
    if value is None or isinstance(value, str):
        return value
    value = _cut(value, getattr(struct, key))
    try:
        return getattr(msgspec.convert(plain(struct) | {key: value} | _other_mass(struct, key), cls), key)
    except msgspec.ValidationError as error:
        if isinstance(error.__cause__, BielleError):
            raise error.__cause__ from None
        raise DescriptionError(f"{what}: {str(error).split(' - at ')[0]} ({value!r:.80} was entered).") from None


def _cut(value: Any, present: Any) -> Any:
    """Three numbers where two are wanted, without the third: pages always give three."""
    return value[:2] if isinstance(value, list) and len(value) == 3 and isinstance(present, tuple) and len(present) == 2 else value


def _other_mass(struct: Any, key: str) -> dict[str, None]:
    """Mass takes the place of density, and the other way round."""
    other = {"mass": "density", "density": "mass"}.get(key)
    return {other: None} if other and other in type(struct).__struct_fields__ else {}


def _entered(text: str, present: Any) -> Any:
    """What somebody has typed: a number, or JSON, where the present value is no text."""
    if isinstance(present, str):
        return text
    try:
        return json.loads(text, parse_constant=lambda word: word)
    except ValueError:
        return text


def plain(struct: Any) -> dict[str, Any]:
    """The struct as in a file, functions of Python as what they are called."""
    holder = Joint(name="", kind=struct, a="", b="")
    data = component_data("", holder, stand_in=lambda function: f"<{getattr(function, '__name__', 'function')}>")
    return {key: value for key, value in data.items() if key in ("type", *type(struct).__struct_fields__)}


def _shown(value: Any) -> Any:
    """A default, which files leave out."""
    if isinstance(value, tuple):
        return list(value)
    return value if value is None or isinstance(value, bool | int | float | str) else getattr(value, "value", None)


def _tag(struct: Any) -> str:
    return str(type(struct).__struct_config__.tag)
