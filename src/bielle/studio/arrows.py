"""Arrows: what joints and forces do to bodies, where they do it, and how fast bodies go."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..errors import BielleError
from ..mechanism.vectors import lifted
from ..results.result import Result

__all__ = ["arrows"]


def arrows(now: Result, names: Sequence[str]) -> np.ndarray:
    """(m, 7) float32: the number of a name in the list, where the arrow starts (world axes), and the force [N] or velocity [m/s].

    A joint or force has one arrow, its force on b (or on the only body it acts on), at its point there; a body that of its centre of mass.
    Names that are gone, and what has no force but a moment, have none.
    """
    rows = []
    for i, name in enumerate(names):
        try:
            found = _arrow(now, name)
        except BielleError:
            continue
        if found is not None and np.isfinite(found).all():
            rows.append([i, *np.ravel(found)])
    return np.array(rows, dtype=np.float32).reshape(len(rows), 7)


def _arrow(now: Result, name: str) -> Any:
    """Start and vector, 3 numbers each."""
    m = now.mechanism
    if name in m.bodies:
        centre = now[name].centre
        return lifted(centre.position[0]), lifted(centre.velocity[0])
    if name not in m.joints and name not in m.forces:
        return None
    result = now[name]
    last = result.markers[-1]
    return result._point(last)[0], lifted(result.force(on=last.side)[0])
