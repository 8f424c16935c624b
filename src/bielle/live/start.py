"""Start: what a session began with, from which its journal leads to the present."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..solvers.run import Solver
    from .moments import Moment

__all__ = ["Start"]


@dataclass(frozen=True)
class Start:
    """The moment after the mechanism was assembled, and the options of the session.

    The assembled state is kept, not the way to it: a replay begins with the very bits, whatever was held when they were found.
    """

    solver: Solver
    record: float  #: [s] between samples
    history: int  #: bytes that samples may take
    moment: Moment
