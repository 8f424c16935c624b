"""What a page can ask for. A message that is none of these is refused before anything happens; each verb is a class, its fields are data.

Vectors have three numbers; where a mechanism is planar the third is left out.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec

__all__ = ["EDITS", "MOST_BYTES", "Command", "Message", "decode"]

MOST_BYTES = 1_000_000  #: of one message

Vector = tuple[float, float, float]
Kind = dict[str, Any]  #: {"type": "pin", …} as in model files


class Message(msgspec.Struct, kw_only=True, tag_field="do", tag=str.lower, forbid_unknown_fields=True):
    """A numbered command; the answer has the same number."""

    id: int = 0


class Ack(Message):
    """A packet has been drawn."""


# -- time


class Run(Message):
    factor: float | None = None  #: simulated seconds per second


class Pause(Message):
    pass


class Step(Message):
    count: int = 1


class Reset(Message):
    pass


class Undo(Message):
    pass


class Redo(Message):
    pass


class Look(Message):
    time: float | None = None  #: [s] None: the present


class Branch(Message):
    time: float


class Cancel(Message):
    """Give up what Branch has begun."""


# -- edits of what there is


class Remove(Message):
    names: list[str]


class Cut(Message):
    names: list[str]


class Lock(Message):
    names: list[str]


class Unlock(Message):
    names: list[str]


class Fix(Message):
    names: list[str]


class Free(Message):
    names: list[str]


class Rename(Message):
    name: str
    new: str


class Duplicate(Message):
    names: list[str]
    offset: Vector | None = None
    count: int = 1
    mirror: Literal["x", "y", "z"] | None = None


class Retype(Message):
    name: str
    kind: Kind | None = None
    coordinates: str | None = None


class Set(Message):
    name: str
    key: str
    value: Any


class Gravity(Message):
    value: Vector


class Breaks(Message):
    name: str
    limit: float | None = None


class Restore(Message):
    name: str  #: a joint that broke


class When(Message):
    quantity: str
    than: Literal["above", "below"]
    limit: float
    does: Literal["mark", "pause", "cut", "lock"] = "mark"
    target: str = ""  #: the joint or force that is cut or locked
    once: bool = True


class Solver(Message):
    family: str
    formulation: str | None = None
    integrator: str | None = None
    step: float | None = None
    rtol: float | None = None
    tolerance: float | None = None  #: on the gap of joints that are closed, of the modular solver


# -- what is new


class AddBody(Message, tag="add_body"):
    shape: Kind
    position: Vector | None = None
    orientation: float | tuple[float, float, float, float] | None = None
    name: str | None = None
    color: str | None = None


class AddJoint(Message, tag="add_joint"):
    kind: Kind
    a: str
    b: str
    at: Vector | None = None
    at_a: Vector | None = None
    at_b: Vector | None = None
    name: str | None = None
    joining: Literal["gentle", "impulse", "exact"] = "gentle"


class AddForce(Message, tag="add_force"):
    kind: Kind
    a: str | None = None
    b: str | None = None
    joint: str | None = None
    at: Vector | None = None
    at_a: Vector | None = None
    at_b: Vector | None = None
    name: str | None = None


class AddFrame(Message, tag="add_frame"):
    body: str
    at: Vector | None = None  #: None: its centre of mass
    name: str | None = None


# -- the hand


class Grab(Message):
    body: str
    at: Vector


class Pull(Message):
    to: Vector


class Release(Message):
    pass


class Push(Message):
    body: str
    impulse: Vector
    at: Vector | None = None


# -- questions


class Select(Message):
    """What a page has selected; the page knows already, others may want to."""

    names: list[str]


class Properties(Message):
    name: str


class Quantities(Message):
    name: str = ""


class Watchable(Message):
    name: str = ""


class Plot(Message):
    quantities: list[str]


class Trails(Message):
    """The paths of these bodies, so far and from now on."""

    names: list[str]


class Arrows(Message):
    names: list[str]


class Report(Message):
    pass


class Python(Message):
    what: Literal["mechanism", "actions"] = "mechanism"


# -- files and people


class Open(Message):
    example: str | None = None
    file: str | None = None
    empty: Literal["xy", "space"] | None = None


class Save(Message):
    file: str
    replace: bool = False  #: another file of that name; without it nothing is written then, and the answer says so


class Files(Message):
    pass


class Recover(Message):
    left: str  #: work that was not saved


class Discard(Message):
    left: str


class Control(Message):
    take: bool = True


_TIME = Run | Pause | Step | Reset | Undo | Redo | Branch | Cancel
_CHANGES = Remove | Cut | Lock | Unlock | Fix | Free | Rename | Duplicate | Retype | Set | Gravity | Breaks | Restore | When | Solver
_NEW = AddBody | AddJoint | AddForce | AddFrame
_HAND = Grab | Pull | Release | Push
_QUESTIONS = Look | Select | Properties | Quantities | Watchable | Plot | Trails | Arrows | Report | Python | Files
_FILES = Open | Save | Recover | Discard
Command = _TIME | _CHANGES | _NEW | _HAND | _QUESTIONS | _FILES | Control | Ack

#: what needs the control, if somebody else is there
EDITS: tuple[type, ...] = (*_TIME.__args__, *_CHANGES.__args__, *_NEW.__args__, *_HAND.__args__, *_FILES.__args__)

_decoder = msgspec.json.Decoder(Command)


def decode(text: str | bytes) -> Command:
    """A message, or msgspec.DecodeError."""
    return _decoder.decode(text)
