"""Conditions in words: a quantity by name crosses a value, turns back, or exceeds a limit. What sessions await and simulations end with."""

from __future__ import annotations

from typing import Any, NamedTuple

import msgspec

from ..calls import explained
from ..errors import DescriptionError, unknown
from ..mechanism.mechanism import Mechanism
from ..mechanism.vectors import number, shown
from .watches import AngleWatch, JointAngleWatch, KineticEnergyWatch, OutputWatch, PointWatch, ReactionWatch, Watch

__all__ = ["RESOLUTION", "Ending", "condition", "endings", "watch_of", "watchable"]

RESOLUTION = 0.02  # [s] longest step while events are awaited, unless said otherwise

_ORDERS = {"position": 0, "velocity": 1, "acceleration": 2}


class Ending(NamedTuple):
    """What ends a simulation."""

    watch: Watch
    limit: bool  #: also if it is beyond its threshold at the start


def endings(m: Mechanism, until: Any) -> dict[str, Ending]:
    """What a user wrote for the end of a simulation, (quantity, word, value) or a list of such, by how messages call it."""
    if until is None:
        return {}
    found = {}
    for each in until if isinstance(until, list) else [until]:
        words = ("crosses", "rises", "falls", "above", "below", "turns")
        if not isinstance(each, tuple) or len(each) != 3 or each[1] not in words:
            raise DescriptionError(
                f"until must be (quantity, word, value) with one of the words {', '.join(words)}, or a list of such, got {shown(each)}. "
                "Write until=('tip.position.y', 'below', 0.0), say."
            )
        quantity, word, value = each
        threshold, direction, turning, limit = condition(**{word: value})
        watch = watch_of(m, quantity, threshold, direction, turning)
        name = quantity if isinstance(quantity, str) else type(quantity).__name__
        found[f"{name} {word} {value if isinstance(value, str) else f'{threshold:g}'}"] = Ending(watch, limit)
    return found


@explained
def condition(
    *, crosses: Any = None, rises: Any = None, falls: Any = None, above: Any = None, below: Any = None, turns: Any = None
) -> tuple[float, int, bool, bool]:
    """(threshold, direction, whether a turning point is meant, whether it is a limit), from the one that is given."""
    given = {k: v for k, v in locals().items() if v is not None}
    if len(given) != 1:
        got = ", ".join(given) or "none"
        raise DescriptionError(
            f"An event needs one condition: crosses, rises (to), falls (to), above, below (a value), or turns ('max', 'min', 'either'); "
            f"got {got}."
        )
    ((key, value),) = given.items()
    if key == "turns":
        ways = {"max": -1, "min": 1, "either": 0}
        if value not in ways:
            raise DescriptionError(f"turns must be 'max', 'min' or 'either', got {shown(value)}.")
        return 0.0, ways[value], True, False
    direction = {"crosses": 0, "rises": 1, "falls": -1, "above": 1, "below": -1}[key]
    return number(value, f"{key} (the value of an event)"), direction, False, key in ("above", "below")


def watch_of(m: Mechanism, quantity: Any, threshold: float, direction: int, turning: bool, every_turn: bool = False) -> Watch:
    """The watch for a quantity by name, such as ``"tip.position.y"``, ``"elbow.angle"``, ``"elbow.force"``, ``"spring.output"``.

    A turning point of it is a zero of its rate: the watch is then of the next order. ``every_turn``: an angle passes its threshold once a
    turn.
    """
    watch = _watch_of(m, quantity, threshold, direction, turning)
    if not every_turn:
        return watch
    if not watch.counts:
        raise DescriptionError(f"every_turn is for angles that cross a value, and {shown(quantity)} is none. Leave it out.")
    return msgspec.structs.replace(watch, every_turn=True)


def _watch_of(m: Mechanism, quantity: Any, threshold: float, direction: int, turning: bool) -> Watch:
    if isinstance(quantity, Watch):
        if turning:
            raise DescriptionError("turns needs a quantity by name, so that its rate is known. Watch the rate itself (order + 1) instead.")
        return msgspec.structs.replace(quantity, threshold=threshold, direction=direction)
    if not isinstance(quantity, str):
        raise DescriptionError(
            f"A quantity must be a name such as 'tip.position.y', a watch, or a function of the session, got {shown(quantity)}."
        )
    common: dict[str, Any] = {"threshold": threshold, "direction": direction}
    up = int(turning)
    if quantity == "energy.kinetic":
        return _plain(KineticEnergyWatch(**common), turning, quantity)
    head, _, last = quantity.rpartition(".")
    if last in m.axes:
        owner, _, kind = head.rpartition(".")
        if kind in _ORDERS and (owner in m.bodies or owner in m.frames):
            if _ORDERS[kind] + up > 2:
                raise DescriptionError(f"'{quantity}' has no rate that can be watched. Give a function of the session.")
            frame = m.frames.get(owner)
            body, point = (frame.body, frame.position) if frame else (owner, (0.0,) * m.dim)
            return PointWatch(body=body, point=point, axis=m.axes.index(last), order=_ORDERS[kind] + up, **common)
    if head in m.joints:
        if last in ("force", "moment"):
            return _plain(ReactionWatch(joint=head, moment=last == "moment", **common), turning, quantity)
        if last in ("angle", "angular_velocity"):
            return JointAngleWatch(joint=head, order=_rate(last, up, quantity), **common)
    if head in m.bodies and m.planar and last in ("angle", "angular_velocity"):
        return AngleWatch(body=head, order=_rate(last, up, quantity), **common)
    if head in m.forces and last == "output":
        return _plain(OutputWatch(force=head, **common), turning, quantity)
    raise unknown("quantity to watch", quantity, watchable(m))


def _rate(last: str, up: int, quantity: str) -> int:
    order = int(last == "angular_velocity") + up
    if order > 1:
        raise DescriptionError(f"'{quantity}' has no rate that can be watched. Give a function of the session instead.")
    return order


def _plain(watch: Watch, turning: bool, quantity: str) -> Watch:
    if turning:
        raise DescriptionError(f"'{quantity}' has no rate that can be watched: it can cross a value, but its turning points are not seen.")
    return watch


def watchable(m: Mechanism) -> list[str]:
    """Names of what can be watched; some joints have no angle."""
    names = [f"{owner}.{kind}.{axis}" for owner in (*m.bodies, *m.frames) for kind in ("position", "velocity") for axis in m.axes]
    names += [f"{n}.{what}" for n, j in m.joints.items() if not j.through for what in ("angle", "angular_velocity")]
    names += [f"{joint}.{what}" for joint in m.joints for what in ("force", "moment")]
    names += [f"{body}.{what}" for body in m.bodies for what in ("angle", "angular_velocity") if m.planar]
    return [*names, *(f"{force}.output" for force in m.forces), "energy.kinetic"]
