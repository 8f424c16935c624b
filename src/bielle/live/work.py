"""Work: what the engine is doing while functions of the user's may be called by it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from ..model import State
    from ..results.result import Result

__all__ = ["GaveWay", "Spent", "Work"]


class GaveWay(BaseException):  # as KeyboardInterrupt: nothing has gone wrong
    """An advance has ended between two steps because it takes long and somebody waits; the session can go on from there."""


@dataclass
class Spent:
    """What the advances of a session have cost so far."""

    seconds: float = 0.0  #: of the clock
    steps: int = 0
    iterations: int = 0  #: of implicit integrators


@dataclass
class Work:
    """Something under way, during which the session cannot be changed."""

    what: str  #: for messages: "A step is under way"
    state: State | None  #: what functions are told that read the session meanwhile; None: the present
    read: bool = False  #: whether one did
    result: Result | None = None

    def tell(self, state: State) -> None:
        """Functions are told another state from now on."""
        self.state, self.read, self.result = state, False, None

    def samples(self) -> dict[str, np.ndarray]:
        """The state as one sample."""
        s = self.state
        assert s is not None
        found = {"q": s.q, "v": s.v, "a": s.acc, "lam": s.lam, "work": s.work, "memory": s.memory}
        return {"t": np.array([s.time])} | {name: values[None, :].copy() for name, values in found.items()}
