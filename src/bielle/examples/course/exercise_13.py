"""Exercise 13: a bicycle chain of any number of links (section 10.3).

One metre of links, 0.01 kg and 1e-9 kg·m² each, hung by one end at (2, 5) and released from a level line; 1.5 s. Nothing takes energy.
Look at the height of the free end: it falls as a stone does, since nothing pulls at a slack chain, until the hook turns it round.

The state has 6 numbers per link and the matrix of section 8.2 has 5 rows per link, most of them zero. The loop of the course
(compiled=False) solves it as if they were not: its time for a step grows with the cube of the number of links.
"""

from functools import cache

import numpy as np

import bielle.course.Multicorps2D as mc

from ._common import COARSER, at_least, at_most, main, tenth

RTOL = 1e-7
M, IY, LENGTH = 0.01, 1e-9, 1.0
A = np.array([2, 5])


@cache
def solve(links=10, rtol=RTOL):
    """The model of that many links and its motion."""
    model = mc.Model()
    step = np.array([LENGTH / links, 0])
    for k in range(links):
        model.add_solid(tag_S=f"link {k}", label=f"link {k}", m=M, iy=IY, G_t0=A + (k + 0.5) * step, color=f"C{k % 10}")
        model.add_frame(tag_S=f"link {k}", tag_F="P1", P_t0=A + k * step)
        model.add_frame(tag_S=f"link {k}", tag_F="P2", P_t0=A + (k + 1) * step)
    model.add_interaction("Hinge_1sFix", tag_I="hook", tag_S="link 0", tag_F="P1", P_Gal=A)
    for k in range(links - 1):
        model.add_interaction("Hinge_2s", tag_I=f"hinge {k}", tag_S=[f"link {k}", f"link {k + 1}"], tag_F=["P2", "P1"])
    sol = model.transient(0, 1.5, 0.005, method="DOP853", rtol=rtol, atol=rtol)
    return model, sol


def plot(links=10):
    """The chain at some moments, the height of its end beside a stone that falls, and the force on the hook."""
    import matplotlib.pyplot as plt

    model, sol = solve(links)
    post, last = model.post(sol), f"link {links - 1}"
    chain = np.array([post.position(f"link {k}", "P1") for k in range(links)] + [post.position(last, "P2")])
    fig, (shape, height, force) = plt.subplots(3, 1, layout="constrained", figsize=(6.4, 8.4), height_ratios=(2, 1, 1))
    for i in range(0, len(sol.t), 20):
        shape.plot(chain[:, 0, i], chain[:, 1, i], ".-", color=plt.get_cmap("viridis")(i / len(sol.t)), linewidth=1)
    shape.set(xlabel="x [m]", ylabel="z [m]", aspect="equal")
    height.plot(sol.t, post.position(last, "P2")[1], label="end of the chain")
    height.plot(sol.t, np.maximum(A[1] - 0.5 * 9.81 * sol.t**2, A[1] - 1), ":", label="stone")
    height.set(ylabel="z [m]")
    height.legend()
    force.plot(sol.t, np.linalg.norm(post.force("hook"), axis=0))
    force.set(ylabel="force of the hook [N]", xlabel="t [s]")
    for ax in (shape, height, force):
        ax.grid()
    return [fig]


def film(path=None, links=10):
    """The chain at a third of its speed, with the path of its end."""
    model, sol = solve(links)
    return model.animate(sol, path, speed=1 / 3, trace=[(f"link {links - 1}", "P2")])


def check(links=10):
    """Energy, joints, and the force on the hook."""
    model, sol = solve(links)
    post, coarse = model.post(sol), model.post(solve(links, COARSER * RTOL)[1])
    weight = links * M * 9.81
    # a sum of forces, of which the hinges have two each: every one is rounded
    rounded = 2 * links * 2.0**-52 * np.abs(post.multipliers).max()
    return [
        at_most("energy, change as a part of its swing", swing(post), tenth(swing(coarse))),
        at_most("gaps of the hinges [m]", gaps(post, links), tenth(gaps(coarse, links))),
        at_least("fall of the free end, as a part of the length", np.ptp(post.position(f"link {links - 1}", "P2")[1]) / LENGTH, 0.5),
        at_most("Newton's law of the whole chain [N]", momentum(post, links) - post.force("hook") - [[0], [-weight]], rounded),
    ]


def swing(post):
    """Change of the energy, as a part of that of the weights."""
    return np.ptp(post.kinetic + post.potential) / np.ptp(post.potential)


def gaps(post, links):
    """Of all hinges (2, n) [m]."""
    between = [post.position(f"link {k + 1}", "P1") - post.position(f"link {k}", "P2") for k in range(links - 1)]
    return [post.position("link 0", "P1") - A[:, None], *between]


def momentum(post, links):
    """Σ m a (2, n) [N]."""
    return sum(M * post.acceleration(f"link {k}") for k in range(links))


if __name__ == "__main__":
    main(__name__)
