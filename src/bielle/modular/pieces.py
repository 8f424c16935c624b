"""What a component does with its own equations: [M Jᵀ; J −μ] of its bodies and of the joints inside it, factored and solved.

All components share one matrix, of which each has nodes of its own, and one right-hand side.
"""

from ..kernels import slots
from ..kernels.blocksparse import backward_node, eliminate_node, forward_node
from ..kernels.lazy import entry, helper, once
from ..kernels.pointers import at, call, clear, copy, floats, ints
from .plan import (
    K_SOLVE,
    P_BLOCK,
    P_BLOCKS,
    P_BODIES,
    P_BODY,
    P_ELEMENT,
    P_ELEMENTS,
    P_EXTERNAL,
    P_HELD,
    P_INSIDE,
    P_INSIDE_JOINT,
    P_INVERSE_MASS,
    P_JOINT,
    P_JOINTS,
    P_KERNEL,
    P_LEVEL,
    P_LONE,
    P_N_TEMP,
    P_NODE,
    P_NODES,
    P_OWN_BLOCK,
    P_OWN_BLOCKS,
    P_OWN_ELEMENT,
    P_OWN_ELEMENTS,
    P_RESPONSE,
    P_TEMP,
    P_UPDATE,
)


@entry
def factor_component(plan, c, thread):
    """Load and factor the matrix of component c at the present Jacobian."""
    inside = ints(plan, P_INSIDE)
    lu, mass, mu, jac = floats(inside, slots.LU), floats(inside, slots.MASS), floats(inside, slots.MU), floats(inside, slots.JAC)
    temp = at(floats(plan, P_TEMP), thread * plan[P_N_TEMP])
    nodes, node = ints(plan, P_NODES), ints(plan, P_NODE)
    size, diag, col_start = ints(inside, slots.NODE_SIZE), ints(inside, slots.NODE_DIAG), ints(inside, slots.COL_START)
    sub_node, sub_block = ints(inside, slots.SUB_NODE), ints(inside, slots.SUB_BLOCK)
    for n in range(nodes[c], nodes[c + 1]):
        k = node[n]
        clear(size[k] * size[k], at(lu, diag[k]))
        for p in range(col_start[k], col_start[k + 1]):
            clear(size[k] * size[sub_node[p]], at(lu, sub_block[p]))
    bodies, body = ints(plan, P_BODIES), ints(plan, P_BODY)
    body_nv, body_m, body_load = ints(inside, slots.BODY_NV), ints(inside, slots.BODY_M), ints(inside, slots.BODY_LOAD)
    for n in range(bodies[c], bodies[c + 1]):
        b = body[n]
        copy(body_nv[b] * body_nv[b], at(mass, body_m[b]), at(lu, body_load[b]))
    joints, joint, joint_c = ints(plan, P_JOINTS), ints(plan, P_JOINT), ints(inside, slots.JOINT_C)
    joint_load, jb_start, jb_body = ints(inside, slots.JOINT_LOAD), ints(inside, slots.JB_START), ints(inside, slots.JB_BODY)
    jb_offset, jb_load, jb_flip = ints(inside, slots.JB_OFFSET), ints(inside, slots.JB_LOAD), ints(inside, slots.JB_FLIP)
    for n in range(joints[c], joints[c + 1]):
        j = joint[n]
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
    update = ints(plan, P_UPDATE)
    for n in range(nodes[c], nodes[c + 1]):
        eliminate_node(inside, lu, temp, node[n], update[node[n]])


@entry
def solve_component(plan, c, response):
    """rhs ← K⁻¹ rhs in the rows of component c; ``response``: of P_RESPONSE instead of the right-hand side."""
    inside = ints(plan, P_INSIDE)
    rhs = floats(plan, P_RESPONSE) if response == 1 else floats(inside, slots.RHS)
    lu, nodes, node = floats(inside, slots.LU), ints(plan, P_NODES), ints(plan, P_NODE)
    for n in range(nodes[c], nodes[c + 1]):
        forward_node(inside, lu, rhs, node[n])
    for n in range(nodes[c + 1] - 1, nodes[c] - 1, -1):
        backward_node(inside, lu, rhs, node[n])


@once
def solve(plan, c, response):
    """:func:`solve_component`, or for a body alone x ← M⁻¹ x."""
    b = ints(plan, P_LONE)[c]
    if b < 0:
        call(ints(plan, P_KERNEL)[K_SOLVE], plan, c, response)
        return
    inside = ints(plan, P_INSIDE)
    rhs = floats(plan, P_RESPONSE) if response == 1 else floats(inside, slots.RHS)
    x, A = at(rhs, ints(inside, slots.BODY_ROW)[b]), at(floats(plan, P_INVERSE_MASS), ints(inside, slots.BODY_M)[b])
    if ints(inside, slots.BODY_NV)[b] == 3:
        a0, a1, a2 = x[0], x[1], x[2]
        for i in range(3):
            x[i] = A[3 * i] * a0 + A[3 * i + 1] * a1 + A[3 * i + 2] * a2
    else:
        b0, b1, b2, b3, b4, b5 = x[0], x[1], x[2], x[3], x[4], x[5]
        for i in range(6):
            row = at(A, 6 * i)
            x[i] = (row[0] * b0 + row[1] * b1 + row[2] * b2) + (row[3] * b3 + row[4] * b4 + row[5] * b5)


@helper
def load_forces(ctx, plan, c, lam, arrival, rhs):
    """Generalised forces on the bodies of component c: their own, of force elements on them, what acts from levels below, and Jᵀλ of loose
    joints, in a fixed order.

    ``arrival``: at the end of a step, where bodies that a level above has advanced have felt everything but what is of this level only.
    """
    inside, held = ints(plan, P_INSIDE), ints(plan, P_HELD)
    bodies, body = ints(plan, P_BODIES), ints(plan, P_BODY)
    body_nv, body_v, body_row = ints(ctx, slots.BODY_NV), ints(ctx, slots.BODY_V), ints(inside, slots.BODY_ROW)
    force, external = floats(ctx, slots.FORCE), floats(plan, P_EXTERNAL)
    for n in range(bodies[c], bodies[c + 1]):
        b = body[n]
        nv, x, first = body_nv[b], at(rhs, body_row[b]), body_v[b]
        if arrival == 1 and held[b] == 1:
            clear(nv, x)
            _add_elements(ctx, ints(plan, P_OWN_ELEMENTS), ints(plan, P_OWN_ELEMENT), b, nv, x)
        else:
            copy(nv, at(force, first), x)
            _add_elements(ctx, ints(plan, P_ELEMENTS), ints(plan, P_ELEMENT), b, nv, x)
            if plan[P_LEVEL] > 0:
                for i in range(nv):
                    x[i] += external[first + i]
    add_loose(ctx, plan, c, lam, rhs)


@helper
def _add_elements(ctx, elements, element, b, nv, out):
    """out += J_eᵀF of the force elements on body b."""
    x_force, x_jac, elem_j = floats(ctx, slots.X_FORCE), floats(ctx, slots.X_JAC), ints(ctx, slots.ELEM_J)
    dim = ints(ctx, slots.COUNT)[slots.N_DIM]
    for m in range(elements[b], elements[b + 1]):
        e = element[m]
        J = at(x_jac, elem_j[e])
        for k in range(dim):
            effort = x_force[dim * e + k]
            if effort != 0.0:
                for i in range(nv):
                    out[i] += J[k * nv + i] * effort


@helper
def act_from_this_level(ctx, plan, b, lam, out):
    """out += generalised forces on body b of the joints and forces that are of this level only."""
    blocks, block, joint_c = ints(plan, P_OWN_BLOCKS), ints(plan, P_OWN_BLOCK), ints(ctx, slots.JOINT_C)
    nv, jac, jb_offset = ints(ctx, slots.BODY_NV)[b], floats(ctx, slots.JAC), ints(ctx, slots.JB_OFFSET)
    _add_elements(ctx, ints(plan, P_OWN_ELEMENTS), ints(plan, P_OWN_ELEMENT), b, nv, out)
    for m in range(blocks[b], blocks[b + 1]):
        j = block[2 * m + 1]
        J = at(jac, jb_offset[block[2 * m]])
        for r in range(joint_c[j + 1] - joint_c[j]):
            effort = lam[joint_c[j] + r]
            for i in range(nv):
                out[i] += J[r * nv + i] * effort


@helper
def add_loose(ctx, plan, c, lam, rhs):
    """rhs += Jᵀλ of the loose joints that hold on to component c."""
    inside = ints(plan, P_INSIDE)
    bodies, body, blocks, block = ints(plan, P_BODIES), ints(plan, P_BODY), ints(plan, P_BLOCKS), ints(plan, P_BLOCK)
    body_nv, body_row, joint_c = ints(ctx, slots.BODY_NV), ints(inside, slots.BODY_ROW), ints(ctx, slots.JOINT_C)
    jac, jb_offset = floats(ctx, slots.JAC), ints(ctx, slots.JB_OFFSET)
    for n in range(bodies[c], bodies[c + 1]):
        b = body[n]
        nv, x = body_nv[b], at(rhs, body_row[b])
        for m in range(blocks[b], blocks[b + 1]):
            j = block[2 * m + 1]
            J = at(jac, jb_offset[block[2 * m]])
            for r in range(joint_c[j + 1] - joint_c[j]):
                effort = lam[joint_c[j] + r]
                for i in range(nv):
                    x[i] += J[r * nv + i] * effort


@helper
def clear_bodies(ctx, plan, c, rhs):
    """No forces on the bodies of component c."""
    bodies, body = ints(plan, P_BODIES), ints(plan, P_BODY)
    body_nv, body_row = ints(ctx, slots.BODY_NV), ints(ints(plan, P_INSIDE), slots.BODY_ROW)
    for n in range(bodies[c], bodies[c + 1]):
        clear(body_nv[body[n]], at(rhs, body_row[body[n]]))


@helper
def load_rows(ctx, plan, c, wanted, scale, rhs):
    """scale · wanted to the rows of the joints inside component c; wanted is in the model's numbering."""
    inside = ints(plan, P_INSIDE)
    joints, joint, of = ints(plan, P_JOINTS), ints(plan, P_JOINT), ints(plan, P_INSIDE_JOINT)
    joint_c, joint_row = ints(ctx, slots.JOINT_C), ints(inside, slots.JOINT_ROW)
    for n in range(joints[c], joints[c + 1]):
        j = of[joint[n]]
        row = joint_row[joint[n]]
        for r in range(joint_c[j + 1] - joint_c[j]):
            rhs[row + r] = scale * wanted[joint_c[j] + r]


@helper
def read_bodies(ctx, plan, c, rhs, out):
    """Accelerations of the bodies of component c."""
    bodies, body = ints(plan, P_BODIES), ints(plan, P_BODY)
    body_nv, body_v, body_row = ints(ctx, slots.BODY_NV), ints(ctx, slots.BODY_V), ints(ints(plan, P_INSIDE), slots.BODY_ROW)
    for n in range(bodies[c], bodies[c + 1]):
        b = body[n]
        copy(body_nv[b], at(rhs, body_row[b]), at(out, body_v[b]))


@helper
def add_multipliers(ctx, plan, c, rhs, scale, out, afresh):
    """out += scale · λ of the joints inside component c (``afresh``: out = …); the unknown of the matrix is −λ."""
    inside = ints(plan, P_INSIDE)
    joints, joint, of = ints(plan, P_JOINTS), ints(plan, P_JOINT), ints(plan, P_INSIDE_JOINT)
    joint_c, joint_row = ints(ctx, slots.JOINT_C), ints(inside, slots.JOINT_ROW)
    for n in range(joints[c], joints[c + 1]):
        j = of[joint[n]]
        row = joint_row[joint[n]]
        for r in range(joint_c[j + 1] - joint_c[j]):
            before = 0.0 if afresh == 1 else out[joint_c[j] + r]
            out[joint_c[j] + r] = before - scale * rhs[row + r]
