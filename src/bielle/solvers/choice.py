"""The solvers there are, by name."""

from __future__ import annotations

from typing import Any

from ..errors import DescriptionError
from .central import Central
from .modular import Modular
from .recursive import Recursive
from .run import Solver

__all__ = ["SOLVERS", "checked"]

SOLVERS: dict[str, type] = {"central": Central, "modular": Modular, "recursive": Recursive}


def checked(solver: Any) -> Solver:
    """The solver, or the default; anything else is refused."""
    if solver is None:
        return Central()
    if not isinstance(solver, tuple(SOLVERS.values())):
        raise DescriptionError(
            f"The solver must be made by bielle.Central(…), bielle.Modular(…) or bielle.Recursive(…), got {solver!r}. "
            "Write Central(integrator='rk4', step=1e-3), say."
        )
    return solver
