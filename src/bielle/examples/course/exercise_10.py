"""Exercise 10: an imposed motion (section 8.3.6), as a class of one's own and as the one that is there.

The constraint is g = q − f(t) = 0, so C is the unit matrix and D = f̈, with Baumgarte's terms. The multipliers are the effort that it
takes: λ = (m ẍ, m z̈ + m g, Iy θ̈). A solid is led along an eight while it rocks. ``Motion_1s`` finds the rates of f by differences;
``MyMotion`` is told them. Look at the effort: where the solid is lowest it weighs most.
"""

from functools import cache

import numpy as np

import bielle.course.Multicorps2D as mc

from ._common import COARSER, at_most, main, tenth

RTOL = 1e-9
M, IY, G, W = 2.0, 0.05, 9.81, 3.0
SIZE, TIMES = np.array([0.4, 0.15, 0.5]), np.array([W, 2 * W, W])  # amplitudes of x, z, θ, and how fast each of them swings


def f(t):
    """The motion (3,)."""
    return SIZE * np.sin(TIMES * t)


def df(t):
    """Its rate."""
    return SIZE * TIMES * np.cos(TIMES * t)


def d2f(t):
    """And the rate of that."""
    return -SIZE * TIMES**2 * np.sin(TIMES * t)


class MyMotion:
    """q = fun(t) of a solid."""

    def __init__(self, tag_S, fun, dfun, d2fun, label="my motion"):
        self.label = label
        self.n_c = 3
        self.ind_c = []  # its rows of C and D: set by the model
        self.tag_S = tag_S
        self.tag_F = "G"
        self.fun, self.dfun, self.d2fun = fun, dfun, d2fun

    def _build(self, solids, param):
        self.ind_q, self.ind_dq = solids[self.tag_S].ind_q, solids[self.tag_S].ind_dq
        self.xi, self.w0 = param.bmgt_xi, param.bmgt_w0

    def assemble(self, t, y, matrices):
        g, dg = y[self.ind_q] - self.fun(t), y[self.ind_dq] - self.dfun(t)
        matrices.C[np.ix_(self.ind_c, self.ind_q)] = np.eye(3)
        matrices.D[self.ind_c] = self.d2fun(t) - 2 * self.xi * self.w0 * dg - self.w0**2 * g
        return matrices


def led(kind, rtol=RTOL, **functions):
    """A solid that begins as the motion does, and its motion."""
    model = mc.Model()
    model.add_solid(tag_S="S", label="tray", m=M, iy=IY, dG_t0=df(0)[:2], dtheta_t0=df(0)[2])
    model.add_frame(tag_S="S", tag_F="A", P_t0=np.array([0.2, 0]))
    model.add_interaction(kind, tag_I="motion", tag_S="S", **functions)
    return model, model.transient(0, 2.5, 0.01, method="DOP853", rtol=rtol, atol=rtol)


@cache
def solve():
    """The models and their motions."""
    return {
        "Motion_1s": led("Motion_1s", fun=f),
        "MyMotion": led(MyMotion, fun=f, dfun=df, d2fun=d2f),
        "coarser": led("Motion_1s", COARSER * RTOL, fun=f, dfun=df, d2fun=d2f),
    }


def plot():
    """The path, the force and the moment."""
    import matplotlib.pyplot as plt

    model, sol = solve()["Motion_1s"]
    post = model.post(sol)
    fig, (path, force, moment) = plt.subplots(3, 1, layout="constrained", figsize=(6.4, 7.2))
    path.plot(*post.position("S"))
    path.set(xlabel="x [m]", ylabel="z [m]", aspect="equal")
    force.plot(sol.t, post.force("motion").T, label=["along X", "along Z"])
    force.axhline(M * G, color="grey", linestyle=":", label="weight")
    force.set(xlabel="t [s]", ylabel="force [N]")
    force.legend()
    moment.plot(sol.t, post.moment("motion"))
    moment.set(xlabel="t [s]", ylabel="moment [N·m]")
    for ax in (path, force, moment):
        ax.grid()
    return [fig]


def film(path=None):
    """The solid on its eight."""
    model, sol = solve()["Motion_1s"]
    return model.animate(sol, path, trace=[("S", "G")])


def off(model, sol):
    """How far the motion (3, n) is off f, and the effort (3, n) off mass times acceleration less the weight."""
    post = model.post(sol)
    effort = np.array([[M], [M], [IY]]) * d2f(sol.t[:, None]).T + [[0], [M * G], [0]]
    return post.q - f(sol.t[:, None]).T, np.vstack((post.force("motion"), post.moment("motion"))) - effort


def check():
    """The motion is the one imposed, and the effort is mass times acceleration less the weight."""
    checks, runs = [], solve()
    limits = [tenth(coarse) for coarse in off(*runs["coarser"])]
    for name in ("Motion_1s", "MyMotion"):
        motion, effort = off(*runs[name])
        checks.append(at_most(f"{name}: motion, off f(t) [m, rad]", motion, limits[0]))
        checks.append(at_most(f"{name}: effort, off m a + weight [N, N·m]", effort, limits[1]))
    return checks


if __name__ == "__main__":
    main(__name__)
