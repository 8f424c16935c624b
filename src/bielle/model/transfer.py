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
from .layout import Closing
from .model import Model
from .rows import Cut, Rows
from .state import State

__all__ = ["body_motion", "motion_of", "transfer", "twist_of"]

Motion = tuple[np.ndarray, np.ndarray]  #: coordinates and velocities of a body


def transfer(state: State, old: Model, new: Model, change: Change, motions: dict[str, Motion]) -> State:
    """The state of the new model; ``motions`` gives (q, v) of the bodies whose rows are new or changed."""
    v_new = {name: v for name, (_, v) in motions.items()}
    still = np.zeros(new.nv)
    return State(
        version=new.version,
        time=state.time,
        q=_spliced(state.q, old.body_rows, "nq", change.bodies, {name: q for name, (q, _) in motions.items()}),
        v=_spliced(state.v, old.body_rows, "nv", change.bodies, v_new),
        work=_works(state.work, old.closings, new.closings),
        lam=_spliced(state.lam, old.joint_rows, "nc", change.joints, {}),
        memory=_spliced(state.memory, old.force_rows, "nmem", change.forces, {}),
        acc=still,  # to be found again, with mu: they depend on everything
        a0=still.copy(),
        mu=np.zeros(new.nc),
        step=state.step,
    )


def _works(work: np.ndarray, old: tuple[Closing, ...], new: tuple[Closing, ...]) -> np.ndarray:
    """Those there always are, and those of joints being closed, which they keep as long as they are."""
    if old == new:
        return work.copy()
    by_joint = dict(zip((c.joint for c in old), work[WORKS:]))
    return np.concatenate([work[:WORKS], [by_joint.get(c.joint, 0.0) for c in new]])


def _spliced(values: np.ndarray, rows: Rows, count: str, cuts: list[Cut], given: dict[str, np.ndarray]) -> np.ndarray:
    """Values (Σ count,) of old rows for the new rows: given, or those the row had where it is replaced in place, or zero."""
    if not cuts:
        return values.copy()
    starts, column = rows.starts(count), rows.shape.count_index[count]
    pieces, end = [], 0
    for cut in cuts:
        first, last = int(starts[cut.first]), int(starts[cut.last])
        pieces.append(values[end:first])
        replaced = len(cut.records) == 1 and cut.last - cut.first == 1
        for record in cut.records:
            size = record.sizes[column]
            if record.name in given:
                pieces.append(given[record.name])
            else:
                pieces.append(values[first:last] if replaced and last - first == size else np.zeros(size))
        end = last
    pieces.append(values[end:])
    return np.concatenate(pieces)


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
