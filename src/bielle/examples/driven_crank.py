"""A motor drives a piston: slider-crank with an offset, a flywheel and a controller.

The motor sits in the crank's pivot. Its controller wants the angle ωt and gives the torque M = k_p (ωt − θ) + k_d (ω − θ'); it starts from
rest with a jerk, and after some turns what is left is a motion that repeats itself turn by turn. The piston works against a viscous load.

With r the crank, l the rod and e the offset, sin β = (e − r sin θ)/l and x = r cos θ + l cos β. Everything moves with θ, so inverse
dynamics is one line of virtual work: the torque needed for θ' and θ'' is

    M = Σ m (g₁·(g₁ θ'' + g₂ θ'²) + weight) + Σ J β₁ (β₁ θ'' + β₂ θ'²) + c x₁² θ',    index = derivative with regard to θ,

summed over crank and flywheel, rod and piston. Put the controller's torque on the left and it is the equation of motion in θ, which
serves as the reference. Look at the torque over the last turn, ``result["motor"].output``: it is all the inertia of the piston and the
load, and the flywheel's part of it is nearly nothing.
"""

from __future__ import annotations

import numpy as np
from scipy.integrate import solve_ivp

import bielle as bl
from bielle.calls import explained
from bielle.results.result import Result

from ._checks import Check, accumulated, at_most, conserves, equals, main

TITLE = "Motor-driven piston: torque and balance of energy"
DURATION = 5.0
GRAVITY = 9.81
CRANK, ROD, OFFSET = 0.1, 0.3, 0.03  # r, l, e [m]
CRANK_MASS, ROD_MASS, PISTON_MASS = 0.5, 0.8, 2.0  # [kg]
FLYWHEEL_MASS, FLYWHEEL_RADIUS = 5.0, 0.12
LOAD = 40.0  # c [N·s/m]
SPEED = 4 * np.pi  # ω [rad/s]: two turns per second
STIFFNESS, DAMPING = 60.0, 3.0  # k_p [N·m/rad], k_d [N·m·s/rad]


@explained
def build(speed: float = SPEED) -> bl.Mechanism:
    """The machine at rest, the crank pointing at the piston."""
    m = bl.Mechanism(gravity=(0.0, -GRAVITY), plane="xy", name="motor-driven piston")
    beta = np.arcsin(OFFSET / ROD)
    pin, piston = (CRANK, 0.0), (CRANK + ROD * np.cos(beta), OFFSET)
    m.add_body("crank", bl.compound(bl.rod((0.0, 0.0), pin, mass=CRANK_MASS), bl.disc(FLYWHEEL_RADIUS, mass=FLYWHEEL_MASS)))
    m.add_body("rod", bl.rod(pin, piston, mass=ROD_MASS))
    m.add_body("piston", bl.box((0.08, 0.06), mass=PISTON_MASS), position=piston)
    m.add_joint("main bearing", bl.Pin(), m.ground, "crank", at=(0.0, 0.0))
    m.add_joint("crank pin", bl.Pin(), "crank", "rod", at=pin)
    m.add_joint("piston pin", bl.Pin(), "rod", "piston", at=piston)
    m.add_joint("cylinder", bl.Slider(direction="x"), m.ground, "piston", at=piston)
    m.add_force("load", bl.JointDamping(translational=LOAD), joint="cylinder")
    target = bl.Polynomial(coefficients=(0.0, speed))
    m.add_force("motor", bl.Motor(target=target, stiffness=STIFFNESS, damping=DAMPING), joint="main bearing")
    return m


def solver() -> None:
    """The default solver."""


def reduced(theta: np.ndarray, rate: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """A(θ) and B(θ, θ') of the torque A θ'' + B that inverse dynamics asks for."""
    s, c = np.sin(theta), np.cos(theta)
    sb = (OFFSET - CRANK * s) / ROD
    cb = np.sqrt(1 - sb * sb)
    b1 = -CRANK * c / (ROD * cb)
    b2 = (CRANK * s / ROD + sb * b1**2) / cb
    x1, x2 = -CRANK * s - ROD * sb * b1, -CRANK * c - ROD * (cb * b1**2 + sb * b2)
    g1 = np.stack([-CRANK * s - 0.5 * ROD * sb * b1, CRANK * c + 0.5 * ROD * cb * b1])
    g2 = np.stack([-CRANK * c - 0.5 * ROD * (cb * b1**2 + sb * b2), -CRANK * s + 0.5 * ROD * (cb * b2 - sb * b1**2)])
    turning = CRANK_MASS * CRANK**2 / 3 + 0.5 * FLYWHEEL_MASS * FLYWHEEL_RADIUS**2
    across = ROD_MASS * ROD**2 / 12
    inertia = turning + ROD_MASS * (g1 * g1).sum(axis=0) + across * b1**2 + PISTON_MASS * x1**2
    slope = ROD_MASS * (g1 * g2).sum(axis=0) + across * b1 * b2 + PISTON_MASS * x1 * x2
    weight = GRAVITY * (0.5 * CRANK_MASS * CRANK * c + ROD_MASS * g1[1])
    return inertia, slope * rate**2 + weight + LOAD * x1**2 * rate


def reference(time: np.ndarray) -> np.ndarray:
    """Angle θ of the crank (n,) [rad]."""

    def rates(t: float, y: np.ndarray) -> list[float]:
        inertia, rest = reduced(y[0], y[1])
        torque = STIFFNESS * (SPEED * t - y[0]) + DAMPING * (SPEED - y[1])
        return [y[1], (torque - rest) / inertia]

    return solve_ivp(rates, (0.0, time[-1]), (0.0, 0.0), method="DOP853", rtol=1e-12, atol=1e-13, t_eval=time).y[0]


def check(result: Result) -> list[Check]:
    """The speed is reached, the torque is that of inverse dynamics, and the work of the motor is accounted for.

    The controller's transients die out like exp(−k_p t/k_d), so the last turn is periodic to what the solver adds up over the run. Torque
    and accelerations of a sample come from one solution of the equations of motion: between them stands only its rounding, 1e-8 at most.
    """
    report, time, energy = result.mechanism.report(), result.time, result.energy
    theta, rate = result["crank"].orientation, result["crank"].angular_velocity
    turn = np.flatnonzero(time > time[-1] - 2 * np.pi / SPEED - 1e-9)[0]  # the last turn starts at this sample
    last = slice(turn, None)
    inertia, rest = reduced(theta, rate)
    needed = inertia * result["crank"].angular_acceleration + rest
    mean = (theta[-1] - theta[turn]) / (time[-1] - time[turn])
    work, lost = energy.drives[-1] - energy.drives[turn], energy.dissipated[-1] - energy.dissipated[turn]
    torque = result["motor"].output
    added = accumulated(result, bl.Central().rtol)
    return [
        equals("degrees of freedom", report.degrees_of_freedom, 1),
        at_most("mean speed over the last turn, off the target, relative", mean / SPEED - 1.0, added),
        at_most("torque against inverse dynamics over the last turn, relative", (torque - needed)[last] / np.ptp(torque[last]), 1e-8),
        at_most("torque against inverse dynamics over the run, relative", (torque - needed) / np.ptp(torque), 1e-8),
        at_most("work of the motor less the loss, over the last turn, relative", work / lost - 1.0, added),
        *conserves(result, violation=1e-9, energy=added),
        at_most("crank against the reference [rad]", theta - reference(time), added * SPEED * DAMPING / STIFFNESS),
    ]


if __name__ == "__main__":
    main(__name__)
