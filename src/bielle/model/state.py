"""The state of a model at one instant."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from ..kernels.fields import STATE, Fields
from ..kernels.slots import FIELDS
from .versions import Stamp, from_stamp, to_stamp

if TYPE_CHECKING:
    from .model import Model

__all__ = ["CARRIED", "State"]

#: fields that must be kept from step to step: integrated, remembered, or helping the next step
CARRIED = tuple(f.name for f in FIELDS if f.name in STATE.place)


class _Array:
    """An array of a state; what is assigned to it is copied."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __get__(self, state: State, owner: type[State]) -> np.ndarray:
        return state.fields[self._name] if state is not None else cast(np.ndarray, self)

    def __set__(self, state: State, values: np.ndarray) -> None:
        state.fields[self._name][:] = values


@dataclass(eq=False)
class State:
    """Everything that must be kept to go on exactly; stamped with the version of the model it belongs to.

    Its arrays are reached by their names in the field table, and stand in one block as they do in a context:

    q (nq,) coordinates · v (nv,) velocities · work (nw,) energy dissipated, work of drives, of applied efforts, of each closing joint [J] ·
    lam (nc,) multipliers · memory (nm,) what components remember · merged (nc,) 1 for the equations of joints that the modular solver has
    merged during the run · acc (nv,) accelerations · a0 (nv,) algorithmic accelerations of the implicit integrators · mu (nc,)
    regularisation of each equation
    """

    q, v, work, lam, memory, merged, acc, a0, mu = map(_Array, ("q", "v", "work", "lam", "memory", "merged", "acc", "a0", "mu"))

    version: int
    time: float  #: [s]
    fields: Fields
    step: float = 0.0  #: [s] step size to try next; 0: not known yet
    settled: bool = False  #: whether acc, a0 and lam belong to this state, or are to be found again

    @classmethod
    def at(cls, model: Model, time: float = 0.0, **given: np.ndarray) -> State:
        """A state of which only what is given is known, positions and velocities say; the rest is zero."""
        state = cls(model.version, time, Fields(STATE, model.layout.carving, _zeros))
        for name, values in given.items():
            setattr(state, name, values)
        return state

    def __reduce__(self) -> tuple[Any, ...]:
        return _state, (to_stamp(self.version), self.time, self.fields, self.step, self.settled)

    def copy(self) -> State:
        """An independent copy."""
        return State(self.version, self.time, self.fields.copy(), self.step, self.settled)


def _state(stamp: Stamp, *rest: Any) -> State:
    return State(from_stamp(stamp), *rest)


def _zeros(length: int) -> np.ndarray:
    return np.zeros(length, dtype=np.int64)
