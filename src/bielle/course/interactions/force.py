"""Force on a point of a solid, given over time (section 7.6.1, exercise 6)."""

from ...errors import DescriptionError
from ...forces import PointForce
from ..checks import components, shown, value_of
from ..utils2D import rotation, virtual_power
from .base import OneSolid, required

__all__ = ["Force"]


class Force(OneSolid):
    """fun(t) -> (2,) [N] on the frame tag_F: in Galilean axes, or with axes="body" in those of the solid, with which it turns."""

    def __init__(self, label="Force", tag_S="tag_S", tag_F="tag_F", fun=None, axes="world"):
        super().__init__(label, tag_S, tag_F)
        self.fun = required(fun, "Force", "lambda t: np.array([0.0, 1.0])")
        if axes not in ("world", "body"):
            raise DescriptionError(f"axes of Force must be 'world' or 'body', got {shown(axes)}. Give one of these.")
        self.axes = axes

    def assemble(self, t, y, matrices):
        q_a = y[self.ind_q_a]
        F = value_of(self.fun, t, 2, "fun of Force")
        if self.axes == "body":
            F = rotation(q_a) @ F
        matrices.B[self.ind_q_a] += virtual_power(q_a, self.GP_a, Fext=F)
        return matrices

    def into(self, m, name, ends):
        x, z = components(lambda t: value_of(self.fun, t, 2, "fun of Force"), 2)
        frame = m.frames[ends[0]]
        m.add_force(
            name, PointForce(force=(x, z), axes=self.axes), frame.body, at_a=frame.position
        )  # the axes of the body, not of the frame
