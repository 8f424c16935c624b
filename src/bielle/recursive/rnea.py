"""Recursive Newton–Euler algorithm: inverse dynamics (Featherstone 2008, 5.3)."""

from ..kernels.lazy import entry, helper
from ..kernels.pointers import at
from ..kernels.tree import (
    ACCELERATED,
    T_A,
    T_TAU,
)  # fmt: skip
from .arguments import ALIGNED, WRITEABLE
from .efforts import begin_effort, bind_rest, bind_state, dot, hand_up
from .links import begin_placing, cross, own_bias, place, weighed


@entry
def rnea(t, how, arguments):
    """τ = M q̈ + h(q, q̇) less what efforts on bodies do, from q, v and a, which is 0 if not ACCELERATED. Arguments: q, v, a if so, τ."""
    width, inputs = t.count.v, 3 if how & ACCELERATED else 2
    if not (bind_state(t, arguments, 2) and (inputs == 2 or bind_rest(t, arguments, 2, T_A, width, 0, ALIGNED))):
        return
    if not bind_rest(t, arguments, inputs, T_TAU, width, 0, ALIGNED | WRITEABLE):
        return
    n, efforts, nv, v0, tau = t.count.link, t.effort, t.nv, t.v0, t.tau
    begin_placing(t)
    for i in range(n):
        place(t, i)
        need(t, i, how)
    for i in range(n - 1, -1, -1):
        f, S = at(efforts, 6 * i), at(t.s, 36 * i)
        for k in range(nv[i]):
            tau[v0[i] + k] = dot(at(S, 6 * k), f)
            if how & ACCELERATED:
                tau[v0[i] + k] += t.armature[v0[i] + k] * t.a[v0[i] + k]
        hand_up(t, i, f)


@helper
def need(t, i, how):
    """Velocity and acceleration of link i, which is placed, and the effort that it needs.

    The formulas of :mod:`bielle.recursive.efforts`, in one piece: what nobody else asks for does not leave the registers.
    """
    parent, S, v = t.parent[i], at(t.s, 36 * i), at(t.v, t.v0[i])
    w0, w1, w2, l0, l1, l2 = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for k in range(t.nv[i]):
        c, x = at(S, 6 * k), v[k]
        w0, w1, w2, l0, l1, l2 = w0 + c[0] * x, w1 + c[1] * x, w2 + c[2] * x, l0 + c[3] * x, l1 + c[4] * x, l2 + c[5] * x
    b0, b1, b2, a0, a1, a2 = own_bias(t, i, w0, w1, w2, l0, l1, l2)
    if how & ACCELERATED:
        a = at(t.a, t.v0[i])
        for k in range(t.nv[i]):
            c, x = at(S, 6 * k), a[k]
            b0, b1, b2, a0, a1, a2 = b0 + c[0] * x, b1 + c[1] * x, b2 + c[2] * x, a0 + c[3] * x, a1 + c[4] * x, a2 + c[5] * x
    if parent < 0:
        g = t.gravity
        a0, a1, a2 = a0 - g[0], a1 - g[1], a2 - g[2]
    else:
        p, pa, r = at(t.vel, 6 * parent), at(t.acc, 6 * parent), at(t.arm, 3 * i)
        u0, u1, u2 = cross(p[0], p[1], p[2], r[0], r[1], r[2])
        c0, c1, c2 = cross(p[0], p[1], p[2], w0, w1, w2)
        d0, d1, d2 = cross(p[0], p[1], p[2], u0 + 2.0 * l0, u1 + 2.0 * l1, u2 + 2.0 * l2)
        e0, e1, e2 = cross(pa[0], pa[1], pa[2], r[0], r[1], r[2])
        b0, b1, b2 = b0 + c0 + pa[0], b1 + c1 + pa[1], b2 + c2 + pa[2]
        a0, a1, a2 = a0 + d0 + pa[3] + e0, a1 + d1 + pa[4] + e1, a2 + d2 + pa[5] + e2
        w0, w1, w2 = p[0] + w0, p[1] + w1, p[2] + w2
        l0, l1, l2 = p[3] + u0 + l0, p[4] + u1 + l1, p[5] + u2 + l2
    vel, acc = at(t.vel, 6 * i), at(t.acc, 6 * i)
    vel[0], vel[1], vel[2], vel[3], vel[4], vel[5] = w0, w1, w2, l0, l1, l2
    acc[0], acc[1], acc[2], acc[3], acc[4], acc[5] = b0, b1, b2, a0, a1, a2
    m, h0, h1, h2, xx, xy, xz, yy, yz, zz = weighed(t, i)
    j0, j1, j2 = xx * w0 + xy * w1 + xz * w2, xy * w0 + yy * w1 + yz * w2, xz * w0 + yz * w1 + zz * w2
    n0, n1, n2 = cross(w0, w1, w2, j0, j1, j2)
    k0, k1, k2 = cross(h0, h1, h2, a0, a1, a2)
    u0, u1, u2 = cross(w0, w1, w2, h0, h1, h2)
    c0, c1, c2 = cross(w0, w1, w2, u0, u1, u2)
    d0, d1, d2 = cross(b0, b1, b2, h0, h1, h2)
    f = at(t.effort, 6 * i)
    begin_effort(t, i, how, f)
    f[0] += xx * b0 + xy * b1 + xz * b2 + k0 + n0
    f[1] += xy * b0 + yy * b1 + yz * b2 + k1 + n1
    f[2] += xz * b0 + yz * b1 + zz * b2 + k2 + n2
    f[3] += m * a0 + d0 + c0
    f[4] += m * a1 + d1 + c1
    f[5] += m * a2 + d2 + c2
