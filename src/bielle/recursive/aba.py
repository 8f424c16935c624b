"""Articulated body algorithm: forward dynamics without a matrix (Featherstone 2008, 7.3)."""

from ..kernels.lazy import entry, helper, once
from ..kernels.pointers import at, floats, ints
from .arguments import ALIGNED, WRITEABLE
from .efforts import accelerate, begin_effort, bind_rest, bind_state, dot, turning
from .links import begin_placing, cross, move, place, weigh
from .table import (
    N_LINK,
    N_V,
    PLACED,
    REFUSED,
    SINGULAR,
    T_A,
    T_ACC,
    T_ARM,
    T_ARMATURE,
    T_ARTICULATED,
    T_BIAS,
    T_BODY,
    T_COUNT,
    T_D,
    T_EFFORT,
    T_LEFT,
    T_NV,
    T_PARENT,
    T_S,
    T_TAU,
    T_U,
    T_V0,
    T_VEL,
)  # fmt: skip

ARTICULATED = 36  # room for an inertia: others use it as scratch
NOTHING = 1e-15  # of the inertias of a link: a joint along which there is no more has none


@entry
def aba(t, how, arguments):
    """q̈ from q, v, τ: articulated bodies. Arguments: q, v, τ, q̈."""
    if not (
        bind_state(t, arguments, 2)
        and bind_rest(t, arguments, 2, T_TAU, ints(t, T_COUNT)[N_V], 0, ALIGNED)
        and bind_rest(t, arguments, 3, T_A, ints(t, T_COUNT)[N_V], 0, ALIGNED | WRITEABLE)
    ):
        return
    forward(t, how)


@once
def forward(t, how):
    """q̈ in T_A."""
    n, nv, v0 = ints(t, T_COUNT)[N_LINK], ints(t, T_NV), ints(t, T_V0)
    if not how & PLACED:
        begin_placing(t)
    for i in range(n):
        if not how & PLACED:
            place(t, i)
            move(t, i)
            weigh(t, i)
        B, f = at(floats(t, T_BODY), 10 * i), at(floats(t, T_EFFORT), 6 * i)
        begin_effort(t, i, how, f)
        turning(B, at(floats(t, T_VEL), 6 * i), f)
        _load(B, at(floats(t, T_ARTICULATED), ARTICULATED * i))
    for i in range(n - 1, -1, -1):
        if nv[i] == 1:
            _free_one(t, i, v0[i])
        else:
            _free_many(t, i, nv[i], v0[i])
    for i in range(n):
        accelerate(t, i)
        acc, U, left = at(floats(t, T_ACC), 6 * i), at(floats(t, T_U), 36 * i), at(floats(t, T_LEFT), 6 * i)
        D, S, a = at(floats(t, T_D), 36 * i), at(floats(t, T_S), 36 * i), at(floats(t, T_A), v0[i])
        if nv[i] == 1:
            x = D[0] * (left[0] - dot(U, acc))
            a[0] = x
            for c in range(6):
                acc[c] += S[c] * x
            continue
        for k in range(nv[i]):
            left[k] -= dot(at(U, 6 * k), acc)
        for k in range(nv[i]):
            total = 0.0
            for m in range(nv[i]):
                total += D[6 * k + m] * left[m]
            a[k] = total
        for k in range(nv[i]):
            for c in range(6):
                acc[c] += S[6 * k + c] * a[k]


# -- articulated inertias: [A B; Bᵀ C] as 21 numbers: A (xx, xy, xz, yy, yz, zz), B row by row, C like A


@helper
def _load(B, I):
    """Of a body: A = J, B = h̃, C = m 1."""
    for k in range(6):
        I[k] = B[4 + k]
    I[6], I[7], I[8], I[9], I[10], I[11], I[12], I[13], I[14] = 0.0, -B[3], B[2], B[3], 0.0, -B[1], -B[2], B[1], 0.0
    I[15], I[16], I[17], I[18], I[19], I[20] = B[0], 0.0, 0.0, B[0], 0.0, B[0]


@helper
def _read(I):
    return (I[0], I[1], I[2], I[3], I[4], I[5], I[6], I[7], I[8], I[9], I[10], I[11], I[12], I[13], I[14], I[15], I[16], I[17], I[18],
            I[19], I[20])  # fmt: skip


@helper
def _times(I, x):
    """I x."""
    return (
        I[0] * x[0] + I[1] * x[1] + I[2] * x[2] + I[6] * x[3] + I[7] * x[4] + I[8] * x[5],
        I[1] * x[0] + I[3] * x[1] + I[4] * x[2] + I[9] * x[3] + I[10] * x[4] + I[11] * x[5],
        I[2] * x[0] + I[4] * x[1] + I[5] * x[2] + I[12] * x[3] + I[13] * x[4] + I[14] * x[5],
        I[6] * x[0] + I[9] * x[1] + I[12] * x[2] + I[15] * x[3] + I[16] * x[4] + I[17] * x[5],
        I[7] * x[0] + I[10] * x[1] + I[13] * x[2] + I[16] * x[3] + I[18] * x[4] + I[19] * x[5],
        I[8] * x[0] + I[11] * x[1] + I[14] * x[2] + I[17] * x[3] + I[19] * x[4] + I[20] * x[5],
    )


@helper
def _less(I, w, u):
    """I − w uᵀ, where that is symmetric."""
    return (
        I[0] - w[0] * u[0], I[1] - w[0] * u[1], I[2] - w[0] * u[2], I[3] - w[1] * u[1], I[4] - w[1] * u[2], I[5] - w[2] * u[2],
        I[6] - w[0] * u[3], I[7] - w[0] * u[4], I[8] - w[0] * u[5], I[9] - w[1] * u[3], I[10] - w[1] * u[4], I[11] - w[1] * u[5],
        I[12] - w[2] * u[3], I[13] - w[2] * u[4], I[14] - w[2] * u[5],
        I[15] - w[3] * u[3], I[16] - w[3] * u[4], I[17] - w[3] * u[5], I[18] - w[4] * u[4], I[19] - w[4] * u[5], I[20] - w[5] * u[5],
    )  # fmt: skip


@helper
def _add_shifted(I, r, out):
    """out += I about a point from which its own is at r: C, B' = B + r̃ C, A − B' r̃ + r̃ Bᵀ."""
    x, y, z = r[0], r[1], r[2]
    b00, b01, b02 = I[6] + y * I[17] - z * I[16], I[7] + y * I[19] - z * I[18], I[8] + y * I[20] - z * I[19]
    b10, b11, b12 = I[9] + z * I[15] - x * I[17], I[10] + z * I[16] - x * I[19], I[11] + z * I[17] - x * I[20]
    b20, b21, b22 = I[12] + x * I[16] - y * I[15], I[13] + x * I[18] - y * I[16], I[14] + x * I[19] - y * I[17]
    out[0] += I[0] + y * b02 - z * b01 + y * I[8] - z * I[7]
    out[1] += I[1] + z * b00 - x * b02 + y * I[11] - z * I[10]
    out[2] += I[2] + x * b01 - y * b00 + y * I[14] - z * I[13]
    out[3] += I[3] + z * b10 - x * b12 + z * I[9] - x * I[11]
    out[4] += I[4] + x * b11 - y * b10 + z * I[12] - x * I[14]
    out[5] += I[5] + x * b21 - y * b20 + x * I[13] - y * I[12]
    out[6] += b00
    out[7] += b01
    out[8] += b02
    out[9] += b10
    out[10] += b11
    out[11] += b12
    out[12] += b20
    out[13] += b21
    out[14] += b22
    out[15] += I[15]
    out[16] += I[16]
    out[17] += I[17]
    out[18] += I[18]
    out[19] += I[19]
    out[20] += I[20]


@helper
def _six(x):
    return x[0], x[1], x[2], x[3], x[4], x[5]


@helper
def _hand_on(t, i, I, p0, p1, p2, p3, p4, p5):
    """What is left of link i when its joint is free goes to its parent: I, and p + I b."""
    parent, r = ints(t, T_PARENT)[i], at(floats(t, T_ARM), 3 * i)
    b = _times(I, _six(at(floats(t, T_BIAS), 6 * i)))
    p0, p1, p2, p3, p4, p5 = p0 + b[0], p1 + b[1], p2 + b[2], p3 + b[3], p4 + b[4], p5 + b[5]
    x0, x1, x2 = cross(r[0], r[1], r[2], p3, p4, p5)
    _add_shifted(I, r, at(floats(t, T_ARTICULATED), ARTICULATED * parent))
    out = at(floats(t, T_EFFORT), 6 * parent)
    out[0] += p0 + x0
    out[1] += p1 + x1
    out[2] += p2 + x2
    out[3] += p3
    out[4] += p4
    out[5] += p5


@once
def _free_one(t, i, v0):
    """U = I S, d = Sᵀ U, u = τ − Sᵀ p of a link whose joint has one velocity; I − U Uᵀ/d and p + U u/d for its parent."""
    I, s, p = _read(at(floats(t, T_ARTICULATED), ARTICULATED * i)), _six(at(floats(t, T_S), 36 * i)), _six(at(floats(t, T_EFFORT), 6 * i))
    u, U = _times(I, s), at(floats(t, T_U), 36 * i)
    d, left = dot(s, u) + floats(t, T_ARMATURE)[v0], floats(t, T_TAU)[v0] - dot(s, p)
    if d <= NOTHING * (I[0] + I[3] + I[5] + I[15] + I[18] + I[20]):
        ints(t, T_COUNT)[REFUSED] = SINGULAR + i
    d = 1.0 / d
    U[0], U[1], U[2], U[3], U[4], U[5] = u
    floats(t, T_D)[36 * i] = d
    floats(t, T_LEFT)[6 * i] = left
    if ints(t, T_PARENT)[i] >= 0:
        I, k = _less(I, (u[0] * d, u[1] * d, u[2] * d, u[3] * d, u[4] * d, u[5] * d), u), left * d
        _hand_on(t, i, I, p[0] + k * u[0], p[1] + k * u[1], p[2] + k * u[2], p[3] + k * u[3], p[4] + k * u[4], p[5] + k * u[5])


@once
def _free_many(t, i, nv, v0):
    """The same for joints with any number of velocities: D⁻¹ = (Sᵀ I S)⁻¹ is a matrix."""
    I, p = _read(at(floats(t, T_ARTICULATED), ARTICULATED * i)), at(floats(t, T_EFFORT), 6 * i)
    U, D, S = at(floats(t, T_U), 36 * i), at(floats(t, T_D), 36 * i), at(floats(t, T_S), 36 * i)
    left, tau, armature = at(floats(t, T_LEFT), 6 * i), at(floats(t, T_TAU), v0), at(floats(t, T_ARMATURE), v0)
    for k in range(nv):
        U[6 * k], U[6 * k + 1], U[6 * k + 2], U[6 * k + 3], U[6 * k + 4], U[6 * k + 5] = _times(I, _six(at(S, 6 * k)))
        left[k] = tau[k] - dot(at(S, 6 * k), p)
    for k in range(nv):
        for m in range(nv):
            D[6 * k + m] = dot(at(S, 6 * k), at(U, 6 * m))
        D[6 * k + k] += armature[k]
    if not invert(D, nv, NOTHING * (I[0] + I[3] + I[5] + I[15] + I[18] + I[20])):
        ints(t, T_COUNT)[REFUSED] = SINGULAR + i
    if ints(t, T_PARENT)[i] < 0:
        return
    for k in range(nv):
        w0, w1, w2, w3, w4, w5 = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
        for m in range(nv):
            d, u = D[6 * k + m], at(U, 6 * m)
            w0, w1, w2 = w0 + d * u[0], w1 + d * u[1], w2 + d * u[2]
            w3, w4, w5 = w3 + d * u[3], w4 + d * u[4], w5 + d * u[5]
        I = _less(I, (w0, w1, w2, w3, w4, w5), _six(at(U, 6 * k)))
        p[0] += w0 * left[k]
        p[1] += w1 * left[k]
        p[2] += w2 * left[k]
        p[3] += w3 * left[k]
        p[4] += w4 * left[k]
        p[5] += w5 * left[k]
    _hand_on(t, i, I, p[0], p[1], p[2], p[3], p[4], p[5])


@helper
def invert(A, n, least):
    """A ← A⁻¹, symmetric and positive definite, n ≤ 6, rows of 6; Gauss–Jordan without pivots. Whether these are larger than ``least``."""
    fine = True
    for k in range(n):
        fine = fine and not A[6 * k + k] <= least
        pivot = 1.0 / A[6 * k + k]
        A[6 * k + k] = 1.0
        for m in range(n):
            A[6 * k + m] *= pivot
        for i in range(n):
            if i != k:
                factor = A[6 * i + k]
                A[6 * i + k] = 0.0
                for m in range(n):
                    A[6 * i + m] -= factor * A[6 * k + m]
    return fine
