"""A planar chain: n links of 10 g on pins, 1 m long in all, level and at rest, falls for a while; where is its end?

Links become short and light as n grows, while the tension at the root grows: the chain is stiff. Implicit programs take steps of 1 ms at
every n; explicit ones take steps of 1 ms up to 100 links and of 0.1 ms beyond, which RK4 needs to be stable.
"""

from __future__ import annotations

import numpy as np

import bielle as bl

from ._bielle import end_of, stepping
from ._workload import Case, Job, Pair, Program, Workload

MASS, STEP, SHORT = 0.01, 1e-3, 1e-4  # [kg], [s]
G = (0.0, -9.81)


def chain(n: int) -> bl.Mechanism:
    """For bielle."""
    m, length = bl.Mechanism(plane="xy", gravity=G, name=f"chain of {n}"), 1 / n
    for i in range(n):
        m.add_body(f"link{i}", bl.rod((i * length, 0), ((i + 1) * length, 0), mass=MASS))
        m.add_joint(f"pin{i}", bl.Pin(), f"link{i - 1}" if i else m.ground, f"link{i}", at=(i * length, 0))
    return m


def explicit_step(n: int) -> float:
    """With which RK4 is stable."""
    return STEP if n <= 100 else SHORT


def with_solver(solver: bl.Central | bl.Recursive | bl.Modular, n: int, duration: float) -> Job:
    """bielle, with one of its solvers."""
    return stepping(chain(n), solver, duration, end_of(f"link{n - 1}", (0.5 / n, 0.0)))


def central(n: int, duration: float) -> Job:
    """Coordinates of bodies, implicit, constraints at the level of positions."""
    return with_solver(bl.Central(integrator="newmark", step=STEP), n, duration)


def modular(n: int, duration: float) -> Job:
    """Bodies and joints of their own, joint forces by sweeps along the chain."""
    return with_solver(bl.Modular(step=STEP), n, duration)


def recursive(n: int, duration: float) -> Job:
    """Joint coordinates, RK4."""
    return with_solver(bl.Recursive("rk4", step=explicit_step(n)), n, duration)


def in_exudyn(n: int, duration: float) -> Job:
    """Coordinates of bodies, implicit. The choices were the quickest at n = 2, 10, 100, 1000 that kept the error of the step.

    Short light links make constraints at the level of positions fail to converge; with velocities the step can be kept.
    """
    from ._exudyn import Choices, System

    system, length = System((*G, 0.0)), 1 / n
    before, link = system.point(system.ground, 0.0), None
    for i in range(n):
        link = system.bar(MASS, MASS * length**2 / 12, ((i + 0.5) * length, 0.0, 0.0))
        system.pin(before, system.point(link, -length / 2))
        before = system.point(link, length / 2)
    large = n >= 30
    choices = Choices("EigenSparse" if large else "EigenDense", modified_newton=5 <= n < 300, index2=large)
    return system.solving(STEP, duration, choices, link, (length / 2, 0.0, 0.0), dim=2)


def in_mujoco(n: int, duration: float) -> Job:
    """Joint coordinates, RK4."""
    from ._mujoco import mujoco, new_spec, stepping, with_inertia

    step, length = explicit_step(n), 1 / n
    spec = new_spec((*G, 0.0), step)
    body = spec.worldbody
    for i in range(n):
        body = body.add_body(name=f"link{i}", pos=[length if i else 0, 0, 0])
        across = MASS * length**2 / 12
        with_inertia(body, MASS, (length / 2, 0, 0), (1e-3 * across, across, across))
        body.add_joint(type=mujoco.mjtJoint.mjJNT_HINGE, axis=[0, 0, 1])
    body.add_site(name="tip", pos=[length, 0, 0])
    return stepping(spec, round(duration / step), "tip", dim=2)


def end(n: int, duration: float) -> np.ndarray:
    """Where the end really is: joint coordinates, adaptive steps of order 8, tolerance near rounding."""
    return with_solver(bl.Recursive(rtol=1e-12, atol=1e-14), n, duration).done()


SHORT_STEPS = {"1000": 200, "3000": 200}

WORKLOAD = Workload(
    title="Planar chain",
    about="n links of 10 g, 1 m in all, fall from level. Implicit: steps of 1 ms; RK4: 1 ms, beyond 100 links 0.1 ms.",
    cases={
        "2": Case({"n": 2, "duration": 1.0}, count=1000, quick=True),
        "10": Case({"n": 10, "duration": 1.0}, count=1000),
        "100": Case({"n": 100, "duration": 0.2}, count=200, quick=True),
        "1000": Case({"n": 1000, "duration": 0.02}, count=20, rounds=5),
        "3000": Case({"n": 3000, "duration": 0.02}, count=20, rounds=3),
    },
    programs=(
        Program("central", central, within=1e-2),
        Program("recursive", recursive, within=1e-2, counts=SHORT_STEPS),
        Program("modular", modular, within=1e-2),
        Program("Exudyn", in_exudyn, "exudyn", within=1e-2),
        Program("MuJoCo", in_mujoco, "mujoco", within=1e-2, counts=SHORT_STEPS),
    ),
    pairs=(
        Pair("central", "Exudyn", goals={"2": 1.0, "10": 1.0, "100": 3.0}),
        Pair("modular", "Exudyn"),
        Pair("recursive", "MuJoCo", goals={"10": 1.5, "100": 1.5}),
        Pair("recursive", "Exudyn"),
    ),
    reference=end,
    unit="step",
)
