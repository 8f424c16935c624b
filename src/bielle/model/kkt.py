"""Layout of the KKT matrix: a node per body that moves, a node per joint, blocks where they meet."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..kernels import slots
from ..kernels.fields import MATRIX, Carving, Fields
from ..kernels.lazy import entry, once
from ..kernels.memory import Spares, Uncopyable, address_of
from ..kernels.pointers import at, context_at, ints
from ..topology.elimination import (
    FLIP,
    LOAD,
    N_FOUND,
    POSITION,
    SCRATCH,
    carve,
    find_order,
    first_capacity,
    found_blocks,
    scratch_length,
    store,
)
from .layout import Layout

__all__ = ["Matrix", "analyse_matrix"]


@dataclass(slots=True)
class Matrix(Uncopyable):
    """Layout of the KKT matrix."""

    sizes: np.ndarray  #: counts N_NODE … N_COUPLING
    fields: Fields
    addresses: np.ndarray


_spares = Spares(1, np.int64)
_NONE = np.zeros((0, 3), dtype=np.int64)
_MODEL, _EXTRA, _FIELDS, _NODES, _NODE, _SIZE, _WAIT, _PAIRS, _SCRATCH = range(9)  # what kernels are called with


def analyse_matrix(layout: Layout, coupled: bool = False) -> Matrix:
    """Order of elimination and where every block is loaded; ``coupled``: with the blocks by which forces couple bodies."""
    extra = force_couplings(layout) if coupled else _NONE
    count = layout.count.copy()
    nb, nj, nblock = count[[slots.N_BODY, slots.N_JOINT, slots.N_BLOCK]].tolist()
    most, m = nb + nj, nblock + len(extra)  # nodes at most; pairs of them
    own = nb + 2 * most + 2 * m
    capacity = first_capacity(most, m)
    args = np.zeros(_SCRATCH + SCRATCH, dtype=np.int64)
    while True:
        block = _spares.take(own + scratch_length(most, m, capacity))
        args[_MODEL], args[_EXTRA], args[_FIELDS] = address_of(layout.addresses), address_of(extra), address_of(block)
        _find(address_of(args), len(extra), capacity)
        if args[_NODES] >= 0:
            break
        capacity *= 4
    found = block[own : own + N_FOUND]
    count[slots.N_NODE] = args[_NODES]
    count[slots.N_SUB : slots.N_UPDATE + 1] = found[:2]
    count[slots.N_COUPLE] = len(extra)
    fields = Fields(MATRIX, Carving(count))
    addresses = fields.addresses
    args[_FIELDS] = address_of(addresses)
    _store(address_of(args), len(extra))
    count[slots.N_LU : slots.N_LU_TEMP + 1] = found[2:]
    if len(extra):
        load, flip = found_blocks(block[own:], most, m)
        table = _couple_table(load[nblock:], flip[nblock:], extra, layout.structure["body_nv"])
        fields["couple"][:] = table.reshape(-1)
        count[slots.N_COUPLING] = (table[:, 4] * table[:, 5]).sum()
    _spares.give_back(block)
    return Matrix(count[slots.N_NODE : slots.N_COUPLING + 1], fields, addresses)


@entry
def _find(args, n_extra, capacity):
    """Nodes, their sizes and whether they wait, the pairs of nodes that blocks join; their order. −1 nodes: the capacity is too small."""
    model, extra, base = context_at(args[_MODEL]), ints(args, _EXTRA), args[_FIELDS]
    count = model.count
    most, m = count.body + count.joint, count.block + n_extra
    args[_NODE] = base
    args[_SIZE] = base + 8 * count.body
    args[_WAIT] = args[_SIZE] + 8 * most
    args[_PAIRS] = args[_WAIT] + 8 * most
    carve(at(args, _SCRATCH), args[_PAIRS] + 16 * m, most, m, capacity)
    node, size, wait, pairs = ints(args, _NODE), ints(args, _SIZE), ints(args, _WAIT), ints(args, _PAIRS)
    body_nv, joint_c = model.body_nv, model.joint_c
    jb_start, jb_body = model.jb_start, model.jb_body
    nj, nblock = count.joint, count.block
    n = 0
    for b in range(count.body):
        node[b] = -1
        if body_nv[b] > 0:
            node[b] = n
            size[n] = body_nv[b]
            wait[n] = 0
            n += 1
    for j in range(nj):
        size[n + j] = joint_c[j + 1] - joint_c[j]
        wait[n + j] = 1
        for k in range(jb_start[j], jb_start[j + 1]):
            pairs[2 * k] = n + j
            pairs[2 * k + 1] = node[jb_body[k]]
    for k in range(n_extra):
        pairs[2 * (nblock + k)] = node[extra[3 * k + 1]]
        pairs[2 * (nblock + k) + 1] = node[extra[3 * k + 2]]
    fits = find_order(at(args, _SCRATCH), pairs, wait, n + nj, m, capacity)
    args[_NODES] = n + nj if fits else -1


@entry
def _store(args, n_extra, unused):
    """The factor's blocks; row and diagonal block of every body and joint, of which the ground has neither; Jacobian blocks."""
    model, node, size, pairs = context_at(args[_MODEL]), ints(args, _NODE), ints(args, _SIZE), ints(args, _PAIRS)
    fields, scratch, count = ints(args, _FIELDS), at(args, _SCRATCH), model.count
    nj, nblock = count.joint, count.block
    store(scratch, fields, pairs, size, args[_NODES], nblock + n_extra)
    position, row, diagonal = ints(scratch, POSITION), _field(fields, slots.NODE_ROW), _field(fields, slots.NODE_DIAG)
    body_row, body_load = _field(fields, slots.BODY_ROW), _field(fields, slots.BODY_LOAD)
    joint_row, joint_load = _field(fields, slots.JOINT_ROW), _field(fields, slots.JOINT_LOAD)
    for b in range(count.body):
        moves = node[b] >= 0
        place = position[node[b]] if moves else 0
        body_row[b] = row[place] if moves else 0
        body_load[b] = diagonal[place] if moves else -1
    for j in range(nj):
        place = position[args[_NODES] - nj + j]
        joint_row[j], joint_load[j] = row[place], diagonal[place]
    load, flip = ints(scratch, LOAD), ints(scratch, FLIP)
    jb_load, jb_flip = _field(fields, slots.JB_LOAD), _field(fields, slots.JB_FLIP)
    for k in range(nblock):
        jb_load[k], jb_flip[k] = load[k], flip[k]


@once
def _field(fields, slot):
    """A field of the matrix; they stand together."""
    return ints(fields, slot - slots.NODE_SIZE)


def force_couplings(layout: Layout) -> np.ndarray:
    """(k, 3) rows (force, body, body): every pair of moving bodies a force acts between, each pair once."""
    force_e, elem_body, body_nv = (layout.structure[name] for name in ("force_e", "elem_body", "body_nv"))
    rows = []
    for f in range(len(force_e) - 1):
        bodies = sorted({int(b) for b in elem_body[force_e[f] : force_e[f + 1]] if body_nv[b] > 0})
        rows += [(f, b, d) for i, b in enumerate(bodies) for d in bodies[i + 1 :]]
    return np.array(rows, dtype=np.int64).reshape(-1, 3)


def _couple_table(target: np.ndarray, flip: np.ndarray, couplings: np.ndarray, body_nv: np.ndarray) -> np.ndarray:
    """(k, 6) rows (force, body · nb + other body, offset in coupling, place in lu, rows, columns), the pair as it is stored."""
    first = np.where(flip == 1, couplings[:, 2], couplings[:, 1])
    second = np.where(flip == 1, couplings[:, 1], couplings[:, 2])
    sizes = body_nv[first] * body_nv[second]
    offset = np.cumsum(sizes) - sizes
    return np.column_stack([couplings[:, 0], first * len(body_nv) + second, offset, target, body_nv[first], body_nv[second]])
