"""Kinematics and efforts of one solid in the plane x–z (sections 1 to 6 of the course).

A solid has the coordinates q = (x_G, z_G, θ): its centre of gravity G and its angle about Y. GP_Rs is the vector from G to a point P
in the axes of the solid, where it is constant; all other vectors are (x, z) in Galilean axes.
"""

import numpy as np

__all__ = [
    "acceleration",
    "deflection",
    "load_direction",
    "np",  # the course types np.array(…) after the star import
    "position",
    "rotation",
    "rotation_a",
    "rotation_v",
    "spring_damper_force",
    "tabular",
    "transformation_a",
    "transformation_v",
    "velocity",
    "virtual_power",
]


def rotation(q):
    """R (2, 2), from the axes of the solid to Galilean axes (1)."""
    c, s = np.cos(q[2]), np.sin(q[2])
    return np.array([[c, s], [-s, c]])


def position(q, GP_Rs):
    """OP (2,) = OG + R GP (2)."""
    return q[0:2] + rotation(q) @ GP_Rs


def rotation_v(q):
    """R_v (2, 2) = dR/dθ, so that Ṙ = θ̇ R_v (5)."""
    c, s = np.cos(q[2]), np.sin(q[2])
    return np.array([[-s, c], [-c, -s]])


def transformation_v(q, GP_Rs):
    """T_v (2, 3) = [I, R_v GP]: the velocity of P is T_v q̇ (6)."""
    column = (rotation_v(q) @ GP_Rs)[:, np.newaxis]
    return np.concatenate([np.eye(2), column], axis=1)


def velocity(q, dq, GP_Rs):
    """Velocity (2,) of P."""
    return transformation_v(q, GP_Rs) @ dq


def rotation_a(q):
    """R_a (2, 2) = d²R/dθ², so that R̈ = θ̈ R_v + θ̇² R_a (8)."""
    c, s = np.cos(q[2]), np.sin(q[2])
    return np.array([[-c, -s], [s, -c]])


def transformation_a(q, dq, GP_Rs):
    """T_a (2, 3) = [0, θ̇ R_a GP]: the acceleration of P is T_v q̈ + T_a q̇ (9)."""
    column = (dq[2] * rotation_a(q) @ GP_Rs)[:, np.newaxis]
    return np.concatenate([np.zeros((2, 2)), column], axis=1)


def acceleration(q, dq, d2q, GP_Rs):
    """Acceleration (2,) of P = q̈_G + R̈ GP (7), (8)."""
    d2R = d2q[2] * rotation_v(q) + dq[2] ** 2 * rotation_a(q)
    return d2q[0:2] + np.sum(d2R * GP_Rs, axis=1)  # not d2R @ GP_Rs, whose last digit depends on the machine


def deflection(q_a, dq_a, GP_a, q_b, dq_b, GP_b):
    """AB (2,) from point A of solid a to point B of solid b, and its rate d_AB (2,)."""
    AB = position(q_b, GP_b) - position(q_a, GP_a)
    d_AB = velocity(q_b, dq_b, GP_b) - velocity(q_a, dq_a, GP_a)
    return AB, d_AB


def load_direction(AB, d_AB):
    """Unit vector u (2,) from A to B (section 5.2).

    If A and B coincide, up to rounding, u is orthogonal to d_AB, so that a damper along u is silent; if they do not move either, u is X.
    """
    long_AB = np.linalg.norm(AB)
    if long_AB > 1e-12:
        return AB / long_AB
    speed = np.linalg.norm(d_AB)
    return np.array([d_AB[1], -d_AB[0]]) / speed if speed > 0 else np.array([1.0, 0.0])


def spring_damper_force(q_a, dq_a, GP_a, q_b, dq_b, GP_b, k, c, L0):
    """Force (2,) on point A of a spring (k [N/m], rest length L0 [m]) and a damper (c [N·s/m]) between A and B (section 5.2)."""
    AB, d_AB = deflection(q_a, dq_a, GP_a, q_b, dq_b, GP_b)
    u = load_direction(AB, d_AB)
    delta = np.linalg.norm(AB) - L0
    d_delta = u @ d_AB
    return (k * delta + c * d_delta) * u


def virtual_power(q, GP_Rs, Fext=(0.0, 0.0), Mext: float = 0):
    """Generalised effort B (3,) = T_vᵀ Fext + (0, 0, Mext) of a force at P and a moment about Y (15)."""
    return transformation_v(q, GP_Rs).T @ Fext + np.array([0.0, 0.0, Mext])


def tabular(t, t_tab, f_tab):
    """Straight-line interpolation of every row of f_tab, given at the times t_tab: a vector with one entry per row."""
    return np.array([np.interp(t, t_tab, row) for row in np.atleast_2d(f_tab)])
