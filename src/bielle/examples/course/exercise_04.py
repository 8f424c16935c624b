"""Exercise 4: the free fall of exercise 2 with the classes (section 7.5).

What exercise 2 did by hand (state, masses, weights), ``build`` does for any number of solids. Look at how little is left to write.
"""

from functools import cache

import numpy as np

import bielle.course.Multicorps2D as mc

from . import exercise_02
from ._common import at_most, main, rounding


@cache
def solve():
    """The model and its motion."""
    model = mc.Model()
    model.add_solid(tag_S="S", label="stone", m=1, iy=1, G_t0=np.array([0, 0]), dG_t0=np.array([1, 1]))
    sol = model.transient(0, 0.25, 0.005)
    return model, sol


def plot():
    """x, z and θ with the classes, by hand and in theory."""
    import matplotlib.pyplot as plt

    (_, sol), by_hand = solve(), exercise_02.solve()
    fig, axes = plt.subplots(3, 1, sharex=True, layout="constrained")
    for i, (ax, name) in enumerate(zip(axes, ("x [m]", "z [m]", "θ [rad]"))):
        ax.plot(sol.t, exercise_02.theory(sol.t)[i], label="theory")
        ax.plot(by_hand.t, by_hand.y[i], "o", fillstyle="none", label="exercise 2")
        ax.plot(sol.t, sol.y[i], "+", label="classes")
        ax.set_ylabel(name)
        ax.grid()
    axes[0].legend()
    axes[-1].set_xlabel("t [s]")
    return [fig]


def check():
    """Only rounding is left between the motion and the parabola, and one of 9.81 in the accelerations; no force but the weight acts."""
    model, sol = solve()
    post = model.post(sol)
    return [
        at_most("state, off the parabola", sol.y - exercise_02.theory(sol.t), rounding(sol, sol.y)),
        at_most("accelerations, off (0, −g, 0)", post.d2q - np.array([[0], [-9.81], [0]]), 2e-15),
    ]


if __name__ == "__main__":
    main(__name__)
