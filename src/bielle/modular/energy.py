"""The balance of energy of modular steps: powers at the start and at the end of a step, added up by the trapezoidal rule.

Every level of rates books what is its own.
"""

from ..kernels.lazy import entry, once
from ..kernels.pointers import clear, copy
from .shares import plan_of


@entry
def note_power(ctx, unused, unused_too):
    """Powers at the start of a step; what multipliers do is known when it is over."""
    plan = plan_of(ctx)
    count, power = ctx.count, plan.power
    clear(count.work, power)
    _add_forces(ctx, plan, power)
    _add_losses(plan, power)
    copy(count.c, ctx.phi_t, plan.phi_t)
    copy(count.ramp, ctx.ramp_rate, plan.rate)


@once
def _add_forces(ctx, plan, out):
    """What forces dissipate, drives and applied efforts put in."""
    forces, power = plan.forces, ctx.power
    for n in range(plan.n_forces):
        f = forces[n]
        out[0] += power[3 * f]
        out[1] += power[3 * f + 1]
        out[2] += power[3 * f + 2]


@once
def _add_joints(ctx, plan, lam, phi_t, rate, out):
    """What imposed motions and ramps put in: −φ_tᵀλ; the ramp's part of φ_t is −ṙ."""
    rows, total = plan.rows, 0.0
    for n in range(plan.n_rows):
        total += lam[rows[n]] * phi_t[rows[n]]
    out[1] -= total
    if plan.level > 0:
        return  # nothing is being closed where there are rates
    ramp, entry_of = ctx.ramp_c, ctx.ramp_w
    for i in range(ctx.count.ramp):
        done = lam[ramp[5 * i]] * rate[i]
        out[1] -= done
        out[entry_of[i]] += done


@once
def _add_losses(plan, out):
    """What explicit joints take, as they have told when they last pushed; it counts as dissipated."""
    if plan.explicit == 0:
        return
    joints, loss, total = plan.own_loose, plan.loss, 0.0
    for n in range(plan.n_own_loose):
        total += loss[joints[n]]
    out[0] += total


@entry
def book(ctx, unused, unused_too):
    """work += h/2 (power at the start + power at the end)."""
    plan, h = plan_of(ctx), ctx.scalar.step
    nw, power, work = ctx.count.work, plan.power, ctx.work
    _add_joints(ctx, plan, plan.leave, plan.phi_t, plan.rate, power)
    _add_forces(ctx, plan, power)
    _add_joints(ctx, plan, ctx.lam, ctx.phi_t, ctx.ramp_rate, power)
    _add_losses(plan, power)
    for i in range(nw):
        work[i] += 0.5 * h * power[i]
