"""The central solver: one system for the whole model, formulation × integrator."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np

from ..calls import explained_methods
from ..errors import DescriptionError, unknown
from ..formulations.accelerations import PENALTY_ITERATIONS
from ..formulations.linearisation import RateJacobian
from ..integrators import adaptive, implicit, rk4
from ..integrators.scipy_methods import METHODS as SCIPY_METHODS
from ..integrators.scipy_methods import ScipyStepper
from ..integrators.steps import last_sample
from ..kernels import slots
from ..kernels.lazy import entries_in, entry
from ..model import Model, State
from .massless import refuse_massless
from .options import check_options, positive_integer, refuse_unread
from .recursive import INTEGRATORS as RECURSIVE_INTEGRATORS
from .recursive import Recursive, RecursiveRun
from .run import Run
from .subsystems import check_subsystems, joints_inside, subsystem_groups
from .workspace import Workspace

__all__ = ["FORMULATIONS", "INTEGRATORS", "Central"]

FORMULATIONS = ("projected", "baumgarte", "augmented", "index3")
IMPLICIT = ("newmark", "hht", "generalized-alpha")
INTEGRATORS = ("adaptive", "rk4", *IMPLICIT, *SCIPY_METHODS)


@explained_methods
@dataclass(frozen=True)
class Central:
    """How to advance a model as one system.

    formulation
        ``projected``  accelerations from the KKT system; positions and velocities projected onto the constraints after every step (default)
        ``baumgarte``  constraints stabilised, φ̈ + 2ξω φ̇ + ω² φ = 0
        ``augmented``  acceleration-based augmented Lagrangian with penalty α, stabilised alike (T4f)
        ``index3``     constraints at position level, projection of velocities and accelerations; for the implicit integrators
    integrator
        ``adaptive`` (order 8, default) · ``rk4`` · ``newmark`` · ``hht`` · ``generalized-alpha`` ·
        SciPy's ``RK45``, ``RK23``, ``DOP853``, ``Radau``, ``BDF``, ``LSODA``

    subsystems
        groups of bodies, by names, that are one component each: inside, joints are coordinates, as with the recursive solver. A group
        that names the ground hangs on it

    step is needed by the fixed-step integrators; rtol and atol by the adaptive ones.
    """

    formulation: str = "projected"
    integrator: str = "adaptive"
    step: float | None = None  #: [s]
    rtol: float = 1e-9
    atol: float = 1e-11
    max_step: float = np.inf  #: [s]
    omega: float = 2 * np.pi * 10  #: stabilisation frequency ω of Baumgarte and augmented [rad/s]
    xi: float = 1.0  #: its damping ratio ξ
    penalty: float = 1e7  #: α of the augmented Lagrangian
    iterations: int = PENALTY_ITERATIONS  #: of the augmented Lagrangian
    alpha: float = 0.05  #: of HHT, in [0, 1/3]
    radius: float = 0.8  #: spectral radius of generalised-alpha, in [0, 1]
    newton_tolerance: float = 1e-9  #: of the implicit integrators: largest last correction of a position, in parts of the bodies' length
    subsystems: tuple[tuple[str, ...], ...] = ()  #: groups of bodies that are one component each, in joint coordinates inside

    def __post_init__(self) -> None:
        check_options(self)
        if self.formulation not in FORMULATIONS:
            raise unknown("formulation", self.formulation, FORMULATIONS)
        if self.integrator not in INTEGRATORS:
            raise unknown("integrator", self.integrator, INTEGRATORS)
        if self.fixed_step:
            if self.step is None:
                raise DescriptionError(f"The integrator '{self.integrator}' needs a step: Central(…, step=1e-3).")
            if not (np.isfinite(self.step) and self.step > 0):
                raise DescriptionError(f"The step must be a positive number of seconds, got {self.step}.")
        elif self.step is not None:
            raise DescriptionError(
                f"The integrator '{self.integrator}' chooses its steps itself: give rtol and atol (or max_step) instead of step."
            )
        if self.formulation == "index3" and self.integrator not in IMPLICIT:
            raise DescriptionError(
                f"The formulation 'index3' goes with {', '.join(IMPLICIT)}, got '{self.integrator}'. Use 'projected' with the others."
            )
        if self.formulation == "projected" and self.integrator in IMPLICIT:
            object.__setattr__(self, "formulation", "index3")  # the implicit schemes hold the positions themselves
        object.__setattr__(self, "subsystems", subsystem_groups(self.subsystems))
        if self.subsystems and (self.formulation != "projected" or self.integrator not in RECURSIVE_INTEGRATORS):
            raise DescriptionError(
                f"Subsystems go with the formulation 'projected' and the integrators {', '.join(RECURSIVE_INTEGRATORS)}, got "
                f"'{self.formulation}' and '{self.integrator}'. Choose these, or leave out subsystems."
            )
        for name, low, high in (("alpha", 0, 1 / 3), ("radius", 0, 1), ("rtol", 1e-14, 1), ("xi", 0, np.inf), ("omega", 0, np.inf)):
            value = getattr(self, name)
            if not low <= value <= high:
                raise DescriptionError(f"{name} must be between {low:.3g} and {high:.3g}, got {value}.")
        positive_integer(self.iterations, "iterations")
        for name in ("atol", "max_step", "penalty", "newton_tolerance"):
            if not getattr(self, name) > 0:
                raise DescriptionError(f"{name} must be positive, got {getattr(self, name)}.")
        refuse_unread(self, f"the formulation '{self.formulation}' with the integrator '{self.integrator}'", self.readers())

    def readers(self) -> dict[str, tuple[bool, str]]:
        """Of the options that not every method reads: whether this one does, and which do."""
        adaptive = not self.fixed_step, f"integrators that choose their steps: adaptive, {', '.join(SCIPY_METHODS)}"
        stabilised = self.formulation in ("baumgarte", "augmented"), "the formulations 'baumgarte' and 'augmented'"
        penalty = (
            self.formulation == "augmented" and self.integrator not in IMPLICIT,
            "the formulation 'augmented' with adaptive integrators or 'rk4'",
        )
        return {
            "rtol": adaptive,
            "atol": adaptive,
            "omega": stabilised,
            "xi": stabilised,
            "penalty": penalty,
            "iterations": penalty,
            "alpha": (self.integrator == "hht", "the integrator 'hht'"),
            "radius": (self.integrator == "generalized-alpha", "the integrator 'generalized-alpha'"),
            "newton_tolerance": (self.integrator in IMPLICIT, f"the integrators {', '.join(IMPLICIT)}"),
        }

    @property
    def fixed_step(self) -> bool:
        """Whether the integrator takes steps of equal length."""
        return self.integrator == "rk4" or self.integrator in IMPLICIT

    @property
    def one_step(self) -> bool:
        """Whether the next step depends on nothing but the present state, so that a run can be changed at any step."""
        return self.integrator not in SCIPY_METHODS

    @property
    def holds_joints(self) -> bool:
        """Whether joints stay closed, and not only about so."""
        return self.formulation in ("projected", "index3")

    @property
    def torn(self) -> float:
        """Residual of a joint, relative to the size of the mechanism, from which on it is not closed any more."""
        return 1e-6 if self.holds_joints else 1e-3

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
        steps = f"Take a smaller step than {self.step:g} s" if self.fixed_step else "Take smaller rtol and atol, or max_step="
        if self.readers()["penalty"][0]:
            return f"{steps}, or a larger penalty than {self.penalty:g}"
        return steps if self.holds_joints else f"{steps}, or a larger omega than {self.omega:.3g}"

    @property
    def energy_tolerance(self) -> float:
        """Of the energy present, what may get lost; infinite if that is not controlled."""
        return self.rtol if self.formulation == "projected" and not self.fixed_step else np.inf

    def kernels(self, dim: int) -> list[entry]:
        """Those that its steps need."""
        if self.subsystems:
            return Recursive(self.integrator, step=self.step).kernels(dim)
        if self.integrator in IMPLICIT:
            return [*entries_in(implicit), last_sample]
        return {"rk4": [rk4.steps, last_sample], "adaptive": entries_in(adaptive)}.get(self.integrator, [])

    def check(self, model: Model) -> None:
        """Refuse subsystems that a model does not have."""
        check_subsystems(model, self.subsystems)

    def start(self, model: Model, state: State) -> Run:
        """Prepare to advance a model from a state; the run is told by ``sample_at`` or ``go_to`` how far."""
        if not self.subsystems:
            refuse_massless(model)
            return CentralRun(self, model, state)
        how = Recursive(self.integrator, step=self.step, rtol=self.rtol, atol=self.atol, max_step=self.max_step)
        return RecursiveRun(self, model, state, how, joints_inside(model, self.subsystems))

    def describe(self) -> str:
        """One line for reports."""
        how = f"step {self.step:g} s" if self.fixed_step else f"rtol {self.rtol:g}, atol {self.atol:g}"
        inside = f"{len(self.subsystems)} subsystem{'s' if len(self.subsystems) > 1 else ''}, " if self.subsystems else ""
        return f"central, {self.formulation}, {inside}{self.integrator}, {how}"


class CentralRun(Run):
    """A model being advanced as one system."""

    solver: Central

    def __init__(self, solver: Central, model: Model, state: State) -> None:
        w = Workspace(model, state, implicit=solver.integrator in IMPLICIT)
        s = w.scalar
        stabilised = solver.formulation in ("baumgarte", "augmented")
        s[slots.S_OMEGA], s[slots.S_XI] = (solver.omega, solver.xi) if stabilised else (0.0, 0.0)
        s[slots.S_RTOL], s[slots.S_ATOL] = solver.rtol, solver.atol
        if solver.fixed_step:  # where steps are chosen, tolerances see to it that results do not depend on the unit of length
            w.compare_lengths()
        s[slots.S_TOL] = solver.newton_tolerance * s[slots.S_LENGTH]
        w.count[slots.N_PROJECT] = 4 if solver.holds_joints else 0
        if solver.formulation == "augmented":  # the iteration of the sources: from λ = 0, at most so many times, μ = 1/α
            w.mu[: model.nc] = 1.0 / solver.penalty
            w.count[slots.N_ITERATIONS] = solver.iterations
        self._scipy: ScipyStepper | None = None
        kernel: entry = rk4.steps
        if solver.integrator == "adaptive":
            w.bind("tableau", adaptive.tableau())
            w.install({slots.R_SAMPLES: adaptive.take_samples})
            kernel = adaptive.steps
        elif solver.integrator in IMPLICIT:
            kernel = implicit.steps
            values = implicit.parameters(solver.integrator, alpha=solver.alpha, radius=solver.radius)
            s[slots.S_BETA], s[slots.S_GAMMA], s[slots.S_ALPHA_M], s[slots.S_ALPHA_F] = values
        super().__init__(solver, model, w, kernel, carries=solver.integrator in IMPLICIT)

    def _aim(self, end: float) -> None:
        super()._aim(end)
        solver = self.solver
        if solver.integrator in SCIPY_METHODS:
            numbers = (solver.rtol, solver.atol, solver.max_step, end)
            self._scipy = ScipyStepper(self.workspace, solver.integrator, *numbers, RateJacobian)

    def _take(self, steps: int) -> None:
        if self._scipy is not None:
            self._scipy.advance(steps)
            return
        if self.solver.integrator in IMPLICIT:
            w = self.workspace
            usual = w.scalar[slots.S_STEP] > implicit.SHORT * float(self.solver.step or 0.0)
            w.count[slots.N_INDEX3] = int(self.solver.formulation == "index3" and usual)
        super()._take(steps)

    def arm(
        self,
        resolution: float,
        sides: Mapping[str, int] | None = None,
        new: Collection[str] = (),
        angles: Mapping[str, float] | None = None,
    ) -> None:
        if self.solver.integrator in SCIPY_METHODS:
            raise DescriptionError(
                f"The integrator '{self.solver.integrator}' cannot watch for events. "
                "Take 'adaptive', 'rk4', 'newmark', 'hht' or 'generalized-alpha'."
            )
        super().arm(resolution, sides, new, angles)
