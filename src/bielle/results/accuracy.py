"""The guard of all runs: whether the balance of energy and the joints are as accurate as the method promises.

Joints      gaps relative to the size of the mechanism, and their rates relative to its speed, are at most what the solver calls torn;
            rates a thousandth, where steps are of equal length. Explicit joints yield: their gaps, a hundredth; rates are not promised.
Energy      steps of equal length promise a hundredth of the energy present. Adaptive steps leave errors of atol + rtol |y| in every
            coordinate y, each of which changes the energy by as much times a momentum or a force; so many steps, times ten.

Parts that nothing connects are judged one by one, so that what a light one loses is not hidden by a heavy one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..solvers.run import Solver
from .energy import Energy, moving
from .parts import Part, parts_of

if TYPE_CHECKING:
    from ..model import Model
    from .result import Result

__all__ = ["MOST", "Accuracy", "conclude", "joint_limits", "judge"]

MOST = 1e-2  #: of the energy present, what no method may lose; of the size of the mechanism, how far no joint may be open
LEAST = 1e-7  #: of the same, what rounding may do over any number of steps
SAFETY = 10.0
COARSE = 1e-3  #: rates of gaps that steps of equal length may leave, relative to the speed
SLOW = 1e-3  #: [1/s] where everything is slower, rates are compared with this


@dataclass(frozen=True)
class Accuracy:
    """How accurate a run is, and what was promised."""

    energy: float  #: largest error of the balance of energy, relative
    energy_limit: float
    gap: float  #: largest gap of a joint, relative to the size of the mechanism
    rate: float  #: largest rate of a gap, relative to the speed of the mechanism
    joint_limit: float  #: of the gap
    joint: str = ""  #: where the largest of them is
    message: str = ""  #: what is wrong, and what to do; empty if nothing is

    @property
    def ok(self) -> bool:
        """Whether it is as promised."""
        return not self.message


def judge(result: Result, solver: Solver, steps: int) -> Accuracy:
    """Hold a result against what the solver promises for so many steps: each part that stands alone by itself; the worst is told of."""
    if len(result) < 2:
        return Accuracy(0.0, MOST, 0.0, 0.0, solver.torn)
    parts = [] if solver.slack[1] > COARSE else parts_of(result.model)  # what explicit joints lose is booked for the whole
    shares = [_Share(result, part) for part in parts] if len(parts) > 1 else [_Share(result, None)]
    gaps, rates = _violations(result, shares, solver.slack[1])
    found = [_judged(share, solver, steps, gaps, rates) for share in shares]
    return max(found, key=lambda a: (not a.ok, np.nan_to_num(max(a.energy / a.energy_limit, a.gap / a.joint_limit), nan=np.inf)))


def _judged(share: _Share, solver: Solver, steps: int, gaps: np.ndarray, rates: np.ndarray) -> Accuracy:
    with np.errstate(all="ignore"):
        error = np.abs(share.energy.error).max()
        limit = _energy_limit(share, solver, steps)
    where, joint, gap, rate = "", "", 0.0, 0.0
    if not error <= limit:
        k = int(np.argmax(np.abs(np.diff(share.energy.balance)))) + 1
        where = f" Most of it goes at t = {share.result.time[k]:.4g} s{share.fastest(k)}."
    if len(own := share.joints):
        gap, rate = float(gaps[own].max()), float(rates[own].max())
        joint = share.result.model.joint_rows.records[own[np.argmax(np.maximum(gaps, rates)[own])]].name
    return conclude(solver, share.result.model, float(error), limit, joint, gap, rate, where, part=share.title)


class _Share:
    """A part of a result, or all of it, with its energy, its size and its speed."""

    def __init__(self, result: Result, part: Part | None) -> None:
        self.result = result
        self.title = "" if part is None else part.title(result.model)
        self.energy = result.energy if part is None else Energy(result, part)
        self.rows = moving(result, part)
        self.joints = np.arange(len(result.model.joint_rows.records)) if part is None else part.joints
        self.mass = sum(row.kind.properties.mass for row in self.rows)
        self.size = self._size()

    def _size(self) -> float:
        """Extent of the joints' points at the start, or of the bodies if these coincide [m]."""
        points = self.result.sweeper.joint_points(self.joints)
        bodies = [row.kind.properties for row in self.rows]
        gyration = [np.sqrt(np.max(np.abs(np.diag(p.inertia))) / p.mass) for p in bodies if p.mass > 0.0]
        return float(max([*(np.ptp(points, axis=0) if len(points) else ()), *gyration, 1e-300]))

    def speed(self) -> float:
        """Of the fastest body, by its kinetic energy [m/s]."""
        found = 0.0
        for row in self.rows:
            if row.kind.properties.mass > 0.0:
                v = self.result.samples["v"][:, row.v]
                square = np.einsum("ni,ij,nj->n", v, row.kind.mass(), v).max() / row.kind.properties.mass
                found = max(found, float(np.sqrt(square)))
        return found

    def fastest(self, k: int) -> str:
        """The body with the largest acceleration at a sample, in words."""
        sizes = {row.name: np.abs(self.result.samples["a"][k, row.v]).max(initial=0.0) for row in self.rows}
        name = max(sizes, key=lambda each: sizes[each], default="")
        return f", where body '{name}' is accelerated most" if name else ""


def conclude(
    solver: Solver,
    model: Model,
    energy: float,
    limit: float,
    joint: str,
    gap: float,
    rate: float,
    where: str = "",
    cause: Callable[[], str] = str,
    part: str = "",
) -> Accuracy:
    """The figures, and in words what is wrong with them. cause: asked if something is; it may know why, and what to do. part: a body of
    the part they are of, where there are several."""
    said, (torn, slow) = [], joint_limits(solver)
    if not (gap <= torn and rate <= slow):
        what = f"is open by {gap:.2g} of the size" if not gap <= torn else f"moves where it must not, at {rate:.2g} of the speed"
        said.append(f"joint '{joint}' {what} of the mechanism (promised: {torn if not gap <= torn else slow:.1g})")
    if not energy <= limit:
        of = f" of what body '{part}' belongs to" if part else ""
        said.append(f"the balance of energy{of} is off by {energy:.2g} of the energy present (promised: {limit:.1g})")
    if not said:
        return Accuracy(energy, limit, gap, rate, torn, joint)
    text = f"The run is not as accurate as its method promises: {', and '.join(said)}.{where} "
    text += cause() or (
        f"{solver.remedy}; if that does not help, the mechanism jams, is struck or driven where it cannot go{_drives(model)}."
    )
    return Accuracy(energy, limit, gap, rate, torn, joint, text)


def joint_limits(solver: Solver) -> tuple[float, float]:
    """Gaps and rates, relative to size and speed, that are as promised."""
    torn = min(solver.torn, MOST)
    if solver.slack[1] > COARSE:
        return torn, np.inf  # joints that yield swing
    return torn, torn if solver.tolerances else max(solver.torn, COARSE)


def _drives(model: Model) -> str:
    """The imposed motions, in words; if there are none, whom to ask."""
    names = [f"'{record.name}'" for record in model.joint_rows.records if record.values["signal_kind"]]
    return f" by {', '.join(names[:3])}{', …' if len(names) > 3 else ''}" if names else " (m.report() tells more)"


def _violations(result: Result, shares: list[_Share], yields: float) -> tuple[np.ndarray, np.ndarray]:
    """The largest gap and rate (joints,), relative to size and speed (at which joints yield, at least) of the part they belong to."""
    n = len(result.model.joint_rows.records)
    if not n:
        return np.zeros(0), np.zeros(0)
    sizes, speeds = np.ones(n), np.ones(n)
    for share in shares:
        sizes[share.joints], speeds[share.joints] = share.size, share.speed()
    gaps, rates = result.sweeper.violation(1.0 / result.sweeper.scales(sizes))
    return gaps.max(axis=0), rates.max(axis=0) / np.maximum(np.maximum(speeds, yields) / sizes, SLOW)


def _energy_limit(share: _Share, solver: Solver, steps: int) -> float:
    """Largest error of the balance, relative to the energy present, that is as promised."""
    energy, samples = share.energy, share.result.samples
    weight, total = float(np.linalg.norm(share.result.model.gravity)), np.zeros(len(share.result))
    # of what stands still only rounding changes: compared with its weight, its springs, and the slowest motion that matters
    still = np.abs(energy.gravitational).max() + np.abs(energy.elastic).max() + share.mass * share.size * (weight + SLOW**2 * share.size)
    rounding = LEAST * still / energy.scale
    if solver.tolerances is None:
        return float(max(MOST + share.mass * weight * solver.slack[0] / energy.scale, rounding))  # joints that yield let everything sink
    rtol, atol = solver.tolerances
    for row in share.rows:
        q, v, a = samples["q"][:, row.q], samples["v"][:, row.v], samples["a"][:, row.v]
        mass = row.kind.mass()
        total += (np.abs(v @ mass) * (atol + rtol * np.abs(v))).sum(axis=1)
        force = np.abs(a @ mass).sum(axis=1) + row.kind.properties.mass * weight
        total += force * (atol + rtol * np.abs(q).max(axis=1))
    promised = SAFETY * max(steps, 1) * float(np.nan_to_num(total.max(), nan=0.0)) / energy.scale
    return float(max(min(promised, MOST), LEAST, rounding))
