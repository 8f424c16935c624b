"""Graph of bodies and joints: connected groups, independent loops."""

from collections.abc import Hashable, Iterable, Sequence
from typing import TypeVar

import numpy as np

__all__ = ["connected_groups", "connected_labels", "independent_loops"]

N = TypeVar("N", bound=Hashable)


def connected_groups(nodes: Iterable[N], edges: Iterable[tuple[N, N]]) -> list[tuple[N, ...]]:
    """Groups of nodes that hang together, each in the order of ``nodes``."""
    order = list(nodes)
    neighbours: dict[N, list[N]] = {n: [] for n in order}
    for a, b in edges:
        neighbours[a].append(b)
        neighbours[b].append(a)
    seen: set[N] = set()
    groups = []
    for start in order:
        if start in seen:
            continue
        seen.add(start)
        queue = [start]
        for node in queue:
            for other in neighbours[node]:
                if other not in seen:
                    seen.add(other)
                    queue.append(other)
        members = set(queue)
        groups.append(tuple(n for n in order if n in members))
    return groups


def connected_labels(n: int, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """(n,) the same number for all nodes that hang together by the edges a—b: the smallest of the nodes.

    Everyone takes the label of its label, and the smaller one along every edge, until nothing changes: some log n rounds.
    """
    label = np.arange(n)
    while True:
        low = np.minimum(label[a], label[b])
        new = label.copy()
        np.minimum.at(new, label[a], low)
        np.minimum.at(new, label[b], low)
        new = new[new]
        if np.array_equal(new, label):
            return label
        label = new


def independent_loops(nodes: Sequence[N], edges: Sequence[tuple[N, N]]) -> int:
    """Number of independent loops: edges − nodes + groups."""
    return len(edges) - len(nodes) + len(connected_groups(nodes, edges))
