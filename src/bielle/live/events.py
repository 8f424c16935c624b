"""Events: a quantity crosses a value, turns back, or exceeds a limit, and something is done at that very instant."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec

from ..errors import DescriptionError, unknown
from ..mechanism.description import GROUND
from ..mechanism.mechanism import Mechanism
from ..mechanism.vectors import number, shown
from ..model.watches import AngleWatch, JointAngleWatch, KineticEnergyWatch, OutputWatch, PointWatch, ReactionWatch, Watch

if TYPE_CHECKING:
    from .session import LiveSession

__all__ = ["Event", "alive", "watch_of"]

RESOLUTION = 0.02  # [s] longest step while events are awaited, unless said otherwise

Action = Callable[["LiveSession"], Any]
_AXES = {"x": 0, "y": 1, "z": 2}
_ORDERS = {"position": 0, "velocity": 1, "acceleration": 2}


@dataclass(frozen=True)
class Event:
    """Something awaited; see :meth:`LiveSession.when`."""

    name: str
    watch: Watch | None  #: what is watched by compiled code
    action: Action | None
    once: bool = True
    limit: bool = False  #: also if it is beyond its threshold already
    resolution: float = RESOLUTION  #: [s]
    function: Callable[[LiveSession], float] | None = None  #: what is watched by the user's own Python
    direction: int = 0  #: of the user's function: +1 upwards, −1 downwards, 0 both ways
    threshold: float = 0.0  #: of the user's function
    breaks: str = ""  #: the joint that breaks before the action is called
    since: float | None = None  #: [s] when it was first awaited; None: long ago

    def value(self, live: LiveSession) -> float:
        """The user's function minus its threshold."""
        assert self.function is not None
        return float(self.function(live)) - self.threshold


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


def watch_of(m: Mechanism, quantity: Any, threshold: float, direction: int, turning: bool) -> Watch:
    """The watch for a quantity by name, such as ``"tip.position.y"``, ``"elbow.angle"``, ``"elbow.force"``, ``"spring.output"``.

    A turning point of it is a zero of its rate: the watch is then of the next order.
    """
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
    if last in _AXES and _AXES[last] < m.dim:
        owner, _, kind = head.rpartition(".")
        if kind in _ORDERS and (owner in m.bodies or owner in m.frames):
            if _ORDERS[kind] + up > 2:
                raise DescriptionError(f"'{quantity}' has no rate that can be watched. Give a function of the session.")
            frame = m.frames.get(owner)
            body, point = (frame.body, frame.position) if frame else (owner, (0.0,) * m.dim)
            return PointWatch(body=body, point=point, axis=_AXES[last], order=_ORDERS[kind] + up, **common)
    if head in m.joints:
        if last in ("force", "moment"):
            return _plain(ReactionWatch(joint=head, moment=last == "moment", **common), turning, quantity)
        if last in ("angle", "angular_velocity"):
            return JointAngleWatch(joint=head, order=_rate(last, up, quantity), **common)
    if head in m.bodies and m.planar and last in ("angle", "angular_velocity"):
        return AngleWatch(body=head, order=_rate(last, up, quantity), **common)
    if head in m.forces and last == "output":
        return _plain(OutputWatch(force=head, **common), turning, quantity)
    raise unknown("quantity to watch", quantity, _known(m))


def _rate(last: str, up: int, quantity: str) -> int:
    order = int(last == "angular_velocity") + up
    if order > 1:
        raise DescriptionError(f"'{quantity}' has no rate that can be watched. Give a function of the session instead.")
    return order


def _plain(watch: Watch, turning: bool, quantity: str) -> Watch:
    if turning:
        raise DescriptionError(f"'{quantity}' has no rate that can be watched: it can cross a value, but its turning points are not seen.")
    return watch


def _known(m: Mechanism) -> list[str]:
    """Names that can be watched, for a message."""
    axes = list(_AXES)[: m.dim]
    names = [f"{owner}.{kind}.{axis}" for owner in (*m.bodies, *m.frames) for kind in ("position", "velocity") for axis in axes]
    names += [f"{n}.{what}" for n, j in m.joints.items() if not j.through for what in ("angle", "angular_velocity")]
    names += [f"{joint}.{what}" for joint in m.joints for what in ("force", "moment")]
    names += [f"{body}.{what}" for body in m.bodies for what in ("angle", "angular_velocity") if m.planar]
    return [*names, *(f"{force}.output" for force in m.forces), "energy.kinetic"]


def alive(watch: Watch, m: Mechanism) -> bool:
    """Whether all that a watch looks at exists."""
    subject = watch.subject
    if (subject.joint and subject.joint not in m.joints) or (subject.force and subject.force not in m.forces):
        return False
    bodies = [getattr(watch, field) for field in ("body", "other") if hasattr(watch, field)]
    return all(body == GROUND or body in m.bodies for body in bodies)
