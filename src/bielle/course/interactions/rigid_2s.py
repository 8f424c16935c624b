"""Rigid link between two solids (section 8.3.5)."""

from ...joints import Rigid
from .base import KeepsAngle
from .hinge_2s import Hinge_2s

__all__ = ["Rigid_2s"]


class Rigid_2s(KeepsAngle, Hinge_2s):
    """A and B coincide, and θ_b − θ_a = theta [rad]; None: as at the start, which is the zero of the course if both solids start alike.

    Three equations; λ = (force of a on b in Galilean axes [N], moment of a on b at A [N·m]).
    """

    def __init__(self, label="Rigid_2s", tag_S=("tag_Sa", "tag_Sb"), tag_F=("tag_Fa", "tag_Fb"), theta=None):
        super().__init__(label, tag_S, tag_F)
        self.keep(theta)

    def into(self, m, name, ends):
        a, b = (m.frames[end] for end in ends)
        places = {"at_a": a.position, "at_b": b.position, "axes_a": 0.0, "axes_b": float(self.theta_used)}
        m.add_joint(name, Rigid(), a.body, b.body, **places)
