"""A force of any kind on bodies of any kinds in any configuration, and what it does there, seen from outside the kernels."""

from itertools import product

import numpy as np

import bielle.bodies
import bielle.forces
import bielle.joints  # noqa: F401 (fills the registry)
from bielle.integrators import rk4
from bielle.kernels import slots
from bielle.mechanism import registry
from bielle.mechanism.description import Pose, Twist
from bielle.mechanism.mechanism import Mechanism
from bielle.mechanism.shapes import rigid
from bielle.mechanism.vectors import rotation
from bielle.model import compile_mechanism
from bielle.solvers.workspace import Workspace

U = np.finfo(float).eps
H = 1e-3
STENCIL = ((-2, 1 / 12), (-1, -2 / 3), (1, 2 / 3), (2, -1 / 12))  # fourth order: error h⁴ f⁽⁵⁾/30 and u f/h
TIME = 0.37


def derivative(f, x, direction):
    """Of f along a direction at x, by differences of fourth order."""
    return sum(weight * np.asarray(f(x + k * H * direction)) for k, weight in STENCIL) / H


def body_kinds(dim):
    return [name for name, kind in registry.bodies.items() if kind.dim == dim]


def attachments(kind, dim):
    """(kind of a, kind of b or None) for every way the force can be attached."""
    kinds = body_kinds(dim)
    alone = [(k, None) for k in kinds] if kind.attachment in ("one", "any") else []
    if kind.attachment == "one":
        return alone
    return [*alone, *product(kinds, kinds), *(("ground", k) for k in kinds), *((k, "ground") for k in kinds)]


def shape(dim, mass):
    """A body without symmetry whose centre of mass is not its origin."""
    if dim == 2:
        return rigid(mass, (0.1, -0.15), 0.07 * mass)
    return rigid(mass, (0.1, -0.15, 0.2), tuple(mass * np.array([0.08, 0.1, 0.12, 0.01, -0.015, 0.02])))


def turned(dim, vector):
    """Rotation matrix of a rotation vector; in the plane only its z component counts."""
    r = np.array([0.0, 0.0, vector[2]]) if dim == 2 else np.asarray(vector)
    angle = float(np.linalg.norm(r))
    return Pose.of((0.0,), rotation(tuple(r / angle), angle)).rotation if angle > 0 else np.eye(3)


class Bench:
    """A force on one body or between two, away from the configuration it was described in.

    Poses and velocities depend on the seed only, not on the kinds of the bodies.
    """

    def __init__(self, kind, dim, kinds, seed=1, frames=False):
        rng = np.random.default_rng(seed)
        self.dim, self.kind = dim, kind
        self.m = m = Mechanism(gravity=(0.0,) * dim, plane="xy" if dim == 2 else None)
        names = ["a", "b"][: 1 if kinds[1] is None else 2]
        self.places, self.pose, self.twist, self.local = [], {}, {}, {}
        for name, body in zip(names, kinds):
            described, moved = ((rng.uniform(-1, 1, 3), 0.9 * rng.uniform(-1, 1, 3)) for _ in range(2))
            velocity, spin, local = rng.uniform(-1, 1, 3), rng.uniform(-1, 1, 3), rng.uniform(-0.6, 0.6, 3)
            for v in (described[0], moved[0], velocity, local):
                v[dim:] = 0.0
            if dim == 2:
                spin[:2] = 0.0
            self.local[name] = local
            if body == "ground":
                self.places.append("ground")
                self.pose[name], self.twist[name] = Pose(np.zeros(3), np.eye(3)), Twist(np.zeros(3), np.zeros(3))
                continue
            R = turned(dim, described[1])
            angle = float(np.arctan2(R[1, 0], R[0, 0]))
            m.add_body(name, shape(dim, 2.0), position=described[0][:dim], orientation=angle if dim == 2 else R, coordinates=body)
            self.places.append(name)
            self.pose[name] = Pose(moved[0], turned(dim, moved[1]) @ R)
            self.twist[name] = Twist(velocity, spin)
        where = {f"at_{n}": tuple(self.local[n][:dim]) for n in names}
        if frames:
            turns = {n: 0.4 * rng.uniform(-1, 1, 3) for n in names}
            for i, n in enumerate(names):
                R = turned(dim, turns[n])
                place = m.add_frame(f"frame_{n}", self.places[i], local=where[f"at_{n}"], orientation=turns[n][2] if dim == 2 else R)
                self.places[i] = place
            where = {}
        m.add_force("force", kind, *self.places, **where)
        self.model, state = compile_mechanism(m)
        for name, row in self.model.bodies.items():
            if name != "ground":
                state.q[row.q] = row.kind.coordinates(self.pose[name])
                state.v[row.v] = row.kind.velocities(self.pose[name], self.twist[name])
        self.w = Workspace(self.model, state)
        self.w.scalar[slots.S_TIME] = TIME
        self.rows = self.model.forces["force"].elements
        self.slice = slice(dim * self.rows.start, dim * self.rows.stop)
        self.w.evaluate()
        self.w.apply_forces()

    @property
    def x(self):
        return self.w.x[self.slice].copy()

    @property
    def xd(self):
        return self.w.x_dot[self.slice].copy()

    @property
    def F(self):
        return self.w.x_force[self.slice].copy()

    def at(self, x, xd):
        """Let the elements be anywhere, even where no body could bring them, and evaluate the law there."""
        self.w.x[self.slice], self.w.x_dot[self.slice] = x, xd
        self.w.x_force[self.slice] = np.nan  # everything must be written
        for outputs in (self.w.energy, self.w.power, self.w.output):
            outputs[:] = np.nan
        self.kind.kernel(self.w.address, 0, 1)
        return self.F

    def tangent(self):
        """−∂F/∂x and −∂F/∂ẋ of the tangent kernel."""
        n = len(self.x)
        self.w.x_stiff[:], self.w.x_damp[:] = np.nan, np.nan
        self.kind.tangent(self.w.address, 0, 1)
        return self.w.x_stiff[: n * n].reshape(n, n).copy(), self.w.x_damp[: n * n].reshape(n, n).copy()

    def difference_tangent(self, x, xd):
        """The same by differences of the law."""
        axes = np.eye(len(x))
        K = [derivative(lambda y: self.at(y, xd), x, e) for e in axes]
        C = [derivative(lambda y: self.at(x, y), xd, e) for e in axes]
        return -np.stack(K, axis=1), -np.stack(C, axis=1)

    def wrench(self, side):
        """Force (3,) on a body and moment (3,) about the world's origin, from the efforts on its elements: directions are arms too."""
        total, moment = np.zeros(3), np.zeros(3)
        index = self.model.bodies[self._body(side)].index
        for e in range(self.rows.start, self.rows.stop):
            if self.w.elem_body[e] != index:
                continue
            x, F = np.zeros(3), np.zeros(3)
            x[: self.dim] = self.w.x[self.dim * e : self.dim * (e + 1)]
            F[: self.dim] = self.w.x_force[self.dim * e : self.dim * (e + 1)]
            total += F * self.w.elem_point[e]
            moment += np.cross(x, F)
        return total, moment

    def _body(self, side):
        place = self.m.forces["force"].a if side == "a" else self.m.forces["force"].b
        return self.m.frames[place].body if place in self.m.frames else place

    def point(self, side):
        """Position and velocity of the point of attachment, by rigid-body kinematics."""
        pose, arm = self.pose[side], self.pose[side].rotation @ self.local[side]
        return pose.position + arm, self.twist[side].at(arm)

    def second_rates(self):
        """ẍ of the elements under the force: J v̇ + bias."""
        self.w.accelerate()
        out = []
        for e in range(self.rows.start, self.rows.stop):
            body = int(self.w.elem_body[e])
            nv, v0, j = int(self.w.body_nv[body]), int(self.w.body_v[body]), int(self.w.elem_j[e])
            J = self.w.x_jac[j : j + self.dim * nv].reshape(self.dim, nv)
            out.append(self.w.x_bias[self.dim * e : self.dim * (e + 1)] + J @ self.w.acc[v0 : v0 + nv])
        return np.array(out)


def simulate(m, step, duration):
    """Run RK4 and return the workspace, forces up to date at the end if the run got there."""
    model, state = compile_mechanism(m)
    w = Workspace(model, state)
    w.scalar[slots.S_STEP] = step
    rk4.steps(w.address, round(duration / step), 0)
    if w.status[slots.ST_CODE] == slots.CODE_OK:
        w.evaluate()
        w.apply_forces()
    return w
