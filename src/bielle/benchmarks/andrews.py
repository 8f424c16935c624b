"""Andrews' squeezing mechanism for 0.03 s: how long until its seven angles are right to so many digits?

The mechanism, its source and its reference are those of :mod:`bielle.validation.andrews`. bielle gets bodies, pins, a spring and a torque;
so does Exudyn. SUNDIALS IDA gets the equations of the seven angles, compiled by Numba, stabilised as in the examples of its authors, and a
compiled Jacobian: it is called from Python, but no equation is Python. Multipliers are left out of its error test.
"""

from __future__ import annotations

import numpy as np

import bielle as bl

from ..solvers.run import Run
from ..validation import andrews as published
from ._bielle import stepping
from ._workload import Case, Job, Pair, Program, Workload


def angles() -> np.ndarray:
    """The published ones at the end."""
    return np.array(published.table(published.AT_END)[0])


def in_parts(found: np.ndarray) -> np.ndarray:
    """Angles in parts of the right ones: all of them are to have the same number of digits."""
    return found / angles()


def _read(run: Run) -> np.ndarray:
    turn = {name: run.workspace.q[run.model.bodies[name].q][2] for name in published.BODIES}
    return in_parts(np.array([turn[body] - (turn[less] if less else 0.0) for body, less in published.ANGLES.values()]))


def central(rtol: float) -> Job:
    """Coordinates of bodies, adaptive."""
    return stepping(published.build(), bl.Central(rtol=rtol, atol=1e-2 * rtol), published.DURATION, _read)


def recursive(rtol: float) -> Job:
    """Joint coordinates, adaptive."""
    return stepping(published.build(), bl.Recursive(rtol=rtol, atol=1e-2 * rtol), published.DURATION, _read)


def in_ida(rtol: float) -> Job:
    """Variable order, variable step. Velocities are a thousand times as large as angles, and so are their tolerances."""
    from sksundae.ida import IDA

    from . import _andrews_equations as equations

    atol = np.full(equations.COUNT, 0.1 * rtol)
    atol[7:14], atol[14:] = 10 * rtol, 1e9
    solver = IDA(
        equations.residual,
        jacfn=equations.jacobian,
        rtol=rtol,
        atol=atol,
        algebraic_idx=list(range(14, equations.COUNT)),
        max_num_steps=10**6,
    )
    y, yp = equations.start()
    kept = {}

    def go() -> None:
        kept["solution"] = solver.solve(np.array([0.0, published.DURATION]), y, yp)

    def answer() -> np.ndarray:
        if not kept["solution"].success:
            raise RuntimeError(kept["solution"].message)
        return in_parts(kept["solution"].y[-1][:7])

    return Job(go, answer)


def in_exudyn(step: float) -> Job:
    """Coordinates of bodies, implicit, fixed steps, constraints at the level of positions."""
    from ._exudyn import Choices, System, ei, exu

    system = System((0.0, 0.0, 0.0))
    made = published.build().bodies
    starts = {name: float(np.asarray(body.orientation)) for name, body in made.items()}
    bodies = {"ground": system.ground}
    for name, (_, mass, inertia, centre) in published.BODIES.items():
        angle = starts[name]
        c, s = np.cos(angle), np.sin(angle)
        x, y = made[name].position + np.array([c * centre[0] - s * centre[1], s * centre[0] + c * centre[1]])
        bodies[name] = system.bar(mass, inertia, (x, y, angle))

    def point(name: str, place: tuple[float, float]) -> object:
        centre = published.BODIES[name][3] if name != "ground" else (0.0, 0.0)
        return system.point(bodies[name], place[0] - centre[0], place[1] - centre[1])

    for a, b, at_a, at_b in published.PINS.values():
        system.pin(point(a, at_a), point(b, at_b))
    ends = [point("ground", published.C), point("K3", (0.02, -0.018))]
    system.mbs.AddObject(ei.ObjectConnectorSpringDamper(markerNumbers=ends, stiffness=4530.0, referenceLength=0.07785))
    drive = system.mbs.AddMarker(ei.MarkerBodyRigid(bodyNumber=bodies["K1"], localPosition=[0.0, 0.0, 0.0]))
    system.mbs.AddLoad(ei.LoadTorqueVector(markerNumber=drive, loadVector=[0.0, 0.0, 0.033]))
    job = system.solving(step, published.DURATION, Choices(tolerance=1e-8), bodies["K1"], (0.0, 0.0, 0.0), dim=2)

    def answer() -> np.ndarray:
        turn = {
            name: starts[name] + system.mbs.GetObjectOutputBody(body, exu.OutputVariableType.Rotation)
            for name, body in bodies.items()
            if name != "ground"
        }
        return in_parts(np.array([turn[body] - (turn[less] if less else 0.0) for body, less in published.ANGLES.values()]))

    return Job(job.go, answer)


def _tolerances(*exponents: float) -> dict[str, dict[str, float]]:
    return {f"rtol 1e-{k:g}": {"rtol": 10.0**-k} for k in exponents}


WORKLOAD = Workload(
    title="Andrews' squeezing mechanism",
    about="0.03 s; the error is the largest of the seven angles at the end, each in parts of itself.",
    cases={"": Case(rounds=7, quick=True)},
    programs=(
        Program("central", central, within=1e-9, settings=_tolerances(4, 5, 6, 7, 8, 9, 10, 11, 12)),
        Program("recursive", recursive, within=1e-9, settings=_tolerances(4, 5, 6, 7, 8, 9, 10, 11, 12)),
        Program("IDA", in_ida, "scikit-sundae", within=1e-6, settings=_tolerances(5, 6, 6.5, 7, 7.5, 8, 8.5, 9, 10, 11)),
        Program("Exudyn", in_exudyn, "exudyn", within=1e-2, settings={f"{h:g} s": {"step": h} for h in (1e-4, 3e-5, 1e-5, 3e-6, 1e-6)}),
    ),
    pairs=(
        Pair("central", "IDA", goals={"1e-06": 1.0}),
        Pair("recursive", "IDA", goals={"1e-06": 1.0}),
        Pair("central", "Exudyn"),
    ),
    reference=lambda: np.ones(7),
    error="error, relative",
    accuracies=(1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8),
)
