"""A table of components by name, and what they say when they are asked for what they do not have."""

from collections.abc import Iterable
from typing import Any, ClassVar, Self

from ..errors import AccessError, nearest, unknown

__all__ = ["Bodies", "Components", "Forces", "Frames", "Joints", "missing_attribute", "no_attribute"]


class Components(dict[str, Any]):
    """Bodies, joints, forces or frames by name: a dictionary that suggests the nearest name if there is none such."""

    __slots__ = ()
    what: ClassVar[str] = "component"  #: one of them, in words

    def __missing__(self, name: Any) -> Any:
        raise unknown(self.what, str(name), self)

    def __setitem__(self, name: str, component: Any) -> None:
        if getattr(component, "name", None) != name:  # what was made here has its name
            kind = self.what
            raise AccessError(
                f"This table can only be read. Write m.add_{kind}({name!r}, …) to add a {kind}, m.set({name!r}, …) to change one."
            )
        super().__setitem__(name, component)

    def copy(self) -> Self:
        """An independent table of the same components."""
        return type(self)(self)


class Bodies(Components):
    """Bodies by name."""

    __slots__ = ()
    what = "body"


class Joints(Components):
    """Joints by name."""

    __slots__ = ()
    what = "joint"


class Forces(Components):
    """Forces by name."""

    __slots__ = ()
    what = "force"


class Frames(Components):
    """Frames by name."""

    __slots__ = ()
    what = "frame"


def no_attribute(component: Any, name: str, inner: str = "") -> AttributeError:
    """The error for an attribute that a component does not have; ``inner`` is the one of its fields that may have it."""
    if name.startswith("_") or name in component.__struct_fields__:  # what copies and decoders look for, in structs half made
        return AttributeError(name)
    what = f"{type(component).__name__.lower()} '{component.name}'"
    if inner and hasattr(getattr(component, inner), name):
        return AccessError(f"{what} has no '{name}' itself, but its {inner} has: ask for .{inner}.{name}.")
    return missing_attribute(what, name, dir(type(component)))


def missing_attribute(what: str, name: str, known: Iterable[str]) -> AccessError:
    """The error for an attribute that ``what`` does not have: the nearest, or what there is."""
    names = [each for each in known if not each.startswith("_")]
    names = sorted(names) if isinstance(known, set) else names
    near = nearest(name, names)
    hint = f"Did you mean '{near}'?" if near else f"It has {', '.join(names)}."
    return AccessError(f"{what} has no '{name}'. {hint}")
