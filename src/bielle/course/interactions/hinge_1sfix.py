"""Hinge between a solid and a fixed point (exercise 9)."""

import numpy as np

from ...joints import Pin
from ..checks import pair
from ..utils2D import position, transformation_a, transformation_v
from .base import OneSolid

__all__ = ["Hinge_1sFix"]


class Hinge_1sFix(OneSolid):
    """The frame tag_F stays at the point P_Gal of the Galilean frame: g = OP − OP_Gal.

    Two equations; λ (2,) [N] is the force of the Galilean frame on the solid, in Galilean axes.
    """

    def __init__(self, label="Hinge_1sFix", tag_S="tag_S", tag_F="tag_F", P_Gal=(1, 1)):
        super().__init__(label, tag_S, tag_F, n_c=2)
        self.P_Gal = pair(P_Gal, "P_Gal of Hinge_1sFix")

    def assemble(self, t, y, matrices):
        q_a, dq_a = y[self.ind_q_a], y[self.ind_dq_a]
        C = transformation_v(q_a, self.GP_a)
        D = -transformation_a(q_a, dq_a, self.GP_a) @ dq_a
        matrices.C[np.ix_(self.ind_c, self.ind_q_a)] = C
        matrices.D[self.ind_c] = self.stabilised(D, position(q_a, self.GP_a) - self.P_Gal, C @ dq_a)
        return matrices

    def into(self, m, name, ends):
        m.add_joint(name, Pin(), m.ground, *ends, at_a=self.P_Gal)
