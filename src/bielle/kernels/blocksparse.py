"""Block LDLᵀ of the quasi-definite KKT matrix [M Jᵀ; J −μ], and its solution.

K (v̇, −λ)ᵀ would be the classical sign; here multipliers enter as M v̇ = f + Jᵀλ, so the unknown of the second block is −λ:

    M v̇ + Jᵀ(−λ) = f
    J v̇ − μ(−λ)  = d + μ λ_k        (proximal iteration k; the fixed point satisfies J v̇ = d)

which is the augmented-Lagrangian iteration with penalty α = 1/μ, without ever forming M + αJᵀJ. Redundant rows and momentary
rank loss leave the matrix regular. No pivoting: see :mod:`bielle.topology.elimination`.
"""

import math

import numpy as np

from .lazy import entry, helper
from .pointers import at, call, clear, copy


@helper
def _factor_dense(A, n):
    """A (n × n, row-major, lower part read) ← unit-lower L below the diagonal, 1/D on it. Unpivoted LDLᵀ."""
    for i in range(n):
        for j in range(i):  # y_j = A_ij − Σ y_k L_jk, kept unscaled in row i
            y = A[i * n + j]
            for k in range(j):
                y -= A[i * n + k] * A[j * n + k]
            A[i * n + j] = y
        d = A[i * n + i]
        for j in range(i):
            y = A[i * n + j]
            l = y * A[j * n + j]
            d -= y * l
            A[i * n + j] = l
        A[i * n + i] = 1.0 / d


@helper
def _load(ctx, lu, mass):
    """Copy mass, coupling, −μ and Jacobian blocks to their places in the factor."""
    count = ctx.count
    node_size, node_diag = ctx.node_size, ctx.node_diag
    n = count.node
    if n > 0:  # everything after the first diagonal block, in one sweep
        last = n - 1
        end = node_diag[last] + node_size[last] * node_size[last]
        clear(end, lu)
    body_nv, body_m, body_load = ctx.body_nv, ctx.body_m, ctx.body_load
    for b in range(count.body):
        target = body_load[b]
        if target >= 0:
            copy(body_nv[b] * body_nv[b], at(mass, body_m[b]), at(lu, target))
    joint_c, joint_load, mu = ctx.joint_c, ctx.joint_load, ctx.mu
    jb_start, jb_body, jb_offset = ctx.jb_start, ctx.jb_body, ctx.jb_offset
    jb_load, jb_flip, jac = ctx.jb_load, ctx.jb_flip, ctx.jac
    for j in range(count.joint):
        c0 = joint_c[j]
        nc = joint_c[j + 1] - c0
        for r in range(nc):
            lu[joint_load[j] + r * nc + r] = -mu[c0 + r]
        for s in range(jb_start[j], jb_start[j + 1]):
            nv = body_nv[jb_body[s]]
            source, target = jb_offset[s], jb_load[s]
            if jb_flip[s] == 0:
                copy(nc * nv, at(jac, source), at(lu, target))
            else:
                for r in range(nc):
                    for i in range(nv):
                        lu[target + i * nc + r] = jac[source + r * nv + i]


@helper
def _scale_column(s, D, B, temp, rows):
    """temp = B L⁻ᵀ, B = temp D⁻¹ for the rows of B below a diagonal block of size s."""
    for r in range(rows):
        for j in range(s):
            y = B[r * s + j]
            for i in range(j):
                y -= temp[r * s + i] * D[j * s + i]
            temp[r * s + j] = y
        for j in range(s):
            B[r * s + j] = temp[r * s + j] * D[j * s + j]


@helper
def _subtract_products(s, target, Bi, Tj, si, sj, triangle):
    """target (si × sj) −= Bi Tjᵀ, both with rows of length s; of a diagonal target only the lower triangle is ever read."""
    for i in range(si):
        for j in range(i + 1 if triangle else sj):
            y = target[i * sj + j]
            for m in range(s):
                y -= Bi[i * s + m] * Tj[j * s + m]
            target[i * sj + j] = y


@helper
def eliminate_node(ctx, lu, temp, k, u):
    """Eliminate node k, right-looking; u: where its updates begin. Returns where those of the next do.

    The common sizes are passed on as literals, so that the inner loops unroll.
    """
    size, diag, col_start = ctx.node_size, ctx.node_diag, ctx.col_start
    sub_node, sub_block, update = ctx.sub_node, ctx.sub_block, ctx.update
    s = size[k]
    D = at(lu, diag[k])
    if s == 3:
        _factor_dense(D, 3)
    elif s == 2:
        _factor_dense(D, 2)
    else:
        _factor_dense(D, s)
    a, b = col_start[k], col_start[k + 1]
    if a == b:
        return u
    base = sub_block[a]  # the blocks of a column lie one after the other
    B = at(lu, base)
    rows = 0
    for p in range(a, b):
        rows += size[sub_node[p]]
    if s == 3:
        _scale_column(3, D, B, temp, rows)
    elif s == 2:
        _scale_column(2, D, B, temp, rows)
    elif s == 6:
        _scale_column(6, D, B, temp, rows)
    else:
        _scale_column(s, D, B, temp, rows)
    for p in range(a, b):
        sj = size[sub_node[p]]
        Tj = at(temp, sub_block[p] - base)
        for q in range(p, b):
            si = size[sub_node[q]]
            Bi, target = at(B, sub_block[q] - base), at(lu, update[u])
            u += 1
            if s == 3:
                _subtract_products(3, target, Bi, Tj, si, sj, q == p)
            elif s == 2:
                _subtract_products(2, target, Bi, Tj, si, sj, q == p)
            elif s == 6:
                _subtract_products(6, target, Bi, Tj, si, sj, q == p)
            else:
                _subtract_products(s, target, Bi, Tj, si, sj, q == p)
    return u


@entry
def factor(ctx, first, last):
    """Factor [M Jᵀ; J −μ]; ``first`` = 1 takes the mass as an implicit scheme sees it, with the couplings of forces."""
    lu, mass = ctx.lu, ctx.mass
    ctx.status.factorisations += 1
    couplings = 0
    if first != 0:
        mass, couplings = ctx.mass_hat, ctx.count.couple
    _load(ctx, lu, mass)
    couple, coupling = ctx.couple, ctx.coupling
    for c in range(couplings):
        source, target, rows, cols = couple[6 * c + 2], couple[6 * c + 3], couple[6 * c + 4], couple[6 * c + 5]
        for i in range(rows * cols):
            lu[target + i] += coupling[source + i]
    call(ctx.routine.eliminate, ctx, 0, 0)


@entry
def eliminate(ctx, first, last):
    """Factor the blocks that stand in lu."""
    lu, temp, u = ctx.lu, ctx.lu_temp, 0
    for k in range(ctx.count.node):
        u = eliminate_node(ctx, lu, temp, k, u)


def places(row: np.ndarray, starts: np.ndarray) -> np.ndarray:
    """Where every equation, or velocity, is in the permuted right-hand side: those of a component begin at its row."""
    return np.repeat(row - starts[:-1], np.diff(starts)) + np.arange(starts[-1])


@helper
def scatter(ctx, body_side, joint_side):
    """Permute (body_side, joint_side) into the right-hand side."""
    count, rhs = ctx.count, ctx.rhs
    body_nv, body_v, body_row = ctx.body_nv, ctx.body_v, ctx.body_row
    joint_c, joint_row = ctx.joint_c, ctx.joint_row
    for b in range(count.body):
        for i in range(body_nv[b]):
            rhs[body_row[b] + i] = body_side[body_v[b] + i]
    for j in range(count.joint):
        for c in range(joint_c[j], joint_c[j + 1]):
            rhs[joint_row[j] + c - joint_c[j]] = joint_side[c]


@helper
def gather(ctx, body_side, joint_side):
    """Permute the solution back."""
    count, rhs = ctx.count, ctx.rhs
    body_nv, body_v, body_row = ctx.body_nv, ctx.body_v, ctx.body_row
    joint_c, joint_row = ctx.joint_c, ctx.joint_row
    for b in range(count.body):
        for i in range(body_nv[b]):
            body_side[body_v[b] + i] = rhs[body_row[b] + i]
    for j in range(count.joint):
        for c in range(joint_c[j], joint_c[j + 1]):
            joint_side[c] = rhs[joint_row[j] + c - joint_c[j]]


@helper
def _forward(s, k, lu, rhs, size, row, diag, col_start, sub_node, sub_block):
    """Forward substitution of node k of size s."""
    D, x = at(lu, diag[k]), at(rhs, row[k])
    for i in range(1, s):
        y = x[i]
        for j in range(i):
            y -= D[i * s + j] * x[j]
        x[i] = y
    for p in range(col_start[k], col_start[k + 1]):
        B, z = at(lu, sub_block[p]), at(rhs, row[sub_node[p]])
        for i in range(size[sub_node[p]]):
            y = z[i]
            for j in range(s):
                y -= B[i * s + j] * x[j]
            z[i] = y


@helper
def _backward(s, k, lu, rhs, size, row, diag, col_start, sub_node, sub_block):
    """Division by D and backward substitution of node k of size s."""
    D, x = at(lu, diag[k]), at(rhs, row[k])
    for i in range(s):
        x[i] *= D[i * s + i]
    for p in range(col_start[k], col_start[k + 1]):
        B, z = at(lu, sub_block[p]), at(rhs, row[sub_node[p]])
        for i in range(size[sub_node[p]]):
            for j in range(s):
                x[j] -= B[i * s + j] * z[i]
    for i in range(s - 2, -1, -1):
        y = x[i]
        for j in range(i + 1, s):
            y -= D[j * s + i] * x[j]
        x[i] = y


@helper
def forward_node(ctx, lu, rhs, k):
    """Forward substitution of node k; the common sizes as literals."""
    size, row = ctx.node_size, ctx.node_row
    diag, col_start = ctx.node_diag, ctx.col_start
    sub_node, sub_block = ctx.sub_node, ctx.sub_block
    s = size[k]
    if s == 3:
        _forward(3, k, lu, rhs, size, row, diag, col_start, sub_node, sub_block)
    elif s == 2:
        _forward(2, k, lu, rhs, size, row, diag, col_start, sub_node, sub_block)
    else:
        _forward(s, k, lu, rhs, size, row, diag, col_start, sub_node, sub_block)


@helper
def backward_node(ctx, lu, rhs, k):
    """Division by D and backward substitution of node k; the common sizes as literals."""
    size, row = ctx.node_size, ctx.node_row
    diag, col_start = ctx.node_diag, ctx.col_start
    sub_node, sub_block = ctx.sub_node, ctx.sub_block
    s = size[k]
    if s == 3:
        _backward(3, k, lu, rhs, size, row, diag, col_start, sub_node, sub_block)
    elif s == 2:
        _backward(2, k, lu, rhs, size, row, diag, col_start, sub_node, sub_block)
    else:
        _backward(s, k, lu, rhs, size, row, diag, col_start, sub_node, sub_block)


@entry
def solve(ctx, first, last):
    """rhs ← K⁻¹ rhs, in permuted order."""
    n, lu, rhs = ctx.count.node, ctx.lu, ctx.rhs
    for k in range(n):
        forward_node(ctx, lu, rhs, k)
    for k in range(n - 1, -1, -1):
        backward_node(ctx, lu, rhs, k)


@entry
def refuse(ctx, first, last):
    """In the place of factoring and solving where there is no matrix: nothing that is a number comes out of it."""
    count, rhs = ctx.count, ctx.rhs
    for i in range(count.v + count.c):
        rhs[i] = math.nan
