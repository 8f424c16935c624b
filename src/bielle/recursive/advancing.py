"""Advancing a model in joint coordinates: accelerations, projections, steps.

Two contexts share their arrays. That of the *bodies* is the one all solvers have: its state is what there is between steps. That of the
*joints* has joint coordinates in the place of coordinates, and is what integrators are called with. A step begins by reading the
joint coordinates off the bodies and ends by writing them back, so that nothing is remembered that the state does not tell.
"""

from ..formulations.accelerations import PASSES, book_loss, moves, settled
from ..kernels import slots
from ..kernels.lazy import entry, helper, once
from ..kernels.motions import FREE, SPHERICAL
from ..kernels.pointers import at, call, clear, copy, floats, ints
from ..kernels.program import find_jacobian, find_rates, kinetic, run
from ..kernels.rotations import quaternion_rate, quaternion_to_matrix, rotate_quaternion
from .configurations import along
from .efforts import dot, effort, hand_up, turning
from .followers import hold_followers, load_leaders
from .links import begin_placing, move, place, weigh
from .loops import LOOP, add_wrench
from .planar import begin_link
from .table import (
    COUPLED,
    FLAT,
    K_ACCELERATE,
    K_BEGIN,
    K_CLOSE,
    K_FOLLOW,
    K_FORWARD,
    K_LOAD,
    K_OBSERVE,
    K_PROJECT,
    K_REACTIONS,
    K_RESPOND,
    K_SETTLE,
    K_SOLVE,
    LOADED,
    LOOKS,
    N_LINK,
    N_LOOP,
    N_PROGRAM,
    N_V,
    PLACED,
    T_A,
    T_ACC,
    T_ARTICULATED,
    T_BODIES,
    T_BODY,
    T_BODY_ROW,
    T_CORRECTION,
    T_COUNT,
    T_DELTA,
    T_EFFORT,
    T_FORCE,
    T_JOINTS,
    T_JUMP,
    T_KERNEL,
    T_LAMBDA,
    T_LINK,
    T_LOOP,
    T_MOTION,
    T_NV,
    T_PLACE,
    T_POS,
    T_PROGRAM,
    T_Q,
    T_Q0,
    T_R,
    T_RESIDUAL,
    T_TREE_JOINT,
    T_U,
    T_V,
    T_V0,
    T_VEL,
)


@helper
def _do(t, kernel):
    """Call a kernel of the tree."""
    call(ints(t, T_KERNEL)[kernel], t, 0, 0)


@helper
def _do_forward(t, how):
    """Articulated bodies, at what is at hand."""
    call(ints(t, T_KERNEL)[K_FORWARD], t, how, 0)


@helper
def _tree(ctx):
    """The table of the tree, from either context."""
    return ints(ints(ctx, slots.ROUTINE), slots.R_PLAN)


@helper
def _keep(ctx):
    """Remember the state of the bodies."""
    count = ints(ctx, slots.COUNT)
    copy(count[slots.N_Q], floats(ctx, slots.Q), floats(ctx, slots.TEMP_Q))
    copy(count[slots.N_V], floats(ctx, slots.V), floats(ctx, slots.TEMP_V))


@helper
def _put_back(ctx):
    count = ints(ctx, slots.COUNT)
    copy(count[slots.N_Q], floats(ctx, slots.TEMP_Q), floats(ctx, slots.Q))
    copy(count[slots.N_V], floats(ctx, slots.TEMP_V), floats(ctx, slots.V))


@entry
def begin(t, unused, unused_too):
    """Links where q says, moving as v says; elements of forces and loops, and the equations of these."""
    begin_placing(t)
    if ints(t, T_COUNT)[FLAT] == 1:
        for i in range(ints(t, T_COUNT)[N_LINK]):
            begin_link(t, i)
    else:
        for i in range(ints(t, T_COUNT)[N_LINK]):
            place(t, i)
            weigh(t, i)
            move(t, i)
    if ints(t, T_COUNT)[COUPLED] == 0:
        return
    _do(t, K_SETTLE)
    ctx = ints(t, T_BODIES)
    run(ctx, ints(t, T_PROGRAM), ints(t, T_COUNT)[N_PROGRAM])
    for k in range(ints(t, T_COUNT)[N_LOOP]):
        find_rates(ctx, ints(t, T_LOOP)[LOOP * k])
        find_jacobian(ctx, ints(t, T_LOOP)[LOOP * k])


@entry
def load(t, unused, unused_too):
    """Forces of the model as efforts on links."""
    ctx = ints(t, T_BODIES)
    run(ctx, ints(ctx, slots.FORCES), ints(ctx, slots.COUNT)[slots.N_FORCES])
    count, force_e = ints(ctx, slots.COUNT), ints(ctx, slots.FORCE_E)
    dim, is_point, body = count[slots.N_DIM], ints(ctx, slots.ELEM_POINT), ints(ctx, slots.ELEM_BODY)
    clear(6 * ints(t, T_COUNT)[N_LINK], floats(t, T_FORCE))
    for e in range(force_e[0], force_e[count[slots.N_FORCE]]):
        link = ints(t, T_LINK)[body[e]]
        if link >= 0:
            x, F = at(floats(ctx, slots.X), dim * e), at(floats(ctx, slots.X_FORCE), dim * e)
            add_wrench(dim, is_point[e], x, F, at(floats(t, T_POS), 3 * link), 1.0, at(floats(t, T_FORCE), 6 * link))
    load_leaders(t)


@entry
def accelerate(t, unused, unused_too):
    """q̈ (T_A), accelerations of links, and λ of the loops."""
    _do(t, K_BEGIN)
    if ints(t, T_COUNT)[COUPLED] == 0:
        _do_forward(t, PLACED)
        return
    _do(t, K_LOAD)
    _do_forward(t, PLACED | LOADED)
    if ints(t, T_COUNT)[N_LOOP] > 0:
        _do(t, K_CLOSE)


@entry
def close(t, unused, unused_too):
    """Add what the loops do to the accelerations without them: such that φ̈ = −2ξω φ̇ − ω² φ (ω = 0: no stabilisation)."""
    _do(t, K_FOLLOW)
    ctx = ints(t, T_BODIES)
    scalar, joint_c = floats(ctx, slots.SCALAR), ints(ctx, slots.JOINT_C)
    omega, xi = scalar[slots.S_OMEGA], scalar[slots.S_XI]
    phi, phi_dot, gamma, lam = floats(ctx, slots.PHI), floats(ctx, slots.PHI_DOT), floats(ctx, slots.GAMMA), floats(ctx, slots.LAMBDA)
    for k in range(ints(t, T_COUNT)[N_LOOP]):
        loop = at(ints(t, T_LOOP), LOOP * k)
        c0, r = joint_c[loop[0]], at(floats(t, T_RESIDUAL), loop[1])
        for c in range(loop[2]):
            r[c] = -gamma[c0 + c] - omega * (2.0 * xi * phi_dot[c0 + c] + omega * phi[c0 + c])
        _subtract_accelerations(ctx, loop[0], loop[2], r)
    _do(t, K_RESPOND)
    _do(t, K_SOLVE)
    for k in range(ints(t, T_COUNT)[N_V]):
        floats(t, T_A)[k] += floats(t, T_CORRECTION)[k]
    for k in range(6 * ints(t, T_COUNT)[N_LINK]):
        floats(t, T_ACC)[k] += floats(t, T_JUMP)[k]
    for k in range(ints(t, T_COUNT)[N_LOOP]):
        loop = at(ints(t, T_LOOP), LOOP * k)
        copy(loop[2], at(floats(t, T_LAMBDA), loop[1]), at(lam, joint_c[loop[0]]))


@helper
def _subtract_accelerations(ctx, j, m, r):
    """r −= J v̇ of the bodies of joint j."""
    start, body_nv, body_v, acc = ints(ctx, slots.JB_START), ints(ctx, slots.BODY_NV), ints(ctx, slots.BODY_V), floats(ctx, slots.ACC)
    for s in range(start[j], start[j + 1]):
        b = ints(ctx, slots.JB_BODY)[s]
        J, a = at(floats(ctx, slots.JAC), ints(ctx, slots.JB_OFFSET)[s]), at(acc, body_v[b])
        for c in range(m):
            for i in range(body_nv[b]):
                r[c] -= J[c * body_nv[b] + i] * a[i]


@entry
def accelerate_joints(ctx, first, last):
    """For integrators: q̇ and v̇ of the joints."""
    t = _tree(ctx)
    _do(t, K_ACCELERATE)
    ints(t, T_COUNT)[LOOKS] += 1
    ints(ctx, slots.STATUS)[slots.ST_EVALUATIONS] += 1
    qd, motion, nv = floats(ctx, slots.QD), ints(t, T_MOTION), ints(t, T_NV)
    for i in range(ints(t, T_COUNT)[N_LINK]):
        v, rate = at(floats(t, T_V), ints(t, T_V0)[i]), at(qd, ints(t, T_Q0)[i])
        if motion[i] == SPHERICAL:
            quaternion_rate(at(floats(t, T_Q), ints(t, T_Q0)[i]), 0, v[0], v[1], v[2], rate)
        elif motion[i] == FREE:
            R, where = at(floats(t, T_R), 9 * i), at(floats(t, T_PLACE), 12 * i)
            for k in range(3):
                rate[k] = 0.0
                for n in range(3):
                    rate[k] += where[3 * n + k] * (R[3 * n] * v[0] + R[3 * n + 1] * v[1] + R[3 * n + 2] * v[2])
            quaternion_rate(at(floats(t, T_Q), ints(t, T_Q0)[i]), 3, v[3], v[4], v[5], rate)
        else:
            copy(nv[i], v, rate)


@entry
def publish(ctx, first, last):
    """Bring the bodies up to date with the joints, whose accelerations were found last."""
    t = _tree(ctx)
    _put_back(ints(t, T_BODIES))  # whole turns are those nearest to the start of the step, whatever was looked at since
    _do(t, K_SETTLE)
    if ints(t, T_COUNT)[LOOKS] == 1:  # at the start of a step: the state itself, and not what joint coordinates make of it
        _put_back(ints(t, T_BODIES))
    _complete(t)


@once
def _complete(t):
    """Accelerations of the bodies, elements, forces, and multipliers of all joints."""
    ctx = ints(t, T_BODIES)
    _do(t, K_FOLLOW)
    call(ints(ctx, slots.ROUTINE)[slots.R_EVALUATE], ctx, 0, 0)
    call(ints(ctx, slots.ROUTINE)[slots.R_FORCES], ctx, 0, 0)
    _do(t, K_REACTIONS)


@entry
def accelerate_bodies(ctx, first, last):
    """For everybody else: v̇ and λ of the bodies, whose state is left as it is."""
    t = _tree(ctx)
    _keep(ctx)
    _do(t, K_OBSERVE)
    _do(t, K_ACCELERATE)
    if ints(t, T_COUNT)[COUPLED] == 0:
        _do(t, K_SETTLE)  # frames, which accelerations are found from
    _put_back(ctx)
    _complete(t)


@entry
def find_reactions(t, unused, unused_too):
    """λ of the joints of the trees, from what they have to hand on to their links. Elements and equations of all joints are at hand."""
    ctx = ints(t, T_BODIES)
    count, joint_c, joint_e, is_point = (
        ints(ctx, slots.COUNT),
        ints(ctx, slots.JOINT_C),
        ints(ctx, slots.JOINT_E),
        ints(ctx, slots.ELEM_POINT),
    )
    dim, body, lam, link_of = count[slots.N_DIM], ints(ctx, slots.ELEM_BODY), floats(ctx, slots.LAMBDA), ints(t, T_LINK)
    n = ints(t, T_COUNT)[N_LINK]
    for i in range(n):
        f, B = at(floats(t, T_EFFORT), 6 * i), at(floats(t, T_BODY), 10 * i)
        for c in range(6):
            f[c] = -floats(t, T_FORCE)[6 * i + c] if ints(t, T_COUNT)[COUPLED] == 1 else 0.0
        effort(B, at(floats(t, T_ACC), 6 * i), f)
        turning(B, at(floats(t, T_VEL), 6 * i), f)
    for k in range(ints(t, T_COUNT)[N_LOOP]):
        j = ints(t, T_LOOP)[LOOP * k]
        G, width = at(floats(ctx, slots.G), ints(ctx, slots.JOINT_G)[j]), dim * (joint_e[j + 1] - joint_e[j])
        for e in range(joint_e[j], joint_e[j + 1]):
            i = link_of[body[e]]
            if i >= 0:
                x, o = at(floats(ctx, slots.X), dim * e), at(floats(t, T_POS), 3 * i)
                for r in range(joint_c[j + 1] - joint_c[j]):
                    g = at(G, r * width + dim * (e - joint_e[j]))
                    add_wrench(dim, is_point[e], x, g, o, -lam[joint_c[j] + r], at(floats(t, T_EFFORT), 6 * i))
    hold_followers(t)
    for i in range(n - 1, -1, -1):
        f, j = at(floats(t, T_EFFORT), 6 * i), ints(t, T_TREE_JOINT)[i]
        hand_up(t, i, f)
        if j >= 0:
            _split(t, i, j, f, at(lam, joint_c[j]))


@once
def _split(t, i, j, f, lam):
    """λ of joint j with Σ λ_r w_r = f, the w_r being what its equations do to link i; normal equations, of six unknowns at most."""
    ctx = ints(t, T_BODIES)
    joint_e, is_point, body = ints(ctx, slots.JOINT_E), ints(ctx, slots.ELEM_POINT), ints(ctx, slots.ELEM_BODY)
    dim, m = ints(ctx, slots.COUNT)[slots.N_DIM], ints(ctx, slots.JOINT_C)[j + 1] - ints(ctx, slots.JOINT_C)[j]
    W, A, row = at(floats(t, T_ARTICULATED), 36 * i), at(floats(t, T_U), 36 * i), ints(t, T_BODY_ROW)[i]
    G, width = at(floats(ctx, slots.G), ints(ctx, slots.JOINT_G)[j]), dim * (joint_e[j + 1] - joint_e[j])
    clear(6 * m, W)
    for e in range(joint_e[j], joint_e[j + 1]):
        if body[e] == row:
            x, o = at(floats(ctx, slots.X), dim * e), at(floats(t, T_POS), 3 * i)
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
    n, delta = ints(t, T_COUNT)[N_V], floats(t, T_DELTA)
    if ints(t, T_COUNT)[N_LOOP] == 0:
        clear(n, delta)
        _retract(t, delta)
        return
    bodies = ints(t, T_BODIES)
    v, change = floats(t, T_V), floats(t, T_CORRECTION)
    for attempt in range(PASSES):
        _do(t, K_BEGIN)
        _do_forward(t, PLACED)
        _do(t, K_RESPOND)
        worst = _close_gap(t, floats(bodies, slots.PHI))
        copy(n, change, delta)
        _close_gap(t, floats(bodies, slots.PHI_DOT))
        _retract(t, delta)
        floats(bodies, slots.SCALAR)[slots.S_VIOLATION] = worst
        if attempt == PASSES - 1 or settled(n, worst, delta, change, v, floats(bodies, slots.SCALAR)[slots.S_LENGTH]):
            for k in range(n):
                v[k] += change[k]
            before, after = kinetic(bodies, floats(bodies, slots.V)), 0.0
            if moves(n, change):  # with δv = M⁻¹Jᵀλ and J δv = −φ̇, δT = λ · (½φ̇ − φ_t)
                after = 0.5 * _along(t, floats(bodies, slots.PHI_DOT)) - _along(t, floats(bodies, slots.PHI_T))
            book_loss(bodies, before, before + after)
            return


@once
def _close_gap(t, gap):
    """The smallest change (T_CORRECTION), in the metric of the mass, that closes the gaps of loops; returns the largest of these."""
    bodies, r, worst = ints(t, T_BODIES), floats(t, T_RESIDUAL), 0.0
    joint_c = ints(bodies, slots.JOINT_C)
    for k in range(ints(t, T_COUNT)[N_LOOP]):
        loop = at(ints(t, T_LOOP), LOOP * k)
        for c in range(loop[2]):
            r[loop[1] + c] = -gap[joint_c[loop[0]] + c]
            worst = max(worst, abs(r[loop[1] + c]))
    _do(t, K_SOLVE)
    return worst


@once
def _along(t, x):
    """λ · x over the equations of loops."""
    joint_c, lam, total = ints(ints(t, T_BODIES), slots.JOINT_C), floats(t, T_LAMBDA), 0.0
    for k in range(ints(t, T_COUNT)[N_LOOP]):
        loop = at(ints(t, T_LOOP), LOOP * k)
        for c in range(loop[2]):
            total += lam[loop[1] + c] * x[joint_c[loop[0]] + c]
    return total


@helper
def _retract(t, delta):
    """q ← q ⊕ δ."""
    motion, nv, R = ints(t, T_MOTION), ints(t, T_NV), floats(t, T_R)
    for i in range(ints(t, T_COUNT)[N_LINK]):
        q, d = at(floats(t, T_Q), ints(t, T_Q0)[i]), at(delta, ints(t, T_V0)[i])
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
    t, status = _tree(ctx), ints(ctx, slots.STATUS)
    joints, count = ints(t, T_JOINTS), ints(ctx, slots.COUNT)
    joints[slots.SAMPLE_T] = ctx[slots.SAMPLE_T]
    ints(joints, slots.ROUTINE)[slots.R_CHECK] = ints(ctx, slots.ROUTINE)[slots.R_CHECK]
    own = ints(joints, slots.COUNT)
    for k in range(slots.N_EVERY, slots.COUNTS):
        own[k] = count[k]
    for _ in range(n):
        done = status[slots.ST_STEPS]
        _keep(ctx)
        _do(t, K_OBSERVE)
        ints(t, T_COUNT)[LOOKS] = 0
        call(ints(ctx, slots.ROUTINE)[slots.R_STEPS], joints, 1, 0)
        if status[slots.ST_STEPS] == done:  # the state is as it was, to the last bit, whatever was looked at
            _put_back(ctx)
            return
        begin_placing(t)
        for i in range(ints(t, T_COUNT)[N_LINK]):
            place(t, i)
            move(t, i)
        _put_back(ctx)  # as when publishing
        _do(t, K_SETTLE)
        if status[slots.ST_CODE] != slots.CODE_OK:
            return


@entry
def tidy(ctx, unused, unused_too):
    """Bodies of subsystems to where the joint coordinates that are read off them say; for solvers in other coordinates."""
    t = ints(ints(ctx, slots.ROUTINE), slots.R_TREE)
    _do(t, K_OBSERVE)
    begin_placing(t)
    for i in range(ints(t, T_COUNT)[N_LINK]):
        place(t, i)
        move(t, i)
    _do(t, K_SETTLE)
