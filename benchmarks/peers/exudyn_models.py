"""The three chain and linkage workloads of bielle's benchmarks, built and run in Exudyn.

Every function builds one model in absolute (redundant) coordinates, as bielle does, runs its implicit
generalized-alpha integrator with a fixed step on one thread, and returns a `PeerRun`. Only the solver call is timed: model building and
assembly are not.

    run = planar_chain(100, step=1e-3, duration=1.0)
    run.seconds / run.steps, run.tip, run.energy_error

Without a `solver` argument the choices that measured fastest for that model and size are used (see `_fastest_planar` and its siblings);
`fastest` repeats that measurement on the machine at hand. Run the module for a table: `python -m benchmarks.peers.exudyn_models`.
"""

import itertools
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

# Exudyn ships a build without range checks and with AVX2, chosen before the first import; it falls back to the plain one by itself when the
# processor lacks AVX2. A peer must be measured at its quickest. A choice already made by the caller is respected.
if not hasattr(sys, "exudynFast"):
    sys.exudynFast = True  # type: ignore[attr-defined]

import exudyn as exu
from exudyn import itemInterface as ei

G = 9.81
FOUR_BAR_REFERENCE = {2: (0.328458111536, 0.944518538180), 40: (0.180512226684, 0.983572740583)}
"""Exact position of B0 at t = 10 s, by number of windows n."""


@dataclass(frozen=True)
class Solver:
    """The solver choices that were worth varying; everything else is Exudyn's default."""

    linear: str = "EigenDense"  # a member of exu.LinearSolverType
    modified_newton: bool = False  # keep the Jacobian while the iteration contracts
    index2: bool = False  # constraints at velocity level with the trapezoidal rule, else at position level with generalized-alpha
    spectral_radius: float = 0.9  # of generalized-alpha; Exudyn's default
    # Of the Newton iteration. Exudyn's default is 1e-8; 1e-5 saves an iteration or more per step, and with the choices below the change
    # in the result stays at or below the discretisation error at a step of 1 ms. It does not for modified Newton on the four-bar linkage,
    # nor at position level on the planar chain of 100 links; and a study of convergence with much smaller steps should go back to 1e-8.
    relative_tolerance: float = 1e-5
    node: str = "2D"  # planar bodies: 2D, and ignored; spatial ones: EP (Euler parameters) or LG (rotation vector, Lie group update)

    def __str__(self) -> str:
        """One line for tables."""
        newton = "modified" if self.modified_newton else "full"
        scheme = "trapezoidal index 2" if self.index2 else f"generalized-alpha index 3 rho {self.spectral_radius:g}"
        return f"{scheme}, {self.linear}, {newton} Newton rtol {self.relative_tolerance:g}, {self.node}"


@dataclass(frozen=True)
class PeerRun:
    """One timed run of a peer program."""

    seconds: float  # wall time of the solver call only
    steps: int  # steps actually taken: more than duration/step if the solver had to cut steps
    tip: np.ndarray  # final position of the observed point, or one row per time when samples were asked for
    times: np.ndarray  # the times that belong to `tip`
    energy_error: float | None  # |E(end) - E(0) - work of applied forces| over the energy scale of the model
    settings: str
    constraint_error: float = 0.0  # largest gap between joined points at the end, in metres: velocity-level constraints drift
    newton_iterations: int = 0
    jacobians: int = 0

    @property
    def microseconds_per_step(self) -> float:
        """Wall time per step taken."""
        return 1e6 * self.seconds / self.steps


class _Model:
    """A system under construction, with what is needed afterwards to compute its energy and its observed point."""

    def __init__(self, gravity: tuple[float, float, float]) -> None:
        # The container must outlive the system: it owns it.
        self.container = exu.SystemContainer()
        self.mbs = self.container.AddSystem()
        self.ground = self.mbs.AddObject(ei.ObjectGround(referencePosition=[0.0, 0.0, 0.0]))
        self.gravity = np.array(gravity)
        self.bodies: list[tuple[Any, float, np.ndarray]] = []
        self.tip: tuple[Any, list[float]] = (self.ground, [0.0, 0.0, 0.0])
        self.force: tuple[Any, np.ndarray] | None = None
        self.joints: list[list[Any]] = []

    def bar(self, mass: float, inertia: float, position: tuple[float, float], angle: float, velocity: tuple[float, float, float]) -> Any:
        """Add a planar rigid body, by the pose and velocity (vx, vy, omega) of its centre of mass."""
        node = self.mbs.AddNode(ei.NodeRigidBody2D(referenceCoordinates=[*position, angle], initialVelocities=list(velocity)))
        body = self.mbs.AddObject(ei.ObjectRigidBody2D(mass=mass, inertia=inertia, nodeNumber=node))
        self._weigh(body, mass, np.array([0.0, 0.0, inertia]))
        return body

    def link(self, mass: float, inertia: np.ndarray, position: tuple[float, float, float], node_type: str) -> Any:
        """Add a spatial rigid body at rest, its axes along the global ones."""
        if node_type == "EP":
            node = ei.NodeRigidBodyEP(referenceCoordinates=[*position, 1.0, 0.0, 0.0, 0.0])
        elif node_type == "LG":
            node = ei.NodeRigidBodyRotVecLG(referenceCoordinates=[*position, 0.0, 0.0, 0.0])
        else:
            # Tait-Bryan angles would be cheaper still, but are singular at a quarter turn about y, where a hanging link is.
            raise ValueError(f"unknown node type {node_type!r}: EP or LG")
        number = self.mbs.AddNode(node)
        body = self.mbs.AddObject(ei.ObjectRigidBody(mass=mass, inertia=[*inertia, 0.0, 0.0, 0.0], nodeNumber=number))
        self._weigh(body, mass, inertia)
        return body

    def _weigh(self, body: Any, mass: float, inertia: np.ndarray) -> None:
        marker = self.mbs.AddMarker(ei.MarkerBodyMass(bodyNumber=body))
        self.mbs.AddLoad(ei.LoadMassProportional(markerNumber=marker, loadVector=self.gravity))
        self.bodies.append((body, mass, inertia))

    def point(self, body: Any, x: float, y: float = 0.0) -> Any:
        """A position marker on a body."""
        return self.mbs.AddMarker(ei.MarkerBodyPosition(bodyNumber=body, localPosition=[x, y, 0.0]))

    def frame(self, body: Any, x: float) -> Any:
        """A position and orientation marker on a body, its axes those of the body."""
        return self.mbs.AddMarker(ei.MarkerBodyRigid(bodyNumber=body, localPosition=[x, 0.0, 0.0]))

    def join(self, joint: Callable[..., Any], first: Any, second: Any, **options: Any) -> None:
        """Join two markers by a joint of the given type."""
        self.mbs.AddObject(joint(markerNumbers=[first, second], **options))
        self.joints.append([first, second])

    def pin(self, first: Any, second: Any) -> None:
        """Join two position markers by a planar revolute joint."""
        self.join(ei.ObjectJointRevolute2D, first, second)

    def gap(self) -> float:
        """Largest distance between the points joined by any joint, in the current state."""
        where = [[np.array(self.mbs.GetMarkerOutput(m, exu.OutputVariableType.Position)) for m in pair] for pair in self.joints]
        return float(max(np.linalg.norm(a - b) for a, b in where))

    def output(self, body: Any, local: list[float], variable: Any) -> np.ndarray:
        """A body's output variable at a local point, in the current state."""
        return np.array(self.mbs.GetObjectOutputBody(body, variable, localPosition=local))

    def energy(self) -> float:
        """Kinetic energy plus the potentials of gravity and of the constant applied force."""
        total = 0.0
        centre = [0.0, 0.0, 0.0]
        for body, mass, inertia in self.bodies:
            velocity = self.output(body, centre, exu.OutputVariableType.Velocity)
            # Planar bodies turn about z only, so local and global angular velocity agree and the same expression serves them.
            omega = self.output(body, centre, exu.OutputVariableType.AngularVelocityLocal)
            position = self.output(body, centre, exu.OutputVariableType.Position)
            total += 0.5 * mass * velocity @ velocity + 0.5 * omega @ (inertia * omega) - mass * self.gravity @ position
        if self.force is not None:
            body, vector = self.force
            total -= vector @ self.output(body, centre, exu.OutputVariableType.Position)
        return float(total)

    def run(self, step: float, duration: float, solver: Solver, samples: bool, scale: float, dimension: int) -> PeerRun:
        """Assemble, integrate with the clock running, and read the results back."""
        mbs = self.mbs
        body, local = self.tip
        sensor = None
        if samples:
            sensor = mbs.AddSensor(
                ei.SensorBody(bodyNumber=body, localPosition=local, outputVariableType=exu.OutputVariableType.Position, storeInternal=True)
            )
        mbs.Assemble()
        before = self.energy()

        settings = _simulation_settings(step, duration, solver)
        settings.solution.sensors.active = samples
        settings.solution.sensors.writePeriod = step

        start = time.perf_counter()
        mbs.SolveDynamic(settings)  # raises exu.SolverError on failure
        seconds = time.perf_counter() - start

        iterations = mbs.sys["dynamicSolver"].it
        # SolveDynamic leaves the end state as the current one, which is what the outputs below read.
        if sensor is not None:
            rows = np.array(mbs.GetSensorStoredData(sensor))
            times, tip = rows[:, 0], rows[:, 1 : 1 + dimension]
        else:
            times, tip = np.array([duration]), self.output(body, local, exu.OutputVariableType.Position)[:dimension]
        return PeerRun(
            seconds=seconds,
            steps=iterations.currentStepIndex - 1,  # it counts from one and is left pointing past the last step
            tip=tip,
            times=times,
            energy_error=abs(self.energy() - before) / scale,
            settings=str(solver),
            constraint_error=self.gap(),
            newton_iterations=iterations.newtonStepsCount,
            jacobians=iterations.newtonJacobiCount,
        )


def _simulation_settings(step: float, duration: float, solver: Solver) -> Any:
    settings = exu.SimulationSettings()
    integration = settings.timeIntegration
    integration.endTime = duration
    integration.numberOfSteps = round(duration / step)
    integration.verboseMode = 0
    integration.generalizedAlpha.spectralRadius = solver.spectral_radius
    integration.generalizedAlpha.useIndex2Constraints = solver.index2
    # As Exudyn's own TrapezoidalIndex2 solver type does.
    integration.generalizedAlpha.useNewmark = solver.index2
    integration.newton.useModifiedNewton = solver.modified_newton
    integration.newton.relativeTolerance = solver.relative_tolerance
    settings.linearSolver.solverType = getattr(exu.LinearSolverType, solver.linear)
    # The sparsity never changes in these models, so the symbolic analysis is done once; of no effect on the dense solvers.
    settings.linearSolver.reuseAnalyzedPattern = True
    settings.solution.file.write = False
    settings.parallel.numberOfThreads = 1
    return settings


def _chosen(solver: Solver | None, default: Solver, spectral_radius: float | None) -> Solver:
    solver = solver or default
    if spectral_radius is None:
        return solver
    # The trapezoidal rule has no spectral radius to choose, so asking for one asks for generalized-alpha.
    return replace(solver, spectral_radius=spectral_radius, index2=False)


def planar_chain(
    n: int,
    step: float = 1e-3,
    duration: float = 1.0,
    *,
    samples: bool = False,
    solver: Solver | None = None,
    spectral_radius: float | None = None,
) -> PeerRun:
    """A planar chain of n pinned links, 1 m in all and 0.01 kg each, released from the horizontal; observed at its free end."""
    solver = _chosen(solver, _fastest_planar(n), spectral_radius)
    mass, length = 0.01, 1.0 / n
    model = _Model((0.0, -G, 0.0))
    previous = model.point(model.ground, 0.0)
    body = None
    for i in range(n):
        body = model.bar(mass, mass * length**2 / 12, ((i + 0.5) * length, 0.0), 0.0, (0.0, 0.0, 0.0))
        model.pin(previous, model.point(body, -length / 2))
        previous = model.point(body, length / 2)
    model.tip = (body, [length / 2, 0.0, 0.0])
    return model.run(step, duration, solver, samples, scale=n * mass * G * 1.0, dimension=2)


def spatial_chain(
    n: int,
    step: float = 1e-3,
    duration: float = 1.0,
    *,
    samples: bool = False,
    solver: Solver | None = None,
    spectral_radius: float | None = None,
) -> PeerRun:
    """A chain of n links of 0.1 m and 0.1 kg on revolute, universal and spherical joints in turn, pushed sideways at its last link.

    It starts at rest along +x under gravity in -z, with a constant 0.02 N along y at the centre of mass of the last link, and is observed
    at its free end.
    """
    solver = _chosen(solver, _fastest_spatial(n), spectral_radius)
    mass, length = 0.1, 0.1
    inertia = np.array([1e-5, mass * length**2 / 12, mass * length**2 / 12])
    model = _Model((0.0, 0.0, -G))
    previous, body = model.ground, None
    end = 0.0
    for k in range(n):
        body = model.link(mass, inertia, ((k + 0.5) * length, 0.0, 0.0), solver.node)
        if k % 3 == 2:
            model.join(ei.ObjectJointSpherical, model.point(previous, end), model.point(body, -length / 2), constrainedAxes=[1, 1, 1])
        else:
            # Rotations 3, 4, 5 are about x, y, z of the markers, here the axes of the links. Free y alone is the hinge. With x alone
            # constrained Exudyn keeps y of the first marker square to z of the second: the universal joint with its first axis y fixed in
            # the previous link and its second axis z fixed in the next one. Their order therefore matters.
            axes = [1, 1, 1, 1, 0, 1] if k % 3 == 0 else [1, 1, 1, 1, 0, 0]
            model.join(ei.ObjectJointGeneric, model.frame(previous, end), model.frame(body, -length / 2), constrainedAxes=axes)
        previous, end = body, length / 2
    force = np.array([0.0, 0.02, 0.0])
    model.mbs.AddLoad(ei.LoadForceVector(markerNumber=model.point(body, 0.0), loadVector=force))
    model.force = (body, force)
    model.tip = (body, [length / 2, 0.0, 0.0])
    return model.run(step, duration, solver, samples, scale=n * mass * G * n * length, dimension=3)


def n_four_bar(
    n: int,
    step: float = 1e-3,
    duration: float = 10.0,
    *,
    samples: bool = False,
    solver: Solver | None = None,
    spectral_radius: float | None = None,
) -> PeerRun:
    """The benchmark of n four-bar windows: one degree of freedom, through a singular position on every half turn; observed at B0.

    The n+1 vertical bars stand on ground pivots at (i, 0) and n horizontal bars join their tops; all have 1 m and 1 kg. Released upright
    with the tops moving at (1, 0) m/s.
    """
    solver = _chosen(solver, _fastest_four_bar(n), spectral_radius)
    mass, inertia = 1.0, 1.0 / 12
    model = _Model((0.0, -G, 0.0))
    # A bar's local x runs along it, from foot to top or from left to right.
    uprights = [model.bar(mass, inertia, (float(i), 0.5), np.pi / 2, (0.5, 0.0, -1.0)) for i in range(n + 1)]
    for i, upright in enumerate(uprights):
        model.pin(model.point(model.ground, float(i)), model.point(upright, -0.5))
    for i in range(n):
        bar = model.bar(mass, inertia, (i + 0.5, 1.0), 0.0, (1.0, 0.0, 0.0))
        model.pin(model.point(uprights[i], 0.5), model.point(bar, -0.5))
        model.pin(model.point(uprights[i + 1], 0.5), model.point(bar, 0.5))
    model.tip = (uprights[0], [0.5, 0.0, 0.0])
    return model.run(step, duration, solver, samples, scale=(2 * n + 1) * mass * G, dimension=2)


# The choices below are the quickest of those tried by `fastest` at n = 2, 10 and 100 (four-bar 2 and 40) whose error stayed at the level of
# the step; the limits between them are only interpolated. Measured with Exudyn 1.13.6 on one core.


def _fastest_planar(n: int) -> Solver:
    if n < 5:
        return Solver("EigenDense")
    if n < 30:
        return Solver("EigenDense", modified_newton=True)
    # Short light links make position-level constraints fail to converge and cut steps; velocity level keeps the step for the first 0.2 s.
    return Solver("EigenSparse", modified_newton=True, index2=True)


def _fastest_spatial(n: int) -> Solver:
    if n < 5:
        return Solver("EigenDense", node="LG")
    if n < 30:
        return Solver("EigenSparse", modified_newton=True, index2=True, node="EP")
    # At n = 100 the Lie group nodes are a tenth quicker for the first 0.2 s, but over 1 s need many more Jacobians and lose by a third.
    return Solver("EigenSparse", modified_newton=True, node="EP")


def _fastest_four_bar(n: int) -> Solver:
    # Only position-level constraints pass the singular position where all bars lie on one line, and a Jacobian kept from before it costs
    # accuracy at this tolerance.
    return Solver("EigenDense" if n < 4 else "EigenSparse")


def fastest(
    model: Callable[..., PeerRun], n: int, step: float = 1e-3, duration: float = 0.2, repeats: int = 3
) -> list[tuple[Solver, PeerRun]]:
    """Run the sensible combinations of solver choices, best of `repeats` each, and return those that succeed, quickest first.

    The quickest is not always the right one: compare the end points and energy errors before preferring it.
    """
    # Dense factorisation of the large systems takes minutes and is never the quickest.
    linear = ("EigenDense", "EigenSparse") if n < 30 else ("EigenSparse",)
    nodes = ("EP", "LG") if model is spatial_chain else ("2D",)
    found = []
    for name, modified, index2, tolerance, node in itertools.product(linear, (False, True), (False, True), (1e-8, 1e-5), nodes):
        solver = Solver(name, modified, index2, relative_tolerance=tolerance, node=node)
        try:
            runs = [model(n, step, duration, solver=solver) for _ in range(repeats)]
        except exu.SolverError:
            continue
        found.append((solver, min(runs, key=lambda run: run.seconds)))
    return sorted(found, key=lambda pair: pair[1].seconds)


def main() -> None:
    """Print the table of all workloads at a step of 1 ms."""
    cases: list[tuple[Callable[..., PeerRun], int, float]] = [(planar_chain, n, t) for t in (0.2, 1.0) for n in (2, 10, 100)]
    cases += [(spatial_chain, n, t) for t in (0.2, 1.0) for n in (2, 10, 100)]
    cases += [(n_four_bar, n, 10.0) for n in (2, 40)]
    print(f"{'model':<14}{'n':>4}{'time s':>8}{'steps':>7}{'us/step':>10}{'wall s':>9}{'energy err':>12}{'gap m':>10}  end point; solver")
    for model, n, duration in cases:
        run = model(n, 1e-3, duration)
        if run.seconds < 2.0:
            # A quick run is easily disturbed: take the best of three.
            run = min([run, *(model(n, 1e-3, duration) for _ in range(2))], key=lambda r: r.seconds)
        line = f"{model.__name__:<14}{n:>4}{duration:>8.1f}{run.steps:>7}{run.microseconds_per_step:>10.1f}{run.seconds:>9.3f}"
        line += f"{run.energy_error:>12.1e}{run.constraint_error:>10.1e}  {np.array2string(run.tip, precision=6)}; {run.settings}"
        if model is n_four_bar:
            line += f"; error {np.linalg.norm(run.tip - FOUR_BAR_REFERENCE[n]):.1e} m"
        print(line, flush=True)


if __name__ == "__main__":
    main()
