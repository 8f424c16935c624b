"""What every compiled integrator does around a step: samples, watches, sums of power, memory, the check that numbers are finite."""

from ..kernels import slots
from ..kernels.lazy import entry, helper, once
from ..kernels.pointers import at, call, clear, copy, floats, ints
from ..kernels.program import run

TORN = 1e-6  # of the extent of the joints: a gap that a projection has left
BLOW = 0.25  # of the energy there is: where a projection takes so much, it is a blow
WATCHING_TURNS = 2  # of status[ST_WATCHING]: there are angles among the watches, whose turns are counted


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
    """At the start of a step, with accelerations and multipliers at hand: whether a watch has crossed in the last one (CODE_EVENT).

    Or whether its turns cannot be counted (CODE_TURNS).
    """
    status = ints(ctx, slots.STATUS)
    if status[slots.ST_WATCHING] == 0:
        return False
    call(ints(ctx, slots.ROUTINE)[slots.R_CHECK], of_bodies(ctx), 0, 0)
    return status[slots.ST_CODE] == slots.CODE_EVENT or status[slots.ST_CODE] == slots.CODE_TURNS


@helper
def counted(ctx):
    """Whether turns can be counted in a step whose end was evaluated last (if not, CODE_TURNS); components then remember."""
    status = ints(ctx, slots.STATUS)
    if status[slots.ST_WATCHING] == WATCHING_TURNS:
        call(ints(ctx, slots.ROUTINE)[slots.R_CHECK], of_bodies(ctx), 1, 0)
    return status[slots.ST_CODE] != slots.CODE_TURNS and remembered(ctx)


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
def extent(ctx):
    """A length of the order of the mechanism's [m]: the farthest that points of joints are from the origins of their bodies."""
    local, is_point, joint_e = floats(ctx, slots.ELEM_P), ints(ctx, slots.ELEM_POINT), ints(ctx, slots.JOINT_E)
    largest = 0.0
    for e in range(joint_e[0], joint_e[ints(ctx, slots.COUNT)[slots.N_JOINT]]):
        if is_point[e] == 1:
            for k in range(3):
                largest = max(largest, abs(local[4 * e + k]))
    return largest


@helper
def is_blow(ctx):
    """Whether a projection has taken a finite part, scalar[S_TAKEN], of the energy: kinetic, of forces and works, and that of the weight
    over the extent of the mechanism. Where something begins to move, all of what moves may be taken by coarse steps."""
    scalar = floats(ctx, slots.SCALAR)
    taken = scalar[slots.S_TAKEN] / BLOW
    return taken > scalar[slots.S_KINETIC] and taken > scalar[slots.S_KINETIC] + other_energy(ctx)


@once
def total_mass(ctx):
    """About that of all bodies [kg]: the first number in their mass matrices."""
    total = 0.0
    for b in range(ints(ctx, slots.COUNT)[slots.N_BODY]):
        if ints(ctx, slots.BODY_NV)[b] > 0:
            total += floats(ctx, slots.MASS)[ints(ctx, slots.BODY_M)[b]]
    return total


@once
def other_energy(ctx):
    """Of forces and works, and the weight of all bodies times the extent of the joints [J]."""
    count, scalar = ints(ctx, slots.COUNT), floats(ctx, slots.SCALAR)
    total = 0.0
    for f in range(count[slots.N_FORCE]):
        total += abs(floats(ctx, slots.ENERGY)[f])
    for i in range(count[slots.N_WORK]):
        total += abs(floats(ctx, slots.WORK)[i])
    return total + total_mass(ctx) * extent(ctx) * (abs(scalar[slots.S_GX]) + abs(scalar[slots.S_GY]) + abs(scalar[slots.S_GZ]))


@helper
def projected(ctx):
    """Project onto the constraints, if that is the formulation. False, with CODE_IMPASSABLE, if joints stay open or it is a blow."""
    count, scalar, routine = ints(ctx, slots.COUNT), floats(ctx, slots.SCALAR), ints(ctx, slots.ROUTINE)
    if count[slots.N_PROJECT] == 0:
        return True
    call(routine[slots.R_PROJECT], ctx, 0, count[slots.N_PROJECT])
    gap = scalar[slots.S_VIOLATION]
    if is_blow(ctx) or (gap > 1e-9 and gap > TORN * max(extent(ctx), 1.0)):
        ints(ctx, slots.STATUS)[slots.ST_CODE] = slots.CODE_IMPASSABLE
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
    run(ctx, ints(ctx, slots.COMMIT), ints(ctx, slots.COUNT)[slots.N_COMMIT])
    return ints(ctx, slots.STATUS)[slots.ST_CODE] != slots.CODE_TURNS


@helper
def accepted(ctx, remembers):
    """Close a step: False if the numbers are not finite, turns cannot be counted, or somebody asked to stop.

    remembers 1: components have already remembered what they need of it.
    """
    count, status = ints(ctx, slots.COUNT), ints(ctx, slots.STATUS)
    if not (_is_finite(count[slots.N_V], floats(ctx, slots.V)) and _is_finite(count[slots.N_Q], floats(ctx, slots.Q))):
        status[slots.ST_CODE] = slots.CODE_NONFINITE
        return False
    if remembers == 0 and not remembered(ctx):
        return False
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
