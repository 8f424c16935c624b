"""Andrews' squeezing mechanism: seven planar bodies that meet in one point, driven by a constant torque to seventeen thousand turns a minute.

Bodies K1 … K7 with the orientations β, β + Θ, γ, Φ + δ, δ, Ω + ε, ε. K1 turns about O, K3 about B, K5 and K7 about A. Pins join K1 and
K2 at F, K5 and K4 at G, K7 and K6 at H; K2, K3, K4 and K6 meet at E, which takes three pins: K3, K4 and K6 are each pinned to K2. A spring of
4530 N/m and free length 0.07785 m pulls the point D of K3 towards C; the torque 0.033 N·m acts on K1. No gravity, 0.03 s, from rest.

Each body has its frame in its first pin, turned by its orientation; centres and pins are given in these frames below [m, kg, kg·m²]. Angles
of `planar` bodies are coordinates, and count turns by themselves: K1 makes two and a half.

The reactions of the pins at E are the multipliers of the source, with the opposite sign for the force on K2:

    g₁₂ = E(K2) − E(K3),   g₃₄ = E(K2) − E(K4),   g₅₆ = E(K2) − E(K6),   M q'' = f − Gᵀλ.

Source: F. Mazzia, C. Magherini, *Test Set for Initial Value Problem Solvers*, problem andrews, andrews.f (2006), with a reference of PSIDE at
tolerances 1e-14; after E. Hairer, G. Wanner, *Solving Ordinary Differential Equations II*, section VI.9, and W. Schiehlen (ed.), *Multibody
Systems Handbook*, Springer 1990.
"""

from __future__ import annotations

import numpy as np

import bielle as bl

from ._problem import Problem, Read, converged, spread

A, B, C = (-0.06934, -0.00227), (-0.03635, 0.03273), (0.014, 0.072)
BETA, THETA, GAMMA, PHI = -0.0617138900142764496, 0.0, 0.455279819163070380, 0.222668390165885885
DELTA, OMEGA, EPSILON = 0.487364979543842550, -0.222668390165885885, 1.23054744454982119
D, E, RR, SS, U, ZF, ZT = 0.028, 0.02, 0.007, 0.035, 0.04, 0.02, 0.04

# orientation, mass, inertia about the centre of mass, centre of mass in the body's frame
BODIES = {
    "K1": (BETA, 0.04325, 2.194e-6, (0.00092, 0.0)),
    "K2": (BETA + THETA, 0.00365, 4.410e-7, (-0.0115, 0.0)),
    "K3": (GAMMA, 0.02373, 5.255e-6, (0.01043, -0.01874)),
    "K4": (PHI + DELTA, 0.00706, 5.667e-7, (0.0, -(E - 0.01421))),
    "K5": (DELTA, 0.07050, 1.169e-5, (0.02308, 0.00916)),
    "K6": (OMEGA + EPSILON, 0.00706, 5.667e-7, (ZF - 0.01421, 0.0)),
    "K7": (EPSILON, 0.05498, 1.912e-5, (-0.00449, -0.01228)),
}
# a, b, places in their frames
PINS = {
    "O": ("ground", "K1", (0.0, 0.0), (0.0, 0.0)),
    "F": ("K1", "K2", (RR, 0.0), (0.0, 0.0)),
    "B": ("ground", "K3", B, (0.0, 0.0)),
    "A5": ("ground", "K5", A, (0.0, 0.0)),
    "A7": ("ground", "K7", A, (0.0, 0.0)),
    "G": ("K5", "K4", (ZT, 0.0), (0.0, 0.0)),
    "H": ("K7", "K6", (0.0, -U), (0.0, 0.0)),
    "E3": ("K3", "K2", (0.0, -SS), (-D, 0.0)),
    "E4": ("K4", "K2", (0.0, -E), (-D, 0.0)),
    "E6": ("K6", "K2", (ZF, 0.0), (-D, 0.0)),
}


def build() -> bl.Mechanism:
    """The mechanism in its initial position."""
    m = bl.Mechanism(gravity=(0.0, 0.0), plane="xy", name="Andrews' squeezing mechanism")

    def turned(body: str, place: tuple[float, float]) -> np.ndarray:
        c, s = np.cos(BODIES[body][0]), np.sin(BODIES[body][0])
        return np.array([[c, -s], [s, c]]) @ place

    origin = {"K1": (0.0, 0.0), "K3": B, "K5": A, "K7": A}
    origin |= {"K2": turned("K1", (RR, 0.0)), "K4": A + turned("K5", (ZT, 0.0)), "K6": A + turned("K7", (0.0, -U))}
    for name, (angle, mass, inertia, centre) in BODIES.items():
        m.add_body(name, bl.rigid(mass, centre, inertia), position=origin[name], orientation=angle)
    for name, (a, b, at_a, at_b) in PINS.items():
        m.add_joint(name, bl.Pin(), a, b, at_a=at_a, at_b=at_b)
    m.add_force("spring", bl.Spring(stiffness=4530.0, length=0.07785), m.ground, "K3", at_a=C, at_b=(0.02, -0.018))
    m.add_force("drive", bl.Torque(torque=0.033), "K1")
    return m


ANGLES = {"β": ("K1", None), "Θ": ("K2", "K1"), "γ": ("K3", None), "Φ": ("K4", "K5"), "δ": ("K5", None), "Ω": ("K6", "K7"), "ε": ("K7", None)}


def angle(name: str, what: str = "orientation") -> Read:
    """An angle of the source, or its rate or second derivative: the orientation of a body, or its difference from another's."""
    body, less = ANGLES[name]
    return lambda run: getattr(run[body], what) - (getattr(run[less], what) if less else 0.0)


def multiplier(pin: str, k: int) -> Read:
    """A multiplier of the source: the force with which K2 acts on the other body at E."""
    return lambda run: -run[pin].force(on="K2")[:, k]


AT_START = {"β": 14222.4439199541138705911625887, "Θ": -10666.8329399655854029433719415}
MULTIPLIERS_AT_START = (98.5668703962410896057654982170, -6.12268834425566265503114393122, 0.0, 0.0, 0.0, 0.0)
AT_END = (15.81077119629904, -15.75637105984298, 0.04082224013073101, -0.5347301163226948, 0.5244099658805304, 0.5347301163226948, 1.048080741042263)
RATES_AT_END = (1139.920302151208, -1424.379294994111, 11.03291221937134, 19.29337464421385, 0.5735699284790808, -19.29337464421385, 0.3231791658026955)
ACCELERATIONS_AT_END = (-24631.76316945196, 51850.37701610329, 324102.5686413781, 566749.3645176213, 16743.62929479361, -566749.3645176222, 9826.520791458422)
MULTIPLIERS_AT_END = (199.1753333731910, -29.75531228015052, 23.06654119098399, 31.45271365475927, 22.64249232082739, 11.61740700019673)
DURATION = 0.03
EXACT = "reference of 14 digits; asked are nine"
LAMBDAS = tuple(multiplier(pin, k) for pin in ("E3", "E4", "E6") for k in (0, 1))

PROBLEM = Problem(
    title="Andrews' squeezing mechanism",
    source="IVP Test Set, andrews.f (PSIDE, 1e-14)",
    build=build,
    duration=DURATION,
    quantities=(
        *(converged(f"{n}''(0) [rad/s²]", angle(n, "angular_acceleration"), 0.0, v, 1e-9 * abs(v), "30 digits; rounding") for n, v in AT_START.items()),
        *(
            converged(f"λ{i}(0) [N]", read, 0.0, value, 1e-9 * MULTIPLIERS_AT_START[0], "30 digits; rounding")
            for i, (read, value) in enumerate(zip(LAMBDAS, MULTIPLIERS_AT_START), 1)
        ),
        *(converged(f"{n} [rad]", angle(n), DURATION, v, 1e-9 * abs(v), EXACT) for n, v in zip(ANGLES, AT_END)),
        *(
            converged(f"{n}' [rad/s]", angle(n, "angular_velocity"), DURATION, v, 1e-8 * abs(v), "the same; rates swing 10 times as much")
            for n, v in zip(ANGLES, RATES_AT_END)
        ),
        *(
            converged(f"{n}'' [rad/s²]", angle(n, "angular_acceleration"), DURATION, v, 1e-7 * abs(v), "the same; and again")
            for n, v in zip(ANGLES, ACCELERATIONS_AT_END)
        ),
        *(
            converged(f"λ{i} [N]", read, DURATION, value, 1e-7 * abs(value), "as the accelerations")
            for i, (read, value) in enumerate(zip(LAMBDAS, MULTIPLIERS_AT_END), 1)
        ),
    ),
    rtol=1e-13,
    atol=1e-15,
    step=1e-6,
)
