"""The quantities of a run by name, with units: what tables, files and plots are made of.

A name is ``component.quantity`` or ``component.quantity.part``: "lower.position", "lower.position.x", "elbow.force.norm",
"energy.kinetic"; the name of a component alone stands for what one most often wants of it.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import DescriptionError, NamingError
from .energy import ENERGIES

if TYPE_CHECKING:
    from .record import Record

__all__ = ["Catalogue", "Quantity"]

_QUATERNION, _POWERS = ("w", "x", "y", "z"), ("dissipated", "drives", "applied")
_NORMALS = {"xy": "z", "yz": "x"}  # axes about which planar angles count; in the plane xz they count about −y, which has no name
_UNITS = {
    "position": "m",
    "displacement": "m",
    "length": "m",
    "length_rate": "m/s",
    "velocity": "m/s",
    "acceleration": "m/s²",
    "accelerometer": "m/s²",
    "angle": "rad",
    "orientation": "",
    "angular_velocity": "rad/s",
    "gyroscope": "rad/s",
    "angular_acceleration": "rad/s²",
    "force": "N",
    "moment": "N·m",
    "energy": "J",
    "power": "W",
    "violation": "m or 1",
}
_WHOLE = {"time": "s"} | {f"energy.{kind}": "J" for kind in ENERGIES} | {"energy.error": ""}
_WHOLE |= {"violation": "m or 1", "velocity_violation": "m/s or 1/s"}  # lengths, and cosines of directions


@dataclass(frozen=True)
class Quantity:
    """Numbers over time, and what they are."""

    component: str  #: "lower", "energy"; empty for quantities of the whole
    kind: str  #: "position", "force", "kinetic"…
    unit: str
    values: np.ndarray  #: (n,), or (n, len(parts))
    parts: tuple[str, ...] = ()  #: ("x", "y"); none: a single number
    about: str = ""  #: the axis that a planar moment or angular velocity is about

    @property
    def name(self) -> str:
        """As one asks for it."""
        return f"{self.component}.{self.kind}" if self.component else self.kind

    @property
    def has_norm(self) -> bool:
        """Whether it is a vector."""
        return bool(self.parts) and set(self.parts) <= {"x", "y", "z"}

    def columns(self) -> dict[str, np.ndarray]:
        """(n,) each, by full name."""
        if not self.parts:
            return {self.name: self.values}
        return {f"{self.name}.{part}": self.values[:, i] for i, part in enumerate(self.parts)}

    def part(self, part: str) -> Quantity | None:
        """One component, or the length of the vector ("norm"); None if there is no such part."""
        if part in self.parts:
            values = self.values[:, self.parts.index(part)]
        elif part == "norm" and self.has_norm:
            values = np.linalg.norm(self.values, axis=1)
        elif part == self.about and self.kind in ("moment", "angular_velocity", "angular_acceleration", "gyroscope"):
            values = self.values  # in the plane: about the normal
        else:
            return None
        return Quantity(self.component, f"{self.kind}.{part}", self.unit, values)


class Catalogue:
    """What can be asked of a run by name."""

    def __init__(self, run: Record) -> None:
        self.run = run
        self.axes = run.mechanism.axes
        self.about = _NORMALS.get(run.mechanism.plane or "", "")

    # -- lists of names

    def names(self) -> list[str]:
        """The quantities of a table: all that can differ from zero, in the order of the mechanism."""
        found = [f"{name}.{kind}" for name in self.run.names() for kind in self.run[name].tabled]
        return [*found, *(f"energy.{kind}" for kind in (*self.run.energy.kinds, "error")), "violation"]

    # -- looking up

    def quantities(self, names: Iterable[str] | None = None) -> list[Quantity]:
        """Those named, or all of :meth:`names`."""
        return [quantity for name in (self.names() if names is None else names) for quantity in self.get(name)]

    def get(self, name: str) -> list[Quantity]:
        """The quantities a name stands for: one, except for "energy", which is several."""
        if not isinstance(name, str):
            raise DescriptionError(f"A quantity is named by a string such as 'energy' or 'body.position', got {name!r:.80}.")
        if name == "energy":
            return [self._whole(f"energy.{kind}") for kind in self.run.energy.kinds if kind != "balance"]
        if name in _WHOLE:
            return [self._whole(name)]
        component, rest = self._split(name)
        if not component:
            raise self._unknown(name, self._everything())
        known = self.run[component].named
        kind, _, part = (rest or known[0]).partition(".")
        if kind not in known:
            raise self._unknown(name, [f"{component}.{kind}" for kind in known])
        found = self._of(component, kind)
        chosen = found.part(part) if part else found
        if chosen is None:
            parts = (*found.parts, "norm") if found.has_norm else found.parts
            raise self._unknown(name, [f"{found.name}.{part}" for part in parts] or [found.name])
        return [chosen]

    def _split(self, name: str) -> tuple[str, str]:
        """Component and the rest of a name; the longest component that fits, since names may contain dots."""
        words = name.split(".")
        components = set(self.run.names())
        for count in range(len(words), 0, -1):
            component = ".".join(words[:count])
            if component in components:
                return component, ".".join(words[count:])
        return "", name

    def _everything(self) -> list[str]:
        return ["energy", *_WHOLE, *(f"{name}.{kind}" for name in self.run.names() for kind in self.run[name].named)]

    def _unknown(self, name: str, known: list[str]) -> NamingError:
        """The error for a name nobody knows: the nearest, and what there is."""
        near = difflib.get_close_matches(name, known, n=1, cutoff=0.5) or difflib.get_close_matches(name, self._everything(), n=1)
        hint = f" Did you mean '{near[0]}'?" if near else ""
        shown = ", ".join(known[:24]) + (", …" if len(known) > 24 else "")
        return NamingError(f"There is no quantity named '{name[:200]}'.{hint} There are: {shown}.")

    # -- making

    def _whole(self, name: str) -> Quantity:
        owner, _, kind = name.rpartition(".")
        return Quantity(owner, kind, _WHOLE[name], getattr(self.run.energy if owner else self.run, kind))

    def _of(self, component: str, kind: str) -> Quantity:
        item: Any = self.run[component]
        values: Any = getattr(item, kind)
        values = values() if callable(values) else values  # force and moment are methods
        unit = item.output_unit if kind == "output" else _UNITS.get(kind, "")
        if values.ndim == 1:
            return Quantity(component, kind, unit, values, about=self.about)
        parts = _QUATERNION if kind == "orientation" else _POWERS if kind == "power" else self.axes
        return Quantity(component, kind, unit, values, parts)
