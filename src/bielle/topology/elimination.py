"""Elimination order and fill of a symmetric block matrix, by minimum degree, in microseconds.

The matrix is [M Jᵀ; J −μI]: a node per body, a node per joint. It is quasi-definite, so LDLᵀ exists for every order of elimination
(Vanderbei, *Symmetric quasidefinite matrices*, SIAM J. Optim. 5, 1995), and the order can be chosen for sparsity alone, once per topology.
One restriction keeps the rounding error small: a joint is eliminated only after one of its bodies, because its own pivot −μ is tiny,
whereas −(μ + J M⁻¹ Jᵀ) is not.
"""

from dataclasses import dataclass

import numpy as np

from ..kernels.lazy import entry, once
from ..kernels.memory import address_of, addresses_of
from ..kernels.pointers import at, ints

__all__ = ["Elimination", "analyse", "carve", "find_order", "first_capacity", "found_blocks", "scratch_length", "store"]


@dataclass
class Elimination:
    """Order and storage of the factor; all indices below are positions in the order of elimination."""

    size: np.ndarray  #: (n,) rows of each position
    row: np.ndarray  #: (n+1,) first row of each position in the permuted vector
    diagonal: np.ndarray  #: (n,) offset of each diagonal block
    column: np.ndarray  #: (n+1,) first sub-diagonal block of each position
    sub_node: np.ndarray  #: (nsub,) row position of each sub-diagonal block
    sub_block: np.ndarray  #: (nsub,) its offset
    update: np.ndarray  #: targets of the elimination, in the order they are met
    order: np.ndarray  #: (n,) node eliminated at each position
    position: np.ndarray  #: (n,) position of each node
    load: np.ndarray  #: (m,) offset of the block of each pair (i, j) given
    flip: np.ndarray  #: (m,) 1 where it is stored as (j, i)
    length: int  #: number of stored entries
    scratch: int  #: largest scratch a column needs


# what kernels are handed: addresses of what is found, and of scratch
FOUND, ORDER, POSITION, _COLUMN, _START, _LIST, _LENGTH, _ROOM, _MARK, _NEXT, _BEFORE, _DEGREE, _HEAD = range(13)
LOAD, FLIP, _NEIGHBOURS, _SUB, _POOL = range(13, 18)
SCRATCH = 18  #: how many
# entries of what is found: sub-diagonal blocks, updates, length and scratch of the factor
N_SUB, N_UPDATE, N_LENGTH, N_SCRATCH, N_FOUND = range(5)


def first_capacity(n: int, m: int) -> int:
    """Of the growing lists of neighbours: enough for n nodes and m pairs of most graphs."""
    return 8 * m + 4 * n + 16


def scratch_length(n: int, m: int, capacity: int) -> int:
    """Numbers that :func:`carve` hands out."""
    return N_FOUND + 12 * (n + 2) + 4 * m + 2 * capacity


def found_blocks(scratch: np.ndarray, n: int, m: int) -> tuple[np.ndarray, np.ndarray]:
    """(m,) load and flip, as in :class:`Elimination`, after :func:`store`."""
    first = N_FOUND + 12 * (n + 2)
    return scratch[first : first + m], scratch[first + m : first + 2 * m]


@once
def carve(addresses, base, n, m, capacity):
    """Addresses of the arrays in a block that begins at the address base."""
    addresses[FOUND] = base
    for k in range(ORDER, LOAD):  # those of nodes, and some have a place or two more
        addresses[k] = base + 8 * (N_FOUND + (k - ORDER) * (n + 2))
    rest = base + 8 * (N_FOUND + 12 * (n + 2))
    addresses[LOAD], addresses[FLIP], addresses[_NEIGHBOURS] = rest, rest + 8 * m, rest + 16 * m
    addresses[_SUB], addresses[_POOL] = rest + 32 * m, rest + 32 * m + 8 * capacity


def analyse(size: np.ndarray, wait: np.ndarray, pairs: np.ndarray) -> Elimination:
    """Order and lay out the factor of a symmetric block matrix.

    size  (n,)   rows of each node
    wait  (n,)   1 for nodes that may go only after one of their neighbours with 0 (joints after a body)
    pairs (m, 2) nodes joined by a nonzero block; any order, duplicates allowed, no node with itself
    """
    n, m = len(size), len(pairs)
    size, wait, pairs = (np.ascontiguousarray(a, dtype=np.int64) for a in (size, wait, pairs))
    capacity = first_capacity(n, m)
    while True:
        block = np.empty(scratch_length(n, m, capacity), dtype=np.int64)
        args = np.zeros(6 + SCRATCH, dtype=np.int64)
        args[:6] = address_of(size), address_of(wait), address_of(pairs), address_of(block), m, capacity
        _analyse(address_of(args), n)
        if args[5] >= 0:
            break
        capacity *= 4
    nsub, updates = block[:2].tolist()
    kept = [np.empty(length, dtype=np.int64) for length in (n, n + 1, n, n + 1, nsub, nsub, updates)]
    out = addresses_of(kept)
    args[3] = address_of(out)
    _finish(address_of(args), n)
    order, position = block[N_FOUND : N_FOUND + n], block[N_FOUND + n + 2 : N_FOUND + 2 * n + 2]
    load, flip = found_blocks(block, n, m)
    length, column = block[2:4].tolist()
    return Elimination(*kept, order=order, position=position, load=load, flip=flip, length=length, scratch=column)


@entry
def _analyse(args, n, unused):
    """For :func:`analyse`: find the order; a capacity of −1 says that it was too small."""
    wait, pairs, base, m, capacity = ints(args, 1), ints(args, 2), args[3], args[4], args[5]
    carve(at(args, 6), base, n, m, capacity)
    if not find_order(at(args, 6), pairs, wait, n, m, capacity):
        args[5] = -1


@entry
def _finish(args, n, unused):
    """For :func:`analyse`: store what was found."""
    store(at(args, 6), ints(args, 3), ints(args, 2), ints(args, 0), n, args[4])


@once
def find_order(scratch, pairs, wait, n, m, capacity):
    """Neighbours, minimum degree, and the sizes of what follows from it. Returns whether the capacity was enough."""
    column, found = ints(scratch, _COLUMN), ints(scratch, FOUND)
    _connect(scratch, pairs, n, m)
    if not _eliminate(scratch, wait, n, capacity):
        return False
    found[N_SUB], found[N_UPDATE] = column[n], 0
    for k in range(n):
        nk = column[k + 1] - column[k]
        found[N_UPDATE] += nk * (nk + 1) // 2
    return True


@once
def _connect(scratch, pairs, n, m):
    """Neighbours of every node, each once, from m pairs: counted, filled in, duplicates dropped."""
    start, adj, mark = ints(scratch, _START), ints(scratch, _NEIGHBOURS), ints(scratch, _MARK)
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


@once
def _eliminate(scratch, wait, n, capacity):
    """Minimum degree on the explicit elimination graph: each node's neighbour list at its elimination is its column of the factor.

    Returns whether the pools were large enough.
    """
    adj_start, adj, order, col_start = ints(scratch, _START), ints(scratch, _NEIGHBOURS), ints(scratch, ORDER), ints(scratch, _COLUMN)
    start, length, room, pool = ints(scratch, _LIST), ints(scratch, _LENGTH), ints(scratch, _ROOM), ints(scratch, _POOL)
    mark, head, nxt, prv = ints(scratch, _MARK), ints(scratch, _HEAD), ints(scratch, _NEXT), ints(scratch, _BEFORE)
    degree, sub = ints(scratch, _DEGREE), ints(scratch, _SUB)
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


@once
def store(scratch, out, pairs, size, n, m):
    """Sort each column by position, place the blocks, list the targets of every update, find the block of every pair.

    out: size, row, diagonal, column, sub_node, sub_block, update, as in :class:`Elimination`.
    """
    order, position, found = ints(scratch, ORDER), ints(scratch, POSITION), ints(scratch, FOUND)
    load, flip = ints(scratch, LOAD), ints(scratch, FLIP)
    found_columns, sub = ints(scratch, _COLUMN), ints(scratch, _SUB)
    sizes, row, diag, col_start = ints(out, 0), ints(out, 1), ints(out, 2), ints(out, 3)
    sub_node, sub_block, update = ints(out, 4), ints(out, 5), ints(out, 6)
    for k in range(n):
        col_start[k] = found_columns[k]
        position[order[k]] = k
        sizes[k] = size[order[k]]
    col_start[n] = found_columns[n]
    offset, rows, most = 0, 0, 0
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
        most = max(most, need)
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
    found[N_LENGTH], found[N_SCRATCH] = offset, most
