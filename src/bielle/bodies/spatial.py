"""Spatial body, coordinates: position of the centre of mass and unit quaternion (T2a).

q = (x_G, quaternion w x y z), v = (ẋ_G in world axes, ω in body axes), so that M = diag(m I, I_G) is constant.
x_P = x_G + R r,  ẋ_P = ẋ_G + R(ω × r),  J = [I, −R r̃],  bias R(ω × (ω × r)); inertia force −ω × I_G ω.
"""

import numpy as np

from ..kernels import slots
from ..kernels.lazy import entry
from ..kernels.pointers import at
from ..kernels.rotations import matrix_to_quaternion, quaternion_rate, quaternion_to_matrix, rotate_quaternion
from ..mechanism.registry import register_body
from ..mechanism.vectors import rotation_matrix
from .kind import BodyKind


@entry
def motion(ctx, first, last):
    """Cache R; write quaternion rates, weight and gyroscopic torque."""
    body_q, body_v = ctx.body_q, ctx.body_v
    body_p, body_w = ctx.body_p, ctx.body_w
    q, v, qd, force = ctx.q, ctx.v, ctx.qd, ctx.force
    param, work, scalar = ctx.param, ctx.body_work, ctx.scalar
    for b in range(first, last):
        i, k, p = body_q[b], body_v[b], body_p[b]
        quaternion_to_matrix(q, i + 3, work, body_w[b])
        wx, wy, wz = v[k + 3], v[k + 4], v[k + 5]
        for n in range(3):
            qd[i + n] = v[k + n]
            force[k + n] = param[p] * scalar[slots.S_GX + n]
        quaternion_rate(q, i + 3, wx, wy, wz, qd)
        xx, yy, zz, xy, xz, yz = param[p + 1], param[p + 2], param[p + 3], param[p + 4], param[p + 5], param[p + 6]
        hx = xx * wx + xy * wy + xz * wz
        hy = xy * wx + yy * wy + yz * wz
        hz = xz * wx + yz * wy + zz * wz
        force[k + 3] = hy * wz - hz * wy
        force[k + 4] = hz * wx - hx * wz
        force[k + 5] = hx * wy - hy * wx


@entry
def elements(ctx, first, last):
    """Points and directions, from the cached R."""
    order, body, is_point = ctx.elem_order, ctx.elem_body, ctx.elem_point
    elem_j, body_q, body_v, body_w = ctx.elem_j, ctx.body_q, ctx.body_v, ctx.body_w
    q, v, work, local = ctx.q, ctx.v, ctx.body_work, ctx.elem_p
    x, xd, bias, jac = ctx.x, ctx.x_dot, ctx.x_bias, ctx.x_jac
    for n in range(first, last):
        e = order[n]
        b = body[e]
        i, k, R = body_q[b], body_v[b], body_w[b]
        rx, ry, rz = local[4 * e], local[4 * e + 1], local[4 * e + 2]
        wx, wy, wz = v[k + 3], v[k + 4], v[k + 5]
        ux, uy, uz = wy * rz - wz * ry, wz * rx - wx * rz, wx * ry - wy * rx  # ω × r
        ax, ay, az = wy * uz - wz * uy, wz * ux - wx * uz, wx * uy - wy * ux  # ω × (ω × r)
        one = float(is_point[e])
        for m in range(3):
            a, c, d = work[R + 3 * m], work[R + 3 * m + 1], work[R + 3 * m + 2]
            x[3 * e + m] = one * q[i + m] + a * rx + c * ry + d * rz
            xd[3 * e + m] = one * v[k + m] + a * ux + c * uy + d * uz
            bias[3 * e + m] = a * ax + c * ay + d * az
            j = elem_j[e] + 6 * m
            jac[j] = 0.0
            jac[j + 1] = 0.0
            jac[j + 2] = 0.0
            jac[j + m] = one
            jac[j + 3] = d * ry - c * rz
            jac[j + 4] = a * rz - d * rx
            jac[j + 5] = c * rx - a * ry


@entry
def retract(ctx, first, last):
    """x ← x + δx, quaternion ← quaternion ⊗ exp(δθ), δθ in body axes."""
    body_q, body_v = ctx.body_q, ctx.body_v
    q, delta = ctx.q, ctx.delta
    for b in range(first, last):
        i, k = body_q[b], body_v[b]
        for n in range(3):
            q[i + n] += delta[k + n]
        rotate_quaternion(q, i + 3, delta[k + 3], delta[k + 4], delta[k + 5])


@entry
def observe(ctx, first, last):
    """frame ← (R, x_G, R ω, ẋ_G)."""
    body_q, body_v, q, v = ctx.body_q, ctx.body_v, ctx.q, ctx.v
    for b in range(first, last):
        i, k, frame = body_q[b], body_v[b], at(ctx.frame, 24 * b)
        quaternion_to_matrix(q, i + 3, frame, 0)
        for n in range(3):
            frame[9 + n] = q[i + n]
            frame[12 + n] = frame[3 * n] * v[k + 3] + frame[3 * n + 1] * v[k + 4] + frame[3 * n + 2] * v[k + 5]
            frame[15 + n] = v[k + n]


@entry
def settle(ctx, first, last):
    """The inverse; of the two quaternions the one nearer to the old."""
    body_q, body_v, q, v = ctx.body_q, ctx.body_v, ctx.q, ctx.v
    for b in range(first, last):
        i, k, frame = body_q[b], body_v[b], at(ctx.frame, 24 * b)
        matrix_to_quaternion(frame, q, i + 3)
        for n in range(3):
            q[i + n] = frame[9 + n]
            v[k + n] = frame[15 + n]
            v[k + 3 + n] = frame[n] * frame[12] + frame[3 + n] * frame[13] + frame[6 + n] * frame[14]


@entry
def follow(ctx, first, last):
    """v̇ = (ẍ_G, Rᵀ α); ω̇ in body axes is that, because ω × ω = 0."""
    body_v, acc = ctx.body_v, ctx.acc
    for b in range(first, last):
        k, frame = body_v[b], at(ctx.frame, 24 * b)
        for n in range(3):
            acc[k + n] = frame[21 + n]
            acc[k + 3 + n] = frame[n] * frame[18] + frame[3 + n] * frame[19] + frame[6 + n] * frame[20]


@entry
def stiffness(ctx, first, last):
    """With F = Rᵀ effort in body axes, δ(r × F) = r × (F × δθ): stiffness (r·F) I − F rᵀ, of which the symmetric part is added."""
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
        R, m = at(work, body_w[body[e]]), at(hat, body_m[body[e]])
        r = at(local, 4 * e)
        f0, f1, f2 = effort[3 * e], effort[3 * e + 1], effort[3 * e + 2]
        F = (R[0] * f0 + R[3] * f1 + R[6] * f2, R[1] * f0 + R[4] * f1 + R[7] * f2, R[2] * f0 + R[5] * f1 + R[8] * f2)
        trace = r[0] * F[0] + r[1] * F[1] + r[2] * F[2]
        for i in range(3):
            m[(3 + i) * 6 + 3 + i] += beta * trace
            for j in range(3):
                m[(3 + i) * 6 + 3 + j] -= 0.5 * beta * (F[i] * r[j] + F[j] * r[i])


@register_body
class Spatial(BodyKind):
    """Coordinates (x_G [m], quaternion w x y z)."""

    name = "spatial"
    without_mass = True
    dim = 3
    nq = 7
    nv = 6
    n_work = 9
    linear, angular = slice(0, 3), slice(3, 6)
    motion, elements, retract, stiffness = motion, elements, retract, stiffness
    observe, settle, follow = observe, settle, follow

    def parameters(self):
        inertia = self.properties.inertia
        return [self.properties.mass, *np.diag(inertia), inertia[0, 1], inertia[0, 2], inertia[1, 2]]

    def mass(self):
        matrix = self.properties.mass * np.eye(6)
        matrix[3:, 3:] = self.properties.inertia
        return matrix

    def element(self, is_point, local):
        return [*(local - self.properties.centre if is_point else local).tolist(), 0.0]

    def coordinates(self, pose):
        return np.concatenate([pose.point(self.properties.centre), pose.quaternion()])

    def velocities(self, pose, twist):
        linear = twist.at(pose.rotation @ self.properties.centre)
        return np.concatenate([linear, pose.rotation.T @ twist.angular])

    def pose(self, q):
        if q.ndim == 1:  # one position in a tenth of the time: edits of a running simulation ask for it
            rotation = rotation_matrix(q[3:].tolist())
            return q[:3] - rotation @ self.properties.centre, rotation
        w, x, y, z = (q[..., 3 + n] for n in range(4))
        s = 2.0 / (w * w + x * x + y * y + z * z)
        rotation = np.empty((*q.shape[:-1], 3, 3))
        rotation[..., 0, 0], rotation[..., 0, 1], rotation[..., 0, 2] = 1 - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y)
        rotation[..., 1, 0], rotation[..., 1, 1], rotation[..., 1, 2] = s * (x * y + w * z), 1 - s * (x * x + z * z), s * (y * z - w * x)
        rotation[..., 2, 0], rotation[..., 2, 1], rotation[..., 2, 2] = s * (x * z - w * y), s * (y * z + w * x), 1 - s * (x * x + y * y)
        return q[..., :3] - rotation @ self.properties.centre, rotation
