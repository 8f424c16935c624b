"""Merging: which bodies become one component, with a central solution inside (figure I-9 of the thesis).

Groups are sets of rows of bodies. The user names them, or they are found: bodies on closed loops, bodies too light to carry their
neighbours on explicit joints, bodies of a joint that has become too soft during the run.
"""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heapify, heappop, heappush

from ..errors import DescriptionError, unknown
from ..mechanism.description import GROUND
from .partition import Graph, Sets

__all__ = ["check_groups", "light_groups", "loop_groups", "named_groups", "united", "whole_group"]

Group = set[int]


def united(graph: Graph, groups: Sequence[Group]) -> list[Group]:
    """Groups with a body in common, other than the ground, made one."""
    sets, out = Sets(graph.n), {}
    for group in groups:
        sets.join(sorted(group - {0}))
    for group in groups:
        out.setdefault(sets.find(max(group)), set()).update(group)
    return list(out.values())


def whole_group(graph: Graph, bodies: Sequence[int]) -> Group:
    """Everything that hangs together with these bodies by joints, and the ground."""
    sets = Sets(graph.n)
    for j in graph.joints:
        sets.join(b for b in graph.ends[j] if b > 0)
    roots = {sets.find(b) for b in bodies if b > 0}
    return {0} | {b for b in range(1, graph.n) if sets.find(b) in roots}


def named_groups(graph: Graph, groups: Sequence[Sequence[str]]) -> list[Group]:
    """Groups by names, each split into those of its bodies that (still) exist and hang together."""
    index = graph.model.body_rows.index
    out: list[Group] = []
    for names in groups:
        out += [part for part in _parts(graph, {index[name] for name in names if name in index}) if len(part) > 1]
    return out


def _parts(graph: Graph, bodies: Group) -> list[Group]:
    """The bodies by the joints between them."""
    sets = Sets(graph.n)
    for j in graph.joints:
        if bodies.issuperset(graph.ends[j]):
            sets.join(graph.ends[j])
    parts: dict[int, Group] = {}
    for b in sorted(bodies):
        parts.setdefault(sets.find(b), set()).add(b)
    return list(parts.values())


def check_groups(graph: Graph, groups: Sequence[Sequence[str]]) -> None:
    """Refuse groups of bodies that do not exist, stand in two groups, or do not hang together."""
    index, seen = graph.model.body_rows.index, set()
    for names in groups:
        for name in names:
            if name not in index:
                raise unknown("body", name, index)
            if name in seen:
                raise DescriptionError(f"Body '{name}' stands in two merge groups. A body belongs to one component: put them in one group.")
            seen |= {name} - {GROUND}
        parts = _parts(graph, {index[name] for name in names})
        if len(parts) > 1:
            told = " and ".join("(" + ", ".join(f"'{graph.name(b)}'" for b in sorted(part)) + ")" for part in parts)
            raise DescriptionError(
                f"The merge group ({', '.join(repr(n) for n in names)}) is not connected: no joint inside the group leads from one to the "
                f"other of {told}. Merge bodies that joints connect, or name those in between as well."
            )


def loop_groups(graph: Graph) -> list[Group]:
    """Bodies on closed loops; loops with a body in common, other than the ground, are one group."""
    ends, spanned = graph.ends, Sets(graph.n)
    tree: dict[int, list[int]] = {b: [] for b in range(graph.n)}
    closing = []
    for j in graph.by_size:
        if spanned.join(ends[j]):
            for a in ends[j]:
                tree[a] += [b for b in ends[j] if b != a]
        else:
            closing.append(j)
    parent = _rooted(tree)
    loops = []
    for j in closing:
        paths = [_ancestors(parent, b) for b in ends[j]]
        common = set(paths[0]).intersection(*map(set, paths[1:]))
        nearest = {next(b for b in paths[0] if b in common)} if common else set()
        loops.append({b for path in paths for b in path if b not in common} | nearest)
    return united(graph, [loop for loop in loops if loop != {0}])


def _rooted(tree: dict[int, list[int]]) -> dict[int, int]:
    """The parent of every body of a forest; roots are their own."""
    parent: dict[int, int] = {}
    for root in tree:
        if root not in parent:
            parent[root] = root
            queue = [root]
            for a in queue:
                for b in tree[a]:
                    if b not in parent:
                        parent[b] = a
                        queue.append(b)
    return parent


def _ancestors(parent: dict[int, int], b: int) -> list[int]:
    path = [b]
    while parent[b] != b:
        b = parent[b]
        path.append(b)
    return path


def light_groups(graph: Graph, ratio: float) -> list[Group]:
    """Bodies that carry much heavier ones, each with the heaviest of its neighbours: explicit joints between them would be soft.

    A joint is as stiff as the mass it sees allows, but has to hold what hangs on the bodies it joins. A component that is lighter than one
    of its neighbours by more than ``ratio`` is merged with the heaviest of them, the lightest first, until there is none.
    """
    records = graph.model.body_rows.records
    mass = {b: float(records[b].item.kind.properties.mass) for b in range(1, graph.n)}
    members = {b: {b} for b in mass}
    neighbours: dict[int, Group] = {b: set() for b in mass}
    for j in graph.joints:
        for a in graph.ends[j]:
            if a > 0:
                neighbours[a].update(b for b in graph.ends[j] if b not in (0, a))
    sets = Sets(graph.n)
    waiting = [(m, b) for b, m in mass.items()]
    heapify(waiting)
    while waiting:
        m, b = heappop(waiting)
        if b not in members or mass[b] != m:
            continue  # it was merged, or has grown, meanwhile
        around = {sets.find(a) for a in neighbours[b]} - {b}
        heaviest = max(around, key=lambda a: (mass[a], -a), default=b)
        if heaviest == b or mass[heaviest] <= ratio * m:
            continue
        sets.join([heaviest, b])
        mass[heaviest] += m
        members[heaviest] |= members.pop(b)
        neighbours[heaviest] |= neighbours.pop(b)
        for a in {sets.find(a) for a in neighbours[heaviest]} | {heaviest}:  # whose neighbour has grown
            heappush(waiting, (mass[a], a))
    return [group for group in members.values() if len(group) > 1]
