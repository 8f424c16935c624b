"""The kinds that exist, by the name they have in files. A kind registers itself with one line above its class.

So do formats of files that are not bielle's own, by the ending of their names.
"""

from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

from ..errors import DescriptionError, unknown

__all__ = ["Format", "bodies", "forces", "formats", "joints", "kind_of", "register_body", "register_force", "register_joint"]

T = TypeVar("T", bound=type)

bodies: dict[str, Any] = {}
joints: dict[str, Any] = {}
forces: dict[str, Any] = {}


class Format(NamedTuple):
    """How mechanisms are read from and written to files of another format."""

    load: Callable[..., Any]  #: (path, max_bytes=…) to a Mechanism
    save: Callable[..., None]  #: (mechanism, path)


formats: dict[str, Format] = {}  #: by the ending of the name, such as '.urdf'


def _register(table: dict[str, Any], name: str, cls: T) -> T:
    known = table.get(name)
    if known is not None and (known.__module__, known.__qualname__) != (cls.__module__, cls.__qualname__):
        raise DescriptionError(f"A kind named '{name}' is registered already by {known.__module__}. Choose another name.")
    table[name] = cls
    return cls


def register_body(cls: T) -> T:
    """Make a coordinate kind known under ``cls.name``."""
    return _register(bodies, cls.name, cls)  # type: ignore[attr-defined]


def register_joint(cls: T) -> T:
    """Make a joint kind known under its tag (``class Pin(JointKind, tag="pin")``)."""
    return _register(joints, cls.__struct_config__.tag, cls)  # type: ignore[attr-defined]


def register_force(cls: T) -> T:
    """Make a force kind known under its tag."""
    return _register(forces, cls.__struct_config__.tag, cls)  # type: ignore[attr-defined]


def kind_of(table: dict[str, Any], what: str, name: str) -> Any:
    """The kind of that name, or an error that suggests the nearest."""
    try:
        return table[name]
    except KeyError:
        raise unknown(f"{what} kind", name, table) from None
