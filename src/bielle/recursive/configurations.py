"""The manifold of configurations: q ⊕ dq, and the dq from one configuration to another."""

import math

from ..kernels.lazy import entry, helper
from ..kernels.motions import FREE, SPHERICAL
from ..kernels.pointers import at, copy
from ..kernels.rotations import quaternion_to_matrix, rotate_quaternion
from ..kernels.tree import T_A, T_OUT
from .arguments import ALIGNED, WRITEABLE
from .efforts import bind_rest, bind_state
from .links import cross


@helper
def along(w, u):
    """∫₀¹ exp(s w~) u ds: where a velocity u that turns with w leads to, in the axes at the start; all (3,)."""
    angle2 = w[0] * w[0] + w[1] * w[1] + w[2] * w[2]
    if angle2 < 1e-4:
        first, second = 0.5 - angle2 * (1.0 - angle2 / 30.0) / 24.0, 1.0 / 6.0 - angle2 * (1.0 - angle2 / 42.0) / 120.0
    else:
        angle = math.sqrt(angle2)
        half = math.sin(0.5 * angle)
        first, second = 2.0 * half * half / angle2, (angle - math.sin(angle)) / (angle2 * angle)
    x0, x1, x2 = cross(w[0], w[1], w[2], u[0], u[1], u[2])
    y0, y1, y2 = cross(w[0], w[1], w[2], x0, x1, x2)
    return u[0] + first * x0 + second * y0, u[1] + first * x1 + second * y1, u[2] + first * x2 + second * y2


@helper
def _back_along(w, x):
    """The u of which :func:`along` makes x: x − w × x / 2 + c w × (w × x), c = 1/θ² − (1 + cos θ)/(2 θ sin θ)."""
    angle2 = w[0] * w[0] + w[1] * w[1] + w[2] * w[2]
    c = 1.0 / 12.0 + angle2 * (1.0 + angle2 / 42.0) / 720.0
    if angle2 >= 1e-2:
        angle = math.sqrt(angle2)
        c = (1.0 - 0.5 * angle * math.cos(0.5 * angle) / math.sin(0.5 * angle)) / angle2
    x0, x1, x2 = cross(w[0], w[1], w[2], x[0], x[1], x[2])
    y0, y1, y2 = cross(w[0], w[1], w[2], x0, x1, x2)
    return x[0] - 0.5 * x0 + c * y0, x[1] - 0.5 * x1 + c * y1, x[2] - 0.5 * x2 + c * y2


@helper
def _turn_between(p, q, out):
    """out (3,): the turn, in the axes of p, that leads from the quaternion p to q; the shorter one."""
    w = p[0] * q[0] + p[1] * q[1] + p[2] * q[2] + p[3] * q[3]
    x = p[0] * q[1] - p[1] * q[0] - p[2] * q[3] + p[3] * q[2]
    y = p[0] * q[2] + p[1] * q[3] - p[2] * q[0] - p[3] * q[1]
    z = p[0] * q[3] - p[1] * q[2] + p[2] * q[1] - p[3] * q[0]
    sine = math.sqrt(x * x + y * y + z * z)
    sign = -1.0 if w < 0.0 else 1.0
    factor = 2.0 / w if sine <= 1e-9 * abs(w) else sign * 2.0 * math.atan2(sine, abs(w)) / sine
    out[0], out[1], out[2] = factor * x, factor * y, factor * z


@entry
def integrate(t, unused, arguments):
    """q ⊕ dq. Quaternions come out with unit length. Arguments: q, dq, the result."""
    count = t.count
    if not (bind_state(t, arguments, 2) and bind_rest(t, arguments, 2, T_OUT, count.q, 0, ALIGNED | WRITEABLE)):
        return
    motion, nv, R = t.motion, t.nv, t.r
    for i in range(count.link):
        q, dq, out = at(t.q, t.q0[i]), at(t.v, t.v0[i]), at(t.out, t.q0[i])
        if motion[i] == SPHERICAL:
            copy(4, q, out)
            rotate_quaternion(out, 0, dq[0], dq[1], dq[2])
        elif motion[i] == FREE:
            quaternion_to_matrix(q, 3, R, 9 * i)
            M = at(R, 9 * i)
            x0, x1, x2 = along(at(dq, 3), dq)
            for k in range(3):
                out[k] = q[k] + M[3 * k] * x0 + M[3 * k + 1] * x1 + M[3 * k + 2] * x2
            copy(4, at(q, 3), at(out, 3))
            rotate_quaternion(out, 3, dq[3], dq[4], dq[5])
        else:
            for k in range(nv[i]):
                out[k] = q[k] + dq[k]


@entry
def difference(t, unused, arguments):
    """The dq with q ⊕ dq = p. Arguments: q, p, dq."""
    count = t.count
    if not (bind_state(t, arguments, 1) and bind_rest(t, arguments, 1, T_A, count.q, 0, ALIGNED)):
        return
    if not bind_rest(t, arguments, 2, T_OUT, count.v, 0, ALIGNED | WRITEABLE):
        return
    motion, nv, R = t.motion, t.nv, t.r
    for i in range(count.link):
        q, p, out = at(t.q, t.q0[i]), at(t.a, t.q0[i]), at(t.out, t.v0[i])
        if motion[i] == SPHERICAL:
            _turn_between(q, p, out)
        elif motion[i] == FREE:
            quaternion_to_matrix(q, 3, R, 9 * i)
            M, gap = at(R, 9 * i), at(t.effort, 6 * i)
            for k in range(3):
                gap[k] = M[k] * (p[0] - q[0]) + M[3 + k] * (p[1] - q[1]) + M[6 + k] * (p[2] - q[2])
            _turn_between(at(q, 3), at(p, 3), at(out, 3))
            out[0], out[1], out[2] = _back_along(at(out, 3), gap)
        else:
            for k in range(nv[i]):
                out[k] = p[k] - q[k]
