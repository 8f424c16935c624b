"""Slider between two solids (section 8.3.4)."""

from ...joints import Slider
from .base import KeepsAngle
from .point_on_line_2s import PointOnLine_2s

__all__ = ["Slider_2s"]


class Slider_2s(KeepsAngle, PointOnLine_2s):
    """A stays on the line through B along the X axis of the frame B, and θ_b − θ_a = theta [rad] (None: as at the start).

    Two equations, AB · Z = 0 (see PointOnLine_2s) and that of the angle; λ = (force of a on b along Z [N], moment of a on b [N·m]).
    """

    signs = (-1.0, 1.0)

    def __init__(self, label="Slider_2s", tag_S=("tag_Sa", "tag_Sb"), tag_F=("tag_Fa", "tag_Fb"), theta=None):
        super().__init__(label, tag_S, tag_F)
        self.keep(theta)

    def into(self, m, name, ends):
        a, b = (m.frames[end] for end in ends)
        line, straight = -self.theta_b, -self.theta_used - self.theta_b  # the axis of the slider on b, and as a has it when the angle fits
        places = {"at_a": b.position, "at_b": a.position, "axes_a": line, "axes_b": straight}
        m.add_joint(name, Slider(direction="x"), b.body, a.body, **places)  # it belongs to the first body there
