"""Constant distance between points of two solids (section 8.3.2)."""

from typing import Any

import numpy as np

from ...errors import DescriptionError
from ...joints import Distance
from ..checks import number
from ..joints import add_length
from ..utils2D import deflection, load_direction, position, transformation_a, transformation_v
from .base import Constraint2s

__all__ = ["Distance_2s"]


class Distance_2s(Constraint2s):
    """|AB| = L [m], that of the start if L is None: g = |AB| − L, ġ = u·d_AB with the unit vector u along AB.

    One equation; λ [N] pushes A and B apart if it is positive.
    """

    def __init__(self, label="Distance_2s", tag_S=("tag_Sa", "tag_Sb"), tag_F=("tag_Fa", "tag_Fb"), L=None):
        super().__init__(label, tag_S, tag_F, n_c=1)
        self.L = None if L is None else number(L, "L of Distance_2s", positive=True)
        self.L_used: Any = self.L  # L, or the distance at the start

    def _build(self, solids, param):
        super()._build(solids, param)
        s_a, s_b = (solids[tag] for tag in self.tag_S)
        distance = np.linalg.norm(position(s_b.q_t0, self.GP_b) - position(s_a.q_t0, self.GP_a))
        if distance == 0:
            raise DescriptionError("the two points of Distance_2s coincide at the start. Move one of them, or take Hinge_2s.")
        self.L_used = distance if self.L is None else self.L

    def equations(self, q_a, dq_a, q_b, dq_b) -> tuple:
        AB, d_AB = deflection(q_a, dq_a, self.GP_a, q_b, dq_b, self.GP_b)
        u = load_direction(AB, d_AB)
        long_AB, d_long_AB = np.linalg.norm(AB), u @ d_AB
        Ca = -u @ transformation_v(q_a, self.GP_a)
        Cb = u @ transformation_v(q_b, self.GP_b)
        # d²|AB|/dt² = u·d²AB/dt² + (|d_AB|² − (u·d_AB)²) / |AB|
        Da, Db = transformation_a(q_a, dq_a, self.GP_a) @ dq_a, transformation_a(q_b, dq_b, self.GP_b) @ dq_b
        D = u @ (Da - Db) - (d_AB @ d_AB - d_long_AB**2) / long_AB
        return Ca[np.newaxis], Cb[np.newaxis], np.array([D]), np.array([long_AB - self.L_used]), np.array([d_long_AB])

    def into(self, m, name, ends):
        m.add_joint(name, Distance(length=float(self.L_used)), *ends)

    def literally(self, m, name, second, ends):
        add_length(m, name, float(self.L_used), *ends)
