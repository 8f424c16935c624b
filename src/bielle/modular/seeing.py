"""Explicit joints: they see their masses anew where they have turned, and push.

How stiff they may be is told by :mod:`bielle.modular.criterion`.
"""

from ..kernels import slots
from ..kernels.lazy import entry, once
from ..kernels.pointers import at, floats, ints
from .criterion import respond_locally, see_coupling, see_inverse_mass, weigh
from .plan import (
    J_FIRST,
    J_LAST,
    P_AFRESH,
    P_INSIDE_JOINT,
    P_IS_LOOSE,
    P_JAC,
    P_JOINT,
    P_JOINTS,
    P_LARGEST,
    P_LOSS,
    P_N_COMPONENT,
    P_NUMBER,
    P_SHARE_JOINT,
    P_THREADS,
    P_TOUCH,
    P_TOUCHES,
    P_TURNED,
    P_WHERE,
    P_WHERES,
    X_DELTA,
    X_EPSILON,
    X_OMEGA,
    X_STEP,
)
from .shares import plan_of, share_of

TURN = 0.01  # of the largest entry of a Jacobian: a change from which on masses are seen anew


@once
def has_turned(ctx, plan, j):
    """Whether the Jacobian of joint j differs from that with which its mass was seen by more than TURN of its largest entry."""
    jb_start, jb_offset = ints(ctx, slots.JB_START), ints(ctx, slots.JB_OFFSET)
    jac, seen, allowed = floats(ctx, slots.JAC), floats(plan, P_JAC), TURN * floats(plan, P_LARGEST)[j]
    turned = False
    for k in range(jb_offset[jb_start[j]], jb_offset[jb_start[j + 1]]):
        turned |= abs(jac[k] - seen[k]) > allowed
    return turned


@once
def _remember_jacobian(ctx, plan, j):
    """The Jacobian of joint j with which its mass is seen."""
    jb_start, jb_offset = ints(ctx, slots.JB_START), ints(ctx, slots.JB_OFFSET)
    jac, seen, largest = floats(ctx, slots.JAC), floats(plan, P_JAC), 0.0
    for k in range(jb_offset[jb_start[j]], jb_offset[jb_start[j + 1]]):
        seen[k] = jac[k]
        largest = max(largest, abs(jac[k]))
    floats(plan, P_LARGEST)[j] = largest


@entry
def see(ctx, t, stage):
    """The criterion of stability where Jacobians have turned, in three stages with barriers between them.

    First components with such joints respond, then the joints that hold on to them see their masses, then those and their neighbours
    their coupling (:mod:`bielle.modular.criterion`). Those that turn are often close to each other: threads take them in turn.
    """
    plan = plan_of(ctx)
    threads, joint, is_loose, turned = plan[P_THREADS], ints(plan, P_SHARE_JOINT), ints(plan, P_IS_LOOSE), ints(plan, P_TURNED)
    afresh = ints(plan, P_AFRESH)
    if stage == 0:
        for c in range(t, plan[P_N_COMPONENT], threads):
            afresh[c] = _has_turning_joints(plan, c)
            if afresh[c] > 0:
                respond_locally(ctx, plan, c)
        return
    for n in range(t, share_of(plan, threads - 1)[J_LAST], threads):
        j = joint[n]
        if stage == 1 and turned[j] == 1:
            _remember_jacobian(ctx, plan, j)
        if is_loose[j] == 1 and stage == 1:
            turned[j] = _holds_on_to(plan, j, afresh)
            if turned[j] > 0:
                see_inverse_mass(ctx, plan, j)
        elif is_loose[j] == 1 and _has_neighbours(plan, j, turned):
            see_coupling(ctx, plan, j, t)


@once
def _has_turning_joints(plan, c):
    """How many joints in and on component c have turned."""
    touches, touch, turned, total = ints(plan, P_TOUCHES), ints(plan, P_TOUCH), ints(plan, P_TURNED), 0
    for n in range(touches[c], touches[c + 1]):
        total += turned[touch[n]]
    joints, joint, of = ints(plan, P_JOINTS), ints(plan, P_JOINT), ints(plan, P_INSIDE_JOINT)
    for n in range(joints[c], joints[c + 1]):
        total += turned[of[joint[n]]]
    return total


@once
def _holds_on_to(plan, j, afresh):
    """1 if a component that loose joint j acts on has responded afresh."""
    wheres, where = ints(plan, P_WHERES), ints(plan, P_WHERE)
    for w in range(wheres[j], wheres[j + 1]):
        if afresh[where[3 * w]] > 0:
            return 1
    return 0


@once
def _has_neighbours(plan, j, turned):
    """Whether loose joint j, or one that acts on a component in common with it, sees another mass than before."""
    wheres, where, touches, touch = ints(plan, P_WHERES), ints(plan, P_WHERE), ints(plan, P_TOUCHES), ints(plan, P_TOUCH)
    for w in range(wheres[j], wheres[j + 1]):
        c = where[3 * w]
        for n in range(touches[c], touches[c + 1]):
            if turned[touch[n]] > 0:
                return True
    return False


@entry
def turn_all(ctx, t, unused):
    """Let all joints of the share count as turned."""
    plan = plan_of(ctx)
    share, joint, turned = share_of(plan, t), ints(plan, P_SHARE_JOINT), ints(plan, P_TURNED)
    for n in range(share[J_FIRST], share[J_LAST]):
        turned[joint[n]] = 1


@entry
def push(ctx, t, unused):
    """λ = −m_j (ω² φ + 2εω φ̇) of the share's loose joints, with the mass they see; in rows between velocities −m_j δ/h φ̇.

    They are springs that store, and dampers that dissipate, −λᵀφ̇: P_LOSS.
    """
    plan = plan_of(ctx)
    share, joint, is_loose = share_of(plan, t), ints(plan, P_SHARE_JOINT), ints(plan, P_IS_LOOSE)
    joint_c, level, number = ints(ctx, slots.JOINT_C), ints(ctx, slots.LEVEL), floats(plan, P_NUMBER)
    phi, phi_dot, lam = floats(ctx, slots.PHI), floats(ctx, slots.PHI_DOT), floats(ctx, slots.LAMBDA)
    h, loss = number[X_STEP], floats(plan, P_LOSS)
    omega = number[X_OMEGA] / h
    for n in range(share[J_FIRST], share[J_LAST]):
        j = joint[n]
        if is_loose[j] == 1:
            for c in range(joint_c[j], joint_c[j + 1]):
                holding = omega * (omega * phi[c] + 2.0 * number[X_EPSILON] * phi_dot[c])
                lam[c] = -holding if level[c] == 0 else -number[X_DELTA] / h * phi_dot[c]
            weigh(ctx, plan, j, at(lam, joint_c[j]))
            taken = 0.0
            for c in range(joint_c[j], joint_c[j + 1]):
                taken -= lam[c] * phi_dot[c]
            loss[j] = taken
