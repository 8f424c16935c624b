"""Planar body, coordinates of two of its points A and B (T2f): four numbers and one internal equation |AB| = ℓ.

Every point is a constant linear map of the coordinates, x_P = A + (αI + βP)(B − A) with P the quarter turn; hence a constant
mass matrix and no velocity-dependent inertia force. With Z = αI + βP: ∫ZᵀZ dm = J_A/ℓ² I and ∫Z dm = m Z_G, so
M_AA = (m − 2mα_G + J_A/ℓ²) I,  M_AB = m Z_G − J_A/ℓ² I,  M_BB = J_A/ℓ² I.
"""

import math

import numpy as np

from ..kernels.lazy import entry
from ..kernels.pointers import at, clear
from ..mechanism.registry import register_body
from .flat import add_increment
from .kind import BodyKind, InternalConstraint


@entry
def motion(ctx, first, last):
    """Rates are velocities; the weight acts through the mass: f = m (I − Z_G, Z_G)ᵀ g."""
    body_q, body_v, body_p = ctx.body_q, ctx.body_v, ctx.body_p
    v, qd, force = ctx.v, ctx.qd, ctx.force
    param, scalar = ctx.param, ctx.scalar
    gx, gy = scalar.gx, scalar.gy
    for b in range(first, last):
        i, k, p = body_q[b], body_v[b], body_p[b]
        m, alpha, beta = param[p], param[p + 1], param[p + 2]
        for n in range(4):
            qd[i + n] = v[k + n]
        fx = m * (alpha * gx + beta * gy)  # Zᵀ m g
        fy = m * (alpha * gy - beta * gx)
        force[k] = m * gx - fx
        force[k + 1] = m * gy - fy
        force[k + 2] = fx
        force[k + 3] = fy


@entry
def elements(ctx, first, last):
    """x = [A +] (αI + βP)(B − A); the Jacobian is constant."""
    order, body, is_point = ctx.elem_order, ctx.elem_body, ctx.elem_point
    elem_j, body_q, body_v = ctx.elem_j, ctx.body_q, ctx.body_v
    q, v, local = ctx.q, ctx.v, ctx.elem_p
    x, xd, jac = ctx.x, ctx.x_dot, ctx.x_jac
    for n in range(first, last):
        e = order[n]
        i, k, j = body_q[body[e]], body_v[body[e]], elem_j[e]
        alpha, beta, one = local[4 * e], local[4 * e + 1], float(is_point[e])
        dx, dy = q[i + 2] - q[i], q[i + 3] - q[i + 1]
        x[2 * e] = one * q[i] + alpha * dx - beta * dy
        x[2 * e + 1] = one * q[i + 1] + alpha * dy + beta * dx
        dx, dy = v[k + 2] - v[k], v[k + 3] - v[k + 1]
        xd[2 * e] = one * v[k] + alpha * dx - beta * dy
        xd[2 * e + 1] = one * v[k + 1] + alpha * dy + beta * dx
        jac[j] = one - alpha
        jac[j + 1] = beta
        jac[j + 2] = alpha
        jac[j + 3] = -beta
        jac[j + 4] = -beta
        jac[j + 5] = one - alpha
        jac[j + 6] = beta
        jac[j + 7] = alpha


@entry
def retract(ctx, first, last):
    """The space is flat: q ← q + delta."""
    add_increment(ctx, first, last, 4)


PLACE = 3  # parameters from here on: A and B from the centre of mass, in the body frame


@entry
def observe(ctx, first, last):
    """With d = B − A now and d₀ in the body frame: cos = d₀·d/ℓ², sin = d₀×d/ℓ², ω = d × ḋ/ℓ²; the centre of mass from A."""
    body_q, body_v, body_p = ctx.body_q, ctx.body_v, ctx.body_p
    for b in range(first, last):
        q, v = at(ctx.q, body_q[b]), at(ctx.v, body_v[b])
        p, frame = at(ctx.param, body_p[b] + PLACE), at(ctx.frame, 24 * b)
        clear(18, frame)
        d0, d1, x, y = p[2] - p[0], p[3] - p[1], q[2] - q[0], q[3] - q[1]
        size = 1.0 / math.sqrt((d0 * d0 + d1 * d1) * (x * x + y * y))
        c, s, omega = (d0 * x + d1 * y) * size, (d0 * y - d1 * x) * size, (x * (v[3] - v[1]) - y * (v[2] - v[0])) / (x * x + y * y)
        r0, r1 = c * p[0] - s * p[1], s * p[0] + c * p[1]
        frame[0], frame[1], frame[3], frame[4], frame[8] = c, -s, s, c, 1.0
        frame[9], frame[10], frame[14], frame[15], frame[16] = q[0] - r0, q[1] - r1, omega, v[0] + omega * r1, v[1] - omega * r0


@entry
def settle(ctx, first, last):
    """A, B and their rates."""
    body_q, body_v, body_p = ctx.body_q, ctx.body_v, ctx.body_p
    for b in range(first, last):
        q, v = at(ctx.q, body_q[b]), at(ctx.v, body_v[b])
        p, frame = at(ctx.param, body_p[b] + PLACE), at(ctx.frame, 24 * b)
        for n in range(0, 4, 2):
            r0, r1 = frame[0] * p[n] + frame[1] * p[n + 1], frame[3] * p[n] + frame[4] * p[n + 1]
            q[n], q[n + 1] = frame[9] + r0, frame[10] + r1
            v[n], v[n + 1] = frame[15] - frame[14] * r1, frame[16] + frame[14] * r0


@entry
def follow(ctx, first, last):
    """Accelerations of A and B: a + α × r − ω² r."""
    body_v, body_p = ctx.body_v, ctx.body_p
    for b in range(first, last):
        acc, p = at(ctx.acc, body_v[b]), at(ctx.param, body_p[b] + PLACE)
        frame = at(ctx.frame, 24 * b)
        alpha, square = frame[20], frame[14] * frame[14]
        for n in range(0, 4, 2):
            r0, r1 = frame[0] * p[n] + frame[1] * p[n + 1], frame[3] * p[n] + frame[4] * p[n + 1]
            acc[n], acc[n + 1] = frame[21] - alpha * r1 - square * r0, frame[22] + alpha * r0 - square * r1


@entry
def rigidity(ctx, first, last):
    """φ = (|AB|² − ℓ²)/(2ℓ), elements A, B."""
    joint_e, joint_c, joint_g, joint_p = (
        ctx.joint_e,
        ctx.joint_c,
        ctx.joint_g,
        ctx.joint_p,
    )
    x, xd, param = ctx.x, ctx.x_dot, ctx.param
    g, phi, gamma = ctx.g, ctx.phi, ctx.gamma
    for j in range(first, last):
        e, c, k = 2 * joint_e[j], joint_c[j], joint_g[j]
        length = param[joint_p[j]]
        dx, dy = (x[e + 2] - x[e]) / length, (x[e + 3] - x[e + 1]) / length
        ux, uy = xd[e + 2] - xd[e], xd[e + 3] - xd[e + 1]
        phi[c] = 0.5 * length * (dx * dx + dy * dy - 1.0)
        g[k], g[k + 1], g[k + 2], g[k + 3] = -dx, -dy, dx, dy
        gamma[c] = (ux * ux + uy * uy) / length


@register_body
class Bar(BodyKind):
    """Coordinates (x_A, y_A, x_B, y_B) [m] of the two reference points of the shape (the ends of a rod)."""

    name = "bar"
    dim = 2
    nq = nv = 4
    motion, elements, retract = motion, elements, retract
    observe, settle, follow = observe, settle, follow

    def __init__(self, properties, reference):
        super().__init__(properties, reference)
        self.A, self.B = reference[0][:2], reference[1][:2]
        d = self.B - self.A
        self.length = float(np.hypot(*d))
        self._to_local = np.array([[d[0], d[1]], [-d[1], d[0]]]) / self.length**2  # (α, β) of a vector of the body frame

    def _coefficients(self, vector):
        return self._to_local @ vector

    def parameters(self):
        G = self.properties.centre[:2]
        return [self.properties.mass, *self._coefficients(G - self.A), *(self.A - G), *(self.B - G)]

    def mass(self):
        m, alpha, beta, *_ = self.parameters()
        J = (self.properties.inertia[2, 2] + m * np.sum((self.properties.centre[:2] - self.A) ** 2)) / self.length**2
        unit, quarter = np.eye(2), np.array([[0.0, -1.0], [1.0, 0.0]])
        AB = m * (alpha * unit + beta * quarter) - J * unit
        return np.block([[(m - 2 * m * alpha + J) * unit, AB], [AB.T, J * unit]])

    def element(self, is_point, local):
        alpha, beta = self._coefficients(local[:2] - self.A if is_point else local[:2])
        return [float(alpha), float(beta), 0.0, 0.0]

    def coordinates(self, pose):
        return np.concatenate([pose.point(np.append(p, 0.0))[:2] for p in (self.A, self.B)])

    def velocities(self, pose, twist):
        return np.concatenate([twist.at(pose.rotation @ np.append(p, 0.0))[:2] for p in (self.A, self.B)])

    def pose(self, q):
        d = q[..., 2:] - q[..., :2]
        angle = np.arctan2(d[..., 1], d[..., 0]) - np.arctan2(self.B[1] - self.A[1], self.B[0] - self.A[0])
        rotation = np.zeros((*q.shape[:-1], 3, 3))
        rotation[..., 0, 0] = rotation[..., 1, 1] = np.cos(angle)
        rotation[..., 1, 0] = np.sin(angle)
        rotation[..., 0, 1] = -rotation[..., 1, 0]
        rotation[..., 2, 2] = 1.0
        origin = np.concatenate([q[..., :2], np.zeros_like(q[..., :1])], axis=-1)
        return origin - rotation @ np.append(self.A, 0.0), rotation

    def internal(self):
        ends = [(True, np.array([0.0, 0.0, 0.0, 0.0])), (True, np.array([1.0, 0.0, 0.0, 0.0]))]
        return [InternalConstraint(rigidity, 1, ends, [self.length])]
