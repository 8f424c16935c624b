"""What a transaction is made of: plain data, written to the journal and applied again when it is replayed.

Whatever a user calls (``remove``, ``fix``, ``retype``…) comes down to these few operations. Components are stored in self-contained form,
so that they mean the same whenever they are applied.
"""

from __future__ import annotations

from typing import Any

import msgspec

__all__ = ["JOINING", "Drop", "Gravity", "Move", "Operation", "Put", "Strike"]

JOINING = ("gentle", "impulse", "exact")  #: ways to fit a new joint


class Put(msgspec.Struct, frozen=True, tag="put"):
    """A component is added, or takes the place of the one of that name."""

    component: Any  #: a Body, Joint, Force or Frame
    joining: str = "gentle"  #: joints: how a gap or a relative velocity is dealt with
    over: float | None = None  #: joints: duration of a gentle closing [s]; None: chosen from the gap

    @property
    def name(self) -> str:
        return self.component.name


class Drop(msgspec.Struct, frozen=True, tag="drop"):
    """A component goes."""

    name: str


class Move(msgspec.Struct, frozen=True, tag="move"):
    """A body is put elsewhere, or given another velocity; what is None stays."""

    name: str
    position: tuple[float, ...] | None = None
    orientation: float | tuple[float, ...] | None = None
    velocity: tuple[float, ...] | None = None
    angular_velocity: float | tuple[float, ...] | None = None


class Strike(msgspec.Struct, frozen=True, tag="strike"):
    """An impulse on a point of a body."""

    name: str
    at: tuple[float, ...]  #: in the body frame
    impulse: tuple[float, ...]  #: in world axes [N·s]
    moment: float | tuple[float, ...] | None = None  #: angular impulse, in world axes [N·m·s]


class Gravity(msgspec.Struct, frozen=True, tag="gravity"):
    """Gravity becomes another."""

    value: tuple[float, ...]


Operation = Put | Drop | Move | Strike | Gravity
