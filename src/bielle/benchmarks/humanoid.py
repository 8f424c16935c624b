"""A robot with many limbs that floats freely: 51 bodies on 50 hinges, 14 limbs, at most ten hinges from the base to a tip.

- simulate: from all angles zero, limbs on the move, half a second in free fall, RK4 with steps of 1 ms. MuJoCo takes all steps in one
  call. Pinocchio has no integrator: it is the loop in Python that its users write, which has fewer digits where the base turns.
- aba, rnea, crba, ∂aba: forward and inverse dynamics, mass matrix, derivatives of accelerations by q, v and efforts, called from Python
  at a random state. MuJoCo has the state in its data already; nothing touches and nothing constrains, so that `mj_forward` is forward
  dynamics and no more. For inverse dynamics there is `mj_inverse`; the four functions of it that are needed take less.
- aba batch: 1000 states, beside a loop in Python.
"""

from __future__ import annotations

import numpy as np

import bielle as bl

from ..mechanism.vectors import quaternion_to_matrix
from . import _humanoid as robot
from ._bielle import end_of, stepping
from ._calls import calling, functions
from ._workload import Case, Job, Pair, Program, Workload

STEP, DURATION, STATES = 1e-3, 0.5, 1000
CALLS = 50


def with_steps(solver: bl.Recursive) -> Job:
    """bielle's simulation."""
    tree = robot.links()
    ends = [end_of(f"link{i}", tuple(tree[i].end)) for i in robot.tips(tree)]
    return stepping(robot.mechanism(tree, robot.begin(tree)), solver, DURATION, lambda run: np.array([end(run) for end in ends]))


def ours(case: str) -> Job:
    """bielle. Its coordinates are in another order: breadth first."""
    if case == "simulate":
        return with_steps(bl.Recursive("rk4", step=STEP, root="link0"))
    tree = robot.links()
    model = robot.mechanism(tree).recursive(root="link0")
    names = ["link0", *(f"hinge{i}" for i in range(1, len(tree)))]
    from_q, from_v = np.empty(model.nq, dtype=int), np.empty(model.nv, dtype=int)
    for here, there in ((from_q, 0), (from_v, 1)):  # the place in a state of the robot of each of the model's numbers
        here[np.concatenate([np.arange(len(here))[model.coordinates(name)[there]] for name in names])] = np.arange(len(here))
    back = np.argsort(from_v)
    q, v, x = (np.ascontiguousarray(a[..., b]) for a, b in zip(robot.state(tree, *_many(case)), (from_q, from_v, from_v)))
    if case == "aba batch":
        out = np.empty_like(v)
        return calling(lambda: model.aba_batch(q, v, x, out=out), 1, lambda: out[:, back])
    call = functions(model, q, v, x)[case]
    return calling(call, CALLS, lambda: np.array(call())[(..., back) if case in ("aba", "rnea") else (..., back[:, None], back)])


def in_mujoco(case: str) -> Job:
    """MuJoCo. The base moves by its velocity in world axes, R v, so that its acceleration is R (v̇ + ω × v)."""
    from ._mujoco import mujoco

    tree = robot.links()
    model = robot.mujoco_spec(tree, STEP).compile()
    data = mujoco.MjData(model)
    if case == "simulate":
        data.qvel[:] = robot.begin(tree)

        def ends() -> np.ndarray:
            mujoco.mj_kinematics(model, data)
            return np.array(data.site_xpos)

        return Job(lambda: mujoco.mj_step(model, data, nstep=round(DURATION / STEP)), ends)
    q, v, x = robot.state(tree)
    R, turning = quaternion_to_matrix(q[3:7].tolist()), np.cross(v[3:6], v[:3])
    data.qpos[:], data.qvel[:], data.qfrc_applied[:], data.qacc[:] = q, v, x, x
    data.qvel[:3] = R @ v[:3]
    if case == "aba":
        data.qfrc_applied[:3] = R @ x[:3]
        return calling(lambda: mujoco.mj_forward(model, data), CALLS, lambda: [*(R.T @ data.qacc[:3] - turning), *data.qacc[3:]])
    data.qacc[:3] = R @ (x[:3] + turning)
    efforts = np.empty(model.nv)

    def inverse() -> None:
        mujoco.mj_kinematics(model, data)
        mujoco.mj_comPos(model, data)
        mujoco.mj_comVel(model, data)
        mujoco.mj_rne(model, data, 1, efforts)

    return calling(inverse, CALLS, lambda: [*(R.T @ efforts[:3]), *efforts[3:]])


def in_pinocchio(case: str) -> Job:
    """Pinocchio. Its quaternions have the real part last."""
    from ._pinocchio import WORLD, functions, pin, stepping

    tree = robot.links()
    model = robot.pinocchio_model(tree)
    if case == "simulate":
        points = [(i + 1, tree[i].end) for i in robot.tips(tree)]  # the first joint is the world
        return stepping(model, robot.begin(tree), robot.HEIGHT, STEP, round(DURATION / STEP), points)
    q, v, x = robot.state(tree, *_many(case))
    q[..., 3:7] = np.roll(q[..., 3:7], -1, axis=-1)
    if case == "aba batch":
        out, data = np.empty_like(v), model.createData()

        def all_states() -> None:
            for k in range(STATES):
                out[k] = pin.aba(model, data, q[k], v[k], x[k], WORLD)

        return calling(all_states, 1, lambda: out)
    call = functions(model, q, v, x)[case]
    return calling(call, CALLS, call)


def _many(case: str) -> tuple[int, ...]:
    return (STATES,) if case == "aba batch" else ()


def right(case: str) -> np.ndarray:
    """Where the ends really are: adaptive steps of order 8, tolerance near rounding. Of functions, bielle's answer."""
    return (with_steps(bl.Recursive(rtol=1e-12, atol=1e-14, root="link0")) if case == "simulate" else ours(case)).done()


WORKLOAD = Workload(
    title="Humanoid",
    about="A free-floating tree of 50 hinges: half a second with RK4 and steps of 1 ms, and calls of functions from Python.",
    cases={
        "simulate": Case({"case": "simulate"}, count=round(DURATION / STEP), quick=True),
        **{case: Case({"case": case}, count=CALLS, quick=True) for case in ("aba", "rnea", "crba", "∂aba")},
        "aba batch": Case({"case": "aba batch"}, count=STATES),
    },
    programs=(
        Program("bielle", ours),
        Program("MuJoCo", in_mujoco, "mujoco", cases=("simulate", "aba", "rnea")),
        Program("Pinocchio", in_pinocchio, "pin"),
    ),
    pairs=(Pair("bielle", "MuJoCo"), Pair("bielle", "Pinocchio")),
    reference=right,
    error="difference, relative",
    relative=True,
    unit="step, call or state",
)
