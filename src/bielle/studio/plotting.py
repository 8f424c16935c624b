"""What one page plots: the whole past once, then what is new, so that every sample arrives once and in order."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import BielleError, DescriptionError
from ..results.catalogue import Catalogue
from .following import Following

if TYPE_CHECKING:
    from ..live.session import LiveSession
    from ..results.timeline import Timeline
    from .workbench import Workbench

__all__ = ["Plotting"]

_MOST_POINTS = 20_000  # of one curve that is sent at once


class Plotting(Following):
    """Quantities that a page plots."""

    message = "plots"

    def __init__(self, bench: Workbench, quantities: list[str]) -> None:
        super().__init__(bench)
        self.quantities = quantities
        self._last: dict[str, np.ndarray] = {}  # values of the last sample told

    def _so_far(self, live: LiveSession) -> Timeline:
        return live.result()

    def _all(self, record: Timeline, strict: bool) -> dict[str, Any]:
        """Times and values over the whole history, of a long one only so many as can be seen."""
        columns = self._columns(record, strict)
        self._last = {name: column[-1] for name, column in columns.items()}
        each = np.unique(np.append(np.arange(0, len(record.time), 1 + len(record.time) // _MOST_POINTS), len(record.time) - 1))
        return _message(record.time[each], {name: column[each] for name, column in columns.items()})

    def _more(self, record: Timeline) -> dict[str, Any]:
        columns = {name: self._continued(name, column) for name, column in self._columns(record).items()}
        self._last = {name: column[-1] for name, column in columns.items()}
        return _message(record.time[1:], {name: column[1:] for name, column in columns.items()})

    def _columns(self, record: Timeline, strict: bool = False) -> dict[str, np.ndarray]:
        """(n,) values of each quantity, (n, 4) of an orientation; those that are gone are left out unless that is an error."""
        found, out = Catalogue(record), {}
        for name in self.quantities:
            with contextlib.nullcontext() if strict else contextlib.suppress(BielleError):
                values = found.get(name)[0].values
                if values.ndim != 1:
                    raise DescriptionError(f"'{name[:80]}' is more than one number. Plot one of its components, such as {name[:80]}.x.")
                out[name] = found.get(_orientation(name))[0].values if _orientation(name) else values
        return out

    def _continued(self, name: str, column: np.ndarray) -> np.ndarray:
        """Values that go on from those told: angles, signs of quaternions and balances are counted from where a record begins."""
        before = self._last.get(name)
        if before is None or not (np.isfinite(before).all() and np.isfinite(column[0]).all()):
            return column
        if column.ndim == 2:
            return column if column[0] @ before >= 0.0 else -column
        return column + (before - column[0])


def _orientation(name: str) -> str:
    """The quaternion that a quantity is a component of; "" if it is none."""
    whole, _, _ = name.rpartition(".")
    return whole if whole.endswith(".orientation") else ""


def _message(times: np.ndarray, columns: dict[str, np.ndarray]) -> dict[str, Any]:
    values = {name: (column[:, "wxyz".index(name[-1])] if column.ndim == 2 else column).tolist() for name, column in columns.items()}
    return {"t": times.tolist(), "values": values}
