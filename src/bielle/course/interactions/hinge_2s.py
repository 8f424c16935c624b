"""Hinge between two solids (section 8.3.1, Code Python 20)."""

from ...joints import Pin
from ..utils2D import deflection, transformation_a, transformation_v
from .base import Constraint2s

__all__ = ["Hinge_2s"]


class Hinge_2s(Constraint2s):
    """A and B coincide: g = OB − OA. Two equations; λ (2,) [N] is the force of solid a on solid b in Galilean axes."""

    def __init__(self, label="Hinge_2s", tag_S=("tag_Sa", "tag_Sb"), tag_F=("tag_Fa", "tag_Fb")):
        super().__init__(label, tag_S, tag_F, n_c=2)

    def equations(self, q_a, dq_a, q_b, dq_b) -> tuple:
        Ca = -transformation_v(q_a, self.GP_a)
        Cb = transformation_v(q_b, self.GP_b)
        D = transformation_a(q_a, dq_a, self.GP_a) @ dq_a - transformation_a(q_b, dq_b, self.GP_b) @ dq_b
        AB, d_AB = deflection(q_a, dq_a, self.GP_a, q_b, dq_b, self.GP_b)
        return Ca, Cb, D, AB, d_AB

    def into(self, m, name, ends):
        m.add_joint(name, Pin(), *ends)
