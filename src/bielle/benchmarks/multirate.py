"""Bodies at their own pace: a small stiff sensor on a chain of a hundred slow links.

The chain swings in seconds, the sensor on its middle link a thousand times as fast (see :mod:`bielle.examples.stiff_and_slow`). Either the
sensor and the link it slides on take twenty steps where all others take one of a millisecond, or everything takes the short steps.

Answers are the places of all bodies at 51 instants. What the short steps promise is the phase error of kick–drift–kick, (ωh)²/24 of the
phase ωt, for a sensor that swings by the stretch of its spring; long steps elsewhere must not make more than twice that of it.
"""

from __future__ import annotations

import numpy as np

import bielle as bl

from ..examples.stiff_and_slow import MASS, PARTS, STEP, STIFFNESS, STRETCH, build
from ..solvers.run import Solver
from ._bielle import prepared
from ._workload import Case, Job, Pair, Program, Workload

DURATION, SAMPLES = 0.5, 51  # [s]
OMEGA = (STIFFNESS / MASS) ** 0.5  # [rad/s]
PHASE_ERROR = (OMEGA * STEP / PARTS) ** 2 / 24 * OMEGA * DURATION  # [rad], of the short steps


def swinging(solver: Solver, links: int) -> Job:
    """The chain with the sensor, with one of bielle's solvers."""
    run = prepared(build(links), solver, DURATION)
    run.sample_at(np.linspace(0.0, DURATION, SAMPLES))

    def go() -> None:
        while not run.done and run.ok:
            run.advance(10**9)
        if not run.ok:
            raise RuntimeError(f"stopped at {run.time:g} s with code {run.code}")

    def places() -> np.ndarray:
        """(samples, bodies, 2) [m]"""
        return np.array([[each.kind.pose(q[each.q])[0][:2] for each in run.model.bodies.values()] for q in run.samples()["q"]])

    return Job(go, places)


def at_own_pace(links: int) -> Job:
    """Twenty steps of the sensor in one of the others."""
    return swinging(bl.Modular(step=STEP, substeps={"sensor": PARTS}), links)


def all_short(links: int) -> Job:
    """Everything in the steps of the sensor."""
    return swinging(bl.Modular(step=STEP / PARTS), links)


def reference(links: int) -> np.ndarray:
    """All bodies and joints in one matrix, adaptive steps of order 8."""
    return swinging(bl.Central(rtol=1e-11, atol=1e-13), links).done()


WORKLOAD = Workload(
    title="Bodies at their own pace",
    about=f"A stiff sensor on a slow chain, {DURATION} s: {PARTS} steps of the sensor in one of the chain, or all in short steps.",
    cases={"100": Case({"links": 100}, count=round(DURATION / STEP), quick=True)},
    programs=(
        Program("own pace", at_own_pace, within=2 * PHASE_ERROR * STRETCH),
        Program("all short", all_short, within=2 * PHASE_ERROR * STRETCH),
    ),
    pairs=(Pair("own pace", "all short", goals={"100": 5.0}),),
    reference=reference,
    unit="ms simulated",
)
