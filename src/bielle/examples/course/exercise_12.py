"""Exercise 12: scissors (section 10.2, table 1).

Four solids on the hinges B, C, E, F and, between the ends H and I, a spring that is too long, 4 m, with a damper. It opens the scissors as
far as they go, C level with B. There the ends do not move apart any more, so that the damper has nothing to act upon: look at how the
rest of the swinging goes on for minutes.

Everything stays symmetric, and so one angle tells all of it: a, of BC from the vertical. With x = √2 sin a and s = √(5 − x²),
C = (x, −√2 cos a), F = (0, z_C − s), and H, I = F + (±x, −s). Lagrange's equation of a is what the motion is held against.
"""

from functools import cache

import numpy as np

import bielle.course.Multicorps2D as mc

from ._common import COARSER, at_most, main, rounding, tenth

RTOL = 1e-8
M, IY, G, K, C, L0 = 1.0, 1e-2, 9.81, 1000.0, 100.0, 4.0
X = {"A": -1, "B": 0, "C": 1, "D": 1, "E": -1, "F": 0, "H": 1, "I": -1, "G1": 0.5, "G2": -0.5, "G3": 0.5, "G4": -0.5}
Z = {"A": 1, "B": 0, "C": -1, "D": 1, "E": -1, "F": -3, "H": -5, "I": -5, "G1": -0.5, "G2": -0.5, "G3": -4, "G4": -4}
HINGES = {"B": ["S1", "S2"], "C": ["S1", "S4"], "E": ["S2", "S3"], "F": ["S3", "S4"]}


@cache
def solve(rtol=RTOL):
    """The model and its motion."""
    pts = {name: np.array([X[name], Z[name]]) for name in X}
    model = mc.Model()
    for i, (frames, color) in enumerate((("ABC", "blue"), ("DBE", "green"), ("EFH", "gold"), ("CFI", "hotpink")), start=1):
        model.add_solid(tag_S=f"S{i}", label=f"solid {i}", m=M, iy=IY, G_t0=pts[f"G{i}"], color=color)
        for tag in frames:
            model.add_frame(tag_S=f"S{i}", tag_F=tag, label=tag, P_t0=pts[tag])
    model.add_interaction("Hinge_1sFix", tag_I="frame", tag_S="S1", tag_F="B", P_Gal=pts["B"])
    for tag, solids in HINGES.items():
        model.add_interaction("Hinge_2s", tag_I=tag, tag_S=solids, tag_F=[tag, tag])
    model.add_interaction("SpringDashpot_2s", tag_I="spring", tag_S=["S3", "S4"], tag_F=["H", "I"], k=K, c=C, L0=L0)
    sol = model.transient(0, 5, 0.002, method="DOP853", rtol=rtol, atol=rtol)
    return model, sol


def plot():
    """The scissors at the start and at the end; the forces of the hinges, each on its second solid and in the axes of that solid."""
    import matplotlib.pyplot as plt

    model, sol = solve()
    post = model.post(sol)
    poses, (start, end) = plt.subplots(1, 2, sharex=True, sharey=True, layout="constrained", figsize=(7.2, 6.4))
    model.draw(start, frames=False)
    model.draw(end, sol=sol, t=5, frames=False)
    forces, axes = plt.subplots(len(HINGES), 1, sharex=True, layout="constrained", figsize=(6.4, 7.2))
    for ax, (tag, solids) in zip(axes, HINGES.items()):
        ax.plot(sol.t, post.force(tag, on=solids[1], axes="body").T, label=["along X", "along Z"])
        ax.set_ylabel(f"{tag} on {solids[1]} [N]")
        ax.grid()
    axes[0].legend()
    axes[-1].set_xlabel("t [s]")
    return [poses, forces]


def film(path=None):
    """All of it; A and D leave traces."""
    model, sol = solve()
    return model.animate(sol, path, trace=[("S1", "A"), ("S2", "D")])


def lagrange(a):
    """Of the angle a [rad]: its inertia, the potential energy, and the length of the spring. Complex numbers are welcome."""
    x, z, dx, dz = np.sqrt(2) * np.sin(a), -np.sqrt(2) * np.cos(a), np.sqrt(2) * np.cos(a), np.sqrt(2) * np.sin(a)
    s = np.sqrt(5 - x**2)
    ds = -x * dx / s
    inertia = 2 * (M / 2 + IY + M * (dx**2 / 4 + (dz - 1.5 * ds) ** 2) + IY * (dx / s) ** 2)
    return np.array([inertia, 2 * M * G * (1.5 * z - 1.5 * s) + 0.5 * K * (2 * x - L0) ** 2, 2 * x])


def slopes(a):
    """The derivatives of the three, exact: by a step so small along the imaginary axis that nothing is left out."""
    return np.imag(lagrange(a + 1e-30j)) / 1e-30


def rates(t, y):
    """Of (a, ȧ): μ ä + ½ μ' ȧ² + V' + c ℓ'² ȧ = 0."""
    (mu, _, _), (dmu, dV, dl) = lagrange(y[0]), slopes(y[0])
    return [y[1], -(0.5 * dmu * y[1] ** 2 + dV + C * dl**2 * y[1]) / mu]


def check():
    """The equation in one angle; closed hinges, symmetry, and an energy that nothing takes but the damper."""
    import scipy.integrate as sci
    from scipy.interpolate import CubicSpline
    from scipy.optimize import brentq

    model, sol = solve()
    post = model.post(sol)
    one = sci.solve_ivp(rates, [0, 5], [np.pi / 4, 0], "DOP853", sol.t, rtol=1e-12, atol=1e-12)
    a = np.pi / 4 - post.angle("S1")
    coarse = model.post(solve(COARSER * RTOL)[1])
    gaps, wide = ([run.position(b, tag) - run.position(a, tag) for tag, (a, b) in HINGES.items()] for run in (post, coarse))
    mirror = [post.position(left) + [[1], [-1]] * post.position(right) for left, right in (("S1", "S2"), ("S3", "S4"))]
    length, rate = lagrange(a)[2], slopes(a)[2] * -post.angular_velocity("S1")
    energy = post.kinetic + post.potential + 0.5 * K * (length - L0) ** 2
    taken = CubicSpline(sol.t, C * rate**2).antiderivative()(sol.t)
    rest = brentq(lambda a: slopes(a)[1], 1.0, 2.0)
    late = a[sol.t > 4]
    quick = 2 * C * slopes(a[0])[2] ** 2 / lagrange(a[0])[0] * 0.002  # how much the power fades between two samples, at first
    return [
        at_most("angle, off Lagrange's equation [rad]", a - one.y[0], tenth(np.pi / 4 - coarse.angle("S1") - one.y[0])),
        at_most("gaps of the hinges [m]", gaps, tenth(wide)),
        at_most("solids that face each other, off mirror images [m]", mirror, rounding(sol, Z["I"])),
        # the work is integrated from the samples, by cubics: 5/384 h⁴ of a fourth derivative is left out
        at_most("energy + what the damper has taken, relative", (energy + taken - energy[0]) / np.ptp(energy), 5 / 384 * quick**4),
        # a swing of size A goes about its equilibrium but for terms in A²
        at_most("middle of the last swings, off the equilibrium [rad]", (late.max() + late.min()) / 2 - rest, (np.ptp(late) / 2) ** 2),
    ]


if __name__ == "__main__":
    main(__name__)
