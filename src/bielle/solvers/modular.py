"""The modular solver: every component advances itself, joints act between neighbours."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..errors import DescriptionError, unknown
from ..kernels import slots
from ..model import Model, State
from ..modular import plan as p
from ..modular.loops import CONJUGATE, RELAX
from ..modular.merging import check_groups, light_groups, loop_groups, named_groups, united
from ..modular.partition import Graph, partition
from ..modular.plan import Plan
from ..modular.steps import KERNELS, accelerate, steps
from ..modular.team import Team, yield_address
from .run import Run
from .workspace import Workspace

__all__ = ["Modular"]

JOINTS = ("iterated", "explicit")
EXCHANGES = ("sweep", "conjugate", "relaxation")
MANY_BODIES = 400  # from which on threads pay off
LIGHT = 10.0  # times lighter than a neighbour: too light to carry it on explicit joints
SOFT = 0.01  # of the size of a body: gap from which on an explicit joint is given up
PASSES = 25  # of the iteration that closes gaps, at most


@dataclass(frozen=True)
class Modular:
    """How to advance a model whose components advance themselves; see the page on the modular solver.

    joints
        ``iterated``  forces between components are found such that joints are closed to ``tolerance`` (default)
        ``explicit``  joints are springs and dampers, as stiff as the step allows: the scheme of the thesis (T6)
    exchange
        how iterated forces are found. ``sweep``: components tell each other what is behind them, along the joints of a tree; only the
        joints that close loops are iterated, along conjugate directions (default). ``conjugate``: all joints are. ``relaxation``: every
        joint corrects its own force by the mass it sees
    merge
        groups of bodies that become one component, by names; one that names the ground includes its joints with it. "loops": all that form
        closed loops. "auto" (default): where explicit joints would be too soft, because light bodies carry heavy ones, or because gaps
        have become too large during the run
    """

    joints: str = "iterated"
    step: float = 1e-3  #: [s]
    tolerance: float = 1e-10  #: on the gap of joints that are closed [m, or of directions]
    iterations: int = 200  #: of the forces in joints, at most
    exchange: str = "sweep"
    merge: str | tuple[tuple[str, ...], ...] = "auto"
    damping: float = 0.1  #: ε of explicit joints
    stiffness: float = 0.8  #: of explicit joints, relative to the limit of stability
    perturbation: float | None = None  #: ε₁ of the adaptive step (24) [(m/s²)²]: steps are divided where perturbations are larger
    threads: int | None = None  #: None: all cores if there are many bodies

    def __post_init__(self) -> None:
        if self.joints not in JOINTS:
            raise unknown("way to treat joints", self.joints, JOINTS)
        if self.exchange not in EXCHANGES:
            raise unknown("exchange", self.exchange, EXCHANGES)
        for name in ("step", "tolerance"):
            value = getattr(self, name)
            if not (np.isfinite(value) and value > 0):
                raise DescriptionError(f"{name} must be a positive number, got {value}.")
        if not 0 <= self.damping <= 0.5:
            raise DescriptionError(f"damping, the ratio ε of explicit joints, must be between 0 and 1/2, got {self.damping}.")
        if not 0 < self.stiffness <= 1:
            raise DescriptionError(f"stiffness, relative to the limit of stability, must be between 0 and 1, got {self.stiffness}.")
        for name in ("iterations", "threads"):
            value = getattr(self, name)
            if value is not None and (isinstance(value, bool) or not isinstance(value, int | np.integer) or value < 1):
                raise DescriptionError(f"{name} must be a positive integer, got {value!r}.")
        if self.perturbation is not None and not self.perturbation > 0:
            raise DescriptionError(f"perturbation (ε₁ of the adaptive step) must be positive, got {self.perturbation}.")
        object.__setattr__(self, "merge", _groups(self.merge))

    @property
    def max_step(self) -> float:
        """[s]"""
        return self.step

    @property
    def fixed_step(self) -> bool:
        """Steps are of equal length."""
        return True

    @property
    def one_step(self) -> bool:
        """The next step depends on nothing but the present state."""
        return True

    @property
    def holds_joints(self) -> bool:
        """Whether joints stay closed, and not only about so."""
        return self.joints == "iterated"

    @property
    def energy_tolerance(self) -> float:
        """Not controlled."""
        return np.inf

    @property
    def limit(self) -> float:
        """Largest ω h for which a spring with this damping ratio is stable in these steps; see the page on the modular solver."""
        return 2.0 / (self.damping + np.sqrt(1.0 - 3.0 * self.damping**2))

    def check(self, model: Model) -> None:
        """Refuse merge groups that a model does not have."""
        if not isinstance(self.merge, str):
            check_groups(Graph(model), self.merge)

    def groups(self, graph: Graph) -> list[set[int]]:
        """Bodies that are merged from the start."""
        if self.merge == "loops":
            return loop_groups(graph)
        if self.merge == "auto":
            return light_groups(graph, LIGHT) if self.joints == "explicit" else []
        return named_groups(graph, self.merge)  # type: ignore[arg-type]

    def start(self, model: Model, state: State) -> ModularRun:
        """Prepare to advance a model from a state; the run is told by ``sample_at`` or ``go_to`` how far."""
        return ModularRun(self, model, state)

    def describe(self) -> str:
        """One line for reports."""
        how = f"joints closed to {self.tolerance:g}, {self.exchange}" if self.joints == "iterated" else f"damping {self.damping:g}"
        return f"modular, joints {self.joints}, {how}, step {self.step:g} s"


def _groups(merge: Any) -> str | tuple[tuple[str, ...], ...]:
    if merge in ("auto", "loops"):
        return merge
    if isinstance(merge, str) or not isinstance(merge, Sequence):
        raise DescriptionError(f"merge must be groups of names of bodies, as in [('crank', 'rod')], 'loops' or 'auto', got {merge!r}.")
    if merge and all(isinstance(name, str) for name in merge):
        merge = [merge]  # one group
    for group in merge:
        if isinstance(group, str) or not isinstance(group, Sequence) or not all(isinstance(name, str) for name in group):
            raise DescriptionError(f"A merge group must be a list of names of bodies, got {group!r}.")
        if len(group) < 2:
            raise DescriptionError(f"A merge group must have two bodies at least, got {tuple(group)!r}.")
    return tuple(tuple(group) for group in merge)


class ModularRun(Run):
    """A model whose components advance themselves."""

    solver: Modular

    def __init__(self, solver: Modular, model: Model, state: State) -> None:
        w = Workspace(model, state, accelerations=accelerate)
        super().__init__(solver, model, w, steps)
        self._graph = Graph(model)
        self._soft: list[set[int]] = []  # bodies of explicit joints that have become too soft
        self.merged: list[tuple[float, str]] = []  #: joints that have: when, and which
        w.scalar[slots.S_STEP] = solver.step
        threads = self._threads()
        self._team = Team(threads)
        self.plan = self._plan(threads)

    def _plan(self, threads: int) -> Plan:
        solver, w, graph = self.solver, self.workspace, self._graph
        explicit, relaxed = solver.joints == "explicit", solver.exchange == "relaxation"
        groups = united(graph, [*solver.groups(graph), *self._soft])
        plan = Plan(w, partition(graph, groups, sweeps=not explicit and solver.exchange == "sweep"), threads)
        plan.mu[: len(plan.rows)] = w.mu[plan.rows]
        table, number = plan.table, plan.number
        table[p.P_EXPLICIT], table[p.P_METHOD] = int(explicit), RELAX if relaxed else CONJUGATE
        table[p.P_ITERATIONS], table[p.P_PASSES], table[p.P_YIELD] = solver.iterations, PASSES, yield_address()
        number[p.X_TOLERANCE], number[p.X_EPSILON], number[p.X_DELTA] = solver.tolerance, solver.damping, solver.stiffness
        number[p.X_OMEGA] = np.sqrt(solver.stiffness) * solver.limit
        number[p.X_LIMIT], number[p.X_STEP] = solver.perturbation or 0.0, solver.step
        number[p.X_SOFT] = SOFT * self._size() if solver.merge == "auto" else np.inf
        if explicit or relaxed:
            plan.see()
        plan.array(p.P_KERNEL, np.array([kernel.address for kernel in KERNELS]))
        w.routine[slots.R_PLAN] = plan.address
        return plan

    def _threads(self) -> int:
        """One where threads would wait for each other: Python's lock, or ramps, which move what others look at."""
        if self.model.callbacks or self.model.closings:
            return 1
        n, wanted = len(self.model.body_rows) - 1, self.solver.threads
        most = min(os.cpu_count() or 1, 1 + n // MANY_BODIES) if wanted is None else wanted
        return max(1, min(most, n))

    def _size(self) -> float:
        """Of the mechanism [m]: how far its joints reach from the centres of their bodies, on average."""
        w = self.workspace
        w.evaluate()
        x = w.x[: self.model.dim * int(w.count[slots.N_ELEM])].reshape(-1, self.model.dim)
        points = x[w.elem_point[: len(x)] == 1]
        return float(np.ptp(points, axis=0).max()) / max(len(self.model.body_rows) - 1, 1) if len(points) > 1 else 1.0

    def _take(self, steps: int) -> None:
        status = self.workspace.status
        end = int(status[slots.ST_STEPS]) + steps
        while True:
            self._team.run(self._kernel, self.workspace.address, end - int(status[slots.ST_STEPS]))
            if status[slots.ST_CODE] != slots.CODE_SOFT:
                return
            status[slots.ST_CODE] = slots.CODE_OK
            self._merge_soft()
            if status[slots.ST_STEPS] >= end:
                return

    def _merge_soft(self) -> None:
        """Explicit joints whose gap has become too large are solved inside from now on; what that takes is dissipated.

        It is where the sources treat equations at velocity level: an impulse makes the velocities fit (paper, 3.2). All gaps are closed,
        because joints see other masses from now on: as springs they would give back more than they have taken.
        """
        w, model, old = self.workspace, self.model, self.plan
        for j in old.loose.tolist():
            rows = slice(int(w.joint_c[j]), int(w.joint_c[j + 1]))
            if np.abs(w.phi[rows]).max(initial=0.0) > old.number[p.X_SOFT]:
                self._soft.append(set(self._graph.ends[j]))
                self.merged.append((self.time, model.joint_rows.records[j].name))
        before, q, force = self._kinetic(), w.q.copy(), w.force.copy()
        self.plan = plan = self._plan(int(old.table[p.P_THREADS]))
        plan.worst[:], plan.account[:] = old.worst, old.account
        for _ in range(PASSES):
            w.project()  # ten passes of Newton's iteration: not always enough for gaps of this size
            if not w.scalar[slots.S_VIOLATION] > self.solver.tolerance:
                break
        w.accelerate()  # joints see their masses before they push
        w.work[0] += before - self._kinetic() + self._lift(q, force)

    def _kinetic(self) -> float:
        w = self.workspace
        total = 0.0
        for row in self.model.bodies.values():
            n, o = row.kind.nv, int(w.body_m[row.index])
            total += 0.5 * float(w.v[row.v] @ w.mass[o : o + n * n].reshape(n, n) @ w.v[row.v]) if n else 0.0
        return total

    def _lift(self, q: np.ndarray, force: np.ndarray) -> float:
        """Work of the forces on the way from q to here, to first order; of positions, whose rates are velocities, only."""
        w, total = self.workspace, 0.0
        for row in self.model.bodies.values():
            if row.kind.nv:
                n = row.kind.nv if row.kind.nq == row.kind.nv else 3
                total += float(force[row.v][:n] @ (w.q[row.q] - q[row.q])[:n])
        return total

    def account(self) -> dict[str, Any]:
        """How well joints were closed."""
        return {"convergence": self.convergence()}

    def convergence(self) -> dict[str, Any]:
        """The largest gap of each joint, and what it took."""
        account, worst = self.plan.account, self.plan.worst
        gaps = {name: float(worst[row.equations].max(initial=0.0)) for name, row in self.model.joints.items()}
        solutions = max(int(account[p.ACC_SOLUTIONS]), 1)
        return {
            "gap": gaps,
            "loose": [self.model.joint_rows.records[j].name for j in self.plan.loose.tolist()],
            "groups": self.plan.parts.groups,
            "merged": self.merged,
            "iterations": float(account[p.ACC_ITERATIONS]) / solutions,
            "most_iterations": int(account[p.ACC_MOST]),
            "unfinished": int(account[p.ACC_OPEN]),
            "most_passes": int(account[p.ACC_MOST_PASSES]),
            "divided": int(account[p.ACC_DIVIDED]),
            "open_steps": int(account[p.ACC_UNCLOSED]),
        }
