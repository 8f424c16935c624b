"""How new joints are fitted: gently along a ramp, by an inelastic impulse, or not at all unless they fit exactly."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..errors import JoiningError
from ..formulations.accelerations import project, strike
from ..kernels import slots
from ..mechanism.vectors import lifted
from ..model.layout import Closing
from ..solvers.leftover import Leftover, largest_leftover, leftover, leftover_rate
from ..solvers.positions import close_positions, turned_over
from ..solvers.workspace import Workspace
from .operations import Put

if TYPE_CHECKING:
    from ..model import Model, State
    from ..model.model import JointRow

__all__ = ["Joined", "closing_time", "dependent_equations", "fit"]

GAP = 1e-9  # relative to the size of the mechanism: below it a joint fits, and the projection takes up the rest
RATE = 1e-9  # relative to the speeds present
STOPPED = 1e-6  # relative to the speeds present: what a blow may leave
SMALLEST = 1e-3  # [m] a mechanism is no smaller
PACE = 10.0  # [m/s²] a gentle closing is about as quick as a fall: its peak acceleration is of this size
OVERSHOOT = 0.03  # of the size of the mechanism: how far bodies may go past each other while they stop
LARGEST_OVERSHOOT = 0.25  # the same, where the user says how long it shall take
SHORTEST = 1e-4  # [s] of a gentle closing
_ATTEMPTS = 6  # to find a closed position, from places nearby
SHORTEST_STEPS = 1e6  # rounding units of time in a closing, at least: its ramp is a function of time
SINGULAR = 1e6  # sizes of the mechanism: a gap that seems to be that far away is in no direction at all
SUSPENDED = 1e30  # regularisation of an equation that is not to act


@dataclass(frozen=True)
class Joined:
    """How a joint was fitted."""

    joint: str
    joining: str  #: 'fits', 'gentle', 'impulse'
    gap: float  #: largest residual of its equations when it was made [m, or 1 for directions]
    rate: float  #: largest rate of a residual [m/s or 1/s]
    apart: Leftover  #: how far it was open: a length, or an angle
    moving: Leftover  #: how fast its bodies moved against each other, likewise
    duration: float = 0.0  #: of a gentle closing [s]
    impulse: tuple[float, ...] = ()  #: in its equations, of an inelastic impulse [N·s, N·m·s]

    def __str__(self) -> str:
        how = {"fits": "fits", "gentle": f"closes over {self.duration:.3g} s", "impulse": "closed by an impulse"}[self.joining]
        digits = 2 if self.joining == "fits" else 3
        gap, rate = (f"{told.amount:.{digits}g} {told.unit}" for told in (self.apart, self.moving))
        return f"'{self.joint}' {how} (gap {gap}, relative velocity {rate})"


def closing_time(gap: np.ndarray, rate: np.ndarray, size: float, over: float | None = None) -> tuple[float, float]:
    """Seconds in which the ramp of :mod:`bielle.kernels.closing` ends, and in which it stops the relative velocity.

    Chosen so that its second rate peaks near :data:`PACE`: the peaks of its two parts are 5.77 |φ₀|/T² and 3.7 |φ̇₀|/T. What moves fast
    must stop sooner: the way it overshoots, 0.17 |φ̇₀| T, has to fit into a mechanism of that size. ``over`` is the whole time, if given.
    """
    far, fast = float(np.abs(gap).max(initial=0.0)), float(np.abs(rate).max(initial=0.0))
    room = (OVERSHOOT if over is None else LARGEST_OVERSHOOT) * size / (0.17 * fast) if fast > 0.0 else np.inf
    duration = max(float(np.sqrt(5.77 * far / PACE)), min(3.7 * fast / PACE, room), SHORTEST) if over is None else over
    return duration, min(duration, max(room, SHORTEST))


def fit(w: Workspace, state: State, joints: list[Put], slack: tuple[float, float]) -> tuple[State, tuple[Closing, ...], list[Joined]]:
    """The state after the impulses that were asked for, the closings that are to begin, and what was done for each joint.

    slack: gap and rate that the solver leaves in closed joints; a joint that has no more fits.

    The workspace is at that state and was evaluated there; it is only looked at.

    Raises JoiningError if a joint was to fit exactly and does not, if a gap cannot be closed, or if velocities cannot be matched.
    """
    model = w.model
    rows = {put.name: model.joints[put.name] for put in joints}
    phi, phi_dot = w.phi, w.phi_dot
    far = {name: max(map(abs, phi[row.equations].tolist()), default=0.0) for name, row in rows.items()}
    fast = {name: max(map(abs, phi_dot[row.equations].tolist()), default=0.0) for name, row in rows.items()}
    if max(far.values()) <= max(GAP * SMALLEST, slack[0]) and max(fast.values()) <= max(RATE, slack[1]):  # whatever the size and the speeds
        return state, (), [_fits(w, row, far[name], fast[name]) for name, row in rows.items()]
    gaps = {name: phi[row.equations].copy() for name, row in rows.items()}
    rates = {name: phi_dot[row.equations].copy() for name, row in rows.items()}
    size = max(float(np.ptp(w.x)), SMALLEST) if len(w.x) else 1.0
    speed = 1.0 + float(np.abs(state.v).max(initial=0.0))
    # where the other joints are a little open, no joint fits better than they do
    others = np.ones(model.nc, dtype=bool)
    for row in rows.values():
        others[row.equations] = False
    gap, rate = (max(bound, float(np.abs(x[: model.nc][others]).max(initial=0.0))) for bound, x in zip(slack, (phi, phi_dot)))
    closed, at_rest, stopped = max(GAP * size, gap), max(RATE * speed, rate), max(STOPPED * speed, rate)
    apart = {name for name in rows if far[name] > closed}
    moving = {name for name in rows if fast[name] > at_rest}
    for put in joints:
        if put.joining == "exact" and put.name in apart | moving:
            far_off, how_fast = leftover(w, rows[put.name]), leftover_rate(w, rows[put.name])
            raise JoiningError(
                f"joint '{put.name}': it was to fit exactly, but there is a gap of {far_off} and a relative velocity of {how_fast}. "
                "Move the bodies together first, or let it close: joining='gentle' or 'impulse'."
            )
    if not apart and not moving:
        return state, (), [_fits(w, row, far[name], fast[name]) for name, row in rows.items()]
    told = {name: (leftover(w, row), leftover_rate(w, row)) for name, row in rows.items()}
    bench = _Bench(model, state)
    if apart:
        over = turned_over(w, sorted(apart))
        if over:
            raise JoiningError(
                f"joint '{over[0]}': its axes on the two bodies are more than a quarter turn apart, so that it would close the wrong way "
                "round. Turn one of the bodies, or one of the axes (axes_a, axes_b), first."
            )
        _check_regular(w, apart, gaps, size)
        worst = max(apart, key=lambda name: far[name])
        _check_closable(model, state, worst, told[worst][0], size, closed)
        bench = _Bench(model, state, {name: gaps[name] for name in apart if rows[name].carrier})
        rates = bench.rates(rows)
        moving = {name for name in rows if np.abs(rates[name]).max(initial=0.0) > at_rest}
    struck = [put for put in joints if put.joining == "impulse" and put.name in moving]
    impulses: dict[str, tuple[float, ...]] = {}
    if struck:
        _check_velocities(bench, rates, stopped)
        bench, impulses = _struck(bench, struck, joints)
        state, rates = bench.state, bench.rates(rows)
        moving = {name for name in rows if np.abs(rates[name]).max(initial=0.0) > at_rest} - {put.name for put in struck}
    elif moving and not apart:
        _check_velocities(bench, rates, stopped)
    opened = [put for put in joints if put.name in apart | moving]
    silent = _dependent(bench, [put.name for put in opened]) if opened else {}
    for name in (put.name for put in opened if rows[put.name].carrier):
        gaps[name], rates[name] = (bench.in_axes_of_a(name, x) for x in (gaps[name], rates[name]))
    # below the tolerances there is nothing to close, and noise in dependent equations would contradict
    gaps = {name: np.where(np.abs(x) > GAP * size, x, 0.0) for name, x in gaps.items()}
    rates = {name: np.where(np.abs(x) > RATE * speed, x, 0.0) for name, x in rates.items()}
    times = {put.name: closing_time(gaps[put.name], rates[put.name], size, put.over) for put in opened}
    for name, (duration, _) in times.items():
        if state.time + SHORTEST_STEPS * np.spacing(state.time + 1.0) > state.time + duration:
            raise JoiningError(
                f"joint '{name}': it was to be closed over {duration:.3g} s, which is less than time can be told apart by at "
                f"t = {state.time:.6g} s. Give it longer, or let it choose (leave out over)."
            )
    # equations that wait for those they follow from can be satisfied when these are closed, not before
    longest = max([c.end - state.time for c in model.closings] + [duration for duration, _ in times.values()], default=0.0)
    closings, done = [], []
    for put in joints:
        name = put.name
        if name in times:
            duration, stopping = times[name]
            duration = longest if silent[name] else duration
            gap, rate = tuple(map(float, gaps[name])), tuple(map(float, rates[name]))
            closings.append(Closing(name, state.time, duration, stopping, gap, rate, silent[name]))
            done.append(Joined(name, "gentle", far[name], fast[name], *told[name], duration, impulses.get(name, ())))
        else:
            how = "impulse" if name in impulses else "fits"
            done.append(Joined(name, how, far[name], fast[name], *told[name], 0.0, impulses.get(name, ())))
    return state, tuple(closings), done


def _fits(w: Workspace, row: JointRow, gap: float, rate: float) -> Joined:
    """A joint that has nothing to be closed: what there is, is small."""
    return Joined(row.name, "fits", gap, rate, leftover(w, row, nearly=True), leftover_rate(w, row, nearly=True))


class _Bench:
    """A state at which joints are tried, with the points that are to meet moved there: as :mod:`bielle.kernels.closing` has them."""

    def __init__(self, model: Model, state: State, gaps: Mapping[str, np.ndarray] | None = None) -> None:
        """gaps: between points that are to meet, in world axes, by joint."""
        self.model, self.state = model, state
        self._elements = model.arrays["elem_p"].copy()
        for name, gap in (gaps or {}).items():
            row = model.joints[name]
            first = 4 * row.elements.start
            local = lifted(self.in_axes_of_a(name, gap)[: model.dim])
            self._elements[first : first + 4] += model.bodies[row.carrier].kind.element(False, local)

    def workspace(self) -> Workspace:
        """To be used and thrown away."""
        w = Workspace(self.model, self.state)
        w.bind("elem_p", self._elements.copy())
        return w

    def rates(self, rows: Mapping[str, JointRow]) -> dict[str, np.ndarray]:
        """Relative velocities in the equations of these joints."""
        w = self.workspace()
        w.evaluate()
        return {name: w.phi_dot[row.equations].copy() for name, row in rows.items()}

    def in_axes_of_a(self, joint: str, values: np.ndarray) -> np.ndarray:
        """One value per equation, with those of the points that are to meet turned from the axes of the world into those of a."""
        dim = self.model.dim
        return np.concatenate([self.rotation_of_a(joint).T @ values[:dim], values[dim:]])

    def rotation_of_a(self, joint: str) -> np.ndarray:
        """(dim, dim) of the body that carries the point to be met."""
        row, dim = self.model.bodies[self.model.joints[joint].carrier], self.model.dim
        return row.kind.pose(self.state.q[row.q])[1][:dim, :dim]

    def after(self, v: np.ndarray) -> _Bench:
        """With other velocities."""
        out = copy(self)
        out.state = self.state.copy()
        out.state.v = v
        return out


def dependent_equations(model: Model, state: State, joints: list[str]) -> int:
    """How many equations of these joints, none of which is being closed, follow from those of the others."""
    w = Workspace(model, state)
    w.evaluate()
    gaps = {name: w.phi[model.joints[name].equations].copy() for name in joints}
    bench = _Bench(model, state, {name: gap for name, gap in gaps.items() if model.joints[name].carrier})
    return sum(map(len, _dependent(bench, joints).values()))


def _dependent(bench: _Bench, opened: list[str]) -> dict[str, tuple[int, ...]]:
    """Of each joint that is to be closed, the equations that follow from the others: these cannot have a ramp of their own.

    Pivoted elimination of W = J P Jᵀ, with J the rows of the joints in question and P M the projection on the motions that all other
    joints leave free; its pivots are the inverse masses that the remaining equations see.
    """
    model, w = bench.model, bench.workspace()
    equations = np.concatenate([np.arange(model.nc)[model.joints[name].equations] for name in opened])
    w.mu[equations] = SUSPENDED
    w.evaluate()
    J = _rows(w, equations)
    first = 0
    for row in (model.joints[name] for name in opened):
        if row.carrier:
            J[first : first + model.dim] = bench.rotation_of_a(row.name).T @ J[first : first + model.dim]
        first += row.equations.stop - row.equations.start
    W = J @ _answers(w, J).T
    w.mu[: model.nc] = SUSPENDED
    scale = np.einsum("ij,ij->i", J, _answers(w, J))  # what they would see of bodies without joints
    dependent = []
    left = np.arange(len(equations))
    while len(left):
        pivot = left[np.argmax(np.diag(W)[left] / np.maximum(scale[left], 1e-300))]
        if W[pivot, pivot] <= 1e-9 * max(scale[pivot], 1e-300):
            dependent += list(left)
            break
        W = W - np.outer(W[:, pivot], W[pivot]) / W[pivot, pivot]
        left = left[left != pivot]
    gone = set(equations[dependent])
    return {name: tuple(i for i, c in enumerate(range(*model.joints[name].equations.indices(model.nc))) if c in gone) for name in opened}


def _answers(w: Workspace, impulses: np.ndarray) -> np.ndarray:
    """Changes of velocity (k, nv) that generalised impulses (k, nv) cause, through the joints that are not suspended."""
    nv = w.model.nv
    out, still = np.zeros_like(impulses), w.v[:nv].copy()
    for i, impulse in enumerate(impulses):
        w.v[:nv] = still
        w.delta[:nv] = impulse
        strike(w.address, 0, int(i > 0))
        out[i] = w.v[:nv] - still
    w.v[:nv] = still
    return out


def _rows(w: Workspace, equations: np.ndarray) -> np.ndarray:
    """Rows (k, nv) of the constraint Jacobian."""
    J = np.zeros((len(equations), w.model.nv))
    for i, c in enumerate(equations):
        j = int(np.searchsorted(w.joint_c[: len(w.model.joint_rows) + 1], c, side="right")) - 1
        for s in range(w.jb_start[j], w.jb_start[j + 1]):
            b = w.jb_body[s]
            nv, v0, o = w.body_nv[b], w.body_v[b], w.jb_offset[s] + (c - w.joint_c[j]) * w.body_nv[b]
            J[i, v0 : v0 + nv] = w.jac[o : o + nv]
    return J


def _check_regular(w: Workspace, apart: set[str], gaps: dict[str, np.ndarray], size: float) -> None:
    """Refuse gaps whose equations do not say which way to go: closing them along a ramp would need an infinite velocity."""
    for name in apart:
        row = w.model.joints[name]
        width = w.model.dim * (row.elements.stop - row.elements.start)
        start = int(w.joint_g[row.index])
        G = w.g[start : start + len(gaps[name]) * width].reshape(-1, width)
        slope = np.linalg.norm(G, axis=1)
        if (np.abs(gaps[name]) > SINGULAR * size * slope).any():
            raise JoiningError(
                f"joint '{name}': its gap of {leftover(w, row)} cannot be closed from here: in this position its equations do "
                "not say which way to go (two points in one place that are to be apart, say). Move the bodies a little first."
            )


def _check_closable(model: Model, state: State, worst: str, gap: Leftover, size: float, closed: float) -> None:
    """Refuse gaps for which no position of the mechanism closes all joints, when those that are being closed already are.

    worst: the joint that is open most, and its gap; closed: what a closed joint may be open by.
    """
    w = _all_closed(model, state)
    project(w.address, 0, 4)
    w.evaluate()
    if np.abs(w.phi[: model.nc]).max() <= closed:
        return
    least, left, rng = np.inf, gap, np.random.default_rng(0)
    for attempt in range(_ATTEMPTS):
        w = _all_closed(model, state)
        if attempt:  # from a stretched or folded position no first step leads anywhere
            w.retract(0.1 * rng.standard_normal(model.nv))
        residual = close_positions(w, 1e-12 * size)
        if residual <= closed:
            return
        if residual < least:
            least, left = residual, largest_leftover(w)
    raise JoiningError(
        f"joint '{worst}': its gap of {gap} cannot be closed: no position of the mechanism satisfies all joints, "
        f"{left} is left over at best. Choose points that can meet, remove a joint, or free a body first."
    )


def _all_closed(model: Model, state: State) -> Workspace:
    """A workspace in which the joints that are being closed are as they will be then: without ramps, and no equation silent."""
    w = Workspace(model, state)
    if model.closings:
        w.bind("elem_p", model.arrays["elem_p"].copy())
        w.scalar[slots.S_TIME] = max(state.time, *(c.end for c in model.closings))
        w.bind("program", model.arrays["program"][3:-3])  # what kernels/closing.py does comes first and last
        w.count[slots.N_PROGRAM] -= 2
        w.regularise()
    return w


def _check_velocities(bench: _Bench, rates: dict[str, np.ndarray], stopped: float) -> None:
    """Refuse relative velocities that the other joints make impossible to stop."""
    w = bench.workspace()
    w.delta[:] = 0.0
    strike(w.address, 1, 0)
    w.evaluate()
    if float(np.abs(w.phi_dot[: bench.model.nc]).max(initial=0.0)) > stopped:
        worst = max(rates, key=lambda name: float(np.abs(rates[name]).max(initial=0.0)))
        raise JoiningError(
            f"joint '{worst}': the other joints and imposed motions keep its bodies moving against each other "
            f"({largest_leftover(w, rate=True)} is left over at best). Remove or change one of them."
        )


def _struck(bench: _Bench, struck: list[Put], joints: list[Put]) -> tuple[_Bench, dict[str, tuple[float, ...]]]:
    """What is there after the impulses that stop the relative motion in the joints struck, and these impulses."""
    model, w = bench.model, bench.workspace()
    names = {put.name for put in struck}
    for put in joints:
        if put.name not in names:
            w.mu[model.joints[put.name].equations] = SUSPENDED  # not joined yet when the blow comes
    w.delta[:] = 0.0
    strike(w.address, 1, 0)
    impulses = {name: tuple(map(float, w.temp_c[model.joints[name].equations])) for name in names}
    return bench.after(w.v[: model.nv]), impulses
