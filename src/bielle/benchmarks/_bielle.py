"""Runs of bielle: set up to the point from which only steps follow."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

import bielle as bl

from ..analysis.assembly import assemble
from ..model import compile_mechanism
from ..solvers.run import Run, Solver
from ._workload import Job

__all__ = ["end_of", "prepared", "stepping"]


def prepared(m: bl.Mechanism, solver: Solver, duration: float) -> Run:
    """A run ready to be advanced, with two samples only."""
    model, state = compile_mechanism(m)
    run = solver.start(model, assemble(m, model, state).state)
    run.sample_at(np.array([0.0, duration]))
    return run


def stepping(m: bl.Mechanism, solver: Solver, duration: float, answer: Callable[[Run], np.ndarray]) -> Job:
    """Take the steps of a simulation; the answer is read from the run at its end."""
    run = prepared(m, solver, duration)

    def go() -> None:
        while not run.done and run.code == 0:
            run.advance(10**9)
        if run.code != 0:
            raise RuntimeError(f"stopped at {run.time:g} s with code {run.code}")

    return Job(go, lambda: answer(run))


def end_of(body: str, local: tuple[float, ...]) -> Callable[[Run], np.ndarray]:
    """Where a point of a body is at the end of a run."""

    def read(run: Run) -> np.ndarray:
        made = run.model.bodies[body]
        position, rotation = made.kind.pose(run.workspace.q[made.q])
        return (position + rotation @ np.resize([*local, 0.0, 0.0], 3))[: run.model.dim]

    return read
