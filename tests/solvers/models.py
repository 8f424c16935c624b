"""Small mechanisms with independent reference solutions, shared by the solver tests."""

from functools import cache

import numpy as np
from scipy.integrate import solve_ivp

import bielle as bl

G = 9.81


def double_pendulum(coordinates="planar"):
    """Two massless rods of 1 m with 1 kg at the elbow and at the tip, starting (0,0)-(1,0)-(1,−1) at rest."""
    m = bl.Mechanism(plane="xy")
    # 1 kg at the (fixed) pivot is irrelevant; ½ kg of each rod meet at the elbow
    m.add_body("upper", bl.rigid(1.5, (1 / 3, 0), 1 / 3), position=(0, 0), coordinates=coordinates)
    m.add_body("lower", bl.rigid(1.5, (2 / 3, 0), 1 / 3), position=(1, 0), orientation=-np.pi / 2, coordinates=coordinates)
    m.add_joint("pivot", bl.Pin(), m.ground, "upper", at=(0, 0))
    m.add_joint("elbow", bl.Pin(), "upper", "lower", at=(1, 0))
    return m


def tip(run):
    return run["lower"].point((1, 0)).position


@cache
def double_pendulum_reference(duration, samples):
    """Tip (samples, 2) from the two angles as minimal coordinates, at the limit of double precision."""

    def rates(t, y):
        a, b, u, w = y
        c, s = np.cos(a - b), np.sin(a - b)
        accelerations = np.linalg.solve([[2, c], [c, 1]], [-s * w * w - 2 * G * np.cos(a), s * u * u - G * np.cos(b)])
        return [u, w, *accelerations]

    times = np.linspace(0, duration, samples)
    y = solve_ivp(rates, (0, duration), [0, -np.pi / 2, 0, 0], method="DOP853", rtol=1e-13, atol=1e-14, t_eval=times).y
    return np.column_stack([np.cos(y[0]) + np.cos(y[1]), np.sin(y[0]) + np.sin(y[1])])


def spatial_pendulum(coordinates="spatial"):
    """A box on a ball joint, spinning: fully three-dimensional motion of three degrees of freedom."""
    m = bl.Mechanism(gravity=(0, 0, -G))
    m.add_body("box", bl.box((0.3, 0.2, 0.1), mass=2.0), position=(0.4, 0, 0), angular_velocity=(1.0, 2.0, 5.0), coordinates=coordinates)
    m.add_joint("ball", bl.Spherical(), m.ground, "box", at=(0, 0, 0))
    return m
