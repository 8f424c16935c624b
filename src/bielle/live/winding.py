"""Angles that are continuous over turns: of one moment they are known up to whole turns, what led there tells how many."""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..results.history import ComponentHistory
from ..results.result import Result
from ..results.timeline import Timeline
from .view import view

if TYPE_CHECKING:
    from ..solvers.run import Run
    from .history import History, Stretch

__all__ = ["Winding"]

_CLOSE = 1e-6  # of a turn: a difference between two counts is a whole number of turns to rounding


class _Place(NamedTuple):
    """Where a quantity was counted to."""

    stretch: Stretch
    time: float
    value: Any


class Winding:
    """How far the angles and orientations that were asked for have turned; results count in the same way, from where the history begins.
    The history of a session that was loaded knows how far they had turned before.

    What was counted is kept, so that each question looks only at what came after the one before; two places are kept, because events are
    looked for backwards.
    """

    def __init__(self) -> None:
        self._known: dict[tuple[str, str], list[_Place]] = {}

    def forget(self, after: float = -np.inf) -> None:
        """What was counted after a time, to which the session has gone back, does not count any more."""
        self._known = {key: kept for key, places in self._known.items() if (kept := [p for p in places if p.time <= after])}

    def unwound(self, history: History, run: Run, of: Any, quantity: str) -> Any:
        """The quantity of a component, ``of`` a result of one sample, as a number or as an array."""
        key, now = (of.name, quantity), float(of.run.time[0])
        numbers = {id(stretch): k for k, stretch in enumerate(history.stretches)}
        places = [p for p in self._known.get(key, []) if id(p.stretch) in numbers and p.time <= now]
        last = places[-1] if places else None
        first, since = (0, -np.inf) if last is None else (numbers[id(last.stretch)], last.time)
        segments = _segments(history, run, of.run, first, since)
        pieces = [of.of(segment) for segment in segments]
        asked = ComponentHistory(Timeline(segments, edits=history.edits[first:]), of.name, pieces)
        values = getattr(asked, quantity)
        before = history.turned.get(key) if last is None else last.value
        if before is not None and all(type(piece) is type(of) for piece in pieces):
            values = _counted_on(values, before)
        kept = len(values) - 2  # the last but one sample: the very last is the present, which may be a trial
        if kept >= sum(map(len, segments[:-1])) and (last is None or segments[-1].time[kept - len(values)] > last.time):
            place = _Place(history.stretches[-1], float(segments[-1].time[-2]), values[kept])
            self._known[key] = [*places[-1:], place]
        value = values[-1]
        return float(value) if np.ndim(value) == 0 else value


def _segments(history: History, run: Run, present: Result, first: int, since: float) -> list[Result]:
    """What was computed since a time of the stretch ``first``: of the history, of the leg under way, and the present."""
    now = float(present.time[0])
    out = []
    for stretch in history.stretches[first:]:
        recent = takewhile(lambda chunk: chunk["t"][-1] >= since, reversed(stretch.chunks))
        chunks = [{name: array[chunk["t"] >= since] for name, array in chunk.items()} for chunk in recent][::-1]
        if stretch is history.stretches[-1]:
            end = -np.inf if stretch.end is None else stretch.end
            leg = run.samples(max(end, since))
            chunks += [{name: array[(leg["t"] > end) & (leg["t"] < now)] for name, array in leg.items()}]
            chunks = [{name: array[chunk["t"] < now] for name, array in chunk.items()} for chunk in chunks] + [present.samples]
        samples = {name: np.concatenate([chunk[name] for chunk in chunks]) for name in chunks[0]}
        out.append(Result(view(stretch.mechanism), stretch.model, samples, closings=tuple(c.joint for c in stretch.model.closings)))
    return out


def _counted_on(values: np.ndarray, before: Any) -> np.ndarray:
    """The values, counted on from what the first of them was said to be."""
    if values.ndim == 2:  # quaternions, known up to their sign
        return values if float(values[0] @ before) >= 0.0 else -values
    turns = (before - values[0]) / (2 * np.pi)
    whole = round(turns)
    return values + (2 * np.pi * whole if abs(turns - whole) < _CLOSE else before - values[0])
