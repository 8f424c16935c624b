"""Start-up: from the start of a process to the end of its first simulation, or of its imports.

The mechanism is a double pendulum in space, two rods of 1 kg and 1 m on a revolute and a spherical joint, for 5 s: next to nothing to
compute. Other programs take steps of 1 ms, which end within 2 mm of the right place. An import is counted without what the interpreter
takes to start and end.

bielle compiles kernels when they are needed first and keeps them on the disk: cold is with an empty folder of kernels, warm with those of
a run before. The other programs are compiled when they are installed; their process is the same in both cases.
"""

from __future__ import annotations

from functools import partial
from tempfile import TemporaryDirectory

import numpy as np

from ._fresh import fresh, numbers
from ._workload import Case, Job, Pair, Program, Workload

IMPORT, WARM, COLD = "import", "first simulation, warm", "first simulation, cold"
BUDGET = {IMPORT: 0.3, WARM: 1.5, COLD: 20.0}  # [s]

BIELLE = """
import bielle as bl
m = bl.Mechanism(gravity=(0, -9.81, 0))
m.add_body("upper", bl.rod((0, 0, 0), (1, 0, 0), mass=1.0))
m.add_body("lower", bl.rod((1, 0, 0), (1, -1, 0), mass=1.0), coordinates="natural")
m.add_joint("shoulder", bl.Revolute(axis="z"), m.ground, "upper", at=(0, 0, 0))
m.add_joint("elbow", bl.Spherical(), "upper", "lower", at=(1, 0, 0))
print(*m.simulate(5.0, bl.{solver})["lower"].position[-1])
"""

EXUDYN = """
import sys
sys.exudynFast = True
import exudyn as exu
import exudyn.itemInterface as ei
container = exu.SystemContainer()
mbs = container.AddSystem()
ground = mbs.AddObject(ei.ObjectGround())
def rod(position, inertia):
    node = mbs.AddNode(ei.NodeRigidBodyEP(referenceCoordinates=[*position, 1, 0, 0, 0]))
    body = mbs.AddObject(ei.ObjectRigidBody(mass=1.0, inertia=[*inertia, 0, 0, 0], nodeNumber=node))
    mbs.AddLoad(ei.LoadMassProportional(markerNumber=mbs.AddMarker(ei.MarkerBodyMass(bodyNumber=body)), loadVector=[0, -9.81, 0]))
    return body
def frame(body, *place):
    return mbs.AddMarker(ei.MarkerBodyRigid(bodyNumber=body, localPosition=place))
upper = rod([0.5, 0, 0], [1e-4, 1 / 12, 1 / 12])
lower = rod([1, -0.5, 0], [1 / 12, 1e-4, 1 / 12])
mbs.AddObject(ei.ObjectJointRevoluteZ(markerNumbers=[frame(ground, 0, 0, 0), frame(upper, -0.5, 0, 0)]))
mbs.AddObject(ei.ObjectJointSpherical(markerNumbers=[frame(upper, 0.5, 0, 0), frame(lower, 0, 0.5, 0)]))
mbs.Assemble()
settings = exu.SimulationSettings()
settings.timeIntegration.endTime, settings.timeIntegration.numberOfSteps, settings.timeIntegration.verboseMode = 5.0, 5000, 0
settings.solution.file.write = False
mbs.SolveDynamic(settings)
print(*mbs.GetObjectOutputBody(lower, exu.OutputVariableType.Position))
"""

MUJOCO = """
import mujoco
spec = mujoco.MjSpec()
spec.option.gravity, spec.option.timestep, spec.option.integrator = [0, -9.81, 0], 1e-3, mujoco.mjtIntegrator.mjINT_RK4
upper = spec.worldbody.add_body(name="upper")
upper.mass, upper.ipos, upper.inertia, upper.explicitinertial = 1.0, [0.5, 0, 0], [1e-4, 1 / 12, 1 / 12], 1
upper.add_joint(type=mujoco.mjtJoint.mjJNT_HINGE, axis=[0, 0, 1])
lower = upper.add_body(name="lower", pos=[1, 0, 0])
lower.mass, lower.ipos, lower.inertia, lower.explicitinertial = 1.0, [0, -0.5, 0], [1 / 12, 1e-4, 1 / 12], 1
lower.add_joint(type=mujoco.mjtJoint.mjJNT_BALL)
model = spec.compile()
data = mujoco.MjData(model)
mujoco.mj_step(model, data, nstep=5000)
mujoco.mj_kinematics(model, data)
print(*data.body("lower").xipos)
"""


def starting(module: str, code: str, what: str) -> Job:
    """Do that in a fresh process; simulations print where the centre of the lower rod is in the end."""
    printed = []

    def go() -> float:
        if what == IMPORT:
            printed.append("0")
            return fresh(f"import {module}")[0] - fresh("pass")[0]
        with TemporaryDirectory() as empty:
            seconds, line = fresh(code, **({"BIELLE_CACHE_DIR": empty} if what == COLD else {}))
        printed.append(line)
        return seconds

    return Job(go, lambda: numbers(printed[-1]))


def end(what: str) -> np.ndarray:
    """Where it really is: joint coordinates, tolerances near rounding."""
    return np.zeros(1) if what == IMPORT else numbers(fresh(BIELLE.format(solver="Recursive(rtol=1e-12, atol=1e-13)"))[1])


def budget(what: str) -> Job:
    """What it may take."""
    return Job(lambda: BUDGET[what], lambda: end(what))


def with_solver(name: str) -> Program:
    """Simulations by bielle."""
    return Program(
        name, partial(starting, "", BIELLE.format(solver=f"{name.capitalize()}()")), within=1e-2, cases=(WARM, COLD), seconds=300.0
    )


WORKLOAD = Workload(
    title="Start-up",
    about="Seconds from the start of a process to the end of a first short simulation, with kernels on the disk or without; imports alone.",
    cases={
        IMPORT: Case({"what": IMPORT}, quick=True),
        WARM: Case({"what": WARM}),
        COLD: Case({"what": COLD}, rounds=1),
    },
    programs=(
        Program("bielle", partial(starting, "bielle", ""), cases=(IMPORT,)),
        *map(with_solver, ("central", "recursive", "modular")),
        Program("Exudyn", partial(starting, "exudyn", EXUDYN), "exudyn", within=1e-2),
        Program("MuJoCo", partial(starting, "mujoco", MUJOCO), "mujoco", within=1e-2),
        Program("Pinocchio", partial(starting, "pinocchio", ""), "pin", cases=(IMPORT,)),
        Program("budget", budget),
    ),
    pairs=(
        Pair("bielle", "budget", goals={IMPORT: 1.0}),
        *(Pair(name, "budget", goals={WARM: 1.0, COLD: 1.0}) for name in ("central", "recursive", "modular")),
        *(Pair("bielle", name) for name in ("Exudyn", "MuJoCo", "Pinocchio")),
        *(Pair("central", name) for name in ("Exudyn", "MuJoCo")),
    ),
    reference=end,
    unit="start",
)
