"""Finding the instant at which a watch crosses its threshold, to the accuracy of the integrator.

A step in which something has crossed is taken again from its start, which the kernels back up, to trial times: a bracketing root finder
therefore sees the integrator's own solution, and not an interpolation of it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING

import numpy as np

from ..errors import unknown
from ..integrators.steps import WATCHING_TURNS
from ..kernels import slots, watches
from ..model.state import CARRIED
from .instants import leaving

if TYPE_CHECKING:
    from .run import Run

__all__ = ["Watcher"]

_COINCIDENT = 64  # units in the last place of the time within which crossings are one event
_SHORT = 1e-3  # of a step: implicit methods divide by its square, so that accelerations after a shorter one are better found anew


class _StepFailed(Exception):  # noqa: N818 (it is handled here, nobody sees it)
    """A trial step could not be taken."""


class Watcher:
    """Watches of a run's model, from a baseline on: the values at the state the run is at now."""

    def __init__(self, run: Run, sides: Mapping[str, int], new: Collection[str] = (), angles: Mapping[str, float] | None = None) -> None:
        """sides: +1 or −1 for watches that stand on that side whatever rounding says, because they have just crossed to it.
        new: those that may stand on their threshold.
        angles: about where angles are, with the turns they have made so far; the others are between −π and π."""
        self._run = run
        self._w = w = run.workspace
        self.names = names = [record.name for record in run.model.watch_rows.records]
        n = len(names)
        self._value, self._crossed = w.watch_value[:n], w.watch_crossed[:n]
        self._side, self._last = w.watch_side[:n], w.watch_last[:n]
        self._rate, self._last_rate = w.watch_rate[:n], w.watch_last_rate[:n]
        self._watching = WATCHING_TURNS if any(record.item.watch.counts for record in run.model.watch_rows.records) else 1
        self._trials: dict[float, tuple[np.ndarray, np.ndarray]] = {}  # values, and whether crossed, at times inside the last step
        self._short = 0.0
        self.fired: list[str] = []
        w.install({slots.R_CHECK: watches.check})
        threshold, period = w.watch_p[: 2 * n].reshape(n, 2).T
        known = {} if angles is None else angles
        self._last[:] = np.where(period > 0.0, 0.0, [known.get(name, 0.0) for name in names] - threshold)
        self._last_rate[:] = 0.0
        w.backup[0] = run.time  # no time has passed since then, and nothing has turned
        run.refresh()
        watches.observe(w.address)
        way = w.watch_k[: 3 * n : 3]
        self.exceeded = [name for name, beyond in zip(names, way * self._value > 0.0) if beyond and name not in sides]
        self._keep(self._signs())
        watches.back_up(w.address)
        if new:
            self._side[self._on_threshold(new)] = 0.0
        for name, side in sides.items():
            if name not in names:
                raise unknown("watch", name, names)
            self._side[names.index(name)] = side
        watches.back_up(w.address)
        w.status[slots.ST_WATCHING] = self._watching

    def _on_threshold(self, names: Collection[str]) -> list[int]:
        """Of these watches, those that cross within a moment."""
        before = self._value.copy()
        with self._run.a_moment_later():
            watches.observe(self._w.address)
            gone = before * self._value <= 0.0
        self._run.refresh()
        watches.observe(self._w.address)
        return [k for k in np.flatnonzero(gone).tolist() if self.names[k] in names]

    @property
    def crossed(self) -> list[str]:
        """Watches that have crossed since the start of the last step."""
        return [name for name, crossed in zip(self.names, self._crossed) if crossed]

    @property
    def sides(self) -> dict[str, int]:
        """Of each watch, where its value was at the start of the last step: +1 above the threshold, −1 below, 0 on it or not a number."""
        return {name: int(side) for name, side in zip(self.names, self._side)}

    def check(self) -> bool:
        """Compare at the present state, as integrators do at the start of a step; whether something has crossed, or turned uncounted."""
        self._run.refresh()
        watches.check(self._w.address)
        return int(self._w.status[slots.ST_CODE]) in (slots.CODE_EVENT, slots.CODE_TURNS)

    def _signs(self) -> np.ndarray:
        """Of the present values; a value that is not a number is on no side."""
        return np.nan_to_num(np.sign(self._value))

    def _keep(self, sides: np.ndarray) -> None:
        self._side[:], self._last[:], self._last_rate[:], self._crossed[:] = sides, self._value, self._rate, 0

    # -- the instant

    def locate(self) -> float:
        """Take the run to the first crossing in its last step; :attr:`fired` says of what. The run's code tells if a step failed."""
        w, start, end = self._w, float(self._w.backup[0]), self._run.time
        status, count = w.status, w.count
        taken, wanted = int(status[slots.ST_SAMPLE]), int(count[slots.N_SAMPLES])
        old = self._side.copy()
        self._trials = {start: (self._last.copy(), np.zeros_like(self._crossed)), end: (self._value.copy(), self._crossed.copy())}
        self.fired, self._short = [], _SHORT * (end - start)
        status[slots.ST_WATCHING] = count[slots.N_SAMPLES] = 0  # trials are neither watched nor sampled
        time, code = start, slots.CODE_STOPPED  # so it is if the user interrupts
        try:
            instant, fired = self._search(start, end)
            self._go(instant)
            time, code = instant, slots.CODE_EVENT
            sides = self._signs()
            sides[fired] = -old[fired]
            self._keep(sides)
            watches.back_up(w.address)
            self.fired = [self.names[k] for k in fired]
        except _StepFailed:
            code = int(status[slots.ST_CODE])
        finally:
            if not self.fired:
                self._restore()
                self._crossed[:] = 0
            status[slots.ST_SAMPLE], count[slots.N_SAMPLES] = taken, wanted
            status[slots.ST_CODE], status[slots.ST_WATCHING] = code, self._watching
            self._trials = {}
        return time

    def _search(self, start: float, end: float) -> tuple[float, list[int]]:
        """The first crossing, and which watches cross there."""
        tolerance = _COINCIDENT * float(np.spacing(max(abs(start), abs(end))))
        k = int(np.flatnonzero(self._trials[end][1])[0])
        high = end
        while True:
            time = self._root(k, start, high)
            if time - tolerance > start:
                earlier = [i for i in np.flatnonzero(self._trial(time - tolerance)[1]) if i != k]
                if earlier:
                    k, high = int(earlier[0]), time - tolerance
                    continue
            there = self._trial(min(time + tolerance, end))[1]
            return time, sorted({k, *(int(i) for i in np.flatnonzero(there))})

    def _root(self, k: int, start: float, high: float) -> float:
        """Where watch k leaves its side for good between the start of the step and a time at which it has crossed."""
        side = float(self._side[k])

        def value(time: float) -> float:
            found = float(self._trial(time)[0][k])
            return side if np.isnan(found) else found

        return leaving(side, value, start, float(self._last[k]), high)

    def _trial(self, time: float) -> tuple[np.ndarray, np.ndarray]:
        """Values of all watches at a time inside the last step, and which have crossed by then."""
        if time not in self._trials:
            self._go(time)
            self._trials[time] = self._value.copy(), self._crossed.copy()
        return self._trials[time]

    def _go(self, time: float) -> None:
        """Take the last step again from its start, to a time inside it."""
        self._restore()
        start = self._run.time
        if time > start:
            self._run.step_to(time)
            if self._w.status[slots.ST_CODE] != slots.CODE_OK:
                raise _StepFailed
            self._w.status[slots.ST_STEPS] += int(self._w.backup[3])
            if time - start < self._short:
                self._w.status[slots.ST_FRESH] = 0
        self._run.refresh()
        watches.observe(self._w.address)

    def _restore(self) -> None:
        """Go back to the start of the last step, bit by bit."""
        w, first = self._w, 4
        w.scalar[slots.S_TIME], w.scalar[slots.S_NEXT_STEP] = w.backup[0], w.backup[1]
        w.status[slots.ST_FRESH], w.status[slots.ST_STEPS] = w.backup[2], w.backup[3]
        for name in CARRIED:
            values = getattr(w, name)
            values[:] = w.backup[first : first + len(values)]
            first += len(values)
        self._run.resume()
