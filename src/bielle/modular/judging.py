"""Judges: whether a step was too long, and whether explicit joints are too soft.

A step that was too long is taken again in parts (:func:`bielle.modular.steps.part`).
"""

import math

from ..kernels.lazy import entry, once
from ..kernels.plan import (
    C_FIRST,
    C_LAST,
    G_ROUGH,
    J_FIRST,
    J_LAST,
    LINE,
)
from ..kernels.pointers import at, clear
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
        plan.bodies,
        plan.body,
        plan.held,
        plan.turning,
    )
    body_nv, body_v, body_m, masses = ctx.body_nv, ctx.body_v, ctx.body_m, ctx.mass
    v, v0, acc, force = ctx.v, ctx.v0, ctx.acc, ctx.force
    kept, h = at(plan.kept, ctx.count.q), ctx.scalar.step
    still = plan.number.still * plan.number.still
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
        plan.kinetic[b] = 0.5 * max(before, after) + still * M[0]
        k = first + turning[b]
        spins = turning[b] >= 0 and h * h * (v[k] * v[k] + v[k + 1] * v[k + 1] + v[k + 2] * v[k + 2]) > SPIN * SPIN
        shaken = arrival == 1 and jolted > JOLT * JOLT * moving and plan.is_implicit[b] == 0  # what is not resolved shakes
        if spins or shaken or not changed <= ROUGH * ROUGH * moving:
            rough = 1.0
    plan.gaps[LINE * t + G_ROUGH] = rough


@entry
def note_work(ctx, t, unused):
    """λᵀ(J v0 + φ_t) of the share's closed joints in leaving: to P_LEFT."""
    plan = plan_of(ctx)
    share, joint, joint_c = share_of(plan, t), plan.share_joint, ctx.joint_c
    lam, phi_t, left = ctx.lam, plan.phi_t, plan.left
    for n in range(share[J_FIRST], share[J_LAST]):
        j, total = joint[n], 0.0
        if plan.is_loose[j] == 0 or plan.explicit == 0:
            for c in range(joint_c[j], joint_c[j + 1]):
                total += lam[c] * (phi_t[c] + rate_of_row(ctx, j, c - joint_c[j], ctx.v0))
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
    plan, h = plan_of(ctx), ctx.scalar.step
    share, joint, joint_c, left = share_of(plan, t), plan.share_joint, ctx.joint_c, plan.left
    lam, wanted, kinetic, group = ctx.lam, plan.wanted, plan.kinetic, plan.group
    scale = plan.scale
    if stage == 0:
        for n in range(share[J_FIRST], share[J_LAST]):
            j = joint[n]
            work, effort = left[j], 0.0
            if plan.is_loose[j] == 0 or plan.explicit == 0:
                for c in range(joint_c[j], joint_c[j + 1]):
                    work -= 0.5 * h * lam[c] * wanted[c]
                    effort += abs(lam[c]) * scale[c]
            work *= 0.25 * h
            left[j] = work if abs(work) > plan.number.tolerance * effort else 0.0
        return
    n_body, n_joint = ctx.count.body, ctx.count.joint
    energy, work = plan.sums, at(plan.sums, n_body)
    clear(2 * n_body, energy)
    for b in range(1, n_body):
        energy[group[b]] += kinetic[b]
    for j in range(n_joint):
        work[group[n_body + j]] += left[j]
    for b in range(1, n_body):
        if abs(work[b]) > WORK * energy[b]:
            plan.gaps[LINE * t + G_ROUGH] = 1.0


@entry
def perturb(ctx, unused, unused_too):
    """φ̈̃ᵀφ̈̃ of the paper (24), with the accelerations φ̈̃ = 2φ/h² by which the gaps of the prediction have to be closed."""
    number, phi, h, total = plan_of(ctx).number, ctx.phi, ctx.scalar.step, 0.0
    for c in range(ctx.count.c):
        total += 4.0 * phi[c] * phi[c] / (h * h * h * h)
    number.perturbation = total


@once
def is_soft(ctx, plan, j):
    """Whether the gap of explicit joint j is too large."""
    joint_c, phi, scale, gap = ctx.joint_c, ctx.phi, plan.scale, 0.0
    for c in range(joint_c[j], joint_c[j + 1]):
        gap = max(gap, abs(phi[c]) / scale[c])
    return plan.explicit == 1 and plan.is_loose[j] == 1 and gap > plan.number.soft


@entry
def find_scales(ctx, power, unused):
    """What the gap of each equation is compared with, in temp_c: the size 10^power of bodies if it is a length, 1 if it is of directions.

    The size is a power of ten, so that a direction cannot be taken for a length, nor the other way round, where it matters. Equations do
    not tell which they are. But if points move by the size, and directions turn by one, a length changes by about the size, and anything
    else by about one. After an evaluation.
    """
    joint_c, joint_e, joint_g = ctx.joint_c, ctx.joint_e, ctx.joint_g
    is_point, out, size = ctx.elem_point, ctx.temp_c, 10.0 ** float(power)
    dim = ctx.count.dim
    for j in range(ctx.count.joint):
        G = at(ctx.g, joint_g[j])
        for c in range(joint_c[j], joint_c[j + 1]):
            change, place = 0.0, (c - joint_c[j]) * dim * (joint_e[j + 1] - joint_e[j])
            for e in range(joint_e[j], joint_e[j + 1]):
                moved = size if is_point[e] == 1 else 1.0
                for _ in range(dim):
                    change += (G[place] * moved) ** 2
                    place += 1
            out[c] = size if (math.sqrt(change) > math.sqrt(size)) == (size > 1.0) else 1.0
