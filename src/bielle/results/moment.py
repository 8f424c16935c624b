"""A run at one of its samples: to read, or as a mechanism that starts from there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from ..mechanism.mechanism import Mechanism
from ..mechanism.vectors import number, quaternion_of
from .catalogue import Catalogue

if TYPE_CHECKING:
    from .record import Record
    from .result import Result

__all__ = ["Moment", "described_at", "sample_at"]


def sample_at(run: Record, time: float | None) -> tuple[Result, int]:
    """The segment of a time and the number of its sample nearest to it; None: the last."""
    wanted = float(run.time[-1]) if time is None and len(run) else number(time, "the time")
    segment = run.at(wanted)
    return segment, int(np.argmin(np.abs(segment.time - wanted)))


def described_at(segment: Result, index: int) -> Mechanism:
    """A description whose bodies start where they are at a sample, with the velocities they have."""
    given, m = segment.mechanism, segment.mechanism.copy()
    for name, joint in given.joints.items():  # what it holds on to must not depend on where bodies are described
        m.joints[name] = given.localised(joint)
    memory, rows = segment.samples["memory"][index], segment.model.force_rows
    for name, force in given.forces.items():
        first = int(segment.model.arrays["force_m"][rows.index[name]])
        kind = (force := given.localised(force)).kind
        m.forces[name] = msgspec.structs.replace(force, kind=kind.at_present(memory[first : first + kind.memory]))
    for name, body in given.bodies.items():
        own = segment[name]
        spin = own.angular_velocity[index]
        m.bodies[name] = msgspec.structs.replace(
            body,
            position=tuple(own.position[index].tolist()),
            orientation=float(own.angle[index]) if given.planar else quaternion_of(own.rotation[index]),
            velocity=tuple(own.velocity[index].tolist()),
            angular_velocity=float(spin) if given.planar else tuple(spin.tolist()),
        )
    return m


class Moment(Mapping[str, Any]):
    """All quantities of a run's table at one sample, by name; printed, a line each with its unit."""

    def __init__(self, segment: Result, index: int) -> None:
        self.time = float(segment.time[index])  #: [s]
        self.title = segment.mechanism.name
        quantities = Catalogue(segment).quantities()
        self._values = {q.name: float(q.values[index]) if q.values.ndim == 1 else q.values[index] for q in quantities}
        self.units = {q.name: q.unit for q in quantities}  #: by name; empty: a pure number

    def __getitem__(self, name: str) -> Any:
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __repr__(self) -> str:
        width = max(map(len, self._values), default=0)
        lines = [f"{self.title} at {self.time:.6g} s"]
        for name, value in self._values.items():
            numbers = "".join(f"{0.0 if abs(x) < 1e-12 else x:>12.5g}" for x in np.atleast_1d(value))
            lines.append(f"  {name:<{width}}{numbers} {self.units[name]}".rstrip())
        return "\n".join(lines)
