"""Events: a quantity crosses a value, turns back, or exceeds a limit, and something is done at that very instant."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..calls import explained_methods
from ..mechanism.description import GROUND
from ..mechanism.mechanism import Mechanism
from ..model.conditions import RESOLUTION
from ..model.watches import Watch

if TYPE_CHECKING:
    from .session import LiveSession

__all__ = ["Event", "alive"]

Action = Callable[["LiveSession"], Any]


@explained_methods
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
    does: str = ""  #: what is done without Python: "pause", "cut elbow", "lock elbow"
    quantity: str = ""  #: what is watched, as it was named
    turns: bool = False  #: whether a turning point of it is awaited

    @property
    def condition(self) -> str:
        """In words: "elbow.force > 100"."""
        if self.watch is None and self.function is None:
            return "at its time"
        named = self.quantity or (type(self.watch).__name__ if self.watch is not None else "a function")
        direction, threshold = (self.direction, self.threshold) if self.watch is None else (self.watch.direction, self.watch.threshold)
        if self.turns:
            return f"{named} turns"
        return f"{named} {('<', '=', '>')[direction + 1]} {threshold:g}"

    def value(self, live: LiveSession) -> float:
        """The user's function minus its threshold."""
        assert self.function is not None
        return float(self.function(live)) - self.threshold


def alive(watch: Watch, m: Mechanism) -> bool:
    """Whether all that a watch looks at exists."""
    subject = watch.subject
    if (subject.joint and subject.joint not in m.joints) or (subject.force and subject.force not in m.forces):
        return False
    bodies = [getattr(watch, field) for field in ("body", "other") if hasattr(watch, field)]
    return all(body == GROUND or body in m.bodies for body in bodies)
