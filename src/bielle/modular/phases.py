"""Phases of a modular step: what one share does between two barriers.

A share is the work of one thread: its components, and an equal part of the joints and forces. What a phase reads of other shares was
written before the last barrier, and all sums are taken in the order of the tables: results do not depend on the number of threads.
"""

from ..kernels.lazy import entry, helper, once
from ..kernels.plan import (
    A_FIRST,
    B_FIRST,
    C_FIRST,
    C_LAST,
    F_FIRST,
    G_SOFT,
    G_TURNED,
    J_FIRST,
    J_LAST,
    LINE,
    P_JAC,
    R_FIRST,
)
from ..kernels.pointers import at, call, clear, copy
from ..kernels.program import find_jacobian, find_rates
from .judging import is_soft
from .pieces import add_multipliers, clear_bodies, load_forces, load_rows, read_bodies, solve
from .seeing import has_turned
from .shares import n_coordinates, plan_of, rate_of_row, run_share, share_of

RATES, AFRESH, ON_THE_WAY, ARRIVED = range(4)  # what joints are asked for
AT_START, AT_END, GAPS, GAPS_ANEW = range(4)  # what rows are wanted
FORTH, BACK, ANEW, FARTHER = range(4)  # how velocities and positions are corrected


@entry
def move(ctx, t, unused):
    """Bodies and elements of the share at the present q, v."""
    plan = plan_of(ctx)
    run_share(ctx, plan, share_of(plan, t), A_FIRST)


@entry
def look(ctx, t, unused):
    """φ, G and what else the kernels of joints write."""
    plan = plan_of(ctx)
    run_share(ctx, plan, share_of(plan, t), B_FIRST)


@entry
def measure_gap(ctx, t, unused):
    """Largest |φ|, in its scale, of the share's joints that are to be closed: all, or with explicit joints those inside components."""
    plan = plan_of(ctx)
    share, joint, joint_c = share_of(plan, t), plan.share_joint, ctx.joint_c
    phi, scale, is_loose, explicit = ctx.phi, plan.scale, plan.is_loose, plan.explicit
    worst = 0.0
    for n in range(share[J_FIRST], share[J_LAST]):
        j = joint[n]
        if explicit == 1 and is_loose[j] == 1:
            continue
        for c in range(joint_c[j], joint_c[j + 1]):
            gap = abs(phi[c]) / scale[c]
            worst = gap if not gap <= worst else worst  # not a number is the worst
    plan.gaps[LINE * t] = worst


@entry
def join(ctx, t, how):
    """Rates of the share's joints and the efforts of its forces; how RATES: nothing else; otherwise also Jacobians.

    Where a step starts (RATES, AFRESH) the largest |φ| is kept. Where it ends (ARRIVED) it is told whether a loose joint is too soft and,
    if masses are seen, whether a Jacobian has changed much since they were.
    """
    plan = plan_of(ctx)
    turned, soft = 0.0, 0.0
    share, joint, joint_c = share_of(plan, t), plan.share_joint, ctx.joint_c
    phi, worst = ctx.phi, plan.worst
    for n in range(share[J_FIRST], share[J_LAST]):
        find_rates(ctx, joint[n])
        if how != RATES:
            find_jacobian(ctx, joint[n])
        if how < ON_THE_WAY:
            for c in range(joint_c[joint[n]], joint_c[joint[n] + 1]):
                worst[c] = max(worst[c], abs(phi[c]))
        if how == ARRIVED:
            if is_soft(ctx, plan, joint[n]):
                soft = 1.0
            if plan[P_JAC] != 0:
                plan.turned[joint[n]] = 1 if has_turned(ctx, plan, joint[n], t) else 0
                turned += plan.turned[joint[n]]
    told = at(plan.gaps, LINE * t)
    told[G_TURNED], told[G_SOFT] = turned, soft
    run_share(ctx, plan, share, F_FIRST)


@entry
def want(ctx, t, what):
    """Rows d of J x = d, for accelerations or for changes of velocities:

    AT_START    −γ
    AT_END      −2/h φ̇(q⁺, v½), which lets φ̇ vanish at the end of a kick of h/2
    GAPS        −φ/h, which lets φ vanish by a change of v½
    GAPS_ANEW   −φ/h + J X, by all X that v½ is changed by since J was taken anew
    """
    plan = plan_of(ctx)
    h = ctx.scalar.step
    share, joint, joint_c = share_of(plan, t), plan.share_joint, ctx.joint_c
    wanted, gamma, phi_t, phi = plan.wanted, ctx.gamma, ctx.phi_t, ctx.phi
    is_loose, explicit = plan.is_loose, plan.explicit
    for n in range(share[J_FIRST], share[J_LAST]):
        j = joint[n]
        if explicit == 1 and is_loose[j] == 1:
            continue
        c0 = joint_c[j]
        for r in range(joint_c[j + 1] - c0):
            if what == AT_START:
                wanted[c0 + r] = -gamma[c0 + r]
            elif what == AT_END:
                wanted[c0 + r] = -2.0 / h * (phi_t[c0 + r] + rate_of_row(ctx, j, r, ctx.v0))
            elif what == GAPS:
                wanted[c0 + r] = -phi[c0 + r] / h
            else:
                wanted[c0 + r] = rate_of_row(ctx, j, r, plan.moved) - phi[c0 + r] / h


@once
def _see_stiffness(ctx, plan):
    """M + p (h/2 D + h²/2 K) of bodies with an implicit integrator, in the place of their masses; by one thread.

    K and D are of the forces on the body alone. One between p moving bodies has at most p times the eigenvalues of its blocks on the
    diagonal, so that p of them are enough for a step that is stable however stiff it is.
    """
    scalar, inside = ctx.scalar, plan.inside
    h, bodies = scalar.step, plan.implicit
    mass, stiff, seen = ctx.mass, ctx.mass_hat, inside.mass
    scalar.gamma_h, scalar.beta_h = 0.5 * h, 0.5 * h * h
    call(ctx.routine.tangents, ctx, 0, 0)
    body_nv, body_m = ctx.body_nv, ctx.body_m
    for n in range(plan.n_implicit):
        b, times = bodies[2 * n], bodies[2 * n + 1]
        for i in range(body_m[b], body_m[b] + body_nv[b] * body_nv[b]):
            seen[i] = mass[i] + times * (stiff[i] - mass[i])


@entry
def renew(ctx, t, masses):
    """Factor the matrices of the share's components; ``masses``: also of those that have nothing but masses, which do not change."""
    plan = plan_of(ctx)
    share, joints = share_of(plan, t), plan.joints
    if plan.n_implicit > 0:
        masses = 1
        _see_stiffness(ctx, plan)
    for c in range(share[C_FIRST], share[C_LAST]):
        if plan.lone[c] < 0 and (masses == 1 or joints[c + 1] > joints[c]):
            call(plan.kernel.factor, plan, c, t)


@entry
def answer(ctx, t, gaps):
    """What the share's components do under rows P_WANTED inside, their forces and the loose joints' λ, at the start (0) or at the end (2)
    of a step; ``gaps`` 1: under the rows alone."""
    plan = plan_of(ctx)
    share, lam, rhs = share_of(plan, t), ctx.lam, plan.inside.rhs
    for c in range(share[C_FIRST], share[C_LAST]):
        if gaps != 1:
            load_forces(ctx, plan, c, lam, gaps // 2, rhs)
        else:
            clear_bodies(ctx, plan, c, rhs)
        load_rows(ctx, plan, c, plan.wanted, 1.0, rhs)
        solve(plan, c, 0)


@entry
def take(ctx, t, what):
    """Read the answer of the share's components: accelerations at the start of a step (0), those at its end (1), to P_CHANGE, or changes of
    velocities that close gaps (2), to P_CHANGE; and multipliers, which the last adds to those there are."""
    plan = plan_of(ctx)
    share, rhs = share_of(plan, t), plan.inside.rhs
    out, lam = ctx.acc if what == 0 else plan.change, ctx.lam
    scale = 2.0 / ctx.scalar.step if what == 2 else 1.0
    for c in range(share[C_FIRST], share[C_LAST]):
        read_bodies(ctx, plan, c, rhs, out)
        add_multipliers(ctx, plan, c, rhs, scale, lam, 0 if what == 2 else 1)


@helper
def retract(ctx, plan, t):
    """q ← q ⊕ delta of the share's bodies."""
    run_share(ctx, plan, share_of(plan, t), R_FIRST)


@entry
def leave(ctx, t, unused):
    """v0 = v + h/2 a: half a kick; q ← q ⊕ h v0; v = v0 + h/2 a, which is where the velocity is going. The present q, v are kept."""
    plan = plan_of(ctx)
    h = ctx.scalar.step
    share, bodies, body, held = share_of(plan, t), plan.bodies, plan.body, plan.held
    body_nv, body_v = ctx.body_nv, ctx.body_v
    v, v0, acc, delta = ctx.v, ctx.v0, ctx.acc, ctx.delta
    q, body_q, kept, nq = ctx.q, ctx.body_q, plan.kept, ctx.count.q
    for n in range(bodies[share[C_FIRST]], bodies[share[C_LAST]]):
        first = body_v[body[n]]
        copy(n_coordinates(ctx, body[n]), at(q, body_q[body[n]]), at(kept, body_q[body[n]]))
        copy(body_nv[body[n]], at(v, first), at(kept, nq + first))
        if held[body[n]] == 1:
            clear(body_nv[body[n]], at(delta, first))
            continue
        for i in range(first, first + body_nv[body[n]]):
            v0[i] = v[i] + 0.5 * h * acc[i]
            v[i] = v0[i] + 0.5 * h * acc[i]
            delta[i] = h * v0[i]
    retract(ctx, plan, t)


@entry
def correct(ctx, t, how):
    """v0 and v += P_CHANGE, q ⊕= h · P_CHANGE of the share's bodies; how BACK: by −P_CHANGE; ANEW: until they are changed by P_CHANGE in
    all."""
    plan = plan_of(ctx)
    h = ctx.scalar.step
    change, moved = plan.change, plan.moved
    share, bodies, body = share_of(plan, t), plan.bodies, plan.body
    body_nv, body_v = ctx.body_nv, ctx.body_v
    v, v0, delta = ctx.v, ctx.v0, ctx.delta
    for n in range(bodies[share[C_FIRST]], bodies[share[C_LAST]]):
        first = body_v[body[n]]
        for i in range(first, first + body_nv[body[n]]):
            if how == BACK:
                change[i] = -change[i]
            elif how == ANEW:
                change[i] -= moved[i]
            moved[i] += change[i]
            v0[i] += change[i]
            v[i] += change[i]
            delta[i] = h * change[i]
    retract(ctx, plan, t)


@entry
def arrive(ctx, t, unused):
    """v = v0 + h/2 a: the other half of the kick."""
    plan = plan_of(ctx)
    h = ctx.scalar.step
    acc = plan.change
    share, bodies, body = share_of(plan, t), plan.bodies, plan.body
    body_nv, body_v, v, v0 = ctx.body_nv, ctx.body_v, ctx.v, ctx.v0
    for n in range(bodies[share[C_FIRST]], bodies[share[C_LAST]]):
        first = body_v[body[n]]
        for i in range(first, first + body_nv[body[n]]):
            v[i] = v0[i] + 0.5 * h * acc[i]
