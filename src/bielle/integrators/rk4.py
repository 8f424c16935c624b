"""The classical Runge–Kutta method of order four: y ← y + h/6 (k₁ + 2k₂ + 2k₃ + k₄)."""

from ..kernels import slots
from ..kernels.lazy import entry
from ..kernels.pointers import at, call, copy, floats, ints
from .steps import accepted, add_power, projected, record, stopped_by_watch


@entry
def steps(ctx, n_steps, unused):
    """Advance ``n_steps`` fixed steps; samples every ``count[N_EVERY]`` steps, at the start of the step, where λ and v̇ are at hand."""
    count, status, scalar, routine = ints(ctx, slots.COUNT), ints(ctx, slots.STATUS), floats(ctx, slots.SCALAR), ints(ctx, slots.ROUTINE)
    nq, nv, nw = count[slots.N_Q], count[slots.N_V], count[slots.N_WORK]
    q, v, work = floats(ctx, slots.Q), floats(ctx, slots.V), floats(ctx, slots.WORK)
    q0, v0, qd, acc = floats(ctx, slots.Q0), floats(ctx, slots.V0), floats(ctx, slots.QD), floats(ctx, slots.ACC)
    sum_q, sum_v, sum_w = floats(ctx, slots.STAGE_Q), floats(ctx, slots.STAGE_V), floats(ctx, slots.STAGE_W)
    power = at(sum_w, nw)
    h, start = scalar[slots.S_STEP], scalar[slots.S_TIME0]
    for _ in range(n_steps):
        done = status[slots.ST_STEPS]
        t = start + done * h
        scalar[slots.S_TIME] = t
        for stage in range(4):
            if stage == 0:
                call(routine[slots.R_ACCELERATE], ctx, 0, 0)
                if stopped_by_watch(ctx):
                    return
                if done % count[slots.N_EVERY] == 0:
                    record(ctx)
                for i in range(nq):
                    q0[i] = q[i]
                    sum_q[i] = 0.0
                for i in range(nv):
                    v0[i] = v[i]
                    sum_v[i] = 0.0
                for i in range(nw):
                    sum_w[i] = 0.0
            else:
                call(routine[slots.R_ACCELERATE], ctx, 0, 0)
            weight = 1.0 if stage == 0 or stage == 3 else 2.0
            fraction = h if stage == 2 else 0.5 * h
            scalar[slots.S_TIME] = t + (h if stage >= 2 else 0.5 * h)
            for i in range(nq):
                sum_q[i] += weight * qd[i]
                q[i] = q0[i] + fraction * qd[i]
            for i in range(nv):
                sum_v[i] += weight * acc[i]
                v[i] = v0[i] + fraction * acc[i]
            add_power(ctx, power)
            for i in range(nw):
                sum_w[i] += weight * power[i]
        for i in range(nq):
            q[i] = q0[i] + h / 6.0 * sum_q[i]
        for i in range(nv):
            v[i] = v0[i] + h / 6.0 * sum_v[i]
        scalar[slots.S_TIME] = start + (done + 1) * h
        if not projected(ctx):
            copy(nq, q0, q)
            copy(nv, v0, v)
            scalar[slots.S_TIME] = t
            return
        for i in range(nw):
            work[i] += h / 6.0 * sum_w[i]
        status[slots.ST_STEPS] = done + 1
        if not accepted(ctx, 0):
            return
