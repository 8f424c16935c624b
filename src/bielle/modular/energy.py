"""The balance of energy of modular steps: powers at the start and at the end of a step, added up by the trapezoidal rule.

Every level of rates books what is its own.
"""

from ..kernels import slots
from ..kernels.lazy import entry, once
from ..kernels.pointers import clear, copy, floats, ints
from .plan import (
    P_EXPLICIT,
    P_FORCES,
    P_LEAVE,
    P_LEVEL,
    P_LOSS,
    P_N_FORCES,
    P_N_OWN_LOOSE,
    P_N_ROWS,
    P_OWN_LOOSE,
    P_PHI_T,
    P_POWER,
    P_RATE,
    P_ROWS,
)
from .shares import plan_of


@entry
def note_power(ctx, unused, unused_too):
    """Powers at the start of a step; what multipliers do is known when it is over."""
    plan = plan_of(ctx)
    count, power = ints(ctx, slots.COUNT), floats(plan, P_POWER)
    clear(count[slots.N_WORK], power)
    _add_forces(ctx, plan, power)
    _add_losses(plan, power)
    copy(count[slots.N_C], floats(ctx, slots.PHI_T), floats(plan, P_PHI_T))
    copy(count[slots.N_RAMP], floats(ctx, slots.RAMP_RATE), floats(plan, P_RATE))


@once
def _add_forces(ctx, plan, out):
    """What forces dissipate, drives and applied efforts put in."""
    forces, power = ints(plan, P_FORCES), floats(ctx, slots.POWER)
    for n in range(plan[P_N_FORCES]):
        f = forces[n]
        out[0] += power[3 * f]
        out[1] += power[3 * f + 1]
        out[2] += power[3 * f + 2]


@once
def _add_joints(ctx, plan, lam, phi_t, rate, out):
    """What imposed motions and ramps put in: −φ_tᵀλ; the ramp's part of φ_t is −ṙ."""
    rows, total = ints(plan, P_ROWS), 0.0
    for n in range(plan[P_N_ROWS]):
        total += lam[rows[n]] * phi_t[rows[n]]
    out[1] -= total
    if plan[P_LEVEL] > 0:
        return  # nothing is being closed where there are rates
    ramp, entry_of = ints(ctx, slots.RAMP_C), ints(ctx, slots.RAMP_W)
    for i in range(ints(ctx, slots.COUNT)[slots.N_RAMP]):
        done = lam[ramp[5 * i]] * rate[i]
        out[1] -= done
        out[entry_of[i]] += done


@once
def _add_losses(plan, out):
    """What explicit joints take, as they have told when they last pushed; it counts as dissipated."""
    if plan[P_EXPLICIT] == 0:
        return
    joints, loss, total = ints(plan, P_OWN_LOOSE), floats(plan, P_LOSS), 0.0
    for n in range(plan[P_N_OWN_LOOSE]):
        total += loss[joints[n]]
    out[0] += total


@entry
def book(ctx, unused, unused_too):
    """work += h/2 (power at the start + power at the end)."""
    plan, h = plan_of(ctx), floats(ctx, slots.SCALAR)[slots.S_STEP]
    nw, power, work = ints(ctx, slots.COUNT)[slots.N_WORK], floats(plan, P_POWER), floats(ctx, slots.WORK)
    _add_joints(ctx, plan, floats(plan, P_LEAVE), floats(plan, P_PHI_T), floats(plan, P_RATE), power)
    _add_forces(ctx, plan, power)
    _add_joints(ctx, plan, floats(ctx, slots.LAMBDA), floats(ctx, slots.PHI_T), floats(ctx, slots.RAMP_RATE), power)
    _add_losses(plan, power)
    for i in range(nw):
        work[i] += 0.5 * h * power[i]
