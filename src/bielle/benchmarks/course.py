"""The planar course: its own loop in NumPy, its equations compiled, and the compiled method.

Exercise 13 of the course: a chain of 1 m, hung at (2, 5), is released from a level line. The course's program computes accelerations in
a loop over solids and interactions, for SciPy's RK45 at rtol 10⁻³. By default bielle compiles the equations of a model and leaves the
method to SciPy; ``method="bielle"``, of order 8, is compiled as well. What is timed is a call of ``transient``, as students write it.

The chain is chaotic, so answers are compared where it has not yet forgotten its start, 0.1 s after it or earlier, and in parts of the
largest coordinate, as rtol is meant. The loop takes seconds; therefore little time is simulated where there are many links.
"""

from __future__ import annotations

import contextlib
import io
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np

from ._workload import Case, Job, Pair, Program, Workload

RTOL = 1e-3  # the default of SciPy and of the course


def chain(n: int) -> Any:
    """The course's model."""
    from ..course.Multicorps2D import Model

    m, link = Model(), 1.0 / n
    tags = [f"link {k}" for k in range(n)]
    for k, tag in enumerate(tags):
        m.add_solid(tag_S=tag, m=0.01, iy=1e-9, G_t0=[2 + (k + 0.5) * link, 5])
        m.add_frame(tag_S=tag, tag_F="P1", P_t0=[2 + k * link, 5])
        m.add_frame(tag_S=tag, tag_F="P2", P_t0=[2 + (k + 1) * link, 5])
    m.add_interaction("Hinge_1sFix", tag_I="A", tag_S=tags[0], tag_F="P1", P_Gal=[2, 5])
    for before, after in pairwise(tags):
        m.add_interaction("Hinge_2s", tag_I=f"{before}, {after}", tag_S=[before, after], tag_F=["P2", "P1"])
    return m


def solved(**how: Any) -> Callable[[int, float, float], Job]:
    """``transient`` with these options. The answer is the coordinates of all solids at the first sample after the start."""

    def make(n: int, span: float, every: float) -> Job:
        m, y = chain(n), np.zeros(0)

        def go() -> None:
            nonlocal y
            with contextlib.redirect_stderr(io.StringIO()):  # a progress bar, if it takes long
                y = m.transient(0, span, every, **how).y

        return Job(go, lambda: y[: 3 * n, 1])

    return make


def reference(n: int, span: float, every: float) -> np.ndarray:
    """To seven digits more."""
    return solved(method="DOP853", rtol=1e-7 * RTOL, atol=1e-12)(n, 1.5 * every, every).done()


def _case(n: int, span: float, every: float, rounds: int, quick: bool = False) -> Case:
    return Case({"n": n, "span": span, "every": every}, rounds=rounds, quick=quick)


QUICK = "10 links, 0.2 s"
LONG = ("10 links, 1.5 s", "50 links, 1.5 s", "200 links, 0.3 s")
SHORT = ("10 links, 1.5 s", "50 links, 0.1 s", "200 links, 0.01 s")

WORKLOAD = Workload(
    title="The course's chain",
    about="Exercise 13 at rtol 1e-3: the course's loop in NumPy, the same method on compiled equations, the compiled method.",
    cases={
        QUICK: _case(10, 0.2, 0.1, rounds=3, quick=True),
        SHORT[0]: _case(10, 1.5, 0.1, rounds=3),
        SHORT[1]: _case(50, 0.1, 0.05, rounds=3),
        SHORT[2]: _case(200, 0.01, 0.005, rounds=3),
        LONG[1]: _case(50, 1.5, 0.1, rounds=3),
        LONG[2]: _case(200, 0.3, 0.1, rounds=3),
    },
    programs=(
        Program("loop", solved(compiled=False), within=RTOL, cases=(QUICK, *SHORT), seconds=300.0),
        Program("RK45", solved(), within=RTOL),
        Program("DOP853", solved(method="DOP853"), within=RTOL),
        Program("bielle", solved(method="bielle"), within=RTOL),
    ),
    pairs=(
        Pair("RK45", "loop", goals=dict(zip(SHORT, (8.0, 30.0, 60.0)))),
        Pair("bielle", "RK45", goals=dict.fromkeys(LONG, 5.0)),
        Pair("bielle", "DOP853"),
        Pair("bielle", "loop"),
    ),
    reference=reference,
    error="relative error",
    relative=True,
)
