"""Undo and redo of what is done to a workbench, and not to its session: another moment of it, another solver.

The session undoes its own edits. Steps of the workbench are woven into them: each remembers how many edits could be undone and redone when
it was made or taken back, so that whatever came last is the next to be undone, and whatever was undone last the next to be redone.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..live.session import LiveSession

__all__ = ["Step", "Steps"]

_MOST_SESSIONS = 8  # that steps can lead to: they take memory
_MOST = 200


@dataclass(frozen=True)
class Step:
    """Something that was done: how to take it back, how to do it again, and whether that leads to another session."""

    label: str
    back: Callable[[], object]
    again: Callable[[], object]
    leads_away: bool = False


@dataclass(frozen=True)
class _Place:
    """Where a step stands among the edits of a session."""

    step: Step
    live: LiveSession
    undo: int
    redo: int
    version: int


class Steps:
    """Those that were done, and those that were taken back."""

    def __init__(self) -> None:
        self._done: list[_Place] = []
        self._taken_back: list[_Place] = []

    def clear(self) -> None:
        """Forget all, for another session has been opened."""
        self._done, self._taken_back = [], []

    @property
    def last(self) -> Step | None:
        """What was done last."""
        return self._done[-1].step if self._done else None

    def did(self, step: Step, live: LiveSession, *, goes_on: bool = False) -> None:
        """A step was done, which has led to this session; ``goes_on``: it is one with the step before, to where both are taken back."""
        self._taken_back.clear()
        if goes_on:
            step = replace(step, back=self._done.pop().step.back)
        self._done = _fewer([*self._done, _place(step, live)])

    def next_undo(self, live: LiveSession) -> Step | None:
        """What is to be undone next, unless it is an edit of the session."""
        return self._done[-1].step if self._done and len(live._undo) <= self._done[-1].undo else None

    def next_redo(self, live: LiveSession) -> Step | None:
        """What is to be redone next, unless it is an edit of the session, or something else was done since."""
        if not self._taken_back:
            return None
        last = self._taken_back[-1]
        here = _place(last.step, live)
        return last.step if here == last else None

    def took_back(self, live: LiveSession) -> None:
        """What was to be undone next is undone, which has led to this session."""
        step = self._done.pop().step
        self._taken_back = _fewer([*self._taken_back, _place(step, live)])

    def did_again(self, live: LiveSession) -> None:
        """What was to be redone next is done again, which has led to this session."""
        self._done = _fewer([*self._done, _place(self._taken_back.pop().step, live)])


def _place(step: Step, live: LiveSession) -> _Place:
    return _Place(step, live, len(live._undo), len(live._redo), live.version)


def _fewer(places: list[_Place]) -> list[_Place]:
    """The last ones; those before a session that is forgotten led to it, and go with it."""
    places = places[-_MOST:]
    away = [k for k, place in enumerate(places) if place.step.leads_away]
    return places[away[-_MOST_SESSIONS - 1] + 1 :] if len(away) > _MOST_SESSIONS else places
