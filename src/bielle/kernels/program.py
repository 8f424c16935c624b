"""The evaluation program: everything about a model at (t, q, v), by calling the kernels of the kinds present.

A program is a list of rows (address, first, last). Rows of one kind are contiguous in their table, so each kind costs one call
per evaluation, whatever the number of its components, and a topology edit edits rows of tables, never code.
"""

from .lazy import entry, helper
from .pointers import at, call


@helper
def run(ctx, program, n):
    """Call the n kernels of a program."""
    for i in range(n):
        call(program[3 * i], ctx, program[3 * i + 1], program[3 * i + 2])


@helper
def find_rates(ctx, j):
    """Of joint j: φ̇ = Σ G_e ẋ_e + φ_t and γ = Σ (Ġ_e ẋ_e + G_e b_e) + φ̈_t, of which its kernel has written all but the terms in G."""
    dim = ctx.count.dim
    joint_e, joint_c = ctx.joint_e, ctx.joint_c
    x_dot, x_bias = ctx.x_dot, ctx.x_bias
    phi_t, phi_dot, gamma = ctx.phi_t, ctx.phi_dot, ctx.gamma
    e0, c0 = joint_e[j], joint_c[j]
    width = dim * (joint_e[j + 1] - e0)
    G = at(ctx.g, ctx.joint_g[j])
    for r in range(joint_c[j + 1] - c0):
        rate, bias = phi_t[c0 + r], gamma[c0 + r]
        for k in range(width):
            rate += G[r * width + k] * x_dot[dim * e0 + k]
            bias += G[r * width + k] * x_bias[dim * e0 + k]
        phi_dot[c0 + r] = rate
        gamma[c0 + r] = bias


@helper
def find_jacobian(ctx, j):
    """Of joint j: J(joint, body) = Σ_e G_e J_e over its elements on that body."""
    dim = ctx.count.dim
    joint_e, joint_c = ctx.joint_e, ctx.joint_c
    elem_body, elem_j, elem_block = ctx.elem_body, ctx.elem_j, ctx.elem_block
    body_nv, jb_start, jb_offset = ctx.body_nv, ctx.jb_start, ctx.jb_offset
    jac, x_jac = ctx.jac, ctx.x_jac
    e0, e1 = joint_e[j], joint_e[j + 1]
    nc = joint_c[j + 1] - joint_c[j]
    width = dim * (e1 - e0)
    for k in range(jb_offset[jb_start[j]], jb_offset[jb_start[j + 1]]):
        jac[k] = 0.0
    G = at(ctx.g, ctx.joint_g[j])
    for e in range(e0, e1):
        block = elem_block[e]
        if block < 0:
            continue
        nv = body_nv[elem_body[e]]
        J_e = at(x_jac, elem_j[e])
        J = at(jac, block)
        column = dim * (e - e0)
        for r in range(nc):
            for k in range(dim):
                weight = G[r * width + column + k]
                if weight != 0.0:
                    for i in range(nv):
                        J[r * nv + i] += weight * J_e[k * nv + i]


@entry
def evaluate(ctx, first, last):
    """Bring signals, bodies, elements, joints, constraint residuals, Jacobian and bias up to date."""
    count = ctx.count
    run(ctx, ctx.program, count.program)
    ctx.status.evaluations += 1
    for j in range(count.joint):
        find_rates(ctx, j)
        find_jacobian(ctx, j)


@entry
def apply_forces(ctx, first, last):
    """Evaluate the forces and add J_eᵀ F_e of their elements to the generalised forces."""
    count = ctx.count
    if count.force == 0:
        return
    run(ctx, ctx.forces, count.forces)
    dim = count.dim
    force_e = ctx.force_e
    elem_body, elem_j = ctx.elem_body, ctx.elem_j
    body_nv, body_v = ctx.body_nv, ctx.body_v
    x_jac, x_force, force = ctx.x_jac, ctx.x_force, ctx.force
    for e in range(force_e[0], force_e[count.force]):
        b = elem_body[e]
        nv = body_nv[b]
        J_e = at(x_jac, elem_j[e])
        f = at(force, body_v[b])
        for k in range(dim):
            effort = x_force[dim * e + k]
            if effort != 0.0:
                for i in range(nv):
                    f[i] += J_e[k * nv + i] * effort


@helper
def add_constraint_forces(ctx, lam, scale, out):
    """out += scale · Jᵀ λ."""
    count = ctx.count
    joint_c, jb_start = ctx.joint_c, ctx.jb_start
    jb_body, jb_offset = ctx.jb_body, ctx.jb_offset
    body_nv, body_v = ctx.body_nv, ctx.body_v
    jac = ctx.jac
    for j in range(count.joint):
        c0 = joint_c[j]
        nc = joint_c[j + 1] - c0
        for s in range(jb_start[j], jb_start[j + 1]):
            b = jb_body[s]
            nv, v0 = body_nv[b], body_v[b]
            J = at(jac, jb_offset[s])
            for r in range(nc):
                effort = scale * lam[c0 + r]
                for i in range(nv):
                    out[v0 + i] += J[r * nv + i] * effort


@helper
def multiply_mass(ctx, x, scale, out):
    """out += scale · M x."""
    count, body_nv, body_v, body_m = ctx.count, ctx.body_nv, ctx.body_v, ctx.body_m
    mass = ctx.mass
    for b in range(count.body):
        nv, v0, m = body_nv[b], body_v[b], body_m[b]
        for i in range(nv):
            total = 0.0
            for k in range(nv):
                total += mass[m + i * nv + k] * x[v0 + k]
            out[v0 + i] += scale * total


@helper
def multiply_jacobian(ctx, x, out):
    """out += J x."""
    count, joint_c, jb_start = ctx.count, ctx.joint_c, ctx.jb_start
    jb_body, jb_offset = ctx.jb_body, ctx.jb_offset
    body_nv, body_v, jac = ctx.body_nv, ctx.body_v, ctx.jac
    for j in range(count.joint):
        c0 = joint_c[j]
        for s in range(jb_start[j], jb_start[j + 1]):
            nv, v0 = body_nv[jb_body[s]], body_v[jb_body[s]]
            for r in range(joint_c[j + 1] - c0):
                total = 0.0
                for i in range(nv):
                    total += jac[jb_offset[s] + r * nv + i] * x[v0 + i]
                out[c0 + r] += total


STILL = 1e-7  # [m/s, rad/s]: of slower changes of velocities nothing is thought


@helper
def kinetic(ctx, v):
    """½ vᵀMv."""
    count, body_nv, body_v, body_m = ctx.count, ctx.body_nv, ctx.body_v, ctx.body_m
    mass = ctx.mass
    total = 0.0
    for b in range(count.body):
        nv, v0, m = body_nv[b], body_v[b], body_m[b]
        for i in range(nv):
            for k in range(nv):
                total += 0.5 * v[v0 + i] * mass[m + i * nv + k] * v[v0 + k]
    return total


@entry
def retract(ctx, first, last):
    """q ← q ⊕ delta, body kind by body kind."""
    run(ctx, ctx.retract, ctx.count.retract)


@entry
def commit(ctx, first, last):
    """Let components remember what they need of an accepted step."""
    run(ctx, ctx.commit, ctx.count.commit)
