"""Calls from Python of forward and inverse dynamics, mass matrix and derivatives, one state at a time: what controllers and planners do.

The mechanism is a chain of n hinges about x, y, z in turn; Pinocchio has joints made for these axes. Both take arrays and return new ones.
"""

from __future__ import annotations

from typing import Any

import numpy as np

import bielle as bl

from ..recursive import RecursiveModel
from ._calls import calling, functions
from ._workload import Case, Job, Pair, Program, Workload

# of accelerations, relative: the mass matrix of 100 hinges has a condition of 2e8, which makes that much of what differs by rounding
WITHIN = 5e-8
MASS, CENTRE, INERTIA = 1.0, (0.0, 0.0, 0.5), (0.1, 0.1, 0.01)  # of a link of 1 m [kg, m, kg·m²]


def chain(n: int) -> RecursiveModel:
    """For bielle: upright, hinges about x, y, z in turn."""
    m = bl.Mechanism(gravity=(0, 0, -9.81), name=f"chain of {n}")
    for i in range(n):
        m.add_body(f"link{i}", bl.rigid(MASS, CENTRE, INERTIA), position=(0, 0, i))
        m.add_joint(f"joint{i}", bl.Revolute(axis="xyz"[i % 3]), f"link{i - 1}" if i else m.ground, f"link{i}", at=(0, 0, i))
    return m.recursive()


def chain_in_pinocchio(n: int) -> Any:
    """The same."""
    from ._pinocchio import pin

    model, joint = pin.Model(), 0
    for i in range(n):
        place = pin.SE3(np.eye(3), np.array([0.0, 0.0, 1.0 if i else 0.0]))
        joint = model.addJoint(joint, (pin.JointModelRX, pin.JointModelRY, pin.JointModelRZ)[i % 3](), place, f"joint{i}")
        model.appendBodyToJoint(joint, pin.Inertia(MASS, np.array(CENTRE), np.diag(INERTIA)), pin.SE3.Identity())
    return model


def state(*shape: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Angles, rates, and efforts or accelerations."""
    rng = np.random.default_rng(shape[-1])
    q, v, x = (0.3 * rng.normal(size=shape) for _ in range(3))
    return q, v, x


def ours(function: str, n: int, count: int) -> Job:
    """bielle."""
    call = functions(chain(n), *state(n))[function]
    return calling(call, count, call)


def in_pinocchio(function: str, n: int, count: int) -> Job:
    """Pinocchio."""
    from ._pinocchio import functions

    call = functions(chain_in_pinocchio(n), *state(n))[function]
    return calling(call, count, call)


def _case(function: str, n: int) -> Case:
    count = max(20, 3000 // n)
    return Case({"function": function, "n": n, "count": count}, count=count, quick=n == 30)


_CASES = {f"{function} {n}": _case(function, n) for n in (7, 30, 100) for function in ("aba", "rnea", "crba")}
_CASES |= {f"{function} 30": _case(function, 30) for function in ("∂aba", "∂rnea")}

WORKLOAD = Workload(
    title="Calls from Python",
    about="Forward and inverse dynamics, mass matrix and derivatives of a chain of n hinges, a call for each state; best of 100 bursts.",
    cases=_CASES,
    programs=(Program("bielle", ours, within=WITHIN), Program("Pinocchio", in_pinocchio, "pin", within=WITHIN)),
    pairs=(
        Pair(
            "bielle",
            "Pinocchio",
            goals={f"{function} {n}": goal for n, goal in ((7, 1.0), (30, 1.4), (100, 1.4)) for function in ("aba", "rnea", "crba")},
        ),
    ),
    error="difference, relative",
    relative=True,
    unit="call",
)
