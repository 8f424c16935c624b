"""Planar chains in MuJoCo: one that is changed by recompiling its specification, which is what an engine that freezes the model does
instead of an edit, and one that falls."""

import time

import mujoco
import numpy as np

__all__ = ["Chain", "FallingChain"]


class Chain:
    """n hinged links; an equality constraint between two of them comes and goes."""

    def __init__(self, n):
        self.n = n
        self.spec = spec = mujoco.MjSpec()
        length = 1 / n
        parent = spec.worldbody
        for i in range(n):
            parent = parent.add_body(name=f"link{i}", pos=[0 if i == 0 else length, 0, 0])
            parent.add_joint(name=f"pin{i}", type=mujoco.mjtJoint.mjJNT_HINGE, axis=[0, 0, 1])
            parent.add_geom(
                type=mujoco.mjtGeom.mjGEOM_CAPSULE,
                fromto=[0, 0, 0, length, 0, 0],
                size=[0.1 * length, 0, 0],
                mass=0.01,
                contype=0,
                conaffinity=0,
            )
        spec.option.gravity = [0, 0, 0]
        self.model = spec.compile()
        self.data = mujoco.MjData(self.model)
        mujoco.mj_step(self.model, self.data)

    def add_and_remove(self):
        """Seconds for making a constraint and for taking it away again, state kept."""
        spec = self.spec
        started = time.perf_counter()
        made = spec.add_equality(
            name="loop",
            type=mujoco.mjtEq.mjEQ_CONNECT,
            objtype=mujoco.mjtObj.mjOBJ_BODY,
            name1=f"link{self.n // 2}",
            name2=f"link{self.n // 2 + 2}",
        )
        self.model, self.data = spec.recompile(self.model, self.data)
        between = time.perf_counter()
        spec.delete(made)
        self.model, self.data = spec.recompile(self.model, self.data)
        return between - started, time.perf_counter() - between


class FallingChain:
    """n links of 1 kg and 1 m on hinges, level and at rest: ``workloads.long_chain``. RK4; nothing touches, nothing constrains."""

    def __init__(self, n, step):
        spec = mujoco.MjSpec()
        parent = spec.worldbody
        for i in range(n):
            parent = parent.add_body(name=f"link{i}", pos=[0 if i == 0 else 1, 0, 0])
            parent.mass, parent.ipos, parent.inertia, parent.explicitinertial = 1.0, [0.5, 0, 0], [1e-3, 1 / 12, 1 / 12], 1
            parent.add_joint(name=f"pin{i}", type=mujoco.mjtJoint.mjJNT_HINGE, axis=[0, 0, 1])
        parent.add_site(name="tip", pos=[1, 0, 0])
        spec.option.gravity, spec.option.timestep = [0, -9.81, 0], step
        spec.option.integrator = mujoco.mjtIntegrator.mjINT_RK4
        spec.option.disableflags = mujoco.mjtDisableBit.mjDSBL_CONTACT | mujoco.mjtDisableBit.mjDSBL_CONSTRAINT
        self.model = spec.compile()
        self.data = mujoco.MjData(self.model)

    def tips(self, steps, samples=21):
        """The end of the chain at equidistant moments."""
        mujoco.mj_resetData(self.model, self.data)
        out = []
        for k in range(samples):
            if k:
                mujoco.mj_step(self.model, self.data, nstep=steps // (samples - 1))
            mujoco.mj_kinematics(self.model, self.data)
            out.append(self.data.site("tip").xpos[:2].copy())
        return np.array(out)

    def seconds(self, steps):
        """For so many steps from the start."""
        mujoco.mj_resetData(self.model, self.data)
        started = time.perf_counter()
        mujoco.mj_step(self.model, self.data, nstep=steps)
        return time.perf_counter() - started
