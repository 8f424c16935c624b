"""Links: where they are, how they move and what they weigh, one by one from the ground; see :mod:`bielle.recursive.efforts`."""

from ..kernels.lazy import helper, once
from ..kernels.motions import CYLINDRICAL, FOLLOWING, FREE, HELICAL, PLANAR, PRISMATIC, REVOLUTE, SPHERICAL, UNIVERSAL
from ..kernels.pointers import at
from ..kernels.rotations import cosine_and_sine, cosines_and_sines
from ..kernels.tree import (
    PLACE,
)


@helper
def cross(a0, a1, a2, b0, b1, b2):
    """a × b."""
    return a1 * b2 - a2 * b1, a2 * b0 - a0 * b2, a0 * b1 - a1 * b0


@helper
def product(A, B, C):
    """C = A B, 3 × 3, row by row."""
    store(times(nine(A), nine(B)), C)


# -- rotations as tuples of nine, so that they stay in registers


@helper
def nine(R):
    """A matrix as a tuple, row by row."""
    return R[0], R[1], R[2], R[3], R[4], R[5], R[6], R[7], R[8]


@helper
def store(W, R):
    """R = W."""
    R[0], R[1], R[2], R[3], R[4], R[5], R[6], R[7], R[8] = W


@helper
def times(A, B):
    """A B."""
    return (
        A[0] * B[0] + A[1] * B[3] + A[2] * B[6], A[0] * B[1] + A[1] * B[4] + A[2] * B[7], A[0] * B[2] + A[1] * B[5] + A[2] * B[8],
        A[3] * B[0] + A[4] * B[3] + A[5] * B[6], A[3] * B[1] + A[4] * B[4] + A[5] * B[7], A[3] * B[2] + A[4] * B[5] + A[5] * B[8],
        A[6] * B[0] + A[7] * B[3] + A[8] * B[6], A[6] * B[1] + A[7] * B[4] + A[8] * B[7], A[6] * B[2] + A[7] * B[5] + A[8] * B[8],
    )  # fmt: skip


@helper
def _about_z(W, c, s):
    """W Rz(angle), by the angle's cosine and sine."""
    return (
        c * W[0] + s * W[1], c * W[1] - s * W[0], W[2], c * W[3] + s * W[4], c * W[4] - s * W[3], W[5],
        c * W[6] + s * W[7], c * W[7] - s * W[6], W[8],
    )  # fmt: skip


@helper
def _by_quaternion(W, q):
    """W R(q) for a quaternion (w, x, y, z), of whatever length."""
    w, x, y, z = q[0], q[1], q[2], q[3]
    k = 2.0 / (w * w + x * x + y * y + z * z)
    return times(
        W,
        (
            1.0 - k * (y * y + z * z), k * (x * y - w * z), k * (x * z + w * y),
            k * (x * y + w * z), 1.0 - k * (x * x + z * z), k * (y * z - w * x),
            k * (x * z - w * y), k * (y * z + w * x), 1.0 - k * (x * x + y * y),
        ),
    )  # fmt: skip


@helper
def _column(S, k, W, axis, angular):
    """Column k of S: along an axis of W, angular (0) or linear (3). The rest of the column is zero, as it was when it was made."""
    S[6 * k + angular], S[6 * k + angular + 1], S[6 * k + angular + 2] = W[axis], W[3 + axis], W[6 + axis]


@helper
def begin_placing(t):
    """What :func:`place` needs of all links, before the first is placed: cosines and sines of their angles, several at a time."""
    cosines_and_sines(t.count.q, t.q, t.cosine, t.sine)


@once
def place(t, i):
    """Rotation, arm, position and motion subspace of link i."""
    motion, parent, q, S = t.motion[i], t.parent[i], at(t.q, t.q0[i]), at(t.s, 36 * i)
    where, cosine, sine = (
        at(t.place, PLACE * i),
        at(t.cosine, t.q0[i]),
        at(t.sine, t.q0[i]),
    )
    W, x, y, z = nine(where), where[9], where[10], where[11]
    o0, o1, o2 = 0.0, 0.0, 0.0
    if parent >= 0:
        P, o = nine(at(t.r, 9 * parent)), at(t.pos, 3 * parent)
        W, o0, o1, o2 = times(P, W), o[0], o[1], o[2]
        x, y, z = P[0] * x + P[1] * y + P[2] * z, P[3] * x + P[4] * y + P[5] * z, P[6] * x + P[7] * y + P[8] * z
    if motion == REVOLUTE:
        _column(S, 0, W, 2, 0)
        W = _about_z(W, cosine[0], sine[0])
    elif motion == PRISMATIC:
        _column(S, 0, W, 2, 3)
        x, y, z = x + q[0] * W[2], y + q[0] * W[5], z + q[0] * W[8]
    elif motion == HELICAL:
        lead = t.lead[i]
        _column(S, 0, W, 2, 0)
        S[3], S[4], S[5] = lead * W[2], lead * W[5], lead * W[8]
        x, y, z = x + lead * q[0] * W[2], y + lead * q[0] * W[5], z + lead * q[0] * W[8]
        W = _about_z(W, cosine[0], sine[0])
    elif motion == CYLINDRICAL:
        _column(S, 0, W, 2, 0)
        _column(S, 1, W, 2, 3)
        x, y, z = x + q[1] * W[2], y + q[1] * W[5], z + q[1] * W[8]
        W = _about_z(W, cosine[0], sine[0])
    elif motion == UNIVERSAL:
        _column(S, 0, W, 2, 0)
        W = times(_about_z(W, cosine[0], sine[0]), nine(at(t.between, 9 * i)))
        _column(S, 1, W, 2, 0)
        W = _about_z(W, cosine[1], sine[1])
    elif motion == SPHERICAL:
        W = _by_quaternion(W, q)
        for k in range(3):
            _column(S, k, W, k, 0)
    elif motion == PLANAR:
        _column(S, 0, W, 0, 3)
        _column(S, 1, W, 1, 3)
        _column(S, 2, W, 2, 0)
        x, y, z = x + q[0] * W[0] + q[1] * W[1], y + q[0] * W[3] + q[1] * W[4], z + q[0] * W[6] + q[1] * W[7]
        W = _about_z(W, cosine[2], sine[2])
    elif motion == FREE:
        x, y = x + W[0] * q[0] + W[1] * q[1] + W[2] * q[2], y + W[3] * q[0] + W[4] * q[1] + W[5] * q[2]
        z += W[6] * q[0] + W[7] * q[1] + W[8] * q[2]
        W = _by_quaternion(W, at(q, 3))
        for k in range(3):
            _column(S, k, W, k, 3)
            _column(S, 3 + k, W, k, 0)
    elif motion == FOLLOWING:
        _column(S, 0, W, 2, 0)
        coordinate = t.q[t.q0[t.leader[i]]]
        W = _about_z(W, *cosine_and_sine(t.offset[i] + t.lead[i] * coordinate))
    store(W, at(t.r, 9 * i))
    arm, pos = at(t.arm, 3 * i), at(t.pos, 3 * i)
    arm[0], arm[1], arm[2] = x, y, z
    pos[0], pos[1], pos[2] = o0 + x, o1 + y, o2 + z


@helper
def own_bias(t, i, w0, w1, w2, l0, l1, l2):
    """What the motion of link i, whose axes turn with it, adds to its acceleration; its velocity in the joint is (w, l)."""
    motion, v, S = t.motion[i], at(t.v, t.v0[i]), at(t.s, 36 * i)
    if motion == UNIVERSAL:
        x0, x1, x2 = cross(S[0], S[1], S[2], S[6], S[7], S[8])
        return v[0] * v[1] * x0, v[0] * v[1] * x1, v[0] * v[1] * x2, 0.0, 0.0, 0.0
    if motion == FREE:
        x0, x1, x2 = cross(w0, w1, w2, l0, l1, l2)
        return 0.0, 0.0, 0.0, x0, x1, x2
    return 0.0, 0.0, 0.0, 0.0, 0.0, 0.0


@once
def move(t, i):
    """Velocity of link i, and the bias of its acceleration."""
    motion, parent, v = t.motion[i], t.parent[i], at(t.v, t.v0[i])
    S, arm, vel, bias = at(t.s, 36 * i), at(t.arm, 3 * i), at(t.vel, 6 * i), at(t.bias, 6 * i)
    w0, w1, w2, l0, l1, l2 = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for k in range(t.nv[i]):
        c = at(S, 6 * k)
        w0, w1, w2 = w0 + c[0] * v[k], w1 + c[1] * v[k], w2 + c[2] * v[k]
        l0, l1, l2 = l0 + c[3] * v[k], l1 + c[4] * v[k], l2 + c[5] * v[k]
    bias[0], bias[1], bias[2], bias[3], bias[4], bias[5] = own_bias(t, i, w0, w1, w2, l0, l1, l2)
    if motion == FOLLOWING:
        rate = t.lead[i] * t.v[t.v0[t.leader[i]]]
        w0, w1, w2 = rate * S[0], rate * S[1], rate * S[2]
    if parent < 0:
        vel[0], vel[1], vel[2], vel[3], vel[4], vel[5] = w0, w1, w2, l0, l1, l2
        return
    p = at(t.vel, 6 * parent)
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


@helper
def weighed(t, i):
    """Mass, m c and the inertia (xx, xy, xz, yy, yz, zz) about the origin of link i, in world axes."""
    R, given = nine(at(t.r, 9 * i)), at(t.inertia, 10 * i)
    h0, h1, h2, xx, xy, xz, yy, yz, zz = given[1], given[2], given[3], given[4], given[5], given[6], given[7], given[8], given[9]
    u0, u1, u2 = R[0] * xx + R[1] * xy + R[2] * xz, R[0] * xy + R[1] * yy + R[2] * yz, R[0] * xz + R[1] * yz + R[2] * zz
    v0, v1, v2 = R[3] * xx + R[4] * xy + R[5] * xz, R[3] * xy + R[4] * yy + R[5] * yz, R[3] * xz + R[4] * yz + R[5] * zz
    w0, w1, w2 = R[6] * xx + R[7] * xy + R[8] * xz, R[6] * xy + R[7] * yy + R[8] * yz, R[6] * xz + R[7] * yz + R[8] * zz
    return (
        given[0], R[0] * h0 + R[1] * h1 + R[2] * h2, R[3] * h0 + R[4] * h1 + R[5] * h2, R[6] * h0 + R[7] * h1 + R[8] * h2,
        u0 * R[0] + u1 * R[1] + u2 * R[2], u0 * R[3] + u1 * R[4] + u2 * R[5], u0 * R[6] + u1 * R[7] + u2 * R[8],
        v0 * R[3] + v1 * R[4] + v2 * R[5], v0 * R[6] + v1 * R[7] + v2 * R[8],
        w0 * R[6] + w1 * R[7] + w2 * R[8],
    )  # fmt: skip


@once
def weigh(t, i):
    """Keep what :func:`weighed` says of link i."""
    out = at(t.body, 10 * i)
    out[0], out[1], out[2], out[3], out[4], out[5], out[6], out[7], out[8], out[9] = weighed(t, i)
