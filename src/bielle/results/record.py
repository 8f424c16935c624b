"""Record: what can be asked of anything that ran, a single simulation or one whose mechanism was changed on the way.

A record consists of segments, in each of which the mechanism and its model stay the same. A :class:`~.result.Result` is its own only
segment; a :class:`~.timeline.Timeline` has several. Plots, tables, films and files ask for what is here, and so work for both.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from ..calls import explained_methods
from ..errors import AccessError, DescriptionError, unknown
from ..mechanism.components import missing_attribute
from ..mechanism.mass import is_scalar
from ..mechanism.mechanism import Mechanism
from ..mechanism.vectors import shown
from .energy import Energy

if TYPE_CHECKING:
    from .moment import Moment
    from .result import Result
    from .table import Table

__all__ = ["EditRecord", "Record"]

_SHOWN = 12  # names of one sort of components, when it shows itself


@dataclass(frozen=True)
class EditRecord:
    """A change of the mechanism while it ran."""

    time: float  #: [s]
    label: str  #: for people: "remove elbow"
    kind: str = ""  #: of the edit: "remove", "add", "retype"…


@explained_methods
class Record:
    """Motion, reactions and energies at the sampled times.

    ``run["lower"].position`` · ``run["elbow"].force(on="upper", axes="upper")`` · ``run.energy.balance`` · ``run.violation``
    """

    edits: tuple[EditRecord, ...]  #: edits[k] leads from segments[k] to segments[k + 1]
    info: dict[str, Any]
    mechanism: Mechanism  #: as it was at the end
    _cache: dict[str, Any]

    _given: ClassVar[tuple[str, ...]]  #: attributes that it was made of; all others follow from these

    def __getstate__(self) -> dict[str, Any]:
        """What is copied and pickled: not what was found since."""
        return {name: self.__dict__[name] for name in self._given}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._cache = {}

    @property
    def segments(self) -> tuple[Result, ...]:
        """What was computed between two edits, one after the other: in each the mechanism stays the same."""
        raise NotImplementedError

    # -- asking

    @cached_property
    def time(self) -> np.ndarray:
        """(n,) sampled times [s]; they increase, but a moment at which something was changed is there twice: before and after."""
        return self.joined(lambda segment: segment.samples["t"])

    @property
    def t(self) -> np.ndarray:
        """:attr:`time`."""
        return self.time

    def __len__(self) -> int:
        return len(self.time)

    def names(self) -> list[str]:
        """Names that can be asked for."""
        raise NotImplementedError

    def _make(self, name: str) -> Any:
        """The results of a component that exists."""
        raise NotImplementedError

    def __contains__(self, name: object) -> bool:
        return name in self.names()

    def __getitem__(self, name: Any) -> Any:
        """The results of a body, joint, force or frame; or a quantity by the name plots know it by: an array (n, …).

        ``run["rod"]`` · ``run["rod.position"]`` · ``run["rod.position.x"]`` · ``run["energy.kinetic"]``
        """
        name = name if isinstance(name, str) else getattr(name, "name", repr(name))
        if name not in self._cache:
            if name not in self:
                return self._quantity(name)
            self._cache[name] = self._make(name)
        return self._cache[name]

    def _quantity(self, name: str) -> Any:
        """What is no component: a quantity of one, or of the whole."""
        if name == "energy":
            return self.energy
        whole = ("time", "energy", "violation", "velocity_violation")
        if name not in whole and "." not in name:
            raise unknown("component", name, [*self.names(), *whole])
        from .catalogue import Catalogue

        return Catalogue(self).get(name)[0].values

    if not TYPE_CHECKING:  # to a type checker every misspelling would be right

        def __getattr__(self, name: str) -> Any:
            if name.startswith("_") or "_cache" not in self.__dict__:
                raise AttributeError(name)
            kind = type(self).__name__
            if name in self:
                raise AccessError(f"A {kind} has no attribute '{name}', but a component of that name: write run['{name}'].")
            owner = next((each for each in self.names() if name in self[each].named), None)
            if owner is not None:
                raise AccessError(f"A {kind} has no '{name}', but its components have: write run['{owner}'].{name}, say.")
            raise missing_attribute(f"A {kind}", name, dir(type(self)))

    def get(self, name: str) -> Any:
        """The results of a component, or None if there is none of that name."""
        return self[name] if name in self else None  # noqa: SIM401 (this is what it would call)

    def joined(self, of: Callable[[Result], np.ndarray]) -> np.ndarray:
        """(n, …) something of each segment, one after the other."""
        arrays = [of(segment) for segment in self.segments]
        return arrays[0] if len(arrays) == 1 else np.concatenate(arrays)

    @cached_property
    def spans(self) -> list[slice]:
        """Which of the samples belong to each segment."""
        ends = accumulate((len(segment) for segment in self.segments), initial=0)
        return [slice(*ends) for ends in pairwise(ends)]

    def at(self, time: float) -> Result:
        """The segment of a moment, at an edit the one after it: a result that can be asked all the same."""
        if not is_scalar(time):
            raise DescriptionError(f"The time must be a number of seconds, got {shown(time)}. Give one.")
        for segment in reversed(self.segments):
            if len(segment) and segment.time[0] <= time <= self.time[-1]:
                return segment
        when = f"from {self.time[0]:g} s to {self.time[-1]:g} s" if len(self) else "no samples at all"
        raise DescriptionError(f"There is nothing at t = {time!r} s: there are samples {when}. Give a time among these.")

    def state(self, time: float | None = None) -> Moment:
        """All quantities at the sample nearest to a time [s], by name: ``run.state(0.5)["tip.position"]``; printed, a line each.

        None: at the end.
        """
        from .moment import Moment, sample_at

        return Moment(*sample_at(self, time))

    def describe(self, time: float | None = None) -> Mechanism:
        """The mechanism as it is at the sample nearest to a time [s]: a description whose bodies start where they are then, with the
        velocities they have. None: at the end.

        What simulates it counts time from zero again: functions of time begin anew. Turns that torsion springs, motors and stops have
        counted are in their angles: a spring whose free angle is 0 has one of −12.57 rad after two turns.
        """
        from .moment import described_at, sample_at

        return described_at(*sample_at(self, time))

    # -- of the whole

    @cached_property
    def energy(self) -> Energy:
        """Energies and their balance."""
        return Energy(self)

    @cached_property
    def violation(self) -> np.ndarray:
        """(n,) largest constraint residual over all joints of the moment [m, or 1 for directions]."""
        return self.joined(lambda segment: segment.violations[0])

    @cached_property
    def velocity_violation(self) -> np.ndarray:
        """(n,) largest rate of a constraint residual over all joints of the moment."""
        return self.joined(lambda segment: segment.violations[1])

    @property
    def warning(self) -> str:
        """What is wrong with the run, in words; empty if it is as accurate as its method promises. See :mod:`.accuracy`."""
        return (self.info.get("accuracy") or {}).get("message", "")

    # -- pictures, tables, files

    def plot(self, *quantities: str, x: str = "time", beside: Any = (), path: Any = None) -> Any:
        """Plot quantities such as ``"lower.position"``, ``"elbow.force.x"``, ``"energy"`` over time; without any, an overview.

        x       what to plot them over instead: ``run.plot("piston.position.x", x="crank.angle")``
        beside  another run, or a list of them, to compare with; to name them in the legend use :func:`bielle.plot`

        With a path (``.png``, ``.svg``, ``.pdf``) it is written there and the path returned; without, a figure is returned, which a
        notebook shows. See :mod:`bielle.results.plots`.
        """
        from .plots import plot

        others = [beside] if isinstance(beside, Record) else list(beside)
        return plot([self, *others], *quantities, x=x, path=path)

    def animate(self, path: Any, **options: Any) -> Any:
        """Write an animation: ``.html`` (plays in any browser), ``.gif``, ``.mp4``, or a still ``.png``; see :mod:`.animation`."""
        from .animation import animate

        return animate(self, path, **options)

    def save(self, path: Any) -> Any:
        """Write the result: ``.npz`` or ``.h5``, to be loaded again, or ``.csv``; see :func:`bielle.results.export.save`."""
        from .export import save

        return save(self, path)

    @classmethod
    def load(cls, path: Any, *, mechanism: Mechanism | Sequence[Mechanism] | None = None) -> Record:
        """What :meth:`save` wrote to a ``.npz`` or ``.h5`` file; see :func:`bielle.results.export.load_result`."""
        from .export import load_result

        return load_result(path, mechanism=mechanism)

    def table(self, *names: str) -> Table:
        """The quantities named, or all motions, reactions and energies, in named columns; see :func:`bielle.results.export.table`."""
        from .export import table

        return table(self, names or None)

    def to_xarray(self, *names: str) -> Any:
        """The same as an xarray Dataset."""
        from .export import to_xarray

        return to_xarray(self, names or None)

    # -- how it shows itself

    def __repr__(self) -> str:
        kind = type(self).__name__
        if not len(self):
            return f"{kind} (no samples)"
        status, solver = self.info.get("status", "finished"), self.info.get("solver", "")
        pieces = f" in {len(self.segments)} segments" if len(self.segments) > 1 else ""
        lines = [f"{kind}: {len(self)} samples from {self.time[0]:g} s to {self.time[-1]:g} s{pieces}, {status}; {solver}"]
        if self.edits:
            listed = ", ".join(f"{edit.label} ({edit.time:.6g} s)" for edit in self.edits[:8])
            lines.append(f"edits: {listed}{f', … and {len(self.edits) - 8} more (all: run.edits)' if len(self.edits) > 8 else ''}")
        if self.warning:
            lines.append(self.warning)
        names = [name for table in ("bodies", "joints", "forces", "frames") for name in self._shown_of(table)]
        return "\n  ".join([*lines, f"ask for {', '.join([*names, 'energy', 'violation'])}"])

    def _shown_of(self, table: str) -> list[str]:
        """Names of the bodies, joints, forces or frames there ever were, and how many more of them."""
        names = list(dict.fromkeys(name for segment in self.segments for name in getattr(segment.mechanism, table)))
        return names if len(names) <= _SHOWN else [*names[: _SHOWN - 1], f"… and {len(names) - _SHOWN + 1} more {table} (run.names())"]

    def _repr_html_(self) -> str:
        from .animation import notebook

        return notebook(self)
