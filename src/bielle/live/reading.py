"""Reading the present: the quantities of a Result, of one moment instead of many."""

from __future__ import annotations

import difflib
from typing import Any

import numpy as np

__all__ = ["Reading"]

_PLAIN = (str, int, float, bool, type(None), tuple, list, dict)


class Reading:
    """What can be asked of a component now: the same names as of a result, without the axis of time.

    ``live["arm"].position`` (dim,) · ``live["elbow"].force(on="upper")`` · ``live["arm"].point((1, 0)).velocity`` · ``live.energy.kinetic``
    """

    def __init__(self, of: Any) -> None:
        self._of = of

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        try:
            value = getattr(self._of, name)
        except AttributeError:
            known = [n for n in dir(self._of) if not n.startswith("_")]
            near = difflib.get_close_matches(name, known, n=1)
            hint = f"Did you mean '{near[0]}'?" if near else f"Known: {', '.join(known)}."
            raise AttributeError(f"{self} has no '{name}'. {hint}") from None
        if callable(value):
            return lambda *arguments, **options: _now(value(*arguments, **options))
        return _now(value)

    def __dir__(self) -> list[str]:
        return dir(self._of)

    def __repr__(self) -> str:
        return f"the present of '{getattr(self._of, 'name', type(self._of).__name__)}'"


def _now(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        value = value[-1]
        return float(value) if np.ndim(value) == 0 else value
    if isinstance(value, _PLAIN):
        return value
    return Reading(value)
