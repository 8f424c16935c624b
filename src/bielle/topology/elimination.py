"""Elimination order and fill of a symmetric block matrix, by minimum degree, in microseconds.

The matrix is [M Jᵀ; J −μI]: a node per body, a node per joint. It is quasi-definite, so LDLᵀ exists for every order of elimination
(Vanderbei, *Symmetric quasidefinite matrices*, SIAM J. Optim. 5, 1995), and the order can be chosen for sparsity alone, once per topology.
One restriction keeps the rounding error small: a joint is eliminated only after one of its bodies, because its own pivot −μ is tiny,
whereas −(μ + J M⁻¹ Jᵀ) is not.
"""

import itertools
from dataclasses import dataclass

import numpy as np

from ..kernels.lazy import entry
from ..kernels.pointers import ints

__all__ = ["Elimination", "analyse"]

_ADJ_START, _ADJ, _SIZE, _WAIT, _ORDER, _COL_START, _SUB, _START, _LENGTH, _ROOM, _POOL, _MARK, _HEAD, _NEXT, _PREV, _DEGREE, _STATUS = (
    range(17)
)
_DIAG, _BLOCK, _UPDATE, _POSITION, _ROW = range(17, 22)


@dataclass(frozen=True)
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
    length: int  #: number of stored entries
    scratch: int  #: largest scratch a column needs

    def blocks(self, pairs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """For node pairs (m, 2), i ≠ j: offset of the block (i, j), and 1 where it is stored as (j, i)."""
        m = len(pairs)
        pairs = np.ascontiguousarray(pairs, dtype=np.int64)
        found = np.empty((2, max(m, 1)), dtype=np.int64)
        ctx = np.array(_addresses(pairs, self.position, self.column, self.sub_node, self.sub_block, found))
        _find(ctx.ctypes.data, m, max(m, 1))
        return found[0, :m], found[1, :m]


@entry
def _find(ctx, m, width):
    """Look each pair up in the column of the node that is eliminated first."""
    pairs, position, column, sub, block, found = ints(ctx, 0), ints(ctx, 1), ints(ctx, 2), ints(ctx, 3), ints(ctx, 4), ints(ctx, 5)
    for k in range(m):
        i, j = position[pairs[2 * k]], position[pairs[2 * k + 1]]
        low, high = min(i, j), max(i, j)
        p = column[low]
        while sub[p] != high:
            p += 1
        found[k] = block[p]
        found[width + k] = 1 if i < j else 0


@entry
def _connect(ctx, n, m):
    """Neighbours of every node, each once, from m pairs: counted, filled in, duplicates dropped."""
    pairs, start, adj, mark = ints(ctx, 0), ints(ctx, 1), ints(ctx, 2), ints(ctx, 3)
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


@entry
def _eliminate(ctx, n, capacity):
    """Minimum degree on the explicit elimination graph: each node's neighbour list at its elimination is its column of the factor."""
    adj_start, adj, wait = ints(ctx, _ADJ_START), ints(ctx, _ADJ), ints(ctx, _WAIT)
    order, col_start, sub = ints(ctx, _ORDER), ints(ctx, _COL_START), ints(ctx, _SUB)
    start, length, room, pool = ints(ctx, _START), ints(ctx, _LENGTH), ints(ctx, _ROOM), ints(ctx, _POOL)
    mark, head, nxt, prv, degree = ints(ctx, _MARK), ints(ctx, _HEAD), ints(ctx, _NEXT), ints(ctx, _PREV), ints(ctx, _DEGREE)
    status = ints(ctx, _STATUS)
    status[0] = 1  # until proven otherwise: the pools are too small
    free = adj_start[n]
    if free > capacity:
        return
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
            return
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
                    return
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
    status[0] = 0


@entry
def _lay_out(ctx, n, unused):
    """Sort each column by position, place the blocks, list the targets of every update."""
    size, order, col_start, sub = ints(ctx, _SIZE), ints(ctx, _ORDER), ints(ctx, _COL_START), ints(ctx, _SUB)
    diag, block, update, position, row = ints(ctx, _DIAG), ints(ctx, _BLOCK), ints(ctx, _UPDATE), ints(ctx, _POSITION), ints(ctx, _ROW)
    status = ints(ctx, _STATUS)
    for k in range(n):
        position[order[k]] = k
    offset = 0
    rows = 0
    scratch = 0
    for k in range(n):
        s = size[order[k]]
        row[k] = rows
        rows += s
        diag[k] = offset
        offset += s * s
        a, b = col_start[k], col_start[k + 1]
        for p in range(a, b):
            value = position[sub[p]]
            r = p
            while r > a and sub[r - 1] > value:
                sub[r] = sub[r - 1]
                r -= 1
            sub[r] = value
        need = 0
        for p in range(a, b):
            block[p] = offset
            offset += s * size[order[sub[p]]]
            need += s * size[order[sub[p]]]
        if need > scratch:
            scratch = need
    row[n] = rows
    u = 0
    for k in range(n):
        a, b = col_start[k], col_start[k + 1]
        for j in range(a, b):
            update[u] = diag[sub[j]]
            u += 1
            r = col_start[sub[j]]
            for i in range(j + 1, b):
                while sub[r] != sub[i]:
                    r += 1
                update[u] = block[r]
                u += 1
    status[1] = offset
    status[2] = scratch


def _addresses(*arrays: np.ndarray) -> list[int]:
    return [a.__array_interface__["data"][0] for a in arrays]


class _Pool:
    """Arrays of integers out of one block."""

    def __init__(self, *lengths: int) -> None:
        starts = [0, *itertools.accumulate(max(length, 1) for length in lengths)]
        block = np.empty(starts[-1], dtype=np.int64)
        base = block.__array_interface__["data"][0]
        self.arrays = [block[first:last] for first, last in itertools.pairwise(starts)]
        self.addresses = [base + 8 * start for start in starts[:-1]]


def analyse(size: np.ndarray, wait: np.ndarray, pairs: np.ndarray) -> Elimination:
    """Order and lay out the factor of a symmetric block matrix.

    size  (n,)   rows of each node
    wait  (n,)   1 for nodes that may go only after one of their neighbours with 0 (joints after a body)
    pairs (m, 2) nodes joined by a nonzero block; any order, duplicates allowed, no node with itself
    """
    n, m = len(size), len(pairs)
    size = np.ascontiguousarray(size, dtype=np.int64)
    wait = np.ascontiguousarray(wait, dtype=np.int64)
    pairs = np.ascontiguousarray(pairs, dtype=np.int64)
    given = _Pool(n + 1, 2 * m, n)  # where neighbours start, neighbours, marks
    ctx = np.array([*_addresses(pairs), *given.addresses])
    _connect(ctx.ctypes.data, n, m)
    neighbours = int(given.arrays[0][n])

    result = _Pool(n, n + 1, n, n + 1, n)  # order, columns, position, rows, diagonals
    scratch = _Pool(n, n, n, n, n + 2, n, n, n, 4)  # start, length, room, mark, head, next, previous, degree, status
    order, column, position, row, diagonal = result.arrays
    status = scratch.arrays[8]
    column[:] = 0
    status[:] = 0
    capacity = 4 * neighbours + 4 * n + 16
    own = _addresses(size, wait)
    while True:
        pools = _Pool(capacity, capacity)  # entries of the factor, lists that grow
        before = [*given.addresses[:2], *own, *result.addresses[:2], pools.addresses[0]]
        slots = [*before, *scratch.addresses[:3], pools.addresses[1], *scratch.addresses[3:]]
        ctx = np.array(slots)
        _eliminate(ctx.ctypes.data, n, capacity)
        if status[0] == 0:
            break
        capacity *= 4
    nsub = int(column[n])
    per_column = np.diff(column)
    updates = int((per_column * (per_column + 1) // 2).sum())
    laid = _Pool(nsub, updates)  # blocks, updates
    ctx = np.array([*slots, result.addresses[4], *laid.addresses, *result.addresses[2:4]])
    _lay_out(ctx.ctypes.data, n, 0)
    return Elimination(
        order=order[:n],
        position=position[:n],
        row=row,
        size=size[order[:n]] if n else size,
        diagonal=diagonal[:n],
        column=column,
        sub_node=pools.arrays[0][:nsub].copy(),
        sub_block=laid.arrays[0][:nsub],
        update=laid.arrays[1][:updates],
        length=int(status[1]),
        scratch=int(status[2]),
    )
