"""Gentle closing: the equations of a new joint follow a ramp from the gap and the relative velocity they were made with to zero.

    φ(x, t) = r(t),   r = φ₀ (1 − 10s³ + 15s⁴ − 6s⁵) + φ̇₀ T' (s' − 6s'³ + 8s'⁴ − 3s'⁵),   s = (t − t₀)/T,   s' = (t − t₀)/T' ≤ 1

two quintics that arrive at zero with zero rate and zero second rate, from r(t₀) = φ₀, ṙ(t₀) = φ̇₀, r̈(t₀) = 0. The second goes beyond φ₀
by up to 0.17 φ̇₀ T', so that a high relative velocity is stopped in a shorter time T' than a gap is closed in: many an equation has no
solution far on the other side. Equations between velocities (non-holonomic) follow φ̇ = φ̇₀ (1 − 10s³ + 15s⁴ − 6s⁵). The work λ·ṙ of
the ramp is booked by joint.

Where two points meet, x_b − x_a = r along axes of the world would hold the direction of the gap in space: a moment r × λ from outside.
There the equations are, in the axes d₁, d₂ … of body a,

    φ_k = d_k · (x_b − x_a) − r_k(t)

With a' the point of a that is where b's point is now, φ̇_k = d_k · (ẋ_b − ẋ_a') − ṙ_k, so that force and reaction act in one place, and
γ_k = 2 ḋ_k · (ẋ_b − ẋ_a') − r̈_k besides d_k · (ẍ_b − ẍ_a') at v̇ = 0. The joint's element of a becomes a'; its carrier is a run of elements
of a: the point as it was described, and the directions. Σ d_k φ_k is written, which are the equations in world axes: multipliers mean
what they do when the joint is closed.

Equations that depend on the others cannot follow a ramp of their own: they are silent until the joint is closed, where they are satisfied.
"""

from .lazy import entry, helper
from .pointers import at


@helper
def _ramp(numbers, i, t):
    """r, ṙ and r̈ of ramp i."""
    T, stopping, gap, speed = numbers[5 * i + 1], numbers[5 * i + 2], numbers[5 * i + 3], numbers[5 * i + 4]
    s = min(max((t - numbers[5 * i]) / T, 0.0), 1.0)
    fall = 1.0 - s * s * s * (10.0 - s * (15.0 - 6.0 * s))
    fall_1 = -30.0 * s * s * (1.0 - s) * (1.0 - s) / T
    fall_2 = -60.0 * s * (1.0 - s) * (1.0 - 2.0 * s) / (T * T)
    s = min(max((t - numbers[5 * i]) / stopping, 0.0), 1.0)
    bump = s * (1.0 - s * s * (6.0 - s * (8.0 - 3.0 * s)))
    bump_1 = 1.0 - s * s * (18.0 - s * (32.0 - 15.0 * s))
    bump_2 = -s * (36.0 - s * (96.0 - 60.0 * s)) / stopping
    return gap * fall + speed * stopping * bump, gap * fall_1 + speed * bump_1, gap * fall_2 + speed * bump_2


@helper
def _velocity_ramp(numbers, i, t):
    """φ̇ and φ̈ of ramp i of a non-holonomic equation."""
    T, speed = numbers[5 * i + 1], numbers[5 * i + 4]
    s = min(max((t - numbers[5 * i]) / T, 0.0), 1.0)
    return speed * (1.0 - s * s * s * (10.0 - s * (15.0 - 6.0 * s))), -30.0 * speed * s * s * (1.0 - s) * (1.0 - s) / T


@entry
def prepare(ctx, first, last):
    """Forget the φ_t of the evaluation before: a joint without time in it never writes its own. Runs before the joints."""
    rows, phi_t = ctx.ramp_c, ctx.phi_t
    for i in range(first, last):
        phi_t[rows[5 * i]] = 0.0


@entry
def evaluate(ctx, first, last):
    """Take r, ṙ, r̈ off φ, φ_t, γ of the equations that are open; runs after the joints have written theirs."""
    rows, level, numbers, joint_c = ctx.ramp_c, ctx.level, ctx.ramp_p, ctx.joint_c
    phi, phi_t, gamma, kept = ctx.phi, ctx.phi_t, ctx.gamma, ctx.ramp_rate
    t = ctx.scalar.time
    for i in range(first, last):
        c, j = rows[5 * i], rows[5 * i + 1]
        if rows[5 * i + 3] >= 0:  # of points that meet, all at once
            if c == joint_c[j]:
                _let_meet(ctx, i)
            continue
        if rows[5 * i + 2] == 1:
            _clear(ctx, c, j)
            kept[i] = 0.0
            continue
        rate, second = 0.0, 0.0
        if level[c] == 1:
            rate, second = _velocity_ramp(numbers, i, t)
        else:
            r, rate, second = _ramp(numbers, i, t)
            phi[c] -= r
        gamma[c] -= second
        phi_t[c] -= rate
        kept[i] = rate


@helper
def _clear(ctx, c, j):
    """Make 0 = 0 of equation c of joint j."""
    joint_e = ctx.joint_e
    width = ctx.count.dim * (joint_e[j + 1] - joint_e[j])
    row = at(ctx.g, ctx.joint_g[j] + (c - ctx.joint_c[j]) * width)
    for k in range(width):
        row[k] = 0.0
    ctx.phi[c] = 0.0
    ctx.phi_t[c] = 0.0
    ctx.gamma[c] = 0.0


@helper
def _combine(ctx, e, kept, other, factor, dim):
    """Element e becomes kept times itself plus factor times another of its body."""
    x, x_dot, bias, jac = ctx.x, ctx.x_dot, ctx.x_bias, ctx.x_jac
    elem_p, elem_j = ctx.elem_p, ctx.elem_j
    for m in range(dim):
        x[dim * e + m] = kept * x[dim * e + m] + factor * x[dim * other + m]
        x_dot[dim * e + m] = kept * x_dot[dim * e + m] + factor * x_dot[dim * other + m]
        bias[dim * e + m] = kept * bias[dim * e + m] + factor * bias[dim * other + m]
    for m in range(dim * ctx.body_nv[ctx.elem_body[e]]):
        jac[elem_j[e] + m] = kept * jac[elem_j[e] + m] + factor * jac[elem_j[other] + m]
    for m in range(4):
        elem_p[4 * e + m] = kept * elem_p[4 * e + m] + factor * elem_p[4 * other + m]


@helper
def _let_meet(ctx, i):
    """Equations of the points that meet in a joint, whose first is that of ramp i."""
    rows, numbers = ctx.ramp_c, ctx.ramp_p
    phi, phi_t, gamma, kept = ctx.phi, ctx.phi_t, ctx.gamma, ctx.ramp_rate
    x, x_dot = ctx.x, ctx.x_dot
    dim, t = ctx.count.dim, ctx.scalar.time
    c, j, carrier, b = rows[5 * i], rows[5 * i + 1], rows[5 * i + 3], rows[5 * i + 4]
    a = ctx.joint_e[j]
    _combine(ctx, a, 0.0, carrier, 1.0, dim)  # where the joint is made, and from there to b
    for k in range(dim):
        far = 0.0
        for m in range(dim):
            far += x[dim * (carrier + 1 + k) + m] * (x[dim * b + m] - x[dim * carrier + m])
        _combine(ctx, a, 1.0, carrier + 1 + k, far, dim)
        _clear(ctx, c + k, j)
        kept[i + k] = 0.0
    for k in range(dim):
        if rows[5 * (i + k) + 2] == 1:
            continue
        r, rate, second = _ramp(numbers, i + k, t)
        d, d_dot = at(x, dim * (carrier + 1 + k)), at(x_dot, dim * (carrier + 1 + k))
        residual, bias = -r, -second
        for m in range(dim):
            residual += d[m] * (x[dim * b + m] - x[dim * carrier + m])
            bias += 2.0 * d_dot[m] * (x_dot[dim * b + m] - x_dot[dim * a + m])
        for n in range(dim):
            row = at(ctx.g, ctx.joint_g[j] + n * dim * (ctx.joint_e[j + 1] - a))
            for m in range(dim):
                row[m] -= d[n] * d[m]
                row[dim * (b - a) + m] += d[n] * d[m]
            phi[c + n] += d[n] * residual
            phi_t[c + n] -= d[n] * rate
            gamma[c + n] += d[n] * bias
            kept[i + n] += d[n] * rate
