"""What a page is told first: what there is to build with, and which examples there are."""

from __future__ import annotations

import ast
import functools
import importlib.util
from typing import Any, get_args

from .. import __version__, examples
from ..mechanism import registry
from ..mechanism.shapes import Shape
from .fields import kind_fields

__all__ = ["greeting"]

_HIDDEN = ("grab", "callable_force", "velocity_relation", "rotor")  # made by other means, or by Python only
_FLAT = ("rod", "disc", "plate", "box", "extrusion")
_SOLID = ("rod", "cylinder", "capsule", "box", "sphere", "disc", "extrusion", "plate")


def greeting(viewer: int, secret: str, left: int) -> dict[str, Any]:
    """For a page that has just come.

    secret  with which it says who it is where it does not use its WebSocket
    left    sessions with work that was not saved
    """
    return {"type": "hello", "viewer": viewer, "secret": secret, "version": __version__, "left": left} | _known()


@functools.cache
def _known() -> dict[str, Any]:
    shapes = [str(cls.__struct_config__.tag) for cls in get_args(Shape)]
    return {
        "examples": [_example(name) for name in examples.names()],
        "shapes": [{"type": s, "title": s, "planar": s in _FLAT, "spatial": s in _SOLID} for s in shapes if s in (*_FLAT, *_SOLID)],
        "joints": [_kind(tag, cls) for tag, cls in registry.joints.items() if tag not in _HIDDEN],
        "forces": [_kind(tag, cls) for tag, cls in registry.forces.items() if tag not in _HIDDEN],
    }


def _example(name: str) -> dict[str, Any]:
    title, about = _described(name)
    text = about.strip().split("\n\n")[0].replace("\n", " ")
    return {"name": name, "title": title, "text": text, "picture": f"pictures/{name}"}


def _described(name: str) -> tuple[str, str]:
    """Title and docstring of an example, read without running it: to import them all takes longer than the rest of the first picture."""
    spec = importlib.util.find_spec(f"{examples.__name__}.{name}")
    source = getattr(spec.loader, "get_source", lambda _: None)(spec.name) if spec is not None else None
    if source is not None:
        tree = ast.parse(source)
        for node in tree.body:
            if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "TITLE" and isinstance(node.value, ast.Constant):
                return str(node.value.value), ast.get_docstring(tree) or ""
    module = examples.get(name)
    return module.TITLE, module.__doc__ or ""


def _kind(tag: str, cls: Any) -> dict[str, Any]:
    dims = getattr(cls, "dims", (2, 3))
    return {
        "type": tag,
        "title": tag.replace("_", " "),
        "planar": 2 in dims,
        "spatial": 3 in dims,
        "attachment": getattr(cls, "attachment", "bodies"),
        "fields": kind_fields(cls),
    }
