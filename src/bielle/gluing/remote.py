"""Remote: a component in another process, spoken to through the standard input and output of that process."""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Mapping, Sequence
from typing import Any, cast

import msgspec
import numpy as np

from ..calls import explained_methods
from ..errors import ComponentError, DescriptionError
from ..kernels.memory import Uncopyable
from ..mechanism.vectors import number, shown
from .messages import MARK, VERSION, Advance, Blocks, End, Failed, Hello, Motion, Restore, Save, frame, reply, take_frame
from .process import Process

__all__ = ["Remote"]

_PRINTED = 2**16  # bytes kept of what a process prints before its component is served


@explained_methods
class Remote(Uncopyable):
    """A component of another process, which is started here, asked for every step, and ended with :meth:`close`.

    command   what starts it, as a list: ``[sys.executable, "right.py"]``. The script makes its component and calls ``bielle.gluing.serve``
    timeout   seconds that an answer may take. A process that takes longer is ended, and an error says so
    startup   the same for the first answer: it has to be started, and may have to compile

    Messages are plain numbers (:mod:`bielle.gluing.messages`); nothing that is received is executed. What the process writes to its
    standard error appears on that of this one. A Remote also ends its process when it is forgotten, or when this process exits; and a
    process whose asker has died finds the end of its input and returns from ``serve``.
    """

    instead = "Start another with the same command."

    def __init__(self, command: Sequence[str], *, timeout: float = 30.0, startup: float = 120.0) -> None:
        if isinstance(command, str) or not isinstance(command, Sequence) or not command or not all(isinstance(c, str) for c in command):
            raise DescriptionError(
                f"The command of a Remote must be a list of strings, got {shown(command)}. Write [sys.executable, 'right.py'], say."
            )
        self.timeout = number(timeout, "the timeout of a Remote", positive=True)
        startup = number(startup, "the startup time of a Remote", positive=True)
        self._buffer = bytearray()
        self._number = 0
        self._waiting: deque[Motion | Advance | Save | Restore] = deque()  # what is not answered yet
        self._process = Process(command, frame(End()))
        try:
            hello = self._hello(startup)
        except BaseException:
            self.close()
            raise
        self.accepts = hello.accepts
        self.ports: dict[str, int] = hello.ports

    def _hello(self, seconds: float) -> Hello:
        with self._process.limit(seconds, "say what it is"):
            printed = self._find_mark()
            if printed.strip():
                print(printed.decode(errors="replace"), file=sys.stderr)
            hello = self._receive()
        if not isinstance(hello, Hello) or hello.version != VERSION:
            raise self._broken(f"began with {shown(hello)} instead of a Hello of version {VERSION}")
        return hello

    def _find_mark(self) -> bytes:
        """Read up to the mark; the end of what was printed before the component was served."""
        searched = 0
        while (found := self._buffer.find(MARK, searched)) < 0:
            del self._buffer[:-_PRINTED]
            searched = max(len(self._buffer) - len(MARK), 0)
            self._buffer += self._process.read()
        printed = bytes(self._buffer[:found])
        del self._buffer[: found + len(MARK)]
        return printed

    # -- the component

    def motion(self) -> dict[str, Any]:
        """Where its ports are, at present."""
        self._post(Motion(self._next()))
        return self._answer("tell its motion")

    def ask(self, time: float, step: float, inputs: Mapping[str, np.ndarray]) -> None:
        """Let it begin with a step."""
        self._post(Advance(self._next(), float(time), float(step), {port: block.tolist() for port, block in inputs.items()}))

    def answer(self) -> dict[str, Any]:
        """What came of the step that was asked for last."""
        return self._answer("advance")

    def advance(self, time: float, step: float, inputs: Mapping[str, Any]) -> dict[str, Any]:
        """One step; see :class:`~bielle.gluing.component.Component`."""
        self.ask(time, step, {port: np.asarray(block, dtype=float) for port, block in inputs.items()})
        return self.answer()

    def save(self) -> None:
        """Let it remember its state. That it could not is told with the next answer."""
        self._post(Save(self._next()))

    def restore(self, token: None) -> None:
        """Let it go back. That it could not is told with the next answer."""
        self._post(Restore(self._next()))

    # -- messages

    def _next(self) -> int:
        self._number += 1
        return self._number

    def _post(self, message: Motion | Advance | Save | Restore) -> None:
        self._waiting.append(message)
        with self._process.limit(self.timeout, type(message).__name__.lower()):
            self._process.write(frame(message))

    def _answer(self, doing: str) -> dict[str, Any]:
        """The answer to the last request. Of those before it only that a state was not saved or restored matters."""
        while True:
            with self._process.limit(self.timeout, doing):
                got = self._receive()
            if isinstance(got, Hello) or not self._waiting or got.number != self._waiting[0].number:
                raise self._broken(f"answered what was not asked, {shown(got)}")
            asked = self._waiting.popleft()
            if isinstance(got, Failed) and (got.number == self._number or isinstance(asked, Save | Restore)):
                raise ComponentError(got.reason)
            if isinstance(got, Blocks) and got.number == self._number:
                return cast(dict[str, Any], got.blocks)

    def _receive(self) -> Hello | Blocks | Failed:
        try:
            while (content := take_frame(self._buffer)) is None:
                self._buffer += self._process.read()
            return reply(content)
        except (ValueError, msgspec.MsgspecError) as error:
            raise self._broken(f"sent what is no message: {error}") from error

    def _broken(self, what: str) -> ComponentError:
        self._process.close(patiently=False)
        return ComponentError(f"its process {what}, and was ended. Let its script call bielle.gluing.serve, of the same release as here.")

    # -- the end

    @property
    def running(self) -> bool:
        """Whether its process is there."""
        return self._process.running

    def close(self) -> None:
        """Tell its process that nobody needs it, and end it by force if it does not end by itself within some seconds."""
        self._process.close()

    def __enter__(self) -> Remote:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
