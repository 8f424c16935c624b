"""Trails: where the centres of bodies have been, as it was computed, and how fast they went there."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import BielleError, unknown
from ..live.history import History, Mark
from .following import Following

if TYPE_CHECKING:
    from ..live.session import LiveSession
    from ..results.timeline import Timeline
    from .workbench import Workbench

__all__ = ["Tracing"]

_MOST_SAMPLES = 20_000  # of all trails together, the last ones


class Tracing(Following):
    """The paths of some bodies: the last samples of the history, then what is new.

    With positions and velocities a page draws the cubics between samples that have both: exact at the samples, and to the fourth order of
    their distance in time between them.
    """

    message = "paths"

    def __init__(self, bench: Workbench, names: list[str]) -> None:
        super().__init__(bench)
        self.names = names

    def _so_far(self, live: LiveSession) -> Timeline:
        live._sample()
        return live._history.since(_recent(live._history, _MOST_SAMPLES // max(len(self.names), 1)))

    def _all(self, record: Timeline, strict: bool) -> dict[str, Any]:
        if strict:
            for name in self.names:
                if name not in record.mechanism.bodies:
                    raise unknown("body", name, record.mechanism.bodies)
        return self._told(record, 0)

    def _more(self, record: Timeline) -> dict[str, Any]:
        return self._told(record, 1)

    def _told(self, record: Timeline, first: int) -> dict[str, Any]:
        """Times, and x, y, z and their rates at each of them in one list; a body that is not there has none, or null."""
        paths = {}
        for name in self.names:
            with contextlib.suppress(BielleError):
                centre, dim = record[name].centre, record.mechanism.dim
                numbers = np.zeros((len(record.time), 6))
                numbers[:, :dim], numbers[:, 3 : 3 + dim] = centre.position, centre.velocity
                paths[name] = numbers[first:].ravel().tolist()
        return {"t": record.time[first:].tolist(), "paths": paths}


def _recent(history: History, most: int) -> Mark:
    """From where on there are about so many samples."""
    count, number = 0, history.mark(0.0).stretch + 1
    for stretch in reversed(history.stretches):
        number -= 1
        for chunk in reversed(stretch.chunks):
            count += len(chunk["t"])
            if count >= most:
                return Mark(number, float(chunk["t"][max(count - most, 0)]))
    return Mark(number, -np.inf)
