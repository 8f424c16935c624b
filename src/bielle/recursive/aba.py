"""Articulated body algorithm: forward dynamics without a matrix (Featherstone 2008, 7.3)."""

from ..kernels.lazy import entry, helper, once
from ..kernels.pointers import at
from ..kernels.tree import (
    PLACED,
    SINGULAR,
    T_A,
    T_TAU,
)  # fmt: skip
from .arguments import ALIGNED, WRITEABLE
from .efforts import accelerate, begin_effort, bind_rest, bind_state, dot, turning
from .links import begin_placing, cross, move, place, weigh

ARTICULATED = 36  # room for an inertia: others use it as scratch
NOTHING = 1e-15  # of the inertias of a link: a joint along which there is no more has none
LIGHT = 1e4  # times lighter than what it carries: there the rounding of what it carries is taken out


@entry
def aba(t, how, arguments):
    """q̈ from q, v, τ: articulated bodies. Arguments: q, v, τ, q̈."""
    if not (
        bind_state(t, arguments, 2)
        and bind_rest(t, arguments, 2, T_TAU, t.count.v, 0, ALIGNED)
        and bind_rest(t, arguments, 3, T_A, t.count.v, 0, ALIGNED | WRITEABLE)
    ):
        return
    forward(t, how)


@once
def forward(t, how):
    """q̈ in T_A."""
    n, nv, v0 = t.count.link, t.nv, t.v0
    if not how & PLACED:
        begin_placing(t)
    for i in range(n):
        if not how & PLACED:
            place(t, i)
            move(t, i)
            weigh(t, i)
        B, f = at(t.body, 10 * i), at(t.effort, 6 * i)
        begin_effort(t, i, how, f)
        turning(B, at(t.vel, 6 * i), f)
        _load(B, at(t.articulated, ARTICULATED * i))
    for i in range(n - 1, -1, -1):
        _free(t, i, nv[i], v0[i])
    for i in range(n):
        accelerate(t, i)
        acc, U, left = at(t.acc, 6 * i), at(t.u, 36 * i), at(t.left, 6 * i)
        D, S, a = at(t.d, 6 * i), at(t.s, 36 * i), at(t.a, v0[i])
        for k in range(nv[i]):
            x = D[k] * (left[k] - dot(at(U, 6 * k), acc))
            a[k] = x
            for c in range(6):
                acc[c] += S[6 * k + c] * x


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
def _freed(I, s, unit, own, u):
    """I, corrected by rounding such that I s = own u, with unit = 1/sᵀs: what a joint leaves free resists by its armature only.

    I − U Uᵀ/d is that to the rounding of I. Behind a light body which carries a heavy one that may be as much as its own inertia.
    """
    x = _times(I, s)
    d0, d1, d2 = own * u[0] - x[0], own * u[1] - x[1], own * u[2] - x[2]
    d3, d4, d5 = own * u[3] - x[3], own * u[4] - x[4], own * u[5] - x[5]
    k = 0.5 * unit * (s[0] * d0 + s[1] * d1 + s[2] * d2 + s[3] * d3 + s[4] * d4 + s[5] * d5)
    a, b, c = unit * (d0 - k * s[0]), unit * (d1 - k * s[1]), unit * (d2 - k * s[2])
    d, e, f = unit * (d3 - k * s[3]), unit * (d4 - k * s[4]), unit * (d5 - k * s[5])
    return (
        I[0] + 2.0 * s[0] * a, I[1] + s[0] * b + a * s[1], I[2] + s[0] * c + a * s[2],
        I[3] + 2.0 * s[1] * b, I[4] + s[1] * c + b * s[2], I[5] + 2.0 * s[2] * c,
        I[6] + s[0] * d + a * s[3], I[7] + s[0] * e + a * s[4], I[8] + s[0] * f + a * s[5],
        I[9] + s[1] * d + b * s[3], I[10] + s[1] * e + b * s[4], I[11] + s[1] * f + b * s[5],
        I[12] + s[2] * d + c * s[3], I[13] + s[2] * e + c * s[4], I[14] + s[2] * f + c * s[5],
        I[15] + 2.0 * s[3] * d, I[16] + s[3] * e + d * s[4], I[17] + s[3] * f + d * s[5],
        I[18] + 2.0 * s[4] * e, I[19] + s[4] * f + e * s[5], I[20] + 2.0 * s[5] * f,
    )  # fmt: skip


@helper
def _times_turn(I, s):
    """I s, where s is a rotation."""
    return (
        I[0] * s[0] + I[1] * s[1] + I[2] * s[2], I[1] * s[0] + I[3] * s[1] + I[4] * s[2], I[2] * s[0] + I[4] * s[1] + I[5] * s[2],
        I[6] * s[0] + I[9] * s[1] + I[12] * s[2], I[7] * s[0] + I[10] * s[1] + I[13] * s[2], I[8] * s[0] + I[11] * s[1] + I[14] * s[2],
    )  # fmt: skip


@helper
def _freed_turn(I, s, own, u):
    """The same, where s is a rotation of unit length."""
    x = _times_turn(I, s)
    a, b, c, d, e, f = own * u[0] - x[0], own * u[1] - x[1], own * u[2] - x[2], own * u[3] - x[3], own * u[4] - x[4], own * u[5] - x[5]
    k = 0.5 * (s[0] * a + s[1] * b + s[2] * c)
    a, b, c = a - k * s[0], b - k * s[1], c - k * s[2]
    return (
        I[0] + 2.0 * s[0] * a, I[1] + s[0] * b + a * s[1], I[2] + s[0] * c + a * s[2],
        I[3] + 2.0 * s[1] * b, I[4] + s[1] * c + b * s[2], I[5] + 2.0 * s[2] * c,
        I[6] + s[0] * d, I[7] + s[0] * e, I[8] + s[0] * f, I[9] + s[1] * d, I[10] + s[1] * e, I[11] + s[1] * f,
        I[12] + s[2] * d, I[13] + s[2] * e, I[14] + s[2] * f, I[15], I[16], I[17], I[18], I[19], I[20],
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
    parent, r = t.parent[i], at(t.arm, 3 * i)
    b = _times(I, _six(at(t.bias, 6 * i)))
    p0, p1, p2, p3, p4, p5 = p0 + b[0], p1 + b[1], p2 + b[2], p3 + b[3], p4 + b[4], p5 + b[5]
    x0, x1, x2 = cross(r[0], r[1], r[2], p3, p4, p5)
    _add_shifted(I, r, at(t.articulated, ARTICULATED * parent))
    out = at(t.effort, 6 * parent)
    out[0] += p0 + x0
    out[1] += p1 + x1
    out[2] += p2 + x2
    out[3] += p3
    out[4] += p4
    out[5] += p5


@once
def _free(t, i, nv, v0):
    """Free the joint of link i, one velocity after the other, the last first: with S one column of it,

        U = I S,   d = Sᵀ U,   u = τ − Sᵀ p,      I ← I − U Uᵀ/d,   p ← p + U u/d

    What is left goes to its parent. Solved together, by (Sᵀ I S)⁻¹, they would lose as many digits more as the inertias about them differ
    by: a thin rod that carries a load hardly resists turning about itself. For the same reason the rounding of I along S is taken out
    where what it is added to next is lighter by four digits or more.
    """
    I, p = _read(at(t.articulated, ARTICULATED * i)), _six(at(t.effort, 6 * i))
    least, parent = NOTHING * (I[0] + I[3] + I[5] + I[15] + I[18] + I[20]), t.parent[i]
    resists = at(t.resists, 2 * max(parent, 0))
    onto_light = I[0] + I[3] + I[5] > LIGHT * resists[1] or I[15] + I[18] + I[20] > LIGHT * resists[0]
    for k in range(nv - 1, -1, -1):
        s, U = _six(at(t.s, 36 * i + 6 * k)), at(t.u, 36 * i + 6 * k)
        tau, own = t.tau[v0 + k], t.armature[v0 + k]
        turn = s[3] == 0.0 and s[4] == 0.0 and s[5] == 0.0
        u = _times_turn(I, s) if turn else _times(I, s)
        d, left = dot(s, u) + own, tau - dot(s, p)
        if d <= least:
            t.count.refused = SINGULAR + i
        d = 1.0 / d
        U[0], U[1], U[2], U[3], U[4], U[5] = u
        t.d[6 * i + k], t.left[6 * i + k] = d, left
        if parent < 0 and k == 0:
            continue
        I, x = _less(I, (u[0] * d, u[1] * d, u[2] * d, u[3] * d, u[4] * d, u[5] * d), u), left * d
        p = p[0] + x * u[0], p[1] + x * u[1], p[2] + x * u[2], p[3] + x * u[3], p[4] + x * u[4], p[5] + x * u[5]
        if k == 0 and not onto_light:
            continue
        unit = 1.0 if turn else 1.0 / dot(s, s)  # of a screw, S is no unit vector
        I = _freed_turn(I, s, own * d, u) if turn else _freed(I, s, unit, own * d, u)
        x = (tau - own * x - dot(s, p)) * unit  # what it hands on along S is τ, and what its armature takes of it
        p = p[0] + x * s[0], p[1] + x * s[1], p[2] + x * s[2], p[3] + x * s[3], p[4] + x * s[4], p[5] + x * s[5]
    if parent >= 0:
        _hand_on(t, i, I, p[0], p[1], p[2], p[3], p[4], p[5])
