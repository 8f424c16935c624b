"""The recursive solver: joint coordinates, trees in O(n), loops closed by their joints."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..calls import explained_methods
from ..errors import DescriptionError, unknown
from ..integrators import adaptive, rk4
from ..integrators.steps import last_sample
from ..kernels import blocksparse, slots
from ..kernels import tree as t
from ..kernels.lazy import entries_in, entry
from ..kernels.memory import Uncopyable, address_of
from ..model import Model, State
from ..recursive import aba, advancing, bodies, growing, loops, planar, ways
from ..recursive.advancing import accelerate_bodies, accelerate_joints, project, publish, steps, tidy
from ..recursive.coupling import Coupling
from ..recursive.tree import Tree
from .massless import check_moved
from .options import check_options, refuse_unread
from .run import Run, Solver
from .workspace import Workspace

__all__ = ["Recursive"]

INTEGRATORS = ("adaptive", "rk4")
LOOPS = ("projected", "stabilised")
SHARPER = 0.1  # of the tolerances, is what joints get: at the end of a chain their errors add up, and nothing is projected off


@explained_methods
@dataclass(frozen=True)
class Recursive:
    """How to advance a model in joint coordinates; see the page on recursive dynamics.

    integrator
        ``adaptive`` (order 8, default) · ``rk4``, which needs a step
    loops
        ``projected``   positions and velocities are projected onto the equations of joints that close loops after every step (default)
        ``stabilised``  φ̈ + 2ξω φ̇ + ω² φ = 0 in these
    root
        a body from which the trees grow; the ground unless said otherwise
    """

    integrator: str = "adaptive"
    loops: str = "projected"
    step: float | None = None  #: [s]
    rtol: float = 1e-9
    atol: float = 1e-11
    max_step: float = np.inf  #: [s]
    root: str | None = None
    omega: float = 2 * np.pi * 10  #: ω of stabilised loops [rad/s]
    xi: float = 1.0  #: their damping ratio ξ

    def __post_init__(self) -> None:
        check_options(self)
        if self.integrator not in INTEGRATORS:
            raise unknown("integrator", self.integrator, INTEGRATORS)
        if self.loops not in LOOPS:
            raise unknown("way to close loops", self.loops, LOOPS)
        if self.fixed_step and self.step is None:
            raise DescriptionError(f"The integrator '{self.integrator}' needs a step: Recursive(…, step=1e-3).")
        if self.fixed_step and not (np.isfinite(self.step) and self.step > 0):  # type: ignore[operator]
            raise DescriptionError(f"The step must be a positive number of seconds, got {self.step}.")
        if not self.fixed_step and self.step is not None:
            raise DescriptionError(
                f"The integrator '{self.integrator}' chooses its steps itself: give rtol and atol (or max_step) instead of step."
            )
        for name, low, high in (("rtol", 1e-14, 1), ("xi", 0, np.inf), ("omega", 0, np.inf)):
            value = getattr(self, name)
            if not low <= value <= high:
                raise DescriptionError(f"{name} must be between {low:.3g} and {high:.3g}, got {value}.")
        stabilised = self.loops == "stabilised", "loops='stabilised'"
        adaptive = not self.fixed_step, "the integrator 'adaptive'"
        readers = {"omega": stabilised, "xi": stabilised, "rtol": adaptive, "atol": adaptive}
        refuse_unread(self, f"the integrator '{self.integrator}' with loops='{self.loops}'", readers)
        for name in ("atol", "max_step"):
            if not getattr(self, name) > 0:
                raise DescriptionError(f"{name} must be positive, got {getattr(self, name)}.")

    @property
    def fixed_step(self) -> bool:
        """Whether steps are of equal length."""
        return self.integrator == "rk4"

    @property
    def one_step(self) -> bool:
        """The next step depends on nothing but the present state."""
        return True

    @property
    def torn(self) -> float:
        """Residual of a joint, relative to the size of the mechanism, from which on it is not closed any more."""
        return 1e-6 if self.loops == "projected" else 1e-3

    @property
    def slack(self) -> tuple[float, float]:
        """Joints are closed to rounding."""
        return 0.0, 0.0

    @property
    def tolerances(self) -> tuple[float, float] | None:
        """rtol and atol of adaptive steps; None of fixed ones."""
        return None if self.fixed_step else (self.rtol, self.atol)

    @property
    def remedy(self) -> str:
        """What to do about a run that is not accurate enough."""
        return f"Take a smaller step than {self.step:g} s" if self.fixed_step else "Take smaller rtol and atol, or max_step="

    @property
    def energy_tolerance(self) -> float:
        """Of the energy present, what may get lost; infinite if that is not controlled."""
        return np.inf if self.fixed_step or self.loops != "projected" else self.rtol

    def kernels(self, dim: int) -> list[entry]:
        """Those that its steps need."""
        integrator = [rk4.steps, last_sample, adaptive.take_samples] if self.integrator == "rk4" else entries_in(adaptive)
        return [*integrator, *entries_in(growing, bodies, planar if dim == 2 else aba, advancing, ways, loops), blocksparse.refuse]

    def check(self, model: Model) -> None:
        """The root must be one of the bodies."""
        if self.root is not None and self.root not in model.body_rows.index:
            raise unknown("body", self.root, list(model.body_rows.index))

    def start(self, model: Model, state: State) -> Run:
        """Prepare to advance a model from a state; the run is told by ``sample_at`` or ``go_to`` how far."""
        return RecursiveRun(self, model, state, self)

    def describe(self) -> str:
        """One line for reports."""
        how = f"step {self.step:g} s" if self.fixed_step else f"rtol {self.rtol:g}, atol {self.atol:g}"
        return f"recursive, loops {self.loops}, {self.integrator}, {how}"


class RecursiveRun(Run):
    """A model being advanced in joint coordinates."""

    def __init__(self, solver: Solver, model: Model, state: State, how: Recursive, joints: Collection[int] | None = None) -> None:
        """how: the settings. joints: rows of those that joint coordinates are used for, where possible; all, unless said otherwise."""
        w = Workspace(model, state, accelerations=accelerate_bodies, matrix=False)
        s = w.scalar
        s[slots.S_OMEGA], s[slots.S_XI] = (how.omega, how.xi) if how.loops == "stabilised" else (0.0, 0.0)
        s[slots.S_RTOL], s[slots.S_ATOL] = max(SHARPER * how.rtol, 1e-14), SHARPER * how.atol
        w.count[slots.N_PROJECT] = 4 if how.loops == "projected" else 0
        if how.fixed_step:
            w.compare_lengths()
        kernel: entry = rk4.steps
        if how.integrator == "adaptive":
            w.bind("tableau", adaptive.tableau())
            kernel = adaptive.steps
        w.install({slots.R_SAMPLES: adaptive.take_samples, slots.R_STEPS: kernel})
        self.tree = Tree(model, how.root if how.root in model.body_rows.index else None, joints, heaviest=True)
        Coupling(self.tree, w)
        self._joints = _Joints(self.tree, w)
        w.routine[slots.R_PLAN] = self.tree.address
        super().__init__(solver, model, w, steps)
        if model.massless:
            w.bind("mass", model.arrays["mass"])  # of which energies are made

    def check(self, touched: Collection[str] | None = None) -> None:
        """Refuse motions that nothing determines."""
        if self.model.massless:
            self.workspace.accelerate()
            check_moved(self.tree)

    def rewind(self, checkpoint: tuple[Any, ...]) -> None:
        """Back to a checkpoint of the same journey. Links are placed anew if they were lost: what has no place in a plane is not written at
        every step, and would stay so."""
        w = self.workspace
        lost = not (np.isfinite(w.q).all() and np.isfinite(w.v).all())
        super().rewind(checkpoint)
        if lost:
            w.routine[slots.R_TREE] = self.tree.address
            tidy(w.address, 0, 0)
            super().rewind(checkpoint)

    def release(self) -> None:
        super().release()
        self.tree.release()


class _Joints(Uncopyable):
    """The context of the joints: that of the bodies, with joint coordinates in the place of theirs."""

    def __init__(self, tree: Tree, w: Workspace) -> None:
        self.addresses = w.addresses.copy()
        nq, nv = tree.nq, tree.nv
        count, routine = w.count.copy(), w.routine.copy()
        count[slots.N_Q], count[slots.N_V] = nq, nv
        for index, kernel in ((slots.R_ACCELERATE, accelerate_joints), (slots.R_PROJECT, project), (slots.R_PUBLISH, publish)):
            routine[index] = kernel.address
        routine[slots.R_BODIES], routine[slots.R_PLAN] = w.address, tree.address
        lengths = {"q": nq, "v": nv, "qd": nq, "acc": nv, "delta": nv, "q0": nq, "v0": nv}
        lengths |= {"stage_q": 16 * nq, "stage_v": 16 * nv, "temp_q": 4 * nq, "temp_v": 8 * nv}
        self._kept = tree.room(sum(lengths.values()) + 1), count, routine
        place = address_of(self._kept[0])
        for name, length in lengths.items():
            self.addresses[slots.INDEX[name]] = place
            place += 8 * length
        self.addresses[slots.COUNT], self.addresses[slots.ROUTINE] = address_of(count), address_of(routine)
        for slot, field in ((t.T_Q, slots.Q), (t.T_V, slots.V), (t.T_A, slots.ACC)):
            tree.table[slot] = self.addresses[field]
        tree.put(t.T_JOINTS, self.addresses)
