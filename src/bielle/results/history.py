"""What can be asked of a component that may exist only for a while: the answers of all segments of a timeline, one after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import groupby, pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from ..calls import explained_methods
from ..errors import AccessError, BielleError, DescriptionError
from .quantities import BodyResult, Component, PointResult, unwound

if TYPE_CHECKING:
    from .timeline import Timeline

__all__ = ["ComponentHistory", "PointHistory"]


class _History:
    """Quantities over all samples of a timeline, from pieces that know them over one segment each; NaN where there is no piece."""

    def __init__(self, run: Timeline, name: str, pieces: Iterable[Any]) -> None:
        self.run = run
        self.name = name
        self.pieces: dict[int, Any] = {k: piece for k, piece in enumerate(pieces) if piece is not None}  #: by number of the segment

    def __getattr__(self, quantity: str) -> Any:
        """Any quantity that a piece has: an array (n, …), or a method that returns one."""
        pieces = {k: piece for k, piece in self.__dict__.get("pieces", {}).items() if quantity in piece.quantities}
        if not pieces:
            raise AccessError(self._missing(quantity))
        if any(callable(getattr(type(piece), quantity, None)) for piece in pieces.values()):
            return lambda *args, **options: self._joined(quantity, _answers(pieces, lambda p: getattr(p, quantity)(*args, **options)))
        answers = _answers(pieces, lambda piece: getattr(piece, quantity))
        winds = all(quantity in getattr(pieces[k], "winding", ()) for k in answers)
        values = self._unwound(quantity, {k: pieces[k] for k in answers}) if winds else self._joined(quantity, answers)
        self.__dict__[quantity] = values  # as a cached property
        return values

    def __repr__(self) -> str:
        known = dict.fromkeys(name for piece in self.pieces.values() for name in piece.quantities)
        return f"'{self.name}' in {len(self.pieces)} of {len(self.run.segments)} segments: ask for {', '.join(known)}"

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *(quantity for piece in self.pieces.values() for quantity in piece.quantities)})

    def _missing(self, quantity: str) -> str:
        pieces = self.__dict__.get("pieces", {})  # none yet while it is being copied or unpickled
        if not any(hasattr(piece, quantity) for piece in pieces.values()):
            known = dict.fromkeys(known for piece in pieces.values() for known in piece.quantities)
            return f"'{self.__dict__.get('name', '')}' has no '{quantity}'. It has: {', '.join(known)}."
        return (
            f"'{self.name}': '{quantity}' is no array over time, and may differ from segment to segment. "
            f"Ask one of them: run.segments[{min(self.pieces)}]['{self.name}'].{quantity}, or run.at(time)['{self.name}'].{quantity}."
        )

    def _joined(self, quantity: str, answers: dict[int, np.ndarray]) -> np.ndarray:
        """(n, …) the answers of the pieces, NaN where there is none."""
        shapes: dict[tuple[int, ...], int] = {}  # and where each is first
        for k, answer in answers.items():
            shapes.setdefault(answer.shape[1:], k)
        if len(shapes) > 1:
            (one, k), (other, m) = list(shapes.items())[:2]
            raise DescriptionError(
                f"'{self.name}': '{quantity}' has the shape {('n', *one)} in segment {k} and {('n', *other)} in segment {m}, because "
                f"the component was changed, and does not fit in one array. Ask one segment: run.segments[{k}]['{self.name}'].{quantity}."
            )
        joined = np.full((len(self.run), *next(iter(shapes))), np.nan)
        for k, answer in answers.items():
            joined[self.run.spans[k]] = answer
        return joined

    def _unwound(self, quantity: str, pieces: dict[int, Any]) -> np.ndarray:
        """(n, …) an angle or orientation, continuous for as long as the component lives on as the same kind of component."""
        both = {k: getattr(piece, piece.winding[quantity]) for k, piece in pieces.items()}
        wound, *rates = (self._joined(quantity, {k: each[i] for k, each in both.items()}) for i in range(len(next(iter(both.values())))))
        # segments without a gap between their numbers, of one kind of component
        for _, group in groupby(enumerate(pieces), lambda item: (item[1] - item[0], type(pieces[item[1]]))):
            life = [k for _, k in group]
            shift = 0.0
            for before, k in pairwise(life):
                shift += pieces[k].zero_shift(pieces[before])
                wound[self.run.spans[k]] += shift
            span = slice(self.run.spans[life[0]].start, self.run.spans[life[-1]].stop)
            title = pieces[life[0]]._title()
            wound[span] = unwound(wound[span], tuple(rate[span] for rate in rates), self.run.time[span], title)
        return wound


def _answers(pieces: dict[int, Any], ask: Callable[[Any], np.ndarray]) -> dict[int, np.ndarray]:
    """What the pieces answer; some may not be able to (they act on other bodies then, the axes do not exist), unless none is."""
    answers, errors = {}, []
    for k, piece in pieces.items():
        try:
            answers[k] = ask(piece)
        except BielleError as error:
            errors.append(error)
    if not answers:
        raise errors[0]
    return answers


class PointHistory(_History):
    """Motion of a material point of a body: ``position``, ``velocity``, ``acceleration``."""

    @property
    def local(self) -> np.ndarray:
        """(3,) where it is in the body's frame; at first, for a centre of mass that moved."""
        return next(iter(self.pieces.values())).local


@explained_methods
class ComponentHistory(_History):
    """Results of a component of a timeline: all quantities of a body, joint, force or frame, and NaN while it did not exist.

    If the name belonged to different kinds of components, each quantity comes from those that have it.
    """

    def __init__(self, run: Timeline, name: str, pieces: Iterable[Any] | None = None) -> None:
        super().__init__(run, name, (segment.get(name) for segment in run.segments) if pieces is None else pieces)

    @property
    def lifetimes(self) -> list[tuple[float, float]]:
        """When it existed: (from, to) [s]; more than one if it was removed and added again."""
        lives = [[k for _, k in group] for _, group in groupby(enumerate(self.pieces), lambda item: item[1] - item[0])]
        segments = self.run.segments
        return [(float(segments[life[0]].time[0]), float(segments[life[-1]].time[-1])) for life in lives]

    # -- points of a body

    def _bodies(self) -> list[BodyResult | None]:
        """What was a body then, for each segment."""
        found = [self.pieces.get(k) for k in range(len(self.run.segments))]
        bodies = [piece if isinstance(piece, BodyResult) else None for piece in found]
        if not any(bodies):
            raise DescriptionError(f"'{self.name}' never was a body and has no points of its own. Ask a body or a frame.")
        return bodies

    def point(self, local: Any = None, *, at: Any = None) -> PointHistory:
        """A point given in the body frame, or by where it is in the configuration in which the body was first described (``at``)."""
        bodies = self._bodies()
        place = next(body for body in bodies if body).point(local, at=at).local
        return PointHistory(self.run, self.name, (body and PointResult(body, place) for body in bodies))

    @property
    def origin(self) -> PointHistory:
        return PointHistory(self.run, self.name, (body and body.origin for body in self._bodies()))

    @property
    def centre(self) -> PointHistory:
        """The centre of mass, wherever it is in the body at the time."""
        return PointHistory(self.run, self.name, (body and body.centre for body in self._bodies()))

    # -- for plots and tables

    def _of_all(self, names: Callable[[Component], list[str]]) -> list[str]:
        return list(dict.fromkeys(name for piece in self.pieces.values() for name in names(piece)))

    @property
    def named(self) -> list[str]:
        """Quantities that plots and tables know by name."""
        return self._of_all(lambda piece: piece.named)

    @property
    def tabled(self) -> list[str]:
        """Those that belong in a table of everything."""
        return self._of_all(lambda piece: piece.tabled)

    @property
    def output_unit(self) -> str:
        """Unit of the output of a force; several if its kind changed."""
        units = dict.fromkeys(piece.output_unit for piece in self.pieces.values() if hasattr(piece, "output_unit"))
        return " or ".join(unit or "1" for unit in units) if len(units) > 1 else next(iter(units), "")
