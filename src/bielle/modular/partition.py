"""Partition: which joints are solved inside a component, and which act between components.

A *component* is a body, or several that were merged. Inside it everything is solved together: the equations between a body's own
coordinates, the joints between merged bodies. The joints between components are *loose*: they are springs (explicit), or their forces
are iterated.

Components that hang together like a tree need no iteration: if every component tells the next one, joint by joint, what it is behind
that joint (the mass seen, and the push), the answer that comes back is exact after one exchange each way. So with iterated joints the
joints of a spanning tree are solved by such a sweep, and only those that close a loop are loose.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from ..model import Model

if TYPE_CHECKING:
    from .rates import Scope

__all__ = ["Graph", "Partition", "Sets", "partition"]


@dataclass(frozen=True)
class Partition:
    """How joints are treated, and the component of every body."""

    inside: np.ndarray  #: (nj,) bool: joints that are solved together with the bodies they join
    component: np.ndarray  #: (nb,) number of each body's component, in the order of their first bodies; −1: the ground
    groups: tuple[tuple[str, ...], ...]  #: bodies that were merged, group by group
    together: np.ndarray  #: (nb + nj,) of every body and joint, one body that stands for all that hangs together with it


class Sets:
    """Disjoint sets of rows of bodies."""

    def __init__(self, n: int) -> None:
        self._parent = list(range(n))

    def find(self, i: int) -> int:
        """The member that stands for the set of i."""
        parent = self._parent
        while parent[i] != i:
            parent[i] = parent[parent[i]]
            i = parent[i]
        return i

    def join(self, members: Iterable[int]) -> bool:
        """Make them one, for which the first stands; False if two of them were in one before."""
        roots = [self.find(i) for i in members]
        for root in roots[1:]:
            self._parent[self.find(root)] = self.find(roots[0])
        return len(set(roots)) == len(roots)


class Graph:
    """Bodies and joints of a model by their rows; the ground is row 0."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.n = len(model.body_rows)
        records, index = model.joint_rows.records, model.body_rows.index
        self.internal = np.array([record.item.internal for record in records], dtype=bool)  #: equations of one body
        self.ends = [sorted({index[name] for name in record.item.bodies}) for record in records]  #: bodies of each joint, each once
        self.joints = np.flatnonzero(~self.internal).tolist()

    @cached_property
    def by_size(self) -> list[int]:
        """Joints, those with the most equations first: of several ways to span a loop, a small joint is left to close it."""
        sizes = np.diff(self.model.joint_rows.starts("nc"))
        return sorted(self.joints, key=lambda j: -int(sizes[j]))

    @cached_property
    def together(self) -> np.ndarray:
        """Of every body, then of every joint, one body that stands for all that hangs together with it, other than by the ground."""
        sets = Sets(self.n)
        for ends in self.ends:
            sets.join(b for b in ends if b > 0)
        return np.array([sets.find(b) for b in (*range(self.n), *(ends[-1] for ends in self.ends))], dtype=np.int64)

    def name(self, body: int) -> str:
        return self.model.body_rows.records[body].name


def partition(graph: Graph, groups: list[set[int]], *, sweeps: bool, scope: Scope | None = None) -> Partition:
    """groups: rows of bodies that are one component; with the ground, 0, their joints with it are inside, too.

    sweeps: joints of a spanning tree of the components are solved inside.
    scope: bodies and joints that matter; others are in no component, and not inside.
    """
    inside, ends = graph.internal.copy(), graph.ends
    joints, by_size, moves = graph.joints, graph.by_size if sweeps else [], np.ones(graph.n, dtype=bool)
    if scope is not None:
        inside &= scope.joints
        joints, by_size, moves = [j for j in joints if scope.joints[j]], [j for j in by_size if scope.joints[j]], scope.bodies
    of_group: dict[int, list[set[int]]] = {}
    for group in groups:
        for b in group - {0}:
            of_group.setdefault(b, []).append(group)
    for j in joints:
        inside[j] = any(group.issuperset(ends[j]) for group in of_group.get(ends[j][-1], ()))
    solved = Sets(graph.n)
    for j in np.flatnonzero(inside).tolist():
        solved.join(b for b in ends[j] if b > 0)
    if sweeps:
        spanned = Sets(graph.n)  # with the ground: joints with it may close loops
        for group in groups:
            spanned.join(sorted(group))
        for j in by_size:
            if not inside[j] and spanned.join(ends[j]):
                inside[j] = True
                solved.join(b for b in ends[j] if b > 0)
    numbers: dict[int, int] = {}
    component = np.full(graph.n, -1, dtype=np.int64)
    for b in np.flatnonzero(moves[1:]).tolist():
        component[b + 1] = numbers.setdefault(solved.find(b + 1), len(numbers))
    return Partition(inside, component, tuple(tuple(graph.name(b) for b in sorted(group)) for group in groups), graph.together)
