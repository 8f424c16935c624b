"""A free-floating tree of 50 hinges as plain data, of which the models of all programs are made.

All frames are parallel where all angles are zero, each has its origin on its hinge, and hinges are about x, y or z. A state is: position
and quaternion (w, x, y, z) of the base, angles; velocity and angular velocity of the base in its own axes, rates. Efforts go with
the velocities.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

import bielle as bl

__all__ = ["HEIGHT", "Link", "begin", "links", "mechanism", "mujoco_spec", "pinocchio_model", "state", "tips"]

HINGES, DEEPEST, SEED = 50, 10, 1
GRAVITY, HEIGHT = (0.0, 0.0, -9.81), 1.0  # [m/s²], of the base at the start [m]


@dataclass(frozen=True)
class Link:
    """A slender body from its hinge to its end; the base is the first, and hangs on nothing."""

    parent: int
    axis: str
    place: np.ndarray  #: of the hinge, in the parent [m]
    end: np.ndarray  #: [m]
    mass: float  #: [kg]
    inertia: np.ndarray  #: (3, 3) about the centre of mass [kg·m²]

    @property
    def centre(self) -> np.ndarray:
        """Of mass, half way [m]."""
        return self.end / 2


def links(count: int = HINGES) -> list[Link]:
    """Limb by limb, so that what hangs on a link follows it: a limb goes on, or the next one branches off somewhere on the way to it."""
    rng = np.random.default_rng(SEED)
    out: list[Link] = []
    way: list[int] = []  # from the base to the last link
    for i in range(count + 1):
        if len(way) > DEEPEST or (len(way) > 1 and rng.random() < 0.2):
            del way[rng.integers(1, len(way)) :]
        length, radius, mass = rng.uniform(0.1, 0.4), rng.uniform(0.03, 0.06), rng.uniform(0.5, 5.0)
        along = rng.normal(size=3)
        along /= np.linalg.norm(along)
        across = np.eye(3) - np.outer(along, along)
        inertia = mass * ((length**2 / 12 + radius**2 / 4) * across + radius**2 / 2 * np.outer(along, along))  # of a cylinder
        place = out[way[-1]].end if way else np.array([0.0, 0.0, HEIGHT])
        out.append(Link(way[-1] if way else -1, "xyz"[rng.integers(3)], place, length * along, mass, inertia))
        way.append(i)
    return out


def tips(tree: list[Link]) -> list[int]:
    """Links whose ends are looked at: the base and every tenth."""
    return list(range(0, len(tree), 10))


def begin(tree: list[Link]) -> np.ndarray:
    """Velocities at the start of the simulation, at which all angles are zero: the base is at rest, and limbs are on the move."""
    return np.concatenate([np.zeros(6), np.random.default_rng(SEED).normal(size=len(tree) - 1)])


def state(tree: list[Link], *states: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Random q, v, and efforts or accelerations."""
    rng = np.random.default_rng(SEED)
    nv = len(tree) + 5
    q, v, x = rng.normal(size=(*states, nv + 1)), rng.normal(size=(*states, nv)), rng.normal(size=(*states, nv))
    q[..., 3:7] /= np.linalg.norm(q[..., 3:7], axis=-1, keepdims=True)
    return q, v, x


def mechanism(tree: list[Link], v: np.ndarray | None = None) -> bl.Mechanism:
    """For bielle, with all angles zero; its bodies move as the rates v say, the base being at rest."""
    m = bl.Mechanism(gravity=GRAVITY, name="humanoid")
    position, velocity, spin = (np.zeros((len(tree), 3)) for _ in range(3))
    for i, link in enumerate(tree):
        if i:
            p = link.parent
            position[i] = position[p] + link.place
            velocity[i] = velocity[p] + np.cross(spin[p], link.place)
            spin[i] = spin[p] + (0.0 if v is None else v[5 + i]) * np.eye(3)["xyz".index(link.axis)]
        else:
            position[i] = link.place
        shape = bl.rigid(link.mass, link.centre, link.inertia)
        m.add_body(f"link{i}", shape, position=position[i], velocity=velocity[i], angular_velocity=spin[i])
        if i:
            m.add_joint(f"hinge{i}", bl.Revolute(axis=link.axis), f"link{link.parent}", f"link{i}", at=position[i])
    return m


def mujoco_spec(tree: list[Link], step: float) -> Any:
    """For MuJoCo, with sites at the tips."""
    from ._mujoco import mujoco, new_spec

    spec = new_spec(GRAVITY, step)
    bodies: list[Any] = []
    for i, link in enumerate(tree):
        body = (bodies[link.parent] if i else spec.worldbody).add_body(name=f"link{i}", pos=list(link.place))
        J = link.inertia
        body.mass, body.ipos, body.explicitinertial = link.mass, list(link.centre), 1
        body.fullinertia = [J[0, 0], J[1, 1], J[2, 2], J[0, 1], J[0, 2], J[1, 2]]
        if i:
            body.add_joint(type=mujoco.mjtJoint.mjJNT_HINGE, axis=[float(link.axis == name) for name in "xyz"])
        else:
            body.add_freejoint()
        if i in tips(tree):
            body.add_site(name=f"tip{i}", pos=list(link.end))
        bodies.append(body)
    return spec


def pinocchio_model(tree: list[Link]) -> Any:
    """For Pinocchio, with joints made for the axes."""
    from ._pinocchio import pin

    model = pin.Model()
    model.gravity = pin.Motion(np.array(GRAVITY), np.zeros(3))
    joints: list[int] = []
    for i, link in enumerate(tree):
        kind = getattr(pin, f"JointModelR{link.axis.upper()}")() if i else pin.JointModelFreeFlyer()
        place = pin.SE3(np.eye(3), link.place) if i else pin.SE3.Identity()  # the place of the base is in q
        joints.append(model.addJoint(joints[link.parent] if i else 0, kind, place, f"hinge{i}"))
        model.appendBodyToJoint(joints[-1], pin.Inertia(link.mass, link.centre, link.inertia), pin.SE3.Identity())
    return model
