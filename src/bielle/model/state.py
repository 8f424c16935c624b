"""The state of a model at one instant."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..kernels.slots import FIELDS

if TYPE_CHECKING:
    from .model import Model

__all__ = ["CARRIED", "State"]

#: fields that must be kept from step to step: integrated, remembered, or helping the next step
CARRIED = tuple(f.name for f in FIELDS if f.role in ("integrated", "memory", "warm start"))


@dataclass
class State:
    """Everything that must be kept to go on exactly; stamped with the version of the model it belongs to."""

    version: int
    time: float  #: [s]
    q: np.ndarray  #: (nq,) coordinates
    v: np.ndarray  #: (nv,) velocities
    work: np.ndarray  #: (nw,) energy dissipated, work of drives, of applied efforts, of each closing joint [J]
    lam: np.ndarray  #: (nc,) multipliers (warm start)
    memory: np.ndarray  #: (nm,) what components remember
    acc: np.ndarray  #: (nv,) accelerations
    a0: np.ndarray  #: (nv,) algorithmic accelerations of the implicit integrators
    mu: np.ndarray  #: (nc,) regularisation of each equation
    step: float = 0.0  #: [s] step size to try next; 0: not known yet
    settled: bool = False  #: whether acc, a0 and lam belong to this state, or are to be found again

    @classmethod
    def at(cls, model: Model, q: np.ndarray, v: np.ndarray, time: float = 0.0) -> State:
        """A state of which only positions and velocities are known."""
        zeros: dict[str, Any] = {name: np.zeros(model.length(name)) for name in CARRIED if name not in ("q", "v")}
        return cls(model.version, time, q=q, v=v, **zeros)

    def copy(self) -> State:
        """An independent copy."""
        arrays = {name: getattr(self, name).copy() for name in CARRIED}
        return State(self.version, self.time, **arrays, step=self.step, settled=self.settled)
