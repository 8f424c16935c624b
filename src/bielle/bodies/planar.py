"""Planar body, coordinates (x, y, θ) of its centre of mass and orientation (T2g).

x_P = x_G + R(θ) r,  ẋ_P = ẋ_G + ω R' r,  bias −ω² R r,  with R' = dR/dθ and r measured from the centre of mass;
M = diag(m, m, I), no velocity-dependent inertia force.
"""

import math

import numpy as np

from ..kernels.lazy import entry
from ..kernels.pointers import at, clear
from ..kernels.rotations import nearest_angle
from ..mechanism.registry import register_body
from .flat import add_increment
from .kind import BodyKind


@entry
def motion(ctx, first, last):
    """Cache cos θ, sin θ; rates are the velocities; the only own force is the weight."""
    body_q, body_v = ctx.body_q, ctx.body_v
    body_p, body_w = ctx.body_p, ctx.body_w
    q, v, qd, force = ctx.q, ctx.v, ctx.qd, ctx.force
    param, work, scalar = ctx.param, ctx.body_work, ctx.scalar
    gx, gy = scalar.gx, scalar.gy
    for b in range(first, last):
        i, k, w = body_q[b], body_v[b], body_w[b]
        m = param[body_p[b]]
        work[w] = math.cos(q[i + 2])
        work[w + 1] = math.sin(q[i + 2])
        qd[i] = v[k]
        qd[i + 1] = v[k + 1]
        qd[i + 2] = v[k + 2]
        force[k] = m * gx
        force[k + 1] = m * gy
        force[k + 2] = 0.0


@entry
def elements(ctx, first, last):
    """Points and directions, from the cached cos θ and sin θ."""
    order, body, is_point = ctx.elem_order, ctx.elem_body, ctx.elem_point
    elem_j, body_q, body_v, body_w = ctx.elem_j, ctx.body_q, ctx.body_v, ctx.body_w
    q, v, work, local = ctx.q, ctx.v, ctx.body_work, ctx.elem_p
    x, xd, bias, jac = ctx.x, ctx.x_dot, ctx.x_bias, ctx.x_jac
    for n in range(first, last):
        e = order[n]
        b = body[e]
        i, k, w, j = body_q[b], body_v[b], body_w[b], elem_j[e]
        c, s, omega = work[w], work[w + 1], v[k + 2]
        rx = c * local[4 * e] - s * local[4 * e + 1]
        ry = s * local[4 * e] + c * local[4 * e + 1]
        one = float(is_point[e])
        x[2 * e] = one * q[i] + rx
        x[2 * e + 1] = one * q[i + 1] + ry
        xd[2 * e] = one * v[k] - omega * ry
        xd[2 * e + 1] = one * v[k + 1] + omega * rx
        bias[2 * e] = -omega * omega * rx
        bias[2 * e + 1] = -omega * omega * ry
        jac[j] = one
        jac[j + 1] = 0.0
        jac[j + 2] = -ry
        jac[j + 3] = 0.0
        jac[j + 4] = one
        jac[j + 5] = rx


@entry
def retract(ctx, first, last):
    """The space is flat: q ← q + delta."""
    add_increment(ctx, first, last, 3)


@entry
def observe(ctx, first, last):
    """frame ← (R, x_G, ω, ẋ_G)."""
    body_q, body_v, q, v = ctx.body_q, ctx.body_v, ctx.q, ctx.v
    for b in range(first, last):
        i, k, frame = body_q[b], body_v[b], at(ctx.frame, 24 * b)
        clear(18, frame)
        c, s = math.cos(q[i + 2]), math.sin(q[i + 2])
        frame[0], frame[1], frame[3], frame[4], frame[8] = c, -s, s, c, 1.0
        frame[9], frame[10], frame[14], frame[15], frame[16] = q[i], q[i + 1], v[k + 2], v[k], v[k + 1]


@entry
def settle(ctx, first, last):
    """The inverse; of all angles the one nearest to the old."""
    body_q, body_v, q, v = ctx.body_q, ctx.body_v, ctx.q, ctx.v
    for b in range(first, last):
        i, k, frame = body_q[b], body_v[b], at(ctx.frame, 24 * b)
        q[i], q[i + 1], v[k], v[k + 1], v[k + 2] = frame[9], frame[10], frame[15], frame[16], frame[14]
        q[i + 2] = nearest_angle(math.atan2(frame[3], frame[0]), q[i + 2])


@entry
def follow(ctx, first, last):
    """v̇ = (ẍ_G, α)."""
    body_v, acc = ctx.body_v, ctx.acc
    for b in range(first, last):
        k, frame = body_v[b], at(ctx.frame, 24 * b)
        acc[k], acc[k + 1], acc[k + 2] = frame[21], frame[22], frame[20]


@entry
def stiffness(ctx, first, last):
    """J_eᵀF depends on θ through r only: −∂/∂θ (r × F) = r · F."""
    order, body, body_w, body_m = ctx.elem_order, ctx.elem_body, ctx.body_w, ctx.body_m
    work, local, effort, hat = (
        ctx.body_work,
        ctx.elem_p,
        ctx.x_effort,
        ctx.mass_hat,
    )
    beta = ctx.scalar.beta_h
    for n in range(first, last):
        e = order[n]
        w = body_w[body[e]]
        rx = work[w] * local[4 * e] - work[w + 1] * local[4 * e + 1]
        ry = work[w + 1] * local[4 * e] + work[w] * local[4 * e + 1]
        hat[body_m[body[e]] + 8] += beta * (rx * effort[2 * e] + ry * effort[2 * e + 1])


@register_body
class Planar(BodyKind):
    """Coordinates (x_G, y_G, θ) [m, m, rad]."""

    name = "planar"
    without_mass = True
    dim = 2
    nq = nv = 3
    n_work = 2
    linear, angular = slice(0, 2), slice(2, 3)
    motion, elements, retract, stiffness = motion, elements, retract, stiffness
    observe, settle, follow = observe, settle, follow

    def parameters(self):
        return [self.properties.mass]

    def mass(self):
        m, inertia = self.properties.mass, self.properties.inertia[2, 2]
        return np.diag([m, m, inertia])

    def element(self, is_point, local):
        x, y, _ = (local - self.properties.centre if is_point else local).tolist()
        return [x, y, 0.0, 0.0]

    def coordinates(self, pose):
        centre = pose.point(self.properties.centre)
        return np.array([centre[0], centre[1], pose.angle()])

    def velocities(self, pose, twist):
        u = twist.at(pose.rotation @ self.properties.centre)
        return np.array([u[0], u[1], twist.angular[2]])

    def pose(self, q):
        if q.ndim == 1:  # one position in a tenth of the time: edits of a running simulation ask for it
            x, y, angle = q.tolist()
            c, s = math.cos(angle), math.sin(angle)
            rotation = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
            return np.array([x, y, 0.0]) - rotation @ self.properties.centre, rotation
        c, s = np.cos(q[..., 2]), np.sin(q[..., 2])
        rotation = np.zeros((*q.shape[:-1], 3, 3))
        rotation[..., 0, 0] = rotation[..., 1, 1] = c
        rotation[..., 1, 0], rotation[..., 0, 1] = s, -s
        rotation[..., 2, 2] = 1.0
        centre = np.concatenate([q[..., :2], np.zeros_like(q[..., :1])], axis=-1)
        return centre - rotation @ self.properties.centre, rotation
