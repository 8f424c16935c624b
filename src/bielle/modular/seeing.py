"""Explicit joints: they see their masses anew where they have turned, and push.

How stiff they may be is told by :mod:`bielle.modular.criterion`.
"""

from ..kernels.lazy import entry, once
from ..kernels.plan import (
    J_FIRST,
    J_LAST,
)
from ..kernels.pointers import at
from .criterion import respond_locally, see_coupling, see_inverse_mass, weigh
from .shares import plan_of, share_of

STALE = 0.05  # ε of `has_turned` from which on masses are seen anew; stiffness keeps a distance of 0.2 from the limit of stability


@once
def has_turned(ctx, plan, j, t):
    """Whether the Jacobian of joint j differs by δJ from that with which masses were seen, such that the mass of a loose joint is another.

    If j is loose itself and has seen A_jj⁻¹, A_jj = L Lᵀ, it is if

        ε = ‖L⁻¹ δJ M⁻½‖ > STALE.

    As no component responds more than its bodies would alone, A_jj has then changed by up to 2ε + ε² of itself in any direction. Entry by
    entry is not enough: where a joint sees a heavy mass along and a light one across a rod, a small turn mixes them. For a joint inside a
    component see :func:`_has_turned_inside`.
    """
    jb_start, jb_body, jb_offset, joint_c = (
        ctx.jb_start,
        ctx.jb_body,
        ctx.jb_offset,
        ctx.joint_c,
    )
    jac, seen, change = ctx.jac, plan.jac, 0.0
    for k in range(jb_offset[jb_start[j]], jb_offset[jb_start[j + 1]]):
        change += (jac[k] - seen[k]) * (jac[k] - seen[k])
    if plan.is_loose[j] == 0:
        return _has_turned_inside(ctx, plan, j)
    if change <= plan.allowed[j]:
        return False
    body_nv, body_m, inverse_mass = ctx.body_nv, ctx.body_m, plan.inverse_mass
    L, n, y = at(plan.inverse, plan.inverses[j]), joint_c[j + 1] - joint_c[j], at(plan.scratch, 64 * t)
    total = 0.0
    for s in range(jb_start[j], jb_start[j + 1]):
        nv, m, first = body_nv[jb_body[s]], body_m[jb_body[s]], jb_offset[s]
        for i in range(nv):
            column = 0.0
            for r in range(n):
                left = jac[first + r * nv + i] - seen[first + r * nv + i]
                for q in range(r):
                    left -= L[r * n + q] * y[q]
                y[r] = left * L[r * n + r]
                column += y[r] * y[r]
            total += column * inverse_mass[m + i * nv + i]
    return total > STALE * STALE


@once
def _has_turned_inside(ctx, plan, j):
    """The same of a joint inside a component.

    A push Jᵀ of a loose joint is held by efforts S inside, M R Jᵀ + HᵀS = Jᵀ. If H turns by δH, what the loose joint sees is to first order
    as if its own Jacobian had turned by δJ = S δH, so that

        ε = ‖L⁻¹ S δH M⁻½‖ ≤ Σ_r |L⁻¹ S_r| |δH_r M⁻½|

    counts, with P_MOST the largest |L⁻¹ S_r|² of all loose joints. Half of STALE is for the component at either end.
    """
    jb_start, jb_body, jb_offset, joint_c = (
        ctx.jb_start,
        ctx.jb_body,
        ctx.jb_offset,
        ctx.joint_c,
    )
    jac, seen, most, inverse_mass = ctx.jac, plan.jac, plan.most, plan.inverse_mass
    total = 0.0
    for s in range(jb_start[j], jb_start[j + 1]):
        nv, m, first = ctx.body_nv[jb_body[s]], ctx.body_m[jb_body[s]], jb_offset[s]
        for r in range(joint_c[j + 1] - joint_c[j]):
            row = 0.0
            for i in range(nv):
                change = jac[first + r * nv + i] - seen[first + r * nv + i]
                row += change * change * inverse_mass[m + i * nv + i]
            total += row * most[joint_c[j] + r]
    return total > plan.allowed[j]


@once
def _remember(ctx, plan, j):
    """The Jacobian of joint j with which masses are seen; the largest inverse mass of the bodies it acts on."""
    jb_start, jb_body, jb_offset = ctx.jb_start, ctx.jb_body, ctx.jb_offset
    body_nv, body_m, inverse_mass = ctx.body_nv, ctx.body_m, plan.inverse_mass
    jac, seen, lightest = ctx.jac, plan.jac, 0.0
    for s in range(jb_start[j], jb_start[j + 1]):
        nv, m = body_nv[jb_body[s]], body_m[jb_body[s]]
        for i in range(nv):
            lightest = max(lightest, inverse_mass[m + i * nv + i])
        for k in range(jb_offset[s], jb_offset[s + 1]):
            seen[k] = jac[k]
    return lightest


@once
def _remember_loose(ctx, plan, j, t):
    """Remember the Jacobian of loose joint j, and a square ‖δJ‖² that :func:`has_turned` allows without a closer look."""
    lightest, joint_c = _remember(ctx, plan, j), ctx.joint_c
    L, n, y = at(plan.inverse, plan.inverses[j]), joint_c[j + 1] - joint_c[j], at(plan.scratch, 64 * t)
    norm = 0.0
    for c in range(n):  # columns of L⁻¹
        for r in range(n):
            left = 1.0 if r == c else 0.0
            for q in range(r):
                left -= L[r * n + q] * y[q]
            y[r] = left * L[r * n + r]
            norm += y[r] * y[r]
    plan.allowed[j] = STALE * STALE / (norm * lightest) if norm * lightest > 0.0 else 0.0


@once
def _remember_inside(ctx, plan, c, t):
    """Remember the Jacobians of the joints inside component c, the most that they hold, and what :func:`_has_turned_inside` allows."""
    inside, joints, joint, of = plan.inside, plan.joints, plan.joint, plan.inside_joint
    joint_c, own_c, touches, touch = ctx.joint_c, inside.joint_c, plan.touches, plan.touch
    held, y, width = at(plan.hold, plan.holds[c]), at(plan.scratch, 64 * t), 0
    for n in range(joints[c], joints[c + 1]):
        width += own_c[joint[n] + 1] - own_c[joint[n]]
    column = 0
    for n in range(joints[c], joints[c + 1]):
        j = of[joint[n]]
        for k in range(joint_c[j], joint_c[j + 1]):
            most, row = 0.0, 0
            for m in range(touches[c], touches[c + 1]):
                L, norm = at(plan.inverse, plan.inverses[touch[m]]), 0.0
                size = joint_c[touch[m] + 1] - joint_c[touch[m]]
                for r in range(size):
                    left = held[(row + r) * width + column]
                    for q in range(r):
                        left -= L[r * size + q] * y[q]
                    y[r] = left * L[r * size + r]
                    norm += y[r] * y[r]
                most = max(most, norm)
                row += size
            plan.most[k] = most
            column += 1
        _remember(ctx, plan, j)
        plan.allowed[j] = 0.25 * STALE * STALE / width  # Σ² of so many is at most so many times the sum of their squares


@entry
def see(ctx, t, stage):
    """The criterion of stability where Jacobians have turned, in three stages with barriers between them.

    First components with such joints respond, then the joints that hold on to them see their masses, then those and their neighbours
    their coupling (:mod:`bielle.modular.criterion`). Those that turn are often close to each other: threads take them in turn.
    """
    plan = plan_of(ctx)
    threads, joint, is_loose, turned = plan.threads, plan.share_joint, plan.is_loose, plan.turned
    afresh = plan.afresh
    if stage == 0:
        for turn in range((plan.n_component - t + threads - 1) // threads):
            c = t + turn * threads
            afresh[c] = _has_turning_joints(plan, c)
            if afresh[c] > 0:
                respond_locally(ctx, plan, c)
        return
    if stage == 2:
        for turn in range((plan.n_component - t + threads - 1) // threads):
            c = t + turn * threads
            if afresh[c] > 0:
                _remember_inside(ctx, plan, c, t)
    for turn in range((share_of(plan, threads - 1)[J_LAST] - t + threads - 1) // threads):
        j = joint[t + turn * threads]
        if stage == 1:
            itself = turned[j]
            if is_loose[j] == 1:
                turned[j] = _holds_on_to(plan, j, afresh)
                if turned[j] > 0:
                    see_inverse_mass(ctx, plan, j)
                if itself == 1:
                    _remember_loose(ctx, plan, j, t)
        elif is_loose[j] == 1 and _has_neighbours(plan, j, turned):
            see_coupling(ctx, plan, j, t)


@once
def _has_turning_joints(plan, c):
    """How many joints in and on component c have turned."""
    touches, touch, turned, total = plan.touches, plan.touch, plan.turned, 0
    for n in range(touches[c], touches[c + 1]):
        total += turned[touch[n]]
    joints, joint, of = plan.joints, plan.joint, plan.inside_joint
    for n in range(joints[c], joints[c + 1]):
        total += turned[of[joint[n]]]
    return total


@once
def _holds_on_to(plan, j, afresh):
    """1 if a component that loose joint j acts on has responded afresh."""
    wheres, where = plan.wheres, plan.where
    for w in range(wheres[j], wheres[j + 1]):
        if afresh[where[3 * w]] > 0:
            return 1
    return 0


@once
def _has_neighbours(plan, j, turned):
    """Whether loose joint j, or one that acts on a component in common with it, sees another mass than before."""
    wheres, where, touches, touch = plan.wheres, plan.where, plan.touches, plan.touch
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
    share, joint, turned = share_of(plan, t), plan.share_joint, plan.turned
    for n in range(share[J_FIRST], share[J_LAST]):
        turned[joint[n]] = 1


@entry
def push(ctx, t, unused):
    """λ = −m_j (ω² φ + 2εω φ̇) of the share's loose joints, with the mass they see; in rows between velocities −m_j δ/h φ̇.

    They are springs that store, and dampers that dissipate, −λᵀφ̇: P_LOSS.
    """
    plan = plan_of(ctx)
    share, joint, is_loose = share_of(plan, t), plan.share_joint, plan.is_loose
    joint_c, level, number = ctx.joint_c, ctx.level, plan.number
    phi, phi_dot, lam = ctx.phi, ctx.phi_dot, ctx.lam
    h, loss = number.step, plan.loss
    omega = number.omega / h
    for n in range(share[J_FIRST], share[J_LAST]):
        j = joint[n]
        if is_loose[j] == 1:
            for c in range(joint_c[j], joint_c[j + 1]):
                holding = omega * (omega * phi[c] + 2.0 * number.epsilon * phi_dot[c])
                lam[c] = -holding if level[c] == 0 else -number.delta / h * phi_dot[c]
            weigh(ctx, plan, j, at(lam, joint_c[j]))
            taken = 0.0
            for c in range(joint_c[j], joint_c[j + 1]):
                taken -= lam[c] * phi_dot[c]
            loss[j] = taken
