"""What every compiled integrator does around a step: samples, watches, sums of power, memory, the check that numbers are finite."""

from ..kernels import slots
from ..kernels.lazy import entry, helper, once
from ..kernels.pointers import at, call, clear, context_at, copy
from ..kernels.program import run

TORN = 1e-6  # of the extent of the joints: a gap that a projection has left
BLOW = 0.25  # of the energy there is: where a projection takes so much, it is a blow
WATCHING_TURNS = 2  # of status[ST_WATCHING]: there are angles among the watches, whose turns are counted


@helper
def of_bodies(ctx):
    """The context of the bodies, brought up to date if the coordinates that are integrated are others."""
    routine = ctx.routine
    if routine.publish == 0:
        return ctx
    call(routine.publish, ctx, 0, 0)
    return context_at(routine.bodies)


@helper
def record(ctx):
    """Append the present state, accelerations and multipliers to the samples, if there is room."""
    status = ctx.status
    n = status.sample
    if n >= ctx.count.samples:
        return
    ctx = of_bodies(ctx)
    count = ctx.count
    status.sample = n + 1
    nq, nv, nc, nm, nw = count.q, count.v, count.c, count.memory, count.work
    ctx.sample_t[n] = ctx.scalar.time
    q, v, a, lam = ctx.q, ctx.v, ctx.acc, ctx.lam
    work, memory = ctx.work, ctx.memory
    to_q, to_v, to_a = (
        at(ctx.sample_q, n * nq),
        at(ctx.sample_v, n * nv),
        at(ctx.sample_a, n * nv),
    )
    to_l, to_w, to_m = (
        at(ctx.sample_l, n * nc),
        at(ctx.sample_w, n * nw),
        at(ctx.sample_f, n * nm),
    )
    copy(nq, q, to_q)
    copy(nv, v, to_v)
    copy(nv, a, to_a)
    copy(nc, lam, to_l)
    copy(nw, work, to_w)
    copy(nm, memory, to_m)


@helper
def stopped_by_watch(ctx):
    """At the start of a step, with accelerations and multipliers at hand: whether a watch has crossed in the last one (CODE_EVENT).

    Or whether its turns cannot be counted (CODE_TURNS).
    """
    status = ctx.status
    if status.watching == 0:
        return False
    call(ctx.routine.check, of_bodies(ctx), 0, 0)
    return status.code == slots.CODE_EVENT or status.code == slots.CODE_TURNS


@helper
def counted(ctx):
    """Whether turns can be counted in a step whose end was evaluated last (if not, CODE_TURNS); components then remember."""
    status = ctx.status
    if status.watching == WATCHING_TURNS:
        call(ctx.routine.check, of_bodies(ctx), 1, 0)
    return status.code != slots.CODE_TURNS and remembered(ctx)


@helper
def add_power(ctx, out):
    """out = power dissipated, of drives, of applied efforts, of each closing joint.

    It is forces' own, and that of imposed motions and closing joints through their multipliers.
    """
    count = ctx.count
    power, lam, phi_t = ctx.power, ctx.lam, ctx.phi_t
    clear(count.work, out)
    for f in range(count.force):
        out[0] += power[3 * f]
        out[1] += power[3 * f + 1]
        out[2] += power[3 * f + 2]
    for c in range(count.c):  # vᵀJᵀλ = (φ̇ − φ_t)ᵀλ = −φ_tᵀλ on the constraint
        out[1] -= lam[c] * phi_t[c]
    ramp, entry_of, rate = ctx.ramp_c, ctx.ramp_w, ctx.ramp_rate
    for i in range(count.ramp):  # the ramp's part of φ_t is −ṙ
        done = lam[ramp[5 * i]] * rate[i]
        out[1] -= done
        out[entry_of[i]] += done


@once
def extent(ctx):
    """A length of the order of the mechanism's [m]: the farthest that points of joints are from the origins of their bodies."""
    local, is_point, joint_e = ctx.elem_p, ctx.elem_point, ctx.joint_e
    largest = 0.0
    for e in range(joint_e[0], joint_e[ctx.count.joint]):
        if is_point[e] == 1:
            for k in range(3):
                largest = max(largest, abs(local[4 * e + k]))
    return largest


@helper
def is_blow(ctx):
    """Whether a projection has taken a finite part, scalar[S_TAKEN], of the energy: kinetic, of forces and works, and that of the weight
    over the extent of the mechanism. Where something begins to move, all of what moves may be taken by coarse steps."""
    scalar = ctx.scalar
    taken = scalar.taken / BLOW
    return taken > scalar.kinetic and taken > scalar.kinetic + other_energy(ctx)


@once
def total_mass(ctx):
    """About that of all bodies [kg]: the first number in their mass matrices."""
    total = 0.0
    for b in range(ctx.count.body):
        if ctx.body_nv[b] > 0:
            total += ctx.mass[ctx.body_m[b]]
    return total


@once
def other_energy(ctx):
    """Of forces and works, and the weight of all bodies times the extent of the joints [J]."""
    count, scalar = ctx.count, ctx.scalar
    total = 0.0
    for f in range(count.force):
        total += abs(ctx.energy[f])
    for i in range(count.work):
        total += abs(ctx.work[i])
    return total + total_mass(ctx) * extent(ctx) * (abs(scalar.gx) + abs(scalar.gy) + abs(scalar.gz))


@helper
def projected(ctx):
    """Project onto the constraints, if that is the formulation. False, with CODE_IMPASSABLE, if joints stay open or it is a blow."""
    count, scalar, routine = ctx.count, ctx.scalar, ctx.routine
    if count.project == 0:
        return True
    call(routine.project, ctx, 0, count.project)
    gap = scalar.violation
    if is_blow(ctx) or (gap > 1e-9 and gap > TORN * max(extent(ctx), 1.0)):
        ctx.status.code = slots.CODE_IMPASSABLE
        return False
    return True


@entry
def project_step(ctx, unused, unused_too):
    """The same for steps that are not compiled."""
    projected(ctx)


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
def remembered(ctx):
    """Let components remember what they need of a step whose end was evaluated last; False if turns cannot be counted (CODE_TURNS)."""
    run(ctx, ctx.commit, ctx.count.commit)
    return ctx.status.code != slots.CODE_TURNS


@helper
def accepted(ctx, remembers):
    """Close a step: False if the numbers are not finite, turns cannot be counted, or somebody asked to stop.

    remembers 1: components have already remembered what they need of it.
    """
    count, status = ctx.count, ctx.status
    if not (_is_finite(count.v, ctx.v) and _is_finite(count.q, ctx.q)):
        status.code = slots.CODE_NONFINITE
        return False
    if remembers == 0 and not remembered(ctx):
        return False
    if status.stop != 0:
        status.code = slots.CODE_STOPPED
        return False
    return True


@entry
def last_sample(ctx, has_accelerations, unused):
    """The sample at the very end; implicit methods already hold accelerations and multipliers there."""
    if has_accelerations == 0:
        call(ctx.routine.accelerate, ctx, 0, 0)
    record(ctx)
