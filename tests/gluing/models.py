"""Mechanisms that are simulated whole and cut into parts that are glued together, and a component that is no mechanism at all."""

import numpy as np

import bielle as bl
from bielle.examples import double_pendulum

G = 9.81


class Mass:
    """A point mass in pure Python that accepts force; the solution under gravity and a straight force is exact. What a user might write.

    x = x₀ + h v₀ + ½ h² g + h² (F₀/3 + F₁/6)/m,   v = v₀ + h g + h (F₀ + F₁)/(2m)
    """

    accepts = "force"

    def __init__(self, mass, position, velocity=None, gravity=(0.0, -G, 0.0)):
        self.mass, self.gravity = mass, np.array(gravity[: len(position)], dtype=float)
        self.x = np.array(position, dtype=float)
        self.v = np.zeros(len(position)) if velocity is None else np.array(velocity, dtype=float)
        self.ports = {"centre": len(position)}

    def motion(self):
        return {"centre": (self.x, self.v)}

    def advance(self, time, step, inputs):
        start, end = inputs["centre"]
        self.x = self.x + step * self.v + 0.5 * step**2 * self.gravity + step**2 * (start / 3 + end / 6) / self.mass
        self.v = self.v + step * self.gravity + step * (start + end) / (2 * self.mass)
        return self.motion()

    def save(self):
        return self.x, self.v

    def restore(self, token):
        self.x, self.v = token


class LedMass(Mass):
    """The same, accepting motion: F = m (ẍ − g), straight over the step as it is."""

    accepts = "motion"

    def advance(self, time, step, inputs):
        x0, v0, x1, v1 = inputs["centre"]
        a0 = (6 * (x1 - x0) / step - 4 * v0 - 2 * v1) / step
        a1 = (-6 * (x1 - x0) / step + 2 * v0 + 4 * v1) / step
        self.x, self.v = x1, v1
        return {"centre": (self.mass * (a0 - self.gravity), self.mass * (a1 - self.gravity))}


def cut(whole, groups, *, step, accepts=None, solver=None, extra=None, **options):
    """A glue of parts of a mechanism. Joints between bodies of different groups are cut; their places become ports of the same name.

    groups   names of the bodies of each part; accepts: of parts that do not accept force; extra: more ports of a part
    """
    glue = bl.Glue(step, **options)
    owner = {body: name for name, bodies in groups.items() for body in bodies}
    between = {n: j for n, j in whole.joints.items() if len({owner.get(j.a), owner.get(j.b), None}) == 3}
    for name, bodies in groups.items():
        m = whole.copy()
        m.name = name
        for joint in list(m.joints.values()):
            if joint.name in between or not {joint.a, joint.b} <= {m.ground, *bodies}:
                m.remove(joint)
        for body in set(m.bodies) - set(bodies):
            m.remove(body)
        ports = {n: (b, j.at) for n, j in between.items() for b in (j.a, j.b) if b in bodies} | (extra or {}).get(name, {})
        glue.add(name, bl.Part(m, ports, accepts=(accepts or {}).get(name, "force"), solver=solver))
    for name, joint in between.items():
        glue.join(name, (owner[joint.a], name), (owner[joint.b], name))
    return glue


PENDULUM = {"left": ("upper",), "right": ("lower",)}


def pendulum(**options):
    """The double pendulum cut at the elbow."""
    return cut(double_pendulum.build(), PENDULUM, **options)


def rods(points, *, pinned=True, spins=None, through=0):
    """Uniform rods of 1 kg/m from point to point, pinned to each other at p1, p2 … and, if so, to the ground at p0.

    spins     angular velocities [rad/s]; the point of that number, ``through``, is at rest then
    """
    points, dim = np.array(points, dtype=float), len(points[0])
    m = bl.Mechanism(plane="xy" if dim == 2 else None, gravity=(0.0, -G, 0.0)[:dim], name="rods")
    joint, count = (bl.Pin if dim == 2 else bl.Spherical), len(points) - 1
    speeds = np.zeros_like(points)
    for i in range(through, count):
        speeds[i + 1] = speeds[i] + _turning(spins, i, points[i + 1] - points[i])
    for i in reversed(range(through)):
        speeds[i] = speeds[i + 1] + _turning(spins, i, points[i] - points[i + 1])
    for i in range(count):
        motion = {} if spins is None else {"velocity": 0.5 * (speeds[i] + speeds[i + 1]), "angular_velocity": spins[i]}
        m.add_body(f"rod {i}", bl.rod(points[i], points[i + 1], mass=float(np.linalg.norm(points[i + 1] - points[i]))), **motion)
        if i or pinned:
            m.add_joint(f"p{i}", joint(), f"rod {i - 1}" if i else m.ground, f"rod {i}", at=points[i])
    return m


def _turning(spins, i, arm):
    if spins is None:
        return np.zeros_like(arm)
    return spins[i] * np.array([-arm[1], arm[0]]) if len(arm) == 2 else np.cross(spins[i], arm)


def place(run, whole, glued=True):
    """Positions (bodies, dim) of the origins of all bodies at the end of a run, whole or glued."""
    runs = run.parts.values() if glued else [run]
    return np.array([next(r for r in runs if name in r)[name].position[-1] for name in whole.bodies])
