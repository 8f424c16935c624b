"""Batches: a kernel called for many states in a row, shared out among threads that have a tree each."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache

import numpy as np

from ..kernels.lazy import entry
from ..kernels.memory import address_of
from ..kernels.pointers import call
from ..kernels.tree import N_REFUSED, T_BATCH
from .tree import Tree

__all__ = ["parts", "run"]

_THREADS = os.cpu_count() or 1
_LEAST = 8  # states a thread is worth waking for
_PIECES = 16  # for each thread, so that all end at about the same time
_KERNEL, _HOW, _SLOTS = range(3)  # and then, for each slot: which, address of the first state, bytes from one to the next


@entry
def each(t, first, last):
    """States first … last. It ends at one that is refused, whose number is left in place of the kernel."""
    plan = t.batch
    kernel, how = plan[_KERNEL], plan[_HOW]
    for k in range(first, last):
        for i in range(plan[_SLOTS]):
            slot = plan[_SLOTS + 1 + 3 * i]
            t[slot] = plan[_SLOTS + 2 + 3 * i] + k * plan[_SLOTS + 3 + 3 * i]
        call(kernel, t, how, 0)
        if t.count.refused != 0:
            plan[_KERNEL] = k
            return


@cache
def _pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(_THREADS, thread_name_prefix="bielle-batch")


if hasattr(os, "register_at_fork"):  # a process that was forked has no threads but one
    os.register_at_fork(after_in_child=_pool.cache_clear)


def parts(n: int) -> int:
    """How many threads so many states are worth."""
    return max(1, min(_THREADS, n // _LEAST))


def run(trees: Sequence[Tree], kernel: entry, how: int, arrays: Sequence[tuple[int, np.ndarray]]) -> tuple[int, int]:
    """Call a kernel for each state; in these slots it finds the rows of these arrays, which are contiguous. A thread for each tree.

    Returns which state was refused first and the code of it, or (−1, 0). The states before it are done.
    """
    n = len(arrays[0][1])
    numbers = [kernel.address, how, len(arrays)]
    for slot, array in arrays:
        numbers += [slot, address_of(array), array.strides[0] if array.size else 0]
    plans = [np.array(numbers, dtype=np.int64) for _ in trees]
    kept = [tree.table.copy() for tree in trees]
    size = max(_LEAST, -(-n // (_PIECES * len(trees))))
    pieces = iter([(start, min(start + size, n)) for start in range(0, n, size)])
    for tree, plan in zip(trees, plans):
        tree.table[T_BATCH] = address_of(plan)
    jobs = [_pool().submit(_work, tree, pieces) for tree in trees[1:]]
    try:
        _work(trees[0], pieces)
    finally:
        for job in jobs:
            if not job.cancel():  # what has not begun has nothing left to do
                job.result()
    for tree, table in zip(trees, kept):
        tree.table[:] = table
    refused = [(int(plan[_KERNEL]), int(tree.count[N_REFUSED])) for tree, plan in zip(trees, plans) if tree.count[N_REFUSED]]
    return min(refused, default=(-1, 0))


def _work(tree: Tree, pieces: Iterator[tuple[int, int]]) -> None:
    """Take one piece after the other, until there is none or a state was refused: a thread that is held up does less."""
    tree.count[N_REFUSED] = 0
    for first, last in pieces:
        each(tree.address, first, last)
        if tree.count[N_REFUSED]:
            return
