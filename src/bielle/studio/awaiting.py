"""Events of a page: a quantity, a limit and words for what is done. Nothing of it is code, so that it is saved and undone with the rest."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

import msgspec

from ..errors import BielleError, DescriptionError
from ..live.deeds import subject
from ..model.conditions import watch_of, watchable
from .fields import field

if TYPE_CHECKING:
    from ..live.events import Event
    from ..live.session import LiveSession
    from ..mechanism.mechanism import Mechanism

__all__ = ["awaited", "event_data", "event_properties", "renamed_events", "set_event", "watchable_of"]

_UNITS = {
    "position": "m",
    "velocity": "m/s",
    "acceleration": "m/s²",
    "angle": "rad",
    "angular_velocity": "rad/s",
    "force": "N",
    "moment": "N·m",
    "kinetic": "J",
}


def watchable_of(m: Mechanism, name: str) -> list[dict[str, str]]:
    """Quantities of a component that an event can look at, or of the whole if no name is given."""
    found = []
    for quantity in watchable(m):
        owner, label, unit = _parts(m, quantity)
        if owner != name:
            continue
        try:
            watch_of(m, quantity, 0.0, 1, turning=False).elements(m, quantity)
        except BielleError:  # the angle of a joint that has none
            continue
        found.append({"quantity": quantity, "label": label, "unit": unit})
    return found


def _parts(m: Mechanism, quantity: str) -> tuple[str, str, str]:
    """Of which component a quantity is, how it is called there, and its unit."""
    head, _, last = quantity.rpartition(".")
    if last in m.axes and "." in head:
        owner, _, kind = head.rpartition(".")
        return owner, f"{kind} {last}", _unit(quantity)
    return ("" if head == "energy" else head), ("kinetic energy" if head == "energy" else last.replace("_", " ")), _unit(quantity)


def _unit(quantity: str) -> str:
    return next((_UNITS[part] for part in quantity.split(".")[:-3:-1] if part in _UNITS), "")


def awaited(live: LiveSession, quantity: str, than: str, limit: float, does: str, target: str, once: bool) -> str:
    """Await that a quantity exceeds a limit or falls below it; returns the name of the event."""
    stem = f"{quantity} {'>' if than == 'above' else '<'} {limit:g}"
    name = next(n for i in range(1, 10**9) if (n := stem if i == 1 else f"{stem} ({i})") not in live.events)
    deed = None if does == "mark" else f"{does} {target}".strip()
    condition: dict[str, Any] = {than: limit}
    live.when(quantity, deed, name=name, once=once, undoable=True, **condition)
    return name


def event_data(event: Event) -> dict[str, str]:
    """An event for the tree."""
    does = event.does or (f"cut {event.breaks}" if event.breaks else "call a function" if event.action else "mark")
    return {"name": event.name, "text": f"{event.condition}: {does}", "does": does.split(" ")[0]}


def event_properties(event: Event) -> dict[str, Any]:
    """What a form shows of an event."""
    limit = event.threshold if event.watch is None else event.watch.threshold
    limited = not event.turns and (event.watch is not None or event.function is not None)
    number = [field("limit", limit, {"limit": _unit(event.quantity)}, fixed=event.watch is None)] if limited else []
    words = {"watches": event.quantity or event.condition, "does": event_data(event)["text"].rpartition(": ")[2]}
    fields = [*number, field("every_time", not event.once, fixed=event.watch is None), *(field(k, v, fixed=True) for k, v in words.items())]
    return {"name": event.name, "what": "event", "kind": "event", "fields": fields}


def set_event(live: LiveSession, name: str, key: str, value: Any) -> str:
    """Give an event another limit, or let it happen every time; returns its name, which may be another if it was called after its limit."""
    event = live.events[name]
    if event.watch is None or key not in ("limit", "every_time"):
        raise DescriptionError(f"event '{name}': it has no property '{key}' that can be changed. Remove it and make another.")
    if key == "every_time":
        other = dataclasses.replace(event, once=value is not True)
    else:
        other = dataclasses.replace(event, watch=msgspec.structs.replace(event.watch, threshold=value), since=live.time)
    with live._lock:
        if event.name == event.condition and other.condition not in live.events:
            other = dataclasses.replace(other, name=other.condition)
        live.forget(name, undoable=True)
        live._await(other)
    return other.name


def renamed_events(live: LiveSession, events: dict[str, Event], name: str, new: str) -> None:
    """Await what was awaited before a component got another name, under that name; the caller holds the lock."""
    for before in events.values():
        after = _renamed(before, name, new)
        if after != before or before.name not in live.events:
            if before.name in live.events:
                live.forget(before.name)
            live._await(after)


def _renamed(event: Event, name: str, new: str) -> Event:
    watch = event.watch
    if watch is not None:
        named = [f for f in ("body", "other", "joint", "force") if getattr(watch, f, None) == name]
        watch = msgspec.structs.replace(watch, **dict.fromkeys(named, new))
    does = event.does
    if subject(does) == name:
        does = f"{does.removesuffix(name)}{new}"
    tail = event.quantity.removeprefix(f"{name}.")
    quantity = f"{new}.{tail}" if tail != event.quantity and tail.split(".")[0] in (*_UNITS, "output") else event.quantity
    called = f"{new}{event.name.removeprefix(name)}" if event.name == f"{name} breaks ({tail})" else event.name
    if event.name.startswith(f"{event.quantity} "):  # it is called after what it looks at
        called = f"{quantity}{event.name.removeprefix(event.quantity)}"
    breaks = new if event.breaks == name else event.breaks
    return dataclasses.replace(event, name=called, watch=watch, does=does, quantity=quantity, breaks=breaks)
