"""Exercise 7: a moment on a solid (section 7.6.1), as a class of one's own and as the one that is there.

A positive moment makes θ grow, which turns Z towards X. Three solids get the same moment M(t) = M₀ cos(ωt): from ``Moment``, from
``MyMoment``, and as a couple of two opposite forces that turn with the solid. All turn by θ = (M₀/Iy) (1 − cos ωt)/ω² and fall alike:
look at how a moment moves no centre of gravity.
"""

from functools import cache

import numpy as np

import bielle.course.Multicorps2D as mc

from ._common import COARSER, at_most, main, rounding, tenth

RTOL = 1e-10
M0, OMEGA, IY = 0.6, 4.0, 0.05


def moment(t):
    """M(t) [N·m]."""
    return M0 * np.cos(OMEGA * t)


class MyMoment:
    """The third entry of B of the solid += M (15)."""

    def __init__(self, tag_S, fun, label="my moment"):
        self.label = label
        self.n_c = 0
        self.tag_S = tag_S
        self.tag_F = "G"
        self.fun = fun

    def _build(self, solids, param):
        self.ind_q = solids[self.tag_S].ind_q

    def assemble(self, t, y, matrices):
        matrices.B[self.ind_q] += np.array([0, 0, self.fun(t)])
        return matrices


@cache
def solve(rtol=RTOL):
    """The model and its motion."""
    model = mc.Model()
    for i, tag in enumerate(("moment", "mine", "couple")):
        model.add_solid(tag_S=tag, label=tag, m=1, iy=IY, G_t0=np.array([2 * i, 0]), dG_t0=np.array([0, 5]), color=f"C{i}")
        model.add_frame(tag_S=tag, tag_F="A", P_t0=np.array([2 * i - 0.5, 0]))
        model.add_frame(tag_S=tag, tag_F="B", P_t0=np.array([2 * i + 0.5, 0]))
    model.add_interaction("Moment", tag_I="moment", tag_S="moment", fun=moment)
    model.add_interaction(MyMoment, tag_I="mine", tag_S="mine", fun=moment)
    # 1 m apart along X, so forces along Z: up at A and down at B turns Z towards X
    model.add_interaction("Force", tag_I="up", tag_S="couple", tag_F="A", fun=lambda t: np.array([0, moment(t)]), axes="body")
    model.add_interaction("Force", tag_I="down", tag_S="couple", tag_F="B", fun=lambda t: np.array([0, -moment(t)]), axes="body")
    sol = model.transient(0, 3, 0.01, method="DOP853", rtol=rtol, atol=rtol)
    return model, sol


def plot():
    """The moment, the angles and the heights."""
    import matplotlib.pyplot as plt

    model, sol = solve()
    post = model.post(sol)
    fig, (given, angle, height) = plt.subplots(3, 1, sharex=True, layout="constrained")
    given.plot(sol.t, moment(sol.t))
    given.set_ylabel("M [N·m]")
    for tag, style in (("moment", "-"), ("mine", "--"), ("couple", ":")):
        angle.plot(sol.t, post.angle(tag), style, label=tag)
        height.plot(sol.t, post.position(tag)[1], style)
    angle.set_ylabel("θ [rad]")
    angle.legend()
    height.set(ylabel="z [m]", xlabel="t [s]")
    for ax in (given, angle, height):
        ax.grid()
    return [fig]


def check():
    """Against the closed forms."""
    model, sol = solve()
    post, coarse, t = model.post(sol), model.post(solve(COARSER * RTOL)[1]), sol.t
    theta = M0 / IY * (1 - np.cos(OMEGA * t)) / OMEGA**2
    checks = []
    for tag in ("moment", "mine", "couple"):
        checks.append(at_most(f"{tag}: angle, off the closed form [rad]", post.angle(tag) - theta, tenth(coarse.angle(tag) - theta)))
    parabola = np.array([0 * t, 5 * t - 0.5 * 9.81 * t**2])
    fall = [post.position(tag) - [[2 * i], [0]] - parabola for i, tag in enumerate(("moment", "mine", "couple"))]
    return [*checks, at_most("centres of gravity, off their parabolas [m]", fall, rounding(sol, parabola))]


if __name__ == "__main__":
    main(__name__)
