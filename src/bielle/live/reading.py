"""Reading the present: the quantities of a Result, of one moment instead of many."""

from __future__ import annotations

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
        value = getattr(self._of, name)
        if callable(value):
            return lambda *arguments, **options: _now(value(*arguments, **options))
        return _now(value)

    def __dir__(self) -> list[str]:
        return dir(self._of)

    def __repr__(self) -> str:
        return f"the present of {self._of!r}"


def _now(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        value = value[-1]
        return float(value) if np.ndim(value) == 0 else value
    if isinstance(value, _PLAIN):
        return value
    return Reading(value)
