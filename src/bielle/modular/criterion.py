"""The criterion of stability: how stiff an explicit joint may be, given what else holds on to the bodies it joins.

The rows of a loose joint j see, through the components they act on, the inverse mass A_jj = J_j R J_jᵀ (R: response of a component to
forces), and are coupled by A_jk = J_j R J_kᵀ to joints k that share a component with it. If the springs of a joint are s_j A_jj⁻¹, gaps
oscillate with ω² the eigenvalues of S A, S = diag(s_j A_jj⁻¹). With A_jj = L_j L_jᵀ these are at most (Gershgorin's theorem for blocks)

    ω² ≤ max_j s_j κ_j,   κ_j = 1 + Σ_{k≠j} ‖L_j⁻¹ A_jk L_k⁻ᵀ‖

so that s_j = ω²/κ_j keeps all of them below ω², whatever the mechanism. The mass seen by a joint is m_j = A_jj⁻¹/κ_j. The sources take the
rows one by one and κ = 1, which is right for one equation alone. A_jk comes from the component in common, L_k from the neighbour: nobody
needs to know more than his neighbours. Norms of blocks are at most 1, so that κ is at most one more than the number of neighbours.
"""

import math

from ..kernels.lazy import helper, once
from ..kernels.pointers import at, copy
from .pieces import clear_bodies, load_rows, solve

DEPENDENT = 1e-12  # of a diagonal entry: a pivot below it belongs to a row that follows from others


@once
def respond_locally(ctx, plan, c):
    """A_jk of the loose joints that act on component c, to its place in P_LOCAL."""
    inside = plan.inside
    rhs, local = inside.rhs, at(plan.local, plan.locals[c])
    touches, touch, joint_c = plan.touches, plan.touch, ctx.joint_c
    n_rows = 0
    for n in range(touches[c], touches[c + 1]):
        n_rows += joint_c[touch[n] + 1] - joint_c[touch[n]]
    if plan.lone[c] >= 0:
        _respond_alone(ctx, plan, c, n_rows, at(rhs, inside.body_row[plan.lone[c]]), local)
        return
    row = 0
    for n in range(touches[c], touches[c + 1]):
        j = touch[n]
        for r in range(joint_c[j + 1] - joint_c[j]):
            clear_bodies(ctx, plan, c, rhs)
            load_rows(ctx, plan, c, plan.wanted, 0.0, rhs)
            _push(ctx, plan, c, j, r, rhs)
            solve(plan, c, 0)
            _keep_holding(plan, c, row, rhs)
            column = 0
            for m in range(touches[c], n + 1):  # the other half follows by symmetry
                k = touch[m]
                for q in range(joint_c[k + 1] - joint_c[k]):
                    rate = _rate(ctx, plan, c, k, q, rhs)
                    local[row * n_rows + column] = rate
                    local[column * n_rows + row] = rate
                    column += 1
            row += 1


@once
def _keep_holding(plan, c, row, x):
    """Of the answer x to a push of a loose joint, what the joints inside component c hold against it: row of P_HOLD."""
    inside, joints, joint = plan.inside, plan.joints, plan.joint
    joint_c, joint_row, width, k = inside.joint_c, inside.joint_row, 0, 0
    for n in range(joints[c], joints[c + 1]):
        width += joint_c[joint[n] + 1] - joint_c[joint[n]]
    held = at(plan.hold, plan.holds[c] + row * width)
    for n in range(joints[c], joints[c + 1]):
        for r in range(joint_c[joint[n] + 1] - joint_c[joint[n]]):
            held[k] = x[joint_row[joint[n]] + r]
            k += 1


@once
def _respond_alone(ctx, plan, c, n_rows, x, local):
    """The same of a body alone: J_j M⁻¹ J_kᵀ; x is where :func:`solve` finds what acts on it."""
    touches, touch, joint_c, b = plan.touches, plan.touch, ctx.joint_c, plan.lone[c]
    nv, row = ctx.body_nv[b], 0
    for n in range(touches[c], touches[c + 1]):
        J = _block(ctx, touch[n], b)
        for r in range(joint_c[touch[n] + 1] - joint_c[touch[n]]):
            copy(nv, at(J, r * nv), x)
            solve(plan, c, 0)
            column = 0
            for m in range(touches[c], n + 1):
                K = _block(ctx, touch[m], b)
                for q in range(joint_c[touch[m] + 1] - joint_c[touch[m]]):
                    rate = 0.0
                    for i in range(nv):
                        rate += K[q * nv + i] * x[i]
                    local[row * n_rows + column] = rate
                    local[column * n_rows + row] = rate
                    column += 1
            row += 1


@helper
def _block(ctx, j, b):
    """The Jacobian of joint j with respect to body b."""
    jb_body, s = ctx.jb_body, ctx.jb_start[j]
    while jb_body[s] != b:
        s += 1
    return at(ctx.jac, ctx.jb_offset[s])


@once
def _push(ctx, plan, c, j, r, rhs):
    """rhs += J_rᵀ of joint j on the bodies of component c."""
    of_body, body_row, body_nv = plan.of_body, plan.inside.body_row, ctx.body_nv
    jb_start, jb_body, jb_offset = ctx.jb_start, ctx.jb_body, ctx.jb_offset
    jac = ctx.jac
    for s in range(jb_start[j], jb_start[j + 1]):
        b = jb_body[s]
        if of_body[b] == c:
            nv = body_nv[b]
            for i in range(nv):
                rhs[body_row[b] + i] += jac[jb_offset[s] + r * nv + i]


@once
def _rate(ctx, plan, c, j, r, x):
    """J_r x of joint j on the bodies of component c."""
    of_body, body_row, body_nv = plan.of_body, plan.inside.body_row, ctx.body_nv
    jb_start, jb_body, jb_offset = ctx.jb_start, ctx.jb_body, ctx.jb_offset
    jac = ctx.jac
    total = 0.0
    for s in range(jb_start[j], jb_start[j + 1]):
        b = jb_body[s]
        if of_body[b] == c:
            nv = body_nv[b]
            for i in range(nv):
                total += jac[jb_offset[s] + r * nv + i] * x[body_row[b] + i]
    return total


@once
def see_inverse_mass(ctx, plan, j):
    """A_jj of loose joint j as L Lᵀ, with the inverses of the diagonal of L in its place.

    A row that follows from others, or acts on nothing, has 0 there, and no part in it.
    """
    joint_c = ctx.joint_c
    local, locals_, wheres, where = plan.local, plan.locals, plan.wheres, plan.where
    L, n = at(plan.inverse, plan.inverses[j]), joint_c[j + 1] - joint_c[j]
    for r in range(n):
        for q in range(r + 1):
            total = 0.0
            for w in range(wheres[j], wheres[j + 1]):
                c, offset, n_rows = where[3 * w], where[3 * w + 1], where[3 * w + 2]
                total += local[locals_[c] + (offset + r) * n_rows + offset + q]
            L[r * n + q] = total
    for r in range(n):
        whole = L[r * n + r]
        for q in range(r + 1):
            total = L[r * n + q]
            for i in range(q):
                total -= L[r * n + i] * L[q * n + i]
            if q < r:
                L[r * n + q] = total * L[q * n + q]
            else:
                L[r * n + r] = 1.0 / math.sqrt(total) if total > DEPENDENT * whole else 0.0


@once
def see_coupling(ctx, plan, j, t):
    """κ of loose joint j."""
    joint_c, inverses = ctx.joint_c, plan.inverses
    local, locals_, wheres, where = plan.local, plan.locals, plan.wheres, plan.where
    inverse, touches, touch = plan.inverse, plan.touches, plan.touch
    nj = joint_c[j + 1] - joint_c[j]
    scratch = at(plan.scratch, 64 * t)
    coupling = 1.0
    for w in range(wheres[j], wheres[j + 1]):
        c, offset, n_rows = where[3 * w], where[3 * w + 1], where[3 * w + 2]
        column = 0
        for m in range(touches[c], touches[c + 1]):
            k = touch[m]
            nk = joint_c[k + 1] - joint_c[k]
            if k != j:
                block = at(local, locals_[c] + offset * n_rows + column)
                coupling += _norm(at(inverse, inverses[j]), nj, at(inverse, inverses[k]), nk, block, n_rows, scratch)
            column += nk
    plan.coupling[j] = coupling


@once
def _norm(L, n, K, m, block, stride, scratch):
    """A bound of ‖L⁻¹ B K⁻ᵀ‖₂, at most 8 × 8: the smaller of Frobenius' norm and √(‖·‖₁ ‖·‖∞)."""
    for r in range(n):
        for q in range(m):
            total = block[r * stride + q]
            for i in range(r):
                total -= L[r * n + i] * scratch[i * m + q]
            scratch[r * m + q] = total * L[r * n + r]
    squares, widest, tallest = 0.0, 0.0, 0.0
    for r in range(n):
        wide = 0.0
        for q in range(m):
            total = scratch[r * m + q]
            for i in range(q):
                total -= K[q * m + i] * scratch[r * m + i]
            total *= K[q * m + q]
            scratch[r * m + q] = total
            squares += total * total
            wide += abs(total)
        widest = max(widest, wide)
    for q in range(m):
        tall = 0.0
        for r in range(n):
            tall += abs(scratch[r * m + q])
        tallest = max(tallest, tall)
    return min(math.sqrt(squares), math.sqrt(widest * tallest))


@once
def weigh(ctx, plan, j, y):
    """y ← m_j y, with the mass m_j = A_jj⁻¹/κ_j that joint j sees; y are the rows of the joint."""
    joint_c = ctx.joint_c
    L, n, share = at(plan.inverse, plan.inverses[j]), joint_c[j + 1] - joint_c[j], 1.0 / plan.coupling[j]
    for r in range(n):
        total = y[r] * share
        for i in range(r):
            total -= L[r * n + i] * y[i]
        y[r] = total * L[r * n + r]
    for r in range(n - 1, -1, -1):
        total = y[r]
        for i in range(r + 1, n):
            total -= L[i * n + r] * y[i]
        y[r] = total * L[r * n + r]
