"""JSON Schema of the file format, with all kinds that are registered at the moment."""

from typing import Any, get_args

import msgspec

from . import functions, registry
from .shapes import Shape
from .visuals import Visual

__all__ = ["BODY_KEYS", "FORCE_KEYS", "FRAME_KEYS", "JOINT_KEYS", "VERSION", "schema"]

VERSION = 1  #: of the file format

BODY_KEYS = ("shape", "position", "orientation", "velocity", "angular_velocity", "coordinates", "color", "visuals", "collisions")
FRAME_KEYS = ("body", "position", "orientation", "visuals", "collisions")
JOINT_KEYS = ("a", "b", "at", "at_a", "at_b", "axes_a", "axes_b")
FORCE_KEYS = (*JOINT_KEYS, "joint")

_DEFS = "#/$defs/{name}"
_NAME = {"type": "string", "minLength": 1}
_VECTOR = {"type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 3}


def _orientation(of: str) -> dict[str, Any]:
    quaternion = {"type": "array", "items": {"type": "number"}, "minItems": 4, "maxItems": 4}
    matrix = {
        "type": "array",
        "items": {"type": "array", "items": {"type": "number"}, "minItems": 3, "maxItems": 3},
        "minItems": 3,
        "maxItems": 3,
    }
    return {
        "description": f"Orientation of {of}: an angle in radians (planar), a quaternion (w, x, y, z) or a rotation matrix (spatial).",
        "anyOf": [{"type": "number"}, quaternion, matrix],
    }


_PLACES = {
    "a": {**_NAME, "description": "A body, a frame or 'ground'."},
    "b": {**_NAME, "description": "Another body or frame, or 'ground'."},
    "at": {**_VECTOR, "description": "The place in world axes, in the described configuration [m]."},
    "at_a": {**_VECTOR, "description": "The place on a, in a's own frame [m]."},
    "at_b": {**_VECTOR, "description": "The place on b, in b's own frame [m]."},
    "axes_a": _orientation("the component's own axes in a's own frame"),
    "axes_b": _orientation("the component's own axes in b's own frame"),
    "joint": {**_NAME, "description": "The joint in which the force acts."},
}
_JOINTS = {"a": {**_NAME, "description": "A joint."}, "b": {**_NAME, "description": "Another joint, which follows it."}}


def schema() -> dict[str, Any]:
    """JSON Schema (2020-12) of a model file, for editors that complete and check as one types."""
    shapes, looks = get_args(Shape), get_args(Visual)
    kinds = get_args(functions.AnyFunction)
    joints, forces = list(registry.joints.values()), list(registry.forces.values())
    types = [*shapes, *looks, *kinds, *joints, *forces]
    refs, definitions = msgspec.json.schema_components(
        types, schema_hook=lambda _: {}, ref_template=_DEFS
    )  # a type that msgspec does not know may be anything
    found = dict(zip(types, refs))
    of_joints = {j: _JOINTS if j.attachment == "joints" else {key: _PLACES[key] for key in JOINT_KEYS} for j in joints}
    of_forces = {f: {key: _PLACES[key] for key in FORCE_KEYS} for f in forces}
    for cls, places, required in [*((*x, ["a", "b"]) for x in of_joints.items()), *((*x, []) for x in of_forces.items())]:
        definition = definitions[found[cls]["$ref"].rsplit("/", 1)[1]]
        for field in (*getattr(cls, "functions", ()), *getattr(cls, "curves", ())):
            definition["properties"][field] = {"anyOf": [{"$ref": "#/$defs/function"}, {"type": "null"}]}
        definition["properties"] |= places
        definition["required"] = [*definition.get("required", []), *required]
    for cls, field in ((functions.Sum, "terms"), (functions.Product, "factors")):
        definitions[found[cls]["$ref"].rsplit("/", 1)[1]]["properties"][field] = _several_functions()
    definitions |= {
        "function": {
            "description": "A number, a function, or a table: two lists, x and y.",
            "anyOf": [{"type": "number"}, *(found[kind] for kind in kinds), _table_schema()],
        },
        "shape": {"anyOf": [found[shape] for shape in shapes]},
        "visual": {"anyOf": [found[look] for look in looks]},
        "body": _object(_body_properties(), ["shape"]),
        "frame": _object(_frame_properties(), ["body", "position"]),
        "joint": _one_of([found[joint] for joint in joints]),
        "force": _one_of([found[force] for force in forces]),
    }
    properties: dict[str, Any] = {
        "bielle": {"const": VERSION, "description": "Version of the file format."},
        "name": {"type": "string"},
        "plane": {"enum": ["xy", "xz", "yz", None], "description": "Plane of a planar mechanism; absent for a spatial one."},
        "gravity": {**_VECTOR, "description": "Acceleration of free fall [m/s²]."},
    }
    for table, item in (("bodies", "body"), ("frames", "frame"), ("joints", "joint"), ("forces", "force")):
        properties[table] = {"type": ["object", "null"], "propertyNames": _NAME, "additionalProperties": {"$ref": f"#/$defs/{item}"}}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Mechanism of bielle",
        **_object(properties, ["bielle"]),
        "$defs": definitions,
    }


def _object(properties: dict[str, Any], required: list[str]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def _one_of(kinds: list[dict[str, Any]]) -> dict[str, Any]:
    return {"anyOf": kinds} if kinds else {"not": {}}


def _several_functions() -> dict[str, Any]:
    return {"type": "array", "items": {"$ref": "#/$defs/function"}, "minItems": 1}


def _table_schema() -> dict[str, Any]:
    numbers = {"type": "array", "items": {"type": "number"}, "minItems": 2}
    return {"type": "array", "items": numbers, "minItems": 2, "maxItems": 2}


def _body_properties() -> dict[str, Any]:
    angular = {"anyOf": [{"type": "number"}, {**_VECTOR, "minItems": 3}, {"type": "null"}]}
    return {
        "shape": {"$ref": "#/$defs/shape"},
        "position": {**_VECTOR, "type": ["array", "null"], "description": "Origin of the body frame [m]; absent: where the shape is."},
        "orientation": _orientation("the body frame"),
        "velocity": {**_VECTOR, "type": ["array", "null"], "description": "Of the origin [m/s]; absent: at rest."},
        "angular_velocity": {**angular, "description": "In world axes [rad/s]; absent: at rest."},
        "coordinates": {
            "enum": [*(name for name, kind in registry.bodies.items() if kind.dim), None],
            "description": "Kind of coordinates.",
        },
        "color": {"type": ["string", "null"]},
        **_visual_properties(),
    }


def _frame_properties() -> dict[str, Any]:
    return {
        "body": {**_NAME, "description": "The body, or 'ground'."},
        "position": {**_VECTOR, "description": "Origin of the frame in the body frame [m]."},
        "orientation": _orientation("the frame in the body frame"),
        **_visual_properties(),
    }


def _visual_properties() -> dict[str, Any]:
    visuals = {"type": ["array", "null"], "items": {"$ref": "#/$defs/visual"}}
    return {
        "visuals": {**visuals, "description": "Forms to be drawn; those of a body replace its shape in drawings."},
        "collisions": {**visuals, "description": "Forms that it touches with; not drawn."},
    }
