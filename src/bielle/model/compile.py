"""Compile: a Mechanism becomes tables, a Model; its described positions and velocities become a State.

There is one path: compiling is editing the empty model. Rows of one kind are contiguous (bodies by coordinate kind, joints and forces
by kind, in the order they were added), so that a program is one row per kind present.
"""

from __future__ import annotations

import itertools
from collections.abc import Container, Mapping
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..bodies.kind import BodyKind
from ..calls import explained
from ..errors import DescriptionError
from ..mechanism.vectors import shown
from . import records
from .layout import Closing, lay_out, with_numbers
from .model import Model, stand_on
from .places import BODIES, FORCES, JOINTS, WATCHES
from .rows import Cut, Record, Rows
from .state import State
from .versions import new_version
from .watches import Watch

if TYPE_CHECKING:
    from ..mechanism.mechanism import Mechanism

__all__ = ["Change", "compile_mechanism", "edit_model", "empty_model"]


class Change(NamedTuple):
    """What an edit did to the rows of a model."""

    bodies: list[Cut]
    joints: list[Cut]
    forces: list[Cut]


@explained
def compile_mechanism(m: Mechanism, watches: Mapping[str, Watch] | None = None) -> tuple[Model, State]:
    """Tables and described state of a mechanism; ``watches``: quantities to be watched, by name."""
    if not hasattr(m, "bodies"):
        remedy = f"Load it first: bielle.load({m!r:.80})." if isinstance(m, str) else "Make one: bielle.Mechanism()."
        raise DescriptionError(f"Expected a mechanism, got {shown(m)}. {remedy}")
    model, _ = edit_model(empty_model(m), m, [*m.bodies, *m.joints, *m.forces], watches=watches)
    kinds = [(r.name, r.item.kind) for r in model.body_rows.records]
    q = np.concatenate([kind.coordinates(m.pose(name)) for name, kind in kinds])
    v = np.concatenate([kind.velocities(m.pose(name), m.twist(name)) for name, kind in kinds])
    return model, State.at(model, q=q, v=v)


def empty_model(m: Mechanism) -> Model:
    """Nothing but the ground."""
    bodies = Rows(BODIES, [records.ground_record()])
    joints, forces, watches = Rows(JOINTS), Rows(FORCES), Rows(WATCHES)
    layout = lay_out(m.dim, bodies, joints, forces, watches)
    return Model(new_version(), m.dim, layout, bodies, joints, forces, watches, {}, {}, m.gravity)


def edit_model(
    model: Model,
    m: Mechanism,
    touched: list[str],
    closings: tuple[Closing, ...] = (),
    watches: Mapping[str, Watch] | None = None,
    renewed: Container[str] = (),
) -> tuple[Model, Change]:
    """The model brought up to date with a mechanism in which the components named were added, removed or changed.

    New ones are named in the order of the mechanism. Joints and forces that hold on to a body whose coordinates changed must be among
    them. A component ``renewed`` went, and what has its name now is another: it takes over nothing, and stands behind the others.
    ``closings`` and ``watches`` are all those wanted from now on. A watch on a component that does not exist (any more) is an error.
    """
    watches = {} if watches is None else dict(watches)
    old_bodies, old_joints, old_forces, old_watches = model.body_rows, model.joint_rows, model.force_rows, model.watch_rows
    new_bodies = {name: records.body_record(m, m.bodies[name]) for name in touched if name in m.bodies}
    wanted = {name: new_bodies.get(name) for name in touched if name in new_bodies or name in old_bodies.index}
    body_cuts = _cuts(old_bodies, wanted, renewed)
    bodies = old_bodies.spliced(body_cuts)

    def kind_of(name: str) -> BodyKind:
        return bodies.records[bodies.index[name]].item.kind

    joint_cuts = _joint_cuts(model, m, touched, new_bodies, renewed, kind_of)
    force_touched = [name for name in touched if name in m.forces or name in old_forces.index]
    new_forces = {name: records.force_record(m, m.forces[name], kind_of) if name in m.forces else None for name in force_touched}
    force_cuts = _cuts(old_forces, new_forces, renewed)
    if body_cuts:
        places = old_bodies.new_places(body_cuts)
        old_joints, old_forces, old_watches = (_renumbered(rows, places) for rows in (old_joints, old_forces, old_watches))
    for cut in itertools.chain(joint_cuts, force_cuts):
        for record in cut.records:
            stand_on(record, bodies.index)
    joints, forces = old_joints.spliced(joint_cuts), old_forces.spliced(force_cuts)
    watching = _watch_rows(old_watches, m, watches, touched, kind_of, bodies.index)

    same_pattern = bodies.same_shape(model.body_rows) and joints.same_shape(old_joints) and _same(joints, old_joints, "block_body")
    same_forces = forces.same_shape(old_forces) and _same(forces, old_forces, "elem_body")
    same_watches = watching.same_shape(old_watches) and _same(watching, old_watches, "elem_body")
    if same_pattern and same_forces and same_watches and closings == model.closings:
        layout = with_numbers(model.layout, bodies, joints, forces, watching, closings)
        own_bytes = layout.parameters.block.nbytes
    else:
        layout = lay_out(m.dim, bodies, joints, forces, watching, closings)
        own_bytes = layout.structure.block.nbytes + layout.parameters.block.nbytes
    matrices = {}
    if same_pattern:  # of bodies and joints; the matrix of implicit schemes knows the forces as well
        matrices = model._matrices if same_forces else {k: matrix for k, matrix in model._matrices.items() if not k}
    tables, names = (bodies, joints, forces, watching), (dict.fromkeys(m.joints), dict.fromkeys(m.forces))
    before = (model.body_rows, model.joint_rows, model.force_rows, model.watch_rows)
    own_bytes += sum(table.block.nbytes for table, old in zip(tables, before) if table is not old)
    new = Model(new_version(), m.dim, layout, *tables, *names, m.gravity, closings, watches, matrices, own_bytes)
    return new, Change(body_cuts, joint_cuts, force_cuts)


def _joint_cuts(
    model: Model, m: Mechanism, touched: list[str], new_bodies: dict[str, Record], renewed: Container[str], kind_of
) -> list[Cut]:
    """Cuts of the joints, with the internal equations of the bodies that come, go or change."""
    old = model.joint_rows
    index = {name: i for name in touched if (i := old.index.get(name)) is not None and not old.records[i].item.internal}
    wanted = {
        name: records.joint_record(m, m.joints[name], kind_of) if name in m.joints else None
        for name in touched
        if name in m.joints or name in index
    }
    cuts = _cuts(old, wanted, renewed, index)
    added: dict[int, list[Record]] = {}
    for name in touched:
        body = new_bodies.get(name)
        made = records.internal_records(name, body.item.kind) if body is not None else []
        if name in model.body_rows.index:
            old_kind = model.body_rows.records[model.body_rows.index[name]].item.kind
            places = [_find(old, f"~{old_kind.name}{i}", name) for i in range(len(old_kind.internal()))]
            if body is not None and body.item.kind.name == old_kind.name and name not in renewed:
                cuts += [Cut(place, place + 1, [record]) for place, record in zip(places, made)]
                continue
            cuts += [Cut(place, place + 1, []) for place in places]
        for record in made:
            added.setdefault(old.place(record.key), []).append(record)
    cuts += [Cut(place, place, new) for place, new in added.items()]
    return _merged(cuts)


def _find(rows: Rows, key: str, name: str) -> int:
    """The row with that key and name."""
    for first, last in rows.groups:
        if rows.records[first].key == key:
            return next(i for i in range(first, last) if rows.records[i].name == name)
    raise KeyError((key, name))


def _watch_rows(rows: Rows, m: Mechanism, wanted: dict[str, Watch], touched: list[str], kind_of, body_index: dict[str, int]) -> Rows:
    """The watches wanted; a row is kept if neither the watch nor a component it names was touched, the table if all its rows are."""
    changed = set(touched)
    new: list[Record] = []
    for name, watch in wanted.items():
        record = rows.records[rows.index[name]] if name in rows.index else None
        if record is None or record.item.watch != watch or not changed.isdisjoint((*record.item.bodies, *record.item.subject)):
            record = records.watch_record(m, name, watch, kind_of)
        new.append(record)
    new.sort(key=lambda record: record.key)  # stable: of one key in the order wanted
    if len(new) == len(rows) and all(a is b for a, b in zip(new, rows.records)):
        return rows
    for record in new:  # kept ones may stand on bodies that have moved in their table
        stand_on(record, body_index)
    return Rows(WATCHES, new)


def _cuts(rows: Rows, wanted: dict[str, Record | None], renewed: Container[str], index: dict[str, int] | None = None) -> list[Cut]:
    """Cuts that bring the named rows to what is wanted (None: nothing): in place if the kind is the same, or at the end of theirs."""
    index = rows.index if index is None else index
    cuts: list[Cut] = []
    added: dict[int, list[Record]] = {}
    for name, record in wanted.items():
        old = index.get(name)
        if old is not None and record is not None and rows.records[old].key == record.key and name not in renewed:
            cuts.append(Cut(old, old + 1, [record]))
            continue
        if old is not None:
            cuts.append(Cut(old, old + 1, []))
        if record is not None:
            added.setdefault(rows.place(record.key), []).append(record)
    cuts += [Cut(place, place, new) for place, new in added.items()]
    return _merged(cuts)


def _merged(cuts: list[Cut]) -> list[Cut]:
    """In order; insertions at one place together, by key, before what is cut there."""
    out: list[Cut] = []
    for cut in sorted(cuts, key=lambda c: (c.first, c.last)):
        if out and out[-1][:2] == cut[:2] and cut.first == cut.last:
            out[-1].records.extend(cut.records)
        else:
            out.append(cut)
    for cut in out:
        cut.records.sort(key=lambda record: record.key)  # stable: of one key in the order they were added
    return out


def _renumbered(rows: Rows, places: np.ndarray) -> Rows:
    """Rows whose bodies have moved in the table of bodies."""
    return rows.with_columns({name: places[rows.column(name)] for name in ("elem_body", "block_body") if name in rows.shape.columns})


def _same(a: Rows, b: Rows, column: str) -> bool:
    return a is b or np.array_equal(a.column(column), b.column(column))
