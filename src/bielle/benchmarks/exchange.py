"""How bodies that advance themselves agree on the forces in their joints: three ways of the modular solver.

sweep       what is behind a joint is told along the joints of a tree; only joints that close loops are iterated, along conjugate directions
conjugate   all joints are iterated along conjugate directions
relaxation  every joint corrects its own force by the mass it sees: the naive way

Chains of n links, 1 m in all, fall for three steps; N four-bar linkages in a row begin to turn over. Joints are to be closed to 10⁻⁸ m.
Relaxation needs a number of iterations that grows with the square of the number of bodies, and is given up after 50,000: from 100 links on
it takes more than is shown. An answer may be off by what a hundred gaps add up to, or by the error of the steps, which is less.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

import bielle as bl

from ..examples import n_four_bar
from ..solvers.run import Solver
from ._bielle import end_of, stepping
from ._workload import Case, Job, Pair, Program, Workload
from .planar_chain import chain

STEP, STEPS, TOLERANCE, MOST = 1e-3, 3, 1e-8, 50_000  # [s], count, [m], iterations


def falling(solver: Solver, mechanism: str, n: int) -> Job:
    """One of the mechanisms with a solver; the answer is the end of the chain, or the head of the first upright bar."""
    if mechanism == "chain":
        return stepping(chain(n), solver, STEPS * STEP, end_of(f"link{n - 1}", (0.5 / n, 0.0)))
    return stepping(n_four_bar.build(n), solver, STEPS * STEP, end_of("upright 0", (0.5, 0.0)))


def by(exchange: str) -> Callable[..., Job]:
    """The modular solver with a way to find the forces."""
    return lambda **case: falling(bl.Modular(step=STEP, exchange=exchange, iterations=MOST, tolerance=TOLERANCE), **case)


def reference(mechanism: str, n: int) -> np.ndarray:
    """All bodies and joints in one matrix, adaptive steps."""
    return falling(bl.Central(rtol=1e-12, atol=1e-14), mechanism, n).done()


def _case(mechanism: str, n: int, rounds: int = 7, quick: bool = False) -> Case:
    return Case({"mechanism": mechanism, "n": n}, count=STEPS, rounds=rounds, quick=quick)


WORKLOAD = Workload(
    title="Forces between components",
    about="Three ways of the modular solver to find the forces in joints, closed to 1e-8 m, steps of 1 ms.",
    cases={
        "chain 10": _case("chain", 10, quick=True),
        "chain 100": _case("chain", 100, rounds=3),
        "chain 300": _case("chain", 300, rounds=3),
        "four-bar 3": _case("four-bar", 3),
        "four-bar 10": _case("four-bar", 10, quick=True),
        "four-bar 40": _case("four-bar", 40),
    },
    programs=tuple(Program(exchange, by(exchange), within=100 * TOLERANCE) for exchange in ("sweep", "conjugate", "relaxation")),
    pairs=(
        Pair("sweep", "relaxation", goals={"chain 300": 10.0}),
        Pair("conjugate", "relaxation", goals={"chain 300": 10.0}),
        Pair("sweep", "conjugate"),
    ),
    reference=reference,
    unit="step",
)
