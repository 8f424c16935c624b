"""Trees in a plane: the same algorithms where three numbers are enough.

All vectors are in world axes, and of the six numbers of a velocity (ω, v) or an effort (n, f) only ω_z, v_x, v_y and n_z, f_x, f_y are not
zero: entries 2, 3 and 4 of the arrays. An inertia is a symmetric matrix of these,

    ⎡ J    −h_y  h_x ⎤                                                          ⎡ 1     0  0 ⎤
    ⎢ −h_y  m    0   ⎥    for a body, and about the parent's origin Xᵀ I X, X = ⎢ −r_y  1  0 ⎥
    ⎣ h_x   0    m   ⎦                                                          ⎣ r_x   0  1 ⎦

with the arm r from there. Other entries stay zero, as they were when the tree was made, so that who reads all six reads what is right.
"""

from ..kernels.lazy import entry, helper, once
from ..kernels.motions import FOLLOWING, REVOLUTE
from ..kernels.pointers import at
from ..kernels.tree import (
    PLACE,
    SINGULAR,
)  # fmt: skip
from .aba import ARTICULATED, NOTHING
from .efforts import begin_effort
from .links import place

_Z, _X, _Y = 2, 3, 4  # entries that are not zero


@once
def begin_link(t, i):
    """Place link i; its velocity, the bias of its acceleration, and its inertia."""
    parent, where = t.parent[i], at(t.place, PLACE * i)
    if t.motion[i] == REVOLUTE and where[8] == 1.0 and (parent < 0 or t.r[9 * parent + 8] == 1.0):
        _place_upright(t, i, parent, where)
    else:
        place(t, i)  # the frame of a slider, say, has its z axis along it
    S, v, r = at(t.s, 36 * i), at(t.v, t.v0[i]), at(t.arm, 3 * i)
    vel, bias = at(t.vel, 6 * i), at(t.bias, 6 * i)
    w, x, y, motion = 0.0, 0.0, 0.0, t.motion[i]
    if _upright(t, i, motion):
        w = v[0]
    else:
        for k in range(t.nv[i]):
            w, x, y = w + S[6 * k + _Z] * v[k], x + S[6 * k + _X] * v[k], y + S[6 * k + _Y] * v[k]
    if motion == FOLLOWING:
        w = t.lead[i] * t.v[t.v0[t.leader[i]]] * S[_Z]
    if parent >= 0:
        p = at(t.vel, 6 * parent)
        turning = p[_Z]
        across, along = -turning * r[1], turning * r[0]
        bias[_X], bias[_Y] = -turning * (along + 2.0 * y), turning * (across + 2.0 * x)
        w, x, y = w + turning, x + p[_X] + across, y + p[_Y] + along
    vel[_Z], vel[_X], vel[_Y] = w, x, y
    R, given, out = at(t.r, 9 * i), at(t.inertia, 10 * i), at(t.body, 10 * i)
    a, b, c = R[6], R[7], R[8]  # the normal of the plane, in the axes of the link
    out[0] = given[0]
    out[1] = R[0] * given[1] + R[1] * given[2] + R[2] * given[3]
    out[2] = R[3] * given[1] + R[4] * given[2] + R[5] * given[3]
    out[9] = a * (a * given[4] + 2.0 * (b * given[5] + c * given[6])) + b * (b * given[7] + 2.0 * c * given[8]) + c * c * given[9]


@helper
def _upright(t, i, motion):
    """Whether link i, which is placed, turns about the normal, S = (1, 0, 0), and not about its opposite."""
    return motion == REVOLUTE and t.s[36 * i + _Z] == 1.0


@helper
def _place_upright(t, i, parent, where):
    """What :func:`bielle.recursive.links.place` does for a hinge whose frames, and its parent, have their z axes along the normal."""
    c, s = t.cosine[t.q0[i]], t.sine[t.q0[i]]
    c, s = c * where[0] - s * where[3], s * where[0] + c * where[3]
    x, y, o0, o1 = where[9], where[10], 0.0, 0.0
    if parent >= 0:
        P, o = at(t.r, 9 * parent), at(t.pos, 3 * parent)
        a, b = P[0], P[3]
        x, y, o0, o1 = a * x - b * y, b * x + a * y, o[0], o[1]
        c, s = a * c - b * s, b * c + a * s
    R, arm, pos = at(t.r, 9 * i), at(t.arm, 3 * i), at(t.pos, 3 * i)
    R[0], R[1], R[3], R[4], R[8] = c, -s, s, c, 1.0
    arm[0], arm[1], pos[0], pos[1] = x, y, o0 + x, o1 + y
    t.s[36 * i + _Z] = 1.0


@entry
def aba(t, how, unused):
    """q̈ (t.a) and accelerations of links that have begun, as :func:`bielle.recursive.aba.aba` finds them."""
    n, nv, v0, motion = t.count.link, t.nv, t.v0, t.motion
    t.count.refused = 0
    for i in range(n):
        B, f, w = at(t.body, 10 * i), at(t.effort, 6 * i), t.vel[6 * i + _Z]
        begin_effort(t, i, how, f)
        f[_X] -= w * w * B[1]
        f[_Y] -= w * w * B[2]
        I = at(t.articulated, ARTICULATED * i)
        I[0], I[1], I[2], I[3], I[4], I[5] = B[9], -B[2], B[1], B[0], 0.0, B[0]
    for i in range(n - 1, -1, -1):
        if _upright(t, i, motion[i]):
            _free_hinge(t, i, v0[i])
        else:
            _free(t, i, nv[i], v0[i])
    for i in range(n):
        _accelerate(t, i, motion[i], nv[i], v0[i])


@helper
def _six(I):
    return I[0], I[1], I[2], I[3], I[4], I[5]


@helper
def _times(I, z, x, y):
    """I (z, x, y)."""
    return I[0] * z + I[1] * x + I[2] * y, I[1] * z + I[3] * x + I[4] * y, I[2] * z + I[4] * x + I[5] * y


@helper
def _less(I, w, u):
    """I − w uᵀ, where that is symmetric."""
    return (
        I[0] - w[0] * u[0], I[1] - w[0] * u[1], I[2] - w[0] * u[2], I[3] - w[1] * u[1], I[4] - w[1] * u[2], I[5] - w[2] * u[2],
    )  # fmt: skip


@helper
def _hand_on(t, i, I, n, x, y):
    """What is left of link i when its joint is free goes to its parent: Xᵀ I X, and Xᵀ (p + I b)."""
    parent, r, b = t.parent[i], at(t.arm, 3 * i), at(t.bias, 6 * i)
    e0, e1, e2 = _times(I, b[_Z], b[_X], b[_Y])
    n, x, y = n + e0, x + e1, y + e2
    first, second, third = I[0] - r[1] * I[1] + r[0] * I[2], I[1] - r[1] * I[3] + r[0] * I[4], I[2] - r[1] * I[4] + r[0] * I[5]
    out, f = at(t.articulated, ARTICULATED * parent), at(t.effort, 6 * parent)
    out[0] += first - r[1] * second + r[0] * third
    out[1] += second
    out[2] += third
    out[3] += I[3]
    out[4] += I[4]
    out[5] += I[5]
    f[_Z] += n + r[0] * y - r[1] * x
    f[_X] += x
    f[_Y] += y


@helper
def _free_hinge(t, i, v0):
    """U = I S, d = Sᵀ U, u = τ − Sᵀ p of a link on a hinge, S = (1, 0, 0): the first column of I, and its first entry."""
    I, p, U = _six(at(t.articulated, ARTICULATED * i)), at(t.effort, 6 * i), at(t.u, 36 * i)
    d, left = I[0] + t.armature[v0], t.tau[v0] - p[_Z]
    if d <= NOTHING * (I[0] + I[3] + I[5]):
        t.count.refused = SINGULAR + i
    d = 1.0 / d
    U[_Z], U[_X], U[_Y] = I[0], I[1], I[2]
    t.d[6 * i] = d
    t.left[6 * i] = left
    if t.parent[i] >= 0:
        k, own, x, y = left * d, t.armature[v0] * d, I[1] * d, I[2] * d
        rest = own * I[0], own * I[1], own * I[2], I[3] - x * I[1], I[4] - x * I[2], I[5] - y * I[2]
        _hand_on(t, i, rest, t.tau[v0] - own * left, p[_X] + k * I[1], p[_Y] + k * I[2])


@once
def _free(t, i, nv, v0):
    """The same for any joint, one velocity after the other, the last first."""
    I, p = _six(at(t.articulated, ARTICULATED * i)), at(t.effort, 6 * i)
    least, parent, n, x, y = NOTHING * (I[0] + I[3] + I[5]), t.parent[i], p[_Z], p[_X], p[_Y]
    for k in range(nv - 1, -1, -1):
        S, U = at(t.s, 36 * i + 6 * k), at(t.u, 36 * i + 6 * k)
        tau, own, a, b, c = t.tau[v0 + k], t.armature[v0 + k], S[_Z], S[_X], S[_Y]
        u = _times(I, a, b, c)
        d, left = a * u[0] + b * u[1] + c * u[2] + own, tau - a * n - b * x - c * y
        if d <= least:
            t.count.refused = SINGULAR + i
        d = 1.0 / d
        U[_Z], U[_X], U[_Y] = u
        t.d[6 * i + k], t.left[6 * i + k] = d, left
        I, rate = _freed(_less(I, (u[0] * d, u[1] * d, u[2] * d), u), (a, b, c), own * d, u), left * d
        n, x, y = n + rate * u[0], x + rate * u[1], y + rate * u[2]
        rest = tau - own * rate - a * n - b * x - c * y
        n, x, y = n + rest * a, x + rest * b, y + rest * c
    if parent >= 0:
        _hand_on(t, i, I, n, x, y)


@helper
def _freed(I, s, own, u):
    """I, corrected by rounding such that I s = own u, as in space; s is a unit vector."""
    z, x, y = _times(I, s[0], s[1], s[2])
    z, x, y = own * u[0] - z, own * u[1] - x, own * u[2] - y
    k = 0.5 * (s[0] * z + s[1] * x + s[2] * y)
    z, x, y = z - k * s[0], x - k * s[1], y - k * s[2]
    return (
        I[0] + 2.0 * s[0] * z, I[1] + s[0] * x + z * s[1], I[2] + s[0] * y + z * s[2],
        I[3] + 2.0 * s[1] * x, I[4] + s[1] * y + x * s[2], I[5] + 2.0 * s[2] * y,
    )  # fmt: skip


@helper
def _accelerate(t, i, motion, nv, v0):
    """q̈ of a joint, and the acceleration of its link."""
    parent, r, acc, b = t.parent[i], at(t.arm, 3 * i), at(t.acc, 6 * i), at(t.bias, 6 * i)
    if parent < 0:
        g = t.gravity
        z, x, y = b[_Z], b[_X] - g[0], b[_Y] - g[1]
    else:
        p = at(t.acc, 6 * parent)
        z, x, y = b[_Z] + p[_Z], b[_X] + p[_X] - p[_Z] * r[1], b[_Y] + p[_Y] + p[_Z] * r[0]
    D, S, U, left = at(t.d, 6 * i), at(t.s, 36 * i), at(t.u, 36 * i), at(t.left, 6 * i)
    a = at(t.a, v0)
    if _upright(t, i, motion):
        k = D[0] * (left[0] - U[_Z] * z - U[_X] * x - U[_Y] * y)
        a[0] = k
        acc[_Z], acc[_X], acc[_Y] = z + k, x, y
        return
    for k in range(nv):
        u, s = at(U, 6 * k), at(S, 6 * k)
        rate = D[k] * (left[k] - u[_Z] * z - u[_X] * x - u[_Y] * y)
        a[k] = rate
        z, x, y = z + s[_Z] * rate, x + s[_X] * rate, y + s[_Y] * rate
    acc[_Z], acc[_X], acc[_Y] = z, x, y
