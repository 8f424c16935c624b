"""Links: where they are, how they move and what they weigh, one by one from the ground; see :mod:`bielle.recursive.kernels`."""

import math

from ..kernels.lazy import helper, once
from ..kernels.pointers import at, copy, floats, ints
from .motions import CYLINDRICAL, FREE, HELICAL, PLANAR, PRISMATIC, REVOLUTE, SPHERICAL, UNIVERSAL
from .table import (
    PLACE,
    T_ARM,
    T_ARTICULATED,
    T_BETWEEN,
    T_BIAS,
    T_BODY,
    T_INERTIA,
    T_LEAD,
    T_MOTION,
    T_NV,
    T_PARENT,
    T_PLACE,
    T_POS,
    T_Q,
    T_Q0,
    T_R,
    T_S,
    T_V,
    T_V0,
    T_VEL,
)


@helper
def cross(a0, a1, a2, b0, b1, b2):
    """a × b."""
    return a1 * b2 - a2 * b1, a2 * b0 - a0 * b2, a0 * b1 - a1 * b0


@helper
def product(A, B, C):
    """C = A B, 3 × 3, row by row."""
    for i in range(3):
        for k in range(3):
            C[3 * i + k] = A[3 * i] * B[k] + A[3 * i + 1] * B[3 + k] + A[3 * i + 2] * B[6 + k]


@helper
def _turn_about_z(R, angle):
    """R ← R Rz(angle)."""
    c, s = math.cos(angle), math.sin(angle)
    for i in range(3):
        x, y = R[3 * i], R[3 * i + 1]
        R[3 * i], R[3 * i + 1] = c * x + s * y, c * y - s * x


@helper
def _turn_by_quaternion(R, q):
    """R ← R R(q) for a quaternion (w, x, y, z), of whatever length."""
    w, x, y, z = q[0], q[1], q[2], q[3]
    k = 2.0 / (w * w + x * x + y * y + z * z)
    for i in range(3):
        a, b, c = R[3 * i], R[3 * i + 1], R[3 * i + 2]
        R[3 * i] = a * (1.0 - k * (y * y + z * z)) + b * k * (x * y + w * z) + c * k * (x * z - w * y)
        R[3 * i + 1] = a * k * (x * y - w * z) + b * (1.0 - k * (x * x + z * z)) + c * k * (y * z + w * x)
        R[3 * i + 2] = a * k * (x * z + w * y) + b * k * (y * z - w * x) + c * (1.0 - k * (x * x + y * y))


@helper
def _column(S, k, R, axis, angular):
    """Column k of S: along an axis of R, angular (0) or linear (3)."""
    for i in range(6):
        S[6 * k + i] = 0.0
    for i in range(3):
        S[6 * k + angular + i] = R[3 * i + axis]


@once
def place(t, i):
    """Rotation, arm, position and motion subspace of link i."""
    motion, parent, q = ints(t, T_MOTION)[i], ints(t, T_PARENT)[i], at(floats(t, T_Q), ints(t, T_Q0)[i])
    R, arm, pos, S = at(floats(t, T_R), 9 * i), at(floats(t, T_ARM), 3 * i), at(floats(t, T_POS), 3 * i), at(floats(t, T_S), 36 * i)
    where = at(floats(t, T_PLACE), PLACE * i)
    if parent < 0:
        copy(9, where, R)
        copy(3, at(where, 9), arm)
    else:
        P = at(floats(t, T_R), 9 * parent)
        product(P, where, R)
        for k in range(3):
            arm[k] = P[3 * k] * where[9] + P[3 * k + 1] * where[10] + P[3 * k + 2] * where[11]
    if motion == REVOLUTE:
        _column(S, 0, R, 2, 0)
        _turn_about_z(R, q[0])
    elif motion == PRISMATIC:
        _column(S, 0, R, 2, 3)
        for k in range(3):
            arm[k] += q[0] * R[3 * k + 2]
    elif motion == HELICAL:
        lead = floats(t, T_LEAD)[i]
        _column(S, 0, R, 2, 0)
        for k in range(3):
            S[3 + k] = lead * S[k]
            arm[k] += lead * q[0] * S[k]
        _turn_about_z(R, q[0])
    elif motion == CYLINDRICAL:
        _column(S, 0, R, 2, 0)
        _column(S, 1, R, 2, 3)
        for k in range(3):
            arm[k] += q[1] * R[3 * k + 2]
        _turn_about_z(R, q[0])
    elif motion == UNIVERSAL:
        _column(S, 0, R, 2, 0)
        _turn_about_z(R, q[0])
        between = at(floats(t, T_ARTICULATED), 36 * i)  # not needed yet
        copy(9, R, between)
        product(between, at(floats(t, T_BETWEEN), 9 * i), R)
        _column(S, 1, R, 2, 0)
        _turn_about_z(R, q[1])
    elif motion == SPHERICAL:
        _turn_by_quaternion(R, q)
        for k in range(3):
            _column(S, k, R, k, 0)
    elif motion == PLANAR:
        _column(S, 0, R, 0, 3)
        _column(S, 1, R, 1, 3)
        _column(S, 2, R, 2, 0)
        for k in range(3):
            arm[k] += q[0] * R[3 * k] + q[1] * R[3 * k + 1]
        _turn_about_z(R, q[2])
    elif motion == FREE:
        for k in range(3):
            arm[k] += q[0] * R[3 * k] + q[1] * R[3 * k + 1] + q[2] * R[3 * k + 2]
        _turn_by_quaternion(R, at(q, 3))
        for k in range(3):
            _column(S, k, R, k, 3)
            _column(S, 3 + k, R, k, 0)
    for k in range(3):
        pos[k] = arm[k] + (floats(t, T_POS)[3 * parent + k] if parent >= 0 else 0.0)


@once
def move(t, i):
    """Velocity of link i, and the bias of its acceleration."""
    motion, parent, v = ints(t, T_MOTION)[i], ints(t, T_PARENT)[i], at(floats(t, T_V), ints(t, T_V0)[i])
    S, arm, vel, bias = at(floats(t, T_S), 36 * i), at(floats(t, T_ARM), 3 * i), at(floats(t, T_VEL), 6 * i), at(floats(t, T_BIAS), 6 * i)
    w0, w1, w2, l0, l1, l2 = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for k in range(ints(t, T_NV)[i]):
        c = at(S, 6 * k)
        w0, w1, w2 = w0 + c[0] * v[k], w1 + c[1] * v[k], w2 + c[2] * v[k]
        l0, l1, l2 = l0 + c[3] * v[k], l1 + c[4] * v[k], l2 + c[5] * v[k]
    for k in range(6):
        bias[k] = 0.0
    if motion == UNIVERSAL:
        x0, x1, x2 = cross(S[0], S[1], S[2], S[6], S[7], S[8])
        bias[0], bias[1], bias[2] = v[0] * v[1] * x0, v[0] * v[1] * x1, v[0] * v[1] * x2
    elif motion == FREE:
        bias[3], bias[4], bias[5] = cross(w0, w1, w2, l0, l1, l2)
    if parent < 0:
        vel[0], vel[1], vel[2], vel[3], vel[4], vel[5] = w0, w1, w2, l0, l1, l2
        return
    p = at(floats(t, T_VEL), 6 * parent)
    a0, a1, a2 = cross(p[0], p[1], p[2], arm[0], arm[1], arm[2])
    vel[0], vel[1], vel[2], vel[3], vel[4], vel[5] = p[0] + w0, p[1] + w1, p[2] + w2, p[3] + a0 + l0, p[4] + a1 + l1, p[5] + a2 + l2
    c0, c1, c2 = cross(p[0], p[1], p[2], w0, w1, w2)
    d0, d1, d2 = cross(p[0], p[1], p[2], a0 + 2.0 * l0, a1 + 2.0 * l1, a2 + 2.0 * l2)
    bias[0] += c0
    bias[1] += c1
    bias[2] += c2
    bias[3] += d0
    bias[4] += d1
    bias[5] += d2


@once
def weigh(t, i):
    """Mass, m c and the inertia (xx, xy, xz, yy, yz, zz) about the origin of link i, in world axes."""
    R, given, out = at(floats(t, T_R), 9 * i), at(floats(t, T_INERTIA), 10 * i), at(floats(t, T_BODY), 10 * i)
    out[0] = given[0]
    for k in range(3):
        out[1 + k] = R[3 * k] * given[1] + R[3 * k + 1] * given[2] + R[3 * k + 2] * given[3]
    xx, xy, xz, yy, yz, zz = given[4], given[5], given[6], given[7], given[8], given[9]
    n = 4
    for k in range(3):
        a, b, c = R[3 * k], R[3 * k + 1], R[3 * k + 2]
        u0, u1, u2 = a * xx + b * xy + c * xz, a * xy + b * yy + c * yz, a * xz + b * yz + c * zz
        for j in range(k, 3):
            out[n] = u0 * R[3 * j] + u1 * R[3 * j + 1] + u2 * R[3 * j + 2]
            n += 1
