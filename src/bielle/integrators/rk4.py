"""The classical Runge–Kutta method of order four: y ← y + h/6 (k₁ + 2k₂ + 2k₃ + k₄)."""

from ..kernels.lazy import entry
from ..kernels.pointers import at, call, copy
from .steps import accepted, add_power, projected, record, stopped_by_watch


@entry
def steps(ctx, n_steps, unused):
    """Advance ``n_steps`` fixed steps; samples every ``count.every`` steps, at the start of the step, where λ and v̇ are at hand."""
    count, status, scalar, routine = ctx.count, ctx.status, ctx.scalar, ctx.routine
    nq, nv, nw = count.q, count.v, count.work
    q, v, work = ctx.q, ctx.v, ctx.work
    q0, v0, qd, acc = ctx.q0, ctx.v0, ctx.qd, ctx.acc
    sum_q, sum_v, sum_w = ctx.stage_q, ctx.stage_v, ctx.stage_w
    power = at(sum_w, nw)
    h, start = scalar.step, scalar.time0
    for _ in range(n_steps):
        done = status.steps
        t = start + done * h
        scalar.time = t
        for stage in range(4):
            if stage == 0:
                call(routine.accelerate, ctx, 0, 0)
                if stopped_by_watch(ctx):
                    return
                if done % count.every == 0:
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
                call(routine.accelerate, ctx, 0, 0)
            weight = 1.0 if stage == 0 or stage == 3 else 2.0
            fraction = h if stage == 2 else 0.5 * h
            scalar.time = t + (h if stage >= 2 else 0.5 * h)
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
        scalar.time = start + (done + 1) * h
        if not projected(ctx):
            copy(nq, q0, q)
            copy(nv, v0, v)
            scalar.time = t
            return
        for i in range(nw):
            work[i] += h / 6.0 * sum_w[i]
        status.steps = done + 1
        if not accepted(ctx, 0):
            return
