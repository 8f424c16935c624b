"""Batches: a kernel called for many states in a row, shared out among threads."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache

import numpy as np

from ..kernels.lazy import entry
from ..kernels.memory import address_of
from ..kernels.pointers import call, ints
from .table import REFUSED, T_BATCH, T_COUNT
from .tree import Tree

__all__ = ["Batches"]

_LEAST = 8  # states a thread is worth waking for
_PIECES = 16  # for each thread, so that all end at about the same time
_KERNEL, _HOW, _SLOTS = range(3)  # and then, for each slot: which, address of the first state, bytes from one to the next


@entry
def each(t, first, last):
    """States first … last. It ends at one that is refused, whose number is left in place of the kernel."""
    plan = ints(t, T_BATCH)
    kernel, how = plan[_KERNEL], plan[_HOW]
    for k in range(first, last):
        for i in range(plan[_SLOTS]):
            slot = plan[_SLOTS + 1 + 3 * i]
            t[slot] = plan[_SLOTS + 2 + 3 * i] + k * plan[_SLOTS + 3 + 3 * i]
        call(kernel, t, how, 0)
        if ints(t, T_COUNT)[REFUSED] != 0:
            plan[_KERNEL] = k
            return


@cache
def _pool(threads: int) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(threads, thread_name_prefix="bielle-batch")


class Batches:
    """Threads, each with a tree of its own."""

    def __init__(self, tree: Tree, another: Callable[[], Tree], threads: int | None = None) -> None:
        """another: makes one like the tree."""
        self._another = another
        self.trees = [tree]
        self.threads = threads or os.cpu_count() or 1

    def forget(self) -> None:
        """All trees but the first; more is asked of them now."""
        del self.trees[1:]

    def run(self, kernel: entry, how: int, arrays: Sequence[tuple[int, np.ndarray]]) -> tuple[int, int]:
        """Call a kernel for each state; in these slots it finds the rows of these arrays, which are contiguous.

        Returns which state was refused first and the code of it, or (−1, 0). The states before it are done.
        """
        n = len(arrays[0][1])
        parts = max(1, min(self.threads, n // _LEAST))
        while len(self.trees) < parts:
            self.trees.append(self._another())
        numbers = [kernel.address, how, len(arrays)]
        for slot, array in arrays:
            numbers += [slot, address_of(array) if array.size else 0, array.strides[0] if array.size else 0]
        plans = [np.array(numbers, dtype=np.int64) for _ in range(parts)]
        kept = [tree.table.copy() for tree in self.trees[:parts]]
        size = max(_LEAST, -(-n // (_PIECES * parts)))
        pieces = iter([(start, min(start + size, n)) for start in range(0, n, size)])
        for tree, plan in zip(self.trees, plans):
            tree.table[T_BATCH] = address_of(plan)
        try:
            jobs = [_pool(self.threads).submit(_work, tree, pieces) for tree in self.trees[1:parts]]
            _work(self.trees[0], pieces)
            for job in jobs:
                job.result()
        finally:
            for tree, table in zip(self.trees, kept):
                tree.table[:] = table
        refused = [(int(plan[_KERNEL]), int(tree.count[REFUSED])) for tree, plan in zip(self.trees, plans) if tree.count[REFUSED]]
        return min(refused, default=(-1, 0))


def _work(tree: Tree, pieces: Iterator[tuple[int, int]]) -> None:
    """Take one piece after the other, until there is none or a state was refused: a thread that is held up does less."""
    tree.count[REFUSED] = 0
    for first, last in pieces:
        each(tree.address, first, last)
        if tree.count[REFUSED]:
            return
