"""Bricard's linkage: six hinges in a loop that by counting cannot move, and yet does.

Six rods of 1 m along edges of a cube make a closed loop (0,0,0), (1,0,0), (1,1,0), (1,1,1), (0,1,1), (0,0,1). At each corner a hinge
joins two rods; its axis is the edge of the cube that is perpendicular to both. The last rod is the ground. Five bodies have 30 velocities
and six hinges 30 equations: by Grübler's count there is no freedom. But successive axes are perpendicular and all rods equal, the
three-fold symmetric case of R. Bricard's linkages (1897), so that one equation repeats what the others say, in every position: one
degree of freedom. No tolerance in the geometry is allowed for that, which makes it a test of how a solver treats redundancy.

With θ the angle between successive rods at every other corner and φ at the rest, the loop is closed where

    (1 + cos θ)(1 + cos φ) = 1

(Y. Chen, Z. You, T. Tarnai, *Threefold-symmetric Bricard linkages for deployable structures*, Int. J. Solids Struct. 42, 2005, with a twist
of 90°). That is an oval around (0, 0), on which the polar angle s is a coordinate; at θ = 120°, φ = 0 the loop is a flat triangle.
Energy and inertia over s give a reference of one degree of freedom, I s'' + ½ I' s'² + V' = 0; both being periodic and smooth, their
Fourier series are exact to rounding.

Look at :func:`bielle.report`, which finds the redundancy, and at the angles, which stay on the oval.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from scipy.integrate import solve_ivp

import bielle as bl
from bielle.calls import explained
from bielle.results.result import Result

from ._checks import Check, accumulated, at_least, at_most, conserves, equals, main

TITLE = "Bricard's linkage: six hinges, yet it moves"
DURATION = 10.0
GRAVITY = (0.0, -9.81, 0.0)
MASS, RADIUS = 1.0, 0.02  # of a rod [kg, m]
CORNERS = np.array([(0, 0, 0), (1, 0, 0), (1, 1, 0), (1, 1, 1), (0, 1, 1), (0, 0, 1)], dtype=float)
EDGES = np.roll(CORNERS, -1, axis=0) - CORNERS  # edge k leads away from corner k; the last is the ground
AXES = np.cross(np.roll(EDGES, 1, axis=0), EDGES)  # about which the angle at a corner, from one edge to the next, is +90°


@explained
def build() -> bl.Mechanism:
    """The loop in the shape of the cube, at rest."""
    m = bl.Mechanism(gravity=GRAVITY, name="Bricard's linkage")
    names = [*(f"rod {k + 1}" for k in range(5)), m.ground]
    for k, name in enumerate(names[:5]):
        m.add_body(name, bl.rod(CORNERS[k], CORNERS[k + 1], mass=MASS, radius=RADIUS))
    for k in range(6):
        m.add_joint(f"hinge {k + 1}", bl.Revolute(axis=AXES[k]), names[k - 1], names[k], at=CORNERS[k])
    return m


def solver() -> None:
    """The default solver."""


def oval(s: np.ndarray) -> np.ndarray:
    """θ, φ and their derivatives with regard to s (4, n), for polar angles s (n,)."""
    c, n, r = np.cos(s), np.sin(s), np.full_like(s, 2.0)

    def slopes() -> tuple[np.ndarray, np.ndarray]:
        return -np.sin(r * c) * (1 + np.cos(r * n)), -np.sin(r * n) * (1 + np.cos(r * c))

    for _ in range(20):  # Newton along the ray; r lies between 2.09 and 2.23
        slope_t, slope_p = slopes()
        r = r - ((1 + np.cos(r * c)) * (1 + np.cos(r * n)) - 1) / (slope_t * c + slope_p * n)
    slope_t, slope_p = slopes()
    bend = r * (slope_t * n - slope_p * c) / (slope_t * c + slope_p * n)  # dr/ds
    return np.stack([r * c, r * n, bend * c - r * n, bend * n + r * c])


def _energies(s: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """I(s) and V(s): the chain of five rods from the first corner on, along e with the hinge axis a at its start.

    e turns by the angle of the hinge about a; the next axis is a turned by 90° about e, to one side and the other in turn.
    """
    theta, phi, theta_s, phi_s = oval(s)
    e, a = np.broadcast_to(EDGES[5], (len(s), 3)), np.broadcast_to(AXES[0], (len(s), 3))
    place, velocity, spin = np.zeros((len(s), 3)), np.zeros((len(s), 3)), np.zeros((len(s), 3))
    across, along = MASS * (1 / 12), 0.5 * MASS * RADIUS**2
    inertia, potential = np.zeros(len(s)), np.zeros(len(s))
    for k in range(5):
        angle, rate = (theta, theta_s) if k % 2 == 0 else (phi, phi_s)
        e = np.cos(angle)[:, None] * e + np.sin(angle)[:, None] * np.cross(a, e)
        spin = spin + a * rate[:, None]
        centre_velocity = velocity + 0.5 * np.cross(spin, e)
        axial = np.einsum("ni,ni->n", spin, e)
        inertia += MASS * (centre_velocity**2).sum(axis=1) + across * ((spin**2).sum(axis=1) - axial**2) + along * axial**2
        potential -= MASS * (place + 0.5 * e) @ np.array(GRAVITY)
        place, velocity = place + e, velocity + np.cross(spin, e)
        a = (-1.0 if k % 2 == 0 else 1.0) * np.cross(e, a)
    return inertia, potential


@cache
def _series() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Wave numbers and Fourier coefficients of I and V."""
    count = 256
    inertia, potential = _energies(2 * np.pi * np.arange(count) / count)
    return np.arange(count // 2 + 1), np.fft.rfft(inertia) / count, np.fft.rfft(potential) / count


def reference(time: np.ndarray) -> np.ndarray:
    """θ and φ (2, n) [rad]."""
    k, inertia, potential = _series()
    weight = np.where(k == 0, 1.0, 2.0)

    def rates(t: float, y: np.ndarray) -> list[float]:
        wave = weight * np.exp(1j * k * y[0])
        i, slope, pull = (wave @ inertia).real, (wave @ (1j * k * inertia)).real, (wave @ (1j * k * potential)).real
        return [y[1], -(0.5 * slope * y[1] ** 2 + pull) / i]

    s = solve_ivp(rates, (0.0, time[-1]), (np.pi / 4, 0.0), method="DOP853", rtol=1e-12, atol=1e-13, t_eval=time).y[0]
    return oval(s)[:2]


def check(result: Result) -> list[Check]:
    """One degree of freedom and one redundant equation; angles on the oval, moving as the reference.

    A relative error ε of the energy is one of ε/2 of the speed, hence of the angle turned.
    """
    report = result.mechanism.report()
    angles = np.pi / 2 + np.stack([result[f"hinge {k + 1}"].angle for k in range(6)])
    theta, phi = angles[0], angles[1]
    twins = np.abs(angles - np.stack([theta, phi] * 3)).max()
    energy = accumulated(result, bl.Central().rtol)
    turned = np.abs(np.diff(angles[:2], axis=1)).sum(axis=1).max()
    redundant = report.redundancies[0] if report.redundancies else None
    return [
        equals("velocities", report.coordinates, 30),
        equals("equations", report.equations, 30),
        equals("degrees of freedom", report.degrees_of_freedom, 1),
        equals("redundant equations", report.equations - report.rank, 1),
        equals("hinges the report names for it", len(redundant.joints) if redundant and not redundant.singular else 0, 6),
        at_least("range of the angles [rad]", np.ptp(angles), 1.0),
        *conserves(result, violation=1e-8, energy=energy),
        at_most("every other angle alike [rad]", twins, 1e-8),
        at_most("(1 + cos θ)(1 + cos φ) off one", (1 + np.cos(theta)) * (1 + np.cos(phi)) - 1, 1e-8),
        at_most("angles against the reference [rad]", angles[:2] - reference(result.time), 0.5 * energy * turned),
    ]


if __name__ == "__main__":
    main(__name__)
