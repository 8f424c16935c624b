"""Python to copy: what a mechanism is."""

from __future__ import annotations

import re
from typing import Any

from ..mechanism import shapes, visuals
from ..mechanism.description import Body, Force, Frame, Joint
from ..mechanism.mechanism import Mechanism

__all__ = ["HEAD", "PLACES", "adding", "given", "kind_call", "mechanism_as_python", "mechanism_lines", "value_text"]

HEAD = ("import bielle as bl", "from bielle.mechanism import shapes", "")  #: of every script
PLACES = ("at", "at_a", "at_b", "axes_a", "axes_b")  #: where joints and forces are
_BODY = ("position", "orientation", "velocity", "angular_velocity", "coordinates", "color")
_SEEN = ("visuals", "collisions")


def mechanism_as_python(m: Mechanism) -> str:
    """A script that builds the mechanism."""
    return "\n".join([*HEAD, *mechanism_lines(m), "", "run = m.simulate(10.0)", ""])


def mechanism_lines(m: Mechanism) -> list[str]:
    """Lines that build the mechanism as ``m``."""
    head = f"plane={m.plane!r}, " if m.planar else ""
    lines = [f"m = bl.Mechanism({head}gravity={value_text(m.gravity)}, name={m.name!r})"]
    for table in (m.bodies, m.frames, m.joints, m.forces):
        lines += [f"m.{adding(component)}" for component in sorted(table.values(), key=lambda c: bool(getattr(c, "through", ())))]
    return lines


def adding(component: Any) -> str:
    """The call that adds a component."""
    name = repr(component.name)
    if isinstance(component, Body):
        return f"add_body({', '.join([name, kind_call(component.shape), *given(component, _BODY), *given(component, _SEEN, without=())])})"
    if isinstance(component, Frame):
        place = [f"local={value_text(component.position)}", f"orientation={value_text(component.orientation)}"]
        return f"add_frame({', '.join([name, repr(component.body), *place, *given(component, _SEEN, without=())])})"
    if isinstance(component, Joint):
        return f"add_joint({', '.join([name, kind_call(component.kind), repr(component.a), repr(component.b), *given(component, PLACES)])})"
    assert isinstance(component, Force)
    bodies = [repr(x) for x in (component.a, component.b) if x is not None]
    return f"add_force({', '.join([name, kind_call(component.kind), *bodies, *given(component, (*PLACES, 'joint'))])})"


def kind_call(struct: Any) -> str:
    """A shape or kind as a call: its fields by name, those that are as they are by themselves left out."""
    cls = type(struct)
    defaults = dict(zip(reversed(cls.__struct_fields__), reversed(cls.__struct_defaults__)))
    given = [(f, getattr(struct, f)) for f in cls.__struct_fields__]
    room = {shapes.__name__: "shapes", visuals.__name__: "bl.visuals"}.get(cls.__module__, "bl")
    called = f"{room}.{cls.__name__}"
    return f"{called}({', '.join(f'{f}={value_text(v)}' for f, v in given if f not in defaults or v != defaults[f])})"


def given(component: Any, fields: tuple[str, ...], without: Any = None) -> list[str]:
    """Arguments by name, of fields that are not ``without``."""
    return [f"{f}={value_text(getattr(component, f))}" for f in fields if getattr(component, f) != without]


def value_text(value: Any) -> str:
    """A value as Python."""
    if hasattr(value, "__struct_fields__"):
        return kind_call(value)
    if isinstance(value, tuple):
        return f"({', '.join(map(value_text, value))}{',' if len(value) == 1 else ''})"
    return re.sub(r"^<function (\w+).*>$", r"\1", repr(value))
