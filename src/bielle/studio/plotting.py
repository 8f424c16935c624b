"""What one page plots: the whole past once, then what is new, so that every sample arrives once and in order."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import BielleError, DescriptionError
from ..live.history import Mark
from ..results.catalogue import Catalogue

if TYPE_CHECKING:
    from ..results.timeline import Timeline
    from .workbench import Workbench

__all__ = ["Plotting"]

_MOST_POINTS = 20_000  # of one curve that is sent at once


class Plotting:
    """Quantities that a page plots, and how far it has been told of them.

    A page that wants other quantities gets another ``Plotting``. So whoever still reads the one before can neither spoil the new one nor
    be mistaken for it: samples are delivered only while their ``Plotting`` is the page's.
    """

    def __init__(self, bench: Workbench, quantities: list[str]) -> None:
        self.quantities = quantities
        self._bench = bench
        self._version, self._place = -1, Mark(0, 0.0)  # of the history it has told of, and how far
        self._last: dict[str, np.ndarray] = {}  # values of the last sample told

    def past(self, strict: bool = True) -> dict[str, Any]:
        """Times and values over the whole history, of a long one only so many as can be seen; ``strict``: unknown names are errors."""
        live = self._bench.live
        with live._lock:
            whole = live.result()
            self._version, self._place = live._history.version, live._history.mark(live.time)
        columns = self._columns(whole, strict)
        self._last = {name: column[-1] for name, column in columns.items()}
        each = np.unique(np.append(np.arange(0, len(whole.time), 1 + len(whole.time) // _MOST_POINTS), len(whole.time) - 1))
        return _message(whole.time[each], {name: column[each] for name, column in columns.items()})

    def news(self) -> dict[str, Any] | None:
        """What is new since the last call, if anything; the whole past, as a ``restart``, if the session has gone back or is another."""
        live = self._bench.live
        with live._lock:
            history = live._history
            if history.version != self._version or history.forgot(self._place):
                return {"restart": True} | self.past(strict=False)
            live._sample()
            place = history.mark(live.time)
            if place == self._place:
                return None
            recent, self._place = history.since(self._place), place
        columns = {name: self._continued(name, column) for name, column in self._columns(recent).items()}
        self._last = {name: column[-1] for name, column in columns.items()}
        return _message(recent.time[1:], {name: column[1:] for name, column in columns.items()})

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
