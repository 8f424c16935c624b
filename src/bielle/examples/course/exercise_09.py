"""Exercise 9: a hinge between a solid and a fixed point (section 8.3.1), as a class of one's own and as the one that is there.

The constraint is g = OP − OP_Gal = 0. Twice derived, T_v q̈ = −T_a q̇: two rows of C and D, and Baumgarte's terms −2ξω ġ − ω² g bring P
back if it drifts. With φ, the angle of PG below the horizontal, all of it is one equation, (Iy + m L²) φ̈ = m g L cos φ.
Look at the second plot: without Baumgarte's terms, ω = 0, the hinge comes apart, slowly and for ever.
"""

from functools import cache

import numpy as np

import bielle.course.Multicorps2D as mc

from ._common import COARSER, at_least, at_most, main, tenth

RTOL = 1e-9
M, IY, L, G = 1.0, 0.1, 1.0, 9.81


class MyHinge:
    """Frame tag_F of the solid stays at P_Gal."""

    def __init__(self, label="my hinge", tag_S="tag_S", tag_F="tag_F", P_Gal=(1, 1)):
        self.label = label
        self.n_c = 2
        self.ind_c = []  # its rows of C and D: set by the model
        self.tag_S = tag_S
        self.tag_F = tag_F
        self.P_Gal = np.array(P_Gal)

    def _build(self, solids, param):
        self.ind_q, self.ind_dq = solids[self.tag_S].ind_q, solids[self.tag_S].ind_dq
        self.GP = solids[self.tag_S].frames[self.tag_F].position
        self.xi, self.w0 = param.bmgt_xi, param.bmgt_w0

    def assemble(self, t, y, matrices):
        q, dq = y[self.ind_q], y[self.ind_dq]
        g = mc.position(q, self.GP) - self.P_Gal
        dg = mc.velocity(q, dq, self.GP)
        D = -mc.transformation_a(q, dq, self.GP) @ dq
        matrices.C[np.ix_(self.ind_c, self.ind_q)] = mc.transformation_v(q, self.GP)
        matrices.D[self.ind_c] = D - 2 * self.xi * self.w0 * dg - self.w0**2 * g
        return matrices


def hung(kind, w0=2 * np.pi * 10):
    """A solid that starts level, L beside its hinge."""
    model = mc.Model()
    model.param.bmgt_w0 = w0
    model.add_solid(tag_S="S", label="rod", m=M, iy=IY, G_t0=np.array([1 + L, 1]))
    model.add_frame(tag_S="S", tag_F="P", P_t0=np.array([1, 1]))
    model.add_interaction(kind, tag_I="hinge", tag_S="S", tag_F="P", P_Gal=np.array([1, 1]))
    return model


@cache
def solve():
    """Models with their motions: the class that is there, one's own, and a coarse run with and without Baumgarte's terms."""
    runs = {}
    for name, model in (("Hinge_1sFix", hung("Hinge_1sFix")), ("MyHinge", hung(MyHinge))):
        runs[name] = model, model.transient(0, 5, 0.01, method="DOP853", rtol=RTOL, atol=RTOL)
    for name, model in (("stabilised", hung("Hinge_1sFix")), ("not stabilised", hung("Hinge_1sFix", w0=0))):
        runs[name] = model, model.transient(0, 5, 0.01)
    return runs


def plot():
    """The angle; how far the hinge comes apart in the coarse runs."""
    import matplotlib.pyplot as plt

    fig, (angle, drift) = plt.subplots(2, 1, sharex=True, layout="constrained")
    for name, (model, sol) in solve().items():
        post = model.post(sol)
        apart = np.linalg.norm(post.position("S", "P") - 1, axis=0)
        angle.plot(sol.t, post.angle("S"), "--" if name == "MyHinge" else "-", label=name)
        drift.semilogy(sol.t[1:], np.maximum(apart[1:], 1e-17), "--" if name == "MyHinge" else "-")
    angle.set_ylabel("θ [rad]")
    drift.set(ylabel="P off P_Gal [m]", xlabel="t [s]")
    angle.legend()
    for ax in (angle, drift):
        ax.grid()
    return [fig]


def check():
    """Against the equation in one angle; the hinge stays closed."""
    import scipy.integrate as sci

    (model, sol), (_, mine) = solve()["Hinge_1sFix"], solve()["MyHinge"]
    coarser = model.transient(0, 5, 0.01, method="DOP853", rtol=COARSER * RTOL, atol=COARSER * RTOL)
    swing = sci.solve_ivp(
        lambda t, y: [y[1], M * G * L / (IY + M * L**2) * np.cos(y[0])], [0, 5], [0, 0], "DOP853", sol.t, rtol=1e-13, atol=1e-13
    )
    apart = {name: model.post(sol).position("S", "P") - 1 for name, (model, sol) in solve().items()}
    return [
        at_most("angle, off the equation in one angle [rad]", sol.y[2] - swing.y[0], tenth(coarser.y[2] - swing.y[0])),
        at_most("MyHinge, off Hinge_1sFix", mine.y - sol.y, tenth(coarser.y[2] - swing.y[0])),  # the same equations, and steps
        at_most("P, off its place [m]", apart["Hinge_1sFix"], tenth(model.post(coarser).position("S", "P") - 1)),
        at_least(
            "drift without Baumgarte's terms, times that with them", np.ptp(apart["not stabilised"]) / np.ptp(apart["stabilised"]), 10
        ),
    ]


if __name__ == "__main__":
    main(__name__)
