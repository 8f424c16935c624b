"""State transfer: the state of a model carried over to its edited version, component by component.

What a component integrated, remembered or found goes with it wherever its rows go; nothing is matched by position. Rows that are new
start from what the edit says (bodies) or from nothing (multipliers, memory). See the roles in :mod:`bielle.kernels.slots`.
"""

from __future__ import annotations

import numpy as np

from ..bodies.kind import BodyKind
from ..kernels.slots import WORKS
from ..mechanism.description import Pose, Twist
from .compile import Change
from .model import Model
from .rows import Cut, Rows
from .state import State

__all__ = ["body_motion", "motion_of", "recalled", "transfer", "twist_of"]

Motion = tuple[np.ndarray, np.ndarray]  #: coordinates and velocities of a body


def transfer(state: State, old: Model, new: Model, change: Change, motions: dict[str, Motion]) -> State:
    """The state of the new model; ``motions`` gives (q, v) of the bodies whose rows are new or changed."""
    after = State.at(new, state.time)  # accelerations and regularisation are to be found again: they depend on everything
    after.step = state.step
    _splice(state.q, old.body_rows, "nq", change.bodies, {name: q for name, (q, _) in motions.items()}, after.q)
    _splice(state.v, old.body_rows, "nv", change.bodies, {name: v for name, (_, v) in motions.items()}, after.v)
    _splice(state.lam, old.joint_rows, "nc", change.joints, {}, after.lam)
    _splice(state.merged, old.joint_rows, "nc", change.joints, {}, after.merged)
    _splice(state.memory, old.force_rows, "nmem", change.forces, _forgotten(old.force_rows, change.forces), after.memory)
    work = dict(zip((c.joint for c in old.closings), state.work[WORKS:]))
    after.work[:WORKS] = state.work[:WORKS]
    for i, closing in enumerate(new.closings, start=WORKS):
        after.work[i] = work.get(closing.joint, 0.0)
    return after


def _forgotten(rows: Rows, cuts: list[Cut]) -> dict[str, np.ndarray]:
    """Forces that are replaced in place, but remember nothing of what was there."""
    replaced = [(rows.records[cut.first], cut.records[0]) for cut in cuts if len(cut.records) == 1 and cut.last - cut.first == 1]
    return {after.name: np.zeros(after.item.kind.memory) for before, after in replaced if not after.item.kind.keeps(before.item.kind)}


def _splice(old: np.ndarray, rows: Rows, count: str, cuts: list[Cut], given: dict[str, np.ndarray], out: np.ndarray) -> None:
    """Values (Σ count,) of old rows for the new rows: given, or those the row had where it is replaced in place, or zero."""
    if not cuts:
        out[:] = old
        return
    starts, column = rows.starts(count), rows.shape.count_index[count]
    end = place = 0  # in the old values, and in the new ones
    for cut in cuts:
        first, last = int(starts[cut.first]), int(starts[cut.last])
        out[place : place + first - end] = old[end:first]
        place += first - end
        replaced = len(cut.records) == 1 and cut.last - cut.first == 1
        for record in cut.records:
            size = record.sizes[column]
            if record.name in given:
                out[place : place + size] = given[record.name]
            elif replaced and last - first == size:
                out[place : place + size] = old[first:last]
            place += size
        end = last
    out[place:] = old[end:]


def body_motion(old: BodyKind, new: BodyKind, q: np.ndarray, v: np.ndarray) -> Motion:
    """Coordinates and velocities, in the terms of a new kind or of new mass properties, of the motion that the body frame has.

    Where nothing depends on what has changed the numbers are kept as they are, to the last digit.
    """
    same_centre = np.array_equal(old.properties.centre, new.properties.centre)
    same_reference = all(np.array_equal(a, b) for a, b in zip(old.reference, new.reference))
    if type(old) is type(new) and same_centre and same_reference:
        return q, v
    pose, twist = Pose(*old.pose(q)), twist_of(old, q, v)
    return new.coordinates(pose), new.velocities(pose, twist)


def twist_of(kind: BodyKind, q: np.ndarray, v: np.ndarray) -> Twist:
    """Velocity of the body frame, in world axes: v depends linearly on it."""
    pose = Pose(*kind.pose(q))
    columns = [kind.velocities(pose, Twist(u, np.zeros(3))) for u in np.eye(3)]
    columns += [kind.velocities(pose, Twist(np.zeros(3), u)) for u in np.eye(3)]
    solution = np.linalg.lstsq(np.column_stack(columns), v, rcond=None)[0]
    return Twist(solution[:3], solution[3:])


def motion_of(model: Model, state: State, name: str) -> tuple[Pose, Twist]:
    """Where a body is and how it moves."""
    row = model.bodies[name]
    q, v = state.q[row.q], state.v[row.v]
    return Pose(*row.kind.pose(q)), twist_of(row.kind, q, v)


def recalled(model: Model, memory: np.ndarray) -> np.ndarray:
    """What forces remember (…, numbers), from a file of an earlier release in which they remembered less; what they did not is zero.

    Numbers that are not those of an earlier release either are returned as they are.
    """
    kinds = [record.item.kind for record in model.force_rows.records]
    known = [kind.memory if kind.memory_before is None else kind.memory_before for kind in kinds]
    if memory.ndim == 0 or memory.shape[-1] == model.length("memory") or memory.shape[-1] != sum(known):
        return memory
    out, place = np.zeros((*memory.shape[:-1], model.length("memory"))), 0
    for start, count in zip(model.arrays["force_m"], known):
        out[..., start : start + count] = memory[..., place : place + count]
        place += count
    return out
