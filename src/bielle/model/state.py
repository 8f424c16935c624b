"""The state of a model at one instant."""

from dataclasses import dataclass

import numpy as np

__all__ = ["State"]


@dataclass
class State:
    """Everything that must be kept to go on exactly; stamped with the version of the model it belongs to."""

    version: int
    time: float  #: [s]
    q: np.ndarray  #: (nq,) coordinates
    v: np.ndarray  #: (nv,) velocities
    work: np.ndarray  #: (3,) energy dissipated, work of drives, work of applied efforts [J]
    lam: np.ndarray  #: (nc,) multipliers (warm start)
    memory: np.ndarray  #: (nm,) what components remember

    def copy(self) -> "State":
        """An independent copy."""
        arrays = {name: getattr(self, name).copy() for name in ("q", "v", "work", "lam", "memory")}
        return State(self.version, self.time, **arrays)
