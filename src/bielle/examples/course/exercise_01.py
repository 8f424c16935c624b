"""Exercise 1: three solids with their frames, drawn as they are at the start (section 1.2).

A frame is told where it is in Galilean axes. The solid keeps it in its own axes, GP = Rᵀ (OP − OG) (3), where it stays for ever.
Look at the frames that lie on each other: A belongs to two solids, and so do C and D.
"""

from functools import cache
from typing import Any

import numpy as np

import bielle.course.Multicorps2D as mc

from ._common import at_most, main

PTS = {
    "G1": np.array([1, 1]),
    "G2": np.array([1, 2]),
    "G3": np.array([2, 2]),
    "G4": np.array([2, 1]),
    "A": np.array([0, 0]),
    "B": np.array([2, 3]),
    "C": np.array([0, 4]),
    "D": np.array([4, 0.5]),
    "E": np.array([0, 2]),
    "F": np.array([2.5, 0]),
}


def three_solids(theta_t0: Any = 0):
    """The solids, turned by theta_t0 [rad]; their frames are at the same places whatever it is."""
    s1 = mc.Solid(label="casing", G_t0=PTS["G1"], theta_t0=theta_t0)
    s2 = mc.Solid(label="rod", G_t0=PTS["G2"], theta_t0=theta_t0, color=[0, 0.7, 0], marker="o")
    s3 = mc.Solid(label="gear", G_t0=PTS["G3"], theta_t0=theta_t0, color=[0.75, 0.75, 0], marker="s")
    for solid, tags in ((s1, ["A", "B", "C", "D"]), (s2, ["A", "C", "E", "F"]), (s3, ["D", "G2", "G4"])):
        for tag in tags:
            solid.add_frame(tag_F=tag, label=tag, P_t0=PTS[tag])
    return s1, s2, s3


@cache
def solve():
    """The three solids."""
    return three_solids()


def plot():
    """Every solid in its colour, a line from G to each of its frames."""
    import matplotlib.pyplot as plt

    fig, ax = plt.subplots(layout="constrained")
    for solid in solve():
        solid.draw_t0(ax)
    ax.set(xlabel="x [m]", ylabel="z [m]", aspect="equal")
    ax.grid()
    ax.legend()
    return [fig]


def check():
    """The frames are where they were put, whichever way the solids are turned."""
    checks = []
    for theta_t0 in (0.0, 0.7, -2.5):
        off = [
            mc.position(solid.q_t0, frame.position) - PTS[tag]
            for solid in three_solids(theta_t0)
            for tag, frame in solid.frames.items()
            if tag != "G"
        ]
        # there and back are two products, of two terms each, of numbers of at most 5: eight roundings of half 9e-16
        checks.append(at_most(f"frames of solids turned by {theta_t0:g} rad, off their points [m]", off, 4e-15))
    return checks


if __name__ == "__main__":
    main(__name__)
