"""Spatial body in natural coordinates: points A, B and unit vectors u, v (T2c): twelve numbers and six internal equations.

Every point is a constant linear map of the coordinates, x_P = (1−α) A + α B + β u + γ v with (α, β, γ) = X₀⁻¹ (r − r_A),
X₀ = [AB u v] in the body frame. With J = ½ tr(I_A) 1 − I_A, z = X₀⁻¹ J X₀⁻ᵀ and a = X₀⁻¹ (r_G − r_A), the mass matrix is
constant and made of 4 × 4 multiples of the identity, ∫ c cᵀ dm; no velocity-dependent inertia force.
"""

import numpy as np

from ..errors import DescriptionError
from ..kernels import slots
from ..kernels.lazy import entry, helper
from ..kernels.pointers import at, clear
from ..mechanism.registry import register_body
from .flat import add_increment
from .kind import BodyKind, InternalConstraint


@entry
def motion(ctx, first, last):
    """Rates are velocities; the weight acts as m c_G ⊗ g."""
    body_q, body_v, body_p = ctx.body_q, ctx.body_v, ctx.body_p
    v, qd, force = ctx.v, ctx.qd, ctx.force
    param, scalar = ctx.param, ctx.scalar
    for b in range(first, last):
        i, k, p = body_q[b], body_v[b], body_p[b]
        for c in range(4):
            for n in range(3):
                qd[i + 3 * c + n] = v[k + 3 * c + n]
                force[k + 3 * c + n] = param[p + c] * scalar[slots.S_GX + n]


@entry
def elements(ctx, first, last):
    """x = Σ c_i p_i over A, B, u, v; the Jacobian is constant."""
    order, body = ctx.elem_order, ctx.elem_body
    elem_j, body_q, body_v = ctx.elem_j, ctx.body_q, ctx.body_v
    q, v, local = ctx.q, ctx.v, ctx.elem_p
    x, xd, jac = ctx.x, ctx.x_dot, ctx.x_jac
    for n in range(first, last):
        e = order[n]
        i, k, j = body_q[body[e]], body_v[body[e]], elem_j[e]
        for m in range(3):
            value, rate = 0.0, 0.0
            for c in range(4):
                value += local[4 * e + c] * q[i + 3 * c + m]
                rate += local[4 * e + c] * v[k + 3 * c + m]
                for l in range(3):
                    jac[j + 12 * m + 3 * c + l] = local[4 * e + c] if l == m else 0.0
            x[3 * e + m] = value
            xd[3 * e + m] = rate


@entry
def retract(ctx, first, last):
    """The space is flat: q ← q + delta."""
    add_increment(ctx, first, last, 12)


PLACE = 4  # parameters from here on: A and B from the centre of mass, u, v, in the body frame


@helper
def _turned(R, x, k):
    """Component k of R x."""
    return R[3 * k] * x[0] + R[3 * k + 1] * x[1] + R[3 * k + 2] * x[2]


@entry
def observe(ctx, first, last):
    """R = [d u v] [d₀ u₀ v₀]ᵀ, ω = ½ Σ e × ė over d, u, v; the centre of mass from A."""
    body_q, body_v, body_p = ctx.body_q, ctx.body_v, ctx.body_p
    for b in range(first, last):
        q, v = at(ctx.q, body_q[b]), at(ctx.v, body_v[b])
        p, frame = at(ctx.param, body_p[b] + PLACE), at(ctx.frame, 24 * b)
        clear(18, frame)
        length2 = 0.0
        for n in range(3):
            length2 += (p[3 + n] - p[n]) * (p[3 + n] - p[n])
        for k in range(3):
            for n in range(3):
                frame[3 * k + n] = (q[3 + k] - q[k]) * (p[3 + n] - p[n]) / length2 + q[6 + k] * p[6 + n] + q[9 + k] * p[9 + n]
        for k in range(3):
            i, j = (k + 1) % 3, (k + 2) % 3
            frame[12 + k] = 0.5 * (
                ((q[3 + i] - q[i]) * (v[3 + j] - v[j]) - (q[3 + j] - q[j]) * (v[3 + i] - v[i])) / length2
                + q[6 + i] * v[6 + j] - q[6 + j] * v[6 + i] + q[9 + i] * v[9 + j] - q[9 + j] * v[9 + i]
            )  # fmt: skip
        for k in range(3):
            i, j = (k + 1) % 3, (k + 2) % 3
            frame[9 + k] = q[k] - _turned(frame, p, k)
            frame[15 + k] = v[k] - frame[12 + i] * _turned(frame, p, j) + frame[12 + j] * _turned(frame, p, i)


@entry
def settle(ctx, first, last):
    """A, B, u, v and their rates."""
    body_q, body_v, body_p = ctx.body_q, ctx.body_v, ctx.body_p
    for b in range(first, last):
        q, v = at(ctx.q, body_q[b]), at(ctx.v, body_v[b])
        p, frame = at(ctx.param, body_p[b] + PLACE), at(ctx.frame, 24 * b)
        for c in range(4):
            for k in range(3):
                i, j = (k + 1) % 3, (k + 2) % 3
                one = 1.0 if c < 2 else 0.0
                q[3 * c + k] = one * frame[9 + k] + _turned(frame, at(p, 3 * c), k)
                turning = frame[12 + i] * _turned(frame, at(p, 3 * c), j) - frame[12 + j] * _turned(frame, at(p, 3 * c), i)
                v[3 * c + k] = one * frame[15 + k] + turning


@entry
def follow(ctx, first, last):
    """Accelerations of A, B, u, v: a + α × r + ω × (ω × r)."""
    body_v, body_p = ctx.body_v, ctx.body_p
    for b in range(first, last):
        acc, p, frame = (
            at(ctx.acc, body_v[b]),
            at(ctx.param, body_p[b] + PLACE),
            at(ctx.frame, 24 * b),
        )
        w, alpha = at(frame, 12), at(frame, 18)
        square = w[0] * w[0] + w[1] * w[1] + w[2] * w[2]
        for c in range(4):
            along = 0.0
            for k in range(3):
                along += w[k] * _turned(frame, at(p, 3 * c), k)
            for k in range(3):
                i, j = (k + 1) % 3, (k + 2) % 3
                turning = alpha[i] * _turned(frame, at(p, 3 * c), j) - alpha[j] * _turned(frame, at(p, 3 * c), i)
                one = 1.0 if c < 2 else 0.0
                acc[3 * c + k] = one * frame[21 + k] + turning + along * w[k] - square * _turned(frame, at(p, 3 * c), k)


@entry
def rigidity(ctx, first, last):
    """Six equations between d = (B − A)/ℓ, u and v: ℓ(d·d − 1)/2, (u·u − 1)/2, (v·v − 1)/2, d·u, d·v, u·v; elements A, B, u, v."""
    joint_e, joint_c, joint_g, joint_p = (
        ctx.joint_e,
        ctx.joint_c,
        ctx.joint_g,
        ctx.joint_p,
    )
    x, xd, param = ctx.x, ctx.x_dot, ctx.param
    g, phi, gamma = ctx.g, ctx.phi, ctx.gamma
    for j in range(first, last):
        e, c, k = 3 * joint_e[j], joint_c[j], joint_g[j]
        length = param[joint_p[j]]
        for r in range(6):
            phi[c + r] = 0.0
            gamma[c + r] = 0.0
        for n in range(3):
            d, u, v = (x[e + 3 + n] - x[e + n]) / length, x[e + 6 + n], x[e + 9 + n]
            dd, ud, vd = (xd[e + 3 + n] - xd[e + n]) / length, xd[e + 6 + n], xd[e + 9 + n]
            phi[c] += 0.5 * length * d * d
            phi[c + 1] += 0.5 * u * u
            phi[c + 2] += 0.5 * v * v
            phi[c + 3] += d * u
            phi[c + 4] += d * v
            phi[c + 5] += u * v
            gamma[c] += length * dd * dd
            gamma[c + 1] += ud * ud
            gamma[c + 2] += vd * vd
            gamma[c + 3] += 2.0 * dd * ud
            gamma[c + 4] += 2.0 * dd * vd
            gamma[c + 5] += 2.0 * ud * vd
            g[k + n], g[k + 3 + n] = -d, d
            g[k + 12 + 6 + n] = u
            g[k + 24 + 9 + n] = v
            g[k + 36 + n], g[k + 36 + 3 + n], g[k + 36 + 6 + n] = -u / length, u / length, d
            g[k + 48 + n], g[k + 48 + 3 + n], g[k + 48 + 9 + n] = -v / length, v / length, d
            g[k + 60 + 6 + n], g[k + 60 + 9 + n] = v, u
        phi[c] -= 0.5 * length
        phi[c + 1] -= 0.5
        phi[c + 2] -= 0.5


@register_body
class Natural(BodyKind):
    """Coordinates (A, B, u, v): the shape's two reference points [m] and two unit vectors orthogonal to AB and to each other."""

    name = "natural"
    dim = 3
    nq = nv = 12
    motion, elements, retract = motion, elements, retract
    observe, settle, follow = observe, settle, follow

    def __init__(self, properties, reference):
        super().__init__(properties, reference)
        self.A, self.B = reference
        self.length = float(np.linalg.norm(self.B - self.A))
        d = (self.B - self.A) / self.length
        helper = np.eye(3)[np.argmin(np.abs(d))]
        self.u = np.cross(helper, d)
        self.u /= np.linalg.norm(self.u)
        self.v = np.cross(d, self.u)
        self._inverse = np.linalg.inv(np.column_stack([self.B - self.A, self.u, self.v]))

    def _coefficients(self, is_point, vector):
        alpha, beta, gamma = self._inverse @ (vector - self.A if is_point else vector)
        return np.array([(1.0 if is_point else 0.0) - alpha, alpha, beta, gamma])

    def parameters(self):
        G = self.properties.centre
        return [*(self.properties.mass * self._coefficients(True, G)), *(self.A - G), *(self.B - G), *self.u, *self.v]

    def mass(self):
        m, centre, inertia = self.properties.mass, self.properties.centre, self.properties.inertia
        r = centre - self.A
        second = 0.5 * np.trace(inertia) * np.eye(3) - inertia + m * np.outer(r, r)  # ∫ (x − A)(x − A)ᵀ dm
        z = self._inverse @ second @ self._inverse.T
        a = m * self._inverse @ r
        # c = (1 − α, α, β, γ) = e₀ + T (α, β, γ)
        T = np.array([[-1.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
        e0 = np.array([1.0, 0, 0, 0])
        moments = m * np.outer(e0, e0) + np.outer(e0, T @ a) + np.outer(T @ a, e0) + T @ z @ T.T
        return np.kron(moments, np.eye(3))

    def element(self, is_point, local):
        return self._coefficients(is_point, local).tolist()

    def coordinates(self, pose):
        return np.concatenate([pose.point(self.A), pose.point(self.B), pose.rotation @ self.u, pose.rotation @ self.v])

    def velocities(self, pose, twist):
        points = [twist.at(pose.rotation @ p) for p in (self.A, self.B)]
        return np.concatenate(points + [np.cross(twist.angular, pose.rotation @ d) for d in (self.u, self.v)])

    def pose(self, q):
        d = (q[..., 3:6] - q[..., :3]) / self.length
        now = np.stack([d, q[..., 6:9], q[..., 9:12]], axis=-1)
        then = np.column_stack([(self.B - self.A) / self.length, self.u, self.v])
        rotation = now @ then.T
        return q[..., :3] - rotation @ self.A, rotation

    def check(self, name):
        inertia = self.properties.inertia
        second = np.linalg.eigvalsh(0.5 * np.trace(inertia) * np.eye(3) - inertia)
        if second[0] < 1e-9 * second[-1]:
            raise DescriptionError(
                f"body '{name}': natural coordinates need a body with extent in all three directions, got a flat or thin one "
                f"(second moments of mass {second[0]:.3g} … {second[-1]:.3g} kg·m²). Give it a thickness, or use coordinates='spatial'."
            )

    def internal(self):
        elements = [(True, np.array([1.0, 0, 0, 0])), (True, np.array([0.0, 1, 0, 0]))]
        elements += [(False, np.array([0.0, 0, 1, 0])), (False, np.array([0.0, 0, 0, 1]))]
        return [InternalConstraint(rigidity, 6, elements, [self.length])]
