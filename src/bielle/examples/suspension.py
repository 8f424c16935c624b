"""Quarter of a car: double wishbone suspension, seen from the front, that runs over a bump.

The chassis moves up and down. Two arms carry the upright with the wheel; a coil spring with a damper stands between the lower arm and
the chassis; the tyre is a spring between the hub and a patch of road, whose height is imposed. Two degrees of freedom: the chassis and
the wheel.

In the described position both arms are level, so a small motion moves the upright straight up and down against the chassis, and the
static loads follow from two virtual displacements. Lift everything: the tyre carries the whole weight. Lift the chassis alone, by δ:
the arms' centres rise by δ/2, and the coil, whose foot is at the part f of the lower arm, lengthens by f n_y δ, with n its direction;
so its force is g (M + ½ m_lower + ½ m_upper)/(f n_y). With these loads the mechanism stays at rest until the bump comes.

Two things to look at. The adaptive solver would step right over the bump, because nothing announces it while everything is at rest:
``max_step`` makes it look. And the road does work on the car: ``result.energy.drives`` is what it gave, ``dissipated`` what the dampers
took, and the balance closes.

The natural frequencies are compared with those of the linearised two-degree-of-freedom model, with the potential energy from the exact
positions; runs that start in one of its modes oscillate at its frequency, up to terms of second order in the amplitude.
"""

from __future__ import annotations

import numpy as np
from scipy.linalg import eigh

import bielle as bl
from bielle.calls import explained
from bielle.results.result import Result
from bielle.solvers.central import Central

from ._checks import Check, accumulated, at_least, at_most, conserves, equals, main

TITLE = "Double wishbone suspension over a bump"
DURATION = 3.0
GRAVITY = 9.81
CHASSIS, LOWER, UPPER, WHEEL, WHEEL_INERTIA = 350.0, 4.0, 2.0, 40.0, 1.2  # masses [kg], inertia of the upright with the wheel [kg·m²]
LOWER_IN, LOWER_OUT = np.array([0.30, 0.25]), np.array([0.70, 0.25])  # [m], x across the car, y up
UPPER_IN, UPPER_OUT = np.array([0.40, 0.55]), np.array([0.70, 0.55])
HUB, ROAD = np.array([0.78, 0.32]), np.array([0.78, 0.0])
FOOT, TURRET = np.array([0.55, 0.25]), np.array([0.45, 0.75])  # of the coil, on the lower arm and on the chassis
COIL, TYRE = 40e3, 200e3  # stiffness [N/m]
DAMPER, TYRE_DAMPING = 3000.0, 150.0  # [N·s/m]
BUMP_HEIGHT, BUMP_START, BUMP_TIME = 0.05, 0.5, 0.2  # [m, s, s]
LOWER_ARM, UPPER_ARM = LOWER_OUT[0] - LOWER_IN[0], UPPER_OUT[0] - UPPER_IN[0]


def _static_loads() -> tuple[float, float]:
    """Compression of coil and tyre at rest [N]."""
    along = (TURRET - FOOT) / np.linalg.norm(TURRET - FOOT)
    part = (FOOT[0] - LOWER_IN[0]) / LOWER_ARM
    coil = GRAVITY * (CHASSIS + 0.5 * LOWER + 0.5 * UPPER) / (part * along[1])
    return float(coil), GRAVITY * (CHASSIS + LOWER + UPPER + WHEEL)


COIL_LOAD, TYRE_LOAD = _static_loads()
COIL_LENGTH = float(np.linalg.norm(TURRET - FOOT)) + COIL_LOAD / COIL  # free lengths [m]
TYRE_LENGTH = float(np.linalg.norm(HUB - ROAD)) + TYRE_LOAD / TYRE


def _road(height: float) -> bl.Table:
    """A bump (1 − cos)²/4, with level road before and after it, as a table."""
    time = np.arange(BUMP_START - 0.1, BUMP_START + BUMP_TIME + 0.1, 0.005)
    phase = np.clip((time - BUMP_START) / BUMP_TIME, 0.0, 1.0)
    profile = 0.25 * height * (1.0 - np.cos(2 * np.pi * phase)) ** 2
    return bl.Table(x=tuple(time), y=tuple(profile))


@explained
def build(
    bump: float = BUMP_HEIGHT, damper: float = DAMPER, tyre_damping: float = TYRE_DAMPING, speeds: tuple[float, float] = (0.0, 0.0)
) -> bl.Mechanism:
    """The suspension at rest; or with the chassis and the wheel moving upwards at ``speeds`` [m/s]."""
    m = bl.Mechanism(gravity=(0.0, -GRAVITY), plane="xy", name="double wishbone suspension")
    up, wheel_up = speeds
    between = (0.0, 0.5 * (up + wheel_up))
    m.add_body("chassis", bl.box((0.5, 0.6), mass=CHASSIS), position=(0.15, 0.6), velocity=(0.0, up))
    m.add_body("lower arm", bl.rod(LOWER_IN, LOWER_OUT, mass=LOWER), velocity=between, angular_velocity=(wheel_up - up) / LOWER_ARM)
    m.add_body("upper arm", bl.rod(UPPER_IN, UPPER_OUT, mass=UPPER), velocity=between, angular_velocity=(wheel_up - up) / UPPER_ARM)
    upright = bl.rigid(WHEEL, HUB - LOWER_OUT, WHEEL_INERTIA, points=[p - LOWER_OUT for p in (LOWER_OUT, HUB, UPPER_OUT)])
    m.add_body("upright", upright, position=LOWER_OUT, velocity=(0.0, wheel_up))
    m.add_body("road", bl.box((0.4, 0.02), mass=1.0, centre=(0.0, -0.01)), position=ROAD)

    m.add_joint("heave", bl.Slider(direction="y"), m.ground, "chassis", at=(0.0, 0.5))
    m.add_joint("lower pivot", bl.Pin(), "chassis", "lower arm", at=LOWER_IN)
    m.add_joint("upper pivot", bl.Pin(), "chassis", "upper arm", at=UPPER_IN)
    m.add_joint("lower ball", bl.Pin(), "lower arm", "upright", at=LOWER_OUT)
    m.add_joint("upper ball", bl.Pin(), "upper arm", "upright", at=UPPER_OUT)
    m.add_joint("guide", bl.Slider(direction="y"), m.ground, "road", at=ROAD)
    m.add_joint("profile", bl.ImposedTranslation(displacement=_road(bump), axis="y"), m.ground, "road", at=ROAD)

    for frame, body, place in (
        ("foot", "lower arm", FOOT),
        ("turret", "chassis", TURRET),
        ("hub", "upright", HUB),
        ("patch", "road", ROAD),
    ):
        m.add_frame(frame, body, at=place)
    m.add_force("coil", bl.Spring(stiffness=COIL, damping=damper, length=COIL_LENGTH), "foot", "turret")
    m.add_force("tyre", bl.Spring(stiffness=TYRE, damping=tyre_damping, length=TYRE_LENGTH), "patch", "hub")
    return m


def solver() -> Central:
    """The default, but looking at the road at least every tenth of the bump's duration."""
    return Central(max_step=0.1 * BUMP_TIME)


def _potential(rise: float, angle: float) -> float:
    """Potential energy for the chassis lifted by ``rise`` [m] and the lower arm at ``angle`` [rad], from the exact positions."""
    lift = np.array([0.0, rise])
    lower = LOWER_IN + lift + LOWER_ARM * np.array([np.cos(angle), np.sin(angle)])
    gap, height = UPPER_IN + lift - lower, float(np.linalg.norm(UPPER_OUT - LOWER_OUT))
    r = float(np.linalg.norm(gap))
    turned = np.arctan2(gap[1], gap[0]) - np.arccos((height**2 + r**2 - UPPER_ARM**2) / (2 * height * r))  # direction of the upright
    upper = lower + height * np.array([np.cos(turned), np.sin(turned)])
    s, c = np.sin(turned - np.pi / 2), np.cos(turned - np.pi / 2)
    hub = lower + np.array([[c, -s], [s, c]]) @ (HUB - LOWER_OUT)
    foot = LOWER_IN + lift + (FOOT[0] - LOWER_IN[0]) * np.array([np.cos(angle), np.sin(angle)])
    coil, tyre = np.linalg.norm(TURRET + lift - foot), np.linalg.norm(hub - ROAD)
    weights = CHASSIS * rise + 0.5 * LOWER * (rise + lower[1]) + 0.5 * UPPER * (rise + upper[1]) + WHEEL * hub[1]
    return float(GRAVITY * weights + 0.5 * COIL * (coil - COIL_LENGTH) ** 2 + 0.5 * TYRE * (tyre - TYRE_LENGTH) ** 2)


def modes() -> tuple[np.ndarray, np.ndarray]:
    """Natural frequencies (2,) [Hz] and shapes (columns: chassis, wheel) of the model linearised at rest."""
    h = 1e-3

    def difference(i: int, j: int) -> float:  # fourth order in each direction
        points = ((-2, 1 / 12), (-1, -8 / 12), (1, 8 / 12), (2, -1 / 12))
        total = 0.0
        for a, wa in points:
            for b, wb in points:
                place = np.zeros(2)
                place[i] += a * h
                place[j] += b * h
                total += wa * wb * _potential(*place)
        return total / (h * h)

    K = np.array([[difference(i, j) for j in range(2)] for i in range(2)])
    M = np.zeros((2, 2))
    for mass, inertia, share, turn in (
        (CHASSIS, 0.0, 0.0, 0.0),
        (LOWER, LOWER * LOWER_ARM**2 / 12, 0.5 * LOWER_ARM, 1.0),
        (UPPER, UPPER * UPPER_ARM**2 / 12, 0.5 * LOWER_ARM, LOWER_ARM / UPPER_ARM),
        (WHEEL, WHEEL_INERTIA, LOWER_ARM, 0.0),
    ):
        v, w = np.array([1.0, share]), np.array([0.0, turn])  # velocity of the centre and spin per unit of the two coordinates
        M += mass * np.outer(v, v) + inertia * np.outer(w, w)
    values, vectors = eigh(K, M)
    return np.sqrt(values) / (2 * np.pi), np.array([[1.0, 0.0], [1.0, LOWER_ARM]]) @ vectors


def measured_frequency(shape: np.ndarray, frequency: float, amplitude: float = 1e-3) -> float:
    """Frequency [Hz] of an undamped run that starts in a mode with ``amplitude`` [m]: x'' = −(2πf)² x, fitted over five periods."""
    part = int(np.argmax(np.abs(shape)))
    speeds = 2 * np.pi * frequency * amplitude * shape / shape[part]
    m = build(bump=0.0, damper=0.0, tyre_damping=0.0, speeds=(float(speeds[0]), float(speeds[1])))
    result = m.simulate(5.0 / frequency, Central(max_step=0.05 / frequency))
    body = result[("chassis", "upright")[part]]
    x, acceleration = body.position[:, 1] - body.position[0, 1], body.acceleration[:, 1]
    return float(np.sqrt(-(x @ acceleration) / (x @ x)) / (2 * np.pi))


def check(result: Result) -> list[Check]:
    """Static loads, rest before the bump, the balance of energy, and the two natural frequencies."""
    before = result.time < BUMP_START - 0.1
    chassis, road = result["chassis"].position[:, 1], result["road"].position[:, 1]
    frequencies, shapes = modes()
    found = [measured_frequency(shapes[:, k], frequencies[k]) for k in range(2)]
    second_order = (2e-3 / UPPER_ARM) ** 2  # amplitude of 1 mm, two of them per swing, against the shortest arm
    energy = accumulated(result, solver().rtol)
    return [
        equals("degrees of freedom", result.mechanism.report().degrees_of_freedom, 2),
        at_most("tyre at rest, off the weight, relative", result["tyre"].output[before] / -TYRE_LOAD - 1.0, 1e-9),
        at_most("coil at rest, off the virtual work, relative", result["coil"].output[before] / -COIL_LOAD - 1.0, 1e-9),
        at_most("acceleration of the chassis at rest [m/s²]", result["chassis"].acceleration[before], 1e-8 * GRAVITY),
        at_least("height of the bump [m]", road.max(), 0.99 * BUMP_HEIGHT),
        at_least("rise of the chassis on the bump [m]", chassis.max() - chassis[0], 0.1 * BUMP_HEIGHT),
        *conserves(result, violation=1e-9, energy=energy),
        at_least("work of the road less the loss in the dampers [J]", result.energy.drives[-1] - result.energy.dissipated[-1], 0.0),
        at_most("frequency of the chassis, off the linear model, relative", found[0] / frequencies[0] - 1.0, second_order),
        at_most("frequency of the wheel, off the linear model, relative", found[1] / frequencies[1] - 1.0, second_order),
    ]


if __name__ == "__main__":
    main(__name__)
