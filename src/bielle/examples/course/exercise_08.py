"""Exercise 8: contact of a point with the ground (section 7.6.2), as a class of one's own and as the one that is there.

Below z0 the ground pushes with −k (z − z0) − c ż, upwards; it never pulls, so a negative value counts as none. Three solids fall from
1 m: with the damper of the course (``Contact``, ``MyContact``), and with a twentieth of it. Look at the lower plot: the force begins
with a jump, c times the speed of impact, and where the bouncing solid leaves the ground the plain formula would hold it back.

Until the first touch, at t₁ = √(2h/g), the motion is a parabola. Then, for 100 N·s/m, r = (−c ± √(c² − 4 k m))/(2 m):

    z = −m g/k + a e^{r₁ (t − t₁)} + b e^{r₂ (t − t₁)}
"""

from functools import cache

import numpy as np

import bielle.course.Multicorps2D as mc

from ._common import at_least, at_most, main, one_step, rounding

RTOL = 1e-9
M, G, K, C, H = 1.0, 9.81, 1e3, 1e2, 1.0


class MyContact:
    """B of the solid += T_vᵀ (0, N) with N = max(0, −k (z − z0) − c ż) below z0."""

    def __init__(self, label="my contact", tag_S="tag_S", tag_F="tag_F", z0=0, k=1e3, c=1e2):
        self.label = label
        self.n_c = 0
        self.tag_S = tag_S
        self.tag_F = tag_F
        self.z0, self.k, self.c = z0, k, c

    def _build(self, solids, param):
        self.ind_q, self.ind_dq = solids[self.tag_S].ind_q, solids[self.tag_S].ind_dq
        self.GP = solids[self.tag_S].frames[self.tag_F].position

    def assemble(self, t, y, matrices):
        q, dq = y[self.ind_q], y[self.ind_dq]
        depth = self.z0 - mc.position(q, self.GP)[1]
        if depth > 0:
            N = max(0, self.k * depth - self.c * mc.velocity(q, dq, self.GP)[1])
            matrices.B[self.ind_q] += mc.virtual_power(q, self.GP, Fext=np.array([0, N]))
        return matrices


@cache
def solve():
    """The model and its motion."""
    model = mc.Model()
    for i, (tag, kind, c) in enumerate((("damped", "Contact", C), ("mine", MyContact, C), ("bouncing", "Contact", C / 20))):
        model.add_solid(tag_S=tag, label=tag, m=M, iy=0.01, G_t0=np.array([i, H + 0.5]), color=f"C{i}")
        model.add_frame(tag_S=tag, tag_F="P", label="foot", P_t0=np.array([i, H]))
        model.add_interaction(kind, tag_I=tag, tag_S=tag, tag_F="P", z0=0, k=K, c=c)
    # short steps: a long one could come down, touch and leave unseen
    sol = model.transient(0, 3, 0.005, method="DOP853", max_step=0.01, rtol=RTOL, atol=RTOL)
    return model, sol


def theory(t):
    """Height of the foot of the damped solid [m]."""
    touch, speed = np.sqrt(2 * H / G), np.sqrt(2 * G * H)
    r1, r2 = (-C + np.sqrt(C**2 - 4 * K * M)) / (2 * M), (-C - np.sqrt(C**2 - 4 * K * M)) / (2 * M)
    a = (-speed - r2 * M * G / K) / (r1 - r2)  # from z = 0 and ż = −speed at the touch
    after = np.maximum(t - touch, 0)
    pressed = -M * G / K + a * np.exp(r1 * after) + (M * G / K - a) * np.exp(r2 * after)
    return np.where(t < touch, H - 0.5 * G * t**2, pressed)


def plot():
    """Heights of the feet and forces of the ground."""
    import matplotlib.pyplot as plt

    model, sol = solve()
    post = model.post(sol)
    fig, (height, force) = plt.subplots(2, 1, sharex=True, layout="constrained")
    for tag, style in (("damped", "-"), ("mine", "--"), ("bouncing", "-")):
        height.plot(sol.t, post.position(tag, "P")[1], style, label=tag)
        force.plot(sol.t, post.force(tag)[1], style, label=tag)
    height.set_ylabel("height of the foot [m]")
    force.set(ylabel="force of the ground [N]", xlabel="t [s]")
    for ax in (height, force):
        ax.grid()
    height.legend()
    return [fig]


def film(path=None):
    """The three fall."""
    model, sol = solve()
    return model.animate(sol, path)


def check():
    """Against the closed form, to what the step across the touch may err, since all else is smooth and then comes to rest; the depth at
    rest; a ground that never pulls."""
    model, sol = solve()
    post = model.post(sol)
    feet = {tag: post.position(tag, "P")[1] for tag in model.solids}
    falling = sol.t < np.sqrt(2 * H / G)
    plain = -K * feet["bouncing"] - C / 20 * post.velocity("bouncing", "P")[1]
    bounced = post.force("bouncing")[1]
    rest = (C - np.sqrt(C**2 - 4 * K * M)) / (2 * M) * (sol.t[-1] - np.sqrt(2 * H / G))  # r₁ (t − t₁): what is left of the landing
    return [
        at_most("falling, off the parabola [m]", (feet["damped"] - theory(sol.t))[falling], 1e-13),  # 45 steps, 12 evaluations
        at_most("on the ground, off the closed form [m]", feet["damped"] - theory(sol.t), one_step(sol, RTOL, sol.y[9:])),
        at_most("MyContact, off Contact [m]", feet["mine"] - feet["damped"], rounding(sol, H)),
        at_most("at rest: depth, off m g/k [m]", feet["damped"][-1] + M * G / K, np.exp(-rest)),
        at_least("forces of the ground, the smallest [N]", [post.force(tag)[1] for tag in model.solids], 0.0),
        at_most("force of the ground on a foot above it [N]", bounced[feet["bouncing"] > 0], 0.0),
        at_least("samples where the plain formula would pull", np.sum((feet["bouncing"] < 0) & (plain < 0)), 1),
    ]


if __name__ == "__main__":
    main(__name__)
