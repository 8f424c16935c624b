"""Partition: which joints are solved inside a component, and which act between components.

A *component* is a body, or several that were merged. Inside it everything is solved together: the equations between a body's own
coordinates, the joints between merged bodies. The joints between components are *loose*: they are springs (explicit), or their forces
are iterated.

Components that hang together like a tree need no iteration: if every component tells the next one, joint by joint, what it is behind
that joint (the mass seen, and the push), the answer that comes back is exact after one exchange each way. So with iterated joints the
joints of a spanning tree are solved by such a sweep, and only those that close a loop are loose.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush

import numpy as np

from ..errors import DescriptionError, unknown
from ..mechanism.description import GROUND
from ..model import Model

__all__ = ["Partition", "partition"]


@dataclass(frozen=True)
class Partition:
    """Rows of joints by the way they are treated, and the component of every body."""

    inside: np.ndarray  #: (nj,) bool: joints that are solved together with the bodies they join
    component: np.ndarray  #: (nb,) number of each body's component, in the order of their first bodies; −1: the ground
    groups: tuple[tuple[str, ...], ...]  #: bodies that were merged, group by group


class _Sets:
    """Disjoint sets of bodies."""

    def __init__(self, n: int) -> None:
        self._parent = list(range(n))

    def find(self, i: int) -> int:
        parent = self._parent
        while parent[i] != i:
            parent[i] = parent[parent[i]]
            i = parent[i]
        return i

    def join(self, members: Iterable[int]) -> bool:
        """Make them one; False if two of them were one before."""
        roots = [self.find(i) for i in members]
        for root in roots[1:]:
            self._parent[self.find(root)] = self.find(roots[0])
        return len(set(roots)) == len(roots)


def partition(model: Model, merge: str | Sequence[Sequence[str]], *, sweeps: bool, lenient: bool = False) -> Partition:
    """merge: groups of bodies by name; or "loops": bodies that form closed loops, and they only, are merged.

    sweeps: joints of a spanning tree are solved inside too.
    lenient: a group whose bodies no longer hang together, or no longer exist, is split; otherwise it is refused.
    """
    records = model.joint_rows.records
    moving = {name: i for name, i in model.body_rows.index.items() if name != GROUND}
    ends = [_ends(model, j) for j in range(len(records))]
    inside = np.array([record.item.internal for record in records], dtype=bool)
    external = [j for j in range(len(records)) if not inside[j]]
    # of several ways to span a loop, the joint with the fewest equations is left to close it
    sizes = np.diff(model.joint_rows.starts("nc"))
    by_size = sorted(external, key=lambda j: -int(sizes[j]))
    if merge == "light":
        groups = light_groups(model, ends, external, 10.0)
    else:
        groups = _loops(model, ends, by_size) if merge == "loops" else _groups(model, merge, ends, external, lenient)
    for j in external:
        inside[j] = any(group.issuperset(ends[j]) for group in groups)
    solved = _Sets(len(model.body_rows))
    for j in np.flatnonzero(inside).tolist():
        solved.join(b for b in ends[j] if b > 0)
    if sweeps:
        spanned = _Sets(len(model.body_rows))  # with the ground, whose joints would close loops through it
        for bodies in groups:
            spanned.join(sorted(bodies))
        for j in by_size:
            if not inside[j] and spanned.join(ends[j]):
                inside[j] = True
                solved.join(b for b in ends[j] if b > 0)
    numbers: dict[int, int] = {}
    component = np.full(len(model.body_rows), -1, dtype=np.int64)
    for b in sorted(moving.values()):
        component[b] = numbers.setdefault(solved.find(b), len(numbers))
    names = [record.name for record in model.body_rows.records]
    return Partition(inside, component, tuple(tuple(names[b] for b in sorted(group)) for group in groups))


def _ends(model: Model, j: int) -> list[int]:
    """Rows of the bodies a joint holds on to, each once; 0 is the ground."""
    index = model.body_rows.index
    return sorted({index[name] for name in model.joint_rows.records[j].item.bodies})


def _groups(
    model: Model, merge: str | Sequence[Sequence[str]], ends: list[list[int]], external: list[int], lenient: bool
) -> list[set[int]]:
    """Rows of the bodies of each group that was asked for, checked to hang together."""
    out: list[set[int]] = []
    index = model.body_rows.index
    seen: set[str] = set()
    for group in merge:
        names = [name for name in group if name in index] if lenient else list(group)
        for name in names:
            if name not in index:
                raise unknown("body", name, index)
            if name in seen and name != GROUND:
                raise DescriptionError(f"Body '{name}' stands in two merge groups. A body belongs to one component: put them in one group.")
            seen.add(name)
        bodies = {index[name] for name in names}
        sets = _Sets(len(model.body_rows))
        for j in external:
            if set(ends[j]) <= bodies:
                sets.join(ends[j])
        parts: dict[int, list[int]] = {}
        for b in sorted(bodies):
            parts.setdefault(sets.find(b), []).append(b)
        if len(parts) > 1 and not lenient:
            rows = model.body_rows.records
            told = " and ".join("(" + ", ".join(f"'{rows[b].name}'" for b in part) + ")" for part in parts.values())
            raise DescriptionError(
                f"The merge group ({', '.join(repr(n) for n in names)}) is not connected: {told} have no joint between them inside the "
                "group. Merge bodies that joints connect, or name those in between as well."
            )
        out += [set(part) for part in parts.values() if len(part) > 1]
    return out


def _loops(model: Model, ends: list[list[int]], order: list[int]) -> list[set[int]]:
    """Bodies on closed loops; loops with a body in common, other than the ground, are one group."""
    spanned = _Sets(len(model.body_rows))
    tree: dict[int, list[int]] = {b: [] for b in range(len(model.body_rows))}
    closing = []
    for j in order:
        if spanned.join(ends[j]):
            for a in ends[j]:
                tree[a] += [b for b in ends[j] if b != a]
        else:
            closing.append(j)
    parent: dict[int, int] = {}
    for root in tree:
        if root in parent:
            continue
        parent[root] = root
        queue = [root]
        for a in queue:
            for b in tree[a]:
                if b not in parent:
                    parent[b] = a
                    queue.append(b)
    merged = _Sets(len(model.body_rows))
    loops = []
    for j in closing:
        paths = [_ancestors(parent, b) for b in ends[j]]
        common = set(paths[0]).intersection(*map(set, paths[1:]))
        around = {b for path in paths for b in path if b not in common} | ({next(b for b in paths[0] if b in common)} if common else set())
        merged.join(sorted(around - {0}))
        loops.append(around)
    groups: dict[int, set[int]] = {}
    for around in loops:
        groups.setdefault(merged.find(max(around)), set()).update(around)
    return list(groups.values())


def _ancestors(parent: dict[int, int], b: int) -> list[int]:
    path = [b]
    while parent[b] != b:
        b = parent[b]
        path.append(b)
    return path


def light_groups(model: Model, ends: list[list[int]], external: list[int], ratio: float) -> list[set[int]]:
    """Bodies that carry much heavier ones, each with the heaviest of its neighbours: between them, explicit joints would be soft.

    A joint is as stiff as the mass it sees allows, but has to hold what hangs on the bodies it joins. A component that is lighter than one
    of its neighbours by more than ``ratio`` is merged with the heaviest of them, the lightest first, until there is none.
    """
    masses = model.body_rows.records
    mass = {b: float(masses[b].item.kind.properties.mass) for b in range(1, len(masses))}
    sets = _Sets(len(masses))
    members = {b: {b} for b in mass}
    neighbours: dict[int, set[int]] = {b: set() for b in mass}
    for j in external:
        for a in ends[j]:
            if a > 0:
                neighbours[a] |= {b for b in ends[j] if b > 0 and b != a}
    waiting = [(m, b) for b, m in mass.items()]
    heapify(waiting)
    while waiting:
        m, b = heappop(waiting)
        if sets.find(b) != b or mass[b] != m:
            continue  # it has grown meanwhile
        around = {sets.find(a) for a in neighbours[b]} - {b}
        heaviest = max(around, key=lambda a: (mass[a], -a), default=b)
        if heaviest == b or mass[heaviest] <= ratio * m:
            continue
        sets.join([heaviest, b])
        mass[heaviest] += m
        members[heaviest] |= members.pop(b)
        neighbours[heaviest] |= neighbours.pop(b)
        heappush(waiting, (mass[heaviest], heaviest))
    return [group for group in members.values() if len(group) > 1]
