"""Moment on a solid, given over time (exercise 7)."""

from ...forces import Torque
from ..checks import value_of
from ..utils2D import virtual_power
from .base import OneSolid, required

__all__ = ["Moment"]


class Moment(OneSolid):
    """fun(t) -> number [N·m] about Y: a positive one makes θ grow."""

    def __init__(self, label="Moment", tag_S="tag_S", fun=None):
        super().__init__(label, tag_S, "G")  # a moment has no point: where it is written down makes no difference
        self.fun = required(fun, "Moment", "lambda t: 1.0")

    def assemble(self, t, y, matrices):
        (M,) = value_of(self.fun, t, 1, "fun of Moment")
        matrices.B[self.ind_q_a] += virtual_power(y[self.ind_q_a], self.GP_a, Mext=M)
        return matrices

    def into(self, m, name, ends):
        m.add_force(name, Torque(torque=lambda t: -value_of(self.fun, t, 1, "fun of Moment")[0]), m.frames[ends[0]].body)
