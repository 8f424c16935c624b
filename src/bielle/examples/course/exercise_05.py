"""Exercise 5: the pendulum of exercise 3 with the classes (section 7.5, Code Python 17).

Look at the force in the spring: for long stretches there is next to none and G moves as if it were thrown; then it is caught with a jerk.
"""

from functools import cache

import numpy as np

import bielle.course.Multicorps2D as mc

from . import exercise_03
from ._common import COARSER, at_most, main, tenth

RTOL = 1e-8


@cache
def solve(rtol=RTOL):
    """The model and its motion."""
    pts = {"G": np.array([1, 3]), "P": np.array([2, 4]), "A": np.array([3, 2])}
    model = mc.Model()
    model.add_solid(tag_S="S", label="solid", m=1, iy=1e-2, G_t0=pts["G"], Xs=pts["P"] - pts["G"])
    model.add_frame(tag_S="S", tag_F="P", label="end of the spring", P_t0=pts["P"])
    model.add_interaction("SpringDashpot_1sFix", tag_I="spring", tag_S="S", tag_F="P", P_Gal=pts["A"], k=1e3, c=1e2, L0=0.5)
    sol = model.transient(0, 5, 0.005, method="LSODA", rtol=rtol, atol=rtol)  # stiff: see exercise 3
    return model, sol


def plot():
    """x, z and θ with the classes and by hand; the force in the spring."""
    import matplotlib.pyplot as plt

    (model, sol), by_hand = solve(), exercise_03.solve()
    fig, axes = plt.subplots(4, 1, sharex=True, layout="constrained", figsize=(6.4, 6.4))
    for i, (ax, name) in enumerate(zip(axes, ("x [m]", "z [m]", "θ [rad]"))):
        ax.plot(by_hand.t, by_hand.y[i], linewidth=3, alpha=0.4, label="exercise 3")
        ax.plot(sol.t, sol.y[i], linewidth=1, label="classes")
        ax.set_ylabel(name)
    axes[0].legend()
    axes[3].plot(sol.t, np.linalg.norm(model.post(sol).force("spring"), axis=0))
    axes[3].set(ylabel="spring [N]", xlabel="t [s]", ylim=(0, 100))
    for ax in axes:
        ax.grid()
    return [fig]


def film(path=None):
    """The swinging solid and the path of G."""
    model, sol = solve()
    return model.animate(sol, path, trace=[("S", "G")])


def off(rtol):
    """What a run is off, relative: motion, from exercise 3 in the first second; energy with what the damper has taken, from the start."""
    (model, sol), by_hand = solve(rtol), exercise_03.solve(rtol)
    post = model.post(sol)
    early = sol.t <= 1.0  # differences grow, as in all double pendulums: compared while they have no time to
    apart = (sol.y[:3] - by_hand.y[:3])[:, early] / np.abs(by_hand.y[:3]).max(axis=1, keepdims=True)
    length = np.linalg.norm(np.array([[3.0], [2.0]]) - post.position("S", "P"), axis=0)
    total = post.kinetic + post.potential + 0.5 * 1e3 * (length - 0.5) ** 2 + by_hand.y[6]
    return apart, total / total[0] - 1


def check():
    """The motion is that of exercise 3, and the energy that leaves is what the damper takes."""
    model, sol = solve()
    post = model.post(sol)
    speed = np.linalg.norm(post.velocity("S", "P"), axis=0)
    power = np.sum(post.force("spring") * post.velocity("S", "P"), axis=0)  # of spring and damper, on the solid
    PA = np.array([[3.0], [2.0]]) - post.position("S", "P")
    length = np.linalg.norm(PA, axis=0)
    rate = -np.sum(PA * post.velocity("S", "P"), axis=0) / length
    stored, taken = 1e3 * (length - 0.5) * rate, 1e2 * rate**2
    (apart, energy), (apart_coarse, energy_coarse) = off(RTOL), off(COARSER * RTOL)
    ulp = 1e3 * length.max() * 2.0**-52 * speed.max() / np.abs(power).max()  # a rounding of the length, as a force at the largest speed
    return [
        at_most("motion, off that of exercise 3 in the first second, relative", apart, tenth(apart_coarse)),
        at_most("power of the spring, off stored + taken, relative", (power + stored + taken) / np.abs(power).max(), 10 * ulp),
        at_most("energy + what the damper of exercise 3 has taken, relative", energy, tenth(energy_coarse)),
    ]


if __name__ == "__main__":
    main(__name__)
