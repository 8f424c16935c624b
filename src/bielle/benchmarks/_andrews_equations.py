"""Andrews' squeezing mechanism in its seven angles, as the IVP Test Set gives it: M(q) q'' = f(q, q') − Gᵀ λ, g(q) = 0.

q = β, Θ, γ, Φ, δ, Ω, ε. For programs that integrate whatever function they are given; compiled, so that what is measured is their method.
Source: F. Mazzia, C. Magherini, *Test Set for Initial Value Problem Solvers*, problem andrews.
"""

from __future__ import annotations

from math import cos, sin, sqrt

import numba
import numpy as np

__all__ = ["COUNT", "Q0", "jacobian", "residual", "start"]

XA, YA, XB, YB, XC, YC = -0.06934, -0.00227, -0.03635, 0.03273, 0.014, 0.072
C0, L0, DRIVE = 4530.0, 0.07785, 0.033
D, DA, E, EA, RR, RA = 0.028, 0.0115, 0.02, 0.01421, 0.007, 0.00092
SS, SA, SB, SC, SD, TA, TB = 0.035, 0.01874, 0.01043, 0.018, 0.02, 0.02308, 0.00916
U, UA, UB, ZF, ZT, FA = 0.04, 0.01228, 0.00449, 0.02, 0.04, 0.01421
M1, M2, M3, M4, M5, M6, M7 = 0.04325, 0.00365, 0.02373, 0.00706, 0.07050, 0.00706, 0.05498
I1, I2, I3, I4, I5, I6, I7 = 2.194e-6, 4.410e-7, 5.255e-6, 5.667e-7, 1.169e-5, 5.667e-7, 1.912e-5
A4, A6 = E - EA, ZF - FA
Q0 = np.array(
    [
        -0.0617138900142764496,
        0.0,
        0.455279819163070380,
        0.222668390165885885,
        0.487364979543842550,
        -0.222668390165885885,
        1.23054744454982119,
    ]
)
COUNT = 26  # q, v, λ, μ


@numba.njit
def _forces(q, v, f):
    """f(q, v), (7,)."""
    dx, dy = SD * cos(q[2]) + SC * sin(q[2]) + XB - XC, SD * sin(q[2]) - SC * cos(q[2]) + YB - YC
    length = sqrt(dx * dx + dy * dy)
    pull = -C0 * (length - L0) / length
    f[0] = DRIVE - M2 * DA * RR * v[1] * (v[1] + 2 * v[0]) * sin(q[1])
    f[1] = M2 * DA * RR * v[0] * v[0] * sin(q[1])
    f[2] = pull * (dx * (SC * cos(q[2]) - SD * sin(q[2])) + dy * (SD * cos(q[2]) + SC * sin(q[2])))
    f[3] = M4 * ZT * A4 * v[4] * v[4] * cos(q[3])
    f[4] = -M4 * ZT * A4 * v[3] * (v[3] + 2 * v[4]) * cos(q[3])
    f[5] = -M6 * U * A6 * v[6] * v[6] * cos(q[5])
    f[6] = M6 * U * A6 * v[5] * (v[5] + 2 * v[6]) * cos(q[5])


@numba.njit
def _momentum_rates(q, a, out):
    """M(q) a, (7,)."""
    c, s4, s6 = cos(q[1]), sin(q[3]), sin(q[5])
    m12, m45, m67 = M2 * (DA * DA - DA * RR * c) + I2, M4 * (A4 * A4 + ZT * A4 * s4) + I4, M6 * (A6 * A6 - U * A6 * s6) + I6
    out[0] = (M1 * RA * RA + M2 * (RR * RR - 2 * DA * RR * c + DA * DA) + I1 + I2) * a[0] + m12 * a[1]
    out[1] = m12 * a[0] + (M2 * DA * DA + I2) * a[1]
    out[2] = (M3 * (SA * SA + SB * SB) + I3) * a[2]
    out[3] = (M4 * A4 * A4 + I4) * a[3] + m45 * a[4]
    out[4] = m45 * a[3] + (M4 * (ZT * ZT + 2 * ZT * A4 * s4 + A4 * A4) + M5 * (TA * TA + TB * TB) + I4 + I5) * a[4]
    out[5] = (M6 * A6 * A6 + I6) * a[5] + m67 * a[6]
    out[6] = m67 * a[5] + (M6 * (A6 * A6 - 2 * U * A6 * s6 + U * U) + M7 * (UA * UA + UB * UB) + I6 + I7) * a[6]


@numba.njit
def _gaps(q, g, G):
    """g(q), (6,), and its Jacobian G, (6, 7)."""
    c1, s1, c2, s2, c3, s3 = cos(q[0]), sin(q[0]), cos(q[0] + q[1]), sin(q[0] + q[1]), cos(q[2]), sin(q[2])
    c4, s4, c5, s5 = cos(q[3] + q[4]), sin(q[3] + q[4]), cos(q[4]), sin(q[4])
    c6, s6, c7, s7 = cos(q[5] + q[6]), sin(q[5] + q[6]), cos(q[6]), sin(q[6])
    x, y = RR * c1 - D * c2, RR * s1 - D * s2
    g[0], g[1] = x - SS * s3 - XB, y + SS * c3 - YB
    g[2], g[3] = x - E * s4 - ZT * c5 - XA, y + E * c4 - ZT * s5 - YA
    g[4], g[5] = x - ZF * c6 - U * s7 - XA, y - ZF * s6 + U * c7 - YA
    G[:] = 0.0
    for i in range(3):
        G[2 * i, 0], G[2 * i, 1], G[2 * i + 1, 0], G[2 * i + 1, 1] = -y, D * s2, x, -D * c2
    G[0, 2], G[1, 2] = -SS * c3, -SS * s3
    G[2, 3], G[3, 3], G[2, 4], G[3, 4] = -E * c4, -E * s4, -E * c4 + ZT * s5, -E * s4 - ZT * c5
    G[4, 5], G[5, 5], G[4, 6], G[5, 6] = ZF * s6, -ZF * c6, ZF * s6 - U * c7, -ZF * c6 - U * s7


@numba.njit
def residual(t, y, yp, out):
    """Index 2, stabilised after Gear, Gupta and Leimkuhler: q' = v − Gᵀμ, M v' = f − Gᵀλ, G v = 0, g = 0. y = q, v, λ, μ: (26,)."""
    q, v = y[:7], y[7:14]
    f, p, g, G = np.empty(7), np.empty(7), np.empty(6), np.empty((6, 7))
    _forces(q, v, f)
    _momentum_rates(q, yp[7:14], p)
    _gaps(q, g, G)
    for i in range(7):
        out[i], out[7 + i] = yp[i] - v[i], p[i] - f[i]
        for k in range(6):
            out[i] += G[k, i] * y[20 + k]
            out[7 + i] += G[k, i] * y[14 + k]
    for k in range(6):
        out[14 + k], out[20 + k] = 0.0, g[k]
        for i in range(7):
            out[14 + k] += G[k, i] * v[i]


@numba.njit
def jacobian(t, y, yp, res, cj, out):
    """∂res/∂y + cj ∂res/∂y', (26, 26), by differences: one call from Python for all of them."""
    z, zp, there = y.copy(), yp.copy(), np.empty(COUNT)
    for j in range(COUNT):
        h = 1.5e-8 * max(abs(y[j]), abs(yp[j] / cj), 1e-3)
        z[j], zp[j] = y[j] + h, yp[j] + cj * h
        residual(t, z, zp, there)
        for i in range(COUNT):
            out[i, j] = (there[i] - res[i]) / h
        z[j], zp[j] = y[j], yp[j]


def start() -> tuple[np.ndarray, np.ndarray]:
    """y and y' at rest: accelerations and multipliers follow from M a + Gᵀ λ = f, G a = 0."""
    f, column, g, G, M = np.empty(7), np.empty(7), np.empty(6), np.empty((6, 7)), np.empty((7, 7))
    _forces(Q0, np.zeros(7), f)
    for i, unit in enumerate(np.eye(7)):
        _momentum_rates(Q0, unit, column)
        M[:, i] = column
    _gaps(Q0, g, G)
    solution = np.linalg.solve(np.block([[M, G.T], [G, np.zeros((6, 6))]]), np.concatenate([f, np.zeros(6)]))
    y, yp = np.zeros(COUNT), np.zeros(COUNT)
    y[:7], y[14:20], yp[7:14] = Q0, solution[7:], solution[:7]
    return y, yp
