"""Spring and damper between a solid and a fixed point (Code Python 17)."""

import numpy as np

from ...forces import Spring
from ..checks import number, pair
from ..utils2D import spring_damper_force, virtual_power
from .base import OneSolid

__all__ = ["SpringDashpot_1sFix"]


class SpringDashpot_1sFix(OneSolid):
    """The force of SpringDashpot_2s on A, where B is the point P_Gal (2,) [m] of the Galilean frame."""

    def __init__(self, label="SpringDashpot_1sFix", tag_S="tag_S", tag_F="tag_F", P_Gal=(0, 0), k=1e3, c=1, L0=0.5):
        super().__init__(label, tag_S, tag_F)
        self.P_Gal = pair(P_Gal, "P_Gal of SpringDashpot_1sFix")
        self.k = number(k, "k of SpringDashpot_1sFix")
        self.c = number(c, "c of SpringDashpot_1sFix")
        self.L0 = number(L0, "L0 of SpringDashpot_1sFix")

    def assemble(self, t, y, matrices):
        q_a, dq_a, GP_a = y[self.ind_q_a], y[self.ind_dq_a], self.GP_a
        q_b, dq_b, GP_b = np.append(self.P_Gal, 0.0), np.zeros(3), np.zeros(2)  # a solid that does not move, with its G in P_Gal
        F_BonA = spring_damper_force(q_a, dq_a, GP_a, q_b, dq_b, GP_b, self.k, self.c, self.L0)
        matrices.B[self.ind_q_a] += virtual_power(q_a, GP_a, Fext=F_BonA)
        return matrices

    def into(self, m, name, ends):
        m.add_force(name, Spring(stiffness=self.k, damping=self.c, length=self.L0), *ends, m.ground, at_b=self.P_Gal)
