"""What is in the file of a session, for :mod:`msgspec`: written by ``encoding.py``, checked and read by ``decoding.py``."""

from __future__ import annotations

from typing import Any

import msgspec

from ..model.layout import Closing
from ..model.watches import AnyWatch

__all__ = ["FUNCTION", "EventData", "Instant", "Saved"]

FUNCTION = "$function"  #: the key of a dictionary that stands for a Python function; its value is the function's name


class EventData(msgspec.Struct, forbid_unknown_fields=True):
    """An awaited event; its functions by the names that stand for them."""

    name: str
    watch: AnyWatch | None
    once: bool
    limit: bool
    resolution: float
    direction: int
    threshold: float
    breaks: str
    action: str | None
    function: str | None
    since: float | None = None
    does: str = ""
    quantity: str = ""
    turns: bool = False


#: fields of an event that are data
PLAIN = tuple(name for name in EventData.__struct_fields__ if name not in ("action", "function"))


class Instant(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A mechanism that is somewhere: everything that is needed to go on exactly."""

    mechanism: Any  #: as in a model file
    rows: list[list[str]]  #: names of bodies, joints, forces in the order of their rows in the model
    time: float
    step: float
    settled: bool
    arrays: dict[str, bytes]  #: of the state: 64-bit floats, little-endian
    closings: list[Closing]
    timers: list[tuple[float, str]]
    events: list[EventData] = []
    due: list[str] = []
    sides: dict[str, int] = {}
    beyond: list[str] = []


class Saved(msgspec.Struct, forbid_unknown_fields=True):
    """A session."""

    solver: dict[str, Any]  #: options that are not as they are by default
    record: float
    history: int
    snapshots: int  #: number of the last one
    functions: list[str]  #: names that stand for Python functions
    start: Any  #: an Instant
    journal: list[Any]
    present: Any  #: an Instant
    turned: list[tuple[str, str, float]] = []  #: angles of the present that are beyond half a turn: component, quantity, [rad]
