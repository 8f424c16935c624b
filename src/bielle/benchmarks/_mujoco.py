"""Models for MuJoCo: trees of bodies on joints, its RK4 with fixed steps, contacts and constraints switched off where there are none."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any

import numpy as np

from ._workload import Job

mujoco: Any = import_module("mujoco")  # has no types

__all__ = ["mujoco", "new_spec", "stepping", "with_inertia"]


def new_spec(gravity: Sequence[float], step: float) -> Any:
    """An empty specification."""
    spec = mujoco.MjSpec()
    spec.option.gravity, spec.option.timestep = list(gravity), step
    spec.option.integrator = mujoco.mjtIntegrator.mjINT_RK4
    spec.option.disableflags = mujoco.mjtDisableBit.mjDSBL_CONTACT | mujoco.mjtDisableBit.mjDSBL_CONSTRAINT
    return spec


def with_inertia(body: Any, mass: float, centre: Sequence[float], inertia: Sequence[float]) -> Any:
    """Give a body its mass, and inertia about the axes of its frame."""
    body.mass, body.ipos, body.inertia, body.explicitinertial = mass, list(centre), list(inertia), 1
    return body


def stepping(spec: Any, steps: int, site: str, dim: int, begin: Any = None) -> Job:
    """Take so many steps in one call; the answer is where a site is at the end. ``begin`` is called with model and data before."""
    model = spec.compile()
    data = mujoco.MjData(model)
    if begin is not None:
        begin(model, data)

    def where() -> np.ndarray:
        mujoco.mj_kinematics(model, data)
        return data.site(site).xpos[:dim].copy()

    return Job(lambda: mujoco.mj_step(model, data, nstep=steps), where)
