"""What an event does without Python: ``"pause"``, ``"cut elbow"``, ``"lock elbow"``. Words are saved with the session."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..errors import DescriptionError, unknown
from .work import GaveWay

if TYPE_CHECKING:
    from ..mechanism.mechanism import Mechanism
    from .session import LiveSession

__all__ = ["Paused", "checked_deed", "known_deed", "perform", "subject"]

_PAUSE, _CUT, _LOCK = "pause", "cut", "lock"


class Paused(GaveWay):
    """An event has ended the advance at its instant."""


def subject(deed: str) -> str:
    """The component that it concerns; "" if there is none."""
    return deed.partition(" ")[2]


def known_deed(deed: str) -> bool:
    """Whether the words can be understood; no words are."""
    verb, _, name = deed.partition(" ")
    return deed in ("", _PAUSE) or (verb in (_CUT, _LOCK) and name != "")


def checked_deed(m: Mechanism, deed: Any) -> str:
    """The words, if they say something that can be done to the mechanism."""
    verb, _, name = deed.partition(" ")
    if not deed or not known_deed(deed):
        raise DescriptionError(f"An event can 'pause', 'cut NAME' or 'lock NAME', or call a function; got {deed!r:.80}.")
    if verb == _CUT and name not in m.joints and name not in m.forces:
        raise unknown("joint or force", name, [*m.joints, *m.forces], "cut")
    if verb == _LOCK and name not in m.joints:
        raise unknown("joint", name, m.joints, "lock")
    return deed


def perform(deed: str, live: LiveSession) -> None:
    """Do it; what it concerns may have gone, or be locked, already."""
    verb, _, name = deed.partition(" ")
    m = live.mechanism
    if verb == _PAUSE:
        live.pause()
        raise Paused
    if verb == _CUT and (name in m.joints or name in m.forces):
        live.remove(name, dependants=True)
    if verb == _LOCK and name in m.joints and f"lock {name}" not in m.joints:
        live.lock(name)
