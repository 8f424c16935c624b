"""Pictures of the examples for the start page: drawn when they are first asked for."""

from __future__ import annotations

import functools
import tempfile
import threading
from pathlib import Path

from .. import examples
from ..errors import unknown

__all__ = ["picture_of"]

_one_at_a_time = threading.Lock()  # matplotlib is not made for threads


@functools.cache
def _drawn(name: str) -> bytes:
    with tempfile.TemporaryDirectory(prefix="bielle-") as folder:
        path = Path(folder) / "a.svg"
        examples.get(name).build().draw(path=path)
        return path.read_bytes()


def picture_of(name: str) -> bytes:
    """SVG of an example as it is described."""
    if name not in examples.names():
        raise unknown("example", name, examples.names())
    with _one_at_a_time:
        return _drawn(name)
