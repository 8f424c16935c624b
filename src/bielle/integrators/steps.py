"""What every compiled integrator does around a step: samples, watches, sums of power, memory, the check that numbers are finite."""

from ..kernels import slots
from ..kernels.lazy import entry, helper, once
from ..kernels.pointers import at, call, clear, copy, floats, ints
from ..kernels.program import run


@helper
def of_bodies(ctx):
    """The context of the bodies, brought up to date if the coordinates that are integrated are others."""
    routine = ints(ctx, slots.ROUTINE)
    if routine[slots.R_PUBLISH] == 0:
        return ctx
    call(routine[slots.R_PUBLISH], ctx, 0, 0)
    return ints(routine, slots.R_BODIES)


@helper
def record(ctx):
    """Append the present state, accelerations and multipliers to the samples, if there is room."""
    status = ints(ctx, slots.STATUS)
    n = status[slots.ST_SAMPLE]
    if n >= ints(ctx, slots.COUNT)[slots.N_SAMPLES]:
        return
    ctx = of_bodies(ctx)
    count = ints(ctx, slots.COUNT)
    status[slots.ST_SAMPLE] = n + 1
    nq, nv, nc, nm, nw = count[slots.N_Q], count[slots.N_V], count[slots.N_C], count[slots.N_MEMORY], count[slots.N_WORK]
    floats(ctx, slots.SAMPLE_T)[n] = floats(ctx, slots.SCALAR)[slots.S_TIME]
    q, v, a, lam = floats(ctx, slots.Q), floats(ctx, slots.V), floats(ctx, slots.ACC), floats(ctx, slots.LAMBDA)
    work, memory = floats(ctx, slots.WORK), floats(ctx, slots.MEMORY)
    to_q, to_v, to_a = (
        at(floats(ctx, slots.SAMPLE_Q), n * nq),
        at(floats(ctx, slots.SAMPLE_V), n * nv),
        at(floats(ctx, slots.SAMPLE_A), n * nv),
    )
    to_l, to_w, to_m = (
        at(floats(ctx, slots.SAMPLE_L), n * nc),
        at(floats(ctx, slots.SAMPLE_W), n * nw),
        at(floats(ctx, slots.SAMPLE_F), n * nm),
    )
    copy(nq, q, to_q)
    copy(nv, v, to_v)
    copy(nv, a, to_a)
    copy(nc, lam, to_l)
    copy(nw, work, to_w)
    copy(nm, memory, to_m)


@helper
def stopped_by_watch(ctx):
    """At the start of a step, with accelerations and multipliers at hand: whether a watch has crossed in the last one (CODE_EVENT)."""
    status = ints(ctx, slots.STATUS)
    if status[slots.ST_WATCHING] == 0:
        return False
    call(ints(ctx, slots.ROUTINE)[slots.R_CHECK], of_bodies(ctx), 0, 0)
    return status[slots.ST_CODE] == slots.CODE_EVENT


@helper
def add_power(ctx, out):
    """out = power dissipated, of drives, of applied efforts, of each closing joint.

    It is forces' own, and that of imposed motions and closing joints through their multipliers.
    """
    count = ints(ctx, slots.COUNT)
    power, lam, phi_t = floats(ctx, slots.POWER), floats(ctx, slots.LAMBDA), floats(ctx, slots.PHI_T)
    clear(count[slots.N_WORK], out)
    for f in range(count[slots.N_FORCE]):
        out[0] += power[3 * f]
        out[1] += power[3 * f + 1]
        out[2] += power[3 * f + 2]
    for c in range(count[slots.N_C]):  # vᵀJᵀλ = (φ̇ − φ_t)ᵀλ = −φ_tᵀλ on the constraint
        out[1] -= lam[c] * phi_t[c]
    ramp, entry_of, rate = ints(ctx, slots.RAMP_C), ints(ctx, slots.RAMP_W), floats(ctx, slots.RAMP_RATE)
    for i in range(count[slots.N_RAMP]):  # the ramp's part of φ_t is −ṙ
        done = lam[ramp[5 * i]] * rate[i]
        out[1] -= done
        out[entry_of[i]] += done


@once
def _is_finite(n, x):
    """Whether all of x[:n] are numbers; in four sums, so that none has to wait for the other."""
    a, b, c, d, m = 0.0, 0.0, 0.0, 0.0, n // 4 * 4
    for i in range(0, m, 4):
        a += x[i] * 0.0
        b += x[i + 1] * 0.0
        c += x[i + 2] * 0.0
        d += x[i + 3] * 0.0
    for i in range(m, n):
        a += x[i] * 0.0
    return a + b + c + d == 0.0


@helper
def accepted(ctx):
    """Close a step: let components remember what they need of it. False if the numbers are not finite or somebody asked to stop."""
    count, status = ints(ctx, slots.COUNT), ints(ctx, slots.STATUS)
    if not (_is_finite(count[slots.N_V], floats(ctx, slots.V)) and _is_finite(count[slots.N_Q], floats(ctx, slots.Q))):
        status[slots.ST_CODE] = slots.CODE_NONFINITE
        return False
    run(ctx, ints(ctx, slots.COMMIT), count[slots.N_COMMIT])
    if status[slots.ST_STOP] != 0:
        status[slots.ST_CODE] = slots.CODE_STOPPED
        return False
    return True


@entry
def last_sample(ctx, has_accelerations, unused):
    """The sample at the very end; implicit methods already hold accelerations and multipliers there."""
    if has_accelerations == 0:
        call(ints(ctx, slots.ROUTINE)[slots.R_ACCELERATE], ctx, 0, 0)
    record(ctx)
