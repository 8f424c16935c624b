"""A lock that is granted in the order it is asked for, so that an edit never waits longer than the frame that is being computed."""

from __future__ import annotations

import threading
from collections import deque

__all__ = ["Turns"]


class Turns:
    """A reentrant lock, first come first served."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._queue: deque[threading.Lock] = deque()
        self._owner: int | None = None
        self._depth = 0

    def __enter__(self) -> Turns:
        me = threading.get_ident()
        with self._guard:
            if self._owner == me:
                self._depth += 1
                return self
            if self._owner is None and not self._queue:
                self._owner, self._depth = me, 1
                return self
            ticket = threading.Lock()
            ticket.acquire()
            self._queue.append(ticket)
        try:
            ticket.acquire()  # until the one before hands over
        except BaseException:
            with self._guard:
                if ticket in self._queue:
                    self._queue.remove(ticket)
                else:
                    self._hand_over()
            raise
        self._owner, self._depth = me, 1
        return self

    @property
    def wanted(self) -> bool:
        """Whether somebody waits for it."""
        return bool(self._queue)

    @property
    def mine(self) -> bool:
        """Whether the thread that asks holds it."""
        return self._owner == threading.get_ident()

    def __exit__(self, *exception: object) -> None:
        with self._guard:
            self._depth -= 1
            if self._depth == 0:
                self._hand_over()

    def _hand_over(self) -> None:
        """To whoever waits longest; until they have woken up the lock belongs to nobody else, because the owner is not None."""
        if self._queue:
            self._owner = -1
            self._queue.popleft().release()
        else:
            self._owner = None
