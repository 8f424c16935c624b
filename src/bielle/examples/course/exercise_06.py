"""Exercise 6: a force on a point of a solid (section 7.6.1), as a class of one's own and as the one that is there.

Four solids: one is pushed by a sine, two by a table (once with ``MyForce``), and the fourth is a rocket: its thrust has axes="body" and
turns with it. The first three are also carried, so that they move along X only. Everything is known in closed form:

    sine     x = (F/m) (t/ω − sin(ωt)/ω²)
    table    x = ∫∫ F/m dt dt, a cubic between two points of a table that is interpolated by straight lines
    rocket   the thrust F at an arm a from G turns it by θ = ½ (F a/Iy) t²
"""

from functools import cache

import numpy as np

import bielle.course.Multicorps2D as mc

from ._common import COARSER, at_most, main, one_step, rounding, tenth

RTOL = 1e-10
T_TAB = np.array([0.0, 1.0, 2.0, 3.0, 5.0])
F_TAB = np.array([[0.0, 10.0, 10.0, -5.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0]])


def table(t):
    """The force of the table (2,) [N]."""
    return mc.tabular(t, T_TAB, F_TAB)


class MyForce:
    """B of the solid += T_vᵀ F (15)."""

    def __init__(self, tag_S, tag_F, fun, label="my force"):
        self.label = label
        self.n_c = 0
        self.tag_S = tag_S
        self.tag_F = tag_F
        self.fun = fun

    def _build(self, solids, param):
        self.ind_q = solids[self.tag_S].ind_q
        self.GP = solids[self.tag_S].frames[self.tag_F].position

    def assemble(self, t, y, matrices):
        matrices.B[self.ind_q] += mc.virtual_power(y[self.ind_q], self.GP, Fext=self.fun(t))
        return matrices


@cache
def solve(rtol=RTOL):
    """The model and its motion."""
    model = mc.Model()
    for i, tag in enumerate(("sine", "table", "mine")):
        model.add_solid(tag_S=tag, label=tag, m=2, G_t0=np.array([0, i]), color=f"C{i}")
        model.add_interaction("Force", tag_I=f"carry {tag}", tag_S=tag, tag_F="G", fun=lambda t: np.array([0, 2 * 9.81]))
    model.add_interaction("Force", tag_I="sine", tag_S="sine", tag_F="G", fun=lambda t: np.array([8 * np.sin(3 * t), 0]))
    model.add_interaction("Force", tag_I="table", tag_S="table", tag_F="G", fun=table)
    model.add_interaction(MyForce, tag_I="mine", tag_S="mine", tag_F="G", fun=table)
    # thrust along X of the rocket, 0.01 m beside G
    model.add_solid(tag_S="rocket", label="rocket", m=2, iy=0.5, G_t0=np.array([0, 4]), Xs=np.array([0, 1]), color="C3")
    model.add_frame(tag_S="rocket", tag_F="nozzle", P_t0=np.array([-0.01, 3.0]))
    model.add_interaction("Force", tag_I="thrust", tag_S="rocket", tag_F="nozzle", fun=lambda t: np.array([40, 0]), axes="body")
    sol = model.transient(0, 5, 0.02, method="DOP853", rtol=rtol, atol=rtol)
    return model, sol


def plot():
    """Forces over time, the motion along X, and the path of the rocket."""
    import matplotlib.pyplot as plt

    model, sol = solve()
    post = model.post(sol)
    fig, (force, motion, path) = plt.subplots(3, 1, layout="constrained", figsize=(6.4, 7.2))
    for tag, style in (("sine", "-"), ("table", "-"), ("mine", "--")):
        force.plot(sol.t, post.force(tag)[0], style, label=tag)
        motion.plot(sol.t, post.position(tag)[0], style, label=tag)
    path.plot(*post.position("rocket"), "C3", label="rocket")
    force.set(xlabel="t [s]", ylabel="force along X [N]")
    motion.set(xlabel="t [s]", ylabel="x [m]")
    path.set(xlabel="x [m]", ylabel="z [m]")
    for ax in (force, motion, path):
        ax.grid()
        ax.legend()
    return [fig]


def check():
    """Against the closed forms. Cubics and parabolas are integrated without error, but for steps across the corners of the table."""
    from scipy.interpolate import make_interp_spline

    model, sol = solve()
    post, t = model.post(sol), sol.t
    x, coarse = post.position("sine")[0], model.post(solve(COARSER * RTOL)[1]).position("sine")[0]
    sine = 8 / 2 * (t / 3 - np.sin(3 * t) / 9)
    known = make_interp_spline(T_TAB, F_TAB[0] / 2, k=1).antiderivative(2)(t)
    turned = 0.5 * (40 * 0.01 / 0.5) * t**2
    start = post.angle("rocket")[0]
    # what a step across a corner errs in the velocity is an error of the position for the rest of the time
    corners = one_step(sol, RTOL, post.velocity("table")[0]) * np.sum(5 - T_TAB[1:-1]) + 3 * one_step(sol, RTOL, known)
    mine = post.position("mine") - post.position("table") - [[0], [1]]
    return [
        at_most("pushed by a sine, off the closed form [m]", x - sine, tenth(coarse - sine)),
        at_most("pushed by a table, off its integral [m]", post.position("table")[0] - known, corners),
        at_most("pushed by MyForce, off Force [m]", mine, rounding(sol, known)),
        at_most("angle of the rocket, off ½ (F a/Iy) t² [rad]", post.angle("rocket") - start - turned, rounding(sol, turned)),
        at_most("carried: height, off the start [m]", post.position("sine")[1], rounding(sol, 9.81 * t**2)),
    ]


if __name__ == "__main__":
    main(__name__)
