"""Rates: bodies that take several steps where others take one, and what belongs to which of them.

A joint or a force acts at the rate of the fastest body it holds on to, and a body moves at the rate of the fastest thing that acts on
it. So around a fast body stand slow ones that move at its rate, but whose other joints and forces act at their own: those are constant
during the short steps, and corrected at the end of the long one. Levels count the rates, from the slowest on.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ..errors import DescriptionError
from ..model import Model
from .partition import Graph

__all__ = ["Rates", "Scope", "everything"]


@dataclass(frozen=True)
class Scope:
    """What is advanced at a level: everything of this level and of those above."""

    level: int
    bodies: np.ndarray  #: (nb,) bool
    held: np.ndarray  #: (nb,) bool: those of them that are advanced by a level above
    joints: np.ndarray  #: (nj,) bool
    own_joints: np.ndarray  #: (nj,) bool: those of this level
    forces: np.ndarray  #: (nf,) bool
    own_forces: np.ndarray  #: (nf,) bool


class Rates:
    """Levels of a model's bodies, joints and forces."""

    def __init__(self, graph: Graph, parts: Mapping[str, int]) -> None:
        """parts: how many steps each body takes in one; those that are not named take one."""
        model = graph.model
        index = model.body_rows.index
        per_body = np.ones(graph.n, dtype=np.int64)
        for name, n in parts.items():
            if name in index:  # an edit may have taken it
                per_body[index[name]] = n
        per_body[0] = 1
        self.parts = np.unique(np.append(per_body, 1)).tolist()  #: steps in one, level by level
        for slow, fast in zip(self.parts, self.parts[1:]):
            if fast % slow:
                raise DescriptionError(
                    f"substeps must be multiples of each other, so that steps end together, got {slow} and {fast}. "
                    f"Take {fast - fast % slow + slow} instead of {fast}, say."
                )
        level = np.searchsorted(self.parts, per_body)
        joint_ends = [[b for b in ends if b > 0] for ends in graph.ends]
        force_ends = [[index[name] for name in record.item.bodies if index[name] > 0] for record in model.force_rows.records]
        self.joint = np.array([max((level[b] for b in ends), default=0) for ends in joint_ends], dtype=np.int64)
        self.force = np.array([max((level[b] for b in ends), default=0) for ends in force_ends], dtype=np.int64)
        self.body = level.copy()
        for acting, ends_of in ((self.joint, joint_ends), (self.force, force_ends)):
            for at, ends in zip(acting, ends_of):
                for b in ends:
                    self.body[b] = max(self.body[b], at)
        internal = np.flatnonzero(graph.internal)
        self.joint[internal] = [self.body[joint_ends[j][0]] for j in internal.tolist()]

    def scope(self, level: int) -> Scope:
        """Of a level."""
        moves = self.body >= level
        moves[0] = False
        return Scope(level, moves, self.body > level, self.joint >= level, self.joint == level, self.force >= level, self.force == level)


def everything(model: Model) -> Scope:
    """One rate for all."""
    bodies = np.ones(len(model.body_rows), dtype=bool)
    bodies[0] = False
    joints, forces = np.ones(len(model.joint_rows), dtype=bool), np.ones(len(model.force_rows), dtype=bool)
    return Scope(0, bodies, np.zeros_like(bodies), joints, joints, forces, forces)
