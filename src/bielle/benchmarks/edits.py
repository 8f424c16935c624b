"""Edits of a running mechanism: a joint is made in the middle of a chain without gravity, or removed; when can the simulation go on?

The value is the time of one edit, from the call until the next step can begin: the median of many, with a step after each. The chain is a
zigzag of links on pins, the joint a pin between the ground and the centre of the link after the middle; in a straight chain it would be
redundant, which not every program can solve. All is at rest but the last link, which turns about its pin: a program that loses positions
or velocities is found out by where its links are in the end. Steps are so short that the pull of that link moves nothing. How many joints
there are with the new one and without is part of the answer, too.

In "every kind" all joint kinds of bielle are made and removed in turn, planar ones in a planar and spatial ones in a spatial chain, both
straight and at rest. The value is the worst of their medians.

MuJoCo recompiles its specification, which keeps the state. Exudyn takes a new object into the system that is there, which is quicker than
a new system with all its bodies (0.7 ms instead of 4 ms at 100 links): the system is assembled again, coordinates and velocities are put
back, and the solver is initialised, which finds the accelerations that its first step begins with.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

import bielle as bl

from ._editing import MASS, SPIN, STEP, Editable, angles, editing, middle, places, poses, velocities
from ._kinds import every_kind, straight, where
from ._workload import Case, Job, Pair, Program, Workload

EVERY = "every kind"
BUDGET = {100: 1e-3, 3000: 10e-3}  # [s]
REPEATS = {100: 15, 3000: 5}  # of every kind


def with_solver(solver: bl.Central | bl.Recursive | bl.Modular, n: int, what: str) -> Job:
    """bielle: a live session."""
    if what == EVERY:
        return every_kind(solver, n, REPEATS[n])
    m = bl.Mechanism(plane="xy", gravity=(0, 0))
    for i, ((*place, angle), (*velocity, rate)) in enumerate(zip(poses(n), velocities(n))):
        link = bl.rigid(MASS, (0, 0), MASS / n**2 / 12)
        m.add_body(f"link{i}", link, position=place, orientation=angle, velocity=velocity, angular_velocity=rate)
        start = {"at_a": (0.5 / n, 0) if i else (0, 0), "at_b": (-0.5 / n, 0)}
        m.add_joint(f"pin{i}", bl.Pin(), f"link{i - 1}" if i else m.ground, f"link{i}", **start)
    session, link, centre = m.live(solver), f"link{middle(n)}", poses(n)[middle(n), :2]
    return editing(
        Editable(
            lambda: session.add_joint("new", bl.Pin(), "ground", link, at=centre, joining="exact"),
            lambda: session.remove("new"),
            session.step,
            lambda: len(session.mechanism.joints),
            lambda: where(session),
        ),
        what,
    )


def in_exudyn(n: int, what: str) -> Job:
    """A new object in a system that is assembled again. The two points that the pin joins stay behind, which costs nothing."""
    from ._exudyn import Choices, System, ei, exu, settings_for

    system, bars = System((0, 0, 0)), []
    before = system.point(system.ground, 0.0)
    for pose, velocity in zip(poses(n), velocities(n)):
        bars.append(system.bar(MASS, MASS / n**2 / 12, pose, velocity))
        system.pin(before, system.point(bars[-1], -0.5 / n))
        before = system.point(bars[-1], 0.5 / n)
    system.mbs.Assemble()
    mbs, state, initial = system.mbs, system.mbs.systemData, exu.ConfigurationType.Initial
    settings = settings_for(STEP, STEP, Choices("EigenSparse", modified_newton=True, index2=True))
    solver, made = exu.MainSolverImplicitSecondOrder(), []

    def changed(change: Callable[[], object]) -> None:
        coordinates, rates = np.array(state.GetODE2Coordinates()), np.array(state.GetODE2Coordinates_t())
        change()
        mbs.Assemble()
        state.SetODE2Coordinates(coordinates, initial)
        state.SetODE2Coordinates_t(rates, initial)
        if not solver.InitializeSolver(mbs, settings):
            raise RuntimeError(solver.GetErrorString())

    def pin() -> None:
        points = [system.point(system.ground, *poses(n)[middle(n), :2]), system.point(bars[middle(n)], 0.0)]
        made.append(mbs.AddObject(ei.ObjectJointRevolute2D(markerNumbers=points)))

    def step() -> None:
        if not solver.SolveSteps(mbs, settings):
            raise RuntimeError(solver.GetErrorString())
        solver.FinalizeSolver(mbs, settings)

    return editing(
        Editable(
            lambda: changed(pin),
            lambda: changed(lambda: mbs.DeleteObject(made.pop())),
            step,
            lambda: state.NumberOfObjects() - n - 1,  # without bodies and the ground
            lambda: (poses(n) + np.array(state.GetODE2Coordinates()).reshape(n, 3))[:, :2],
        ),
        what,
    )


def in_mujoco(n: int, what: str) -> Job:
    """The specification is changed and compiled again. It cannot hold 3000 links one behind the other."""
    from ._mujoco import mujoco, new_spec, with_inertia

    spec = new_spec((0, 0, 0), STEP)
    spec.option.disableflags = mujoco.mjtDisableBit.mjDSBL_CONTACT
    body, across = spec.worldbody, MASS / n**2 / 12
    for i, turn in enumerate(np.diff(angles(n), prepend=0.0)):
        body = body.add_body(name=f"link{i}", pos=[i and 1 / n, 0, 0], quat=[np.cos(turn / 2), 0, 0, np.sin(turn / 2)])
        with_inertia(body, MASS, (0.5 / n, 0, 0), (1e-3 * across, across, across))
        body.add_joint(type=mujoco.mjtJoint.mjJNT_HINGE, axis=[0, 0, 1])
    model = spec.compile()
    data, made = mujoco.MjData(model), []
    data.qvel[-1] = SPIN

    def recompile() -> None:
        nonlocal model, data
        model, data = spec.recompile(model, data)

    def make() -> None:
        bodies = {"objtype": mujoco.mjtObj.mjOBJ_BODY, "name1": f"link{middle(n)}", "name2": "world"}
        made.append(spec.add_equality(type=mujoco.mjtEq.mjEQ_CONNECT, **bodies))
        made[-1].data[:3] = (0.5 / n, 0, 0)
        recompile()

    def remove() -> None:
        spec.delete(made.pop())
        recompile()

    def centres() -> np.ndarray:
        mujoco.mj_kinematics(model, data)
        return data.xipos[1:, :2]

    return editing(Editable(make, remove, lambda: mujoco.mj_step(model, data), lambda: model.njnt + model.neq, centres), what)


def right(n: int, what: str) -> np.ndarray:
    """Where links are after all edits, and how many joints there were with the new one and without."""
    return straight(n) if what == EVERY else np.array([*places(n).ravel(), n + 1, n])


def budget(n: int, what: str) -> Job:
    """What an edit may take."""
    return Job(lambda: BUDGET[n], lambda: right(n, what))


PINS = {f"{what} a joint {n}": Case({"n": n, "what": what}, quick=n == 100) for n in BUDGET for what in ("make", "remove")}
CASES = {**PINS, **{f"{EVERY} {n}": Case({"n": n, "what": EVERY}, rounds=3) for n in BUDGET}}

WORKLOAD = Workload(
    title="Edits of a running mechanism",
    about="A joint is made or removed in the middle of a running chain of 100 or 3000 links: time until it can go on, median of 30.",
    cases=CASES,
    programs=(
        Program("central", partial(with_solver, bl.Central(integrator="rk4", step=STEP)), within=1e-10, seconds=300.0),
        Program("recursive", partial(with_solver, bl.Recursive("rk4", step=STEP)), within=1e-10, seconds=300.0),
        Program("modular", partial(with_solver, bl.Modular(step=STEP)), within=1e-10, cases=tuple(PINS)),
        Program("Exudyn", in_exudyn, "exudyn", within=1e-10, cases=tuple(PINS)),
        Program("MuJoCo", in_mujoco, "mujoco", within=1e-10, cases=tuple(PINS)[:3], seconds=300.0),  # once: its refusal takes a minute
        Program("budget", budget),
    ),
    pairs=(
        Pair("central", "budget", goals=dict.fromkeys(CASES, 1.0)),
        Pair("recursive", "budget", goals=dict.fromkeys(CASES, 1.0)),
        Pair("modular", "budget"),
        Pair("central", "Exudyn"),
        Pair("recursive", "MuJoCo"),
    ),
    reference=right,
    unit="edit",
)
