"""Rigid link between two solids (section 8.3.5)."""

from typing import Any

from ...joints import Rigid
from ..checks import number
from .hinge_2s import Hinge_2s

__all__ = ["Rigid_2s"]


class Rigid_2s(Hinge_2s):
    """A and B coincide, and θ_b − θ_a = theta [rad]; None: as at the start, which is the zero of the course if both solids start alike.

    Three equations; λ = (force of a on b in Galilean axes [N], moment of a on b at A [N·m]).
    """

    def __init__(self, label="Rigid_2s", tag_S=("tag_Sa", "tag_Sb"), tag_F=("tag_Fa", "tag_Fb"), theta=None):
        super().__init__(label, tag_S, tag_F)
        self.n_c = 3
        self.theta = None if theta is None else number(theta, "theta of Rigid_2s")
        self.theta_used: Any = self.theta  # theta, or the difference at the start

    def _build(self, solids, param):
        super()._build(solids, param)
        s_a, s_b = (solids[tag] for tag in self.tag_S)
        self.theta_used = s_b.q_t0[2] - s_a.q_t0[2] if self.theta is None else self.theta

    def equations(self, q_a, dq_a, q_b, dq_b) -> tuple:
        hinge = super().equations(q_a, dq_a, q_b, dq_b)
        return self.stacked(hinge, self.same_angle(q_a, dq_a, q_b, dq_b, self.theta_used))

    def into(self, m, name, ends):
        a, b = (m.frames[end] for end in ends)
        places = {"at_a": a.position, "at_b": b.position, "axes_a": 0.0, "axes_b": float(self.theta_used)}
        m.add_joint(name, Rigid(), a.body, b.body, **places)
