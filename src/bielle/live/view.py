"""The mechanism of a session as others see it: everything can be asked, nothing can be changed behind the session's back."""

from __future__ import annotations

import functools
from typing import Any, NoReturn

from ..calls import explained_methods
from ..errors import DescriptionError
from ..mechanism.components import Components
from ..mechanism.mechanism import Mechanism

__all__ = ["MechanismView", "view"]

_TABLES = {"bodies": "add_body", "joints": "add_joint", "forces": "add_force", "frames": "add_frame"}
_ATTRIBUTES = {"gravity": "live.set_gravity(…)"}


def view(mechanism: Mechanism) -> MechanismView:
    """A mechanism with the same components, that refuses to be changed."""
    if isinstance(mechanism, MechanismView):
        return mechanism
    other = object.__new__(MechanismView)
    tables = {name: _to_look_at(type(table := getattr(mechanism, name)), verb)(table) for name, verb in _TABLES.items()}
    vars(other).update(mechanism.__dict__ | tables)
    return other


def _refuse(what: str, instead: str) -> NoReturn:
    raise DescriptionError(
        f"{what}: this mechanism is that of a running session, which would not notice. Use {instead}, or edit a copy (mechanism.copy())."
    )


@functools.cache
def _to_look_at(kind: type[Components], verb: str) -> type[Components]:
    """A table of that kind that refuses to be changed."""

    def refused(self: Any, *_: Any, **__: Any) -> NoReturn:
        _refuse("Components cannot be put in or taken out", f"live.{verb}(…), live.set(…), live.replace(…) or live.remove(…)")

    changes = ("__setitem__", "__delitem__", "__ior__", "pop", "popitem", "clear", "update", "setdefault")
    own = {"copy": lambda self: kind(self), "__reduce__": lambda self: (kind, (dict(self),))}
    return type(kind.__name__, (kind,), {"__slots__": (), "__doc__": kind.__doc__} | dict.fromkeys(changes, refused) | own)


@explained_methods
class MechanismView(Mechanism):
    """What ``live.mechanism`` is. It can be asked, simulated, saved; :meth:`copy` is an ordinary mechanism."""

    def copy(self) -> Mechanism:
        """An independent mechanism, which can be edited."""
        other = object.__new__(Mechanism)
        other.__dict__ |= self.__dict__ | {name: getattr(self, name).copy() for name in _TABLES}
        return other

    def __reduce__(self) -> Any:
        return _same, (self.copy(),)

    def __setattr__(self, name: str, value: Any) -> None:
        _refuse(f"{name} cannot be set", _ATTRIBUTES.get(name, "the verbs of the session"))

    def rename(self, component: Any, new: str) -> None:
        """Refused: a component keeps its name for as long as the session runs."""
        _refuse("A component keeps its name for as long as the session runs", "live.remove(…) and live.add_…(…)")


def _same(mechanism: Mechanism) -> Mechanism:
    return mechanism


def _refusal(verb: str) -> Any:
    def refused(self: MechanismView, *_: Any, **__: Any) -> NoReturn:
        _refuse(f"mechanism.{verb}(…)", f"live.{verb}(…)")

    refused.__name__ = verb
    refused.__doc__ = f"Refused: ``live.{verb}(…)`` does it to the session."
    return refused


for _verb in ("add_body", "add_frame", "add_joint", "add_force", "add_rotor", "set", "remove"):
    setattr(MechanismView, _verb, _refusal(_verb))
