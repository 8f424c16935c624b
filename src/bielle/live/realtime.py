"""Real time: a thread that lets a session follow the clock, frame by frame; edits come in between two frames."""

from __future__ import annotations

import threading
import time as clock
from typing import TYPE_CHECKING

from .work import GaveWay

if TYPE_CHECKING:
    from .session import LiveSession

__all__ = ["Pacer"]

_PATIENCE = 0.5  # [s] of the clock that a frame may take before it gives way to those who wait
_GIVE_UP = 0.25  # [s] behind the clock beyond which the lost time is let go


class Pacer:
    """Advances a session by frames of equal simulated time, ``factor`` seconds of it for each second of the clock.

    Frames end on a grid, whatever the clock does: what a session computes depends on the frames, never on when they were computed. Only a
    frame that takes hopelessly long is cut short, so that whoever waits for the session gets it; the journal counts its steps.
    """

    def __init__(self, session: LiveSession, factor: float, frame: float) -> None:
        self.session, self.factor, self.frame = session, factor, frame
        self.lost = 0.0  #: [s] of clock time that could not be followed
        self.error: BaseException | None = None
        self._go = threading.Event()
        self._go.set()
        self._halt = threading.Event()  # ends the wait for the next frame, which is long in slow motion
        self._stop = False
        self._thread = threading.Thread(target=self._follow, name="bielle live session", daemon=True)
        self._thread.start()

    @property
    def running(self) -> bool:
        """Whether time passes."""
        return self._thread.is_alive() and self._go.is_set() and not self._stop

    def pause(self) -> None:
        """Let time stand still after the present frame; returns when it does."""
        self._go.clear()
        self._halt.set()
        with self.session._lock:  # the frame that was being computed is done
            pass

    def resume(self) -> None:
        self._halt.clear()
        self._go.set()

    def stop(self) -> None:
        """End the thread after the present frame."""
        self._stop = True
        self._halt.set()
        self._go.set()
        if threading.current_thread() is not self._thread:
            self._thread.join()

    def _follow(self) -> None:
        try:
            while not self._stop:
                self._go.wait()
                self._pace()
        except BaseException as error:  # shown by whoever asks the session next
            self.error = error

    def _pace(self) -> None:
        """From a start or a resume to the next pause."""
        began, start = clock.perf_counter(), self.session.time
        k = 0
        while self._go.is_set() and not self._stop:
            due = began + (k + 1) * self.frame / self.factor
            wait = due - clock.perf_counter()
            if wait > 0:
                if self._halt.wait(wait):
                    return
            elif -wait > _GIVE_UP:
                self.lost -= wait
                began -= wait
            with self.session._lock:
                if not self._go.is_set() or self._stop:
                    return
                if self.session.time != start + k * self.frame:  # somebody else moved it: undo, restore, advance
                    began, start, k = clock.perf_counter(), self.session.time, 0
                self._frame(start + (k + 1) * self.frame)
            k += 1

    def _frame(self, end: float) -> None:
        since = clock.perf_counter()

        def gives_way() -> bool:
            return clock.perf_counter() - since > _PATIENCE and (self._halt.is_set() or self.session._lock.wanted)

        self.session._gives_way = gives_way
        try:
            self.session.advance_to(end)
        except GaveWay:
            pass  # the next frame begins where this one ended
        finally:
            self.session._gives_way = None
