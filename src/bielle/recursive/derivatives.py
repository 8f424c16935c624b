"""Derivatives of inverse and forward dynamics, analytically (after Carpentier & Mansard 2018, here in world axes).

Velocities, accelerations and efforts of all links are referred to one point of the world. Column j of S moves everything behind it: links
in its subtree, and the columns behind it in its own joint, or all of that joint if they turn with the child (spherical and free joints).
With u_j and u̇_j the velocity and the acceleration of what is before it, moving it changes

    v_i  by  S_j × (v_i − u_j)          a_i  by  S_j × (a_i − u̇_j) + p_j × (v_i − u_j),   p_j = u_j × S_j

and its velocity changes v_i by S_j and a_i by w_j × S_j + S_j × (v_i − u_j), w_j being the velocity of the frame that the column is fixed
in. So the effort f_i = I_i a_i + v_i ×* I_i v_i changes, besides moving along (S_j ×* f_i), by I_i c_j + B_i p_j and by I_i d_j + B_i S_j,
where

    c_j = u̇_j × S_j + u_j × p_j        d_j = w_j × S_j + u_j × S_j        B_i x = I_i (x × v_i) + x ×* I_i v_i + v_i ×* I_i x

B_i sees of x = (α, a) the turning only: with the inertia J about the point all is referred to, the first moment h, the velocity (ω, v) and
the momentum (n, f) = I_i v_i of the body,

    B_i x = (K α, −2 f × α),        K = ω̃ J − J ω̃ + 2 (h·v) 1 − h vᵀ − v hᵀ − ñ

With sums I, B, F over subtrees, for a velocity k before or at j and for one behind it:

    ∂τ_k/∂q_j = S_kᵀ (I_j c_j + B_j p_j + S_j ×* F_j)   or   S_kᵀ (I_k c_j + B_k p_j)
    ∂τ_k/∂v_j = S_kᵀ (I_j d_j + B_j S_j)                or   S_kᵀ (I_k d_j + B_k S_j)

Efforts on bodies from outside are not part of it. Changes of q are those of q ⊕ δ, as everywhere.
"""

from ..kernels.lazy import entry, helper, once
from ..kernels.motions import FREE, SPHERICAL
from ..kernels.pointers import at, clear, copy
from ..kernels.tree import (
    T_A,
    T_BY_Q,
    T_BY_V,
    T_MASS,
    T_OWN_A,
    T_TAU,
)  # fmt: skip
from .aba import forward
from .arguments import ALIGNED, WRITEABLE
from .crba import compose, fill_mass
from .efforts import bind_rest, bind_state, dot, effort
from .factor import factorise, solve_factored
from .links import begin_placing, cross, place, weigh

# per velocity, in T_COLUMNS: S, p, c, d, and what follows from the sums over the subtree: I S, the turning part of Bᵀ S
COLUMN = 33
# per link, in T_WORLD: velocity, acceleration, effort; in T_COMPOSITE: I as mass, h, J (10), B as K, f (12)
WORLD, COMPOSITE = 18, 22


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
def _velocity_terms(I, w, p, B):
    """B = (K, f) of a body with inertia I = (m, h, J), velocity w = (ω, v) and momentum p = (n, f)."""
    xx, xy, xz, yy, yz, zz = I[4], I[5], I[6], I[7], I[8], I[9]
    a00, a10, a20 = cross(w[0], w[1], w[2], xx, xy, xz)  # columns of ω̃ J; −J ω̃ is its transpose
    a01, a11, a21 = cross(w[0], w[1], w[2], xy, yy, yz)
    a02, a12, a22 = cross(w[0], w[1], w[2], xz, yz, zz)
    x, y, z = I[1] * w[3], I[2] * w[4], I[3] * w[5]
    B[0], B[4], B[8] = 2.0 * (a00 + y + z), 2.0 * (a11 + x + z), 2.0 * (a22 + x + y)
    b01, b02 = a01 + a10 - I[1] * w[4] - I[2] * w[3], a02 + a20 - I[1] * w[5] - I[3] * w[3]
    b12 = a12 + a21 - I[2] * w[5] - I[3] * w[4]
    B[1], B[3], B[2], B[6], B[5], B[7] = b01 + p[2], b01 - p[2], b02 - p[1], b02 + p[1], b12 + p[0], b12 - p[0]
    B[9], B[10], B[11] = p[3], p[4], p[5]


@helper
def _add_velocity_terms(B, x, out):
    """out += B x = (K α, −2 f × α)"""
    y0, y1, y2 = cross(B[9], B[10], B[11], x[0], x[1], x[2])
    for c in range(3):
        out[c] += B[3 * c] * x[0] + B[3 * c + 1] * x[1] + B[3 * c + 2] * x[2]
    out[3] -= 2.0 * y0
    out[4] -= 2.0 * y1
    out[5] -= 2.0 * y2


@helper
def _shadow(B, x, out):
    """out (3) = the turning part of Bᵀ x, Kᵀ α + 2 f × a; the other is zero."""
    y0, y1, y2 = cross(B[9], B[10], B[11], x[3], x[4], x[5])
    out[0] = B[0] * x[0] + B[3] * x[1] + B[6] * x[2] + 2.0 * y0
    out[1] = B[1] * x[0] + B[4] * x[1] + B[7] * x[2] + 2.0 * y1
    out[2] = B[2] * x[0] + B[5] * x[1] + B[8] * x[2] + 2.0 * y2


@helper
def _behind(image, shadow, by_efforts, by_turning):
    """Sᵀ(I x + B y), by I S and Bᵀ S."""
    return dot(image, by_efforts) + shadow[0] * by_turning[0] + shadow[1] * by_turning[1] + shadow[2] * by_turning[2]


@once
def _outward(t, i):
    """Of link i: velocity, acceleration and effort, inertia and B about the reference, and its columns."""
    parent, nv, v0, motion = t.parent[i], t.nv[i], t.v0[i], t.motion[i]
    x, ref, here = at(t.pos, 3 * i), t.reference, at(t.world, WORLD * i)
    x0, x1, x2 = x[0] - ref[0], x[1] - ref[1], x[2] - ref[2]
    vel, acc, u, u_dot = here, at(here, 6), at(ref, 3), at(ref, 9)
    if parent >= 0:
        copy(12, at(t.world, WORLD * parent), u)
    else:
        clear(12, u)
        for k in range(3):
            u_dot[3 + k] = -t.gravity[k]
    copy(12, u, here)
    turns = motion in (SPHERICAL, FREE)
    for k in range(nv):
        S, column = at(t.s, 36 * i + 6 * k), at(t.columns, COLUMN * (v0 + k))
        y0, y1, y2 = cross(x0, x1, x2, S[0], S[1], S[2])
        column[0], column[1], column[2] = S[0], S[1], S[2]
        column[3], column[4], column[5] = S[3] + y0, S[4] + y1, S[5] + y2
        for c in range(6):
            vel[c] += column[c] * t.v[v0 + k]
    for k in range(nv):
        S, rate, second = at(t.columns, COLUMN * (v0 + k)), t.v[v0 + k], t.a[v0 + k]
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
    r, momentum, I, f = at(ref, 15), at(ref, 18), at(t.composite, COMPOSITE * i), at(here, 12)
    r[0], r[1], r[2] = x0, x1, x2
    clear(10, I)
    compose(at(t.body, 10 * i), r, I)
    clear(6, momentum)
    effort(I, vel, momentum)
    clear(6, f)
    effort(I, acc, f)
    _add_force_cross(vel, momentum, f)
    _velocity_terms(I, vel, momentum, at(I, 10))


@once
def _differentiate(t, by_q, by_v):
    """∂τ/∂q and ∂τ/∂v (nv, nv) at q, v, a."""
    n, count, ref = t.count.link, t.count.v, t.reference
    begin_placing(t)
    for i in range(n):
        place(t, i)
        weigh(t, i)
        if i == 0:
            copy(3, t.pos, ref)
        _outward(t, i)
    clear(count * count, by_q)
    clear(count * count, by_v)
    parent, before, motion = t.parent, t.before, t.motion
    columns, composite, world = t.columns, t.composite, t.world
    on_q, on_v = at(ref, 24), at(ref, 30)
    for i in range(n - 1, -1, -1):
        I, F = at(composite, COMPOSITE * i), at(world, WORLD * i + 12)
        B = at(I, 10)
        turns = motion[i] in (SPHERICAL, FREE)
        v0, nv = t.v0[i], t.nv[i]
        for k in range(v0, v0 + nv):
            own = at(columns, COLUMN * k)
            image, shadow = at(own, 24), at(own, 30)
            clear(6, image)
            effort(I, own, image)
            _shadow(B, own, shadow)
            clear(12, on_q)
            effort(I, at(own, 12), on_q)
            _add_velocity_terms(B, at(own, 6), on_q)
            _add_force_cross(own, F, on_q)
            effort(I, at(own, 18), on_v)
            _add_velocity_terms(B, own, on_v)
            j = k
            while j >= 0:
                other = at(columns, COLUMN * j)
                by_q[k * count + j] = _behind(image, shadow, at(other, 12), at(other, 6))
                by_v[k * count + j] = _behind(image, shadow, at(other, 18), other)
                if j != k:
                    by_q[j * count + k] = dot(other, on_q)
                    by_v[j * count + k] = dot(other, on_v)
                j = before[j]
        if turns:  # all columns of the joint are moved by each of them
            for k in range(v0, v0 + nv):
                own = at(columns, COLUMN * k)
                for j in range(k + 1, v0 + nv):
                    other = at(columns, COLUMN * j)
                    by_q[k * count + j] = _behind(at(own, 24), at(own, 30), at(other, 12), at(other, 6))
        if parent[i] >= 0:
            to, total = at(composite, COMPOSITE * parent[i]), at(world, WORLD * parent[i] + 12)
            for c in range(COMPOSITE):
                to[c] += I[c]
            for c in range(6):
                total[c] += F[c]


@entry
def rnea_derivatives(t, unused, arguments):
    """Arguments: q, v, a, ∂τ/∂q, ∂τ/∂v, M = ∂τ/∂a."""
    if _bind_all(t, arguments, T_A):
        _differentiate(t, t.by_q, t.by_v)
        fill_mass(t)


@entry
def aba_derivatives(t, unused, arguments):
    """∂a/∂q = −M⁻¹ ∂τ/∂q and ∂a/∂v = −M⁻¹ ∂τ/∂v at a = aba(q, v, τ). Arguments: q, v, τ, ∂a/∂q, ∂a/∂v, M⁻¹ = ∂a/∂τ."""
    if not _bind_all(t, arguments, T_TAU):
        return
    forward(t, 0)
    if t.count.refused != 0:
        return
    n, by_q, by_v, inverse = t.count.v, t.by_q, t.by_v, t.mass
    _differentiate(t, by_q, by_v)
    fill_mass(t)
    factorise(t)
    L = t.factor
    copy(n * n, inverse, L)
    clear(n * n, inverse)
    for k in range(n * n):
        by_q[k] = -by_q[k]
        by_v[k] = -by_v[k]
    for k in range(n):
        inverse[k * n + k] = 1.0
    solve_factored(t, L, inverse)
    solve_factored(t, L, by_q)
    solve_factored(t, L, by_v)


@once
def _bind_all(t, arguments, slot):
    """q, v, another vector, three matrices."""
    n = t.count.v
    if not (bind_state(t, arguments, 2) and bind_rest(t, arguments, 2, slot, n, 0, ALIGNED)):
        return False
    if slot == T_TAU and arguments != 0:
        t[T_A] = t[T_OWN_A]  # what was bound there may belong to somebody else
    return (
        bind_rest(t, arguments, 3, T_BY_Q, n, n, ALIGNED | WRITEABLE)
        and bind_rest(t, arguments, 4, T_BY_V, n, n, ALIGNED | WRITEABLE)
        and bind_rest(t, arguments, 5, T_MASS, n, n, ALIGNED | WRITEABLE)
    )
