"""Watches: quantities compared with a threshold at the start of every step, so that a run stops in the step in which one crosses it.

A kernel writes ``watch_value`` = quantity − threshold of its rows, from a state whose accelerations and multipliers are at hand.
:func:`check` compares it with the side it was on, and keeps the start of the step that is about to be taken, so that whoever
wants to know the instant can go back there.
"""

import math

from . import slots
from .lazy import entry, helper
from .pointers import at, copy
from .program import kinetic, run
from .rotations import TURN, nearest_angle

UNEXPECTED = TURN / 8.0  # [rad] from where an angle is expected: turns are not counted any more

# -- quantities


@helper
def _second_rate(ctx, e, k):
    """ẍ_k = b_k + (J v̇)_k of an element."""
    dim, b = ctx.count.dim, ctx.elem_body[e]
    nv = ctx.body_nv[b]
    jac = at(ctx.x_jac, ctx.elem_j[e] + k * nv)
    acc = at(ctx.acc, ctx.body_v[b])
    total = ctx.x_bias[dim * e + k]
    for i in range(nv):
        total += jac[i] * acc[i]
    return total


@entry
def point(ctx, first, last):
    """Component k of x_P − x_Q, of its rate or of its second rate; elements P, Q; options k, order."""
    dim = ctx.count.dim
    start, option, number = ctx.watch_e, ctx.watch_k, ctx.watch_p
    x, xd, value = ctx.x, ctx.x_dot, ctx.watch_value
    for w in range(first, last):
        e, k, order = start[w], option[3 * w + 1], option[3 * w + 2]
        p, q = dim * e + k, dim * (e + 1) + k
        if order == 0:
            found = x[p] - x[q]
        elif order == 1:
            found = xd[p] - xd[q]
        else:
            found = _second_rate(ctx, e, k) - _second_rate(ctx, e + 1, k)
        value[w] = found - number[2 * w]


@entry
def distance(ctx, first, last):
    """r = |x_P − x_Q|, or its rate (x_P − x_Q)·(ẋ_P − ẋ_Q)/r; elements P, Q; options 0, order."""
    dim = ctx.count.dim
    start, option, number = ctx.watch_e, ctx.watch_k, ctx.watch_p
    x, xd, value = ctx.x, ctx.x_dot, ctx.watch_value
    for w in range(first, last):
        p, q = dim * start[w], dim * (start[w] + 1)
        square, product = 0.0, 0.0
        for k in range(dim):
            gap = x[p + k] - x[q + k]
            square += gap * gap
            product += gap * (xd[p + k] - xd[q + k])
        length = math.sqrt(square)
        found = length if option[3 * w + 2] == 0 else product / length
        value[w] = found - number[2 * w]


@entry
def angle(ctx, first, last):
    """θ = atan2(d, c), c = a₁·b₁ + a₂·b₂, d = a₂·b₁ − a₁·b₂, or θ̇ = (c ḋ − d ċ)/(c² + d²); elements a₁, a₂, b₁, b₂; options 0, order.

    The turn of b relative to a about a₁ × a₂. With b₂ = 0 it is the angle of b₁ in the plane of a₁ and a₂.

    atan2 knows θ up to whole turns. The trapezoidal rule on θ̇, from the start of the last step, tells about where θ is; the angle nearest
    to that is taken, and how far it is from there is written to ``watch_off``.
    """
    dim = ctx.count.dim
    start, option, number = ctx.watch_e, ctx.watch_k, ctx.watch_p
    x_all, xd_all, value = ctx.x, ctx.x_dot, ctx.watch_value
    before, before_rate = ctx.watch_last, ctx.watch_last_rate
    since = ctx.scalar.time - ctx.backup[0]
    for w in range(first, last):
        x, xd = at(x_all, dim * start[w]), at(xd_all, dim * start[w])
        c, d, c_dot, d_dot = 0.0, 0.0, 0.0, 0.0
        for k in range(dim):
            a1, a2, b1, b2 = x[k], x[dim + k], x[2 * dim + k], x[3 * dim + k]
            c += a1 * b1 + a2 * b2
            d += a2 * b1 - a1 * b2
            c_dot += xd[k] * b1 + a1 * xd[2 * dim + k] + xd[dim + k] * b2 + a2 * xd[3 * dim + k]
            d_dot += xd[dim + k] * b1 + a2 * xd[2 * dim + k] - xd[k] * b2 - a1 * xd[3 * dim + k]
        rate = (c * d_dot - d * c_dot) / (c * c + d * d)
        if option[3 * w + 2] == 0:
            expected = before[w] + 0.5 * (before_rate[w] + rate) * since
            value[w] = nearest_angle(math.atan2(d, c) - number[2 * w], expected)
            ctx.watch_rate[w] = rate
            ctx.watch_off[w] = value[w] - expected
        else:
            value[w] = rate - number[2 * w]


@entry
def reaction(ctx, first, last):
    """|Σ F|, or |Σ (x − p) × F + Σ d × F|, of the efforts F = Gᵀλ of a joint on the points x and directions d of one body.

    Element p, the joint's point on that body: efforts on other bodies do not count. Options 0, 1 for the moment.
    """
    dim = ctx.count.dim
    start, option, number = ctx.watch_e, ctx.watch_k, ctx.watch_p
    joint_e, joint_c, joint_g = ctx.joint_e, ctx.joint_c, ctx.joint_g
    body, is_point = ctx.elem_body, ctx.elem_point
    x, lam, value = ctx.x, ctx.lam, ctx.watch_value
    for w in range(first, last):
        j, p = ctx.watch_row[w], start[w]
        e0, c0 = joint_e[j], joint_c[j]
        G, width = at(ctx.g, joint_g[j]), dim * (joint_e[j + 1] - e0)
        fx, fy, fz, mx, my, mz = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
        for e in range(e0, joint_e[j + 1]):
            if body[e] != body[p]:
                continue
            one = float(is_point[e])
            ex, ey, ez, rz = 0.0, 0.0, 0.0, 0.0
            for c in range(joint_c[j + 1] - c0):
                k = c * width + dim * (e - e0)
                ex += G[k] * lam[c0 + c]
                ey += G[k + 1] * lam[c0 + c]
                if dim == 3:
                    ez += G[k + 2] * lam[c0 + c]
            rx, ry = x[dim * e] - one * x[dim * p], x[dim * e + 1] - one * x[dim * p + 1]
            if dim == 3:
                rz = x[3 * e + 2] - one * x[3 * p + 2]
            fx += one * ex
            fy += one * ey
            fz += one * ez
            mx += ry * ez - rz * ey
            my += rz * ex - rx * ez
            mz += rx * ey - ry * ex
        if option[3 * w + 2] == 0:
            value[w] = math.sqrt(fx * fx + fy * fy + fz * fz) - number[2 * w]
        else:
            value[w] = math.sqrt(mx * mx + my * my + mz * mz) - number[2 * w]


@entry
def output(ctx, first, last):
    """The scalar of a force element."""
    row, number, of_force = ctx.watch_row, ctx.watch_p, ctx.output
    for w in range(first, last):
        ctx.watch_value[w] = of_force[row[w]] - number[2 * w]


@entry
def kinetic_energy(ctx, first, last):
    """½ vᵀMv of all bodies."""
    total = kinetic(ctx, ctx.v)
    for w in range(first, last):
        ctx.watch_value[w] = total - ctx.watch_p[2 * w]


# -- crossings


@helper
def _way(side, before, value, period):
    """Which way a watch can cross, up (+1) or down (−1), and the value at which it does.

    From below upwards at zero, or from above downwards. With a period, the way it has gone: upwards at zero or, from above, at the period.
    """
    if period == 0.0:
        return -side, 0.0
    way = 1.0 if value > before else -1.0
    return way, 0.0 if side * way < 0.0 else way * period


@helper
def _observe(ctx):
    """Write watch_value and watch_crossed; return how many have crossed.

    A watch that was on a side crosses when its value is zero or on the other one. NaN is neither. A threshold that comes again with a
    period is crossed where it is next on the way.
    """
    count = ctx.count
    run(ctx, ctx.watches, count.watches)
    value, side, before = ctx.watch_value, ctx.watch_side, ctx.watch_last
    option, number, crossed = ctx.watch_k, ctx.watch_p, ctx.watch_crossed
    total = 0
    for w in range(count.watch):
        way, target = _way(side[w], before[w], value[w], number[2 * w + 1])
        there = side[w] != 0.0 and way * (value[w] - target) >= 0.0
        crossed[w] = 1 if there and option[3 * w] * way >= 0.0 else 0
        total += crossed[w]
    return total


@helper
def _uncounted(ctx):
    """Whether the turns of an angle cannot be counted in the last step (CODE_TURNS)."""
    count, status, off = ctx.count, ctx.status, ctx.watch_off
    for w in range(count.watch):
        if abs(off[w]) > UNEXPECTED:
            status.code, status.turned = slots.CODE_TURNS, count.force + w
            return True
    return False


@helper
def _bring_to_zero(ctx):
    """Of watches that have crossed, count a threshold that comes again from where they have crossed it."""
    value, side, before = ctx.watch_value, ctx.watch_side, ctx.watch_last
    for w in range(ctx.count.watch):
        if ctx.watch_crossed[w] == 1:
            way, target = _way(side[w], before[w], value[w], ctx.watch_p[2 * w + 1])
            value[w] -= target
            before[w] -= target
            side[w] = -way


@helper
def _keep(ctx):
    """Values, rates and sides are those of the start of a step; the state is backed up."""
    value, side, before = ctx.watch_value, ctx.watch_side, ctx.watch_last
    rate, before_rate, number = ctx.watch_rate, ctx.watch_last_rate, ctx.watch_p
    for w in range(ctx.count.watch):
        period = number[2 * w + 1]
        if period > 0.0:
            value[w] -= period * math.floor(value[w] / period + 0.5)
        side[w] = 1.0 if value[w] > 0.0 else (-1.0 if value[w] < 0.0 else 0.0)
        if value[w] == value[w]:  # an angle that is not a number is counted on from where it was one
            before[w], before_rate[w] = value[w], rate[w]


@helper
def _back_up(ctx):
    """Copy all that a step starts from: time, next step, settled, steps, then the fields of :data:`bielle.model.state.CARRIED` in order."""
    count, status, scalar = ctx.count, ctx.status, ctx.scalar
    nq, nv, nc, nm, nw = count.q, count.v, count.c, count.memory, count.work
    to = ctx.backup
    to[0] = scalar.time
    to[1] = scalar.next_step
    to[2] = float(status.fresh)
    to[3] = float(status.steps)
    to = at(to, 4)
    copy(nq, ctx.q, to)
    to = at(to, nq)
    copy(nv, ctx.v, to)
    to = at(to, nv)
    copy(nw, ctx.work, to)
    to = at(to, nw)
    copy(nc, ctx.lam, to)
    to = at(to, nc)
    copy(nm, ctx.memory, to)
    to = at(to, nm)
    copy(nc, ctx.merged, to)
    to = at(to, nc)
    copy(nv, ctx.acc, to)
    to = at(to, nv)
    copy(nc, ctx.mu, to)
    to = at(to, nc)
    copy(nv, ctx.a0, to)


@entry
def observe(ctx, first, last):
    """Values of the watches at the present state, and which have crossed since the start of the last step."""
    _observe(ctx)


@entry
def check(ctx, turns_only, unused):
    """At the start of a step: stop with CODE_EVENT if a watch has crossed since the start of the last one, or go on from here.

    Going on, values and sides are kept and the state is backed up. At the instant of the last backup there is nothing to compare.
    CODE_TURNS if the turns of an angle cannot be counted; turns_only 1: nothing else is asked, at the end of a step that may be refused.
    """
    if ctx.scalar.time != ctx.backup[0]:
        crossed = _observe(ctx)
        if _uncounted(ctx) or turns_only == 1:
            return
        if crossed > 0:
            ctx.status.code = slots.CODE_EVENT
            _bring_to_zero(ctx)
            return
        _keep(ctx)
    if turns_only == 0:
        _back_up(ctx)


@entry
def back_up(ctx, first, last):
    """Keep the present state as the start of a step."""
    _back_up(ctx)
