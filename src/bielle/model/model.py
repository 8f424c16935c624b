"""The compiled description: flat tables, immutable in structure, stamped with a version."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeVar

import numpy as np

from ..bodies.kind import BodyKind
from ..errors import unknown
from ..kernels.fields import length_of
from ..kernels.slots import N_C, N_Q, N_V
from .kkt import Matrix, analyse_matrix
from .layout import Closing, Layout, lay_out
from .places import BODIES, FORCES, JOINTS, WATCHES
from .rows import Record, Rows
from .signals import Callback, rebind
from .versions import Stamp, from_stamp, to_stamp
from .watches import Watch

__all__ = ["BodyRow", "ForceRow", "JointRow", "Model"]


@dataclass(slots=True)
class BodyRow:
    """Where a body is in the tables."""

    name: str
    index: int
    kind: BodyKind
    q: slice
    v: slice


@dataclass(slots=True)
class JointRow:
    """Where a joint is in the tables; internal equations of a body carry the body's name."""

    name: str
    index: int
    equations: slice
    elements: slice
    internal: bool = False
    carrier: str = ""  #: body a of a joint in which points meet, if it can move


@dataclass(slots=True)
class ForceRow:
    """Where a force is in the tables."""

    name: str
    index: int
    elements: slice


Row = TypeVar("Row", BodyRow, JointRow, ForceRow)


class Lookup(Mapping[str, Row]):
    """Rows by name, made when they are asked for: after an edit of one component nobody pays for the rows of all others."""

    def __init__(self, names: Mapping[str, Any], make: Callable[[str], Row]) -> None:
        self._names = names
        self._make = make
        self._made: dict[str, Row] = {}

    def __getitem__(self, name: str) -> Row:
        if name not in self._made:
            self._made[name] = self._make(name)
        return self._made[name]

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


@dataclass
class Model:
    """Tables of a mechanism, ready to be bound to a :class:`~bielle.model.context.Context`.

    Nobody writes to it, so that copies share it. In another process it is laid out anew, from its records.
    """

    version: int
    dim: int
    layout: Layout  #: structure and parameters, as kernels read them
    body_rows: Rows
    joint_rows: Rows
    force_rows: Rows
    watch_rows: Rows
    joint_names: Mapping[str, Any]  #: in the user's order; only the keys mean something
    force_names: Mapping[str, Any]
    gravity: tuple[float, ...] = ()
    closings: tuple[Closing, ...] = ()
    watches: Mapping[str, Watch] = field(default_factory=dict)  #: in the user's order
    _matrices: dict[bool, Matrix] = field(default_factory=dict)
    own_bytes: int = 0  #: size of the arrays it does not share with the model it came from

    def __copy__(self) -> Model:
        return self

    def __deepcopy__(self, memo: Any) -> Model:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        tables = [rows.records for rows in (self.body_rows, self.joint_rows, self.force_rows, self.watch_rows)]
        names = tuple(self.joint_names), tuple(self.force_names)
        return _remade, (to_stamp(self.version), self.dim, tables, *names, self.gravity, self.closings, dict(self.watches), self.own_bytes)

    @cached_property
    def arrays(self) -> Mapping[str, np.ndarray]:
        """Fields of structure and parameters, by name; see :mod:`bielle.kernels.slots`."""
        mass: Any = {"mass": self.body_rows.column("mass")}
        return ChainMap(mass, self.layout.structure, self.layout.parameters)  # pyright: ignore[reportArgumentType]

    @property
    def massless(self) -> tuple[str, ...]:
        """Bodies without mass."""
        found = self.body_rows.found
        if "massless" not in found:
            masses = self.body_rows.column("inertia")[::10]  # all but that of the ground
            found["massless"] = tuple(self.body_rows.records[i + 1].name for i in np.flatnonzero(masses == 0.0))
        return found["massless"]

    def metric(self) -> np.ndarray:
        """Mass blocks of which none is zero: in these a body without mass is like the lightest. For projections, not for dynamics."""
        mass, nv = self.arrays["mass"].copy(), self.arrays["body_nv"]
        blocks = [mass[start : start + n * n].reshape(n, n) for start, n in zip(self.arrays["body_m"], nv)]
        own = [np.diag(block) for block in blocks if block.any()]
        for block in blocks:
            if not block.any():
                alike = [diagonal for diagonal in own if len(diagonal) == len(block)]
                block[:] = np.diag(np.min(alike, axis=0) if alike else np.ones(len(block)))
        return mass

    def length(self, field: str) -> int:
        """Of a field that a context has for itself, the state among them."""
        return length_of(field, self.layout.count)

    @cached_property
    def nq(self) -> int:
        return int(self.layout.count[N_Q])

    @cached_property
    def nv(self) -> int:
        return int(self.layout.count[N_V])

    @cached_property
    def nc(self) -> int:
        return int(self.layout.count[N_C])

    @property
    def body_length(self) -> float:
        """[m] How long rods would be that turn as heavily as the bodies do, on average: the scale that lengths are compared with.

        It does not depend on the state, so that a run that goes on from a state does as the one before would have.
        """
        found = self.body_rows.found
        if "length" not in found:
            inertia = self.body_rows.column("inertia").reshape(-1, 10)
            inertia = inertia[inertia[:, 0] > 0.0]  # those with mass
            moment = inertia[:, 9] if self.dim == 2 else 0.5 * inertia[:, [4, 7, 9]].sum(axis=1)
            found["length"] = float(np.sqrt(12.0 * moment / inertia[:, 0]).mean()) if len(inertia) else 1.0
        return found["length"]

    def matrix(self, coupled: bool = False) -> Matrix:
        """Order of elimination and storage; ``coupled``: with the blocks by which forces couple bodies in implicit schemes."""
        if coupled and not len(self.force_rows):
            coupled = False
        if coupled not in self._matrices:
            self._matrices[coupled] = analyse_matrix(self.layout, coupled)
        return self._matrices[coupled]

    # -- rows by name

    @cached_property
    def bodies(self) -> Lookup[BodyRow]:
        """All bodies and the ground, in the order of their rows."""
        return Lookup(self.body_rows.index, self._body_row)

    @cached_property
    def joints(self) -> Lookup[JointRow]:
        """The user's joints."""
        return Lookup(self.joint_names, self._joint_row)

    @cached_property
    def forces(self) -> Lookup[ForceRow]:
        return Lookup(self.force_names, self._force_row)

    @cached_property
    def internal(self) -> list[JointRow]:
        """Equations between a body's own coordinates."""
        return [self._joint_at(i) for i, record in enumerate(self.joint_rows.records) if record.item.internal]

    def body(self, name: str) -> BodyRow:
        """Row of a body."""
        if name not in self.bodies:
            raise unknown("body", name, self.bodies)
        return self.bodies[name]

    def _body_row(self, name: str) -> BodyRow:
        rows = self.body_rows
        i = rows.index[name]
        q, v = rows.starts("nq"), rows.starts("nv")
        return BodyRow(name, i, rows.records[i].item.kind, slice(int(q[i]), int(q[i + 1])), slice(int(v[i]), int(v[i + 1])))

    def _joint_row(self, name: str) -> JointRow:
        if name not in self.joints:
            raise KeyError(name)
        return self._joint_at(self.joint_rows.index[name])

    def _joint_at(self, i: int) -> JointRow:
        rows = self.joint_rows
        record, c, e = rows.records[i], rows.starts("nc"), rows.starts("ne")
        equations, elements = slice(int(c[i]), int(c[i + 1])), slice(int(e[i]), int(e[i + 1]))
        carrier = record.item.bodies[0] if record.item.meeting else ""
        return JointRow(record.name, i, equations, elements, record.item.internal, carrier)

    def _force_row(self, name: str) -> ForceRow:
        rows = self.force_rows
        i, e = rows.index[name], rows.starts("ne") + self.joint_rows.total("ne")
        return ForceRow(name, i, slice(int(e[i]), int(e[i + 1])))

    # -- the user's functions

    @property
    def signal_owners(self) -> list[str]:
        """Component each function belongs to, for messages."""
        joints = [f"joint '{r.name}'" for r in self.joint_rows.records for _ in r.values["signal_kind"]]
        return joints + [f"force '{r.name}'" for r in self.force_rows.records for _ in r.values["signal_kind"]]

    @cached_property
    def callbacks(self) -> list[Any]:
        """Bridges to the user's Python functions."""
        found = (c for rows in (self.joint_rows, self.force_rows) for r in rows.records for c in r.item.callbacks)
        return [c for c in found if isinstance(c, Callback)]


def stand_on(record: Record, body_index: Mapping[str, int]) -> None:
    """Let a joint, force or watch hold on to bodies by their rows."""
    record.values["elem_body"] = [body_index[name] for name in record.item.bodies]
    if "elem_local" in record.values:
        record.values["block_body"] = [body_index[name] for name in record.item.block_bodies]


def _remade(
    stamp: Stamp,
    dim: int,
    tables: list[list[Record]],
    joint_names: tuple[str, ...],
    force_names: tuple[str, ...],
    gravity: tuple[float, ...],
    closings: tuple[Closing, ...],
    watches: dict[str, Watch],
    own_bytes: int,
) -> Model:
    """A model that was pickled."""
    bodies = Rows(BODIES, tables[0])
    for records in tables[1:]:
        for record in records:
            stand_on(record, bodies.index)
            if "signal_n" in record.values:
                rebind(record.values, record.item.callbacks)
    rows = (bodies, Rows(JOINTS, tables[1]), Rows(FORCES, tables[2]), Rows(WATCHES, tables[3]))
    names = dict.fromkeys(joint_names), dict.fromkeys(force_names)
    layout = lay_out(dim, *rows, closings)
    return Model(from_stamp(stamp), dim, layout, *rows, *names, gravity, closings, watches, own_bytes=own_bytes)
