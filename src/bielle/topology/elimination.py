"""Elimination order and fill of a symmetric block matrix, by minimum degree, in microseconds.

The matrix is [M Jᵀ; J −μI]: a node per body, a node per joint. It is quasi-definite, so LDLᵀ exists for every order of elimination
(Vanderbei, *Symmetric quasidefinite matrices*, SIAM J. Optim. 5, 1995), and the order can be chosen for sparsity alone, once per topology.
One restriction keeps the rounding error small: a joint is eliminated only after one of its bodies, because its own pivot −μ is tiny,
whereas −(μ + J M⁻¹ Jᵀ) is not.
"""

from dataclasses import dataclass

import numpy as np

from ..kernels.lazy import entry, helper
from ..kernels.memory import address_of
from ..kernels.pointers import at, ints

__all__ = ["Elimination", "analyse"]


@dataclass
class Elimination:
    """Order and storage of the factor; all indices below are positions in the order of elimination."""

    order: np.ndarray  #: (n,) node eliminated at each position
    position: np.ndarray  #: (n,) position of each node
    row: np.ndarray  #: (n+1,) first row of each position in the permuted vector
    size: np.ndarray  #: (n,) rows of each position
    diagonal: np.ndarray  #: (n,) offset of each diagonal block
    column: np.ndarray  #: (n+1,) first sub-diagonal block of each position
    sub_node: np.ndarray  #: (nsub,) row position of each sub-diagonal block
    sub_block: np.ndarray  #: (nsub,) its offset
    update: np.ndarray  #: targets of the elimination, in the order they are met
    load: np.ndarray  #: (m,) offset of the block of each pair (i, j) given
    flip: np.ndarray  #: (m,) 1 where it is stored as (j, i)
    length: int  #: number of stored entries
    scratch: int  #: largest scratch a column needs


def analyse(size: np.ndarray, wait: np.ndarray, pairs: np.ndarray) -> Elimination:
    """Order and lay out the factor of a symmetric block matrix.

    size  (n,)   rows of each node
    wait  (n,)   1 for nodes that may go only after one of their neighbours with 0 (joints after a body)
    pairs (m, 2) nodes joined by a nonzero block; any order, duplicates allowed, no node with itself
    """
    n, m = len(size), len(pairs)
    size, wait, pairs = (np.ascontiguousarray(a, dtype=np.int64) for a in (size, wait, pairs))
    given = [address_of(pairs), address_of(size), address_of(wait)]
    capacity = 8 * m + 4 * n + 16
    while True:
        block = np.empty(_SCRATCH + 11 * n + 8 + 2 * m + 2 * capacity, dtype=np.int64)
        block[0] = capacity
        found = np.array([*given, address_of(block)])
        _find_order(address_of(found), n, m)
        fits, nsub, updates = block[1:4].tolist()
        if fits:
            break
        capacity *= 4
    lengths = (n, n, n + 1, n, n, n + 1, nsub, nsub, updates, m, m)
    kept = np.empty(sum(lengths) + 1, dtype=np.int64)
    found = np.array([*given, address_of(block), address_of(kept)])
    _store(address_of(found), n, m)
    arrays, first = [], 0
    for entries in lengths:
        arrays.append(kept[first : first + entries])
        first += entries
    return Elimination(*arrays, *block[4:6].tolist())


_SCRATCH = 8  # in front: capacity of the pools, whether they sufficed, sub-diagonal blocks, updates, length and scratch of the factor


@entry
def _find_order(ctx, n, m):
    """Neighbours, minimum degree, and the sizes of what follows from it. Arrays stand one after the other in the scratch block."""
    pairs, wait, block = ints(ctx, 0), ints(ctx, 2), ints(ctx, 3)
    capacity = block[0]
    order, col_start, adj_start = at(block, _SCRATCH), at(block, _SCRATCH + n), at(block, _SCRATCH + 2 * n + 1)
    start, length, room, mark = at(adj_start, n + 1), at(adj_start, 2 * n + 1), at(adj_start, 3 * n + 1), at(adj_start, 4 * n + 1)
    nxt, prv, degree, head = at(adj_start, 5 * n + 1), at(adj_start, 6 * n + 1), at(adj_start, 7 * n + 1), at(adj_start, 8 * n + 1)
    adj = at(head, n + 2)
    sub, pool = at(adj, 2 * m), at(adj, 2 * m + capacity)
    _connect(n, m, pairs, adj_start, adj, mark)
    fits = _eliminate(n, capacity, adj_start, adj, wait, order, col_start, sub, start, length, room, pool, mark, head, nxt, prv, degree)
    block[1], block[2], block[3] = 0, 0, 0
    if fits:
        block[1], block[2] = 1, col_start[n]
        for k in range(n):
            nk = col_start[k + 1] - col_start[k]
            block[3] += nk * (nk + 1) // 2


@helper
def _connect(n, m, pairs, start, adj, mark):
    """Neighbours of every node, each once, from m pairs: counted, filled in, duplicates dropped."""
    for i in range(n + 1):
        start[i] = 0
    for k in range(2 * m):
        start[pairs[k] + 1] += 1
    for i in range(n):
        start[i + 1] += start[i]
        mark[i] = start[i]
    for k in range(m):
        a, b = pairs[2 * k], pairs[2 * k + 1]
        adj[mark[a]] = b
        mark[a] += 1
        adj[mark[b]] = a
        mark[b] += 1
    for i in range(n):
        mark[i] = -1
    kept, first = 0, 0
    for i in range(n):
        last = start[i + 1]
        start[i] = kept
        for p in range(first, last):
            if mark[adj[p]] != i:
                mark[adj[p]] = i
                adj[kept] = adj[p]
                kept += 1
        first = last
    start[n] = kept


@helper
def _eliminate(n, capacity, adj_start, adj, wait, order, col_start, sub, start, length, room, pool, mark, head, nxt, prv, degree):
    """Minimum degree on the explicit elimination graph: each node's neighbour list at its elimination is its column of the factor.

    Returns whether the pools were large enough.
    """
    free = adj_start[n]
    if free > capacity:
        return False
    for k in range(free):
        pool[k] = adj[k]
    for d in range(n + 1):
        head[d] = -1
    for i in range(n):
        start[i] = adj_start[i]
        length[i] = adj_start[i + 1] - adj_start[i]
        room[i] = length[i]
        mark[i] = -1
        degree[i] = -1  # not queued
    for i in range(n - 1, -1, -1):
        if wait[i] == 0:
            d = length[i]
            degree[i] = d
            nxt[i] = head[d]
            prv[i] = -1
            if head[d] >= 0:
                prv[head[d]] = i
            head[d] = i
    stamp = 0
    filled = 0
    low = 0
    for step in range(n):
        while low <= n and head[low] < 0:
            low += 1
        if low > n:  # only constraints are left that touch no body: let them through
            low = 0
            for i in range(n):
                if degree[i] == -1:
                    degree[i] = length[i]
                    nxt[i] = head[length[i]]
                    prv[i] = -1
                    if head[length[i]] >= 0:
                        prv[head[length[i]]] = i
                    head[length[i]] = i
            while head[low] < 0:
                low += 1
        k = head[low]
        head[low] = nxt[k]
        if nxt[k] >= 0:
            prv[nxt[k]] = -1
        degree[k] = -2  # gone
        order[step] = k
        col_start[step] = filled
        nk, sk = length[k], start[k]
        if filled + nk > capacity:
            return False
        for p in range(nk):
            sub[filled + p] = pool[sk + p]
        filled += nk
        for p in range(nk):
            a = pool[sk + p]
            stamp += 1
            la = 0
            for r in range(length[a]):  # drop k, mark the rest
                other = pool[start[a] + r]
                if other != k:
                    pool[start[a] + la] = other
                    la += 1
                    mark[other] = stamp
            mark[a] = stamp
            extra = 0
            for r in range(nk):
                if mark[pool[sk + r]] != stamp:
                    extra += 1
            if la + extra > room[a]:
                size = 2 * (la + extra)
                if free + size > capacity:
                    return False
                for r in range(la):
                    pool[free + r] = pool[start[a] + r]
                start[a] = free
                room[a] = size
                free += size
            for r in range(nk):
                other = pool[sk + r]
                if mark[other] != stamp:
                    pool[start[a] + la] = other
                    la += 1
            length[a] = la
            if degree[a] >= 0:  # leave its old bucket
                d = degree[a]
                if prv[a] >= 0:
                    nxt[prv[a]] = nxt[a]
                else:
                    head[d] = nxt[a]
                if nxt[a] >= 0:
                    prv[nxt[a]] = prv[a]
            if degree[a] >= 0 or wait[k] == 0:  # a joint becomes eligible when one of its bodies goes
                degree[a] = la
                nxt[a] = head[la]
                prv[a] = -1
                if head[la] >= 0:
                    prv[head[la]] = a
                head[la] = a
                if la < low:
                    low = la
    col_start[n] = filled
    return True


@entry
def _store(ctx, n, m):
    """Sort each column by position, place the blocks, list the targets of every update, find the block of every pair."""
    pairs, size, block, kept = ints(ctx, 0), ints(ctx, 1), ints(ctx, 3), ints(ctx, 4)
    found_order, found_columns, nsub, updates = at(block, _SCRATCH), at(block, _SCRATCH + n), block[2], block[3]
    sub = at(block, _SCRATCH + 11 * n + 4 + 2 * m)  # as _find_order has it
    order, position, row, sizes, diag = kept, at(kept, n), at(kept, 2 * n), at(kept, 3 * n + 1), at(kept, 4 * n + 1)
    col_start, sub_node = at(kept, 5 * n + 1), at(kept, 6 * n + 2)
    sub_block, update = at(sub_node, nsub), at(sub_node, 2 * nsub)
    load, flip = at(update, updates), at(update, updates + m)
    for k in range(n):
        order[k] = found_order[k]
        col_start[k] = found_columns[k]
        position[order[k]] = k
        sizes[k] = size[order[k]]
    col_start[n] = nsub
    offset, rows, scratch = 0, 0, 0
    for k in range(n):
        s = sizes[k]
        row[k] = rows
        rows += s
        diag[k] = offset
        offset += s * s
        a, b = col_start[k], col_start[k + 1]
        for p in range(a, b):
            value = position[sub[p]]
            r = p
            while r > a and sub_node[r - 1] > value:
                sub_node[r] = sub_node[r - 1]
                r -= 1
            sub_node[r] = value
        need = 0
        for p in range(a, b):
            sub_block[p] = offset
            offset += s * sizes[sub_node[p]]
            need += s * sizes[sub_node[p]]
        if need > scratch:
            scratch = need
    row[n] = rows
    u = 0
    for k in range(n):
        a, b = col_start[k], col_start[k + 1]
        for j in range(a, b):
            update[u] = diag[sub_node[j]]
            u += 1
            r = col_start[sub_node[j]]
            for i in range(j + 1, b):
                while sub_node[r] != sub_node[i]:
                    r += 1
                update[u] = sub_block[r]
                u += 1
    for k in range(m):  # each is in the column of the node that goes first
        i, j = position[pairs[2 * k]], position[pairs[2 * k + 1]]
        low, high = min(i, j), max(i, j)
        p = col_start[low]
        while sub_node[p] != high:
            p += 1
        load[k] = sub_block[p]
        flip[k] = 1 if i < j else 0
    block[4], block[5] = offset, scratch
