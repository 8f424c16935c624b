"""Valid files of every format, which are then damaged, and how each format is read."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import bielle as bl
from bielle.examples import double_pendulum, four_bar, suspension

from ..io.robots import ARM

MJCF = """<mujoco model="arm"><compiler angle="degree" eulerseq="zyx"/><option gravity="0 0 -9.81"/>
<default><joint damping="0.1"/><default class="heavy"><geom density="2000"/></default></default>
<worldbody><geom type="plane" size="1 1 1"/>
 <body name="upper" pos="0 0 1" euler="10 20 30"><joint name="shoulder" axis="0 1 0" range="-90 90" limited="true" armature="0.01"/>
  <geom class="heavy" type="capsule" size="0.03" fromto="0 0 0 0.4 0 0" rgba="1 0 0 1"/><site name="tip" pos="0.4 0 0"/>
  <body name="lower" pos="0.4 0 0"><joint name="elbow" type="slide" axis="1 0 0" pos="0.1 0 0"/><joint name="wrist" ref="5"/>
   <inertial mass="1" pos="0.1 0 0" diaginertia="0.01 0.02 0.02" quat="1 0 0 0"/>
   <body name="hand" pos="0.2 0 0"><joint type="ball"/><geom type="box" size="0.1 0.05 0.02"/></body></body></body>
 <body name="free" pos="1 1 1"><freejoint/><geom type="sphere" size="0.1" mass="2"/></body>
</worldbody><actuator><motor joint="shoulder"/></actuator></mujoco>"""


def _spring() -> bl.Mechanism:
    """A mechanism with functions, tables and stops, in space."""
    m = bl.Mechanism(name="table")
    m.add_body("slide", bl.box((0.2, 0.1, 0.1), mass=1.0), position=(0, 0, 0))
    m.add_joint("rail", bl.Prismatic(axis="x"), "ground", "slide", at=(0, 0, 0))
    m.add_body("bob", bl.sphere(0.1, mass=0.5), position=(0, 0, -0.5))
    m.add_joint("hinge", bl.Revolute(axis="y"), "slide", "bob", at=(0, 0, 0))
    m.add_force("push", bl.PointForce((bl.Table(x=(0, 0.5, 1), y=(0, 3, 0)), 0, 0)), "slide", at_a=(0, 0, 0))
    m.add_force("return", bl.Spring(stiffness=10.0, length=0.1), "ground", "slide", at_a=(1, 0, 0), at_b=(0, 0, 0))
    return m


def mechanisms() -> list[bl.Mechanism]:
    return [double_pendulum.build(), four_bar.build(), suspension.build(), _spring()]


def _session(model: bl.Mechanism, path: Path) -> None:
    """A session with a past: events, edits, an undo."""
    live, body = model.live(), next(iter(model.bodies))
    live.when(f"{body}.velocity.x", above=100.0, name="fast")
    live.advance(0.02)
    live.set_gravity([0.5 * g for g in model.gravity])
    for force in model.forces:
        live.remove(force)
    live.advance(0.02)
    live.undo()
    live.advance(0.01)
    live.save(path)


def make(folder: Path, format: str) -> list[Path]:
    """Files of a format that can be read."""
    models = mechanisms()
    paths = [folder / f"{k}.{format}" for k in range(len(models))]
    if format in ("yaml", "json"):
        for model, path in zip(models, paths):
            model.save(path)
    elif format in ("urdf", "xml"):
        paths = paths[:1]
        paths[0].write_text(ARM if format == "urdf" else MJCF)
    elif format == "session":
        for model, path in zip(models, paths):
            _session(model, path)
    else:
        for model, path in zip(models[1:], paths[1:]):
            model.simulate(0.05, samples=4).save(path)
        paths = paths[1:]
    return paths


LOADERS: dict[str, Callable[[Path], Any]] = {
    "yaml": bl.load,
    "json": bl.load,
    "urdf": lambda path: bl.load_urdf(path, limits=True),
    "xml": lambda path: bl.load_mjcf(path, limits=True),
    "session": bl.load_session,
    "npz": bl.load_result,
    "h5": bl.load_result,
}
