"""Timeline: what a live session computed, in which components come, go and change while the simulation runs."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from ..calls import explained_methods
from ..errors import DescriptionError
from .history import ComponentHistory
from .record import EditRecord, Record
from .result import Result

__all__ = ["EditRecord", "Segment", "Timeline"]

Segment = Result  #: between two edits nothing changes: what was computed then is a result


@explained_methods
class Timeline(Record):
    """Motion, reactions and energies of a mechanism that was changed while it ran; asked as a :class:`~.result.Result`.

    segments  Segment(mechanism, model, samples, closings=…): what was computed between two edits, one after the other
    edits     what was done between them: edits[k] leads from segments[k] to segments[k + 1]

    The last sample of a segment and the first one of the next are of the same moment, before and after the edit. Both are kept, so that
    jumps can be seen; so ``time`` has this moment twice. A segment of a single sample lies between two edits of the same moment.
    The first three columns of ``work`` go on from segment to segment; that of a closing exists while the closing goes on.

    A component is NaN while it does not exist; ``run["elbow"].lifetimes`` says when it did.
    """

    _given = ("_segments", "edits", "info", "mechanism")

    def __init__(self, segments: Sequence[Segment], *, edits: Sequence[EditRecord] = (), info: dict[str, Any] | None = None) -> None:
        self._segments = tuple(segments)
        self.edits = tuple(edits)
        self.info = info or {}
        self._cache = {}
        self._check()
        self.mechanism = self._segments[-1].mechanism

    @property
    def segments(self) -> tuple[Segment, ...]:
        """What was computed between two edits, one after the other."""
        return self._segments

    def _check(self) -> None:
        segments = self.segments
        if not segments:
            raise DescriptionError("A timeline needs at least one segment. Give what was computed before the first edit.")
        if len(self.edits) != len(segments) - 1:
            raise DescriptionError(
                f"{len(segments)} segments have {len(segments) - 1} edits between them, got {len(self.edits)}. Give one for each change; "
                "what is changed together is one edit."
            )
        if len({segment.mechanism.plane for segment in segments}) > 1:
            raise DescriptionError("All segments must be of the same plane, or all spatial. Make two timelines.")
        for k, segment in enumerate(segments):
            if not len(segment) and len(segments) > 1:
                raise DescriptionError(f"Segment {k} has no samples. Give at least the state right after the edit, or leave it out.")
            width = 3 + len(segment.closings)
            if segment.samples["work"].shape != (len(segment), width):
                raise DescriptionError(
                    f"Segment {k}: work must have {width} columns (dissipated, drives, applied, and one for each of the "
                    f"{len(segment.closings)} closings), got the shape {segment.samples['work'].shape}."
                )
        for k, (one, next_one) in enumerate(pairwise(segments)):
            end, start, edit = float(one.time[-1]), float(next_one.time[0]), self.edits[k].time
            if end != start or abs(edit - end) > 1e-9 * (1.0 + abs(end)):
                raise DescriptionError(
                    f"Segment {k} ends at {end!r} s, segment {k + 1} starts at {start!r} s and the edit between them, "
                    f"'{self.edits[k].label}', is at {edit!r} s: these must be the same moment."
                )

    def names(self) -> list[str]:
        """Names that can be asked for: of all components that ever existed."""
        tables = ("bodies", "joints", "forces", "frames")
        return list(dict.fromkeys(name for table in tables for segment in self.segments for name in getattr(segment.mechanism, table)))

    def _make(self, name: str) -> ComponentHistory:
        return ComponentHistory(self, name)
