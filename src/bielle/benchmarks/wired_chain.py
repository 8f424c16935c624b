"""What joint coordinates are not for: a chain of n links, every third on a wire of its own, so that all loops go through the same trunk.

k loops that have bodies in common make a dense matrix of k² blocks in joint coordinates; coordinates of bodies keep it sparse. The solver
"auto" takes the latter for such mechanisms. RK4 with steps of 1 ms.
"""

from __future__ import annotations

import numpy as np

import bielle as bl

from ._bielle import end_of, stepping
from ._workload import Case, Job, Pair, Program, Workload

STEP = 1e-3  # [s]


def chain(n: int) -> bl.Mechanism:
    """Links of 1 m and 1 kg, level and at rest; wires of some 2 m to the ground above, a little to the right."""
    m = bl.Mechanism(plane="xy", gravity=(0, -9.81), name=f"wired chain of {n}")
    for i in range(n):
        m.add_body(f"link{i}", bl.rigid(1.0, (0, 0), 1 / 12), position=(i + 0.5, 0))
        m.add_joint(f"pin{i}", bl.Pin(), f"link{i - 1}" if i else m.ground, f"link{i}", at=(i, 0))
    for i in range(2, n, 3):
        m.add_joint(f"wire{i}", bl.Distance(), m.ground, f"link{i}", at_a=(i + 0.7, 2), at_b=(0.5, 0))
    return m


def with_solver(solver: bl.Central | bl.Recursive, n: int, duration: float) -> Job:
    """bielle, with one of its solvers."""
    return stepping(chain(n), solver, duration, end_of(f"link{n - 1}", (0.5, 0.0)))


def central(n: int, duration: float) -> Job:
    """Coordinates of bodies."""
    return with_solver(bl.Central(integrator="rk4", step=STEP), n, duration)


def recursive(n: int, duration: float) -> Job:
    """Joint coordinates."""
    return with_solver(bl.Recursive("rk4", step=STEP), n, duration)


def end(n: int, duration: float) -> np.ndarray:
    """Where the end really is: adaptive steps of order 8, tolerance near rounding."""
    return with_solver(bl.Central(rtol=1e-12, atol=1e-14), n, duration).done()


WORKLOAD = Workload(
    title="Many loops through one trunk",
    about="A chain of n links, every third on a wire, for 0.05 s: coordinates of bodies and of joints, RK4 with steps of 1 ms.",
    cases={str(n): Case({"n": n, "duration": 0.05}, count=50, rounds=5, quick=n == 30) for n in (30, 90, 180)},
    programs=(Program("central", central), Program("recursive", recursive)),
    pairs=(Pair("central", "recursive"),),
    reference=end,
    unit="step",
)
