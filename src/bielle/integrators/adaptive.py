"""Adaptive Runge–Kutta method of order eight (Dormand & Prince's DOP853) with projection onto the constraints after every step.

Hairer, Nørsett & Wanner, *Solving Ordinary Differential Equations I*, II.5 and II.10: error estimated from embedded formulas of orders
five and three, dense output of order seven. Samples at the requested times come from
the dense output and are projected onto the constraints as well.
"""

import functools
import math

import numpy as np

from ..kernels import slots
from ..kernels.lazy import entry, helper
from ..kernels.pointers import at, call, context_at, copy
from ..kernels.program import kinetic
from . import dop853
from .steps import accepted, add_power, counted, other_energy, projected, record, stopped_by_watch, total_mass

MANY_SHORT_STEPS = 1000  # in a row: the step size has collapsed, though not to nothing

PROBE = 1000  # steps, after which it is seen whether a shorter one would be better
MANY_NOISY_PROBES = 5  # in a row that say no
ENDLESS = 200_000  # steps that are still to come: too many to wait for

# layout of the tableau: rows of A (16 × 16), then B, C, E3, E5 (16 each), then D (4 × 16)
_A, _B, _C, _E3, _E5, _D = 0, 256, 272, 288, 304, 320


@functools.cache
def tableau() -> np.ndarray:
    """Coefficients as one array; not to be written to."""
    out = np.zeros(320 + 64)

    def put(start: int, rows: tuple[dict[int, float], ...]) -> None:
        for r, row in enumerate(rows):
            for column, value in row.items():
                out[start + 16 * r + column] = value

    put(_A, dop853.A)
    put(_A + 12 * 16, dop853.B)  # stage 12 is the end of the step
    put(_A + 13 * 16, dop853.A_EXTRA)
    put(_B, dop853.B)
    out[_C : _C + 16] = [*dop853.C, 1.0, *dop853.C_EXTRA]
    put(_E3, dop853.E3)
    put(_E5, dop853.E5)
    put(_D, dop853.D)
    return out


@helper
def _stage(ctx, s, h, t):
    """Evaluate stage s at y0 + h Σ A_sj k_j and store its rates."""
    count, scalar, routine = ctx.count, ctx.scalar, ctx.routine
    nq, nv = count.q, count.v
    coefficients = ctx.tableau
    q, v, q0, v0 = ctx.q, ctx.v, ctx.q0, ctx.v0
    kq, kv, kw = ctx.stage_q, ctx.stage_v, ctx.stage_w
    copy(nq, q0, q)
    copy(nv, v0, v)
    for j in range(s):
        a = h * coefficients[_A + 16 * s + j]
        if a != 0.0:
            for i in range(nq):
                q[i] += a * kq[j * nq + i]
            for i in range(nv):
                v[i] += a * kv[j * nv + i]
    scalar.time = t + h * coefficients[_C + s]
    call(routine.accelerate, ctx, 0, 0)
    qd, acc = ctx.qd, ctx.acc
    copy(nq, qd, at(kq, s * nq))
    copy(nv, acc, at(kv, s * nv))
    add_power(ctx, at(kw, count.work * s))


@helper
def _error(ctx, h):
    """Weighted error of the step whose end is in q, v and whose start is in q0, v0."""
    count, scalar, coefficients = ctx.count, ctx.scalar, ctx.tableau
    rtol, atol = scalar.rtol, scalar.atol
    five, three = 0.0, 0.0
    for part in range(2):
        if part == 0:
            n, y0, y, k = count.q, ctx.q0, ctx.q, ctx.stage_q
        else:
            n, y0, y, k = count.v, ctx.v0, ctx.v, ctx.stage_v
        for i in range(n):
            scale = atol + rtol * max(abs(y0[i]), abs(y[i]))
            e5, e3 = 0.0, 0.0
            for s in range(13):
                e5 += coefficients[_E5 + s] * k[s * n + i]
                e3 += coefficients[_E3 + s] * k[s * n + i]
            five += (e5 / scale) ** 2
            three += (e3 / scale) ** 2
    if five == 0.0:
        return 0.0
    n = max(count.q + count.v, 1)
    return h * five / math.sqrt((five + 0.01 * three) * n)


@helper
def _work_error(ctx, h):
    """Error of the works in the step, relative to four times the tolerance of energy: rtol E, and atol of velocities times the momentum.

    Four times, so that velocities decide in smooth motion. Where a law has a kink power may change while they do not.
    """
    count, routine, coefficients = ctx.count, ctx.routine, ctx.tableau
    scalar, nw, kw = ctx.scalar, count.work, ctx.stage_w
    five, three, energy = 0.0, 0.0, 0.0
    for i in range(nw):
        e5, e3, gain = 0.0, 0.0, 0.0
        for s in range(13):
            e5 += coefficients[_E5 + s] * kw[s * nw + i]
            e3 += coefficients[_E3 + s] * kw[s * nw + i]
            gain += abs(kw[s * nw + i]) / 13.0
        five += e5 * e5
        three += e3 * e3
        energy += h * gain
    if five == 0.0:
        return 0.0
    bodies = ctx if routine.publish == 0 else context_at(routine.bodies)  # where there is power, these are up to date
    moving = kinetic(bodies, bodies.v)
    energy += moving + other_energy(bodies)
    tolerance = scalar.rtol * energy + scalar.atol * math.sqrt(2.0 * total_mass(bodies) * moving)
    return h * five / math.sqrt(five + 0.01 * three) / (4.0 * tolerance)


@helper
def _adrift(ctx):
    """Whether the end of the step, evaluated last, violates the joints by far more than the tolerances explain.

    Then it has passed a position that the joints do not allow: near it accelerations are regularised, and the error looks small.
    """
    count, scalar = ctx.count, ctx.scalar
    phi, q = ctx.phi, ctx.q
    if count.project == 0:
        return False
    size, worst = 1.0, 0.0
    for i in range(count.q):
        size = max(size, abs(q[i]))
    for c in range(count.c):
        worst = max(worst, abs(phi[c]))
    return worst > max(1e-5, 1e3 * scalar.rtol) * size


@helper
def _quarter_error(ctx, h, t):
    """Weighted error of a quarter of a step: 4⁻⁸ of that of the whole where the motion is smooth, a quarter of it where it is rounding."""
    for s in range(1, 13):
        _stage(ctx, s, 0.25 * h, t)
    return _error(ctx, 0.25 * h)


@helper
def _interpolate(n, y0, y1, k, coefficients, h, x, out):
    """Dense output of order seven at the fraction x of the step."""
    for i in range(n):
        delta = y1[i] - y0[i]
        f0, f1 = h * k[i], h * k[12 * n + i]
        value = 0.0
        for r in range(3, -1, -1):
            term = 0.0
            for s in range(16):
                term += coefficients[_D + 16 * r + s] * k[s * n + i]
            value = (value + h * term) * (x if r % 2 == 1 else 1.0 - x)
        value = (value + 2.0 * delta - f0 - f1) * x
        value = (value + f0 - delta) * (1.0 - x)
        value = (value + delta) * x
        out[i] = y0[i] + value


@helper
def _first_step(ctx, t):
    """Hairer's guess of the first step, from the size of the state and of its first two derivatives."""
    count, scalar = ctx.count, ctx.scalar
    nq, nv = count.q, count.v
    rtol, atol = scalar.rtol, scalar.atol
    q0, v0, kq, kv = ctx.q0, ctx.v0, ctx.stage_q, ctx.stage_v
    d0, d1 = 0.0, 0.0
    for i in range(nq):
        scale = atol + rtol * abs(q0[i])
        d0 += (q0[i] / scale) ** 2
        d1 += (kq[i] / scale) ** 2
    for i in range(nv):
        scale = atol + rtol * abs(v0[i])
        d0 += (v0[i] / scale) ** 2
        d1 += (kv[i] / scale) ** 2
    n = max(nq + nv, 1)
    d0, d1 = math.sqrt(d0 / n), math.sqrt(d1 / n)
    trial = 1e-6 if d0 < 1e-5 or d1 < 1e-5 else 0.01 * d0 / d1
    _stage_euler(ctx, trial, t)
    qd, acc = ctx.qd, ctx.acc
    d2 = 0.0
    for i in range(nq):
        d2 += ((qd[i] - kq[i]) / (atol + rtol * abs(q0[i]))) ** 2
    for i in range(nv):
        d2 += ((acc[i] - kv[i]) / (atol + rtol * abs(v0[i]))) ** 2
    d2 = math.sqrt(d2 / n) / trial
    worst = max(d1, d2)
    guess = max(1e-6, trial * 1e-3) if worst <= 1e-15 else (0.01 / worst) ** 0.125
    return min(100.0 * trial, guess)


@helper
def _stage_euler(ctx, h, t):
    """Rates after an explicit Euler step of length h."""
    count, scalar = ctx.count, ctx.scalar
    q, v, q0, v0 = ctx.q, ctx.v, ctx.q0, ctx.v0
    kq, kv = ctx.stage_q, ctx.stage_v
    for i in range(count.q):
        q[i] = q0[i] + h * kq[i]
    for i in range(count.v):
        v[i] = v0[i] + h * kv[i]
    scalar.time = t + h
    call(ctx.routine.accelerate, ctx, 0, 0)


@entry
def take_samples(ctx, first, last):
    """Take the samples inside the step just accepted: its start is in q0, v0, w0, its (unprojected) end in temp_q, temp_v, w0[3:]."""
    count, scalar, status, routine = ctx.count, ctx.scalar, ctx.status, ctx.routine
    nq, nv, nc, nw = count.q, count.v, count.c, count.work
    wanted, coefficients = ctx.sample_t, ctx.tableau
    t, h = scalar.time0, scalar.step
    q, v, work, lam = ctx.q, ctx.v, ctx.work, ctx.lam
    # the first parts of temp_v and temp_c are scratch of the formulation
    end_q, end_v, end_w = ctx.temp_q, at(ctx.temp_v, 4 * nv), at(ctx.w0, nw)
    kept = at(ctx.temp_c, 3 * nc)
    copy(nc, lam, kept)
    for s in range(13, 16):
        _stage(ctx, s, h, t)
    while status.sample < count.samples and wanted[status.sample] < t + h:
        time = wanted[status.sample]
        x = (time - t) / h
        for part in range(3):
            n, start, end, k, out = nq, ctx.q0, end_q, ctx.stage_q, q
            if part == 1:
                n, start, end, k, out = nv, ctx.v0, end_v, ctx.stage_v, v
            elif part == 2:
                n, start, end, k, out = nw, ctx.w0, end_w, ctx.stage_w, work
            _interpolate(n, start, end, k, coefficients, h, x, out)
        scalar.time = time
        if not projected(ctx):
            break
        call(routine.accelerate, ctx, 0, 0)
        record(ctx)
    copy(nq, end_q, q)
    copy(nv, end_v, v)
    copy(nw, end_w, work)
    copy(nc, kept, lam)


@entry
def steps(ctx, n_steps, unused):
    """Advance at most ``n_steps`` accepted steps, not beyond scalar[S_END]; samples at the times waiting in sample_t."""
    count, scalar, status, routine = ctx.count, ctx.scalar, ctx.status, ctx.routine
    nq, nv, nw = count.q, count.v, count.work
    wanted, coefficients = ctx.sample_t, ctx.tableau
    q, v, work = ctx.q, ctx.v, ctx.work
    q0, v0, w0 = ctx.q0, ctx.v0, ctx.w0
    kq, kv, kw = ctx.stage_q, ctx.stage_v, ctx.stage_w
    qd, acc = ctx.qd, ctx.acc
    end = scalar.end
    for _ in range(n_steps):
        t = scalar.time
        call(routine.accelerate, ctx, 0, 0)
        if stopped_by_watch(ctx):
            return
        while status.sample < count.samples and wanted[status.sample] <= t:
            record(ctx)
        if t >= end:
            return
        copy(nq, q, q0)
        copy(nv, v, v0)
        copy(nw, work, w0)
        copy(nq, qd, kq)
        copy(nv, acc, kv)
        add_power(ctx, kw)
        if scalar.next_step <= 0.0:
            scalar.next_step = _first_step(ctx, t)
        grow, quarter = 6.0, -1.0
        while True:
            h = min(scalar.next_step, scalar.max_step)
            clipped = t + h >= end
            if clipped:
                h = end - t
            elif t + 2.0 * h > end:
                h = 0.5 * (end - t)  # two equal steps rather than a tiny last one
            if status.steps % PROBE == PROBE - 1:
                quarter = _quarter_error(ctx, h, t)
            for s in range(1, 13):
                _stage(ctx, s, h, t)  # stage 12 is the end of the step
            error = max(_error(ctx, h), _work_error(ctx, h))
            if _adrift(ctx):
                error = max(error, 1e6)
            if error < 1.0 and not counted(ctx):  # what was remembered already is as good a start for a shorter step
                status.code = slots.CODE_OK
                error = 1e6
            if error < 1.0:
                factor = min(grow, 0.9 * error ** (-0.125)) if error > 0.0 else grow
                if factor < 1.0 or not clipped:
                    scalar.next_step = h * factor
                break
            status.rejected += 1
            grow = 1.0
            if error >= 1.0:
                scalar.next_step = h * max(0.2, 0.9 * error ** (-0.125))
            else:  # not a number: the step left the domain of some law
                scalar.next_step = 0.1 * h
            stopped = status.stop != 0
            if stopped or not scalar.next_step >= scalar.min_step:  # also when it is not a number
                copy(nq, q0, q)
                copy(nv, v0, v)
                scalar.time = t
                status.code = slots.CODE_STOPPED if stopped else slots.CODE_STEP_COLLAPSED
                return
        for i in range(nw):
            total = 0.0
            for s in range(12):
                total += coefficients[_B + s] * kw[nw * s + i]
            work[i] = w0[i] + h * total
        new = end if clipped else t + h
        n = status.sample
        if n < count.samples and wanted[n] < new:
            scalar.time0 = t
            scalar.step = h
            copy(nq, q, ctx.temp_q)
            copy(nv, v, at(ctx.temp_v, 4 * nv))
            copy(nw, work, at(w0, nw))
            call(routine.samples, ctx, 0, 0)
        scalar.time = new
        if status.code != slots.CODE_OK or not projected(ctx):  # of a sample, or of the end
            copy(nq, q0, q)
            copy(nv, v0, v)
            copy(nw, w0, work)
            scalar.time, status.sample = t, n
            return
        status.steps += 1
        status.short = status.short + 1 if h < scalar.short_step else 0
        if not accepted(ctx, 1):
            return
        if quarter >= 0.0:
            status.noisy = status.noisy + 1 if quarter > error / 64.0 > 1e-4 else 0
        endless = status.noisy >= MANY_NOISY_PROBES and end - new > ENDLESS * h and end < math.inf
        if status.short >= MANY_SHORT_STEPS or endless:
            status.code = slots.CODE_STEP_COLLAPSED
            return
