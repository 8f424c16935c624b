"""Models for Exudyn: bodies in absolute coordinates as bielle's, its implicit integrator with fixed steps on one thread.

The plain text of a model is short with these: bodies, points on them, joints between points. A peer is to be measured at its quickest, so
the fast build is loaded (no range checks, AVX2; it falls back by itself), matrices are analysed once, and nothing is written.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np

from ._workload import Job

if not hasattr(sys, "exudynFast"):
    sys.exudynFast = True  # type: ignore  # read when it is first imported

exu: Any = import_module("exudyn")  # has no types
ei: Any = import_module("exudyn.itemInterface")

__all__ = ["Choices", "System", "ei", "exu", "settings_for"]


@dataclass(frozen=True)
class Choices:
    """Those that are worth varying; everything else is Exudyn's default.

    The Newton iteration stops at 1e-5: the default of 1e-8 takes one iteration more or several, and with steps of 1 ms the results of all
    workloads differ by less than the error of the steps. Studies with much smaller steps go back to 1e-8.
    """

    linear: str = "EigenDense"  #: of exu.LinearSolverType
    modified_newton: bool = False  #: keep the Jacobian while the iteration contracts
    index2: bool = False  #: constraints at the level of velocities with the trapezoidal rule, else of positions with generalized-α
    spectral_radius: float = 0.9  #: of generalized-α
    tolerance: float = 1e-5


class System:
    """A model under construction."""

    def __init__(self, gravity: Sequence[float]) -> None:
        self._container = exu.SystemContainer()  # owns the system, so it must live as long
        self.mbs = self._container.AddSystem()
        self.ground = self.mbs.AddObject(ei.ObjectGround(referencePosition=[0.0, 0.0, 0.0]))
        self._gravity = list(gravity)

    def bar(self, mass: float, inertia: float, pose: Sequence[float], velocity: Sequence[float] = (0.0, 0.0, 0.0)) -> Any:
        """A planar body, by x, y, angle of its centre of mass and their rates."""
        node = self.mbs.AddNode(ei.NodeRigidBody2D(referenceCoordinates=list(pose), initialVelocities=list(velocity)))
        return self._heavy(self.mbs.AddObject(ei.ObjectRigidBody2D(mass=mass, inertia=inertia, nodeNumber=node)))

    def link(self, mass: float, inertia: Sequence[float], position: Sequence[float], lie_group: bool = False) -> Any:
        """A spatial body at rest, by its centre of mass, its axes those of the world. Rotations are Euler parameters, or rotation vectors
        with a Lie group update; Tait–Bryan angles, though cheaper, are singular where a link hangs down."""
        kind, turn = (ei.NodeRigidBodyRotVecLG, [0.0, 0.0, 0.0]) if lie_group else (ei.NodeRigidBodyEP, [1.0, 0.0, 0.0, 0.0])
        node = self.mbs.AddNode(kind(referenceCoordinates=[*position, *turn]))
        return self._heavy(self.mbs.AddObject(ei.ObjectRigidBody(mass=mass, inertia=[*inertia, 0.0, 0.0, 0.0], nodeNumber=node)))

    def _heavy(self, body: Any) -> Any:
        if any(self._gravity):
            marker = self.mbs.AddMarker(ei.MarkerBodyMass(bodyNumber=body))
            self.mbs.AddLoad(ei.LoadMassProportional(markerNumber=marker, loadVector=self._gravity))
        return body

    def point(self, body: Any, x: float, y: float = 0.0) -> Any:
        """A point of a body, in its axes."""
        return self.mbs.AddMarker(ei.MarkerBodyPosition(bodyNumber=body, localPosition=[x, y, 0.0]))

    def frame(self, body: Any, x: float) -> Any:
        """A point with the axes of the body."""
        return self.mbs.AddMarker(ei.MarkerBodyRigid(bodyNumber=body, localPosition=[x, 0.0, 0.0]))

    def pin(self, a: Any, b: Any) -> None:
        """Two points stay together in the plane."""
        self.mbs.AddObject(ei.ObjectJointRevolute2D(markerNumbers=[a, b]))

    def solving(self, step: float, duration: float, choices: Choices, body: Any, local: Sequence[float], dim: int) -> Job:
        """Take the steps; the answer is where a point of a body is at the end."""
        self.mbs.Assemble()
        settings = settings_for(step, duration, choices)

        def where() -> np.ndarray:
            return np.array(self.mbs.GetObjectOutputBody(body, exu.OutputVariableType.Position, localPosition=[*local]))[:dim]

        return Job(lambda: self.solve(settings), where)

    def solve(self, settings: Any) -> None:
        """Integrate; the state at the end is the current one afterwards. Raises exu.SolverError."""
        self.mbs.SolveDynamic(settings)


def settings_for(step: float, duration: float, choices: Choices) -> Any:
    """Of a simulation with fixed steps, on one thread, that writes nothing."""
    settings = exu.SimulationSettings()
    integration = settings.timeIntegration
    integration.endTime = duration
    integration.numberOfSteps = round(duration / step)
    integration.verboseMode = 0
    integration.generalizedAlpha.spectralRadius = choices.spectral_radius
    integration.generalizedAlpha.useIndex2Constraints = choices.index2
    integration.generalizedAlpha.useNewmark = choices.index2  # as Exudyn's own solver type TrapezoidalIndex2 does
    integration.newton.useModifiedNewton = choices.modified_newton
    integration.newton.relativeTolerance = choices.tolerance
    settings.linearSolver.solverType = getattr(exu.LinearSolverType, choices.linear)
    settings.linearSolver.reuseAnalyzedPattern = True
    settings.solution.file.write = False
    settings.parallel.numberOfThreads = 1
    return settings
