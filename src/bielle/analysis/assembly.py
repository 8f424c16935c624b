"""Initial assembly: consistent positions and velocities near the described ones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..errors import AssemblyError, ConflictError, DescriptionError, unknown
from ..joints.kind import JointKind
from ..kernels import blocksparse
from ..model import Model, State
from ..solvers.positions import close_positions, correction, largest_gap, turned_over
from ..solvers.workspace import Workspace

if TYPE_CHECKING:
    from ..mechanism.mechanism import Mechanism

__all__ = ["Assembly", "assemble"]

TOLERANCE = 1e-12  # of a residual, relative to the size of the mechanism
_YIELDING = 1e-3  # square root of the weight of a velocity that was not given
_HELD = 1e30  # mass factor of a held body: its share of any correction is far below rounding


@dataclass
class Assembly:
    """A consistent state and how far it is from the described one."""

    state: State
    moved: float  #: largest change of a coordinate
    gap: float  #: largest residual before
    residual: float  #: largest residual after


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
    size = _size(mechanism)
    before = w.q[: model.nq].copy()
    gap = largest_gap(w)
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
    metric, given = _velocity_weights(mechanism, w, mass)
    for _ in range(2):  # each time the given velocities are left with a millionth of the gap
        w.v[: model.nv][given] = described[given]
        _close_velocities(w, metric)
    _close_velocities(w, mass)
    w.evaluate()
    worst = float(np.abs(w.phi_dot[: model.nc]).max())
    speed = 1.0 + float(np.abs(w.phi_t[: model.nc]).max()) + float(np.abs(w.v[: model.nv]).max(initial=0.0))
    if worst > 1e-8 * speed:
        raise _explain(mechanism, model, w, w.phi_dot, worst, speed, "velocities")
    return Assembly(w.state(), float(np.abs(w.q[: model.nq] - before).max(initial=0.0)), gap, residual)


def _check_placed(mechanism: Mechanism) -> None:
    """Refuse joints whose equations are not defined as the bodies are described."""
    for joint in mechanism.joints.values():
        if type(joint.kind).check_placed is not JointKind.check_placed:
            try:
                joint.kind.check_placed(*mechanism.markers(joint), dim=mechanism.dim)
            except DescriptionError as error:
                raise DescriptionError(f"joint '{joint.name}': {error}") from None


def _size(mechanism: Mechanism) -> float:
    """A length of the order of the mechanism's extent, at least that of its bodies."""
    points = [np.zeros(3)]
    for body in mechanism.bodies.values():
        points += [body.pose.point(p) for p in body.shape.reference_points()]
    return float(max(np.ptp(np.array(points), axis=0).max(), 1e-6))


def _velocity_weights(mechanism: Mechanism, w: Workspace, mass: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """A metric in which velocities the user did not give yield to those given, and which these are (nv,)."""
    mass, known = mass.copy(), np.zeros(w.model.nv, dtype=bool)
    for name, body in mechanism.bodies.items():
        row = w.model.bodies[name]
        n, start = row.kind.nv, int(w.body_m[row.index])
        weights = np.ones(n)
        given, turning = body.velocity is not None, body.angular_velocity is not None
        if not given and not turning:
            weights[:] = _YIELDING
        elif row.kind.linear is not None:
            weights[row.kind.linear] = 1.0 if given else _YIELDING
            weights[row.kind.angular] = 1.0 if turning else _YIELDING
        block = mass[start : start + n * n].reshape(n, n)
        block *= np.outer(weights, weights)
        known[row.v] = weights == 1.0
    return mass, known


def _close_velocities(w: Workspace, metric: np.ndarray) -> None:
    m = w.model
    w.bind("mass", metric)
    w.regularise()
    for _ in range(3):
        w.evaluate()
        blocksparse.factor(w.address)
        w.v[: m.nv] += correction(w, w.phi_dot[: m.nc].copy())


def _explain(mechanism: Mechanism, model: Model, w: Workspace, residual: np.ndarray, worst: float, size: float, what: str) -> AssemblyError:
    """The error that names the joints which cannot be satisfied together."""
    gaps = {name: float(np.abs(residual[row.equations]).max()) for name, row in model.joints.items()}
    guilty = sorted((n for n, g in gaps.items() if g > 0.05 * worst), key=lambda n: -gaps[n])
    unit = "m" if what == "positions" else "m/s"
    listed = ", ".join(f"'{n}' ({gaps[n]:.3g} {unit})" for n in guilty[:6]) + (", …" if len(guilty) > 6 else "")
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
