"""What glued components did: times, the motion and the forces at their ports and joints, and how hard it was."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..calls import explained_methods
from ..errors import BielleError, DescriptionError, unknown
from ..results.result import Result
from .network import End

__all__ = ["Dropped", "GlueResult", "JointRecord", "Log", "PortRecord"]


@dataclass(frozen=True)
class Dropped:
    """What was given up so that the rest could go on."""

    time: float  #: [s]
    component: str  #: empty if only a joint was opened
    joints: tuple[str, ...]  #: that went with it
    reason: str


@dataclass(frozen=True)
class PortRecord:
    """A port at the sampled times; until it was dropped, if it was."""

    time: np.ndarray  #: (n,) [s]
    position: np.ndarray  #: (n, dim) [m]
    velocity: np.ndarray  #: (n, dim) [m/s]
    force: np.ndarray  #: (n, dim) force on the component [N]


@explained_methods
class JointRecord:
    """A joint at the sampled times; until it was dropped, if it was."""

    def __init__(self, name: str, ends: Mapping[End, PortRecord], until: float) -> None:
        self.name = name
        n = min(int(np.searchsorted(record.time, until, side="right")) for record in ends.values())
        self._ends = {end: PortRecord(r.time[:n], r.position[:n], r.velocity[:n], r.force[:n]) for end, r in ends.items()}
        self._records = list(self._ends.values())
        self.time: np.ndarray = self._records[0].time  #: (n,) [s]

    @property
    def components(self) -> list[str]:
        """Those it joins."""
        return [end.component for end in self._ends]

    @property
    def position(self) -> np.ndarray:
        """(n, dim) the mean of its ends [m]."""
        return np.mean([record.position for record in self._records], axis=0)

    @property
    def gap(self) -> np.ndarray:
        """(n,) largest distance between its first end and another [m]."""
        return _apart([record.position for record in self._records])

    @property
    def velocity_gap(self) -> np.ndarray:
        """(n,) the same of velocities [m/s]."""
        return _apart([record.velocity for record in self._records])

    @property
    def imbalance(self) -> np.ndarray:
        """(n,) size of the sum of the forces at its ends [N]."""
        return np.linalg.norm(np.sum([record.force for record in self._records], axis=0), axis=1)

    def force(self, on: str | None = None) -> np.ndarray:
        """(n, dim) force on a component [N]; on the last one unless ``on`` names another."""
        if on is not None and on not in self.components:
            raise unknown("component", on, self.components, f"joint '{self.name}'")
        return next(r.force for end, r in reversed(self._ends.items()) if on in (None, end.component))


def _apart(points: list[np.ndarray]) -> np.ndarray:
    return np.max([np.linalg.norm(other - points[0], axis=1) for other in points], axis=0)


@explained_methods
@dataclass
class GlueResult:
    """Joints by name, ``run["elbow"].force(on="left")``, and results of parts, ``run["left"]["rod"].position``, at the sampled times."""

    time: np.ndarray  #: (n,) sampled times [s]
    joints: dict[str, JointRecord]
    ports: dict[End, PortRecord]
    parts: dict[str, Result]  #: of the components that are mechanisms of this process
    iterations: np.ndarray  #: (steps,) how often every component took each step, probes not counted
    probes: np.ndarray  #: (steps,) how often each was taken to probe the components
    dropped: tuple[Dropped, ...] = ()
    failure: BielleError | None = None  #: why it stopped, if it did
    info: dict[str, Any] = field(default_factory=dict)

    @property
    def status(self) -> str:
        """'finished', 'paused', 'interrupted' or 'failed'."""
        return self.info.get("status", "finished")

    def names(self) -> list[str]:
        """Names that can be asked for."""
        return [*self.joints, *self.parts]

    def __getitem__(self, name: str) -> Any:
        """The record of a joint, or the Result of a part."""
        if name in self.joints:
            return self.joints[name]
        if name in self.parts:
            return self.parts[name]
        if any(end.component == name for end in self.ports):
            raise DescriptionError(f"component '{name}' shows no more than its ports: ask for port('{name}', …).")
        raise unknown("joint or part", name, self.names())

    def port(self, component: str, port: str) -> PortRecord:
        """Motion of a port and the force on it, whether it is joined or not."""
        end = End(component, port)
        if end not in self.ports:
            raise unknown("port", f"{component}.{port}", [f"{end.component}.{end.port}" for end in self.ports])
        return self.ports[end]

    def __len__(self) -> int:
        return len(self.time)

    def __repr__(self) -> str:
        span = f"from {self.time[0]:g} s to {self.time[-1]:g} s" if len(self) else "of nothing yet"
        mean = f", {self.iterations.mean():.1f} iterations a step" if len(self.iterations) else ""
        lines = [f"GlueResult: {len(self)} samples {span}, {self.status}{mean}", f"ask for {', '.join(self.names())}"]
        lines += [f"dropped at {each.time:.6g} s: {each.component or ', '.join(each.joints)}" for each in self.dropped]
        return "\n  ".join(lines)


class Log:
    """What is written down on the way.

    A force that is straight over a step misses F'' h²/12 of what it stands for at both ends. Where steps meet their slopes tell F'', and
    what is written down is

        F = ½ (F₁ + F₀′) + ((F₁′ − F₀′) − (F₁ − F₀))/12

    with F₀, F₁ of the step before and F₀′, F₁′ of the step after. The first and the last moment have one step only.
    """

    def __init__(self) -> None:
        self.time: list[float] = []
        self.iterations: list[int] = []
        self.probes: list[int] = []
        self._rows: dict[End, list[np.ndarray]] = {}  # (3, dim) position, velocity, force
        self._before: dict[End, np.ndarray] = {}  # forces (2, dim) over the step that led to the last sample, if it was the last step

    def take(self, forces: Mapping[End, np.ndarray]) -> None:
        """A step: the forces (2, dim) at all ports."""
        for end, (start, last) in self._before.items():
            if end in forces:
                next_start, next_last = forces[end]
                self._rows[end][-1][2] = 0.5 * (last + next_start) + ((next_last - next_start) - (last - start)) / 12.0
        self._before = {}

    def write(self, time: float, motions: Mapping[End, np.ndarray], forces: Mapping[End, np.ndarray], *, start: bool = False) -> None:
        """A sample at the end of a step, or at the start of the first one: motions (2, dim), and forces (2, dim) over the step."""
        self.time.append(time)
        for end, motion in motions.items():
            self._rows.setdefault(end, []).append(np.array([*motion, forces[end][0 if start else 1]]))
        self._before = {} if start else dict(forces)

    def forces_jump(self) -> None:
        """What comes next has nothing to do with what was."""
        self._before = {}

    def ports(self) -> dict[End, PortRecord]:
        """Everything until now."""
        time, out = np.array(self.time), {}
        for end, rows in self._rows.items():
            values = np.array(rows)
            out[end] = PortRecord(time[: len(rows)], values[:, 0], values[:, 1], values[:, 2])
        return out
