"""Pictures of the examples for the start page: drawn when they are first asked for."""

from __future__ import annotations

import functools
import io
import threading

from .. import examples
from ..errors import unknown

__all__ = ["picture_of"]

_one_at_a_time = threading.Lock()  # matplotlib is not made for threads


@functools.cache
def _drawn(name: str) -> bytes:
    """The mechanism and nothing else, on whatever the page has behind it: no axes, no numbers, no names."""
    figure = examples.get(name).build().draw(names=False)
    for ax in figure.axes:
        ax.set_axis_off()
        ax.set_title("", loc="left")
        ax.set_position((0.0, 0.0, 1.0, 1.0))
        for text in [*ax.texts]:
            text.remove()
    content = io.BytesIO()
    figure.savefig(content, format="svg", transparent=True)
    return content.getvalue()


def picture_of(name: str) -> bytes:
    """SVG of an example as it is described."""
    if name not in examples.names():
        raise unknown("example", name, examples.names())
    with _one_at_a_time:
        return _drawn(name)
