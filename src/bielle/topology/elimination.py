"""Elimination order and fill of a symmetric block matrix, by minimum degree, in microseconds.

The matrix is [M Jᵀ; J −μI]: a node per body, a node per joint. It is quasi-definite, so LDLᵀ exists for every order of elimination
(Vanderbei, *Symmetric quasidefinite matrices*, SIAM J. Optim. 5, 1995), and the order can be chosen for sparsity alone, once per topology.
One restriction keeps the rounding error small: a joint is eliminated only after one of its bodies, because its own pivot −μ is tiny,
whereas −(μ + J M⁻¹ Jᵀ) is not.
"""

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
        if not len(pairs):
            return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
        position = self.position[pairs]
        low, high = position.min(axis=1), position.max(axis=1)
        n = len(self.order)
        keys = np.repeat(np.arange(n), np.diff(self.column)) * n + self.sub_node  # sorted: by column, then by row
        found = np.searchsorted(keys, low * n + high)
        return self.sub_block[found], (position[:, 0] < position[:, 1]).astype(np.int64)


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


def _context(arrays: list[np.ndarray]) -> np.ndarray:
    return np.array([a.ctypes.data for a in arrays], dtype=np.int64)


def analyse(size: np.ndarray, wait: np.ndarray, pairs: np.ndarray) -> Elimination:
    """Order and lay out the factor of a symmetric block matrix.

    size  (n,)   rows of each node
    wait  (n,)   1 for nodes that may go only after one of their neighbours with 0 (joints after a body)
    pairs (m, 2) nodes joined by a nonzero block; any order, duplicates allowed, no node with itself
    """
    n = len(size)
    size = np.ascontiguousarray(size, dtype=np.int64)
    wait = np.ascontiguousarray(wait, dtype=np.int64)
    pairs = np.asarray(pairs, dtype=np.int64).reshape(-1, 2)
    both = np.concatenate([pairs, pairs[:, ::-1]])
    keys = np.unique(both[:, 0] * max(n, 1) + both[:, 1])
    adj = np.ascontiguousarray(keys % max(n, 1))
    adj_start = np.zeros(n + 1, dtype=np.int64)
    np.cumsum(np.bincount(keys // max(n, 1), minlength=n), out=adj_start[1:])

    def empty(count: int) -> np.ndarray:
        return np.empty(max(count, 1), dtype=np.int64)

    order, col_start, position, row, diagonal = empty(n), np.zeros(n + 1, dtype=np.int64), empty(n), empty(n + 1), empty(n)
    work = [empty(n) for _ in range(3)]
    mark, head, nxt, prv, degree = empty(n), empty(n + 2), empty(n), empty(n), empty(n)
    status = np.zeros(4, dtype=np.int64)
    capacity = 4 * len(adj) + 4 * n + 16
    while True:
        sub, pool = empty(capacity), empty(capacity)
        arrays = [adj_start, adj, size, wait, order, col_start, sub, *work, pool, mark, head, nxt, prv, degree, status]
        ctx = _context(arrays)
        _eliminate(ctx.ctypes.data, n, capacity)
        if status[0] == 0:
            break
        capacity *= 4
    nsub = int(col_start[n])
    per_column = np.diff(col_start)
    block, update = empty(nsub), empty(int((per_column * (per_column + 1) // 2).sum()))
    ctx = _context([*arrays, diagonal, block, update, position, row])
    _lay_out(ctx.ctypes.data, n, 0)
    return Elimination(
        order=order[:n],
        position=position[:n],
        row=row,
        size=size[order[:n]] if n else size,
        diagonal=diagonal[:n],
        column=col_start,
        sub_node=sub[:nsub].copy(),
        sub_block=block[:nsub],
        update=update,
        length=int(status[1]),
        scratch=int(status[2]),
    )
