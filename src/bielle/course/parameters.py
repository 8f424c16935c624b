"""Numbers that belong to the whole model, and the place of its matrices (Code Python 11, 19)."""

import numpy as np

__all__ = ["Matrices", "Param"]


class Param:
    """Gravity, and how fast constraints are pulled back to g = 0 (Baumgarte, section 8.1)."""

    def __init__(self):
        self.g = 9.81  # gravity along −Z [m/s²]
        self.bmgt_xi = 1  # g̈ + 2 ξ ω ġ + ω² g = 0: damping ξ [-]
        self.bmgt_w0 = 2 * np.pi * 10  # and pulsation ω [rad/s]
        self.bmgt_tau = 0.1  # ġ + g / τ = 0, for constraints on velocities [s]


class Matrices:
    """A q̈ = B + Cᵀ λ and C q̈ = D, for n_q coordinates and n_c constraint equations. ``Model.build`` fills it.

    Compiled code has no such matrices. Then they are set aside, and whoever asks for one gets all of them filled first.
    """

    A: np.ndarray  # masses (n_q, n_q)
    B: np.ndarray  # efforts (n_q,)
    C: np.ndarray  # constraints: C (n_c, n_q)
    D: np.ndarray  # and D (n_c,)
    ZerC: np.ndarray  # zeros (n_c, n_c)
    y0: np.ndarray  # the state (q, q̇) at the start
    y: np.ndarray  # and in the last evaluation
    ind_q: np.ndarray  # places of q in it (n_q,)
    ind_dq: np.ndarray  # and of q̇

    def set_aside(self, fill):
        """Until one of them is asked for: then all are back, and fill() is called."""
        self._aside = {name: self.__dict__.pop(name) for name in ("A", "B", "C", "D", "y")}, fill

    def __getattr__(self, name):  # for what is not there
        aside, fill = self.__dict__.get("_aside", ({}, None))
        if fill is None or name not in aside:
            raise AttributeError(f"Matrices has no attribute '{name}' yet: the model has not been built.")
        del self._aside
        self.__dict__.update(aside)
        fill()
        return self.__dict__[name]
