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

from ._common import COARSER, at_most, main, tenth

RTOL, STEP = 1e-9, 0.005
M, IY, L, G = 1.0, 1e-2, 1.0, 9.81
I_P = IY + M * L**2  # about P
W2 = M * G * L / I_P  # w² in φ̈ = −w² sin φ, φ from the lowest position
LARGEST = M * G * (1 + 2 * M * L**2 / I_P)


@cache
def solve(rtol=RTOL):
    """The model and its motion."""
    model = mc.Model()
    model.add_solid(tag_S="S", label="pendulum", m=M, iy=IY, G_t0=np.array([L, 0]))
    model.add_frame(tag_S="S", tag_F="P", label="pivot", P_t0=np.array([0, 0]))
    model.add_interaction("Hinge_1sFix", tag_I="pivot", tag_S="S", tag_F="P", P_Gal=np.array([0, 0]))
    sol = model.transient(0, 5, STEP, method="DOP853", rtol=rtol, atol=rtol)
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


def off(model, sol):
    """What a run is off: period, first passage, force along the rod and across it at the lowest points, energy, place of P."""
    from scipy.interpolate import CubicHermiteSpline, CubicSpline
    from scipy.special import ellipk

    post = model.post(sol)
    x, dx = post.position("S")[0], post.velocity("S")[0]
    lowest = CubicHermiteSpline(sol.t, x, dx).roots(extrapolate=False)
    period = 4 / np.sqrt(W2) * ellipk(0.5)
    along, across = CubicSpline(sol.t, post.force("pivot", axes="body"), axis=1)(lowest)
    energy = post.kinetic + post.potential
    return 2 * np.diff(lowest) - period, lowest[0] - period / 4, -along - LARGEST, across, np.ptp(energy), post.position("S", "P")


def check():
    """Period and largest reaction in closed form; energy; the hinge stays closed.

    Between samples, h apart, the values are those of cubics. With φ̈ = −w² sin φ and φ̇² = 2 w² at the lowest point, x has a fourth rate of
    27 w⁴ x near there, and the force, which goes with cos φ along the rod, one of 12 w⁴ F. Cubics through values and rates, which find the
    passage, leave h⁴/384 of a fourth rate, those through values 5 h⁴/384; x is at most h ẋ away.
    """
    passage = STEP**5 * 27 * W2**2 / 384
    left_out = (4 * passage, passage, 5 / 384 * STEP**4 * 12 * W2**2 * LARGEST, 5 * passage * M * G * IY / I_P * np.sqrt(2 * W2), 0.0, 0.0)
    names = (
        "period between passages, off the elliptic integral [s]",
        "first passage, off a quarter of it [s]",
        "force along the rod at the lowest point, off the formula [N]",
        "and across it [N]",
        "energy, change [J]",
        "P, off the hinge [m]",
    )
    found, coarse = off(*solve()), off(*solve(COARSER * RTOL))
    return [at_most(name, value, tenth(rough) + more) for name, value, rough, more in zip(names, found, coarse, left_out)]


if __name__ == "__main__":
    main(__name__)
