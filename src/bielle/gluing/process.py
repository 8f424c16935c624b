"""A process that is started, written to, read from and ended; whoever waits for it never waits for ever."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time as clock
import weakref
from collections import deque
from collections.abc import Iterator, Sequence

from ..errors import ComponentError
from ..mechanism.vectors import shown

__all__ = ["Process"]

PATIENCE = 5.0  # seconds that a process is given to end by itself
_LOOK = 0.05  # seconds between looks at the clock


class Process:
    """A child of this process. It ends with :meth:`close`, when it is forgotten here, or with this process."""

    def __init__(self, command: Sequence[str], farewell: bytes) -> None:
        """farewell: what is written to it before it is to end."""
        try:
            self._child = subprocess.Popen(
                list(command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                start_new_session=True,  # Ctrl-C is for this process, which then ends that one in order
            )
        except (OSError, ValueError) as error:
            raise ComponentError(f"its process cannot be started by {shown(command)}: {error}. Correct the command.") from error
        self._limit = PATIENCE, "answer"
        self._watch = _Watch(self._child)
        self._end = weakref.finalize(self, _end, self._child, self._watch, farewell)

    @property
    def running(self) -> bool:
        """Whether it is there."""
        return self._child.poll() is None

    @contextlib.contextmanager
    def limit(self, seconds: float, doing: str) -> Iterator[None]:
        """All that is written and read meanwhile takes no longer than that. doing: what it is asked for, for messages."""
        self._limit = seconds, doing
        with self._watch.limit(seconds):
            yield

    def write(self, data: bytes) -> None:
        """All of it."""
        stream, rest = self._child.stdin, memoryview(data)
        try:
            while rest:
                if stream is None or stream.closed:
                    raise BrokenPipeError
                rest = rest[stream.write(rest) :]
        except OSError:
            raise self._gone() from None

    def read(self) -> bytes:
        """What there is, at least a byte."""
        stream, data = self._child.stdout, b""
        with contextlib.suppress(OSError):
            if stream is not None and not stream.closed:
                data = os.read(stream.fileno(), 65536)
        if not data:
            raise self._gone()
        return data

    def close(self, *, patiently: bool = True) -> None:
        """Tell it that it is over, and end it by force if it does not end by itself within some seconds, or at once."""
        if not patiently:
            _kill(self._child)
        self._end()

    def _gone(self) -> ComponentError:
        """Why nothing can be written or read any more."""
        seconds, doing = self._limit
        closed = not self._end.alive
        code = self._watch.exit_code()
        words = self._watch.words()
        self.close()
        if self._watch.late:
            return ComponentError(
                f"it did not {doing} within {seconds:g} s, and its process was ended. "
                "Find out what it waits for, or give it more time: Remote(…, timeout=…, startup=…)."
            )
        if closed:
            return ComponentError("it is closed, and its process has ended. Make a new Remote.")
        how = "closed its output" if code is None else f"ended with {_name(code)}"
        told = f" The last it wrote: {words}" if words else ""
        return ComponentError(f"its process {how} when it was to {doing}. Mend its script.{told}")


class _Watch:
    """Ends a process that takes too long, and passes on what it writes to its standard error."""

    def __init__(self, child: subprocess.Popen[bytes]) -> None:
        self._child = child
        self._deadline = float("inf")
        self._lines: deque[str] = deque(maxlen=20)
        self._over = threading.Event()
        self.late = False  #: whether it was ended for taking too long
        self._threads = [threading.Thread(target=run, daemon=True) for run in (self._guard, self._listen)]
        for thread in self._threads:
            thread.start()

    @contextlib.contextmanager
    def limit(self, seconds: float) -> Iterator[None]:
        """What is done meanwhile blocks until the process has done its part, and no longer than that."""
        self._deadline = clock.monotonic() + seconds
        try:
            yield
        finally:
            self._deadline = float("inf")

    def _guard(self) -> None:
        while not self._over.wait(_LOOK):
            if clock.monotonic() > self._deadline:
                self.late = True
                _kill(self._child)  # its pipes close, and what blocks goes on
                return

    def _listen(self) -> None:
        with contextlib.suppress(OSError, ValueError):
            stream = self._child.stderr
            while stream is not None and (line := stream.readline(4096)):  # in parts, if a line has no end
                self._lines.append(line.decode(errors="replace"))
                sys.stderr.write(self._lines[-1])

    def exit_code(self) -> int | None:
        """Of a process whose pipes are closed; None if it has not ended after all."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            return self._child.wait(PATIENCE)
        return None

    def words(self) -> str:
        """The end of what it wrote."""
        self._threads[1].join(1.0)
        return "".join(self._lines).strip()[-500:]

    def stop(self) -> None:
        """It has ended."""
        self._over.set()
        for thread in self._threads:
            if thread is not threading.current_thread():
                thread.join(1.0)


def _end(child: subprocess.Popen[bytes], watch: _Watch, farewell: bytes) -> None:
    with contextlib.suppress(OSError, ValueError):
        if child.stdin is not None:
            child.stdin.write(farewell)
            child.stdin.close()
    try:
        child.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        _kill(child)
        child.wait()
    watch.stop()
    for stream in (child.stdin, child.stdout, child.stderr):
        if stream is not None:
            stream.close()


def _kill(child: subprocess.Popen[bytes]) -> None:
    """It and what it has started."""
    try:
        os.killpg(child.pid, signal.SIGKILL)
    except (AttributeError, OSError):  # another operating system, or it has just ended
        child.kill()


def _name(code: int) -> str:
    return f"signal {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"
