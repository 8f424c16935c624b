"""Articulated body algorithm: forward dynamics without a matrix (Featherstone 2008, 7.3)."""

from ..kernels.lazy import entry, helper, once
from ..kernels.pointers import at, floats, ints
from .arguments import ALIGNED, WRITEABLE
from .efforts import accelerate, begin_effort, bind_rest, bind_state, dot, hand_up, turning
from .links import cross, move, place, weigh
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
    n, nv, v0, parent = ints(t, T_COUNT)[N_LINK], ints(t, T_NV), ints(t, T_V0), ints(t, T_PARENT)
    for i in range(n):
        if not how & PLACED:
            place(t, i)
            move(t, i)
            weigh(t, i)
        B, f, I = at(floats(t, T_BODY), 10 * i), at(floats(t, T_EFFORT), 6 * i), at(floats(t, T_ARTICULATED), 36 * i)
        begin_effort(t, i, how, f)
        turning(B, at(floats(t, T_VEL), 6 * i), f)
        _load(B, I)
    for i in range(n - 1, -1, -1):
        _solve_joint(t, i, nv[i], v0[i])
        if parent[i] >= 0:
            _shift(t, i, nv[i])
    for i in range(n):
        accelerate(t, i)
        acc, U, left = at(floats(t, T_ACC), 6 * i), at(floats(t, T_U), 36 * i), at(floats(t, T_LEFT), 6 * i)
        D, S, a = at(floats(t, T_D), 36 * i), at(floats(t, T_S), 36 * i), at(floats(t, T_A), v0[i])
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


@helper
def _load(B, I):
    """I = [J h̃; −h̃ m 1], 6 × 6."""
    for k in range(36):
        I[k] = 0.0
    I[0], I[1], I[2], I[6], I[7], I[8], I[12], I[13], I[14] = B[4], B[5], B[6], B[5], B[7], B[8], B[6], B[8], B[9]
    I[4], I[5], I[9], I[11], I[15], I[16] = -B[3], B[2], B[3], -B[1], -B[2], B[1]
    I[24], I[30], I[19], I[31], I[20], I[26] = -B[3], B[2], B[3], -B[1], -B[2], B[1]
    I[21], I[28], I[35] = B[0], B[0], B[0]


@once
def _solve_joint(t, i, nv, v0):
    """U = I S, D⁻¹ = (Sᵀ I S)⁻¹ and u = τ − Sᵀ p of link i."""
    I, U, D, S = at(floats(t, T_ARTICULATED), 36 * i), at(floats(t, T_U), 36 * i), at(floats(t, T_D), 36 * i), at(floats(t, T_S), 36 * i)
    p, left, tau = at(floats(t, T_EFFORT), 6 * i), at(floats(t, T_LEFT), 6 * i), at(floats(t, T_TAU), v0)
    for k in range(nv):
        for c in range(6):
            U[6 * k + c] = dot(at(I, 6 * c), at(S, 6 * k))
        left[k] = tau[k] - dot(at(S, 6 * k), p)
    armature, least = at(floats(t, T_ARMATURE), v0), NOTHING * (I[0] + I[7] + I[14] + I[21] + I[28] + I[35])
    if nv == 1:
        d = dot(S, U) + armature[0]
        if d <= least:
            ints(t, T_COUNT)[REFUSED] = SINGULAR + i
        D[0] = 1.0 / d
        return
    for k in range(nv):
        for m in range(nv):
            D[6 * k + m] = dot(at(S, 6 * k), at(U, 6 * m))
        D[6 * k + k] += armature[k]
    if not _invert(D, nv, least):
        ints(t, T_COUNT)[REFUSED] = SINGULAR + i


@helper
def _invert(A, n, least):
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


@once
def _shift(t, i, nv):
    """What is left of the articulated link i when its joint is free goes to its parent: I − U D⁻¹Uᵀ, p + (I − U D⁻¹Uᵀ) b + U D⁻¹u."""
    I, U, D = at(floats(t, T_ARTICULATED), 36 * i), at(floats(t, T_U), 36 * i), at(floats(t, T_D), 36 * i)
    p, left, b, r = at(floats(t, T_EFFORT), 6 * i), at(floats(t, T_LEFT), 6 * i), at(floats(t, T_BIAS), 6 * i), at(floats(t, T_ARM), 3 * i)
    for k in range(nv):
        for m in range(nv):
            d = D[6 * k + m]
            for c in range(6):
                weight = U[6 * k + c] * d
                for e in range(6):
                    I[6 * c + e] -= weight * U[6 * m + e]
                p[c] += weight * left[m]
    for c in range(6):
        p[c] += dot(at(I, 6 * c), b)
    hand_up(t, i, p)
    out = at(floats(t, T_ARTICULATED), 36 * ints(t, T_PARENT)[i])
    for k in range(3):  # columns: lower right and upper right blocks, shifted by r × of the lower right one
        x0, x1, x2 = cross(r[0], r[1], r[2], I[18 + 3 + k], I[24 + 3 + k], I[30 + 3 + k])
        I[3 + k] += x0
        I[9 + k] += x1
        I[15 + k] += x2
    for c in range(3):
        for e in range(3):
            out[6 * (3 + c) + 3 + e] += I[6 * (3 + c) + 3 + e]
            out[6 * c + 3 + e] += I[6 * c + 3 + e]
            out[6 * (3 + e) + c] += I[6 * c + 3 + e]
    for c in range(3):
        # upper left: − (upper right, shifted) r̃ + r̃ (lower left, as it was)
        row = at(I, 6 * c + 3)
        x0, x1, x2 = cross(r[0], r[1], r[2], row[0], row[1], row[2])  # −(row r̃) = r × row
        out[6 * c] += I[6 * c] + x0
        out[6 * c + 1] += I[6 * c + 1] + x1
        out[6 * c + 2] += I[6 * c + 2] + x2
    for k in range(3):
        x0, x1, x2 = cross(r[0], r[1], r[2], I[18 + k], I[24 + k], I[30 + k])
        out[k] += x0
        out[6 + k] += x1
        out[12 + k] += x2
