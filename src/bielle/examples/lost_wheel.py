"""Lost wheel: a car drives in a circle, faster and faster, until the axle of its outer front wheel fails and the wheel rolls away.

All four wheels roll without slipping on the plane z = 0 (``RollingDisc``, equations of velocities). The front wheels are set so that the
axles of all four point to the turning centre, as Ackermann's steering does; otherwise the car could not move at all. Even so it is
overconstrained: how four wheels share the weight, and the side force, cannot be told from equilibrium alone. Of the 32 equations 3 follow
from the others; the report names the joints, and the motion does not care. (A failure at a limit of force would: hence one at a limit of
speed, which is unique.)

The car moves as one body about the vertical through the turning centre, at the rate Ω, and a wheel whose centre is at the distance r from
there turns at Ω r/R in its axle. With the moments of inertia C of a wheel about its axle and A across,

    T = ½ J Ω²,   J = I_chassis + M ρ² + Σ (m r² + A + C r²/R²),   J Ω' = Σ τ r/R over the two driven wheels,

so Ω grows linearly: closed forms for the path, and for the instant at which the outer front wheel has the speed at which its axle fails,
``live.when("front right axle.angular_velocity", rises=LIMIT, do=…)``. The action is one edit: the axle is removed, and the motors are
switched off. The car goes on along its circle at the Ω it has, on three wheels; its centre of mass lies within their triangle, so that
each of them still presses on the ground. (Contact in a rolling joint is bilateral: it would also hold a wheel down.)

The wheel keeps its contact with the ground and rolls on as a free disc, away from the car. It still turned to the left with the car, for
which a free disc would have to lean to the left; so it leans to the right, by 3° at most, which turns it back, and it wobbles along a line
that is almost straight. The reference for it: with e the axis of the disc, u the direction in the disc that points up, and v = R ω × u,
the force at the contact and its moment about the centre give

    A ω' + (C − A)((ω'·e) e + (ω·e) ω × e) = −R u × (m v' + m g z),

which is linear in ω'.
"""

from __future__ import annotations

import numpy as np
from scipy.integrate import solve_ivp

import bielle as bl
from bielle.calls import explained
from bielle.live.session import LiveSession
from bielle.results.timeline import Timeline

from ._checks import Check, at_least, at_most, conserves, equals, main

TITLE = "Car that loses a wheel in a curve and goes on with three"
GRAVITY = 9.81
CIRCLE, BASE, TRACK = 6.0, 2.0, 1.2  # radius of the path of the rear axle's middle; between axles; between wheels of an axle [m]
RADIUS, WHEEL, WIDTH = 0.3, 12.0, 0.1  # of a wheel [m, kg, m]
CHASSIS, SIZE = 300.0, (1.0, 2.6, 0.3)  # [kg, m]
CENTRE = np.array([CIRCLE, 0.35 * BASE, 0.4])  # of the chassis' mass, at the start [m]
TORQUE = 60.0  # on each rear wheel [N·m]
LIMIT = 12.0  # speed of the front right wheel in its axle at which the axle fails [rad/s]
PLACES = {  # of the wheels' centres at the start, in the plane; the turning centre is the origin, the car looks along y
    "front left": np.array([CIRCLE - 0.5 * TRACK, BASE]),
    "front right": np.array([CIRCLE + 0.5 * TRACK, BASE]),
    "rear left": np.array([CIRCLE - 0.5 * TRACK, 0.0]),
    "rear right": np.array([CIRCLE + 0.5 * TRACK, 0.0]),
}
LOST, DRIVEN = "front right", ("rear left", "rear right")
AXIAL = 0.5 * WHEEL * RADIUS**2
ACROSS = 0.5 * AXIAL + WHEEL * WIDTH**2 / 12
GAIN = sum(TORQUE * float(np.linalg.norm(PLACES[wheel])) / RADIUS for wheel in DRIVEN)  # moment about the turning centre [N·m]


def inertia() -> float:
    """J of the whole car [kg·m²]."""
    chassis = CHASSIS * (SIZE[0] ** 2 + SIZE[1] ** 2) / 12 + CHASSIS * float(CENTRE[:2] @ CENTRE[:2])
    return chassis + sum((WHEEL + AXIAL / RADIUS**2) * float(place @ place) + ACROSS for place in PLACES.values())


FAILURE_RATE = LIMIT * RADIUS / float(np.linalg.norm(PLACES[LOST]))  # Ω when the axle fails [rad/s]
FAILURE = FAILURE_RATE * inertia() / GAIN  # when it does [s]
DURATION = FAILURE + 6.0


@explained
def build() -> bl.Mechanism:
    """The car at rest."""
    m = bl.Mechanism(gravity=(0.0, 0.0, -GRAVITY), name="lost wheel")
    m.add_body("chassis", bl.box(SIZE, mass=CHASSIS), position=CENTRE, color="#5b6675")
    for wheel, place in PLACES.items():
        x, y = map(float, place / np.linalg.norm(place))
        out, inwards, ahead = (x, y, 0.0), (-x, -y, 0.0), (-y, x, 0.0)  # along the axle, from and to the turning centre
        m.add_body(
            wheel,
            bl.disc(RADIUS, mass=WHEEL, thickness=WIDTH),
            position=(*place, RADIUS),
            orientation=np.column_stack([ahead, (0.0, 0.0, 1.0), out]),
            color="#c8553d" if wheel == LOST else "#2f6db3",
        )
        m.add_joint(f"{wheel} axle", bl.Revolute(axis=inwards), "chassis", wheel, at=(*place, RADIUS))
        m.add_joint(f"{wheel} contact", bl.RollingDisc(radius=RADIUS, axis=out), m.ground, wheel, at_a=(0, 0, 0), at_b=(0, 0, 0))
    for wheel in DRIVEN:
        m.add_force(f"{wheel} motor", bl.Motor(feedforward=TORQUE), joint=f"{wheel} axle")
    return m


def solver() -> None:
    """The default solver."""


def play(live: LiveSession) -> None:
    """Drive until the axle fails, then coast."""

    def fail(live: LiveSession) -> None:
        with live.edit("the axle fails"):
            live.remove(f"{LOST} axle")
            for wheel in DRIVEN:
                live.remove(f"{wheel} motor")

    live.when(f"{LOST} axle.angular_velocity", rises=LIMIT, do=fail)
    live.advance_to(DURATION)


def turned(time: np.ndarray) -> np.ndarray:
    """Angle of the car about the turning centre (n,) [rad], from the closed form."""
    growth = GAIN / inertia()
    return np.where(time < FAILURE, 0.5 * growth * time**2, FAILURE_RATE * (time - 0.5 * FAILURE))


def free_disc(start: np.ndarray, time: np.ndarray) -> np.ndarray:
    """Centre, axis and angular velocity (9, n) of a free rolling disc, by the equation above."""
    weight = np.array([0.0, 0.0, WHEEL * GRAVITY])

    def rates(_: float, y: np.ndarray) -> np.ndarray:
        e, w = y[3:6], y[6:]
        e_dot = np.cross(w, e)
        up, up_dot = np.array([0.0, 0.0, 1.0]) - e[2] * e, -e_dot[2] * e - e[2] * e_dot
        s = np.linalg.norm(up)
        u, u_dot = up / s, up_dot / s - up * (up @ up_dot) / s**3
        # all terms with ω' on the left, with u × (ω' × u) = ω' − (u·ω') u
        matrix = (ACROSS + WHEEL * RADIUS**2) * np.eye(3) + (AXIAL - ACROSS) * np.outer(e, e) - WHEEL * RADIUS**2 * np.outer(u, u)
        right = -RADIUS * np.cross(u, WHEEL * RADIUS * np.cross(w, u_dot) + weight) - (AXIAL - ACROSS) * (w @ e) * e_dot
        return np.concatenate([RADIUS * np.cross(w, u), e_dot, np.linalg.solve(matrix, right)])

    return solve_ivp(rates, (time[0], time[-1]), start, method="DOP853", rtol=1e-12, atol=1e-13, t_eval=time).y


def check(result: Timeline) -> list[Check]:
    """Closed forms of the car, the reference of the wheel, contact, slip, energy."""
    angle = turned(result.time)
    c, s = np.cos(angle), np.sin(angle)
    chassis = np.column_stack([c * CENTRE[0] - s * CENTRE[1], s * CENTRE[0] + c * CENTRE[1], np.full_like(c, CENTRE[2])])
    after = result.spans[-1]
    wheel = result[LOST]
    axis = wheel.rotation[after][:, :, 2]
    motion = np.hstack([wheel.position[after], axis, wheel.angular_velocity[after]])
    load = np.stack([result[f"{name} contact"].force(on=name)[:, 2] for name in PLACES])
    others = np.delete(load[:, after], list(PLACES).index(LOST), axis=0)
    weight = (CHASSIS + 4 * WHEEL) * GRAVITY
    driven, coasting = (segment.mechanism.report() for segment in (result.segments[0], result.segments[-1]))
    return [
        equals("degrees of freedom on four wheels", driven.degrees_of_freedom, 1),
        equals("redundant equations on four wheels", driven.equations - driven.rank, 3),
        equals("degrees of freedom on three, and of the free wheel", coasting.degrees_of_freedom, 1 + 3),
        equals("redundant equations on three wheels", coasting.equations - coasting.rank, 1),
        at_most("instant of the failure, off the closed form [s]", result.edits[0].time - FAILURE, 1e-8),
        at_most("chassis, off the closed form, before and after [m]", result["chassis"].position - chassis, 1e-7),
        at_most("free wheel, off the reference [m, 1, rad/s]", motion - free_disc(motion[0], result.time[after]).T, 1e-6),
        at_most("lean of the free wheel, which does not fall [rad]", np.arcsin(axis[:, 2]), 0.1),
        at_least("smallest load of a wheel of the car after the failure [N]", others, 0.0),
        at_most("sum of the loads of four wheels, off the weight, relative", load[:, result.spans[0]].sum(axis=0) / weight - 1.0, 1e-9),
        at_most("slip [m/s]", result.velocity_violation, 1e-9),
        *conserves(result, violation=1e-9, energy=1e-7),
    ]


if __name__ == "__main__":
    main(__name__)
