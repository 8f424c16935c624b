"""The balance of energy of modular steps: powers at the start and at the end of a step, added up by the trapezoidal rule."""

from ..integrators.steps import add_power_of_forces, add_power_of_joints
from ..kernels import slots
from ..kernels.lazy import entry, once
from ..kernels.pointers import clear, copy, floats, ints
from .phases import plan_of
from .plan import P_EXPLICIT, P_LEAVE, P_LOOSE, P_N_LOOSE, P_PHI_T, P_POWER, P_RATE


@entry
def note_power(ctx, unused, unused_too):
    """Powers at the start of a step; what multipliers do is known when it is over."""
    plan = plan_of(ctx)
    count, power = ints(ctx, slots.COUNT), floats(plan, P_POWER)
    clear(count[slots.N_WORK], power)
    add_power_of_forces(ctx, power)
    _add_losses(ctx, plan, power)
    copy(count[slots.N_C], floats(ctx, slots.PHI_T), floats(plan, P_PHI_T))
    copy(count[slots.N_RAMP], floats(ctx, slots.RAMP_RATE), floats(plan, P_RATE))


@once
def _add_losses(ctx, plan, out):
    """What explicit joints take: they are springs that store, and dampers that dissipate, −λᵀφ̇; both count as dissipated."""
    if plan[P_EXPLICIT] == 0:
        return
    loose, joint_c = ints(plan, P_LOOSE), ints(ctx, slots.JOINT_C)
    lam, phi_dot = floats(ctx, slots.LAMBDA), floats(ctx, slots.PHI_DOT)
    for n in range(plan[P_N_LOOSE]):
        for c in range(joint_c[loose[n]], joint_c[loose[n] + 1]):
            out[0] -= lam[c] * phi_dot[c]


@entry
def book(ctx, unused, unused_too):
    """work += h/2 (power at the start + power at the end)."""
    plan, h = plan_of(ctx), floats(ctx, slots.SCALAR)[slots.S_STEP]
    nw, power, work = ints(ctx, slots.COUNT)[slots.N_WORK], floats(plan, P_POWER), floats(ctx, slots.WORK)
    add_power_of_joints(ctx, floats(plan, P_LEAVE), floats(plan, P_PHI_T), floats(plan, P_RATE), power)
    add_power_of_forces(ctx, power)
    add_power_of_joints(ctx, floats(ctx, slots.LAMBDA), floats(ctx, slots.PHI_T), floats(ctx, slots.RAMP_RATE), power)
    _add_losses(ctx, plan, power)
    for i in range(nw):
        work[i] += 0.5 * h * power[i]
