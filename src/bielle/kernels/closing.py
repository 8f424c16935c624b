"""Gentle closing: the equations of a new joint follow a ramp from the gap and the relative velocity they were made with to zero.

    φ(x, t) = r(t),   r = φ₀ (1 − 10s³ + 15s⁴ − 6s⁵) + φ̇₀ T' (s' − 6s'³ + 8s'⁴ − 3s'⁵),   s = (t − t₀)/T,   s' = (t − t₀)/T' ≤ 1

two quintics that arrive at zero with zero rate and zero second rate, from r(t₀) = φ₀, ṙ(t₀) = φ̇₀, r̈(t₀) = 0. The second goes beyond φ₀
by up to 0.17 φ̇₀ T', so that a high relative velocity is stopped in a shorter time T' than a gap is closed in: many an equation has no
solution far on the other side. Equations between velocities (non-holonomic) follow φ̇ = φ̇₀ (1 − 10s³ + 15s⁴ − 6s⁵). The work λ·ṙ of
the ramp is booked by joint.

Equations that depend on the others cannot follow a ramp of their own: they are silent until the joint is closed, where they are satisfied.
"""

from . import slots
from .lazy import entry, helper
from .pointers import at, floats, ints


@entry
def prepare(ctx, first, last):
    """Forget the φ_t of the evaluation before: a joint without time in it never writes its own. Runs before the joints."""
    rows, phi_t = ints(ctx, slots.RAMP_C), floats(ctx, slots.PHI_T)
    for i in range(first, last):
        phi_t[rows[3 * i]] = 0.0


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
    rows, level, numbers = ints(ctx, slots.RAMP_C), ints(ctx, slots.LEVEL), floats(ctx, slots.RAMP_P)
    phi, phi_t, gamma, kept = floats(ctx, slots.PHI), floats(ctx, slots.PHI_T), floats(ctx, slots.GAMMA), floats(ctx, slots.RAMP_RATE)
    t = floats(ctx, slots.SCALAR)[slots.S_TIME]
    for i in range(first, last):
        c = rows[3 * i]
        if rows[3 * i + 2] == 1:
            _silence(ctx, c, rows[3 * i + 1])
            kept[i] = 0.0
            continue
        T, stopping, gap, speed = numbers[5 * i + 1], numbers[5 * i + 2], numbers[5 * i + 3], numbers[5 * i + 4]
        s = min(max((t - numbers[5 * i]) / T, 0.0), 1.0)
        fall = 1.0 - s * s * s * (10.0 - s * (15.0 - 6.0 * s))
        fall_1 = -30.0 * s * s * (1.0 - s) * (1.0 - s) / T
        if level[c] == 1:
            rate, second = speed * fall, speed * fall_1
        else:
            fall_2 = -60.0 * s * (1.0 - s) * (1.0 - 2.0 * s) / (T * T)
            s = min(max((t - numbers[5 * i]) / stopping, 0.0), 1.0)
            bump = s * (1.0 - s * s * (6.0 - s * (8.0 - 3.0 * s)))
            bump_1 = 1.0 - s * s * (18.0 - s * (32.0 - 15.0 * s))
            bump_2 = -s * (36.0 - s * (96.0 - 60.0 * s)) / stopping
            phi[c] -= gap * fall + speed * stopping * bump
            rate = gap * fall_1 + speed * bump_1
            second = gap * fall_2 + speed * bump_2
        gamma[c] -= second
        phi_t[c] -= rate
        kept[i] = rate
