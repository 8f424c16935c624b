"""Judges: whether a step was too long, and whether explicit joints are too soft.

A step that was too long is taken again in parts (:func:`bielle.modular.steps.part`).
"""

import math

from ..kernels import slots
from ..kernels.lazy import entry, once
from ..kernels.pointers import at, clear, floats, ints
from .plan import (
    C_FIRST,
    C_LAST,
    G_ROUGH,
    J_FIRST,
    J_LAST,
    LINE,
    P_BODIES,
    P_BODY,
    P_EXPLICIT,
    P_GAPS,
    P_GROUP,
    P_HELD,
    P_IS_IMPLICIT,
    P_IS_LOOSE,
    P_KEPT,
    P_KINETIC,
    P_LEFT,
    P_NUMBER,
    P_PHI_T,
    P_SCALE,
    P_SHARE_JOINT,
    P_SUMS,
    P_TURNING,
    P_WANTED,
    X_PERTURBATION,
    X_SOFT,
    X_STILL,
    X_TOLERANCE,
)
from .shares import plan_of, rate_of_row, share_of

ROUGH = 0.2  # of the velocity of a body: a change from which on a step was too long
JOLT = 0.6  # the same, of a change that stiff forces may bring about, too
WORK = 0.001  # of the kinetic energy of bodies: what a joint may do in one step
SPIN = 0.25  # [rad] per step


@entry
def judge(ctx, t, arrival):
    """Tell whether a step was too long for a body of the share: what closed gaps has changed its velocity by more than ROUGH of what there
    was, weighed by the diagonal of its mass, or the end of the kick (``arrival``) by more than JOLT; or it has turned by more than SPIN,
    so that gyroscopic torques are not resolved."""
    plan = plan_of(ctx)
    share, bodies, body, held, turning = (
        share_of(plan, t),
        ints(plan, P_BODIES),
        ints(plan, P_BODY),
        ints(plan, P_HELD),
        ints(plan, P_TURNING),
    )
    body_nv, body_v, body_m, masses = ints(ctx, slots.BODY_NV), ints(ctx, slots.BODY_V), ints(ctx, slots.BODY_M), floats(ctx, slots.MASS)
    v, v0, acc, force = floats(ctx, slots.V), floats(ctx, slots.V0), floats(ctx, slots.ACC), floats(ctx, slots.FORCE)
    kept, h = at(floats(plan, P_KEPT), ints(ctx, slots.COUNT)[slots.N_Q]), floats(ctx, slots.SCALAR)[slots.S_STEP]
    still = floats(plan, P_NUMBER)[X_STILL] * floats(plan, P_NUMBER)[X_STILL]
    rough = 0.0
    for n in range(bodies[share[C_FIRST]], bodies[share[C_LAST]]):
        b = body[n]
        if held[b] == 1:
            continue
        nv, first = body_nv[b], body_v[b]
        M = at(masses, body_m[b])
        changed, jolted, moving, before, after = 0.0, 0.0, nv * M[0] * still, 0.0, 0.0
        for i in range(nv):
            mass, speed, gain = M[i * nv + i], kept[first + i], h * acc[first + i]
            change, late, pushed = v0[first + i] - speed - 0.5 * gain, v[first + i] - v0[first + i] - 0.5 * gain, h * force[first + i]
            changed += mass * change * change
            jolted += mass * late * late
            before += mass * speed * speed
            after += mass * v[first + i] * v[first + i]
            moving += mass * (speed * speed + gain * gain) + pushed * pushed / mass
        floats(plan, P_KINETIC)[b] = 0.5 * max(before, after) + still * M[0]
        k = first + turning[b]
        spins = turning[b] >= 0 and h * h * (v[k] * v[k] + v[k + 1] * v[k + 1] + v[k + 2] * v[k + 2]) > SPIN * SPIN
        shaken = arrival == 1 and jolted > JOLT * JOLT * moving and ints(plan, P_IS_IMPLICIT)[b] == 0  # what is not resolved shakes
        if spins or shaken or not changed <= ROUGH * ROUGH * moving:
            rough = 1.0
    floats(plan, P_GAPS)[LINE * t + G_ROUGH] = rough


@entry
def note_work(ctx, t, unused):
    """λᵀ(J v0 + φ_t) of the share's closed joints in leaving: to P_LEFT."""
    plan = plan_of(ctx)
    share, joint, joint_c = share_of(plan, t), ints(plan, P_SHARE_JOINT), ints(ctx, slots.JOINT_C)
    lam, phi_t, left = floats(ctx, slots.LAMBDA), floats(plan, P_PHI_T), floats(plan, P_LEFT)
    for n in range(share[J_FIRST], share[J_LAST]):
        j, total = joint[n], 0.0
        if ints(plan, P_IS_LOOSE)[j] == 0 or plan[P_EXPLICIT] == 0:
            for c in range(joint_c[j], joint_c[j + 1]):
                total += lam[c] * (phi_t[c] + rate_of_row(ctx, j, c - joint_c[j], floats(ctx, slots.V0)))
        left[j] = total


@entry
def judge_work(ctx, t, stage):
    """Tell whether closed joints have done more work than WORK of the kinetic energy of all that hangs together with them.

    They should do none but −φ_tᵀλ. With J v + φ_t = 0 at the start and at the end of a step, the two kicks of a joint do

        h/4 (λᵀ(J v0 + φ_t) + λ⁺ᵀ(J⁺ v0 + φ_t⁺))

    besides, which is of third order in h unless something happens in the step: near a singular position all velocities may turn round.
    What a joint does by as much as its gap may be open does not count.
    Stage 0: of the share's joints, to P_LEFT; 1: the sums, by one thread.
    """
    plan, h = plan_of(ctx), floats(ctx, slots.SCALAR)[slots.S_STEP]
    share, joint, joint_c, left = share_of(plan, t), ints(plan, P_SHARE_JOINT), ints(ctx, slots.JOINT_C), floats(plan, P_LEFT)
    lam, wanted, kinetic, group = floats(ctx, slots.LAMBDA), floats(plan, P_WANTED), floats(plan, P_KINETIC), ints(plan, P_GROUP)
    scale = floats(plan, P_SCALE)
    if stage == 0:
        for n in range(share[J_FIRST], share[J_LAST]):
            j = joint[n]
            work, effort = left[j], 0.0
            if ints(plan, P_IS_LOOSE)[j] == 0 or plan[P_EXPLICIT] == 0:
                for c in range(joint_c[j], joint_c[j + 1]):
                    work -= 0.5 * h * lam[c] * wanted[c]
                    effort += abs(lam[c]) * scale[c]
            work *= 0.25 * h
            left[j] = work if abs(work) > floats(plan, P_NUMBER)[X_TOLERANCE] * effort else 0.0
        return
    n_body, n_joint = ints(ctx, slots.COUNT)[slots.N_BODY], ints(ctx, slots.COUNT)[slots.N_JOINT]
    energy, work = floats(plan, P_SUMS), at(floats(plan, P_SUMS), n_body)
    clear(2 * n_body, energy)
    for b in range(1, n_body):
        energy[group[b]] += kinetic[b]
    for j in range(n_joint):
        work[group[n_body + j]] += left[j]
    for b in range(1, n_body):
        if abs(work[b]) > WORK * energy[b]:
            floats(plan, P_GAPS)[LINE * t + G_ROUGH] = 1.0


@entry
def perturb(ctx, unused, unused_too):
    """φ̈̃ᵀφ̈̃ of the paper (24), with the accelerations φ̈̃ = 2φ/h² by which the gaps of the prediction have to be closed."""
    number, phi, h, total = floats(plan_of(ctx), P_NUMBER), floats(ctx, slots.PHI), floats(ctx, slots.SCALAR)[slots.S_STEP], 0.0
    for c in range(ints(ctx, slots.COUNT)[slots.N_C]):
        total += 4.0 * phi[c] * phi[c] / (h * h * h * h)
    number[X_PERTURBATION] = total


@once
def is_soft(ctx, plan, j):
    """Whether the gap of explicit joint j is too large."""
    joint_c, phi, scale, gap = ints(ctx, slots.JOINT_C), floats(ctx, slots.PHI), floats(plan, P_SCALE), 0.0
    for c in range(joint_c[j], joint_c[j + 1]):
        gap = max(gap, abs(phi[c]) / scale[c])
    return plan[P_EXPLICIT] == 1 and ints(plan, P_IS_LOOSE)[j] == 1 and gap > floats(plan, P_NUMBER)[X_SOFT]


@entry
def find_scales(ctx, power, unused):
    """What the gap of each equation is compared with, in temp_c: the size 10^power of bodies if it is a length, 1 if it is of directions.

    The size is a power of ten, so that a direction cannot be taken for a length, nor the other way round, where it matters. Equations do
    not tell which they are. But if points move by the size, and directions turn by one, a length changes by about the size, and anything
    else by about one. After an evaluation.
    """
    joint_c, joint_e, joint_g = ints(ctx, slots.JOINT_C), ints(ctx, slots.JOINT_E), ints(ctx, slots.JOINT_G)
    is_point, out, size = ints(ctx, slots.ELEM_POINT), floats(ctx, slots.TEMP_C), 10.0 ** float(power)
    dim = ints(ctx, slots.COUNT)[slots.N_DIM]
    for j in range(ints(ctx, slots.COUNT)[slots.N_JOINT]):
        G = at(floats(ctx, slots.G), joint_g[j])
        for c in range(joint_c[j], joint_c[j + 1]):
            change, place = 0.0, (c - joint_c[j]) * dim * (joint_e[j + 1] - joint_e[j])
            for e in range(joint_e[j], joint_e[j + 1]):
                moved = size if is_point[e] == 1 else 1.0
                for _ in range(dim):
                    change += (G[place] * moved) ** 2
                    place += 1
            out[c] = size if (math.sqrt(change) > math.sqrt(size)) == (size > 1.0) else 1.0
