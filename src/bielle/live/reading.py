"""Reading the present: the quantities of a Result, of one moment instead of many."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..errors import AccessError
from ..mechanism.components import missing_attribute
from ..results.asking import Asked

__all__ = ["Reading", "present"]

_PLAIN = (str, int, float, bool, type(None), tuple, list, dict)


class Reading:
    """What can be asked of a component now: the same names as of a result, without the axis of time.

    ``live["arm"].position`` (dim,) · ``live["elbow"].force(on="upper")`` · ``live["arm"].point((1, 0)).velocity`` · ``live.energy.kinetic``
    """

    def __init__(self, of: Any, unwound: Callable[[Any, str], Any] | None = None) -> None:
        """unwound: finds an angle or orientation that is continuous over turns, of which one moment knows too little."""
        self._of = of
        self._unwound = unwound

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        try:
            value = getattr(self._of, name)
        except AttributeError:
            known = self._of._asked() if isinstance(self._of, Asked) else dir(self._of)
            raise missing_attribute(self._title(), name, known) from None
        if self._unwound is not None and name in getattr(self._of, "winding", ()):
            return self._unwound(self._of, name)
        if callable(value):
            return lambda *arguments, **options: present(value(*arguments, **options))
        return present(value)

    def __setattr__(self, name: str, value: Any) -> None:
        if not name.startswith("_"):
            raise AccessError(
                f"{self._title()} can only be read, its {name} not be set. Write live.set(…) to change a parameter, "
                "live.teleport(…) to move a body."
            )
        super().__setattr__(name, value)

    def __dir__(self) -> list[str]:
        return dir(self._of)

    def _title(self) -> str:
        return f"the present of {self._of._title() if isinstance(self._of, Asked) else type(self._of).__name__}"

    def __repr__(self) -> str:
        return f"{self._title()}: ask for {self._of._listed()}" if isinstance(self._of, Asked) else self._title()


def present(value: Any, unwound: Callable[[Any, str], Any] | None = None) -> Any:
    """The last of an array, plain values as they are, and the present of anything else."""
    if isinstance(value, np.ndarray):
        value = value[-1]
        return float(value) if np.ndim(value) == 0 else value
    if isinstance(value, _PLAIN):
        return value
    return Reading(value, unwound)
