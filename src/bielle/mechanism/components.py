"""A table of components by name, and what they say when they are asked for what they do not have."""

from collections.abc import Iterable
from typing import Any, ClassVar, NoReturn, Self

from ..errors import AccessError, nearest, unknown

__all__ = ["Bodies", "Components", "Forces", "Frames", "Joints", "instead", "missing_attribute", "no_attribute", "refill", "take_out"]


class Components(dict[str, Any]):
    """Bodies, joints, forces or frames by name: a dictionary that suggests the nearest name if there is none such.

    It is to be read: only a mechanism knows what holds on to a component and whether another fits. What it has made can be put in the place
    of what it was made from; the package itself uses :func:`take_out` and :func:`refill`, too.
    """

    __slots__ = ()
    what: ClassVar[str] = "component"  #: one of them, in words

    def __missing__(self, name: Any) -> Any:
        raise unknown(self.what, str(name), self)

    def __setitem__(self, name: str, component: Any) -> None:
        if getattr(component, "name", None) != name or type(component).__name__.lower() != self.what:  # what was made here has its name
            self._refuse_entry(name)
        super().__setitem__(name, component)

    def __delitem__(self, name: Any) -> None:
        self._refuse_removal(name)

    def pop(self, name: Any, *default: Any) -> Any:
        """Refused: ``m.remove(name)`` looks whether anything holds on to it."""
        self._refuse_removal(name)

    def popitem(self) -> Any:
        """Refused: ``m.remove(name)`` removes a component."""
        self._refuse_removal()

    def clear(self) -> None:
        """Refused: ``m.remove(name)`` removes a component."""
        self._refuse_removal()

    def update(self, *others: Any, **more: Any) -> None:
        """Refused: ``m.add_…`` and ``m.set`` check what they are given."""
        self._refuse_entry()

    def setdefault(self, name: Any, default: Any = None) -> Any:
        """Refused: ``m.add_…`` checks what it is given."""
        self._refuse_entry(name)

    def __ior__(self, other: Any) -> Self:  # type: ignore[override]
        self._refuse_entry()

    def _refuse_entry(self, *name: Any) -> NoReturn:
        kind, shown = self.what, _shown(*name)
        raise AccessError(f"This table can only be read. Write m.add_{kind}({shown}, …) to add a {kind}, m.set({shown}, …) to change one.")

    def _refuse_removal(self, *name: Any) -> NoReturn:
        raise AccessError(f"This table can only be read. Write m.remove({_shown(*name)}) to remove a {self.what}.")

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


def _shown(*name: Any) -> str:
    """How a call is shown that is given this name, or some name."""
    return repr(name[0]) if name else "name"


def take_out(table: dict[str, Any], name: str) -> None:
    """Remove a component from a table, whatever holds on to it."""
    dict.__delitem__(table, name)


def refill(table: dict[str, Any], components: Iterable[tuple[str, Any]]) -> None:
    """Other components in a table, in that order."""
    found = list(components)
    dict.clear(table)
    dict.update(table, found)


def no_attribute(component: Any, name: str, inner: str = "") -> AttributeError:
    """The error for an attribute that a component does not have; ``inner`` is the one of its fields that may have it."""
    if name.startswith("_") or name in component.__struct_fields__:  # what copies and decoders look for, in structs half made
        return AttributeError(name)
    what = f"{type(component).__name__.lower()} '{component.name}'"
    if inner and hasattr(getattr(component, inner), name):
        return AccessError(f"{what} has no '{name}' itself, but its {inner} has: ask for .{inner}.{name}.")
    return missing_attribute(what, name, dir(type(component)))


def instead(component: Any, field: str, lasting: str = "") -> str:
    """What to write to change a field of a component that ``m.set`` does not change: its name, and the ``lasting`` one; else nothing."""
    if field == "name":
        return f"Write m.rename('{component.name}', …)."
    if field != lasting:
        return ""
    what = type(component).__name__.lower()
    return f"To give it another {field}, write m.remove('{component.name}') and then m.add_{what}('{component.name}', …)."


def missing_attribute(what: str, name: str, known: Iterable[str]) -> AccessError:
    """The error for an attribute that ``what`` does not have: the nearest, or what there is."""
    names = [each for each in known if not each.startswith("_")]
    names = sorted(names) if isinstance(known, set) else names
    near = nearest(name, names)
    hint = f"Did you mean '{near}'?" if near else f"It has {', '.join(names)}."
    return AccessError(f"{what} has no '{name}'. {hint}")
