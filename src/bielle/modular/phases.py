"""Phases of a modular step: what one share does between two barriers.

A share is the work of one thread: its components, and an equal part of the joints and forces. What a phase reads of other shares was
written before the last barrier, and all sums are taken in the order of the tables: results do not depend on the number of threads.
"""

from ..kernels import slots
from ..kernels.lazy import entry, helper, once
from ..kernels.pointers import at, call, clear, copy, floats, ints
from ..kernels.program import find_jacobian, find_rates
from .criterion import respond_locally, see_coupling, see_inverse_mass, weigh
from .pieces import act_from_this_level, add_multipliers, clear_bodies, load_forces, load_rows, read_bodies, solve
from .plan import (
    A_FIRST,
    B_FIRST,
    C_FIRST,
    C_LAST,
    F_FIRST,
    G_ROUGH,
    G_SHAKES,
    G_SOFT,
    G_TURNED,
    J_FIRST,
    J_LAST,
    K_FACTOR,
    LINE,
    P_AFRESH,
    P_BODIES,
    P_BODY,
    P_CHANGE,
    P_EXPLICIT,
    P_EXTERNAL,
    P_FINER,
    P_GAPS,
    P_GROUP,
    P_HELD,
    P_IMPLICIT,
    P_INSIDE,
    P_INSIDE_JOINT,
    P_INVERSE_MASS,
    P_IS_IMPLICIT,
    P_IS_LOOSE,
    P_JAC,
    P_JOINT,
    P_JOINTS,
    P_KEPT,
    P_KERNEL,
    P_KINETIC,
    P_LARGEST,
    P_LEFT,
    P_LONE,
    P_LOSS,
    P_N_COMPONENT,
    P_N_IMPLICIT,
    P_NUMBER,
    P_PART,
    P_PHI_T,
    P_PROGRAM,
    P_SCRATCH,
    P_SHAKING,
    P_SHARE,
    P_SHARE_JOINT,
    P_SOFT,
    P_SUMS,
    P_THREADS,
    P_TOUCH,
    P_TOUCHES,
    P_TURNED,
    P_TURNING,
    P_WANTED,
    P_WHERE,
    P_WHERES,
    P_WORST,
    R_FIRST,
    SHARE,
    X_DELTA,
    X_EPSILON,
    X_OMEGA,
    X_PERTURBATION,
    X_SOFT,
    X_STEP,
    X_TOLERANCE,
)

ROUGH = 0.2  # of the velocity of a body: a change from which on a step was too long
JOLT = 0.6  # the same, of a change that stiff forces may bring about, too
WORK = 0.001  # of the kinetic energy of bodies: what a joint may do in one step
SHAKING = 0.02  # of the kinetic energy: with which gaps may change
OPEN = 0.005  # of the gap at which an explicit joint is given up: a smaller one is small
SPIN = 0.25  # [rad] per step
STILL = 1e-6  # [m/s]: a velocity that does not count
RATES, AFRESH, ON_THE_WAY, ARRIVED = range(4)  # what joints are asked for
TURN = 0.01  # of the largest entry of a Jacobian: a change from which on masses are seen anew


@once
def _run(ctx, plan, share, first):
    """A part of the program of a share."""
    program = ints(plan, P_PROGRAM)
    for i in range(share[first], share[first + 1]):
        call(program[3 * i], ctx, program[3 * i + 1], program[3 * i + 2])


@helper
def plan_of(ctx):
    """The plan of the run."""
    return ints(ints(ctx, slots.ROUTINE), slots.R_PLAN)


@helper
def share_of(plan, t):
    """The numbers of share t."""
    return at(ints(plan, P_SHARE), SHARE * t)


@entry
def move(ctx, t, unused):
    """Bodies and elements of the share at the present q, v."""
    plan = plan_of(ctx)
    _run(ctx, plan, share_of(plan, t), A_FIRST)


@entry
def look(ctx, t, unused):
    """φ, G and what else the kernels of joints write."""
    plan = plan_of(ctx)
    _run(ctx, plan, share_of(plan, t), B_FIRST)


@entry
def measure_gap(ctx, t, unused):
    """Largest |φ| of the share's joints that are to be closed: all, or with explicit joints those inside components."""
    plan = plan_of(ctx)
    share, joint, joint_c = share_of(plan, t), ints(plan, P_SHARE_JOINT), ints(ctx, slots.JOINT_C)
    phi, is_loose, explicit = floats(ctx, slots.PHI), ints(plan, P_IS_LOOSE), plan[P_EXPLICIT]
    worst = 0.0
    for n in range(share[J_FIRST], share[J_LAST]):
        j = joint[n]
        if explicit == 1 and is_loose[j] == 1:
            continue
        for c in range(joint_c[j], joint_c[j + 1]):
            worst = abs(phi[c]) if not abs(phi[c]) <= worst else worst  # not a number is the worst
    floats(plan, P_GAPS)[LINE * t] = worst


@once
def largest_gap(plan):
    """Of all shares."""
    gaps, worst = floats(plan, P_GAPS), 0.0
    for t in range(plan[P_THREADS]):
        worst = gaps[LINE * t] if not gaps[LINE * t] <= worst else worst
    return worst


@entry
def join(ctx, t, how):
    """Rates of the share's joints and the efforts of its forces; how RATES: nothing else; otherwise also Jacobians.

    Where a step starts (RATES, AFRESH) the largest |φ| is kept. Where it ends (ARRIVED) it is told whether a loose joint is too soft and,
    if masses are seen, whether a Jacobian has changed much since they were.
    """
    plan = plan_of(ctx)
    turned, soft, shakes = 0.0, 0.0, 0.0
    share, joint, joint_c = share_of(plan, t), ints(plan, P_SHARE_JOINT), ints(ctx, slots.JOINT_C)
    phi, worst = floats(ctx, slots.PHI), floats(plan, P_WORST)
    for n in range(share[J_FIRST], share[J_LAST]):
        find_rates(ctx, joint[n])
        if how != RATES:
            find_jacobian(ctx, joint[n])
        if how < ON_THE_WAY:
            for c in range(joint_c[joint[n]], joint_c[joint[n] + 1]):
                worst[c] = max(worst[c], abs(phi[c]))
        if how == ARRIVED:
            if plan[P_EXPLICIT] == 1 and ints(plan, P_IS_LOOSE)[joint[n]] == 1:
                soft += _is_soft(ctx, plan, joint[n], t)
                shakes += floats(plan, P_SHAKING)[joint[n]]
            if plan[P_JAC] != 0:
                ints(plan, P_TURNED)[joint[n]] = 1 if _has_turned(ctx, plan, joint[n]) else 0
                turned += ints(plan, P_TURNED)[joint[n]]
    told = at(floats(plan, P_GAPS), LINE * t)
    told[G_TURNED], told[G_SOFT], told[G_SHAKES] = turned, soft, shakes
    _run(ctx, plan, share, F_FIRST)


@once
def _is_soft(ctx, plan, j, t):
    """1 if the gap of explicit joint j is too large. If it is not small, ½ φ̇ᵀm φ̇ goes to P_SHAKING."""
    joint_c, phi, phi_dot, scratch = ints(ctx, slots.JOINT_C), floats(ctx, slots.PHI), floats(ctx, slots.PHI_DOT), floats(plan, P_SCRATCH)
    first, n, rates, gap, energy = joint_c[j], joint_c[j + 1] - joint_c[j], at(scratch, 64 * t), 0.0, 0.0
    for r in range(n):
        gap = max(gap, abs(phi[first + r]))
    if gap > OPEN * floats(plan, P_NUMBER)[X_SOFT]:
        copy(n, at(phi_dot, first), rates)
        weigh(ctx, plan, j, rates)
        for r in range(n):
            energy += 0.5 * rates[r] * phi_dot[first + r]
    floats(plan, P_SHAKING)[j] = energy
    ints(plan, P_SOFT)[j] = 1 if gap > floats(plan, P_NUMBER)[X_SOFT] else 0
    return ints(plan, P_SOFT)[j]


@entry
def judge_shaking(ctx, t, unused):
    """Give up explicit joints whose gaps change with more than SHAKING of the kinetic energy of all that hangs together; by one thread.

    Their own oscillations die out. If they do not, something else drives them: forces so large that their levers are stiffer than the
    criterion knows, say.
    """
    plan = plan_of(ctx)
    n_body, shaking, group = ints(ctx, slots.COUNT)[slots.N_BODY], floats(plan, P_SHAKING), ints(plan, P_GROUP)
    energy, gaps, kinetic = floats(plan, P_SUMS), at(floats(plan, P_SUMS), n_body), floats(plan, P_KINETIC)
    clear(2 * n_body, energy)
    for b in range(1, n_body):
        energy[group[b]] += kinetic[b]
    for j in range(ints(ctx, slots.COUNT)[slots.N_JOINT]):
        gaps[group[n_body + j]] += shaking[j]
    for j in range(ints(ctx, slots.COUNT)[slots.N_JOINT]):
        if shaking[j] > 0.0 and gaps[group[n_body + j]] > SHAKING * energy[group[n_body + j]]:
            ints(plan, P_SOFT)[j] = 1
            floats(plan, P_GAPS)[LINE * t + G_SOFT] = 1.0


@once
def _has_turned(ctx, plan, j):
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


@once
def told_by_any(plan, what):
    """Whether a share has told G_TURNED or G_SOFT."""
    gaps, total = floats(plan, P_GAPS), 0.0
    for t in range(plan[P_THREADS]):
        total += gaps[LINE * t + what]
    return total > 0.0


@entry
def want(ctx, t, velocity):
    """Rows d of J a = d: −γ, or if ``velocity`` what lets φ̇ vanish at the end of a kick of h/2 from the velocities v0."""
    plan = plan_of(ctx)
    h = floats(ctx, slots.SCALAR)[slots.S_STEP]
    share, joint, joint_c = share_of(plan, t), ints(plan, P_SHARE_JOINT), ints(ctx, slots.JOINT_C)
    wanted, gamma, phi_t = floats(plan, P_WANTED), floats(ctx, slots.GAMMA), floats(ctx, slots.PHI_T)
    is_loose, explicit = ints(plan, P_IS_LOOSE), plan[P_EXPLICIT]
    for n in range(share[J_FIRST], share[J_LAST]):
        j = joint[n]
        if explicit == 1 and is_loose[j] == 1:
            continue
        c0 = joint_c[j]
        for r in range(joint_c[j + 1] - c0):
            wanted[c0 + r] = -gamma[c0 + r] if velocity == 0 else -2.0 / h * (phi_t[c0 + r] + _rate(ctx, j, r))


@once
def _rate(ctx, j, r):
    """J v0 of a row of joint j."""
    jb_start, jb_body, jb_offset = ints(ctx, slots.JB_START), ints(ctx, slots.JB_BODY), ints(ctx, slots.JB_OFFSET)
    body_nv, body_v, jac, v0 = ints(ctx, slots.BODY_NV), ints(ctx, slots.BODY_V), floats(ctx, slots.JAC), floats(ctx, slots.V0)
    total = 0.0
    for s in range(jb_start[j], jb_start[j + 1]):
        nv, first = body_nv[jb_body[s]], body_v[jb_body[s]]
        for i in range(nv):
            total += jac[jb_offset[s] + r * nv + i] * v0[first + i]
    return total


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
                total += lam[c] * (phi_t[c] + _rate(ctx, j, c - joint_c[j]))
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
    if stage == 0:
        for n in range(share[J_FIRST], share[J_LAST]):
            j = joint[n]
            work, effort = left[j], 0.0
            if ints(plan, P_IS_LOOSE)[j] == 0 or plan[P_EXPLICIT] == 0:
                for c in range(joint_c[j], joint_c[j + 1]):
                    work -= 0.5 * h * lam[c] * wanted[c]
                    effort += abs(lam[c])
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


@once
def _see_stiffness(ctx, plan):
    """M + p (h/2 D + h²/2 K) of bodies with an implicit integrator, in the place of their masses; by one thread.

    K and D are of the forces on the body alone. One between p moving bodies has at most p times the eigenvalues of its blocks on the
    diagonal, so that p of them are enough for a step that is stable however stiff it is.
    """
    scalar, inside = floats(ctx, slots.SCALAR), ints(plan, P_INSIDE)
    h, bodies = scalar[slots.S_STEP], ints(plan, P_IMPLICIT)
    mass, stiff, seen = floats(ctx, slots.MASS), floats(ctx, slots.MASS_HAT), floats(inside, slots.MASS)
    scalar[slots.S_GAMMA_H], scalar[slots.S_BETA_H] = 0.5 * h, 0.5 * h * h
    call(ints(ctx, slots.ROUTINE)[slots.R_TANGENTS], ctx, 0, 0)
    body_nv, body_m = ints(ctx, slots.BODY_NV), ints(ctx, slots.BODY_M)
    for n in range(plan[P_N_IMPLICIT]):
        b, times = bodies[2 * n], bodies[2 * n + 1]
        for i in range(body_m[b], body_m[b] + body_nv[b] * body_nv[b]):
            seen[i] = mass[i] + times * (stiff[i] - mass[i])


@entry
def renew(ctx, t, masses):
    """Factor the matrices of the share's components; ``masses``: also of those that have nothing but masses, which do not change."""
    plan = plan_of(ctx)
    share, joints = share_of(plan, t), ints(plan, P_JOINTS)
    if plan[P_N_IMPLICIT] > 0:
        masses = 1
        _see_stiffness(ctx, plan)
    for c in range(share[C_FIRST], share[C_LAST]):
        if ints(plan, P_LONE)[c] < 0 and (masses == 1 or joints[c + 1] > joints[c]):
            call(ints(plan, P_KERNEL)[K_FACTOR], plan, c, t)


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


@entry
def answer(ctx, t, gaps):
    """What the share's components do under their forces, the loose joints' λ and rows P_WANTED inside, at the start (0) or at the end (2)
    of a step; ``gaps`` 1: under rows −φ/h alone."""
    plan = plan_of(ctx)
    share, lam, rhs = share_of(plan, t), floats(ctx, slots.LAMBDA), floats(ints(plan, P_INSIDE), slots.RHS)
    h = floats(ctx, slots.SCALAR)[slots.S_STEP]
    for c in range(share[C_FIRST], share[C_LAST]):
        if gaps != 1:
            load_forces(ctx, plan, c, lam, gaps // 2, rhs)
            load_rows(ctx, plan, c, floats(plan, P_WANTED), 1.0, rhs)
        else:
            clear_bodies(ctx, plan, c, rhs)
            load_rows(ctx, plan, c, floats(ctx, slots.PHI), -1.0 / h, rhs)
        solve(plan, c, 0)


@entry
def take(ctx, t, what):
    """Read the answer of the share's components: accelerations at the start of a step (0), those at its end (1), to P_CHANGE, or changes of
    velocities that close gaps (2), to P_CHANGE; and multipliers, which the last adds to those there are."""
    plan = plan_of(ctx)
    share, rhs = share_of(plan, t), floats(ints(plan, P_INSIDE), slots.RHS)
    out, lam = floats(ctx, slots.ACC) if what == 0 else floats(plan, P_CHANGE), floats(ctx, slots.LAMBDA)
    scale = 2.0 / floats(ctx, slots.SCALAR)[slots.S_STEP] if what == 2 else 1.0
    for c in range(share[C_FIRST], share[C_LAST]):
        read_bodies(ctx, plan, c, rhs, out)
        add_multipliers(ctx, plan, c, rhs, scale, lam, 0 if what == 2 else 1)


@helper
def retract(ctx, plan, t):
    """q ← q ⊕ delta of the share's bodies."""
    _run(ctx, plan, share_of(plan, t), R_FIRST)


@helper
def _n_q(ctx, b):
    """Number of coordinates of body b."""
    count, body_q = ints(ctx, slots.COUNT), ints(ctx, slots.BODY_Q)
    return (body_q[b + 1] if b + 1 < count[slots.N_BODY] else count[slots.N_Q]) - body_q[b]


@entry
def leave(ctx, t, unused):
    """v0 = v + h/2 a: half a kick; q ← q ⊕ h v0; v = v0 + h/2 a, which is where the velocity is going. The present q, v are kept."""
    plan = plan_of(ctx)
    h = floats(ctx, slots.SCALAR)[slots.S_STEP]
    share, bodies, body, held = share_of(plan, t), ints(plan, P_BODIES), ints(plan, P_BODY), ints(plan, P_HELD)
    body_nv, body_v = ints(ctx, slots.BODY_NV), ints(ctx, slots.BODY_V)
    v, v0, acc, delta = floats(ctx, slots.V), floats(ctx, slots.V0), floats(ctx, slots.ACC), floats(ctx, slots.DELTA)
    q, body_q, kept, nq = floats(ctx, slots.Q), ints(ctx, slots.BODY_Q), floats(plan, P_KEPT), ints(ctx, slots.COUNT)[slots.N_Q]
    for n in range(bodies[share[C_FIRST]], bodies[share[C_LAST]]):
        first = body_v[body[n]]
        copy(_n_q(ctx, body[n]), at(q, body_q[body[n]]), at(kept, body_q[body[n]]))
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
def correct(ctx, t, unused):
    """v0 and v += change, q ⊕= h · change of the share's bodies."""
    plan = plan_of(ctx)
    h = floats(ctx, slots.SCALAR)[slots.S_STEP]
    change = floats(plan, P_CHANGE)
    share, bodies, body = share_of(plan, t), ints(plan, P_BODIES), ints(plan, P_BODY)
    body_nv, body_v = ints(ctx, slots.BODY_NV), ints(ctx, slots.BODY_V)
    v, v0, delta = floats(ctx, slots.V), floats(ctx, slots.V0), floats(ctx, slots.DELTA)
    for n in range(bodies[share[C_FIRST]], bodies[share[C_LAST]]):
        first = body_v[body[n]]
        for i in range(first, first + body_nv[body[n]]):
            v0[i] += change[i]
            v[i] += change[i]
            delta[i] = h * change[i]
    retract(ctx, plan, t)


@entry
def arrive(ctx, t, unused):
    """v = v0 + h/2 a: the other half of the kick."""
    plan = plan_of(ctx)
    h = floats(ctx, slots.SCALAR)[slots.S_STEP]
    acc = floats(plan, P_CHANGE)
    share, bodies, body = share_of(plan, t), ints(plan, P_BODIES), ints(plan, P_BODY)
    body_nv, body_v, v, v0 = ints(ctx, slots.BODY_NV), ints(ctx, slots.BODY_V), floats(ctx, slots.V), floats(ctx, slots.V0)
    for n in range(bodies[share[C_FIRST]], bodies[share[C_LAST]]):
        first = body_v[body[n]]
        for i in range(first, first + body_nv[body[n]]):
            v[i] = v0[i] + 0.5 * h * acc[i]


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
    rough = 0.0
    for n in range(bodies[share[C_FIRST]], bodies[share[C_LAST]]):
        b = body[n]
        if held[b] == 1:
            continue
        nv, first = body_nv[b], body_v[b]
        M = at(masses, body_m[b])
        changed, jolted, moving, before, after = 0.0, 0.0, 0.0, 0.0, 0.0
        for i in range(nv):
            mass, speed, gain = M[i * nv + i], kept[first + i], h * acc[first + i]
            change, late, pushed = v0[first + i] - speed - 0.5 * gain, v[first + i] - v0[first + i] - 0.5 * gain, h * force[first + i]
            changed += mass * change * change
            jolted += mass * late * late
            before += mass * speed * speed
            after += mass * v[first + i] * v[first + i]
            moving += mass * (speed * speed + gain * gain + STILL * STILL) + pushed * pushed / mass
        floats(plan, P_KINETIC)[b] = 0.5 * max(before, after) + STILL * STILL * M[0]
        k = first + turning[b]
        spins = turning[b] >= 0 and h * h * (v[k] * v[k] + v[k + 1] * v[k + 1] + v[k + 2] * v[k + 2]) > SPIN * SPIN
        shaken = arrival == 1 and jolted > JOLT * JOLT * moving and ints(plan, P_IS_IMPLICIT)[b] == 0  # what is not resolved shakes
        if spins or shaken or not changed <= ROUGH * ROUGH * moving:
            rough = 1.0
    floats(plan, P_GAPS)[LINE * t + G_ROUGH] = rough


@entry
def perturb(ctx, unused, unused_too):
    """φ̈̃ᵀφ̈̃ of the paper (24), with the accelerations φ̈̃ = 2φ/h² by which the gaps of the prediction have to be closed."""
    number, phi, h, total = floats(plan_of(ctx), P_NUMBER), floats(ctx, slots.PHI), floats(ctx, slots.SCALAR)[slots.S_STEP], 0.0
    for c in range(ints(ctx, slots.COUNT)[slots.N_C]):
        total += 4.0 * phi[c] * phi[c] / (h * h * h * h)
    number[X_PERTURBATION] = total


@entry
def hand_down(ctx, unused, unused_too):
    """What acts on bodies that the level above advances, from this level and those below: constant while it does."""
    plan = plan_of(ctx)
    finer, held, lam = ints(plan, P_FINER), ints(plan, P_HELD), floats(ctx, slots.LAMBDA)
    part, external, out = floats(plan, P_PART), floats(plan, P_EXTERNAL), floats(finer, P_EXTERNAL)
    body_nv, body_v = ints(ctx, slots.BODY_NV), ints(ctx, slots.BODY_V)
    for b in range(ints(ctx, slots.COUNT)[slots.N_BODY]):
        if held[b] == 1:
            first = body_v[b]
            clear(body_nv[b], at(part, first))
            act_from_this_level(ctx, plan, b, lam, at(part, first))
            for i in range(first, first + body_nv[b]):
                out[i] = external[i] + part[i]


@entry
def rejoin(ctx, unused, unused_too):
    """v0 = v − h/2 M⁻¹ of what acted from this level: half of it is taken back, and given again as it is at the end of the step."""
    plan = plan_of(ctx)
    held, part, inverse, h = ints(plan, P_HELD), floats(plan, P_PART), floats(plan, P_INVERSE_MASS), floats(ctx, slots.SCALAR)[slots.S_STEP]
    body_nv, body_v, body_m = ints(ctx, slots.BODY_NV), ints(ctx, slots.BODY_V), ints(ctx, slots.BODY_M)
    v, v0 = floats(ctx, slots.V), floats(ctx, slots.V0)
    for b in range(ints(ctx, slots.COUNT)[slots.N_BODY]):
        if held[b] == 1:
            nv, first = body_nv[b], body_v[b]
            for i in range(nv):
                total = 0.0
                for k in range(nv):
                    total += inverse[body_m[b] + i * nv + k] * part[first + k]
                v0[first + i] = v[first + i] - 0.5 * h * total


@entry
def restore(ctx, unused, unused_too):
    """Take the bodies that the level above advances back to the start of the step."""
    plan = plan_of(ctx)
    held, kept, nq = ints(plan, P_HELD), floats(plan, P_KEPT), ints(ctx, slots.COUNT)[slots.N_Q]
    body_q, body_v, body_nv = ints(ctx, slots.BODY_Q), ints(ctx, slots.BODY_V), ints(ctx, slots.BODY_NV)
    for b in range(ints(ctx, slots.COUNT)[slots.N_BODY]):
        if held[b] == 1:
            copy(_n_q(ctx, b), at(kept, body_q[b]), at(floats(ctx, slots.Q), body_q[b]))
            copy(body_nv[b], at(kept, nq + body_v[b]), at(floats(ctx, slots.V), body_v[b]))
