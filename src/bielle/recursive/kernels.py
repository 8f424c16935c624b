"""Recursive algorithms: inverse dynamics (RNEA), mass matrix (CRBA), forward dynamics (ABA), for trees.

Every link has its origin on the joint it hangs on, but all vectors are in world axes: from one link to the next they are shifted by the arm
r, never turned. Velocities and accelerations are those of the material point at the origin, (ω, v) and (α, a):

    ω = ω_p + S_ω q̇                v = v_p + ω_p × r + S_v q̇
    α = α_p + S_ω q̈ + b_ω          a = a_p + α_p × r + S_v q̈ + b_v
    b_ω = ω_p × S_ω q̇ + …          b_v = ω_p × (ω_p × r) + 2 ω_p × S_v q̇ + …

where … is what a motion adds because its axes turn with the child. A body with mass m, centre c and inertia J about the origin needs

    n = J α + m c × a + ω × J ω        f = m (a + α × c + ω × (ω × c))

Gravity is an acceleration −g of the ground. Algorithms: Featherstone 2008, chapters 5 to 7.
"""

from ..kernels.lazy import entry, helper, once
from ..kernels.pointers import at, clear, copy, floats, ints
from .arguments import ALIGNED, WRITEABLE, bind
from .links import cross, move, place, weigh
from .table import (
    N_LINK,
    N_Q,
    N_V,
    REFUSED,
    T_A,
    T_ACC,
    T_ARM,
    T_ARTICULATED,
    T_BIAS,
    T_BODY,
    T_COUNT,
    T_D,
    T_EFFORT,
    T_FORCE,
    T_GRAVITY,
    T_LEFT,
    T_MASS,
    T_NV,
    T_PARENT,
    T_Q,
    T_S,
    T_TAU,
    T_U,
    T_V,
    T_V0,
    T_VEL,
)


@helper
def _effort(B, a, out):
    """out += (J α + h × a, m a + α × h) for a body B = (m, h, J)."""
    m, h0, h1, h2 = B[0], B[1], B[2], B[3]
    x0, x1, x2 = cross(h0, h1, h2, a[3], a[4], a[5])
    y0, y1, y2 = cross(a[0], a[1], a[2], h0, h1, h2)
    out[0] += B[4] * a[0] + B[5] * a[1] + B[6] * a[2] + x0
    out[1] += B[5] * a[0] + B[7] * a[1] + B[8] * a[2] + x1
    out[2] += B[6] * a[0] + B[8] * a[1] + B[9] * a[2] + x2
    out[3] += m * a[3] + y0
    out[4] += m * a[4] + y1
    out[5] += m * a[5] + y2


@once
def _turning(B, w, out):
    """out += (ω × J ω, ω × (ω × h))."""
    j0 = B[4] * w[0] + B[5] * w[1] + B[6] * w[2]
    j1 = B[5] * w[0] + B[7] * w[1] + B[8] * w[2]
    j2 = B[6] * w[0] + B[8] * w[1] + B[9] * w[2]
    n0, n1, n2 = cross(w[0], w[1], w[2], j0, j1, j2)
    h0, h1, h2 = cross(w[0], w[1], w[2], B[1], B[2], B[3])
    f0, f1, f2 = cross(w[0], w[1], w[2], h0, h1, h2)
    out[0] += n0
    out[1] += n1
    out[2] += n2
    out[3] += f0
    out[4] += f1
    out[5] += f2


@helper
def _hand_up(t, i, effort):
    """The effort of link i, about its origin, acts on its parent, too."""
    parent = ints(t, T_PARENT)[i]
    if parent >= 0:
        arm, out = at(floats(t, T_ARM), 3 * i), at(floats(t, T_EFFORT), 6 * parent)
        x0, x1, x2 = cross(arm[0], arm[1], arm[2], effort[3], effort[4], effort[5])
        out[0] += effort[0] + x0
        out[1] += effort[1] + x1
        out[2] += effort[2] + x2
        out[3] += effort[3]
        out[4] += effort[4]
        out[5] += effort[5]


@helper
def _accelerate(t, i):
    """Acceleration of link i without q̈: that of its parent, and the bias."""
    parent, arm, acc = ints(t, T_PARENT)[i], at(floats(t, T_ARM), 3 * i), at(floats(t, T_ACC), 6 * i)
    copy(6, at(floats(t, T_BIAS), 6 * i), acc)
    if parent < 0:
        g = floats(t, T_GRAVITY)
        for k in range(3):
            acc[3 + k] -= g[k]
        return
    p = at(floats(t, T_ACC), 6 * parent)
    x0, x1, x2 = cross(p[0], p[1], p[2], arm[0], arm[1], arm[2])
    acc[0] += p[0]
    acc[1] += p[1]
    acc[2] += p[2]
    acc[3] += p[3] + x0
    acc[4] += p[4] + x1
    acc[5] += p[5] + x2


@helper
def _dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] + a[4] * b[4] + a[5] * b[5]


@entry
def kinematics(t, with_velocities, arguments):
    """Where all links are, and how they move. Arguments: q, v."""
    if not _bind_state(t, arguments, 1 + with_velocities):
        return
    for i in range(ints(t, T_COUNT)[N_LINK]):
        place(t, i)
        if with_velocities == 1:
            move(t, i)


@once
def _bind_state(t, arguments, state):
    """q, and v if ``state`` is 2. Whether they are as they should be; so they are if they are at hand (no ``arguments``)."""
    count = ints(t, T_COUNT)
    count[REFUSED] = 0
    if arguments == 0:
        return True
    if bind(t, arguments, 0, T_Q, count[N_Q], 1, ALIGNED) == 0 or (state == 2 and bind(t, arguments, 1, T_V, count[N_V], 1, ALIGNED) == 0):
        count[REFUSED] = 1
        return False
    return True


@once
def _bind_rest(t, arguments, k, slot, dimensions, flags):
    """Another argument with as many numbers as there are velocities, or a matrix."""
    if arguments != 0 and bind(t, arguments, k, slot, ints(t, T_COUNT)[N_V], dimensions, flags) == 0:
        ints(t, T_COUNT)[REFUSED] = 1
        return False
    return True


@entry
def rnea(t, with_accelerations, arguments):
    """τ = M q̈ + h(q, q̇) less what T_FORCE does, from q, v, a; ``with_accelerations`` 0: a = 0. Arguments: q, v, τ, a."""
    if not (_bind_state(t, arguments, 2) and _bind_rest(t, arguments, 2, T_TAU, 1, ALIGNED | WRITEABLE)):
        return
    if with_accelerations == 1 and not _bind_rest(t, arguments, 3, T_A, 1, ALIGNED):
        return
    n, effort, nv, v0, tau = ints(t, T_COUNT)[N_LINK], floats(t, T_EFFORT), ints(t, T_NV), ints(t, T_V0), floats(t, T_TAU)
    for i in range(n):
        place(t, i)
        move(t, i)
        weigh(t, i)
        _accelerate(t, i)
        acc, S, f = at(floats(t, T_ACC), 6 * i), at(floats(t, T_S), 36 * i), at(effort, 6 * i)
        if with_accelerations == 1:
            a = at(floats(t, T_A), v0[i])
            for k in range(nv[i]):
                for c in range(6):
                    acc[c] += S[6 * k + c] * a[k]
        for c in range(6):
            f[c] = -floats(t, T_FORCE)[6 * i + c]
        _effort(at(floats(t, T_BODY), 10 * i), acc, f)
        _turning(at(floats(t, T_BODY), 10 * i), at(floats(t, T_VEL), 6 * i), f)
    for i in range(n - 1, -1, -1):
        f, S = at(effort, 6 * i), at(floats(t, T_S), 36 * i)
        for k in range(nv[i]):
            tau[v0[i] + k] = _dot(at(S, 6 * k), f)
        _hand_up(t, i, f)


@entry
def crba(t, unused, arguments):
    """The mass matrix M(q), by composite bodies. Arguments: q, M."""
    if not (_bind_state(t, arguments, 1) and _bind_rest(t, arguments, 1, T_MASS, 2, ALIGNED | WRITEABLE)):
        return
    n, nv, v0, parent = ints(t, T_COUNT)[N_LINK], ints(t, T_NV), ints(t, T_V0), ints(t, T_PARENT)
    width, mass = ints(t, T_COUNT)[N_V], floats(t, T_MASS)
    for i in range(n):
        place(t, i)
        weigh(t, i)
    clear(width * width, mass)
    for i in range(n - 1, -1, -1):
        B, S = at(floats(t, T_BODY), 10 * i), at(floats(t, T_S), 36 * i)
        for k in range(nv[i]):
            f = at(floats(t, T_EFFORT), 6 * i)
            clear(6, f)
            _effort(B, at(S, 6 * k), f)
            row = v0[i] + k
            for m in range(k + 1):
                mass[row * width + v0[i] + m] = _dot(at(S, 6 * m), f)
                mass[(v0[i] + m) * width + row] = mass[row * width + v0[i] + m]
            j = i
            while parent[j] >= 0:
                arm = at(floats(t, T_ARM), 3 * j)
                x0, x1, x2 = cross(arm[0], arm[1], arm[2], f[3], f[4], f[5])
                f[0] += x0
                f[1] += x1
                f[2] += x2
                j = parent[j]
                for m in range(nv[j]):
                    value = _dot(at(floats(t, T_S), 36 * j + 6 * m), f)
                    mass[row * width + v0[j] + m] = value
                    mass[(v0[j] + m) * width + row] = value
        if parent[i] >= 0:
            _compose(B, at(floats(t, T_ARM), 3 * i), at(floats(t, T_BODY), 10 * parent[i]))


@once
def _compose(B, r, out):
    """Add a body B, whose origin is at r, to another: J' = J − r̃ h̃ − h̃ r̃ − m r̃ r̃."""
    m, rh, rr = B[0], r[0] * B[1] + r[1] * B[2] + r[2] * B[3], r[0] * r[0] + r[1] * r[1] + r[2] * r[2]
    out[0] += m
    n = 4
    for i in range(3):
        for k in range(i, 3):
            same = 2.0 * rh + m * rr if i == k else 0.0
            out[n] += B[n] + same - r[i] * B[1 + k] - B[1 + i] * r[k] - m * r[i] * r[k]
            n += 1
        out[1 + i] += B[1 + i] + m * r[i]


@entry
def aba(t, unused, arguments):
    """q̈ from q, v, τ: articulated bodies. Arguments: q, v, τ, q̈."""
    if not (
        _bind_state(t, arguments, 2)
        and _bind_rest(t, arguments, 2, T_TAU, 1, ALIGNED)
        and _bind_rest(t, arguments, 3, T_A, 1, ALIGNED | WRITEABLE)
    ):
        return
    n, nv, v0, parent = ints(t, T_COUNT)[N_LINK], ints(t, T_NV), ints(t, T_V0), ints(t, T_PARENT)
    for i in range(n):
        place(t, i)
        move(t, i)
        weigh(t, i)
        B, f, I = at(floats(t, T_BODY), 10 * i), at(floats(t, T_EFFORT), 6 * i), at(floats(t, T_ARTICULATED), 36 * i)
        for c in range(6):
            f[c] = -floats(t, T_FORCE)[6 * i + c]
        _turning(B, at(floats(t, T_VEL), 6 * i), f)
        _load(B, I)
    for i in range(n - 1, -1, -1):
        _solve_joint(t, i, nv[i], v0[i])
        if parent[i] >= 0:
            _shift(t, i, nv[i])
    for i in range(n):
        _accelerate(t, i)
        acc, U, left = at(floats(t, T_ACC), 6 * i), at(floats(t, T_U), 36 * i), at(floats(t, T_LEFT), 6 * i)
        D, S, a = at(floats(t, T_D), 36 * i), at(floats(t, T_S), 36 * i), at(floats(t, T_A), v0[i])
        for k in range(nv[i]):
            left[k] -= _dot(at(U, 6 * k), acc)
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
            U[6 * k + c] = _dot(at(I, 6 * c), at(S, 6 * k))
        left[k] = tau[k] - _dot(at(S, 6 * k), p)
    if nv == 1:
        D[0] = 1.0 / _dot(S, U)
        return
    for k in range(nv):
        for m in range(nv):
            D[6 * k + m] = _dot(at(S, 6 * k), at(U, 6 * m))
    _invert(D, nv)


@helper
def _invert(A, n):
    """A ← A⁻¹, symmetric and positive definite, n ≤ 6, rows of 6; Gauss–Jordan without pivots."""
    for k in range(n):
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
        p[c] += _dot(at(I, 6 * c), b)
    _hand_up(t, i, p)
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
