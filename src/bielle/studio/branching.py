"""Going on from another moment: what led there is done again, in a thread of its own, while everything goes on."""

from __future__ import annotations

import threading
import time as clock
from collections.abc import Callable
from concurrent.futures import Future

from ..live.session import LiveSession
from ..live.work import GaveWay

__all__ = ["Branching"]

_LONG = 0.3  # [s]


class Branching:
    """A moment of a session that is being computed. The session itself is only read, and whatever goes wrong leaves it as it is.

    arrive  is given the new session when it is there, and says whether it was still wanted; called in the thread that computes it
    """

    def __init__(self, live: LiveSession, time: float, arrive: Callable[[LiveSession], bool]) -> None:
        self.live, self.time = live, time
        self.done: Future[bool] = Future()  #: True: it has arrived; False: it was cancelled
        self._began = self._reached = live._began.moment.state.time
        self._arrive = arrive
        self._cancelled = threading.Event()
        self.done.set_running_or_notify_cancel()
        self._begun = clock.monotonic()
        self._thread = threading.Thread(target=self._compute, name="bielle studio branch", daemon=True)

    def start(self) -> None:
        """Begin to compute."""
        self._thread.start()

    @property
    def takes_long(self) -> bool:
        """Whether people want to know how far it is."""
        return clock.monotonic() - self._begun > _LONG

    @property
    def share(self) -> float:
        """How much of the time is done, from 0 to 1."""
        way = self.time - self._began
        return min(max((self._reached - self._began) / way, 0.0), 1.0) if way > 0.0 else 1.0

    @property
    def cancelled(self) -> bool:
        """Whether it is not wanted any more."""
        return self._cancelled.is_set()

    def cancel(self) -> None:
        """Give it up, soon."""
        self._cancelled.set()

    def wait(self) -> None:
        """Until the thread has ended."""
        self._thread.join()

    def _gives_up(self, time: float) -> bool:
        self._reached = max(self._reached, time)  # edits that are undone on the way go back in time
        return self.cancelled

    def _compute(self) -> None:
        try:
            self.done.set_result(self._arrive(self.live._replay(self.time, self._gives_up)))
        except GaveWay:
            self.done.set_result(False)
        except BaseException as error:
            self.done.set_exception(error)
