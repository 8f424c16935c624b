"""Rolling disc: a coin that rolls in a circle, and a skate that glides across a slope instead of down it.

Both are bound by equations of velocities that no equation of positions could replace: the coin can reach every place of the table in every
orientation, but at each instant it can only roll.

The coin (2 kg, radius 0.3 m, its axis 70° from the vertical) rolls steadily on a circle of radius ρ. With z vertical, r̂ from the axis of
the circle to the centre of the coin, φ̂ = z × r̂, its own axis e = sin β r̂ + cos β z and u = sin β z − cos β r̂ pointing up the coin, the
contact is at −R u from the centre. Let everything turn about z at Ω. Rolling, Ω ρ φ̂ = ω × R u, gives ω = Ω sin β u − (Ω ρ/R) e. The moment
of the contact force m g z − m Ω² ρ r̂ about the centre is (m Ω² ρ R sin β − m g R cos β) φ̂; the angular momentum A Ω sin β u − C (Ω ρ/R) e
changes at −Ω² sin β (A cos β + C ρ/R) φ̂. These are equal if

    Ω² = m g R cos β/(sin β (A cos β + (C + m R²) ρ/R)).

The skate has its blade at the centre of mass and spins at ω; gravity along the slope is g'. The reaction acts across the blade, so θ = ωt
and the speed along the blade is u = (g'/ω) sin ωt, from which x = (g'/4ω²)(1 − cos 2ωt) down and y = (g'/4ω²)(2ωt − sin 2ωt) across the
slope: a cycloid (J. I. Neimark & N. A. Fufaev, *Dynamics of Nonholonomic Systems*, AMS 1972). However steep the slope, the skate never
leaves a strip of the width g'/2ω². Look at the trace of a point of the rim: it stands still where it touches the table.
"""

from __future__ import annotations

import math

import numpy as np

import bielle as bl
from bielle.calls import explained
from bielle.results.result import Result
from bielle.solvers.central import Central

from ._checks import Check, accumulated, at_most, conserves, equals, main

TITLE = "Rolling disc: a coin in a circle, and a skate on a slope"
DURATION = 5.0
GRAVITY = 9.81
MASS, RADIUS, THICKNESS = 2.0, 0.3, 0.02
CIRCLE, TILT = 1.5, math.radians(70)
AXIAL = 0.5 * MASS * RADIUS**2
ACROSS = 0.5 * AXIAL + MASS * THICKNESS**2 / 12
SLOPE, SPIN = math.radians(20), 2.0  # of the skate: angle of its plane, and its rate of turning [rad/s]


def precession() -> float:
    """Ω of the steady motion [rad/s]."""
    sine, cosine = math.sin(TILT), math.cos(TILT)
    inertia = ACROSS * cosine + (AXIAL + MASS * RADIUS**2) * CIRCLE / RADIUS
    return math.sqrt(MASS * GRAVITY * RADIUS * cosine / (sine * inertia))


@explained
def build() -> bl.Mechanism:
    """The coin, on a table through the origin."""
    rate, sine, cosine = precession(), math.sin(TILT), math.cos(TILT)
    axis, up = np.array([sine, 0.0, cosine]), np.array([-cosine, 0.0, sine])
    m = bl.Mechanism(gravity=(0.0, 0.0, -GRAVITY), name="rolling disc")
    m.add_body(
        "coin",
        bl.disc(RADIUS, mass=MASS, thickness=THICKNESS),
        position=(CIRCLE, 0.0, RADIUS * sine),
        orientation=bl.rotation("y", TILT),
        velocity=(0.0, rate * CIRCLE, 0.0),
        angular_velocity=rate * sine * up - rate * CIRCLE / RADIUS * axis,
    )
    m.add_frame("hub", "coin", local=(0.0, 0.0, 0.0))
    m.add_frame("table", m.ground, local=(0.0, 0.0, 0.0))
    m.add_joint("contact", bl.RollingDisc(radius=RADIUS, axis="z"), "table", "hub")
    return m


@explained
def build_skate() -> bl.Mechanism:
    """The skate; x runs down the slope, and the plane of the mechanism is the slope."""
    m = bl.Mechanism(gravity=(GRAVITY * math.sin(SLOPE), 0.0), plane="xy", name="skate")
    m.add_body("skate", bl.box((0.3, 0.05), mass=MASS), velocity=(0.0, 0.0), angular_velocity=SPIN)
    m.add_joint("blade", bl.KnifeEdge(axis="x"), m.ground, "skate", at=(0.0, 0.0))
    return m


def solver() -> Central | None:
    """The default."""
    return None


def check(result: Result) -> list[Check]:
    """Closed forms, to what the solver may add up: the part rtol of everything in every accepted step."""
    rtol = Central().rtol
    rate, time = precession(), result.time
    circle = np.column_stack([CIRCLE * np.cos(rate * time), CIRCLE * np.sin(rate * time), np.full_like(time, RADIUS * math.sin(TILT))])
    force = result["contact"].force()
    inward = -MASS * rate**2 * circle[:, :2]
    report = result.mechanism.report()
    skate = build_skate().simulate(DURATION)
    pull = GRAVITY * math.sin(SLOPE)
    angle = 2.0 * SPIN * skate.time
    cycloid = pull / (4.0 * SPIN**2) * np.column_stack([1.0 - np.cos(angle), angle - np.sin(angle)])
    blade = skate["blade"].multipliers[:, 0]  # to the left of the blade
    sum_of_errors = rtol * result.info["statistics"]["steps"]
    of_skate = rtol * skate.info["statistics"]["steps"]
    return [
        equals("degrees of freedom of velocities", report.degrees_of_freedom, 3),
        equals("degrees of freedom of positions", report.degrees_of_freedom + report.nonholonomic, 5),
        at_most("centre of the coin, off its circle [m]", result["coin"].position - circle, sum_of_errors * CIRCLE),
        at_most("normal force, off the weight [N]", force[:, 2] - MASS * GRAVITY, sum_of_errors * MASS * GRAVITY),
        at_most("friction, off m Ω² ρ towards the axis [N]", force[:, :2] - inward, sum_of_errors * MASS * GRAVITY),
        *conserves(result, violation=1e-9, energy=accumulated(result, rtol)),
        at_most("slip of the coin [m/s]", result.velocity_violation, 1e-9),
        at_most("skate, off its cycloid [m]", skate["skate"].position - cycloid, of_skate * float(cycloid.max())),
        at_most("force on the blade, off 2 m g' sin ωt [N]", blade - 2.0 * MASS * pull * np.sin(0.5 * angle), of_skate * MASS * pull),
        at_most("speed across the blade [m/s]", skate.velocity_violation, 1e-9),
        at_most("energy of the skate, error of the balance, relative", skate.energy.error, accumulated(skate, rtol)),
    ]


if __name__ == "__main__":
    main(__name__)
