"""Andrews' squeezing mechanism: seven planar bodies that meet in one point, driven by a constant torque to 11 000 turns a minute.

Bodies K1 … K7 with the orientations β, β + Θ, γ, Φ + δ, δ, Ω + ε, ε. K1 turns about O, K3 about B, K5 and K7 about A. Pins join K1 and K2
at F, K5 and K4 at G, K7 and K6 at H; K2, K3, K4 and K6 meet at E, which takes three pins: K3, K4 and K6 are each pinned to K2. A spring
of 4530 N/m and free length 0.07785 m pulls the point D of K3 towards C; the torque 0.033 N·m acts on K1. No gravity, 0.03 s, from rest.

Each body has its frame in its first pin, turned by its orientation; centres and pins are given in these frames below [m, kg, kg·m²].
Angles of `planar` bodies are coordinates, and count turns by themselves: K1 makes two and a half.

The reactions of the pins at E are the multipliers of the source, with the opposite sign for the force on K2:

    g₁₂ = E(K2) − E(K3),   g₃₄ = E(K2) − E(K4),   g₅₆ = E(K2) − E(K6),   M q'' = f − Gᵀλ.

What the reference is worth: printed are 16 digits. Integrations with DOP853 of the equations in the source's form, and of bielle's with
four formulations, agree with each other to 11 digits and find it late by 1.0·10⁻¹² s. Its accelerations and multipliers differ by 10⁻⁷
from those that the equations give for its own positions and velocities. The tolerances of these are made accordingly.

Source: F. Mazzia, C. Magherini, *Test Set for Initial Value Problem Solvers*, problem andrews, andrews.f (2006; also in the R package
deTestSet), with a reference of PSIDE at tolerances 1e-14; after E. Hairer, G. Wanner, *Solving Ordinary Differential Equations II*, and
W. Schiehlen (ed.), *Multibody Systems Handbook*, Springer 1990.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

import bielle as bl
from bielle.calls import explained

from ._problem import Problem, Quantity, Read, converged, table

A, B, C = (-0.06934, -0.00227), (-0.03635, 0.03273), (0.014, 0.072)
D, E, RR, SS, U, ZF, ZT = 0.028, 0.02, 0.007, 0.035, 0.04, 0.02, 0.04
START = {
    "β": -0.0617138900142764496,
    "Θ": 0.0,
    "γ": 0.455279819163070380,
    "Φ": 0.222668390165885885,
    "δ": 0.487364979543842550,
    "Ω": -0.222668390165885885,
    "ε": 1.23054744454982119,
}

# angles whose sum is the orientation, mass, inertia about the centre of mass, centre of mass in the body's frame
BODIES = {
    "K1": ("β", 0.04325, 2.194e-6, (0.00092, 0.0)),
    "K2": ("βΘ", 0.00365, 4.410e-7, (-0.0115, 0.0)),
    "K3": ("γ", 0.02373, 5.255e-6, (0.01043, -0.01874)),
    "K4": ("Φδ", 0.00706, 5.667e-7, (0.0, -(E - 0.01421))),
    "K5": ("δ", 0.07050, 1.169e-5, (0.02308, 0.00916)),
    "K6": ("Ωε", 0.00706, 5.667e-7, (ZF - 0.01421, 0.0)),
    "K7": ("ε", 0.05498, 1.912e-5, (-0.00449, -0.01228)),
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


@explained
def build(angles: Mapping[str, float] = START, rates: Mapping[str, float] | None = None) -> bl.Mechanism:
    """The mechanism at these angles, at rest unless ``rates`` are given."""
    m = bl.Mechanism(gravity=(0.0, 0.0), plane="xy", name="Andrews' squeezing mechanism")
    origins = {"K1": np.zeros(2), "K3": np.array(B), "K5": np.array(A), "K7": np.array(A)}
    turns = {name: sum(angles[each] for each in parts) for name, (parts, *_) in BODIES.items()}
    for pin in ("F", "G", "H"):  # bodies that hang on others begin in these pins
        carrier, body, (x, y), _ = PINS[pin]
        c, s = np.cos(turns[carrier]), np.sin(turns[carrier])
        origins[body] = origins[carrier] + (c * x - s * y, s * x + c * y)
    for name, (parts, mass, inertia, centre) in BODIES.items():
        spin = sum((rates or {}).get(each, 0.0) for each in parts)
        m.add_body(name, bl.rigid(mass, centre, inertia), position=origins[name], orientation=turns[name], angular_velocity=spin)
    for name, (a, b, at_a, at_b) in PINS.items():
        m.add_joint(name, bl.Pin(), a, b, at_a=at_a, at_b=at_b)
    m.add_force("spring", bl.Spring(stiffness=4530.0, length=0.07785), m.ground, "K3", at_a=C, at_b=(0.02, -0.018))
    m.add_force("drive", bl.Torque(torque=0.033), "K1")
    return m


ANGLES = {
    "β": ("K1", None),
    "Θ": ("K2", "K1"),
    "γ": ("K3", None),
    "Φ": ("K4", "K5"),
    "δ": ("K5", None),
    "Ω": ("K6", "K7"),
    "ε": ("K7", None),
}


def angle(name: str, what: str = "orientation") -> Read:
    """An angle of the source, or its rate or second derivative: the orientation of a body, or its difference from another's."""
    body, less = ANGLES[name]
    return lambda run: getattr(run[body], what) - (getattr(run[less], what) if less else 0.0)


def multiplier(pin: str, k: int) -> Read:
    """A multiplier of the source: the force with which K2 acts on the other body at E."""
    return lambda run: -run[pin].force(on="K2")[:, k]


AT_START = {"β": 14222.4439199541138705911625887, "Θ": -10666.8329399655854029433719415}
FORCES_AT_START = (98.5668703962410896057654982170, -6.12268834425566265503114393122, 0.0, 0.0, 0.0, 0.0)
# t = 0.03 s | angle, rate, second derivative
AT_END = """
  0.1581077119629904e+2  0.1139920302151208e+4 -0.2463176316945196e+5
 -0.1575637105984298e+2 -0.1424379294994111e+4  0.5185037701610329e+5
  0.4082224013073101e-1  0.1103291221937134e+2  0.3241025686413781e+6
 -0.5347301163226948e+0  0.1929337464421385e+2  0.5667493645176213e+6
  0.5244099658805304e+0  0.5735699284790808e+0  0.1674362929479361e+5
  0.5347301163226948e+0 -0.1929337464421385e+2 -0.5667493645176222e+6
  0.1048080741042263e+1  0.3231791658026955e+0  0.9826520791458422e+4
"""
FORCES_AT_END = (199.1753333731910, -29.75531228015052, 23.06654119098399, 31.45271365475927, 22.64249232082739, 11.61740700019673)
DURATION = 0.03
LATE = 2e-12  # [s]; twice as much as the reference is late: β lacks 1.1e-9 rad at 1140 rad/s in every accurate integration
INCONSISTENT = (0.1, 3e-5)  # [rad/s², N]; twice the most by which its q'' and λ are off those that its own q and q' have
LAMBDAS = tuple(multiplier(pin, k) for pin in ("E3", "E4", "E6") for k in (0, 1))


def _quantities() -> Iterator[Quantity]:
    start, exact = "30 digits; rounding", "the reference has ten digits; asked are nine"
    for name, value in AT_START.items():
        yield converged(f"{name}''(0) [rad/s²]", angle(name, "angular_acceleration"), 0.0, value, 1e-9 * abs(value), start)
    for i, (read, value) in enumerate(zip(LAMBDAS, FORCES_AT_START), 1):
        yield converged(f"λ{i}(0) [N]", read, 0.0, value, 1e-9 * FORCES_AT_START[0], start)
    for name, value, rate, second in zip(ANGLES, *table(AT_END)):
        yield converged(f"{name} [rad]", angle(name), DURATION, value, 1e-9 * abs(value), exact)
        tolerance = 1e-9 * abs(rate) + LATE * abs(second)
        yield converged(
            f"{name}' [rad/s]",
            angle(name, "angular_velocity"),
            DURATION,
            rate,
            tolerance,
            "nine digits, and the reference is late by 1e-12 s",
        )
        why = "the reference's accelerations are off those of its own positions and velocities by 0.06 rad/s²"
        yield converged(f"{name}'' [rad/s²]", angle(name, "angular_acceleration"), DURATION, second, INCONSISTENT[0], why)
    for i, (read, value) in enumerate(zip(LAMBDAS, FORCES_AT_END), 1):
        yield converged(
            f"λ{i} [N]", read, DURATION, value, INCONSISTENT[1], "the reference's are off those of its own positions by 1.5e-5 N"
        )


PROBLEM = Problem(
    title="Andrews' squeezing mechanism",
    source="IVP Test Set, andrews.f (PSIDE, 1e-14)",
    build=build,
    duration=DURATION,
    quantities=tuple(_quantities()),
    rtol=1e-13,
    atol=1e-15,
    step=1e-6,
)
