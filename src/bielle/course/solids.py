"""Solids and the frames on them (sections 1.2 and 1.3)."""

import numpy as np

from ..calls import explained_methods
from .checks import angle_of, number, pair, unused
from .utils2D import position, rotation

__all__ = ["Frame", "Solid"]


@explained_methods
class Frame:
    """A point and an orientation on a solid, in the axes of the solid: ``position`` (2,) [m] and ``theta`` [rad]."""

    def __init__(self, label="frame", P=(0.0, 0.0), theta=0):
        self.label = label
        self.position = pair(P, f"P of frame '{label}'")
        self.theta = number(theta, f"theta of frame '{label}'")

    def __repr__(self):
        x, z = self.position
        return f"'{self.label}'\n\tx = {x:+.3f} m, \tz = {z:+.3f} m, \ttheta = {self.theta:+.3f} rad\n"


@explained_methods
class Solid:
    """A rigid solid: mass m [kg], inertia iy about Y through G [kg·m²], place and velocity at the start, and its frames.

    The centre of gravity is the frame "G". ``color`` and ``marker`` are those of matplotlib.
    """

    def __init__(
        self,
        label="solid",
        m=1.0,
        iy=0.01,
        G_t0=(0.0, 0.0),
        theta_t0=0,
        dG_t0=(0.0, 0.0),
        dtheta_t0: float = 0,
        color=(0, 0, 1),
        marker="+",
    ):
        self.label = label
        self.m = m
        self.iy = iy
        self.mass()  # says so if m or iy cannot be
        self.ind_q = []  # places of (x, z, θ) in the state: set by the model
        self.ind_dq = []  # and those of their rates
        self.q_t0 = np.append(pair(G_t0, f"G_t0 of '{label}'"), number(theta_t0, f"theta_t0 of '{label}'"))
        self.dq_t0 = np.append(pair(dG_t0, f"dG_t0 of '{label}'"), number(dtheta_t0, f"dtheta_t0 of '{label}'"))
        self.frames = {"G": Frame(label="G")}
        self.color = color if isinstance(color, str) else list(color)
        self.marker = marker

    def add_frame(self, tag_F="frame", label="frame", P_t0=(0.0, 0.0), Xs=(1.0, 0.0)):
        """Add a frame, told where it is at the start in Galilean axes: point P_t0, direction Xs of its X axis."""
        unused(tag_F, self.frames, "tag_F")
        P_Rs = rotation(self.q_t0).T @ (pair(P_t0, f"P_t0 of frame '{tag_F}'") - self.q_t0[0:2])
        theta = angle_of(Xs, f"Xs of frame '{tag_F}'") - self.q_t0[2]
        self.frames[tag_F] = Frame(label=label, P=P_Rs, theta=theta)

    def draw_t0(self, ax):
        """Draw on matplotlib axes, at the start: a line from G to every frame."""
        G = self.q_t0[0:2]
        P = np.array([point for frame in self.frames.values() for point in (G, position(self.q_t0, frame.position))])
        ax.plot(P[:, 0], P[:, 1], label=self.label, color=self.color, marker=self.marker, fillstyle="none", markersize=8)

    def mass(self):
        """Mass matrix M (3, 3) = diag(m, m, iy) (14)."""
        m = number(self.m, f"the mass m of '{self.label}'", positive=True)
        iy = number(self.iy, f"the inertia iy of '{self.label}'", positive=True)
        return np.diag([m, m, iy])

    def weight(self, g):
        """Generalised effort B (3,) of gravity, g [m/s²] along −Z (16)."""
        return np.array([0.0, -self.m * g, 0.0])

    def __repr__(self):
        x, z, theta = self.q_t0
        s = f"'{self.label}' : \n\tx_0 = {x:+.3f} m, \tz_0 = {z:+.3f} m, \ttheta_0 = {theta:+.3f} rad\n"
        s += f"\tm = {self.m:.3f} kg, \tiy = {self.iy:.3f} kg.m^2\n"
        for tag, frame in self.frames.items():
            s += f"\t.frames[{tag}] = " + repr(frame).replace("\n\t", "\n\t\t")
        return s
