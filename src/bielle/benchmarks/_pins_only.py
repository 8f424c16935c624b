"""A program for planar bodies and pins only, written by hand: what the general engine is compared with.

It takes the same steps with the same number of factorisations, but knows at compile time what a body and a joint are, and that there is no
other force than gravity.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Sequence

import numpy as np

from ._pins_kernels import advance, elimination_tree

__all__ = ["PinSystem"]

REGULARISATION = 1e-9  # μ, of the corner of the matrix; iterated away


def minimum_degree(adjacent: Iterable[set[int]]) -> np.ndarray:
    """Order of elimination: always the node with the fewest neighbours, which become neighbours of each other."""
    neighbours = [set(each) for each in adjacent]
    done, order = [False] * len(neighbours), []
    heap = [(len(near), i) for i, near in enumerate(neighbours)]
    heapq.heapify(heap)
    while heap:
        degree, i = heapq.heappop(heap)
        if done[i] or degree != len(neighbours[i]):
            continue
        done[i] = True
        order.append(i)
        near = [j for j in neighbours[i] if not done[j]]
        for a in near:
            neighbours[a].discard(i)
            neighbours[a].update(b for b in near if b != a)
        for a in near:
            heapq.heappush(heap, (len(neighbours[a]), a))
    return np.array(order)


class PinSystem:
    """Planar bodies joined by pins: rows (a, x_a, y_a, b, x_b, y_b) with places from the centres of mass, −1 for the ground."""

    def __init__(self, masses: np.ndarray, inertias: np.ndarray, rows: Sequence[tuple[float, ...]]) -> None:
        table = np.array(rows)
        a, b, pins, nq = table[:, 0].astype(np.int64), table[:, 3].astype(np.int64), len(rows), 3 * len(masses)
        n = nq + 2 * pins
        between = [
            (3 * body + c, nq + 2 * k + r) for k in range(pins) for body in (a[k], b[k]) if body >= 0 for r in range(2) for c in (r, 2)
        ]
        entries = [(i, i) for i in range(nq)] + between + [(i, i) for i in range(nq, n)]
        near: list[set[int]] = [set() for _ in range(n)]
        for i, j in between:
            near[i].add(j)
            near[j].add(i)
        position = np.empty(n, np.int64)
        position[minimum_degree(near)] = np.arange(n)
        ordered = [(max(position[i], position[j]), min(position[i], position[j])) for i, j in entries]
        places = {key: t for t, key in enumerate(sorted(set(ordered)))}
        first = np.searchsorted([column for column, _ in places], np.arange(n + 1))
        row_of = np.array([row for _, row in places])
        lengths, parent = np.zeros(n, np.int64), np.zeros(n, np.int64)
        filled = elimination_tree(n, first, row_of, np.zeros(n, np.int64), lengths, parent)
        mass = np.column_stack([masses, masses, inertias]).reshape(-1)
        self._bodies = nq, n, a, table[:, 1:3].copy(), b, table[:, 4:6].copy(), mass
        self._matrix = first, row_of, np.array([places[key] for key in ordered]), position, lengths, parent, filled

    def run(self, q: np.ndarray, v: np.ndarray, step: float, steps: int, g: float = 9.81) -> None:
        """Advance x, y, angle of all bodies and their rates in place."""
        advance(*self._bodies, g, REGULARISATION, *self._matrix, q, v, step, steps)
