"""Places: where every element, joint and force begins in the arrays kernels share, counted in one pass.

A running simulation is laid out anew at every change of its topology. The same in NumPy is a few dozen small operations, which at a
hundred bodies take ten times as long.
"""

from __future__ import annotations

from itertools import accumulate

import numpy as np

from ..kernels.lazy import entry
from ..kernels.memory import Pool, address_of
from ..kernels.pointers import at, ints
from .rows import Rows

__all__ = ["place"]

_NAMES = ("elem_j", "elem_block", "elem_order", "joint_g", "joint_p", "jb_offset", "force_e", "force_p", "force_s", "force_k", "signal_p")
_N_DIM, _N_KIND, _N_ELEM, _N_SIGNAL, _N_PARAM = range(5)


def place(
    dim: int, bodies: Rows, joints: Rows, forces: Rows, elem_body: np.ndarray, body_nv: np.ndarray
) -> tuple[dict[str, np.ndarray], dict[str, int], list[int]]:
    """Fields by name; lengths of the fields they point into; and where, in elem_order, elements on the next kind of body begin."""
    nj, nf, ne, nblock = len(joints), len(forces), len(elem_body), joints.total("nb")
    signals = np.concatenate([joints.flat["signal_size"], forces.flat["signal_size"]])
    firsts = [first for first, _ in bodies.groups]
    numbers = np.array([dim, len(firsts), ne, len(signals), bodies.total("np"), *firsts, len(bodies)])
    lengths = (ne, ne, ne, nj, nj, nblock + 1, nf + 1, nf, nf, nf, len(signals))
    out = Pool(*lengths, 4, len(firsts) + 1)
    local, blocks = joints.flat["elem_local"], joints.flat["block_body"]
    given = (numbers, elem_body, body_nv, joints.offsets, forces.offsets, local, blocks, signals)
    ctx = np.array([*map(address_of, given), *out.addresses])
    _place(address_of(ctx), nj, nf)
    x_jac, g, jac, stiff = out[len(_NAMES)].tolist()
    totals = {"x_jac": x_jac, "g": g, "jac": jac, "x_stiff": stiff, "x_damp": stiff}
    bounds = list(accumulate(out[len(_NAMES) + 1].tolist()))
    return {name: out[k] for k, name in enumerate(_NAMES)}, totals, bounds


@entry
def _place(ctx, nj, nf):
    """Running sums of sizes; elements sorted by the kind of their body, in order."""
    numbers, elem_body, body_nv = ints(ctx, 0), ints(ctx, 1), ints(ctx, 2)
    joints, forces, local, jb_body, signals = ints(ctx, 3), ints(ctx, 4), ints(ctx, 5), ints(ctx, 6), ints(ctx, 7)
    elem_j, elem_block, elem_order = ints(ctx, 8), ints(ctx, 9), ints(ctx, 10)
    joint_g, joint_p, jb_offset = ints(ctx, 11), ints(ctx, 12), ints(ctx, 13)
    force_e, force_p, force_s, force_k, signal_p = ints(ctx, 14), ints(ctx, 15), ints(ctx, 16), ints(ctx, 17), ints(ctx, 18)
    totals, bounds = ints(ctx, 19), ints(ctx, 20)
    dim, n_kind, ne = numbers[_N_DIM], numbers[_N_KIND], numbers[_N_ELEM]
    kind_first = at(numbers, _N_PARAM + 1)
    # starts in the table of joints: elements, (four numbers each), equations, blocks, parameters, signals, (their numbers); of forces:
    # elements, (four numbers each), parameters, memory, signals, (their numbers)
    joint_e, joint_c, jb_start = joints, at(joints, 2 * (nj + 1)), at(joints, 3 * (nj + 1))
    joint_np, joint_ns = at(joints, 4 * (nj + 1)), at(joints, 5 * (nj + 1))
    force_ne, force_np, force_ns = forces, at(forces, 2 * (nf + 1)), at(forces, 4 * (nf + 1))

    entries = 0
    for k in range(n_kind + 1):
        bounds[k] = 0
    for e in range(ne):
        elem_j[e] = entries
        entries += dim * body_nv[elem_body[e]]
        elem_block[e] = -1
        kind = 0
        while kind_first[kind + 1] <= elem_body[e]:
            kind += 1
        bounds[kind + 1] += 1
    totals[0] = entries
    for kind in range(n_kind):  # few kinds: a pass over the elements for each keeps their order
        place = 0
        for k in range(kind + 1):
            place += bounds[k]
        for e in range(ne):
            if kind_first[kind] <= elem_body[e] < kind_first[kind + 1]:
                elem_order[place] = e
                place += 1

    gradient, jacobian = 0, 0
    for j in range(nj):
        equations = joint_c[j + 1] - joint_c[j]
        joint_g[j] = gradient
        gradient += equations * dim * (joint_e[j + 1] - joint_e[j])
        joint_p[j] = numbers[_N_PARAM] + joint_np[j]
        for k in range(jb_start[j], jb_start[j + 1]):
            jb_offset[k] = jacobian
            jacobian += equations * body_nv[jb_body[k]]
        for e in range(joint_e[j], joint_e[j + 1]):
            if local[e] >= 0:
                elem_block[e] = jb_offset[jb_start[j] + local[e]]
    jb_offset[jb_start[nj]] = jacobian
    totals[1], totals[2] = gradient, jacobian

    parameter, tangent = numbers[_N_PARAM] + joint_np[nj], 0
    for f in range(nf):
        force_e[f] = joint_e[nj] + force_ne[f]
        force_p[f] = parameter + force_np[f]
        force_s[f] = joint_ns[nj] + force_ns[f]
        force_k[f] = tangent
        width = dim * (force_ne[f + 1] - force_ne[f])
        tangent += width * width
    force_e[nf] = joint_e[nj] + force_ne[nf]
    totals[3] = tangent
    parameter += force_np[nf]
    for s in range(numbers[_N_SIGNAL]):
        signal_p[s] = parameter
        parameter += signals[s]
