"""Which joints say again what others say: looked for in the background after an edit, so that the tree shows it without being asked."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from ..analysis.report import report

if TYPE_CHECKING:
    from ..live.session import LiveSession

__all__ = ["Marking"]

_PATIENCE = 0.3  # [s] after an edit, so that of many that follow each other only the last is looked at
_MOST_BODIES = 30  # beyond that it takes more than a second, and only the report tells


class Marking:
    """Redundant joints of the session of a workbench; ``changed`` is called when others have been found, from a thread of its own."""

    def __init__(self, changed: Callable[[], object]) -> None:
        self._changed = changed
        self._lock = threading.Lock()
        self._known: tuple[dict[str, Any], frozenset[str]] = {}, frozenset()  # the joints, and those of them that are redundant
        self._wanted: LiveSession | None = None
        self._ended = threading.Event()
        self._thread: threading.Thread | None = None

    def of(self, live: LiveSession) -> frozenset[str]:
        """Those that are known of the mechanism as it is now; none if its joints are others since."""
        joints, found = self._known
        return found if _same(joints, live.mechanism.joints) else frozenset()

    def note(self, live: LiveSession, found: frozenset[str]) -> None:
        """Somebody has looked already."""
        self._known = dict(live.mechanism.joints), found

    def look(self, live: LiveSession) -> None:
        """Find out, soon, unless that is known or takes too long."""
        if not 0 < len(live.mechanism.bodies) <= _MOST_BODIES or _same(self._known[0], live.mechanism.joints):
            return
        with self._lock:
            self._wanted = live
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="bielle studio redundancy", daemon=True)
                self._thread.start()

    def close(self) -> None:
        """Wait until the thread has ended."""
        self._ended.set()
        with self._lock:
            self._wanted, thread = None, self._thread
        if thread is not None and thread is not threading.current_thread():
            thread.join()

    def _work(self) -> None:
        while True:
            self._ended.wait(_PATIENCE)
            with self._lock:
                live, self._wanted = self._wanted, None
                if live is None:
                    self._thread = None
                    return
            with live._lock:
                joints, m = dict(live.mechanism.joints), live.describe()
            try:
                found = frozenset(name for redundancy in report(m).redundancies for name in redundancy.joints)
            except Exception:  # the page is none the worse without; who asks for the report is told why
                found = frozenset()
            before, self._known = self._known[1], (joints, found)
            if found or before:
                self._changed()


def _same(a: Mapping[str, Any], b: Mapping[str, Any]) -> bool:
    """Whether the joints are the very same."""
    return len(a) == len(b) and all(b.get(name) is joint for name, joint in a.items())
