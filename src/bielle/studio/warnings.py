"""Warnings that reach the page: what the engine says while the studio is open, each sentence at most once a minute."""

from __future__ import annotations

import time as clock
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

__all__ = ["heard"]

_AGAIN = 60.0  # [s]


@contextmanager
def heard(tell: Callable[[str], None]) -> Iterator[None]:
    """Pass on what is warned of in any thread, in the place of printing it."""
    told: dict[str, float] = {}

    def show(message: Any, *_: Any, **__: Any) -> None:
        text, now = str(message), clock.monotonic()
        if now - told.get(text, -_AGAIN) >= _AGAIN:
            told[text] = now
            tell(text)

    before = warnings.showwarning
    warnings.showwarning = show
    try:
        yield
    finally:
        warnings.showwarning = before
