"""Contact of a point with flat ground, naively (section 7.6.2, exercise 8)."""

import numpy as np

from ...forces import PlaneContact
from ..checks import number
from ..utils2D import position, velocity, virtual_power
from .base import OneSolid

__all__ = ["Contact"]


class Contact(OneSolid):
    """Upward force max(0, −k (z − z0) − c ż) on the frame tag_F while it is below z0, nothing above: the ground pushes and never pulls."""

    def __init__(self, label="Contact au sol", tag_S="tag_S", tag_F="tag_F", z0=0, k=1e3, c=1e2):
        super().__init__(label, tag_S, tag_F)
        self.z0 = number(z0, "z0 of Contact")
        self.k = number(k, "k of Contact")
        self.c = number(c, "c of Contact")

    def assemble(self, t, y, matrices):
        q_a = y[self.ind_q_a]
        z = position(q_a, self.GP_a)[1]
        if z < self.z0:
            dz = velocity(q_a, y[self.ind_dq_a], self.GP_a)[1]
            F = np.array([0.0, max(0.0, -self.k * (z - self.z0) - self.c * dz)])
            matrices.B[self.ind_q_a] += virtual_power(q_a, self.GP_a, Fext=F)
        return matrices

    def into(self, m, name, ends):
        m.add_force(name, PlaneContact(stiffness=self.k, damping=self.c, height=self.z0), m.ground, *ends, at_a=(0.0, 0.0))
