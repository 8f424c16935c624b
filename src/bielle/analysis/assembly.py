"""Initial assembly: consistent positions and velocities near the described ones."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import AssemblyError, AssemblyWarning, ConflictError, DescriptionError, unknown, warn
from ..joints.kind import JointKind
from ..kernels import blocksparse
from ..mechanism.description import GROUND, Pose, Twist
from ..mechanism.shapes import Explicit
from ..mechanism.vectors import lifted
from ..model import Model, State
from ..model.transfer import motion_of
from ..solvers.leftover import leftover, leftover_rate
from ..solvers.positions import close_positions, correction, largest_gap, turned_over
from ..solvers.workspace import Workspace
from ..topology.graph import connected_groups

if TYPE_CHECKING:
    from ..mechanism.mechanism import Mechanism

__all__ = ["Assembly", "assemble", "assemble_and_tell", "held"]

TOLERANCE = 1e-12  # of a residual, relative to the size of the mechanism
_GIVEN = 1e6  # of the heaviest body, what a velocity weighs that was given, so that others yield to it
_MOST_PASSES = 60  # of fitting velocities
NOTICEABLE = 1e-3  # of the fastest start that was given among bodies that hang together: joints may change one so much without a word
_POINT = 1e-6  # [m] what is smaller has no size
_HELD = 1e30  # mass factor of a held body: its share of any correction is far below rounding


@dataclass
class Assembly:
    """A consistent state and how far it is from the described one."""

    state: State
    moved: float  #: largest change of a coordinate
    gap: float  #: largest residual before
    residual: float  #: largest residual after
    dropped: tuple[str, ...] = ()  #: start velocities that the joints do not allow, in words: body, given, left


def assemble(mechanism: Mechanism, model: Model, state: State, hold: tuple[str, ...] = ()) -> Assembly:
    """Gauss–Newton in the metric of the mass, with step halving; bodies named in ``hold`` stay where they are described.

    Among all consistent positions it finds one near the described ones: what little must move moves least where it is heavy.
    Raises AssemblyError, naming the joints that cannot be closed, if there is none; ConflictError if imposed motions are to blame.
    """
    for name in hold:
        if name not in model.bodies:
            raise unknown("body", name, model.bodies)
    _check_placed(mechanism)
    w = Workspace(model, state)
    if model.nc == 0:
        return Assembly(w.state(), 0.0, 0.0, 0.0)
    mass = w.mass.copy()
    for name in hold:
        row = model.bodies[name]
        start = int(w.body_m[row.index])
        mass[start : start + row.kind.nv**2] *= _HELD
    w.bind("mass", mass)
    w.regularise()
    before = w.q[: model.nq].copy()
    gap = largest_gap(w)
    size = _size(mechanism, w)
    residual = close_positions(w, TOLERANCE * size)
    if residual > 1e-9 * size:
        raise _explain(mechanism, model, w, w.phi, residual, size, "positions")
    over = turned_over(w, mechanism.joints)
    if over:
        raise AssemblyError(
            f"The mechanism cannot be assembled: joint '{over[0]}' would be the wrong way round, its axes on the two bodies opposite. "
            "Describe the bodies so that they are less than a quarter turn apart (position and orientation, or axes_a and axes_b)."
        )
    # first let what was not given yield to what was; what is then left over is closed in the metric of the mass
    described = w.v[: model.nv].copy()
    yielding = _yielding_parts(mechanism, w)
    for alike in (True, False):  # where joints do not allow what was given, masses decide what is left of it
        w.v[: model.nv] = described
        metric = _let_yield(w, mass, yielding, alike)
        for _ in range(2):  # each time the given velocities are left with a millionth of the gap
            for name, P in yielding.items():
                v = model.bodies[name].v
                w.v[v] = described[v] + P @ (w.v[v] - described[v])
            _close_velocities(w, metric)
        off = max((float(np.abs(v - P @ v).max()) for v, P in _changes(w, described, yielding)), default=0.0)
        if off <= NOTICEABLE * float(np.abs(described).max(initial=0.0)):
            break
    _close_velocities(w, mass)
    w.evaluate()
    worst = float(np.abs(w.phi_dot[: model.nc]).max())
    speed = 1.0 + float(np.abs(w.phi_t[: model.nc]).max()) + float(np.abs(w.v[: model.nv]).max(initial=0.0))
    if worst > 1e-8 * speed:
        raise _explain(mechanism, model, w, w.phi_dot, worst, speed, "velocities")
    w.mu[: model.nc] = 0.0  # for whoever goes on to scale
    found = w.state()
    return Assembly(found, float(np.abs(w.q[: model.nq] - before).max(initial=0.0)), gap, residual, _dropped(mechanism, model, found))


def assemble_and_tell(mechanism: Mechanism, model: Model, state: State, hold: tuple[str, ...] = ()) -> Assembly:
    """The same, with a warning if joints take away a noticeable part of a velocity that was given."""
    found = assemble(mechanism, model, state, hold)
    if found.dropped:
        warn(
            f"The joints do not allow how the mechanism starts: {'; '.join(found.dropped[:4])}{'; …' if len(found.dropped) > 4 else ''}. "
            "Give one that they allow, or leave it out.",
            AssemblyWarning,
        )
    return found


def _dropped(mechanism: Mechanism, model: Model, state: State) -> tuple[str, ...]:
    """Bodies whose given velocity or angular velocity is not what it was meant to be."""
    pairs = [pair for joint in mechanism.joints.values() for pair in pairwise({m.body for m in mechanism.markers(joint)} - {GROUND})]
    groups = {name: group for group in connected_groups(mechanism.bodies, pairs) for name in group}
    out = []
    for what, unit in (("velocity", "m/s"), ("angular_velocity", "rad/s")):
        given = {name: getattr(body, what) for name, body in mechanism.bodies.items() if getattr(body, what) is not None}
        wanted = {name: np.array([0.0, 0.0, v]) if np.ndim(v) == 0 else lifted(v) for name, v in given.items()}
        for name, v in wanted.items():
            fastest = max(float(np.linalg.norm(wanted[other])) for other in groups[name] if other in wanted)
            twist = motion_of(model, state, name)[1]
            left = twist.linear if what == "velocity" else twist.angular
            if np.linalg.norm(left - v) > NOTICEABLE * fastest + 1e-9:
                was, remains = (_numbers(x, model.dim, given[name]) for x in (v, left))
                out.append(f"'{name}': {'' if what == 'velocity' else 'angular '}velocity {was} was given, {remains} {unit} is left")
    return tuple(out)


def _numbers(values: np.ndarray, dim: int, like: Any) -> str:
    shown = values[2:] if np.ndim(like) == 0 else values[:dim]
    text = ", ".join(f"{x + 0.0:.4g}" for x in np.where(np.abs(shown) < 1e-12, 0.0, shown))
    return text if len(shown) == 1 else f"({text})"


def held(mechanism: Mechanism, hold: Any) -> tuple[str, ...]:
    """Names of the bodies that are to stay where they are described, from one body or several, given by name or as they are."""
    given = (hold,) if isinstance(hold, str) or not isinstance(hold, Iterable) else tuple(hold)
    return tuple(mechanism._body_name(body, "hold") for body in given)


def _check_placed(mechanism: Mechanism) -> None:
    """Refuse joints whose equations are not defined as the bodies are described."""
    for joint in mechanism.joints.values():
        if type(joint.kind).check_placed is not JointKind.check_placed:
            try:
                joint.kind.check_placed(*mechanism.markers(joint), dim=mechanism.dim)
            except DescriptionError as error:
                raise DescriptionError(f"joint '{joint.name}': {error}") from None


def _size(mechanism: Mechanism, w: Workspace) -> float:
    """A length of the order of the mechanism's extent, once it was evaluated: from the origin to what joints hold and to what bodies reach.

    How far a mass is spread, which an inertia tells, is no such length: a rotor behind a gear is heavy to turn and small. It counts if
    there is nothing else.
    """
    dim, joints = w.model.dim, w.model.joint_rows.records
    last = int(w.joint_e[len(joints)])
    held = w.x[: dim * last].reshape(last, dim)[w.model.arrays["elem_point"][:last] == 1]
    points, spread = [np.zeros(3), *(lifted(x) for x in held)], []
    for body in mechanism.bodies.values():
        shape, pose = body.shape, body.pose
        by_inertia = isinstance(shape, Explicit) and not shape.points
        (spread if by_inertia else points).extend(pose.point(p) for p in shape.reference_points())
        if by_inertia:
            points += [pose.position, pose.point(shape.mass_properties().centre)]
    size = float(np.ptp(np.array(points), axis=0).max())
    return size if size > _POINT else max(float(np.ptp(np.array([*points, *spread]), axis=0).max()), _POINT)


def _yielding_parts(mechanism: Mechanism, w: Workspace) -> dict[str, np.ndarray]:
    """Of each body, the projection P (nv, nv) of its velocities on the part that was not given, orthogonal in the metric of the mass.

    With T the velocities of the three (two) translations, P = T (TᵀMT)⁻¹ TᵀM takes the translation, and 1 − P the turning about the centre.
    """
    out, dim = {}, w.model.dim
    for name, body in mechanism.bodies.items():
        row = w.model.bodies[name]
        moving, turning = body.velocity is not None, body.angular_velocity is not None
        n, start = row.kind.nv, int(w.body_m[row.index])
        if moving == turning:
            out[name] = np.eye(n) * (not moving)
            continue
        M, pose = w.mass[start : start + n * n].reshape(n, n), Pose(*row.kind.pose(w.q[row.q]))
        T = np.stack([row.kind.velocities(pose, Twist(direction, np.zeros(3))) for direction in np.eye(3)[:dim]], axis=1)
        P = T @ np.linalg.solve(T.T @ M @ T, T.T @ M)
        out[name] = P if turning else np.eye(n) - P
    return out


def _changes(w: Workspace, described: np.ndarray, yielding: dict[str, np.ndarray]) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """By how much the velocities of each body are others than described, and its part that yields."""
    for name, P in yielding.items():
        v = w.model.bodies[name].v
        yield w.v[v] - described[v], P


def _let_yield(w: Workspace, mass: np.ndarray, yielding: dict[str, np.ndarray], alike: bool) -> np.ndarray:
    """A metric PᵀMP + c QᵀMQ, Q = 1 − P, in which the velocities of P yield to the others.

    ``alike``: however light their bodies are, c m is the same for all; otherwise c is.
    """
    mass = mass.copy()
    masses = {name: w.model.bodies[name].kind.properties.mass for name in yielding}
    heaviest = max(masses.values(), default=0.0)
    for name, P in yielding.items():
        row = w.model.bodies[name]
        n, start = row.kind.nv, int(w.body_m[row.index])
        M, Q = mass[start : start + n * n].reshape(n, n), np.eye(n) - P
        weight = _GIVEN * (heaviest / masses[name] if alike and masses[name] > 0.0 else 1.0)
        mass[start : start + n * n] = (P.T @ M @ P + weight * Q.T @ M @ Q).ravel()
    return mass


def _close_velocities(w: Workspace, metric: np.ndarray) -> None:
    m = w.model
    w.bind("mass", metric)
    w.regularise()
    w.evaluate()
    blocksparse.factor(w.address)
    before = np.inf
    for _ in range(_MOST_PASSES):  # three, unless masses differ by many decades
        rates = w.phi_dot[: m.nc].copy()
        worst = float(np.abs(rates).max(initial=0.0))
        if not 0.0 < worst < 0.5 * before:
            return
        before = worst
        w.v[: m.nv] += correction(w, rates)
        w.evaluate()


def _explain(mechanism: Mechanism, model: Model, w: Workspace, residual: np.ndarray, worst: float, size: float, what: str) -> AssemblyError:
    """The error that names the joints which cannot be satisfied together."""
    gaps = {name: float(np.abs(residual[row.equations]).max()) for name, row in model.joints.items()}
    guilty = sorted((n for n, g in gaps.items() if g > 0.05 * worst), key=lambda n: -float(f"{gaps[n]:.3g}"))  # equal ones as described
    told = leftover if what == "positions" else leftover_rate
    amounts = ", ".join(f"'{n}' ({told(w, model.joints[n])})" for n in guilty[:6])
    listed = amounts + (f", … and {len(guilty) - 6} more" if len(guilty) > 6 else "")
    imposed = [n for n in guilty if mechanism.joints[n].kind.signals(model.dim)]
    if imposed:
        return ConflictError(
            f"The imposed motion of {', '.join(repr(n) for n in imposed)} contradicts the other joints: no {what} near the described ones "
            f"satisfy all of them. Left over: {listed}. Remove one of these joints or motions, or make their functions agree at the start."
        )
    return AssemblyError(
        f"The mechanism cannot be assembled: no {what} near the described ones satisfy all joints. Left over: {listed}. "
        "Check lengths and places of these parts, start nearer to a closed position, hold fewer bodies, or remove one of these joints."
    )
