"""Commit: what a draft asks for, done to model and state as a whole, or refused before anything has changed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from ..errors import AssemblyError, JoiningError
from ..formulations.accelerations import strike
from ..mechanism.description import Joint
from ..mechanism.mechanism import Mechanism
from ..mechanism.vectors import lifted
from ..model import Model, State, edit_model
from ..model.layout import Closing
from ..model.probe import probe
from ..model.transfer import Motion, body_motion, motion_of, transfer
from ..solvers.leftover import largest_leftover
from ..solvers.positions import close_positions, turned_over
from ..solvers.run import Run, Solver
from ..solvers.workspace import Workspace
from .draft import Draft, moved
from .events import alive
from .joining import Joined, dependent_equations, fit
from .operations import Move, Put, Strike

__all__ = ["Committed", "commit"]

HEAVY = 1e30  # mass factor of a body that is held while the others are assembled around it


@dataclass(frozen=True)
class Committed:
    """The new model and its state, and how its new joints were fitted."""

    model: Model
    state: State
    joined: list[Joined]
    run: Run | None = None  #: ready to go on, if fitting the joints needed one already


def commit(model: Model, state: State, draft: Draft, solver: Solver) -> Committed:
    """Model and state after the draft; raises without having changed anything if it cannot be."""
    m = draft.mechanism
    touched = _in_order(m, draft.touched)
    joints = _to_fit(draft)
    gone = draft.dropped | set(joints)
    closings = tuple(c for c in model.closings if c.joint not in gone)  # joints that are only expressed anew go on closing
    watches = {name: watch for name, watch in model.watches.items() if alive(watch, m)}
    new, change = edit_model(model, m, touched, closings, watches, draft.dropped)
    motions = {name: _motion(model, state, draft, new, name) for name in touched if name in m.bodies}
    after = transfer(state, model, new, change, motions)
    moves = [op for op in draft.operations if isinstance(op, Move)]
    if moves:
        after = _moved(new, after, draft, moves)
    joined: list[Joined] = []
    run = None
    if joints:
        run = solver.start(new, after)
        fitted, opened, joined = fit(run.workspace, after, list(joints.values()), solver.slack)
        if fitted is not after or opened:
            after, run = fitted, None
        if opened:
            new, after = _with_closings(new, m, after, closings + opened)
    waiting = [c.joint for c in closings if c.silent]
    if waiting and not gone.isdisjoint(model.joints):
        kept = new
        new, after = _reconsidered(new, m, after, waiting, _waiting_equations(model, m, state, waiting), solver.slack)
        run = run if new is kept else None
    for blow in (op for op in draft.operations if isinstance(op, Strike)):
        after, run = _struck(new, after, blow), None
    return Committed(new, after, joined, run)


def _in_order(m: Mechanism, touched: Iterable[str]) -> list[str]:
    """The names in the order of the mechanism's tables, which is that of new rows; what is not in them first."""
    names = list(touched)
    if len(names) > 1:
        order = {name: i for i, name in enumerate((*m.bodies, *m.joints, *m.forces))}
        names.sort(key=lambda name: order.get(name, -1))
    return names


def _to_fit(draft: Draft) -> dict[str, Put]:
    """Joints that may not fit as they are now, and how they shall."""
    joints = draft.mechanism.joints
    put = {op.name: op for op in draft.operations if isinstance(op, Put) and isinstance(op.component, Joint) and op.name in joints}
    return put | {name: Put(joints[name]) for name in sorted((draft.shifted & joints.keys()) - put.keys())}


def _motion(model: Model, state: State, draft: Draft, new: Model, name: str) -> Motion:
    """Coordinates and velocities of a body whose row is new or changed."""
    kind = new.bodies[name].kind
    if name in model.bodies and name not in draft.dropped:
        row = model.bodies[name]
        return body_motion(row.kind, kind, state.q[row.q], state.v[row.v])
    pose, twist = draft.motion(name)
    return kind.coordinates(pose), kind.velocities(pose, twist)


def _with_closings(model: Model, m: Mechanism, state: State, closings: tuple[Closing, ...]) -> tuple[Model, State]:
    new, change = edit_model(model, m, [], closings, model.watches)
    return new, transfer(state, model, new, change, {})


def _waiting_equations(model: Model, m: Mechanism, state: State, waiting: list[str]) -> int:
    """How many equations of these joints follow from those of others, as things stand."""
    bare, change = edit_model(model, m, [], tuple(c for c in model.closings if c.joint not in waiting))
    return dependent_equations(bare, transfer(state, model, bare, change, {}), waiting)


def _reconsidered(
    model: Model, m: Mechanism, state: State, waiting: list[str], before: int, slack: tuple[float, float]
) -> tuple[Model, State]:
    """After a joint has gone: joints of which equations wait for others, fitted anew if fewer follow from others than before it went."""
    others = tuple(c for c in model.closings if c.joint not in waiting)
    bare, at_rest = _with_closings(model, m, state, others)
    try:
        if dependent_equations(bare, at_rest, waiting) >= before:
            return model, state
        _, opened, _ = fit(Workspace(bare, at_rest), at_rest, [Put(m.joints[name]) for name in waiting], slack)
    except JoiningError:
        return model, state  # the edit is none the worse for it; the solver says what is wrong, if anything is
    return _with_closings(model, m, state, others + opened)


def _moved(model: Model, state: State, draft: Draft, moves: list[Move]) -> State:
    """Bodies put elsewhere, and the bodies that hang on them along with them."""
    out = state.copy()
    for move in moves:
        row = model.bodies[move.name]
        pose, twist = moved(motion_of(model, out, move.name), move)
        out.q[row.q], out.v[row.v] = row.kind.coordinates(pose), row.kind.velocities(pose, twist)
    w = Workspace(model, out)
    w.evaluate()
    size = max(float(np.ptp(w.x)) if len(w.x) else 1.0, 1e-3)
    speed = 1.0 + float(np.abs(out.v).max(initial=0.0))
    new_joints = {op.name for op in draft.operations if isinstance(op, Put)}
    held = np.ones(model.nc, dtype=bool)
    for name in new_joints & set(model.joints):  # these are fitted afterwards
        held[model.joints[name].equations] = False
    gap = float(np.abs(w.phi[: model.nc][held]).max(initial=0.0))
    rate = float(np.abs(w.phi_dot[: model.nc][held]).max(initial=0.0))
    if gap <= 1e-12 * size and rate <= 1e-12 * speed:
        _check_way_round(w, moves, new_joints)
        return out
    mass = w.mass.copy()
    for move in moves:
        row = model.bodies[move.name]
        start = int(w.body_m[row.index])
        mass[start : start + row.kind.nv**2] *= HEAVY
    w.bind("mass", mass)
    w.regularise()
    w.mu[: model.nc][~held] = HEAVY
    left = close_positions(w, 1e-12 * size) if gap > 1e-12 * size else gap
    w.delta[:] = 0.0
    for _ in range(2):
        strike(w.address, 1, 0)
    w.evaluate()
    position = float(np.abs(w.phi[: model.nc][held]).max(initial=0.0))
    velocity = float(np.abs(w.phi_dot[: model.nc][held]).max(initial=0.0))
    if position > 1e-9 * size or velocity > 1e-7 * speed or not np.isfinite(left):
        names, old = ", ".join(f"'{move.name}'" for move in moves), [name for name in model.joints if name not in new_joints]
        far, fast = (largest_leftover(w, old, rate=rate) for rate in (False, True))
        raise AssemblyError(
            f"teleport {names}: its joints cannot follow: no position of the other bodies satisfies them ({far} left over, "
            f"velocities {fast}). Move less far, or free the body first."
        )
    _check_way_round(w, moves, new_joints)
    out.q, out.v = w.q, w.v
    for move in moves:
        _check_moved(model, draft, move, state, out, size)
    return out


def _check_moved(model: Model, draft: Draft, move: Move, before: State, after: State, size: float) -> None:
    """Refuse a move that joints have taken back."""
    was, asked, found = (
        pose for pose, _ in (motion_of(model, before, move.name), draft.motion(move.name), motion_of(model, after, move.name))
    )
    far, got = (np.linalg.norm(p.position - was.position) + size * np.linalg.norm(p.rotation - was.rotation) for p in (asked, found))
    if far > 1e-9 * size and got <= 1e-6 * far:
        m = draft.mechanism
        joints = ", ".join(f"'{j.name}'" for j in m.joints.values() if move.name in (m._owner(j.a), m._owner(j.b)))
        raise AssemblyError(
            f"teleport '{move.name}': its joints ({joints}) hold it where it is, and nothing would move. "
            f"Give a place that they allow, or free the body first (free('{move.name}'))."
        )


def _check_way_round(w: Workspace, moves: list[Move], new_joints: set[str]) -> None:
    """Refuse positions in which joints that were there before have their axes opposite."""
    over = turned_over(w, sorted(set(w.model.joint_rows.index) - new_joints))
    if over:
        raise AssemblyError(
            f"teleport {', '.join(repr(move.name) for move in moves)}: joint '{over[0]}' would be the wrong way round, its axes on the two "
            "bodies opposite. Give an orientation less than a quarter turn from one that the joint allows, or free the body first."
        )


def _struck(model: Model, state: State, blow: Strike) -> State:
    """Velocities after an impulse on a body, passed on by the joints."""
    w = Workspace(model, state)
    row, dim = model.bodies[blow.name], model.dim
    directions = np.eye(3)[:dim]
    elements = [(True, lifted(blow.at)), *((False, d) for d in directions)]
    own = probe(row, dim, elements)
    p = Workspace(own)
    p.q[: own.nq], p.v[: own.nv] = state.q[row.q], state.v[row.v]
    p.evaluate()
    nv = row.kind.nv
    J = p.x_jac[: dim * nv * (1 + dim)].reshape(1 + dim, dim, nv)
    impulse = np.array(blow.impulse) @ J[0]
    if blow.moment is not None:
        turning = np.array([0.0, 0.0, blow.moment]) if isinstance(blow.moment, float) else np.array(blow.moment)
        for k in range(dim):  # an angular impulse τ is ½ τ × d on each of the orthonormal directions d
            d = lifted(p.x[dim * (1 + k) : dim * (2 + k)])
            impulse = impulse + (0.5 * np.cross(turning, d))[:dim] @ J[1 + k]
    w.delta[:] = 0.0
    w.delta[row.v] = impulse
    strike(w.address, 0, 0)
    out = state.copy()
    out.v = w.v
    return out
