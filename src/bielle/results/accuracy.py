"""The guard of all runs: whether the balance of energy and the joints are as accurate as the method promises.

Joints      gaps relative to the size of the mechanism, and their rates relative to its speed, are at most what the solver calls torn;
            rates a thousandth, where steps are of equal length. Explicit joints yield: their gaps, a hundredth; rates are not promised.
Energy      steps of equal length promise a hundredth of the energy present. Adaptive steps leave errors of atol + rtol |y| in every
            coordinate y, each of which changes the energy by as much times a momentum or a force; so many steps, times ten.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..solvers.run import Solver

if TYPE_CHECKING:
    from ..model import Model
    from .record import Record
    from .result import Result

__all__ = ["MOST", "Accuracy", "conclude", "judge"]

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
    """Hold a result against what the solver promises for so many steps."""
    if len(result) < 2:
        return Accuracy(0.0, MOST, 0.0, 0.0, solver.torn)
    joint, gap, rate = _joints(result, solver.slack[1])
    with np.errstate(all="ignore"):
        error = np.abs(result.energy.error)
        limit = _energy_limit(result, solver, steps)
    where = ""
    if not error.max() <= limit:
        k = int(np.argmax(np.abs(np.diff(result.energy.balance)))) + 1
        where = f" Most of it goes at t = {result.time[k]:.4g} s{_body(result, k)}."
    return conclude(solver, result.model, float(error.max()), limit, joint, gap, rate, where)


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
) -> Accuracy:
    """The figures, and in words what is wrong with them. cause: asked if something is; it may know why, and what to do."""
    said, torn = [], min(solver.torn, MOST)
    slow = torn if solver.tolerances else max(solver.torn, COARSE)
    slow = np.inf if solver.slack[1] > COARSE else slow  # joints that yield swing
    if not (gap <= torn and rate <= slow):
        what = f"is open by {gap:.2g} of the size" if not gap <= torn else f"moves where it must not, at {rate:.2g} of the speed"
        said.append(f"joint '{joint}' {what} of the mechanism (promised: {torn if not gap <= torn else slow:.1g})")
    if not energy <= limit:
        said.append(f"the balance of energy is off by {energy:.2g} of the energy present (promised: {limit:.1g})")
    if not said:
        return Accuracy(energy, limit, gap, rate, torn, joint)
    text = f"The run is not as accurate as its method promises: {', and '.join(said)}.{where} "
    text += cause() or (
        f"{solver.remedy}; if that does not help, the mechanism jams, is struck or driven where it cannot go{_drives(model)}."
    )
    return Accuracy(energy, limit, gap, rate, torn, joint, text)


def _drives(model: Model) -> str:
    """The imposed motions, in words; if there are none, whom to ask."""
    names = [f"'{record.name}'" for record in model.joint_rows.records if record.values["signal_kind"]]
    return f" by {', '.join(names[:3])}{', …' if len(names) > 3 else ''}" if names else " (m.report() tells more)"


def size_of(result: Result) -> float:
    """Extent of the joints' points at the start, or of the bodies if these coincide [m]."""
    points = result.sweeper.joint_points()
    bodies = [r.item.kind.properties for r in result.model.body_rows.records if r.item.kind.nv]
    gyration = [np.sqrt(np.max(np.abs(np.diag(p.inertia))) / p.mass) for p in bodies if p.mass > 0.0]
    return float(max([*(np.ptp(points, axis=0) if len(points) else ()), *gyration, 1e-300]))


def _joints(result: Result, yields: float) -> tuple[str, float, float]:
    """The joint that is violated most, and the largest gap and rate, relative to size and speed (at which joints yield, at least)."""
    records = result.model.joint_rows.records
    if not records:
        return "", 0.0, 0.0
    size, speed = size_of(result), 0.0
    for row in result.model.bodies.values():
        if row.kind.nv and row.kind.properties.mass > 0.0:
            v = result.samples["v"][:, row.v]
            speed = max(speed, float(np.sqrt(np.einsum("ni,ij,nj->n", v, row.kind.mass(), v).max() / row.kind.properties.mass)))
    gaps, rates = result.sweeper.violation(1.0 / result.sweeper.scales(size))
    gap, rate = gaps.max(axis=0), rates.max(axis=0) / max(max(speed, yields) / size, SLOW)
    worst = int(np.argmax(np.maximum(gap, rate)))
    return records[worst].name, float(gap.max()), float(rate.max())


def _energy_limit(result: Result, solver: Solver, steps: int) -> float:
    """Largest error of the balance, relative to the energy present, that is as promised."""
    energy = result.energy
    weight, total = float(np.linalg.norm(result.model.gravity)), np.zeros(len(result))
    mass, size = sum(row.kind.properties.mass for row in result.model.bodies.values() if row.kind.nv), size_of(result)
    # of what stands still only rounding changes: compared with its weight, its springs, and the slowest motion that matters
    still = np.abs(energy.gravitational).max() + np.abs(energy.elastic).max() + mass * size * (weight + SLOW**2 * size)
    rounding = LEAST * still / energy.scale
    if solver.tolerances is None:
        return float(max(MOST + mass * weight * solver.slack[0] / energy.scale, rounding))  # joints that yield let everything sink
    rtol, atol = solver.tolerances
    for row in result.model.bodies.values():
        if row.kind.nv:
            q, v, a = result.samples["q"][:, row.q], result.samples["v"][:, row.v], result.samples["a"][:, row.v]
            mass = row.kind.mass()
            total += (np.abs(v @ mass) * (atol + rtol * np.abs(v))).sum(axis=1)
            force = np.abs(a @ mass).sum(axis=1) + row.kind.properties.mass * weight
            total += force * (atol + rtol * np.abs(q).max(axis=1))
    promised = SAFETY * max(steps, 1) * float(np.nan_to_num(total.max(), nan=0.0)) / energy.scale
    return float(max(min(promised, MOST), LEAST, rounding))


def _body(record: Record, k: int) -> str:
    """The body with the largest acceleration at a sample, in words."""
    result = record.segments[0]
    sizes = {row.name: np.abs(result.samples["a"][k, row.v]).max(initial=0.0) for row in result.model.bodies.values() if row.kind.nv}
    name = max(sizes, key=lambda each: sizes[each], default="")
    return f", where body '{name}' is accelerated most" if name else ""
