"""The planar chain in MuJoCo, changed by recompiling its specification: what an engine that freezes the model does instead of an edit."""

import time

import mujoco

__all__ = ["Chain"]


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
                type=mujoco.mjtGeom.mjGEOM_CAPSULE, fromto=[0, 0, 0, length, 0, 0], size=[0.1 * length, 0, 0], mass=0.01, contype=0, conaffinity=0
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
            name="loop", type=mujoco.mjtEq.mjEQ_CONNECT, objtype=mujoco.mjtObj.mjOBJ_BODY, name1=f"link{self.n // 2}", name2=f"link{self.n // 2 + 2}"
        )
        self.model, self.data = spec.recompile(self.model, self.data)
        between = time.perf_counter()
        spec.delete(made)
        self.model, self.data = spec.recompile(self.model, self.data)
        return between - started, time.perf_counter() - between
