"""Joints that broke: they are gone from the mechanism, but a page shows them, with the time, and can have them made again."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

from ..errors import unknown
from ..live.journal import Await, Forget
from ..mechanism.description import GROUND

if TYPE_CHECKING:
    from ..live.events import Event
    from ..live.session import LiveSession
    from ..mechanism.description import Joint
    from ..mechanism.mechanism import Mechanism

__all__ = ["broken_joints", "restore"]

_BROKE = " broke"  # with which the label of the edit ends that takes a joint away
_PLACES = ("at", "at_a", "at_b", "axes_a", "axes_b")


def broken_joints(live: LiveSession, m: Mechanism, until: float = float("inf")) -> list[dict[str, Any]]:
    """Joints that broke until a time [s] and are not in a mechanism, which has what they were between."""
    found = _broken(live, m, until)
    return [
        {"name": name, "kind": str(type(joint.kind).__struct_config__.tag), "a": joint.a, "b": joint.b, "time": time}
        for name, (joint, time) in found.items()
    ]


def _broken(live: LiveSession, m: Mechanism, until: float) -> dict[str, tuple[Joint, float]]:
    """The caller holds the lock of the session."""
    times = {e.label.removesuffix(_BROKE): e.time for e in live._history.edits if e.kind == "break" and e.time <= until}
    out = {}
    for name, time in times.items():
        before = next((s.mechanism for s in reversed(live._history.stretches) if name in s.mechanism.joints), None)
        if name not in m and before is not None and all(_there(m, place) for place in (before.joints[name].a, before.joints[name].b)):
            out[name] = before.joints[name], time
    return out


def _there(m: Mechanism, place: str) -> bool:
    return place == GROUND or place in m


def restore(live: LiveSession, name: str) -> None:
    """Make a joint again that broke, where it was on its bodies; a gap is closed gently. It breaks where it did; undo takes both back."""
    with live._lock:
        known = _broken(live, live.mechanism, float("inf"))
        if name not in known:
            raise unknown("joint that broke", name, known)
        joint, _ = known[name]
        places = {field: getattr(joint, field) for field in _PLACES if getattr(joint, field) is not None}
        limits = _limits(live, name)
        live.add_joint(name, joint.kind, joint.a, joint.b, **places)
        for event in limits:
            taken = live.events
            free = next(n for i in range(1, 10**9) if (n := event.name if i == 1 else f"{event.name} ({i})") not in taken)
            live._await(dataclasses.replace(event, name=free))  # goes with the edit before it


def _limits(live: LiveSession, name: str) -> list[Event]:
    """At what a joint that is gone broke: as it was awaited then, or, if no undo leads back to there, as it was last."""
    then = next((moment for moment in reversed(live._undo) if moment.label == f"{name}{_BROKE}"), None)
    if then is not None:
        return [event for event in then.events.values() if event.breaks == name]
    found: dict[str, Event] = {}
    for entry in live.journal.entries:
        if isinstance(entry, Await) and entry.event.breaks == name:
            found[entry.event.name] = entry.event
        elif isinstance(entry, Forget):
            found.pop(entry.name, None)
    return list(found.values())
