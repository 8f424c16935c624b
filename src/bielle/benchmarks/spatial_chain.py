"""A chain in space: n links of 0.1 m and 0.1 kg on revolute, universal and spherical joints in turn fall from level, the last pushed
sideways with 0.02 N. Where is its end?

Steps of 1 ms, implicit or RK4. Revolute joints and the first axes of universal joints lie along y, the second ones along z of the next.
"""

from __future__ import annotations

import numpy as np

import bielle as bl

from ._bielle import end_of, stepping
from ._workload import Case, Job, Pair, Program, Workload

MASS, LENGTH, STEP = 0.1, 0.1, 1e-3  # [kg], [m], [s]
INERTIA = (1e-5, MASS * LENGTH**2 / 12, MASS * LENGTH**2 / 12)
G, PUSH = (0.0, 0.0, -9.81), (0.0, 0.02, 0.0)


def chain(n: int) -> bl.Mechanism:
    """For bielle."""
    m = bl.Mechanism(gravity=G, name=f"spatial chain of {n}")
    kinds = (bl.Revolute(axis="y"), bl.Universal(axis_a="y", axis_b="z"), bl.Spherical())
    for i in range(n):
        m.add_body(f"link{i}", bl.rigid(MASS, (0, 0, 0), INERTIA), position=((i + 0.5) * LENGTH, 0, 0))
        m.add_joint(f"joint{i}", kinds[i % 3], f"link{i - 1}" if i else m.ground, f"link{i}", at=(i * LENGTH, 0, 0))
    m.add_force("push", bl.PointForce(force=PUSH), f"link{n - 1}", at=((n - 0.5) * LENGTH, 0, 0))
    return m


def with_solver(solver: bl.Central | bl.Recursive | bl.Modular, n: int, duration: float) -> Job:
    """bielle, with one of its solvers."""
    return stepping(chain(n), solver, duration, end_of(f"link{n - 1}", (LENGTH / 2, 0.0, 0.0)))


def central(n: int, duration: float) -> Job:
    """Coordinates of bodies, implicit, constraints at the level of positions."""
    return with_solver(bl.Central(integrator="newmark", step=STEP), n, duration)


def recursive(n: int, duration: float) -> Job:
    """Joint coordinates, RK4."""
    return with_solver(bl.Recursive("rk4", step=STEP), n, duration)


def modular(n: int, duration: float) -> Job:
    """Bodies and joints of their own, joint forces by sweeps along the chain."""
    return with_solver(bl.Modular(step=STEP), n, duration)


def in_exudyn(n: int, duration: float) -> Job:
    """Coordinates of bodies, implicit. The choices were the quickest at n = 2, 10, 100 that kept the error of the step."""
    from ._exudyn import Choices, System, ei

    system = System(G)
    before, end, link = system.ground, 0.0, None
    for i in range(n):
        link = system.link(MASS, INERTIA, ((i + 0.5) * LENGTH, 0.0, 0.0), lie_group=n < 5)
        if i % 3 == 2:
            points = [system.point(before, end), system.point(link, -LENGTH / 2)]
            system.mbs.AddObject(ei.ObjectJointSpherical(markerNumbers=points, constrainedAxes=[1, 1, 1]))
        else:
            # With the rotation about x constrained alone, Exudyn keeps y of the first frame square to z of the second.
            axes = [1, 1, 1, 1, 0, 1] if i % 3 == 0 else [1, 1, 1, 1, 0, 0]
            frames = [system.frame(before, end), system.frame(link, -LENGTH / 2)]
            system.mbs.AddObject(ei.ObjectJointGeneric(markerNumbers=frames, constrainedAxes=axes))
        before, end = link, LENGTH / 2
    system.mbs.AddLoad(ei.LoadForceVector(markerNumber=system.point(link, 0.0), loadVector=list(PUSH)))
    choices = Choices("EigenDense" if n < 5 else "EigenSparse", modified_newton=n >= 5, index2=5 <= n < 30)
    return system.solving(STEP, duration, choices, link, (LENGTH / 2, 0.0, 0.0), dim=3)


def in_mujoco(n: int, duration: float) -> Job:
    """Joint coordinates, RK4; a universal joint is two hinges."""
    from ._mujoco import mujoco, new_spec, stepping, with_inertia

    hinge, ball = mujoco.mjtJoint.mjJNT_HINGE, mujoco.mjtJoint.mjJNT_BALL
    spec = new_spec(G, STEP)
    body = spec.worldbody
    for i in range(n):
        body = with_inertia(body.add_body(name=f"link{i}", pos=[LENGTH if i else 0, 0, 0]), MASS, (LENGTH / 2, 0, 0), INERTIA)
        if i % 3 == 2:
            body.add_joint(type=ball)
            continue
        body.add_joint(type=hinge, axis=[0, 1, 0])
        if i % 3 == 1:
            body.add_joint(type=hinge, axis=[0, 0, 1])
    body.add_site(name="tip", pos=[LENGTH, 0, 0])

    def push(model: object, data: object) -> None:
        data.xfrc_applied[-1, :3] = PUSH  # type: ignore[attr-defined]

    return stepping(spec, round(duration / STEP), "tip", dim=3, begin=push)


def end(n: int, duration: float) -> np.ndarray:
    """Where the end really is: joint coordinates, adaptive steps of order 8, tolerance near rounding."""
    return with_solver(bl.Recursive(rtol=1e-12, atol=1e-14), n, duration).done()


WORKLOAD = Workload(
    title="Chain in space",
    about="n links on revolute, universal and spherical joints fall from level, pushed sideways. Steps of 1 ms, implicit or RK4.",
    cases={
        "2": Case({"n": 2, "duration": 1.0}, count=1000, quick=True),
        "10": Case({"n": 10, "duration": 1.0}, count=1000, quick=True),
        "100": Case({"n": 100, "duration": 0.2}, count=200),
    },
    programs=(
        Program("central", central, within=1e-2),
        Program("recursive", recursive, within=1e-2),
        Program("modular", modular, within=1e-2),
        Program("Exudyn", in_exudyn, "exudyn", within=1e-2),
        Program("MuJoCo", in_mujoco, "mujoco", within=1e-2),
    ),
    pairs=(
        Pair("central", "Exudyn", goals={"2": 1.0, "10": 1.0, "100": 1.0}),
        Pair("modular", "Exudyn"),
        Pair("recursive", "Exudyn"),
        Pair("recursive", "MuJoCo"),
    ),
    reference=end,
    unit="step",
)
