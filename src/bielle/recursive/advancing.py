"""Advancing a model in joint coordinates: accelerations, projections, steps.

Two contexts share their arrays. That of the *bodies* is the one all solvers have: its state is what there is between steps. That of the
*joints* has joint coordinates in the place of coordinates, and is what integrators are called with. A step begins by reading the
joint coordinates off the bodies and ends by writing them back, so that nothing is remembered that the state does not tell.
"""

from ..formulations.accelerations import PASSES, book_loss, moves, settled
from ..kernels import slots
from ..kernels.lazy import entry, helper, once
from ..kernels.motions import FREE, SPHERICAL
from ..kernels.pointers import at, call, clear, copy, tree_at
from ..kernels.program import find_jacobian, find_rates, kinetic, run
from ..kernels.rotations import quaternion_rate, quaternion_to_matrix, rotate_quaternion
from ..kernels.tree import (
    K_ACCELERATE,
    K_BEGIN,
    K_CLOSE,
    K_FOLLOW,
    K_LOAD,
    K_OBSERVE,
    K_PROJECT,
    K_REACTIONS,
    K_RESPOND,
    K_SETTLE,
    K_SOLVE,
    LOADED,
    PLACED,
)
from .configurations import along
from .efforts import dot, effort, hand_up, turning
from .followers import hold_followers, load_leaders
from .links import begin_placing, move, place, weigh
from .loops import LOOP, add_wrench
from .planar import begin_link


@helper
def _do(t, kernel):
    """Call a kernel of the tree."""
    call(t.kernel[kernel], t, 0, 0)


@helper
def _do_forward(t, how):
    """Articulated bodies, at what is at hand."""
    call(t.kernel.forward, t, how, 0)


@helper
def _tree(ctx):
    """The table of the tree, from either context."""
    return tree_at(ctx.routine.plan)


@helper
def _keep(ctx):
    """Remember the state of the bodies."""
    count = ctx.count
    copy(count.q, ctx.q, ctx.temp_q)
    copy(count.v, ctx.v, ctx.temp_v)


@helper
def _put_back(ctx):
    count = ctx.count
    copy(count.q, ctx.temp_q, ctx.q)
    copy(count.v, ctx.temp_v, ctx.v)


@entry
def begin(t, unused, unused_too):
    """Links where q says, moving as v says; elements of forces and loops, and the equations of these."""
    begin_placing(t)
    if t.count.flat == 1:
        for i in range(t.count.link):
            begin_link(t, i)
    else:
        for i in range(t.count.link):
            place(t, i)
            weigh(t, i)
            move(t, i)
    if t.count.coupled == 0:
        return
    _do(t, K_SETTLE)
    ctx = t.bodies
    run(ctx, t.program, t.count.program)
    for k in range(t.count.loop):
        find_rates(ctx, t.loop[LOOP * k])
        find_jacobian(ctx, t.loop[LOOP * k])


@entry
def load(t, unused, unused_too):
    """Forces of the model as efforts on links."""
    ctx = t.bodies
    run(ctx, ctx.forces, ctx.count.forces)
    count, force_e = ctx.count, ctx.force_e
    dim, is_point, body = count.dim, ctx.elem_point, ctx.elem_body
    clear(6 * t.count.link, t.force)
    for e in range(force_e[0], force_e[count.force]):
        link = t.link[body[e]]
        if link >= 0:
            x, F = at(ctx.x, dim * e), at(ctx.x_force, dim * e)
            add_wrench(dim, is_point[e], x, F, at(t.pos, 3 * link), 1.0, at(t.force, 6 * link))
    load_leaders(t)


@entry
def accelerate(t, unused, unused_too):
    """q̈ (t.a), accelerations of links, and λ of the loops."""
    _do(t, K_BEGIN)
    if t.count.coupled == 0:
        _do_forward(t, PLACED)
        return
    _do(t, K_LOAD)
    _do_forward(t, PLACED | LOADED)
    if t.count.loop > 0:
        _do(t, K_CLOSE)


@entry
def close(t, unused, unused_too):
    """Add what the loops do to the accelerations without them: such that φ̈ = −2ξω φ̇ − ω² φ (ω = 0: no stabilisation)."""
    _do(t, K_FOLLOW)
    ctx = t.bodies
    scalar, joint_c = ctx.scalar, ctx.joint_c
    omega, xi = scalar.omega, scalar.xi
    phi, phi_dot, gamma, lam = ctx.phi, ctx.phi_dot, ctx.gamma, ctx.lam
    for k in range(t.count.loop):
        loop = at(t.loop, LOOP * k)
        c0, r = joint_c[loop[0]], at(t.residual, loop[1])
        for c in range(loop[2]):
            r[c] = -gamma[c0 + c] - omega * (2.0 * xi * phi_dot[c0 + c] + omega * phi[c0 + c])
        _subtract_accelerations(ctx, loop[0], loop[2], r)
    _do(t, K_RESPOND)
    _do(t, K_SOLVE)
    for k in range(t.count.v):
        t.a[k] += t.correction[k]
    for k in range(6 * t.count.link):
        t.acc[k] += t.jump[k]
    for k in range(t.count.loop):
        loop = at(t.loop, LOOP * k)
        copy(loop[2], at(t.lam, loop[1]), at(lam, joint_c[loop[0]]))


@helper
def _subtract_accelerations(ctx, j, m, r):
    """r −= J v̇ of the bodies of joint j."""
    start, body_nv, body_v, acc = ctx.jb_start, ctx.body_nv, ctx.body_v, ctx.acc
    for s in range(start[j], start[j + 1]):
        b = ctx.jb_body[s]
        J, a = at(ctx.jac, ctx.jb_offset[s]), at(acc, body_v[b])
        for c in range(m):
            for i in range(body_nv[b]):
                r[c] -= J[c * body_nv[b] + i] * a[i]


@entry
def accelerate_joints(ctx, first, last):
    """For integrators: q̇ and v̇ of the joints."""
    t = _tree(ctx)
    _do(t, K_ACCELERATE)
    t.count.looks += 1
    ctx.status.evaluations += 1
    qd, motion, nv = ctx.qd, t.motion, t.nv
    for i in range(t.count.link):
        v, rate = at(t.v, t.v0[i]), at(qd, t.q0[i])
        if motion[i] == SPHERICAL:
            quaternion_rate(at(t.q, t.q0[i]), 0, v[0], v[1], v[2], rate)
        elif motion[i] == FREE:
            R, where = at(t.r, 9 * i), at(t.place, 12 * i)
            for k in range(3):
                rate[k] = 0.0
                for n in range(3):
                    rate[k] += where[3 * n + k] * (R[3 * n] * v[0] + R[3 * n + 1] * v[1] + R[3 * n + 2] * v[2])
            quaternion_rate(at(t.q, t.q0[i]), 3, v[3], v[4], v[5], rate)
        else:
            copy(nv[i], v, rate)


@entry
def publish(ctx, first, last):
    """Bring the bodies up to date with the joints, whose accelerations were found last."""
    t = _tree(ctx)
    _put_back(t.bodies)  # whole turns are those nearest to the start of the step, whatever was looked at since
    _do(t, K_SETTLE)
    if t.count.looks == 1:  # at the start of a step: the state itself, and not what joint coordinates make of it
        _put_back(t.bodies)
    _complete(t)


@once
def _complete(t):
    """Accelerations of the bodies, elements, forces, and multipliers of all joints."""
    ctx = t.bodies
    _do(t, K_FOLLOW)
    call(ctx.routine.evaluate, ctx, 0, 0)
    call(ctx.routine.forces, ctx, 0, 0)
    _do(t, K_REACTIONS)


@entry
def accelerate_bodies(ctx, first, last):
    """For everybody else: v̇ and λ of the bodies, whose state is left as it is."""
    t = _tree(ctx)
    _keep(ctx)
    _do(t, K_OBSERVE)
    _do(t, K_ACCELERATE)
    if t.count.coupled == 0:
        _do(t, K_SETTLE)  # frames, which accelerations are found from
    _put_back(ctx)
    _complete(t)


@entry
def find_reactions(t, unused, unused_too):
    """λ of the joints of the trees, from what they have to hand on to their links. Elements and equations of all joints are at hand."""
    ctx = t.bodies
    count, joint_c, joint_e, is_point = (
        ctx.count,
        ctx.joint_c,
        ctx.joint_e,
        ctx.elem_point,
    )
    dim, body, lam, link_of = count.dim, ctx.elem_body, ctx.lam, t.link
    n = t.count.link
    for i in range(n):
        f, B = at(t.effort, 6 * i), at(t.body, 10 * i)
        for c in range(6):
            f[c] = -t.force[6 * i + c] if t.count.coupled == 1 else 0.0
        effort(B, at(t.acc, 6 * i), f)
        turning(B, at(t.vel, 6 * i), f)
    for k in range(t.count.loop):
        j = t.loop[LOOP * k]
        G, width = at(ctx.g, ctx.joint_g[j]), dim * (joint_e[j + 1] - joint_e[j])
        for e in range(joint_e[j], joint_e[j + 1]):
            i = link_of[body[e]]
            if i >= 0:
                x, o = at(ctx.x, dim * e), at(t.pos, 3 * i)
                for r in range(joint_c[j + 1] - joint_c[j]):
                    g = at(G, r * width + dim * (e - joint_e[j]))
                    add_wrench(dim, is_point[e], x, g, o, -lam[joint_c[j] + r], at(t.effort, 6 * i))
    hold_followers(t)
    for i in range(n - 1, -1, -1):
        f, j = at(t.effort, 6 * i), t.tree_joint[i]
        hand_up(t, i, f)
        if j >= 0:
            _split(t, i, j, f, at(lam, joint_c[j]))


@once
def _split(t, i, j, f, lam):
    """λ of joint j with Σ λ_r w_r = f, the w_r being what its equations do to link i; normal equations, of six unknowns at most."""
    ctx = t.bodies
    joint_e, is_point, body = ctx.joint_e, ctx.elem_point, ctx.elem_body
    dim, m = ctx.count.dim, ctx.joint_c[j + 1] - ctx.joint_c[j]
    W, A, row = at(t.articulated, 36 * i), at(t.u, 36 * i), t.body_row[i]
    G, width = at(ctx.g, ctx.joint_g[j]), dim * (joint_e[j + 1] - joint_e[j])
    clear(6 * m, W)
    for e in range(joint_e[j], joint_e[j + 1]):
        if body[e] == row:
            x, o = at(ctx.x, dim * e), at(t.pos, 3 * i)
            for r in range(m):
                add_wrench(dim, is_point[e], x, at(G, r * width + dim * (e - joint_e[j])), o, 1.0, at(W, 6 * r))
    for r in range(m):
        lam[r] = dot(at(W, 6 * r), f)
        for c in range(r + 1):
            A[6 * r + c] = dot(at(W, 6 * r), at(W, 6 * c))
        A[6 * r + r] *= 1.0 + 1e-14
    for r in range(m):  # L D Lᵀ, forwards
        for c in range(r):
            for k in range(c):
                A[6 * r + c] -= A[6 * r + k] * A[6 * c + k] * A[6 * k + k]
            A[6 * r + c] /= A[6 * c + c]
        for k in range(r):
            A[6 * r + r] -= A[6 * r + k] * A[6 * r + k] * A[6 * k + k]
            lam[r] -= A[6 * r + k] * lam[k]
    for r in range(m - 1, -1, -1):
        lam[r] /= A[6 * r + r]
        for k in range(r + 1, m):
            lam[r] -= A[6 * k + r] * lam[k]


@entry
def project(ctx, first, last):
    """For integrators: quaternions of unit length, loops closed."""
    t = _tree(ctx)
    _do(t, K_PROJECT)


@entry
def project_joints(t, unused, unused_too):
    """Quaternions of unit length; loops closed along the shortest way in the metric of the mass, positions first."""
    n, delta = t.count.v, t.delta
    if t.count.loop == 0:
        clear(n, delta)
        _retract(t, delta)
        return
    bodies = t.bodies
    v, change = t.v, t.correction
    for attempt in range(PASSES):
        _do(t, K_BEGIN)
        _do_forward(t, PLACED)
        _do(t, K_RESPOND)
        worst = _close_gap(t, bodies.phi)
        copy(n, change, delta)
        _close_gap(t, bodies.phi_dot)
        _retract(t, delta)
        bodies.scalar.violation = worst
        if attempt == PASSES - 1 or settled(n, worst, delta, change, v, bodies.scalar.length):
            for k in range(n):
                v[k] += change[k]
            before, after = kinetic(bodies, bodies.v), 0.0
            if moves(n, change):  # with δv = M⁻¹Jᵀλ and J δv = −φ̇, δT = λ · (½φ̇ − φ_t)
                after = 0.5 * _along(t, bodies.phi_dot) - _along(t, bodies.phi_t)
            book_loss(bodies, before, before + after)
            return


@once
def _close_gap(t, gap):
    """The smallest change (t.correction), in the metric of the mass, that closes the gaps of loops; returns the largest of these."""
    bodies, r, worst = t.bodies, t.residual, 0.0
    joint_c = bodies.joint_c
    for k in range(t.count.loop):
        loop = at(t.loop, LOOP * k)
        for c in range(loop[2]):
            r[loop[1] + c] = -gap[joint_c[loop[0]] + c]
            worst = max(worst, abs(r[loop[1] + c]))
    _do(t, K_SOLVE)
    return worst


@once
def _along(t, x):
    """λ · x over the equations of loops."""
    joint_c, lam, total = t.bodies.joint_c, t.lam, 0.0
    for k in range(t.count.loop):
        loop = at(t.loop, LOOP * k)
        for c in range(loop[2]):
            total += lam[loop[1] + c] * x[joint_c[loop[0]] + c]
    return total


@helper
def _retract(t, delta):
    """q ← q ⊕ δ."""
    motion, nv, R = t.motion, t.nv, t.r
    for i in range(t.count.link):
        q, d = at(t.q, t.q0[i]), at(delta, t.v0[i])
        if motion[i] == SPHERICAL:
            rotate_quaternion(q, 0, d[0], d[1], d[2])
        elif motion[i] == FREE:
            quaternion_to_matrix(q, 3, R, 9 * i)
            M = at(R, 9 * i)
            x0, x1, x2 = along(at(d, 3), d)
            for k in range(3):
                q[k] += M[3 * k] * x0 + M[3 * k + 1] * x1 + M[3 * k + 2] * x2
            rotate_quaternion(q, 3, d[3], d[4], d[5])
        else:
            for k in range(nv[i]):
                q[k] += d[k]


@entry
def steps(ctx, n, unused):
    """At most n steps of an integrator, which is called with the context of the joints."""
    t, status = _tree(ctx), ctx.status
    joints, count = t.joints, ctx.count
    joints[slots.SAMPLE_T] = ctx[slots.SAMPLE_T]
    joints.routine.check = ctx.routine.check
    own = joints.count
    for k in range(slots.N_EVERY, slots.COUNTS):
        own[k] = count[k]
    for _ in range(n):
        done = status.steps
        _keep(ctx)
        _do(t, K_OBSERVE)
        t.count.looks = 0
        call(ctx.routine.steps, joints, 1, 0)
        if status.steps == done:  # the state is as it was, to the last bit, whatever was looked at
            _put_back(ctx)
            return
        begin_placing(t)
        for i in range(t.count.link):
            place(t, i)
            move(t, i)
        _put_back(ctx)  # as when publishing
        _do(t, K_SETTLE)
        if status.code != slots.CODE_OK:
            return


@entry
def tidy(ctx, unused, unused_too):
    """Bodies of subsystems to where the joint coordinates that are read off them say; for solvers in other coordinates."""
    t = tree_at(ctx.routine.tree)
    _do(t, K_OBSERVE)
    begin_placing(t)
    for i in range(t.count.link):
        place(t, i)
        move(t, i)
    _do(t, K_SETTLE)
