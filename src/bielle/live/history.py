"""History: samples of what a session has computed, stretch by stretch between edits, bounded in size."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import count, takewhile
from typing import Any, NamedTuple

import numpy as np

from ..mechanism.mechanism import Mechanism
from ..model import Model
from ..results.result import Result
from ..results.timeline import EditRecord, Segment, Timeline
from .view import view

__all__ = ["History", "Mark", "Tail"]

Samples = dict[str, np.ndarray]
_versions = count()
SHORTEST = 1e-12  #: [s] between two samples: steps are not shorter
_AT_ONCE = 16  # events of one instant that are looked through for the same one


@dataclass
class Stretch:
    """Samples of one model: between two edits nothing changes."""

    mechanism: Mechanism
    model: Model
    chunks: list[Samples] = field(default_factory=list)
    own: int = 0  #: bytes of the model's own arrays

    @property
    def end(self) -> float | None:
        """Time of the last sample."""
        return float(self.chunks[-1]["t"][-1]) if self.chunks else None

    def bytes(self) -> int:
        """Of the samples, and of the model they belong to as far as it does not share its arrays with the one before."""
        return self.own + sum(array.nbytes for chunk in self.chunks for array in chunk.values())

    def joined(self) -> Samples:
        """All samples in one piece."""
        if len(self.chunks) > 1:
            self.chunks = [{name: np.concatenate([c[name] for c in self.chunks]) for name in self.chunks[0]}]
        return self.chunks[0]

    def cut_after(self, time: float) -> Stretch:
        """Take off the samples after a time and return them."""
        before: list[Samples] = []
        after = Stretch(self.mechanism, self.model, own=self.own)
        for chunk in self.chunks:
            early = chunk["t"] <= time
            if early.any():
                before.append(chunk if early.all() else {name: array[early] for name, array in chunk.items()})
            if not early.all():
                after.chunks.append({name: array[~early] for name, array in chunk.items()} if early.any() else chunk)
        self.chunks = before
        return after

    def segment(self) -> Segment:
        """What was computed, as a result."""
        return Result(view(self.mechanism), self.model, self.joined(), closings=tuple(c.joint for c in self.model.closings))


class Mark(NamedTuple):
    """A place in a history: the stretch, counted from the very first, and the time."""

    stretch: int
    time: float


class Tail(NamedTuple):
    """What came after a mark."""

    rest: Stretch | None  #: of the stretch the mark is in; None: that one is forgotten, and the tail is all there is
    stretches: list[Stretch]
    edits: list[EditRecord]
    events: list[tuple[float, str]]
    forgotten: int  #: stretches that had gone before it


class History:
    """The stretches of a session; the oldest samples go when there are more than ``limit`` bytes."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.stretches: list[Stretch] = []
        self.edits: list[EditRecord] = []
        self.events: list[tuple[float, str]] = []  #: that have happened on the way to the present: (time, name)
        self.turned: dict[
            tuple[str, str], float
        ] = {}  #: angles at its very first sample, by component and quantity, if they had turned before
        self.version = next(_versions)  #: another one when it has gone back or forward; the same while it grows
        self._forgotten = 0  # stretches that have gone
        self._size = 0

    def begin(self, mechanism: Mechanism, model: Model, edit: EditRecord | None) -> None:
        """A new stretch, after an edit unless it is the first."""
        if edit is not None:
            self.edits.append(edit)
        self.stretches.append(Stretch(mechanism, model, own=model.own_bytes))
        self._size += self.stretches[-1].bytes()
        self._forget()

    @property
    def end(self) -> float | None:
        """Time of the last sample of the present stretch; None if it has none yet."""
        return self.stretches[-1].end

    def add(self, samples: Samples) -> None:
        """Append samples to the present stretch; those it has already are left out."""
        end = self.end
        if end is not None:
            keep = samples["t"] > end
            if not keep.all():
                samples = {name: array[keep] for name, array in samples.items()}
        if len(samples["t"]):
            self.stretches[-1].chunks.append(samples)
            self._size += sum(array.nbytes for array in samples.values())
            self._forget()

    def note(self, time: float, event: str) -> None:
        """An event has happened; one that acts again, because what it did was undone, has happened once."""
        if (time, event) not in reversed(self.events[-_AT_ONCE:]):
            self.events.append((time, event))

    def _forget(self) -> None:
        """Drop the oldest chunks beyond the limit, never those of the present stretch's end."""
        while self._size > self.limit and (len(self.stretches) > 1 or len(self.stretches[0].chunks) > 1):
            oldest, self.turned = self.stretches[0], {}
            if len(oldest.chunks) > 1:
                self._size -= sum(array.nbytes for array in oldest.chunks.pop(0).values())
            else:
                self._size -= oldest.bytes()
                self._forgotten += 1
                del self.stretches[0], self.edits[0]

    def forgot(self, mark: Mark) -> bool:
        """Whether it does not go back to there any more."""
        return mark.stretch < self._forgotten

    def mark(self, time: float) -> Mark:
        """The present moment, to come back to."""
        return Mark(self._forgotten + len(self.stretches) - 1, time)

    def go_back(self, mark: Mark, mechanism: Mechanism, model: Model) -> Tail:
        """Take off what came after a mark, where these were running, and return it."""
        last = mark.stretch - self._forgotten
        if last < 0:  # that stretch is forgotten: history begins anew
            tail = Tail(None, self.stretches, self.edits, self.events, self._forgotten)
            self.stretches, self.edits, self.events, self.turned = [], [], [], {}
            self.begin(mechanism, model, None)
        else:
            later = [event for event in self.events if event[0] > mark.time]
            rest = self.stretches[last].cut_after(mark.time)
            tail = Tail(rest, self.stretches[last + 1 :], self.edits[last:], later, self._forgotten)
            del self.stretches[last + 1 :], self.edits[last:], self.events[len(self.events) - len(later) :]
        self._size, self.version = sum(stretch.bytes() for stretch in self.stretches), next(_versions)
        return tail

    def go_forward(self, tail: Tail) -> None:
        """Put back what was taken off at the present moment."""
        if tail.rest is None:
            self.stretches, self.edits, self._forgotten = list(tail.stretches), list(tail.edits), tail.forgotten
            self.events = list(tail.events)
        else:
            self.stretches[-1].chunks += tail.rest.chunks
            self.stretches += tail.stretches
            self.edits += tail.edits
            self.events += tail.events
        self._size, self.version = sum(stretch.bytes() for stretch in self.stretches), next(_versions)

    def copy(self) -> History:
        """An independent history with the same samples."""
        other = History(self.limit)
        other.stretches = [Stretch(s.mechanism, s.model, list(s.chunks), s.own) for s in self.stretches]
        other.edits, other.events, other.turned = list(self.edits), list(self.events), dict(self.turned)
        other._forgotten, other._size = self._forgotten, self._size
        return other

    def since(self, mark: Mark) -> Timeline:
        """What was computed from a mark on, the sample there included; the mark must not be forgotten."""
        first = mark.stretch - self._forgotten
        stretches = [Stretch(s.mechanism, s.model, list(s.chunks)) for s in self.stretches[first:]]
        recent = takewhile(lambda chunk: chunk["t"][-1] >= mark.time, reversed(stretches[0].chunks))
        stretches[0].chunks = [{name: array[chunk["t"] >= mark.time] for name, array in chunk.items()} for chunk in recent][::-1]
        return Timeline([stretch.segment() for stretch in stretches], edits=self.edits[first:])

    def result(self, info: dict[str, Any]) -> Timeline:
        """Everything that is kept, as one result."""
        return Timeline([stretch.segment() for stretch in self.stretches], edits=self.edits, info=info)
