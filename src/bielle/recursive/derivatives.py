"""Derivatives of inverse and forward dynamics, analytically (after Carpentier & Mansard 2018, here in world axes).

Velocities, accelerations and efforts of all links are referred to one point of the world. Column j of S moves everything behind it: links
in its subtree, and the columns behind it in its own joint, or all of that joint if they turn with the child (spherical and free joints).
With u_j and u̇_j the velocity and the acceleration of what is before it, moving it changes

    v_i  by  S_j × (v_i − u_j)          a_i  by  S_j × (a_i − u̇_j) + p_j × (v_i − u_j),   p_j = u_j × S_j

and its velocity changes v_i by S_j and a_i by w_j × S_j + S_j × (v_i − u_j), w_j being the velocity of the frame that the column is fixed
in. So the effort f_i = I_i a_i + v_i ×* I_i v_i changes, besides moving along (S_j ×* f_i), by I_i c_j + B_i p_j and by I_i d_j + B_i S_j,
where

    c_j = u̇_j × S_j + u_j × p_j        d_j = w_j × S_j + u_j × S_j        B_i x = I_i (x × v_i) + x ×* I_i v_i + v_i ×* I_i x

With sums I, B, F over subtrees, for a velocity k before or at j and for one behind it:

    ∂τ_k/∂q_j = S_kᵀ (I_j c_j + B_j p_j + S_j ×* F_j)   or   S_kᵀ (I_k c_j + B_k p_j)
    ∂τ_k/∂v_j = S_kᵀ (I_j d_j + B_j S_j)                or   S_kᵀ (I_k d_j + B_k S_j)

Efforts on bodies from outside are not part of it. Changes of q are those of q ⊕ δ, as everywhere.
"""

from ..kernels.lazy import entry, helper, once
from ..kernels.motions import FREE, SPHERICAL
from ..kernels.pointers import at, clear, copy, floats, ints
from .aba import forward
from .arguments import ALIGNED, WRITEABLE
from .crba import fill_mass
from .efforts import bind_rest, bind_state, dot
from .factor import factorise, solve_factored
from .links import begin_placing, cross, place, weigh
from .table import (
    N_LINK,
    N_V,
    REFUSED,
    T_A,
    T_BEFORE,
    T_BODY,
    T_BY_Q,
    T_BY_V,
    T_COLUMNS,
    T_COMPOSITE,
    T_COUNT,
    T_FACTOR,
    T_GRAVITY,
    T_MASS,
    T_MOTION,
    T_NV,
    T_OWN_A,
    T_PARENT,
    T_POS,
    T_REFERENCE,
    T_S,
    T_TAU,
    T_V,
    T_V0,
    T_WORLD,
)  # fmt: skip

# per velocity, in T_COLUMNS: S, p, c, d, and what follows from the sums over the subtree: I S, Bᵀ S
COLUMN = 36
# per link, in T_WORLD: velocity, acceleration, effort; in T_COMPOSITE: I (36), B (36)
WORLD, COMPOSITE = 18, 72


@helper
def _motion_cross(a, b, out):
    """out = a × b of motions (ω, v): (ω_a × ω_b, ω_a × v_b + v_a × ω_b)."""
    x0, x1, x2 = cross(a[0], a[1], a[2], b[0], b[1], b[2])
    y0, y1, y2 = cross(a[0], a[1], a[2], b[3], b[4], b[5])
    z0, z1, z2 = cross(a[3], a[4], a[5], b[0], b[1], b[2])
    out[0], out[1], out[2], out[3], out[4], out[5] = x0, x1, x2, y0 + z0, y1 + z1, y2 + z2


@helper
def _add_force_cross(a, f, out):
    """out += a ×* f of a motion and an effort (n, f): (ω × n + v × f, ω × f)."""
    x0, x1, x2 = cross(a[0], a[1], a[2], f[0], f[1], f[2])
    y0, y1, y2 = cross(a[3], a[4], a[5], f[3], f[4], f[5])
    z0, z1, z2 = cross(a[0], a[1], a[2], f[3], f[4], f[5])
    out[0] += x0 + y0
    out[1] += x1 + y1
    out[2] += x2 + y2
    out[3] += z0
    out[4] += z1
    out[5] += z2


@helper
def _add_product(A, x, out):
    """out += A x, 6 × 6."""
    for c in range(6):
        out[c] += dot(at(A, 6 * c), x)


@helper
def _shifted(B, r, I):
    """I (36) = the inertia of a body (10) whose origin is at r, about the point r is measured from."""
    m = B[0]
    h0, h1, h2 = B[1] + m * r[0], B[2] + m * r[1], B[3] + m * r[2]
    rh = r[0] * B[1] + r[1] * B[2] + r[2] * B[3]
    both = 2.0 * rh + m * (r[0] * r[0] + r[1] * r[1] + r[2] * r[2])
    clear(36, I)
    n = 4
    for i in range(3):
        for k in range(i, 3):
            value = B[n] - r[i] * B[1 + k] - B[1 + i] * r[k] - m * r[i] * r[k] + (both if i == k else 0.0)
            I[6 * i + k] = value
            I[6 * k + i] = value
            n += 1
        I[6 * (3 + i) + 3 + i] = m
    I[4], I[5], I[9], I[11], I[15], I[16] = -h2, h1, h2, -h0, -h1, h0
    I[24], I[30], I[19], I[31], I[20], I[26] = -h2, h1, h2, -h0, -h1, h0


@once
def _outward(t, i):
    """Of link i: velocity and acceleration, inertia and B about the reference, and its columns."""
    parent, nv, v0, motion = ints(t, T_PARENT)[i], ints(t, T_NV)[i], ints(t, T_V0)[i], ints(t, T_MOTION)[i]
    x, ref, here = at(floats(t, T_POS), 3 * i), floats(t, T_REFERENCE), at(floats(t, T_WORLD), WORLD * i)
    x0, x1, x2 = x[0] - ref[0], x[1] - ref[1], x[2] - ref[2]
    vel, acc, u, u_dot = here, at(here, 6), at(ref, 3), at(ref, 9)
    if parent >= 0:
        copy(12, at(floats(t, T_WORLD), WORLD * parent), u)
    else:
        clear(12, u)
        for k in range(3):
            u_dot[3 + k] = -floats(t, T_GRAVITY)[k]
    copy(12, u, here)
    turns = motion in (SPHERICAL, FREE)
    for k in range(nv):
        S, column = at(floats(t, T_S), 36 * i + 6 * k), at(floats(t, T_COLUMNS), COLUMN * (v0 + k))
        y0, y1, y2 = cross(x0, x1, x2, S[0], S[1], S[2])
        column[0], column[1], column[2] = S[0], S[1], S[2]
        column[3], column[4], column[5] = S[3] + y0, S[4] + y1, S[5] + y2
        for c in range(6):
            vel[c] += column[c] * floats(t, T_V)[v0 + k]
    for k in range(nv):
        S, rate, second = at(floats(t, T_COLUMNS), COLUMN * (v0 + k)), floats(t, T_V)[v0 + k], floats(t, T_A)[v0 + k]
        p, c_j, d_j, temp = at(S, 6), at(S, 12), at(S, 18), at(S, 24)
        _motion_cross(u, S, p)
        _motion_cross(u_dot, S, c_j)
        _motion_cross(u, p, temp)
        for c in range(6):
            c_j[c] += temp[c]
        _motion_cross(vel if turns else u, S, temp)
        for c in range(6):
            d_j[c] = temp[c] + p[c]
            acc[c] += S[c] * second + temp[c] * rate
        if not turns:  # the next column stands on this one
            for c in range(6):
                u_dot[c] += S[c] * second + temp[c] * rate
                u[c] += S[c] * rate
    r = at(ref, 15)
    r[0], r[1], r[2] = x0, x1, x2
    I, B, f, momentum = at(floats(t, T_COMPOSITE), COMPOSITE * i), at(floats(t, T_COMPOSITE), COMPOSITE * i + 36), at(here, 12), at(ref, 18)
    _shifted(at(floats(t, T_BODY), 10 * i), r, I)
    clear(6, momentum)
    _add_product(I, vel, momentum)
    clear(6, f)
    _add_product(I, acc, f)
    _add_force_cross(vel, momentum, f)
    unit, image, turned = at(ref, 24), at(ref, 30), at(ref, 36)
    for e in range(6):  # columns of B
        clear(12, unit)
        unit[e] = 1.0
        _motion_cross(unit, vel, turned)
        _add_product(I, turned, image)
        _add_force_cross(unit, momentum, image)
        for c in range(6):
            turned[c] = I[6 * c + e]
        _add_force_cross(vel, turned, image)
        for c in range(6):
            B[6 * c + e] = image[c]


@once
def _differentiate(t, by_q, by_v):
    """∂τ/∂q and ∂τ/∂v (nv, nv) at q, v, a."""
    n, count, ref = ints(t, T_COUNT)[N_LINK], ints(t, T_COUNT)[N_V], floats(t, T_REFERENCE)
    begin_placing(t)
    for i in range(n):
        place(t, i)
        weigh(t, i)
        if i == 0:
            copy(3, floats(t, T_POS), ref)
        _outward(t, i)
    clear(count * count, by_q)
    clear(count * count, by_v)
    parent, before, motion = ints(t, T_PARENT), ints(t, T_BEFORE), ints(t, T_MOTION)
    on_q, on_v = at(ref, 24), at(ref, 30)
    for i in range(n - 1, -1, -1):
        I, F = at(floats(t, T_COMPOSITE), COMPOSITE * i), at(floats(t, T_WORLD), WORLD * i + 12)
        B = at(I, 36)
        turns = motion[i] in (SPHERICAL, FREE)
        v0, nv = ints(t, T_V0)[i], ints(t, T_NV)[i]
        for k in range(v0, v0 + nv):
            own = at(floats(t, T_COLUMNS), COLUMN * k)
            image, shadow = at(own, 24), at(own, 30)
            clear(12, image)
            _add_product(I, own, image)
            for c in range(6):
                for e in range(6):
                    shadow[e] += B[6 * c + e] * own[c]
            clear(12, on_q)
            _add_product(I, at(own, 12), on_q)
            _add_product(B, at(own, 6), on_q)
            _add_force_cross(own, F, on_q)
            _add_product(I, at(own, 18), on_v)
            _add_product(B, own, on_v)
            j = k
            while j >= 0:
                other = at(floats(t, T_COLUMNS), COLUMN * j)
                by_q[k * count + j] = dot(image, at(other, 12)) + dot(shadow, at(other, 6))
                by_v[k * count + j] = dot(image, at(other, 18)) + dot(shadow, other)
                if j != k:
                    by_q[j * count + k] = dot(other, on_q)
                    by_v[j * count + k] = dot(other, on_v)
                j = before[j]
        if turns:  # all columns of the joint are moved by each of them
            for k in range(v0, v0 + nv):
                own = at(floats(t, T_COLUMNS), COLUMN * k)
                for j in range(k + 1, v0 + nv):
                    other = at(floats(t, T_COLUMNS), COLUMN * j)
                    by_q[k * count + j] = dot(at(own, 24), at(other, 12)) + dot(at(own, 30), at(other, 6))
        if parent[i] >= 0:
            to, total = at(floats(t, T_COMPOSITE), COMPOSITE * parent[i]), at(floats(t, T_WORLD), WORLD * parent[i] + 12)
            for c in range(COMPOSITE):
                to[c] += I[c]
            for c in range(6):
                total[c] += F[c]


@entry
def rnea_derivatives(t, unused, arguments):
    """Arguments: q, v, a, ∂τ/∂q, ∂τ/∂v, M = ∂τ/∂a."""
    if _bind_all(t, arguments, T_A):
        _differentiate(t, floats(t, T_BY_Q), floats(t, T_BY_V))
        fill_mass(t)


@entry
def aba_derivatives(t, unused, arguments):
    """∂a/∂q = −M⁻¹ ∂τ/∂q and ∂a/∂v = −M⁻¹ ∂τ/∂v at a = aba(q, v, τ). Arguments: q, v, τ, ∂a/∂q, ∂a/∂v, M⁻¹ = ∂a/∂τ."""
    if not _bind_all(t, arguments, T_TAU):
        return
    forward(t, 0)
    if ints(t, T_COUNT)[REFUSED] != 0:
        return
    n, by_q, by_v, inverse = ints(t, T_COUNT)[N_V], floats(t, T_BY_Q), floats(t, T_BY_V), floats(t, T_MASS)
    _differentiate(t, by_q, by_v)
    fill_mass(t)
    factorise(t)
    L = floats(t, T_FACTOR)
    copy(n * n, inverse, L)
    clear(n * n, inverse)
    for k in range(n * n):
        by_q[k] = -by_q[k]
        by_v[k] = -by_v[k]
    for k in range(n):
        inverse[k * n + k] = 1.0
        solve_factored(t, L, at(inverse, k), n)
        solve_factored(t, L, at(by_q, k), n)
        solve_factored(t, L, at(by_v, k), n)


@once
def _bind_all(t, arguments, slot):
    """q, v, another vector, three matrices."""
    n = ints(t, T_COUNT)[N_V]
    if not (bind_state(t, arguments, 2) and bind_rest(t, arguments, 2, slot, n, 0, ALIGNED)):
        return False
    if slot == T_TAU and arguments != 0:
        t[T_A] = t[T_OWN_A]  # what was bound there may belong to somebody else
    return (
        bind_rest(t, arguments, 3, T_BY_Q, n, n, ALIGNED | WRITEABLE)
        and bind_rest(t, arguments, 4, T_BY_V, n, n, ALIGNED | WRITEABLE)
        and bind_rest(t, arguments, 5, T_MASS, n, n, ALIGNED | WRITEABLE)
    )
