"""The evaluation program: everything about a model at (t, q, v), by calling the kernels of the kinds present.

A program is a list of rows (address, first, last). Rows of one kind are contiguous in their table, so each kind costs one call
per evaluation, whatever the number of its components, and a topology edit edits rows of tables, never code.
"""

from . import slots
from .lazy import entry, helper
from .pointers import at, call, floats, ints


@helper
def run(ctx, program, n):
    """Call the n kernels of a program."""
    for i in range(n):
        call(program[3 * i], ctx, program[3 * i + 1], program[3 * i + 2])


@helper
def find_rates(ctx, j):
    """Of joint j: φ̇ = Σ G_e ẋ_e + φ_t and γ = Σ (Ġ_e ẋ_e + G_e b_e) + φ̈_t, of which its kernel has written all but the terms in G."""
    dim = ints(ctx, slots.COUNT)[slots.N_DIM]
    joint_e, joint_c = ints(ctx, slots.JOINT_E), ints(ctx, slots.JOINT_C)
    x_dot, x_bias = floats(ctx, slots.X_DOT), floats(ctx, slots.X_BIAS)
    phi_t, phi_dot, gamma = floats(ctx, slots.PHI_T), floats(ctx, slots.PHI_DOT), floats(ctx, slots.GAMMA)
    e0, c0 = joint_e[j], joint_c[j]
    width = dim * (joint_e[j + 1] - e0)
    G = at(floats(ctx, slots.G), ints(ctx, slots.JOINT_G)[j])
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
    dim = ints(ctx, slots.COUNT)[slots.N_DIM]
    joint_e, joint_c = ints(ctx, slots.JOINT_E), ints(ctx, slots.JOINT_C)
    elem_body, elem_j, elem_block = ints(ctx, slots.ELEM_BODY), ints(ctx, slots.ELEM_J), ints(ctx, slots.ELEM_BLOCK)
    body_nv, jb_start, jb_offset = ints(ctx, slots.BODY_NV), ints(ctx, slots.JB_START), ints(ctx, slots.JB_OFFSET)
    jac, x_jac = floats(ctx, slots.JAC), floats(ctx, slots.X_JAC)
    e0, e1 = joint_e[j], joint_e[j + 1]
    nc = joint_c[j + 1] - joint_c[j]
    width = dim * (e1 - e0)
    for k in range(jb_offset[jb_start[j]], jb_offset[jb_start[j + 1]]):
        jac[k] = 0.0
    G = at(floats(ctx, slots.G), ints(ctx, slots.JOINT_G)[j])
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
    count = ints(ctx, slots.COUNT)
    run(ctx, ints(ctx, slots.PROGRAM), count[slots.N_PROGRAM])
    ints(ctx, slots.STATUS)[slots.ST_EVALUATIONS] += 1
    for j in range(count[slots.N_JOINT]):
        find_rates(ctx, j)
        find_jacobian(ctx, j)


@entry
def apply_forces(ctx, first, last):
    """Evaluate the forces and add J_eᵀ F_e of their elements to the generalised forces."""
    count = ints(ctx, slots.COUNT)
    if count[slots.N_FORCE] == 0:
        return
    run(ctx, ints(ctx, slots.FORCES), count[slots.N_FORCES])
    dim = count[slots.N_DIM]
    force_e = ints(ctx, slots.FORCE_E)
    elem_body, elem_j = ints(ctx, slots.ELEM_BODY), ints(ctx, slots.ELEM_J)
    body_nv, body_v = ints(ctx, slots.BODY_NV), ints(ctx, slots.BODY_V)
    x_jac, x_force, force = floats(ctx, slots.X_JAC), floats(ctx, slots.X_FORCE), floats(ctx, slots.FORCE)
    for e in range(force_e[0], force_e[count[slots.N_FORCE]]):
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
    count = ints(ctx, slots.COUNT)
    joint_c, jb_start = ints(ctx, slots.JOINT_C), ints(ctx, slots.JB_START)
    jb_body, jb_offset = ints(ctx, slots.JB_BODY), ints(ctx, slots.JB_OFFSET)
    body_nv, body_v = ints(ctx, slots.BODY_NV), ints(ctx, slots.BODY_V)
    jac = floats(ctx, slots.JAC)
    for j in range(count[slots.N_JOINT]):
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
    count, body_nv, body_v, body_m = ints(ctx, slots.COUNT), ints(ctx, slots.BODY_NV), ints(ctx, slots.BODY_V), ints(ctx, slots.BODY_M)
    mass = floats(ctx, slots.MASS)
    for b in range(count[slots.N_BODY]):
        nv, v0, m = body_nv[b], body_v[b], body_m[b]
        for i in range(nv):
            total = 0.0
            for k in range(nv):
                total += mass[m + i * nv + k] * x[v0 + k]
            out[v0 + i] += scale * total


@helper
def multiply_jacobian(ctx, x, out):
    """out += J x."""
    count, joint_c, jb_start = ints(ctx, slots.COUNT), ints(ctx, slots.JOINT_C), ints(ctx, slots.JB_START)
    jb_body, jb_offset = ints(ctx, slots.JB_BODY), ints(ctx, slots.JB_OFFSET)
    body_nv, body_v, jac = ints(ctx, slots.BODY_NV), ints(ctx, slots.BODY_V), floats(ctx, slots.JAC)
    for j in range(count[slots.N_JOINT]):
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
    count, body_nv, body_v, body_m = ints(ctx, slots.COUNT), ints(ctx, slots.BODY_NV), ints(ctx, slots.BODY_V), ints(ctx, slots.BODY_M)
    mass = floats(ctx, slots.MASS)
    total = 0.0
    for b in range(count[slots.N_BODY]):
        nv, v0, m = body_nv[b], body_v[b], body_m[b]
        for i in range(nv):
            for k in range(nv):
                total += 0.5 * v[v0 + i] * mass[m + i * nv + k] * v[v0 + k]
    return total


@entry
def retract(ctx, first, last):
    """q ← q ⊕ delta, body kind by body kind."""
    run(ctx, ints(ctx, slots.RETRACT), ints(ctx, slots.COUNT)[slots.N_RETRACT])


@entry
def commit(ctx, first, last):
    """Let components remember what they need of an accepted step."""
    run(ctx, ints(ctx, slots.COMMIT), ints(ctx, slots.COUNT)[slots.N_COMMIT])
