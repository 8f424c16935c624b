"""Pinocchio: its functions of robotics, and steps made of them.

Where it has two ways, in the axes of links or of the world, the quicker one is taken.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any

import numpy as np

from ._calls import Functions
from ._workload import Job

pin: Any = import_module("pinocchio")  # has no types
WORLD = pin.Convention.WORLD  # quicker than its default for all but the mass matrix of a few joints

__all__ = ["WORLD", "functions", "pin", "stepping"]


def functions(model: Any, q: np.ndarray, v: np.ndarray, x: np.ndarray) -> Functions:
    """x: efforts if accelerations are asked for, accelerations if efforts are."""
    data = model.createData()
    way = WORLD if model.njoints > 10 else pin.Convention.LOCAL
    return {
        "aba": lambda: pin.aba(model, data, q, v, x, WORLD),
        "rnea": lambda: pin.rnea(model, data, q, v, x),
        "crba": lambda: pin.crba(model, data, q, way),
        "∂aba": lambda: pin.computeABADerivatives(model, data, q, v, x),
        "∂rnea": lambda: pin.computeRNEADerivatives(model, data, q, v, x),
    }


def stepping(model: Any, v: np.ndarray, height: float, step: float, steps: int, points: Sequence[tuple[int, np.ndarray]]) -> Job:
    """RK4 in Python, of a model on a free joint, with changes of q in its tangent space. The answer is where points of joints are.

    Velocities of the free joint are in axes that turn, and averages of them are of order 2 only: with steps of 1 ms, some 1e-8 m.
    """
    data, rest, h = model.createData(), np.zeros(model.nv), step
    q = pin.neutral(model)
    q[2] = height

    def go() -> None:
        nonlocal q, v
        for _ in range(steps):
            a1 = pin.aba(model, data, q, v, rest, WORLD)
            v2 = v + h / 2 * a1
            a2 = pin.aba(model, data, pin.integrate(model, q, h / 2 * v), v2, rest, WORLD)
            v3 = v + h / 2 * a2
            a3 = pin.aba(model, data, pin.integrate(model, q, h / 2 * v2), v3, rest, WORLD)
            v4 = v + h * a3
            a4 = pin.aba(model, data, pin.integrate(model, q, h * v3), v4, rest, WORLD)
            q = pin.integrate(model, q, h / 6 * (v + 2 * v2 + 2 * v3 + v4))
            v = v + h / 6 * (a1 + 2 * a2 + 2 * a3 + a4)

    def ends() -> np.ndarray:
        pin.forwardKinematics(model, data, q)
        return np.array([data.oMi[joint].act(point) for joint, point in points])

    return Job(go, ends)
