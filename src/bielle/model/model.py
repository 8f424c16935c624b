"""The compiled description: flat tables, immutable in structure, stamped with a version."""

from dataclasses import dataclass, field

import numpy as np

from ..bodies.kind import BodyKind
from ..errors import unknown
from ..mechanism.description import Marker
from ..topology.elimination import Elimination

__all__ = ["BodyRow", "ForceRow", "JointRow", "Model"]


@dataclass(frozen=True)
class BodyRow:
    """Where a body is in the tables."""

    name: str
    index: int
    kind: BodyKind
    q: slice
    v: slice


@dataclass(frozen=True)
class JointRow:
    """Where a joint is in the tables; internal equations of a body carry the body's name and no markers."""

    name: str
    index: int
    equations: slice
    elements: slice
    markers: tuple[Marker, Marker] | None
    internal: bool = False


@dataclass(frozen=True)
class ForceRow:
    """Where a force is in the tables."""

    name: str
    index: int
    elements: slice
    markers: tuple[Marker, ...]


@dataclass
class Model:
    """Tables of a mechanism, ready to be bound to a :class:`~bielle.model.context.Context`."""

    version: int
    dim: int
    arrays: dict[str, np.ndarray]  #: structure fields of :mod:`bielle.kernels.slots`, by name
    sizes: dict[str, int]  #: lengths of the fields a context allocates
    elimination: Elimination
    bodies: dict[str, BodyRow]
    joints: dict[str, JointRow]
    internal: list[JointRow]
    forces: dict[str, ForceRow]
    signal_owners: list[str] = field(default_factory=list)  #: component each function belongs to, for messages
    callbacks: list = field(default_factory=list)  #: keeps C callbacks of the user's Python functions alive

    @property
    def nq(self) -> int:
        return self.sizes["q"]

    @property
    def nv(self) -> int:
        return self.sizes["v"]

    @property
    def nc(self) -> int:
        return self.sizes["lam"]

    def body(self, name: str) -> BodyRow:
        """Row of a body."""
        if name not in self.bodies:
            raise unknown("body", name, self.bodies)
        return self.bodies[name]
