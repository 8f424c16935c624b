"""Exercise 2: free fall of one solid, written by hand (section 7.4.1).

M q̈ = B with M = diag(m, m, Iy) and B = (0, −m g, 0); the state is y = (q, q̇). The answer is known: x = t, z = t − g t²/2, θ = 0.
Look at how well the integrator does: a parabola is within what Runge–Kutta methods integrate, and interpolate, without error.
"""

from functools import cache

import numpy as np

from ._common import at_most, main, rounding

M, IY, G = 1.0, 1.0, 9.81
TIME = np.linspace(0, 0.25, 50)


def theory(t):
    """The state (6, n) at the times t."""
    return np.array([t, t - 0.5 * G * t**2, 0 * t, 1 + 0 * t, 1 - G * t, 0 * t])


@cache
def solve():
    """What solve_ivp returns."""
    import scipy.integrate as sci

    A = np.diag([M, M, IY])
    B = np.array([0, -M * G, 0])

    def fun(t, y):
        d2q = np.linalg.solve(A, B)
        return np.concatenate((y[3:6], d2q))

    return sci.solve_ivp(fun, [0, 0.25], [0, 0, 0, 1, 1, 0], t_eval=TIME)


def plot():
    """x, z and θ, computed and in theory."""
    import matplotlib.pyplot as plt

    sol = solve()
    fig, axes = plt.subplots(3, 1, sharex=True, layout="constrained")
    for ax, name, computed, exact in zip(axes, ("x [m]", "z [m]", "θ [rad]"), sol.y, theory(sol.t)):
        ax.plot(sol.t, exact, label="theory")
        ax.plot(sol.t, computed, "o", fillstyle="none", label="solve_ivp")
        ax.set_ylabel(name)
        ax.grid()
    axes[0].legend()
    axes[-1].set_xlabel("t [s]")
    return [fig]


def check():
    """Only rounding is left between the computed motion and the parabola."""
    sol = solve()
    return [at_most("state, off the parabola", sol.y - theory(sol.t), rounding(sol, sol.y))]


if __name__ == "__main__":
    main(__name__)
