"""A point of one solid on a line of another (section 8.3.3)."""

import numpy as np

from ...joints import PinInSlot
from ..utils2D import deflection, rotation, transformation_a, transformation_v
from .base import Constraint2s

__all__ = ["PointOnLine_2s"]


class PointOnLine_2s(Constraint2s):
    """A stays on the line through B along the X axis of the frame B: g = AB · Z, where Z is the other axis of that frame.

    The heading of section 8.3.3 names Z, which is the normal of the line; the line is along X, the axis that section 1.2 lets one give to
    a frame. One equation; λ [N] is the force of solid a on solid b along Z, at the point of b where A is.
    """

    signs = (-1.0,)

    def __init__(self, label="PointOnLine_2s", tag_S=("tag_Sa", "tag_Sb"), tag_F=("tag_Fa", "tag_Fb")):
        super().__init__(label, tag_S, tag_F, n_c=1)
        self.theta_b = 0.0  # angle of the frame B on its solid

    def _build(self, solids, param):
        super()._build(solids, param)
        self.theta_b = solids[self.tag_S[1]].frames[self.tag_F[1]].theta

    def equations(self, q_a, dq_a, q_b, dq_b) -> tuple:
        AB, d_AB = deflection(q_a, dq_a, self.GP_a, q_b, dq_b, self.GP_b)
        X, Z = rotation([0.0, 0.0, q_b[2] + self.theta_b]).T
        w = dq_b[2]  # Ẋ = −w Z and Ż = w X
        Ca = -Z @ transformation_v(q_a, self.GP_a)
        Cb = Z @ transformation_v(q_b, self.GP_b)
        Cb[2] += AB @ X
        Da, Db = transformation_a(q_a, dq_a, self.GP_a) @ dq_a, transformation_a(q_b, dq_b, self.GP_b) @ dq_b
        D = Z @ (Da - Db) - 2 * w * (d_AB @ X) + w**2 * (AB @ Z)
        return Ca[np.newaxis], Cb[np.newaxis], np.array([D]), np.array([AB @ Z]), np.array([d_AB @ Z + w * (AB @ X)])

    def into(self, m, name, ends):
        m.add_joint(name, PinInSlot(direction="x"), *reversed(ends))  # the line belongs to the first body there
