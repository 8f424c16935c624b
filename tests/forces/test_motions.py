"""Forces at work: motions with a known solution, by RK4 with fixed steps.

For a linear oscillation of rate ω RK4 errs by about (ωh)⁴ ωt/120 of the amplitude; the tolerances say which ω, h and t were put in.
"""

import numpy as np
import pytest
from force_rig import body_kinds, simulate

from bielle.forces import CallableForce, Grab, JointDamping, LinearMotor, Motor, PointForce, Spring, Torque, TorsionSpring
from bielle.joints import Cylindrical, Pin, Prismatic, Revolute, Slider, Spherical
from bielle.kernels import slots
from bielle.mechanism.functions import Harmonic, Polynomial, Table
from bielle.mechanism.mechanism import Mechanism
from bielle.mechanism.shapes import rigid

AXIS = np.array([1.0, 2.0, 2.0]) / 3.0
INERTIA, MASS = 0.5, 2.0
ALL = [(dim, kind) for dim in (2, 3) for kind in body_kinds(dim)]
any_body = pytest.mark.parametrize(("dim", "coordinates"), ALL)


def error(omega, h, t):
    return (omega * h) ** 4 * max(omega * t, 1.0) / 120.0


def lag(coordinates, rate, h, t):
    """Error of the angle of a body that turns at that rate: to all coordinates but an angle, turning is an oscillation."""
    return 0.0 if coordinates == "planar" else error(rate, h, t)


def wheel(dim, coordinates, rate=0.0, joint=None):
    """A body with inertia 0.5 about every axis, hinged to the ground in its centre."""
    m = Mechanism(gravity=(0.0,) * dim, plane="xy" if dim == 2 else None)
    shape = rigid(MASS, (0.0,) * dim, INERTIA if dim == 2 else (INERTIA,) * 3)
    m.add_body("wheel", shape, coordinates=coordinates, angular_velocity=rate if dim == 2 else tuple(rate * AXIS))
    default = Pin() if dim == 2 else Revolute(axis=tuple(AXIS))
    m.add_joint("hinge", joint or default, "ground", "wheel", at=(0.0,) * dim)
    return m


def slide(dim, coordinates, speed=0.0):
    """A body on rails through the origin."""
    m = Mechanism(gravity=(0.0,) * dim, plane="xy" if dim == 2 else None)
    axis = np.array([0.6, 0.8]) if dim == 2 else AXIS
    shape = rigid(MASS, (0.0,) * dim, INERTIA if dim == 2 else (INERTIA,) * 3)
    m.add_body("cart", shape, coordinates=coordinates, velocity=tuple(speed * axis))
    m.add_joint("rails", Slider(direction=tuple(axis)) if dim == 2 else Prismatic(axis=tuple(axis)), "ground", "cart", at=(0.0,) * dim)
    return m, np.concatenate([axis, np.zeros(3 - dim)])


def pose(w, name):
    row = w.model.bodies[name]
    return row.kind.pose(w.q[row.q])


def turn_of(w, dim, known):
    """Angle of the wheel nearest to the one known."""
    R = pose(w, "wheel")[1]
    axis = np.array([0.0, 0.0, 1.0]) if dim == 2 else AXIS
    sine = 0.5 * axis @ np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]])
    raw = np.arctan2(sine, 0.5 * (np.trace(R) - 1.0))
    return raw + 2 * np.pi * np.round((known - raw) / (2 * np.pi))


# -- given efforts


@any_body
def test_constant_force_accelerates_uniformly(dim, coordinates):
    m = Mechanism(gravity=(0.0,) * dim, plane="xy" if dim == 2 else None)
    m.add_body("puck", rigid(MASS, (0.0,) * dim, INERTIA if dim == 2 else (INERTIA,) * 3), coordinates=coordinates)
    force = np.array([3.0, -2.0, 5.0][:dim])
    m.add_force("push", PointForce(force=force), "puck", at=(0.0,) * dim)
    w = simulate(m, 0.1, 2.0)
    np.testing.assert_allclose(pose(w, "puck")[0][:dim], 0.5 * force / MASS * 4.0, rtol=1e-12)  # RK4 is exact for quadratics
    assert w.work[2] == pytest.approx(0.5 * MASS * np.sum((force / MASS * 2.0) ** 2), rel=1e-12)


@any_body
def test_force_in_body_axes_turns_with_the_body(dim, coordinates):
    """A body that spins at a constant rate Ω under a force through its centre moves on an epicycle: ẍ = f/m (cos Ωt, sin Ωt)."""
    spin, f, t = 1.5, 4.0, 2.0
    m = Mechanism(gravity=(0.0,) * dim, plane="xy" if dim == 2 else None)
    shape = rigid(MASS, (0.0,) * dim, INERTIA if dim == 2 else (INERTIA,) * 3)
    m.add_body("rocket", shape, coordinates=coordinates, angular_velocity=spin if dim == 2 else (0.0, 0.0, spin))
    m.add_force("thrust", PointForce(force=(f, 0.0, 0.0)[:dim], axes="body"), "rocket", at_a=(0.0,) * dim)
    w = simulate(m, 1e-2, t)
    expected = f / MASS / spin**2 * np.array([1.0 - np.cos(spin * t), spin * t - np.sin(spin * t)])
    np.testing.assert_allclose(pose(w, "rocket")[0][:2], expected, atol=10 * error(spin, 1e-2, t))


@any_body
def test_torque_spins_up_a_wheel(dim, coordinates):
    wave = Harmonic(amplitude=3.0, frequency=0.5)
    m = wheel(dim, coordinates)
    m.add_force("push", Torque(torque=wave if dim == 2 else tuple(_scaled(wave, a) for a in AXIS)), joint="hinge")
    w = simulate(m, 1e-2, 3.0)
    omega = np.pi
    expected = 3.0 / INERTIA / omega * (3.0 - np.sin(omega * 3.0) / omega)
    assert turn_of(w, dim, expected) == pytest.approx(expected, abs=30 * error(omega, 1e-2, 3.0))


def _scaled(wave, factor):
    return Harmonic(amplitude=factor * wave.amplitude, frequency=wave.frequency)


# -- the hand


@any_body
def test_a_grab_brings_a_body_to_its_target(dim, coordinates):
    """Within its limit it is critically damped: x = target + (x₀ − target) (1 + ωt) e^(−ωt); its work is the energy of the body."""
    omega, t, h = 8.0, 0.5, 1e-3
    start, target = np.array([1.0, 0.2, -0.4][:dim]), np.array([0.4, 0.5, 0.1][:dim])
    m = Mechanism(gravity=(0.0,) * dim, plane="xy" if dim == 2 else None)
    shape = rigid(MASS, (0.0,) * dim, INERTIA if dim == 2 else (INERTIA,) * 3)
    m.add_body("puck", shape, position=start, coordinates=coordinates)
    hand = Grab(target=target, stiffness=MASS * omega**2, damping=2 * MASS * omega, limit=1e8)  # bends by (100 N/1e8 N)²/2
    m.add_force("hand", hand, "puck", at_a=(0.0,) * dim)
    w = simulate(m, h, t)
    expected = target + (start - target) * (1.0 + omega * t) * np.exp(-omega * t)
    np.testing.assert_allclose(pose(w, "puck")[0][:dim], expected, atol=10 * error(omega, h, t))
    speed = np.linalg.norm(start - target) * omega**2 * t * np.exp(-omega * t)
    peak = 0.5 * MASS * (np.linalg.norm(start - target) * omega / np.e) ** 2
    assert w.work[2] == pytest.approx(0.5 * MASS * speed**2, abs=peak * 10 * error(2 * omega, h, t))  # e^(−2ωt)


@any_body
def test_a_grab_far_from_its_target_pulls_with_its_limit(dim, coordinates):
    """Uniform acceleration F_max/m, less the part (F_max/s)²/2 by which the force is still below its limit."""
    limit, t = 5.0, 0.5
    away = np.array([3e3, 4e3, 0.0][:dim])
    m = Mechanism(gravity=(0.0,) * dim, plane="xy" if dim == 2 else None)
    m.add_body("puck", rigid(MASS, (0.0,) * dim, INERTIA if dim == 2 else (INERTIA,) * 3), coordinates=coordinates)
    m.add_force("hand", Grab(target=away, stiffness=1e3, limit=limit), "puck", at_a=(0.0,) * dim)
    w = simulate(m, 1e-2, t)
    np.testing.assert_allclose(pose(w, "puck")[0][:dim], 0.5 * limit / MASS * t**2 * away / 5e3, rtol=1e-9)
    assert limit * (1.0 - 1e-9) < w.output[0] <= limit


# -- springs


@any_body
def test_period_of_a_mass_on_a_spring(dim, coordinates):
    k, free, t, h = 200.0, 1.0, 2.0, 1e-3
    omega = np.sqrt(k / MASS)
    m = Mechanism(gravity=(0.0,) * dim, plane="xy" if dim == 2 else None)
    start = (1.3,) + (0.0,) * (dim - 1)
    shape = rigid(MASS, (0.0,) * dim, INERTIA if dim == 2 else (INERTIA,) * 3)
    m.add_body("mass", shape, position=start, coordinates=coordinates)
    m.add_force("spring", Spring(stiffness=k, length=free), "ground", "mass", at_a=(0.0,) * dim, at_b=(0.0,) * dim)
    w = simulate(m, h, t)
    assert pose(w, "mass")[0][0] == pytest.approx(free + 0.3 * np.cos(omega * t), abs=error(omega, h, t))
    kinetic = 0.5 * w.v[: w.model.nv] @ w.mass_matrix() @ w.v[: w.model.nv]
    assert kinetic + w.energy[0] == pytest.approx(0.5 * k * 0.3**2, rel=10 * error(omega, h, t))


@any_body
def test_damped_decay(dim, coordinates):
    k, c, t, h = 200.0, 8.0, 1.0, 1e-3
    m = Mechanism(gravity=(0.0,) * dim, plane="xy" if dim == 2 else None)
    start = (1.3,) + (0.0,) * (dim - 1)
    shape = rigid(MASS, (0.0,) * dim, INERTIA if dim == 2 else (INERTIA,) * 3)
    m.add_body("mass", shape, position=start, coordinates=coordinates)
    m.add_force("spring", Spring(stiffness=k, damping=c, length=1.0), "ground", "mass", at_a=(0.0,) * dim, at_b=(0.0,) * dim)
    w = simulate(m, h, t)
    decay, omega = c / (2 * MASS), np.sqrt(k / MASS - (c / (2 * MASS)) ** 2)
    expected = 0.3 * np.exp(-decay * t) * (np.cos(omega * t) + decay / omega * np.sin(omega * t))
    assert pose(w, "mass")[0][0] - 1.0 == pytest.approx(expected, abs=10 * error(10.0, h, t))
    kinetic = 0.5 * w.v[: w.model.nv] @ w.mass_matrix() @ w.v[: w.model.nv]
    assert w.work[0] == pytest.approx(0.5 * k * 0.3**2 - kinetic - w.energy[0], rel=10 * error(10.0, h, t))


def test_a_spring_without_free_length_passes_through_coincidence():
    """Two independent harmonic motions: x = cos ωt, y = 0 passes through the other end twice a period."""
    k, h, t = 200.0, 1e-3, 2.0
    m = Mechanism(gravity=(0.0, 0.0), plane="xy")
    m.add_body("mass", rigid(MASS, (0.0, 0.0), INERTIA), position=(0.3, 0.0))
    m.add_force("spring", Spring(stiffness=k, length=0.0), "ground", "mass", at_a=(0.0, 0.0), at_b=(0.0, 0.0))
    w = simulate(m, h, t)
    np.testing.assert_allclose(pose(w, "mass")[0][:2], [0.3 * np.cos(10.0 * t), 0.0], atol=error(10.0, h, t))


def test_tabulated_and_linear_springs_move_alike():
    ends = []
    for spring in (Spring(stiffness=200.0, length=1.0), Spring(characteristic=Table(x=(-2.0, 2.0), y=(-400.0, 400.0)), length=1.0)):
        m = Mechanism(gravity=(0.0, -9.81), plane="xy")
        m.add_body("mass", rigid(MASS, (0.0, 0.0), INERTIA), position=(1.3, 0.0))
        m.add_force("spring", spring, "ground", "mass", at_a=(0.0, 0.0), at_b=(0.1, 0.0))
        w = simulate(m, 1e-3, 1.0)
        ends.append(np.concatenate([*pose(w, "mass"), w.v[:3].reshape(1, 3)], axis=None))
    np.testing.assert_allclose(ends[0], ends[1], atol=1e-10)  # the same up to rounding, amplified over ten radians


@any_body
def test_torsional_oscillator_over_several_turns(dim, coordinates):
    """Released at zero with the free angle four turns away, the wheel swings eight turns out and back."""
    k, free, h = 18.0, 8 * np.pi, 2e-4
    omega = np.sqrt(k / INERTIA)
    m = wheel(dim, coordinates)
    m.add_force("spring", TorsionSpring(stiffness=k, angle=free), joint="hinge")
    for t in (0.5, 1.0, 1.7):
        w = simulate(m, h, t)
        expected = free * (1.0 - np.cos(omega * t))
        tolerance = 3 * (free * error(omega, h, t) + lag(coordinates, free * omega, h, t))
        assert turn_of(w, dim, expected) == pytest.approx(expected, abs=tolerance)
        assert w.output[0] == pytest.approx(k * (expected - free), abs=k * tolerance)


@any_body
def test_torsional_damping(dim, coordinates):
    c, rate, t, h = 0.8, 30.0, 1.5, 1e-3
    m = wheel(dim, coordinates, rate)
    m.add_force("brake", TorsionSpring(damping=c), joint="hinge")
    w = simulate(m, h, t)
    turned = rate * INERTIA / c * (1.0 - np.exp(-c / INERTIA * t))
    tolerance = 10 * turned * error(c / INERTIA, h, t) + lag(coordinates, rate, h, t)
    assert turn_of(w, dim, turned) == pytest.approx(turned, abs=tolerance)
    assert w.memory[0] == pytest.approx(turned, abs=rate * h)  # up to where the last stage of the step was


# -- damping in joints


HINGES = {2: [Pin()], 3: [Revolute(axis=tuple(AXIS)), Cylindrical(axis=tuple(AXIS)), Spherical()]}


@pytest.mark.parametrize(("dim", "coordinates", "joint"), [(dim, kind, joint) for dim, kind in ALL for joint in HINGES[dim]])
def test_joint_damping_of_a_wheel(dim, coordinates, joint):
    """With equal inertias about all axes the wheel keeps its axis in a spherical joint too."""
    c, rate, t, h = 0.8, 5.0, 1.5, 1e-3
    m = wheel(dim, coordinates, rate, joint)
    m.add_force("friction", JointDamping(coefficient=c), joint="hinge")
    w = simulate(m, h, t)
    turned = rate * INERTIA / c * (1.0 - np.exp(-c / INERTIA * t))
    tolerance = 10 * turned * error(c / INERTIA, h, t) + lag(coordinates, rate, h, t)
    assert turn_of(w, dim, turned) == pytest.approx(turned, abs=tolerance)
    lost = 0.5 * INERTIA * rate**2 * (1.0 - np.exp(-2 * c / INERTIA * t))
    assert w.work[0] == pytest.approx(lost, rel=10 * error(2 * c / INERTIA, h, t))


@any_body
def test_translational_damping_of_a_slide(dim, coordinates):
    c, speed, t, h = 3.0, 2.0, 1.5, 1e-3
    m, axis = slide(dim, coordinates, speed)
    m.add_force("friction", JointDamping(translational=c), joint="rails")
    w = simulate(m, h, t)
    travelled = speed * MASS / c * (1.0 - np.exp(-c / MASS * t))
    np.testing.assert_allclose(pose(w, "cart")[0], travelled * axis, atol=10 * error(c / MASS, h, t))


# -- motors


@any_body
def test_motor_reaches_its_target_turns_away(dim, coordinates):
    """Critically damped: θ = target (1 − (1 + ωt) e^(−ωt)); what the motor has worked is the energy of the wheel."""
    target, omega, t, h = 5 * np.pi, 8.0, 2.0, 1e-3
    m = wheel(dim, coordinates)
    motor = Motor(target=target, stiffness=INERTIA * omega**2, damping=2 * INERTIA * omega)
    m.add_force("motor", motor, joint="hinge")
    w = simulate(m, h, t)
    expected = target * (1.0 - (1.0 + omega * t) * np.exp(-omega * t))
    assert turn_of(w, dim, expected) == pytest.approx(expected, abs=target * 10 * error(omega, h, t))
    assert abs(expected - target) < 1e-5 * target
    kinetic = 0.5 * w.v[: w.model.nv] @ w.mass_matrix() @ w.v[: w.model.nv]
    peak = 0.5 * INERTIA * (target * omega / np.e) ** 2
    assert w.work[1] == pytest.approx(kinetic, abs=peak * 10 * error(omega, h, t))


@any_body
def test_motor_tracks_a_ramp_without_lag(dim, coordinates):
    """The derivative of the target serves the damping: a ramp is followed exactly from matching speed on."""
    m = wheel(dim, coordinates, 3.0)
    m.add_force("motor", Motor(target=Polynomial(coefficients=(0.0, 3.0)), stiffness=50.0, damping=5.0), joint="hinge")
    w = simulate(m, 1e-2, 4.0)
    assert turn_of(w, dim, 12.0) == pytest.approx(12.0, abs=12.0 * error(3.0, 1e-2, 4.0))
    assert abs(w.output[0]) < 50.0 * 12.0 * error(3.0, 1e-2, 4.0)


def test_speed_control_and_its_limit():
    """Far from the target speed the motor gives its limit, so that the wheel accelerates uniformly."""
    m = wheel(2, "planar")
    m.add_force("motor", Motor(target=20.0, damping=100.0, limit=2.0, control="speed"), joint="hinge")
    w = simulate(m, 1e-3, 1.0)
    assert w.v[2] == pytest.approx(2.0 / INERTIA, rel=1e-12)  # tanh saturates to rounding
    w = simulate(m, 1e-3, 6.0)
    assert w.v[2] == pytest.approx(20.0, abs=1e-6)


@any_body
def test_linear_motor_in_a_sliding_joint(dim, coordinates):
    target, omega, t, h = -0.7, 8.0, 2.0, 1e-3
    m, axis = slide(dim, coordinates)
    m.add_force("motor", LinearMotor(target=target, stiffness=MASS * omega**2, damping=2 * MASS * omega), joint="rails")
    w = simulate(m, h, t)
    expected = target * (1.0 - (1.0 + omega * t) * np.exp(-omega * t))
    np.testing.assert_allclose(pose(w, "cart")[0], expected * axis, atol=10 * error(omega, h, t))


# -- Python callables


@any_body
def test_callable_drag(dim, coordinates):
    c, speed, t, h = 3.0, 2.0, 1.0, 1e-2
    m, axis = slide(dim, coordinates, speed)
    m.add_force("drag", CallableForce(function=lambda t, view: -c * view.velocity), "cart", at=(0.0,) * dim)
    w = simulate(m, h, t)
    travelled = speed * MASS / c * (1.0 - np.exp(-c / MASS * t))
    np.testing.assert_allclose(pose(w, "cart")[0], travelled * axis, atol=10 * error(c / MASS, h, t))


def test_a_run_stops_where_the_callable_fails_and_says_where():
    m, _ = slide(2, "planar", 2.0)

    def law(t, view):
        if t > 0.05:
            raise RuntimeError("out of fuel")
        return 0.0, 0.0

    m.add_force("engine", CallableForce(function=law), "cart", at=(0.0, 0.0))
    w = simulate(m, 1e-2, 1.0)
    assert w.status[slots.ST_CODE] == slots.CODE_NONFINITE
    assert w.status[slots.ST_STEPS] == 6
    message = "force 'engine': its function raised RuntimeError: out of fuel at time 0.055. Mend the function."
    assert str(w.model.callbacks[0].error) == message
