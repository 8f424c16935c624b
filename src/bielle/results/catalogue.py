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
from .quantities import BodyResult, ForceResult, JointResult

if TYPE_CHECKING:
    from .result import Result

__all__ = ["Catalogue", "Quantity"]

_XYZ, _QUATERNION, _POWERS = ("x", "y", "z"), ("w", "x", "y", "z"), ("dissipated", "drives", "applied")
_ENERGIES = ("kinetic", "gravitational", "elastic", "dissipated", "drives", "applied", "mechanical", "balance")
_UNITS = {
    "position": "m",
    "displacement": "m",
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
_WHOLE = {"time": "s"} | {f"energy.{kind}": "J" for kind in _ENERGIES} | {"energy.error": ""}
_WHOLE |= {"violation": "m or 1", "velocity_violation": "m/s or 1/s"}  # lengths, and cosines of directions


@dataclass(frozen=True)
class Quantity:
    """Numbers over time, and what they are."""

    component: str  #: "lower", "energy"; empty for quantities of the whole
    kind: str  #: "position", "force", "kinetic"…
    unit: str
    values: np.ndarray  #: (n,), or (n, len(parts))
    parts: tuple[str, ...] = ()  #: ("x", "y"); none: a single number

    @property
    def name(self) -> str:
        """As one asks for it."""
        return f"{self.component}.{self.kind}" if self.component else self.kind

    @property
    def has_norm(self) -> bool:
        """Whether it is a vector."""
        return self.parts in (_XYZ, _XYZ[:2])

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
        elif part == "z" and not self.parts and self.kind in ("moment", "angular_velocity", "angular_acceleration", "gyroscope"):
            values = self.values  # in the plane: about the normal
        else:
            return None
        return Quantity(self.component, f"{self.kind}.{part}", self.unit, values)


class Catalogue:
    """What can be asked of a run by name."""

    def __init__(self, run: Result) -> None:
        self.run = run
        self.dim = run.model.dim

    # -- lists of names

    def names(self) -> list[str]:
        """The quantities of a table: all that can differ from zero, in the order of the mechanism."""
        found = [f"{name}.{kind}" for name in self.run.names() for kind in self._shown(self.run[name])]
        return [*found, *(f"energy.{kind}" for kind in (*_ENERGIES, "error")), "violation"]

    def _shown(self, item: Any) -> list[str]:
        """Kinds of quantities of a component that belong in a table."""
        if not isinstance(item, JointResult | ForceResult):
            return self._known(item.name)
        side = item.sides == item.markers[-1].side
        efforts = ["force"] * bool((item.is_point & side).any()) + ["moment"] * bool((~item.is_point & side).any())
        if isinstance(item, ForceResult):
            return ["output", "energy", *efforts]
        turns, slides = item.moves
        has_axis = self.dim == 2 or hasattr(item.joint.kind, "axis")
        moves = ["angle"] * (turns and has_axis) + ["displacement"] * slides
        return [*efforts, *moves, "violation"]

    def _known(self, component: str) -> list[str]:
        """All kinds of quantities of a component; the first is what its name alone stands for."""
        m = self.run.mechanism
        if component in m.bodies:
            turning = "angle" if self.dim == 2 else "orientation"
            return ["position", "velocity", "acceleration", turning, "angular_velocity", "angular_acceleration"]
        if component in m.joints:
            return ["force", "moment", "angle", "displacement", "violation"]
        if component in m.forces:
            return ["output", "energy", "power", "force", "moment"]
        return ["position", "velocity", "acceleration", "accelerometer", "gyroscope"]

    # -- looking up

    def quantities(self, names: Iterable[str] | None = None) -> list[Quantity]:
        """Those named, or all of :meth:`names`."""
        return [quantity for name in (self.names() if names is None else names) for quantity in self.get(name)]

    def get(self, name: str) -> list[Quantity]:
        """The quantities a name stands for: one, except for "energy", which is several."""
        if not isinstance(name, str):
            raise DescriptionError(f"A quantity is named by a string such as 'energy' or 'body.position', got {name!r:.80}.")
        if name == "energy":
            return [self._whole(f"energy.{kind}") for kind in _ENERGIES if kind != "balance"]
        if name in _WHOLE:
            return [self._whole(name)]
        component, rest = self._split(name)
        if not component:
            raise self._unknown(name, self._everything())
        known = self._known(component)
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
        return ["energy", *_WHOLE, *(f"{name}.{kind}" for name in self.run.names() for kind in self._known(name))]

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
        values: Any = getattr(item, "orientation" if kind == "angle" and isinstance(item, BodyResult) else kind)
        values = values() if callable(values) else values  # force and moment are methods
        unit = _UNITS.get(kind, "")
        if isinstance(item, ForceResult) and kind == "output":
            unit = _output_unit(item)
        if values.ndim == 1:
            return Quantity(component, kind, unit, values)
        parts = _QUATERNION if kind == "orientation" else _POWERS if kind == "power" else _XYZ[: self.dim]
        return Quantity(component, kind, unit, values, parts)


def _output_unit(item: ForceResult) -> str:
    """What the kind declares as ``output_unit``; otherwise N·m if it acts on directions alone, N on points alone, and unknown if on both.

    A force on one body has directions only to say which way it points.
    """
    declared = getattr(item.description.kind, "output_unit", None)
    if declared is not None:
        return declared
    on_last = item.is_point[item.sides == item.markers[-1].side]
    if not on_last.any():
        return "N·m"
    return "N" if on_last.all() or len(item.markers) == 1 else ""
