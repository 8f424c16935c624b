"""The other side of a :class:`~bielle.gluing.remote.Remote`: a component that is asked through standard input, and answers on output."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import Any

import msgspec
import numpy as np

from ..calls import explained
from ..errors import BielleError
from .component import Component
from .member import Member
from .messages import MARK, VERSION, Advance, Blocks, End, Failed, Hello, Motion, Numbers, Request, Save, frame, request, take_frame

__all__ = ["answer", "serve"]


@explained
def serve(component: Component) -> None:
    """Let a glue in another process use a component of this one; returns when it is not needed any more.

    To be called by the script that a :class:`bielle.Remote` starts. It speaks through standard input and output; what is printed goes to
    standard error instead. Afterwards the script may, for instance, save the result of its part.
    """
    Member("served", component)  # says what is missing, here where it can be mended
    out, source = os.dup(1), os.dup(0)
    os.dup2(2, 1)  # what the component prints must not get between the messages
    sys.stdout.flush()
    try:
        _converse(component, lambda: os.read(source, 65536), lambda data: _write(out, data))
    except BrokenPipeError:  # the one who asked is gone
        pass
    finally:
        os.close(out)
        os.close(source)


def _write(out: int, data: bytes) -> None:
    while data:
        data = data[os.write(out, data) :]


def _converse(component: Component, read: Callable[[], bytes], write: Callable[[bytes], None]) -> None:
    """Answer until nobody asks any more."""
    write(MARK + frame(Hello(VERSION, component.accepts, dict(component.ports))))
    buffer, saved = bytearray(), [None]
    while True:
        content = take_frame(buffer)
        if content is None:
            data = read()
            if not data:
                return
            buffer += data
            continue
        asked = request(content)
        if isinstance(asked, End):
            return
        write(frame(answer(component, asked, saved)))


def answer(component: Component, asked: Request, saved: list[Any]) -> Blocks | Failed:
    """What the component says to a request; saved: its token, in a list of one."""
    assert not isinstance(asked, End)
    blocks: Any = {}
    try:
        if isinstance(asked, Advance):
            inputs = {port: np.array(rows, dtype=float) for port, rows in asked.inputs.items()}
            blocks = component.advance(asked.time, asked.step, inputs)
        elif isinstance(asked, Motion):
            blocks = component.motion()
        elif isinstance(asked, Save):
            saved[0] = component.save()
        else:
            component.restore(saved[0])
    except BielleError as error:
        return Failed(asked.number, str(error))
    except Exception as error:
        what = type(asked).__name__.lower()
        return Failed(asked.number, f"its {what} raised {type(error).__name__}: {error}. Mend the component.")
    try:
        return Blocks(asked.number, msgspec.convert(_plain(blocks), Numbers))
    except (TypeError, ValueError, AttributeError, msgspec.ValidationError):
        what = type(asked).__name__.lower()
        return Failed(asked.number, f"its {what} must return a dictionary of numbers by port, got {blocks!r:.200}. Mend the component.")


def _plain(blocks: Any) -> dict[str, Any]:
    return {port: np.asarray(block, dtype=float).tolist() for port, block in blocks.items()}
