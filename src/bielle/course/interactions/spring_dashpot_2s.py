"""Spring and damper between two solids (section 5.2, Code Python 12, 14, 16)."""

from ...forces import Spring
from ..checks import number
from ..utils2D import spring_damper_force, virtual_power
from .base import TwoSolids

__all__ = ["SpringDashpot_2s"]


class SpringDashpot_2s(TwoSolids):
    """Force (k (|AB| − L0) + c d|AB|/dt) along AB on A, and the opposite on B: k [N/m], c [N·s/m], L0 [m]."""

    def __init__(self, label="SpringDashpot2S", tag_S=("tag_Sa", "tag_Sb"), tag_F=("tag_Fa", "tag_Fb"), k=1e3, c=1, L0=0.5):
        super().__init__(label, tag_S, tag_F)
        self.k = number(k, "k of SpringDashpot_2s")
        self.c = number(c, "c of SpringDashpot_2s")
        self.L0 = number(L0, "L0 of SpringDashpot_2s")

    def assemble(self, t, y, matrices):
        q_a, dq_a, GP_a = y[self.ind_q_a], y[self.ind_dq_a], self.GP_a
        q_b, dq_b, GP_b = y[self.ind_q_b], y[self.ind_dq_b], self.GP_b
        F_BonA = spring_damper_force(q_a, dq_a, GP_a, q_b, dq_b, GP_b, self.k, self.c, self.L0)
        matrices.B[self.ind_q_a] += virtual_power(q_a, GP_a, Fext=F_BonA)
        matrices.B[self.ind_q_b] += virtual_power(q_b, GP_b, Fext=-F_BonA)
        return matrices

    def into(self, m, name, ends):
        m.add_force(name, Spring(stiffness=self.k, damping=self.c, length=self.L0), *ends)
