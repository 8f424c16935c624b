"""Exercise 3: a solid that hangs on a spring with a damper, written by hand (section 7.4.2).

The spring goes from P on the solid to the fixed point A; k = 1000 N/m, c = 100 N·s/m, rest length 0.5 m. The solid starts at rest with
GP along its X axis. The damper acts along the spring only: look at how the stretching dies out at once, and the swinging goes on.

Seen from P the solid is light, Iy = 0.01 kg·m² with a lever of √2 m, so the damper answers within Iy/(c GP²) = 50 µs. Such a problem is
stiff: RK45 takes 33 000 evaluations for these 5 s to be off by 0.1, and hardly more for four digits, since stability asks for them;
LSODA, implicit where that helps, takes 15 000 for six digits.
"""

from functools import cache

import numpy as np

from bielle.course.utils2D import deflection, load_direction, rotation, spring_damper_force, virtual_power

from ._common import COARSER, at_most, main, tenth

OG, OP, OA = np.array([1.0, 3.0]), np.array([2.0, 4.0]), np.array([3.0, 2.0])
M, IY, G = 1.0, 1e-2, 9.81
K, C, L0 = 1e3, 1e2, 0.5
TF, RTOL = 5.0, 1e-8

# the solid at the start: its X axis points from G to P
GP_0 = OP - OG
Q_0 = np.array([*OG, -np.arctan2(GP_0[1], GP_0[0])])
GP = rotation(Q_0).T @ GP_0  # in the axes of the solid

# the other end of the spring is a solid that does not move, with its G in A
FIXED = np.array([*OA, 0.0]), np.zeros(3), np.zeros(2)


def fun(t, y):
    """The derivative of the state (q, q̇)."""
    q, dq = y[0:3], y[3:6]
    F = spring_damper_force(q, dq, GP, *FIXED, K, C, L0)
    B = np.array([0, -M * G, 0]) + virtual_power(q, GP, Fext=F)
    return np.concatenate((dq, np.linalg.solve(np.diag([M, M, IY]), B)))


def elongation(y):
    """Length of the spring less L0 [m], and its rate [m/s]."""
    PA, d_PA = deflection(y[0:3], y[3:6], GP, *FIXED)
    return np.linalg.norm(PA) - L0, load_direction(PA, d_PA) @ d_PA


def energy(y):
    """Of the motion, the weight and the spring [J]."""
    return 0.5 * M * (y[3] ** 2 + y[4] ** 2) + 0.5 * IY * y[5] ** 2 + M * G * y[1] + 0.5 * K * elongation(y)[0] ** 2


@cache
def solve(rtol=RTOL):
    """What solve_ivp returns; the last row of y is the work that the damper has taken, ∫ c (dℓ/dt)² dt [J]."""
    import scipy.integrate as sci

    def with_loss(t, y):
        return np.append(fun(t, y), C * elongation(y)[1] ** 2)

    t = np.arange(0, TF, 0.005)
    return sci.solve_ivp(with_loss, [0, TF], [*Q_0, 0, 0, 0, 0], method="LSODA", t_eval=t, rtol=rtol, atol=rtol)


def plot():
    """x, z and θ."""
    import matplotlib.pyplot as plt

    sol = solve()
    fig, axes = plt.subplots(3, 1, sharex=True, layout="constrained")
    for ax, name, row in zip(axes, ("x [m]", "z [m]", "θ [rad]"), sol.y):
        ax.plot(sol.t, row)
        ax.set_ylabel(name)
        ax.grid()
    axes[-1].set_xlabel("t [s]")
    return [fig]


def check():
    """Newton's law at the start, and where the energy goes."""
    sol = solve()
    u = (OA - OP) / np.linalg.norm(OA - OP)
    F = K * (np.linalg.norm(OA - OP) - L0) * u
    start = [*(F / M - [0, G]), (GP_0[1] * F[0] - GP_0[0] * F[1]) / IY]  # θ turns Z towards X: the moment is z Fx − x Fz
    left, coarse = (np.array([energy(y) for y in run.y.T]) + run.y[6] for run in (sol, solve(COARSER * RTOL)))
    return [
        at_most("accelerations at the start, off Newton's law, relative", fun(0, sol.y[:6, 0])[3:] / start - 1, 1e-14),
        at_most("energy + what the damper has taken, change, relative", left / left[0] - 1, tenth(coarse / coarse[0] - 1)),
    ]


if __name__ == "__main__":
    main(__name__)
