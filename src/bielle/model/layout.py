"""Layout: from tables of rows to the flat arrays kernels read; see :mod:`bielle.kernels.slots` for what each array is."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain

import numpy as np

from ..kernels import closing, functions, slots
from ..kernels.fields import PARAMETERS, STRUCTURE, Carving, Fields
from ..kernels.memory import Uncopyable, address_of
from .places import CARRIERS, Tables
from .rows import Record, Rows

__all__ = ["Closing", "Layout", "lay_out", "with_numbers"]

Program = list[int]  #: rows (address of a kernel, first, last), one after the other


@dataclass(frozen=True)
class Closing:
    """A joint that is being closed gently: its residual follows a ramp from what it was at the start to zero."""

    joint: str
    start: float  #: [s]
    duration: float  #: [s]
    stopping: float  #: [s] in which the relative velocity is stopped, at most the duration
    gap: tuple[float, ...]  #: φ of each equation at the start; where points meet, in the axes of a: see :mod:`bielle.kernels.closing`
    rate: tuple[float, ...]  #: its rate at the start
    silent: tuple[int, ...] = ()  #: equations, in the same sense, that depend on others and wait until the end

    @property
    def end(self) -> float:
        """[s]"""
        return self.start + self.duration

    @property
    def joins(self) -> tuple[float, float]:
        """Times [s] at which the ramp is not smooth: steps should end there."""
        return self.start + self.stopping, self.end


@dataclass(slots=True)
class Layout(Uncopyable):
    """What kernels read of a model."""

    count: np.ndarray  #: sizes, see :mod:`bielle.kernels.slots`
    carving: Carving
    structure: Fields
    parameters: Fields
    addresses: np.ndarray  #: of these, by slot


def lay_out(
    dim: int,
    bodies: Rows,
    joints: Rows,
    forces: Rows,
    watches: Rows,
    closings: tuple[Closing, ...] = (),
    carriers: Rows | None = None,
) -> Layout:
    """All arrays of structure and parameters. Interface elements stand in the order joints, forces, watches, carriers."""
    carriers = _carriers(bodies, joints, closings) if carriers is None else carriers
    tables = Tables(bodies, joints, forces, watches, carriers)
    count = np.zeros(slots.COUNTS, dtype=np.int64)
    count[slots.N_DIM], count[slots.N_WORK] = dim, slots.WORKS + len(closings)
    count[slots.N_RAMP] = n_ramps = sum(len(c.gap) for c in closings)
    count[slots.N_INTERNAL] = sum(last - first for first, last in joints.groups if joints.records[first].item.internal)
    bounds = tables.measure(count)
    programs = _programs(bodies, joints, forces, watches, bounds, int(count[slots.N_SIGNAL]))
    if closings:
        programs[0] = [closing.prepare.address, 0, n_ramps, *programs[0], closing.evaluate.address, 0, n_ramps]
    count[slots.N_PROGRAM : slots.N_PROGRAM + len(programs)] = [len(program) // 3 for program in programs]
    steps = np.array(list(chain.from_iterable(programs)), dtype=np.int64)
    carving = Carving(count)
    structure = Fields(STRUCTURE, carving)
    addresses = np.zeros(len(slots.FIELDS), dtype=np.int64)
    addresses[STRUCTURE.slots] = structure.addresses
    addresses[slots.COUNT] = address_of(count)
    tables.fill_places(addresses, steps)
    if closings:
        _fill_closings(structure, joints, closings, carriers)
    return Layout(count, carving, structure, _fill_numbers(tables, bodies, joints, forces, watches, carving, addresses), addresses)


def with_numbers(old: Layout, bodies: Rows, joints: Rows, forces: Rows, watches: Rows, closings: tuple[Closing, ...]) -> Layout:
    """The layout of tables that differ in numbers only."""
    tables = Tables(bodies, joints, forces, watches, _carriers(bodies, joints, closings))
    addresses = old.addresses.copy()
    parameters = _fill_numbers(tables, bodies, joints, forces, watches, old.carving, addresses)
    return Layout(old.count, old.carving, old.structure, parameters, addresses)


def _fill_numbers(
    tables: Tables, bodies: Rows, joints: Rows, forces: Rows, watches: Rows, carving: Carving, addresses: np.ndarray
) -> Fields:
    """The parameters: what an edit that keeps all sizes can change."""
    out = Fields(PARAMETERS, carving)
    addresses[PARAMETERS.slots] = out.addresses
    mass = bodies.column("mass")  # part of the block of the table, which the model keeps
    addresses[slots.MASS] = address_of(mass)
    tables.fill_numbers(addresses)
    if len(watches):
        subjects = [r.item.subject for r in watches.records]
        out["watch_row"][:] = [joints.index[s.joint] if s.joint else forces.index[s.force] if s.force else -1 for s in subjects]
    return out


def _programs(bodies: Rows, joints: Rows, forces: Rows, watches: Rows, bounds: list[int], n_signals: int) -> list[Program]:
    """The programs in the order of their slots, a row per kind present; bounds: of elements on bodies of one kind, in order by kind."""
    evaluation: Program = []
    looking: Program = []
    stiffness: Program = []
    retraction: Program = []
    if n_signals and any(kind < functions.CURVE for rows in (joints, forces) for kind in rows.column("signal_kind").tolist()):
        evaluation += (functions.evaluate_signals.address, 0, n_signals)
    for (first, last), begin, end in zip(bodies.groups, bounds, bounds[1:]):
        kind = bodies.records[first].item.kind
        if kind.nv > 0:
            evaluation += (kind.motion.address, first, last)
            retraction += (kind.retract.address, first, last)
        if end > begin:
            looking += (kind.elements.address, begin, end)
            if kind.stiffness is not None:
                stiffness += (kind.stiffness.address, begin, end)
    evaluation += looking
    for first, last in joints.groups:
        evaluation += (joints.records[first].item.kernel.address, first, last)
    acting: Program = []
    tangents: Program = []
    commits: Program = []
    for first, last in forces.groups:
        kind = forces.records[first].item.kind
        acting += (kind.kernel.address, first, last)
        if kind.tangent is not None:
            tangents += (kind.tangent.address, first, last)
        if kind.commit is not None:
            commits += (kind.commit.address, first, last)
    watching = [x for first, last in watches.groups for x in (watches.records[first].item.watch.kernel.address, first, last)]
    return [evaluation, acting, tangents, stiffness, retraction, watching, commits]


_NO_CARRIERS = Rows(CARRIERS)


def _carriers(bodies: Rows, joints: Rows, closings: tuple[Closing, ...]) -> Rows:
    """For each joint being closed in which points meet, elements of the body a that carries one of them: that point, and the directions
    it moves in; see :mod:`bielle.kernels.closing`."""
    records = []
    for c in closings:
        row = joints.index[c.joint]
        if not joints.records[row].item.meeting:
            continue
        first = int(joints.starts("ne")[row])
        body = int(joints.column("elem_body")[first])
        kind = bodies.records[body].item.kind
        point = joints.column("elem_p")[4 * first : 4 * first + 4]
        directions = [x for axis in np.eye(3)[: kind.dim] for x in kind.element(False, axis)]
        n = 1 + kind.dim
        values = {"elem_body": [body] * n, "elem_point": [1] + [0] * kind.dim, "elem_p": point.tolist() + directions}
        records.append(Record("", c.joint, None, (n,), values))
    return Rows(CARRIERS, records) if records else _NO_CARRIERS


def _fill_closings(structure: Fields, joints: Rows, closings: tuple[Closing, ...], carriers: Rows) -> None:
    """A row per equation that is still open; see :mod:`bielle.kernels.closing`."""
    equations, work, numbers = [], [], []
    first_carrier = len(structure["elem_body"]) - carriers.total("ne")
    carrier = {name: first_carrier + int(carriers.starts("ne")[i]) for name, i in carriers.index.items()}
    for i, c in enumerate(closings):
        row = joints.index[c.joint]
        first = int(joints.starts("nc")[row])
        n_meeting = carriers.records[carriers.index[c.joint]].sizes[0] - 1 if c.joint in carrier else 0
        is_point = joints.records[row].values["elem_point"]
        met = int(joints.starts("ne")[row]) + (is_point.index(1, 1) if n_meeting else 0)
        for k, (gap, rate) in enumerate(zip(c.gap, c.rate)):
            equations += [first + k, row, int(k in c.silent), carrier[c.joint] if k < n_meeting else -1, met]
            work.append(slots.WORKS + i)
            numbers += [c.start, c.duration, c.stopping, gap, rate]
    structure["ramp_c"][:], structure["ramp_w"][:], structure["ramp_p"][:] = equations, work, numbers
