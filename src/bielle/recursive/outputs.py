"""Outputs: arrays that results are written to, and a word on those that cannot take them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from ..errors import DescriptionError

__all__ = ["room", "targets"]

Shape = tuple[int, ...]


def targets(out: Any, shapes: Sequence[Shape]) -> list[np.ndarray | None]:
    """The arrays given for results of these shapes: one, or a tuple of several; None where none is given.

    They may be of any layout and precision, as long as they can be written to, and apart from each other.
    """
    if out is None:
        return [None] * len(shapes)
    several = len(shapes) > 1
    if several and not (isinstance(out, tuple | list) and len(out) == len(shapes)):
        wanted = ", ".join(map(str, shapes))
        raise DescriptionError(f"out must be a tuple of {len(shapes)} arrays, with the shapes {wanted}, got {_shown(out)}.")
    found: list[Any] = list(out) if several else [out]
    for target, shape in zip(found, shapes):
        _check(target, shape)
    if any(np.shares_memory(a, b) for a, b in combinations(found, 2)):
        raise DescriptionError("Arrays of out share memory: one result would be written over another. Give each an array of its own.")
    return found


def _check(target: Any, shape: Shape) -> None:
    remedy = f"np.empty({shape}) is one"
    if not isinstance(target, np.ndarray):
        raise DescriptionError(f"out must be an array of floats with the shape {shape}, got {_shown(target)}; {remedy}.")
    if target.shape != shape:
        raise DescriptionError(f"out must have the shape {shape}, got {target.shape}.")
    if target.dtype.kind != "f":
        raise DescriptionError(f"out must be an array of floats, got one of {target.dtype}; {remedy}.")
    if not target.flags.writeable:
        raise DescriptionError(f"out must be an array that can be written to, got one that is read-only; {remedy}.")


def _shown(thing: Any) -> str:
    if isinstance(thing, np.ndarray):
        return f"an array with the shape {thing.shape}"
    return f"a {type(thing).__name__} of {len(thing)}" if isinstance(thing, tuple | list) else repr(thing)[:60]


def room(shape: Shape, target: np.ndarray | None, inputs: Iterable[np.ndarray]) -> np.ndarray:
    """An array that a kernel can write to: the target itself if it will do, and if nothing is read from it meanwhile."""
    if target is None or type(target) is not np.ndarray or target.dtype != float or not target.flags.carray:
        return np.empty(shape)
    return np.empty(shape) if any(np.may_share_memory(target, values) for values in inputs) else target
