"""The modular solver: every component advances itself, joints act between neighbours."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..calls import explained_methods
from ..errors import DescriptionError, unknown
from ..formulations.accelerations import strike
from ..integrators.implicit import tangents
from ..integrators.steps import last_sample
from ..kernels import plan as p
from ..kernels import slots
from ..kernels.lazy import entries_in, entry
from ..mechanism.description import GROUND
from ..model import Model, State
from ..modular import energy, judging, loops, phases, pieces
from ..modular import steps as modular_steps
from ..modular.loops import CONJUGATE, RELAX
from ..modular.merging import check_groups, light_groups, loop_groups, named_groups, united, whole_group
from ..modular.partition import Graph, partition
from ..modular.plan import Plan
from ..modular.rates import Rates, everything
from ..modular.steps import accelerate, kernel_addresses, steps
from ..modular.team import Team, system_addresses
from ..recursive.advancing import tidy
from ..recursive.coupling import Frames
from ..recursive.tree import Tree
from .massless import refuse_massless
from .options import check_options, positive_integer, refuse_unread
from .positions import close_positions
from .run import Run
from .stiffness import check_stiffness
from .subsystems import check_subsystems, joints_inside, subsystem_groups
from .workspace import Workspace

__all__ = ["Modular"]

JOINTS = ("iterated", "explicit")
BODY_INTEGRATORS = ("verlet", "newmark")
EXCHANGES = ("sweep", "conjugate", "relaxation")
MANY_BODIES = 400  # from which on threads pay off
LIGHT = 10.0  # times lighter than a neighbour: too light to carry it on explicit joints
SOFT = 0.2  # of the size of a body: gap from which on an explicit joint is given up
STILL = 1e-9  # of the size of a body, in a step: a velocity that does not count
YIELDS = 50.0  # [m/s²]: accelerations under which explicit joints are allowed to yield, and count as closed
PASSES = 25  # of the iteration that closes gaps, at most


@explained_methods
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
    subsystems
        groups of bodies, by names, that become one component each like merged ones; what hangs on what inside them is read off as joint
        coordinates after every step, and placed by these, so that their joints are closed to rounding
    """

    joints: str = "iterated"
    step: float = 1e-3  #: [s]
    tolerance: float = 1e-10  #: on the gap of joints that are closed [m, or of directions]
    iterations: int = 200  #: of the forces in joints, at most
    exchange: str = "sweep"
    merge: str | tuple[tuple[str, ...], ...] = "auto"
    subsystems: tuple[tuple[str, ...], ...] = ()  #: groups that are merged, and whose positions are those of joint coordinates
    substeps: Mapping[str, int] | tuple[tuple[str, int], ...] = ()  #: bodies that take several steps in one, and how many
    integrators: Mapping[str, str] | tuple[tuple[str, str], ...] = ()  #: of bodies that shall have another than "verlet": "newmark"
    damping: float = 0.1  #: ε of explicit joints
    stiffness: float = 0.8  #: of explicit joints, relative to the limit of stability
    perturbation: float | None = None  #: ε₁ of the adaptive step (24) of iterated joints [(m/s²)²]
    threads: int | None = None  #: None: all cores if there are many bodies

    def __post_init__(self) -> None:
        check_options(self)
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
        positive_integer(self.iterations, "iterations")
        if self.threads is not None:
            positive_integer(self.threads, "threads")
        iterated, explicit = (self.joints == "iterated", "joints='iterated'"), (self.joints == "explicit", "joints='explicit'")
        readers = {"iterations": iterated, "exchange": iterated, "damping": explicit, "stiffness": explicit}
        refuse_unread(self, f"joints='{self.joints}'", readers)
        if self.perturbation is not None and not self.perturbation > 0:
            raise DescriptionError(f"perturbation (ε₁ of the adaptive step) must be positive, got {self.perturbation}.")
        if self.perturbation is not None and self.joints == "explicit":
            raise DescriptionError(
                f"perturbation={self.perturbation} is for iterated joints: explicit ones close gaps by what they hold bodies with, which "
                "does not get smaller with the step. Choose joints='iterated', or a shorter step."
            )
        object.__setattr__(self, "merge", _groups(self.merge))
        object.__setattr__(self, "subsystems", subsystem_groups(self.subsystems))
        object.__setattr__(self, "substeps", _substeps(self.substeps))
        if self.subsystems and self.substeps:
            raise DescriptionError("Subsystems take the steps of the whole, but substeps were given. Leave out one of them.")
        object.__setattr__(self, "integrators", _pairs(self.integrators))
        for _, integrator in self.integrators:
            if integrator not in BODY_INTEGRATORS:
                raise unknown("integrator of a body", integrator, BODY_INTEGRATORS)

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
    def torn(self) -> float:
        """Residual of a joint, relative to the size of the mechanism, from which on it is not closed any more; more than that from which on
        explicit joints are merged."""
        return 1e-6 if self.joints == "iterated" else 2.0 * SOFT

    @property
    def slack(self) -> tuple[float, float]:
        """Gap and rate of joints that count as closed: what is not iterated further, or what explicit ones yield by."""
        if self.joints == "iterated":
            return self.tolerance, self.tolerance / self.step
        return YIELDS * self.step**2, YIELDS * self.step

    @property
    def tolerances(self) -> None:
        """Steps are fixed."""
        return

    @property
    def remedy(self) -> str:
        """What to do about a run that is not accurate enough."""
        other = "" if self.joints == "iterated" else ", or joints that are iterated until they are closed (Modular('iterated'))"
        return f"Take a smaller step than {self.step:g} s{other}"

    @property
    def energy_tolerance(self) -> float:
        """Not controlled."""
        return np.inf

    @property
    def limit(self) -> float:
        """Largest ω h for which a spring with this damping ratio is stable in these steps; see the page on the modular solver."""
        return 2.0 / (self.damping + np.sqrt(1.0 - 3.0 * self.damping**2))

    def kernels(self, dim: int) -> list[entry]:
        """Those that its steps need, most of them."""
        return [*entries_in(energy, judging, loops, phases, pieces, modular_steps), last_sample, strike, tangents]

    def check(self, model: Model) -> None:
        """Refuse merge groups that a model does not have."""
        if not isinstance(self.merge, str):
            check_groups(Graph(model), self.merge)
        check_subsystems(model, self.subsystems)
        for name, _ in (*self.substeps, *self.integrators):
            if name not in model.body_rows.index or name == GROUND:
                raise unknown("body", name, [n for n in model.body_rows.index if n != GROUND])

    def groups(self, graph: Graph) -> list[set[int]]:
        """Bodies that are merged from the start."""
        if self.merge == "loops":
            return loop_groups(graph)
        if self.merge == "auto":
            return light_groups(graph, LIGHT) if self.joints == "explicit" else []
        return named_groups(graph, self.merge)  # type: ignore[arg-type]

    def start(self, model: Model, state: State) -> ModularRun:
        """Prepare to advance a model from a state; the run is told by ``sample_at`` or ``go_to`` how far."""
        refuse_massless(model)
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


def _pairs(values: Any) -> tuple[tuple[str, Any], ...]:
    """A mapping as it is stored, so that solvers can be compared and written to files."""
    return tuple((name, value) for name, value in (values.items() if isinstance(values, Mapping) else values))


def _substeps(substeps: Any) -> tuple[tuple[str, int], ...]:
    items = _pairs(substeps)
    for name, n in items:
        if isinstance(n, bool) or not isinstance(n, int | np.integer) or n < 1:
            raise DescriptionError(f"substeps of body '{name}' must be a positive integer, got {n!r}.")
    return tuple((name, int(n)) for name, n in items)


class ModularRun(Run):
    """A model whose components advance themselves."""

    solver: Modular

    def __init__(self, solver: Modular, model: Model, state: State) -> None:
        w = Workspace(model, state, accelerations=accelerate, refined=False)
        w.install({slots.R_TANGENTS: tangents})
        super().__init__(solver, model, w, steps)
        self._graph = Graph(model)
        self.merged: list[tuple[float, str]] = []  #: explicit joints that have become too soft: when, and which
        w.scalar[slots.S_STEP] = solver.step
        if solver.subsystems:
            w.install({slots.R_TIDY: tidy})
            self._tree = Tree(model, joints=joints_inside(model, solver.subsystems))
            Frames(self._tree, w, {name for group in solver.subsystems for name in group})
            w.routine[slots.R_TREE] = self._tree.address
        threads = self._threads()
        self._team = Team(threads)
        self.plan = self._plan(threads)

    def _plan(self, threads: int) -> Plan:
        solver, w, graph, model = self.solver, self.workspace, self._graph, self.model
        explicit = solver.joints == "explicit"
        self._planned = self._soft()
        groups = united(
            graph,
            [*solver.groups(graph), *named_groups(graph, solver.subsystems), *(whole_group(graph, graph.ends[j]) for j in self._planned)],
        )
        sweeps = not explicit and solver.exchange == "sweep"
        rates = Rates(graph, dict(solver.substeps)) if solver.substeps else None
        shortest = 0.0 if rates is None else solver.step / rates.parts[-1]
        if model.closings:
            rates = None  # ramps are of all levels: meanwhile everything is advanced in the shortest steps
        scopes = [everything(model)] if rates is None else [rates.scope(k) for k in range(len(rates.parts))]
        plans = [Plan(w, partition(graph, groups, sweeps=sweeps, scope=scope), threads, scope) for scope in scopes]
        for k, plan in enumerate(plans):
            step = solver.step if rates is None else solver.step / rates.parts[k]
            self._set_up(plan, step)
            plan.make_implicit([b for b in self._implicit() if plan.scope.bodies[b]])
            if rates is not None and k + 1 < len(plans):
                plan.table[p.P_FINER], plan.table[p.P_PARTS] = plans[k + 1].address, rates.parts[k + 1] // rates.parts[k]
            plan.array(p.P_KERNEL, kernel_addresses(plan))
        self._finer = plans[1:]
        plans[0].number[p.X_LONGEST] = shortest if model.closings else 0.0
        w.routine[slots.R_PLAN] = plans[0].address
        return plans[0]

    def _implicit(self) -> list[int]:
        """Rows of the bodies with an implicit integrator."""
        index = self.model.body_rows.index
        return sorted(index[name] for name, kind in self.solver.integrators if kind == "newmark" and name in index)

    def check(self, touched: Collection[str] | None = None) -> None:
        """Refuse steps that are too long for the stiffness of a force."""
        step, per_level = self.solver.step, [1]
        levels = np.zeros(len(self.model.body_rows), dtype=np.int64)
        if self.solver.substeps:
            rates = Rates(self._graph, dict(self.solver.substeps))
            per_level, levels = rates.parts, rates.body
        steps = {record.name: step / per_level[int(k)] for record, k in zip(self.model.body_rows.records, levels)}
        check_stiffness(self.workspace, steps, {name for name, kind in self.solver.integrators if kind == "newmark"}, touched)

    def _set_up(self, plan: Plan, step: float) -> None:
        """Settings of a level."""
        solver, w = self.solver, self.workspace
        explicit, relaxed = solver.joints == "explicit", solver.exchange == "relaxation"
        plan.mu[: len(plan.rows)] = w.mu[plan.rows]
        table, number = plan.table, plan.number
        table[p.P_EXPLICIT], table[p.P_METHOD] = int(explicit), RELAX if relaxed else CONJUGATE
        table[p.P_ITERATIONS], table[p.P_PASSES] = solver.iterations, PASSES
        table[p.P_YIELD], table[p.P_SLEEP], table[p.P_CLOCK] = system_addresses()
        number[p.X_TOLERANCE], number[p.X_EPSILON], number[p.X_DELTA] = solver.tolerance, solver.damping, solver.stiffness
        number[p.X_OMEGA] = np.sqrt(solver.stiffness) * solver.limit
        number[p.X_LIMIT], number[p.X_STEP] = solver.perturbation or 0.0, step
        size = self.model.body_length
        power = round(np.log10(size))
        scale = 10.0**power
        w.evaluate()
        judging.find_scales(w.address, power)
        plan.scale[: self.model.nc] = w.temp_c[: self.model.nc]
        number[p.X_STILL] = STILL * scale / step
        number[p.X_SOFT] = SOFT * size / scale if solver.merge == "auto" and explicit else np.inf
        if explicit or relaxed:
            plan.see()

    def _threads(self) -> int:
        """One where threads would wait for each other: Python's lock, or ramps, which move what others look at."""
        if self.model.callbacks or self.model.closings or self.solver.substeps or self.solver.integrators:
            return 1
        n, wanted = len(self.model.body_rows) - 1, self.solver.threads
        most = min(os.cpu_count() or 1, 1 + n // MANY_BODIES) if wanted is None else wanted
        return max(1, min(most, n))

    def _take(self, steps: int) -> None:
        status = self.workspace.status
        end = int(status[slots.ST_STEPS]) + steps
        while True:
            self._team.run(self._kernel, self.workspace.address, end - int(status[slots.ST_STEPS]))
            if status[slots.ST_CODE] != slots.CODE_SOFT:
                return
            status[slots.ST_CODE] = slots.CODE_OK
            self._merge_soft()
            if status[slots.ST_CODE] != slots.CODE_OK or status[slots.ST_STEPS] >= end:
                return

    def _soft(self) -> list[int]:
        """Rows of the explicit joints that have become too soft: the state tells."""
        w, joints = self.workspace, np.array(self._graph.joints, dtype=np.int64)
        return joints[w.merged[w.joint_c[joints]] > 0.0].tolist()

    def _plan_again(self) -> None:
        old = self.plan
        self.plan = self._plan(int(old.table[p.P_THREADS]))
        self.plan.worst[:], self.plan.account[:] = old.worst, old.account

    def _find_powers(self) -> None:
        """Joints are merged as the state says, whichever were before it was loaded."""
        if self._soft() != self._planned:
            self._plan_again()

    def checkpoint(self) -> tuple[Any, ...]:
        """And the masses that explicit joints have seen, which are not always those of the present position."""
        return (*super().checkpoint(), [[values.copy() for values in plan.seen] for plan in (self.plan, *self._finer)])

    def rewind(self, checkpoint: tuple[Any, ...]) -> None:
        """Back to a checkpoint of the same journey."""
        super().rewind(checkpoint)
        for plan, seen in zip((self.plan, *self._finer), checkpoint[2]):
            for values, kept in zip(plan.seen, seen):
                values[:] = kept

    def _merge_soft(self) -> None:
        """Explicit joints that have become too soft are solved inside from now on; what that takes is dissipated.

        It is where the sources treat equations at velocity level: an impulse makes the velocities fit (paper, 3.2). All that hangs
        together is merged: joints that went on as springs would see other masses, and give back more than they have taken. Where there is
        no closed position nearby, they remain springs, as long as that goes well.
        """
        w, model, old = self.workspace, self.model, self.plan
        relative = np.abs(w.phi[: model.nc]) / old.scale[: model.nc]
        gaps = {j: relative[w.joint_c[j] : w.joint_c[j + 1]].max(initial=0.0) for j in old.loose.tolist()}
        soft = [j for j, gap in gaps.items() if gap > old.number[p.X_SOFT]]
        opened, before, q, force = w.state(), self._kinetic(), w.q.copy(), w.force.copy()
        for j in soft:
            w.merged[w.joint_c[j] : w.joint_c[j + 1]] = 1.0
        self._plan_again()
        if self._project() or self._search(opened):
            self.merged += [(self.time, model.joint_rows.records[j].name) for j in soft]
            w.accelerate()  # joints see their masses before they push
            w.work[0] += before - self._kinetic() + self._lift(q, force)
            w.evaluate()
            return
        w.load(opened)
        self._plan_again()
        w.accelerate()
        if not (np.abs(w.phi[: model.nc]) / old.scale[: model.nc]).max() <= 2.0 * old.number[p.X_SOFT]:
            w.status[slots.ST_CODE] = slots.CODE_STEP_COLLAPSED

    def _search(self, opened: State) -> bool:
        """Close all joints from a state whose gaps are too wide for a projection."""
        w, found = self.workspace, Workspace(self.model, opened, refined=False)
        if not close_positions(found, self._closed) <= self._closed:
            return False
        w.q[: self.model.nq], w.v[: self.model.nv] = found.q[: self.model.nq], found.v[: self.model.nv]
        return self._project()

    def _project(self) -> bool:
        """Close all joints in the metric of the mass; ten passes of Newton's iteration are not always enough."""
        w = self.workspace
        for _ in range(PASSES):
            w.project()
            if w.scalar[slots.S_VIOLATION] <= self._closed:
                return True
        return False

    @property
    def _closed(self) -> float:
        """Gap that a projection may leave, of lengths and directions alike; passes close what is left."""
        return self.solver.tolerance * max(1.0, self.model.body_length)

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
