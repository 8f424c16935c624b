"""What a component does with its own equations: [M Jᵀ; J −μ] of its bodies and of the joints inside it, factored and solved.

All components share one matrix, of which each has nodes of its own, and one right-hand side.
"""

from ..kernels.blocksparse import backward_node, eliminate_node, forward_node
from ..kernels.lazy import entry, helper, once
from ..kernels.pointers import at, call, clear, copy


@entry
def factor_component(plan, c, thread):
    """Load and factor the matrix of component c at the present Jacobian."""
    inside = plan.inside
    lu, mass, mu, jac = inside.lu, inside.mass, inside.mu, inside.jac
    temp = at(plan.temp, thread * plan.n_temp)
    nodes, node = plan.nodes, plan.node
    size, diag, col_start = inside.node_size, inside.node_diag, inside.col_start
    sub_node, sub_block = inside.sub_node, inside.sub_block
    for n in range(nodes[c], nodes[c + 1]):
        k = node[n]
        clear(size[k] * size[k], at(lu, diag[k]))
        for p in range(col_start[k], col_start[k + 1]):
            clear(size[k] * size[sub_node[p]], at(lu, sub_block[p]))
    bodies, body = plan.bodies, plan.body
    body_nv, body_m, body_load = inside.body_nv, inside.body_m, inside.body_load
    for n in range(bodies[c], bodies[c + 1]):
        b = body[n]
        copy(body_nv[b] * body_nv[b], at(mass, body_m[b]), at(lu, body_load[b]))
    joints, joint, joint_c = plan.joints, plan.joint, inside.joint_c
    joint_load, jb_start, jb_body = inside.joint_load, inside.jb_start, inside.jb_body
    jb_offset, jb_load, jb_flip = inside.jb_offset, inside.jb_load, inside.jb_flip
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
    update = plan.update
    for n in range(nodes[c], nodes[c + 1]):
        eliminate_node(inside, lu, temp, node[n], update[node[n]])


@entry
def solve_component(plan, c, response):
    """rhs ← K⁻¹ rhs in the rows of component c; ``response``: of P_RESPONSE instead of the right-hand side."""
    inside = plan.inside
    rhs = plan.response if response == 1 else inside.rhs
    lu, nodes, node = inside.lu, plan.nodes, plan.node
    for n in range(nodes[c], nodes[c + 1]):
        forward_node(inside, lu, rhs, node[n])
    for n in range(nodes[c + 1] - 1, nodes[c] - 1, -1):
        backward_node(inside, lu, rhs, node[n])


@once
def solve(plan, c, response):
    """:func:`solve_component`, or for a body alone x ← M⁻¹ x."""
    b = plan.lone[c]
    if b < 0:
        call(plan.kernel.solve, plan, c, response)
        return
    inside = plan.inside
    rhs = plan.response if response == 1 else inside.rhs
    x, A = at(rhs, inside.body_row[b]), at(plan.inverse_mass, inside.body_m[b])
    if inside.body_nv[b] == 3:
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
    inside, held = plan.inside, plan.held
    bodies, body = plan.bodies, plan.body
    body_nv, body_v, body_row = ctx.body_nv, ctx.body_v, inside.body_row
    force, external = ctx.force, plan.external
    for n in range(bodies[c], bodies[c + 1]):
        b = body[n]
        nv, x, first = body_nv[b], at(rhs, body_row[b]), body_v[b]
        if arrival == 1 and held[b] == 1:
            clear(nv, x)
            _add_elements(ctx, plan.own_elements, plan.own_element, b, nv, x)
        else:
            copy(nv, at(force, first), x)
            _add_elements(ctx, plan.elements, plan.element, b, nv, x)
            if plan.level > 0:
                for i in range(nv):
                    x[i] += external[first + i]
    add_loose(ctx, plan, c, lam, rhs)


@helper
def _add_elements(ctx, elements, element, b, nv, out):
    """out += J_eᵀF of the force elements on body b."""
    x_force, x_jac, elem_j = ctx.x_force, ctx.x_jac, ctx.elem_j
    dim = ctx.count.dim
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
    blocks, block, joint_c = plan.own_blocks, plan.own_block, ctx.joint_c
    nv, jac, jb_offset = ctx.body_nv[b], ctx.jac, ctx.jb_offset
    _add_elements(ctx, plan.own_elements, plan.own_element, b, nv, out)
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
    inside = plan.inside
    bodies, body, blocks, block = plan.bodies, plan.body, plan.blocks, plan.block
    body_nv, body_row, joint_c = ctx.body_nv, inside.body_row, ctx.joint_c
    jac, jb_offset = ctx.jac, ctx.jb_offset
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
    bodies, body = plan.bodies, plan.body
    body_nv, body_row = ctx.body_nv, plan.inside.body_row
    for n in range(bodies[c], bodies[c + 1]):
        clear(body_nv[body[n]], at(rhs, body_row[body[n]]))


@helper
def load_rows(ctx, plan, c, wanted, scale, rhs):
    """scale · wanted to the rows of the joints inside component c; wanted is in the model's numbering."""
    inside = plan.inside
    joints, joint, of = plan.joints, plan.joint, plan.inside_joint
    joint_c, joint_row = ctx.joint_c, inside.joint_row
    for n in range(joints[c], joints[c + 1]):
        j = of[joint[n]]
        row = joint_row[joint[n]]
        for r in range(joint_c[j + 1] - joint_c[j]):
            rhs[row + r] = scale * wanted[joint_c[j] + r]


@helper
def read_bodies(ctx, plan, c, rhs, out):
    """Accelerations of the bodies of component c."""
    bodies, body = plan.bodies, plan.body
    body_nv, body_v, body_row = ctx.body_nv, ctx.body_v, plan.inside.body_row
    for n in range(bodies[c], bodies[c + 1]):
        b = body[n]
        copy(body_nv[b], at(rhs, body_row[b]), at(out, body_v[b]))


@helper
def add_multipliers(ctx, plan, c, rhs, scale, out, afresh):
    """out += scale · λ of the joints inside component c (``afresh``: out = …); the unknown of the matrix is −λ."""
    inside = plan.inside
    joints, joint, of = plan.joints, plan.joint, plan.inside_joint
    joint_c, joint_row = ctx.joint_c, inside.joint_row
    for n in range(joints[c], joints[c + 1]):
        j = of[joint[n]]
        row = joint_row[joint[n]]
        for r in range(joint_c[j + 1] - joint_c[j]):
            before = 0.0 if afresh == 1 else out[joint_c[j] + r]
            out[joint_c[j] + r] = before - scale * rhs[row + r]
