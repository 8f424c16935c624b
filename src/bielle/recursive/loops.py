"""Joints that close loops: their efforts, from what the trees answer to them.

With J the Jacobian of the equations of all such joints and M the mass matrix of the trees,

    Λ λ = r,    Λ = J M⁻¹ Jᵀ,    r = wanted − (φ̈ with λ = 0)

where M⁻¹ is not formed: an effort of one equation is handed down from the links it acts on to the root, as articulated bodies are
(f_parent = f − U D⁻¹ Sᵀf), and leaves y = Sᵀf with every link on its way, so that Λ = Σ_links Yᵀ D⁻¹ Y. Two joints have a block in
common only if their ways meet. Λ is regularised by μ and factored by blocks; the solution is refined against Λ without μ, like that of
the central solver, which removes the regularisation and leaves redundant equations with the smallest efforts that do.

μ says how near a singular position equations are given up: where the inverse mass that they see falls below μ/k, k being the number of
refinements. Nearer, rounding η of the gaps would turn velocities by η/s² (s: distance from there); but what forces do meanwhile is lost
when the joints take hold again, and grows with μ. The two balance where each joint has the μ of the central solver. There all joints
of a loop are soft by μ, and their compliances add up; here one has to stand for them: its μ is taken as many times as the loop has joints.

Rows of a loop (t.loop): joint, first equation in the order used here, their number, first and last entry, joints in the loop. An entry
(t.entry) is a link on the way of a loop: link, loop, where its efforts and its answers begin, entry of the parent (−1: none); deepest links
first. A product (t.product) is a link on the ways of two loops: link, where their answers begin, how many equations they have, where their
block is. T_ELEMENT: entry on which each element acts (−1: the ground).
"""

from ..kernels.lazy import entry, helper, once
from ..kernels.pointers import at, call, clear, copy
from .efforts import dot
from .links import cross

LOOP, ENTRY, PRODUCT = 6, 5, 6  # integers of a row
REFINEMENTS = 8  # at most, as in the central solver


@helper
def add_wrench(dim, is_point, x, G, o, weight, out):
    """out += weight · the effort on a link with origin o of an effort G on one of its points or directions x."""
    gz, xz, oz = 0.0, 0.0, 0.0
    if dim == 3:
        gz, xz, oz = G[2], x[2], o[2]
    r0, r1, r2 = x[0], x[1], xz
    if is_point == 1:
        r0, r1, r2 = x[0] - o[0], x[1] - o[1], xz - oz
        out[3] += weight * G[0]
        out[4] += weight * G[1]
        out[5] += weight * gz
    n0, n1, n2 = cross(r0, r1, r2, G[0], G[1], gz)
    out[0] += weight * n0
    out[1] += weight * n1
    out[2] += weight * n2


@entry
def respond(t, unused, unused_too):
    """The answers of the links to the efforts of all equations; then Λ, factored. Articulated bodies are at hand."""
    apply(t)
    for k in range(t.count.loop):
        loop = at(t.loop, LOOP * k)
        for n in range(loop[3], loop[4]):
            _hand_down(t, at(t.entry, ENTRY * n), loop[2])
    _multiply(t)


@once
def apply(t):
    """Efforts of all equations on the links their joints hold on to."""
    ctx = t.bodies
    dim = ctx.count.dim
    joint_e, joint_g, is_point = ctx.joint_e, ctx.joint_g, ctx.elem_point
    loops, entries, wrench = t.loop, t.entry, t.wrench
    element = 0
    for k in range(t.count.loop):
        loop = at(loops, LOOP * k)
        j, m = loop[0], loop[2]
        e0 = joint_e[j]
        width = dim * (joint_e[j + 1] - e0)
        G = at(ctx.g, joint_g[j])
        for n in range(loop[3], loop[4]):
            clear(6 * m, at(wrench, entries[ENTRY * n + 2]))
        for e in range(e0, joint_e[j + 1]):
            n = t.element[element]
            element += 1
            if n < 0:
                continue
            f, o = at(wrench, entries[ENTRY * n + 2]), at(t.pos, 3 * entries[ENTRY * n])
            x = at(ctx.x, dim * e)
            for r in range(m):
                add_wrench(dim, is_point[e], x, at(G, r * width + dim * (e - e0)), o, 1.0, at(f, 6 * r))


@once
def fill_jacobian(t, J):
    """J (equations, nv): what efforts of the equations do to the joints on their ways."""
    n = t.count.v
    clear(n * t.count.equation, J)
    apply(t)
    for k in range(t.count.loop):
        loop = at(t.loop, LOOP * k)
        for step in range(loop[3], loop[4]):
            row = at(t.entry, ENTRY * step)
            i, F, arm = row[0], at(t.wrench, row[2]), at(t.arm, 3 * row[0])
            for r in range(loop[2]):
                f = at(F, 6 * r)
                for c in range(t.nv[i]):
                    J[(loop[1] + r) * n + t.v0[i] + c] = dot(at(t.s, 36 * i + 6 * c), f)
                if row[4] >= 0:
                    _shift_to(f, arm, at(t.wrench, t.entry[ENTRY * row[4] + 2] + 6 * r))


@helper
def _shift_to(f, arm, up):
    """up += an effort on a link, seen from its parent's origin."""
    x0, x1, x2 = cross(arm[0], arm[1], arm[2], f[3], f[4], f[5])
    up[0] += f[0] + x0
    up[1] += f[1] + x1
    up[2] += f[2] + x2
    up[3] += f[3]
    up[4] += f[4]
    up[5] += f[5]


@once
def _hand_down(t, place, m):
    """What the efforts of m equations leave with a link, and what of them its parent gets."""
    i = place[0]
    nv, S, U, D = t.nv[i], at(t.s, 36 * i), at(t.u, 36 * i), at(t.d, 6 * i)
    F, Y, Z = at(t.wrench, place[2]), at(t.response, place[3]), at(t.weighted, place[3])
    arm = at(t.arm, 3 * i)
    for r in range(m):
        f, y, z = at(F, 6 * r), at(Y, nv * r), at(Z, nv * r)
        for k in range(nv - 1, -1, -1):
            y[k] = dot(at(S, 6 * k), f)
            z[k] = D[k] * y[k]
            for c in range(6):
                f[c] -= U[6 * k + c] * z[k]
        if place[4] >= 0:
            _shift_to(f, arm, at(t.wrench, t.entry[ENTRY * place[4] + 2] + 6 * r))


@once
def _multiply(t):
    """Λ + μ by blocks, and its factor."""
    ctx, matrix = t.bodies, t.matrix
    lu, mu, joint_c = matrix.lu, ctx.mu, ctx.joint_c
    last = matrix.count.node - 1
    clear(matrix.node_diag[last] + matrix.node_size[last] * matrix.node_size[last], lu)
    for p in range(t.count.product):
        row = at(t.product, PRODUCT * p)
        nv, Y, Z, block = t.nv[row[0]], at(t.response, row[1]), at(t.weighted, row[2]), at(lu, row[5])
        for r in range(row[3]):
            for c in range(row[4]):
                total = 0.0
                for k in range(nv):
                    total += Y[nv * r + k] * Z[nv * c + k]
                block[r * row[4] + c] += total
    for k in range(t.count.loop):
        loop, m = at(t.loop, LOOP * k), t.loop[LOOP * k + 2]
        block = at(lu, matrix.joint_load[k])
        for r in range(m):
            block[r * m + r] += loop[5] * mu[joint_c[loop[0]] + r]
    call(matrix.routine.eliminate, matrix, 0, 0)


@entry
def solve(t, unused, unused_too):
    """λ (t.lam) for the residuals r (t.residual), which are used up; the accelerations they cause (t.jump per link, t.correction)."""
    matrix, n = t.matrix, t.count.equation
    r, lam, rhs, row = t.residual, t.lam, matrix.rhs, matrix.joint_row
    clear(n, lam)
    size = _size(t, r)
    for iteration in range(REFINEMENTS):
        if iteration > 0 and _size(t, r) <= 1e-26 * size:
            break
        for k in range(t.count.loop):
            loop = at(t.loop, LOOP * k)
            copy(loop[2], at(r, loop[1]), at(rhs, row[k]))
        call(matrix.routine.solve, matrix, 0, 0)
        clear(6 * t.count.link, t.left)
        for k in range(t.count.loop):
            loop = at(t.loop, LOOP * k)
            change = at(rhs, row[k])
            for c in range(loop[2]):
                lam[loop[1] + c] += change[c]
            _gather(t, loop, change)
        for k in range(t.count.loop):
            _subtract(t, at(t.loop, LOOP * k), r)
    _accelerate(t, lam)


@helper
def _size(t, r):
    """The largest r²/μ: so equations between lengths compare with those between angles, and light bodies with heavy ones."""
    ctx, largest = t.bodies, 0.0
    mu, joint_c = ctx.mu, ctx.joint_c
    for k in range(t.count.loop):
        loop = at(t.loop, LOOP * k)
        for c in range(loop[2]):
            largest = max(largest, r[loop[1] + c] ** 2 / mu[joint_c[loop[0]] + c])
    return largest


@helper
def _gather(t, loop, lam):
    """u_link += Yᵀ λ, in T_LEFT."""
    for n in range(loop[3], loop[4]):
        row = at(t.entry, ENTRY * n)
        nv, Y, u = t.nv[row[0]], at(t.response, row[3]), at(t.left, 6 * row[0])
        for r in range(loop[2]):
            for k in range(nv):
                u[k] += Y[nv * r + k] * lam[r]


@helper
def _subtract(t, loop, r):
    """r −= Σ_links (D⁻¹ Y) u: what of the residual has been taken away."""
    for n in range(loop[3], loop[4]):
        row = at(t.entry, ENTRY * n)
        nv, Z, u = t.nv[row[0]], at(t.weighted, row[3]), at(t.left, 6 * row[0])
        for c in range(loop[2]):
            for k in range(nv):
                r[loop[1] + c] -= Z[nv * c + k] * u[k]


@helper
def _accelerate(t, lam):
    """δq̈ = M⁻¹Jᵀλ (t.correction), and what it makes of the accelerations of links (t.jump)."""
    clear(6 * t.count.link, t.left)
    for k in range(t.count.loop):
        loop = at(t.loop, LOOP * k)
        _gather(t, loop, at(lam, loop[1]))
    for i in range(t.count.link):
        parent, nv, arm, jump = t.parent[i], t.nv[i], at(t.arm, 3 * i), at(t.jump, 6 * i)
        clear(6, jump)
        if parent >= 0:
            p = at(t.jump, 6 * parent)
            x0, x1, x2 = cross(p[0], p[1], p[2], arm[0], arm[1], arm[2])
            jump[0], jump[1], jump[2], jump[3], jump[4], jump[5] = p[0], p[1], p[2], p[3] + x0, p[4] + x1, p[5] + x2
        U, D, S = at(t.u, 36 * i), at(t.d, 6 * i), at(t.s, 36 * i)
        u, out = at(t.left, 6 * i), at(t.correction, t.v0[i])
        for k in range(nv):
            out[k] = D[k] * (u[k] - dot(at(U, 6 * k), jump))
            for c in range(6):
                jump[c] += S[6 * k + c] * out[k]
