"""Exercise 11: the simple pendulum (section 10.1).

A solid on a hinge at the origin, released with G level beside it. What falls by L gains m g L, so that

    period              T = 4 √((Iy + m L²)/(m g L)) K(½)            K: complete elliptic integral, parameter sin²(90°/2)
    at the lowest point  the hinge carries m g (1 + 2 m L²/(Iy + m L²))

Look at the reaction in the axes of the solid: along X, the rod, up to three times the weight; across it almost nothing, since the mass is
almost a point.
"""

from functools import cache

import numpy as np

import bielle.course.Multicorps2D as mc

from ._common import at_most, main

RTOL = 1e-9
M, IY, L, G = 1.0, 1e-2, 1.0, 9.81


@cache
def solve():
    """The model and its motion."""
    model = mc.Model()
    model.add_solid(tag_S="S", label="pendulum", m=M, iy=IY, G_t0=np.array([L, 0]))
    model.add_frame(tag_S="S", tag_F="P", label="pivot", P_t0=np.array([0, 0]))
    model.add_interaction("Hinge_1sFix", tag_I="pivot", tag_S="S", tag_F="P", P_Gal=np.array([0, 0]))
    sol = model.transient(0, 5, 0.005, method="DOP853", rtol=RTOL, atol=RTOL)
    return model, sol


def plot():
    """Acceleration of G and force of the hinge, both in the axes of the solid."""
    import matplotlib.pyplot as plt

    model, sol = solve()
    post = model.post(sol)
    fig, (acceleration, reaction) = plt.subplots(2, 1, sharex=True, layout="constrained")
    acceleration.plot(sol.t, post.acceleration("S", "G", axes="body").T, label=["along X (rod)", "along Z"])
    acceleration.set_ylabel("acceleration of G [m/s²]")
    reaction.plot(sol.t, post.force("pivot", axes="body").T)
    reaction.set(ylabel="force of the hinge [N]", xlabel="t [s]")
    acceleration.legend()
    for ax in (acceleration, reaction):
        ax.grid()
    return [fig]


def film(path=None):
    """Two swings."""
    model, sol = solve()
    return model.animate(sol, path, trace=[("S", "G")])


def check():
    """Period and largest reaction in closed form; energy; the hinge stays closed.

    The rates are known at the samples, so that cubics through both find the passages to h⁴ x⁗/384 of 5 ms: some 1e-9 s. The same of the
    reaction, whose fourth rate is some 1e5 N/s⁴: 1e-6 N. All of it is well above what the integrator errs.
    """
    from scipy.interpolate import CubicHermiteSpline, CubicSpline
    from scipy.special import ellipk

    model, sol = solve()
    post = model.post(sol)
    x, dx = post.position("S")[0], post.velocity("S")[0]
    lowest = CubicHermiteSpline(sol.t, x, dx).roots(extrapolate=False)
    period = 4 * np.sqrt((IY + M * L**2) / (M * G * L)) * ellipk(0.5)
    reaction = CubicSpline(sol.t, post.force("pivot", axes="body"), axis=1)(lowest)
    largest = M * G * (1 + 2 * M * L**2 / (IY + M * L**2))
    return [
        at_most("period between passages, off the elliptic integral [s]", 2 * np.diff(lowest) - period, 1e-6),
        at_most("first passage, off a quarter of it [s]", lowest[0] - period / 4, 1e-6),
        at_most("force along the rod at the lowest point, off the formula [N]", -reaction[0] - largest, 1e-5),
        at_most("and across it [N]", reaction[1], 1e-5),
        at_most("energy, change [J]", np.ptp(post.kinetic + post.potential), 1e-6),
        at_most("P, off the hinge [m]", post.position("S", "P"), 1e-7),
    ]


if __name__ == "__main__":
    main(__name__)
