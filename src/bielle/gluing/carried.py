"""What is carried from step to step at the joints: how unknowns went, to guess how they go on, and what is still owed."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from .closing import Step
from .component import FORCE, cubic
from .member import Member
from .network import Block, End, Network

__all__ = ["Carried"]


class Carried:
    """By the ends that an unknown or a residual belongs to, so that it outlives a change of the joints."""

    def __init__(self, members: Mapping[str, Member]) -> None:
        self._members = members
        self._last: dict[tuple[End, ...], tuple[float, np.ndarray]] = {}  # of each unknown: its last step, and force or motion over it
        self._debts: dict[tuple[End, ...], np.ndarray] = {}  # of each balance of forces: the impulse that is left over [N·s]

    def guess(self, net: Network, h: float) -> np.ndarray:
        """Unknowns as they would go on: forces along their straight line, motions along their cubic. At first no force, and straight on."""
        guess = np.zeros(net.L.shape[1])
        for block in net.unknowns:
            guess[block.place] = (self._force(block, h) if block.kind == FORCE else self._motion(block, h)).ravel()
        return net.without_idle_forces(guess)

    def _force(self, block: Block, h: float) -> np.ndarray:
        if block.ends not in self._last:
            return np.zeros(block.place.stop - block.place.start)
        before, (start, end) = self._last[block.ends]
        return np.array([end, end + h / before * (end - start)])

    def _motion(self, block: Block, h: float) -> np.ndarray:
        if block.ends not in self._last:
            x, v = self._start(block)
            return np.array([x + h * v, h * v])
        before, motion = self._last[block.ends]
        c3, c2, c1, c0 = cubic(before, motion)
        u = before + h
        return np.array([((c3 * u + c2) * u + c1) * u + c0, h * ((3.0 * c3 * u + 2.0 * c2) * u + c1)])

    def _start(self, block: Block) -> np.ndarray:
        return self._members[block.ends[0].component].start[block.ends[0].port]

    def owed(self, net: Network, h: float) -> np.ndarray:
        """Forces over a step that make good for the impulses that steps before have left out of balance, so that they do not add up."""
        owed = np.zeros(len(net.A))
        for block in net.residuals:
            if block.ends in self._debts:
                owed[block.place] = np.tile(self._debts[block.ends] / h, 2)
        return owed

    def keep(self, net: Network, h: float, step: Step) -> None:
        """A step that was taken, while the ports still know where it began."""
        for block in net.unknowns:
            own = step.p[block.place].reshape(2, -1)
            self._last[block.ends] = h, own if block.kind == FORCE else np.array([*self._start(block), own[0], own[1] / h])
        for block in net.residuals:
            if block.kind == FORCE:
                self._debts[block.ends] = h * step.e[block.place].reshape(2, -1).mean(axis=0)
