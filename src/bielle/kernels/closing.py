"""Gentle closing: the equations of a new joint follow a ramp from the gap and the relative velocity they were made with to zero.

    φ(x, t) = r(t),   r = φ₀ (1 − 10s³ + 15s⁴ − 6s⁵) + φ̇₀ T' (s' − 6s'³ + 8s'⁴ − 3s'⁵),   s = (t − t₀)/T,   s' = (t − t₀)/T' ≤ 1

two quintics that arrive at zero with zero rate and zero second rate, from r(t₀) = φ₀, ṙ(t₀) = φ̇₀, r̈(t₀) = 0. The second goes beyond φ₀
by up to 0.17 φ̇₀ T', so that a high relative velocity is stopped in a shorter time T' than a gap is closed in: many an equation has no
solution far on the other side. Equations between velocities (non-holonomic) follow φ̇ = φ̇₀ (1 − 10s³ + 15s⁴ − 6s⁵). The work λ·ṙ of
the ramp is booked by joint.

Where two points meet, x_b − x_a = r along axes of the world would hold the direction of the gap in space: a moment r × λ from outside.
There the ramp is one in the axes d₁, d₂ … of body a, and it moves the point of a:

    x_b − x_a' = 0,   x_a' = x_a + Σ r_k(t) d_k

so that force and reaction act in one place, and φ_t = −Σ ṙ_k d_k, γ = … − Σ (2 ṙ_k ḋ_k + r̈_k d_k). The carrier of such a joint is a run of
elements of a: the point as it was described, and its directions.

Equations that depend on the others cannot follow a ramp of their own: they are silent until the joint is closed, where they are satisfied.
"""

from . import slots
from .lazy import entry, helper
from .pointers import at, floats, ints


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
    """Runs before the bodies and joints: forget the φ_t of the evaluation before, which a joint without time in it never writes, and
    move the points of a that are to be met."""
    rows, numbers, phi_t = ints(ctx, slots.RAMP_C), floats(ctx, slots.RAMP_P), floats(ctx, slots.PHI_T)
    joint_c, joint_e, elem_p = ints(ctx, slots.JOINT_C), ints(ctx, slots.JOINT_E), floats(ctx, slots.ELEM_P)
    dim, t = ints(ctx, slots.COUNT)[slots.N_DIM], floats(ctx, slots.SCALAR)[slots.S_TIME]
    for i in range(first, last):
        c, j, carrier = rows[4 * i], rows[4 * i + 1], rows[4 * i + 3]
        phi_t[c] = 0.0
        if carrier >= 0 and c == joint_c[j]:
            point = at(elem_p, 4 * joint_e[j])
            for n in range(4):
                point[n] = elem_p[4 * carrier + n]
            for k in range(dim):
                r, _, _ = _ramp(numbers, i + k, t)
                for n in range(4):
                    point[n] += r * elem_p[4 * (carrier + 1 + k) + n]


@helper
def _silence(ctx, c, j):
    """Make 0 = 0 of equation c of joint j."""
    joint_e = ints(ctx, slots.JOINT_E)
    width = ints(ctx, slots.COUNT)[slots.N_DIM] * (joint_e[j + 1] - joint_e[j])
    row = at(floats(ctx, slots.G), ints(ctx, slots.JOINT_G)[j] + (c - ints(ctx, slots.JOINT_C)[j]) * width)
    for k in range(width):
        row[k] = 0.0
    floats(ctx, slots.PHI)[c] = 0.0
    floats(ctx, slots.PHI_T)[c] = 0.0
    floats(ctx, slots.GAMMA)[c] = 0.0


@entry
def evaluate(ctx, first, last):
    """Take r, ṙ, r̈ off φ, φ_t, γ of the equations that are open; runs after the joints have written theirs."""
    rows, level, numbers, joint_c = ints(ctx, slots.RAMP_C), ints(ctx, slots.LEVEL), floats(ctx, slots.RAMP_P), ints(ctx, slots.JOINT_C)
    phi, phi_t, gamma, kept = floats(ctx, slots.PHI), floats(ctx, slots.PHI_T), floats(ctx, slots.GAMMA), floats(ctx, slots.RAMP_RATE)
    x, x_dot = floats(ctx, slots.X), floats(ctx, slots.X_DOT)
    dim, t = ints(ctx, slots.COUNT)[slots.N_DIM], floats(ctx, slots.SCALAR)[slots.S_TIME]
    for i in range(first, last):
        c, j, carrier = rows[4 * i], rows[4 * i + 1], rows[4 * i + 3]
        if rows[4 * i + 2] == 1:
            _silence(ctx, c, j)
            kept[i] = 0.0
            continue
        rate, second = 0.0, 0.0
        if level[c] == 1:
            rate, second = _velocity_ramp(numbers, i, t)
        elif carrier >= 0:
            along = c - joint_c[j]  # component of the world
            for k in range(dim):
                _, rate_k, second_k = _ramp(numbers, i - along + k, t)
                d = dim * (carrier + 1 + k) + along
                rate += rate_k * x[d]
                second += second_k * x[d] + 2.0 * rate_k * x_dot[d]
        else:
            r, rate, second = _ramp(numbers, i, t)
            phi[c] -= r
        gamma[c] -= second
        phi_t[c] -= rate
        kept[i] = rate
