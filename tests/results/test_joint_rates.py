"""Rates and accelerations of joints, lengths and rates of springs, efforts of motors: closed forms, and differences over time."""

import numpy as np
import pytest

import bielle as bl
from bielle.errors import DescriptionError

RTOL = 1e-10
SOLVER = bl.Central(rtol=RTOL, atol=1e-2 * RTOL)
STEP = 2e-3
KINDS = pytest.mark.parametrize(("dim", "kind"), [(2, "planar"), (2, "bar"), (3, "spatial"), (3, "natural")])


def assert_rate(values, rates, size, fastest=10.0):
    """Differences of fourth order: h⁴/30 f⁽⁵⁾ of a motion of that size whose fastest harmonic is given, and what rtol leaves, over h."""
    difference = (values[:-4] - 8 * values[1:-3] + 8 * values[3:-1] - values[4:]) / (12 * STEP)
    np.testing.assert_allclose(difference, rates[2:-2], atol=size * (STEP**4 / 30 * fastest**5 + 500 * RTOL / STEP))


def at(dim, x, y):
    return (x, y) if dim == 2 else (x, y, 0.0)


def arm_with_slide(dim, kind):
    """A rod that swings about a hinge and carries a block that slides along it, against a spring."""
    m = bl.Mechanism(at(dim, 0.0, -9.81), plane="xy" if dim == 2 else None)
    m.add_body("arm", bl.rod(at(dim, 0, 0), at(dim, 2, 0), mass=1.0), coordinates=kind)
    block = None if kind == "bar" else kind
    m.add_body("block", bl.box((0.1,) * dim, mass=0.5), position=at(dim, 1, 0), velocity=at(dim, 0.4, 0.0), coordinates=block)
    hinge, slide = (bl.Pin(), bl.Slider(direction="x")) if dim == 2 else (bl.Revolute(axis="z"), bl.Prismatic(axis="x"))
    m.add_joint("hinge", hinge, m.ground, "arm", at=at(dim, 0, 0))
    m.add_joint("slide", slide, "arm", "block", at=at(dim, 1, 0))
    m.add_force("spring", bl.Spring(stiffness=40.0, damping=0.3), m.ground, "block", at_a=at(dim, 0, 1), at_b=at(dim, 0, 0))
    m.add_force("coil", bl.TorsionSpring(stiffness=2.0), joint="hinge")
    m.add_force("buffer", bl.LinearMotor(stiffness=30.0, damping=1.0), joint="slide")
    return m


@KINDS
def test_hinge_and_slide(dim, kind):
    run = arm_with_slide(dim, kind).simulate(1.0, SOLVER, samples=501)
    hinge, slide, coil, buffer, spring = (run[name] for name in ("hinge", "slide", "coil", "buffer", "spring"))
    along = 0 if dim == 2 else 2
    assert np.ptp(hinge.angle) > 1.0
    assert np.ptp(slide.displacement[:, along]) > 0.05
    assert_rate(hinge.angle, hinge.angular_velocity, 2.0)
    assert_rate(hinge.angular_velocity, hinge.angular_acceleration, 20.0)
    assert_rate(slide.displacement, slide.velocity, 1.0)
    assert_rate(slide.velocity, slide.acceleration, 10.0)
    assert_rate(spring.length, spring.length_rate, 2.0)
    omega = run["arm"].angular_velocity if dim == 2 else run["arm"].angular_velocity[:, 2]
    np.testing.assert_allclose(hinge.angular_velocity, omega, atol=1e-9)
    # what the laws say of the same numbers
    np.testing.assert_allclose(coil.angle, hinge.angle, atol=1e-9)
    np.testing.assert_allclose(coil.angular_velocity, hinge.angular_velocity, atol=1e-9)
    np.testing.assert_allclose(coil.output, 2.0 * coil.angle, atol=1e-9)
    np.testing.assert_allclose(buffer.displacement, slide.displacement[:, along], atol=1e-12)
    np.testing.assert_allclose(buffer.velocity, slide.velocity[:, along], atol=1e-9)
    np.testing.assert_allclose(buffer.output, -30.0 * buffer.displacement - buffer.velocity, atol=1e-9)
    np.testing.assert_allclose(spring.output, 40.0 * (spring.length - np.sqrt(2)) + 0.3 * spring.length_rate, atol=1e-9)


@pytest.mark.parametrize("kind", ["spatial", "natural"])
@pytest.mark.parametrize("joint", [bl.Spherical(), bl.Universal(), bl.Cylindrical(axis=(1.0, 2.0, 2.0))])
def test_angles_of_joints_that_tilt(kind, joint):
    """The angle about the axis is no integral of an angular velocity then, and its rates are those of the angle itself."""
    m = bl.Mechanism((0.0, 0.0, -9.81))
    m.add_body("top", bl.cylinder((0, 0, 0), (0.3, 0.1, 0.5), radius=0.2, mass=1.0), angular_velocity=(1.0, -2.0, 4.0), coordinates=kind)
    m.add_joint("ball", joint, m.ground, "top", at=(0, 0, 0))
    run = m.simulate(0.4, SOLVER, samples=201)
    assert_rate(run["ball"].angle, run["ball"].angular_velocity, 3.0, fastest=20.0)
    assert_rate(run["ball"].angular_velocity, run["ball"].angular_acceleration, 40.0, fastest=20.0)
    assert_rate(run["ball"].displacement, run["ball"].velocity, 1.0, fastest=20.0)


def driven(dim, kind):
    m = bl.Mechanism(at(dim, 0.0, 0.0), plane="xy" if dim == 2 else None)
    m.add_body("arm", bl.rod(at(dim, 0, 0), at(dim, 2, 0), mass=3.0), coordinates=kind)
    m.add_joint("hinge", bl.Pin() if dim == 2 else bl.Revolute(axis="z"), m.ground, "arm", at=at(dim, 0, 0))
    return m


TURN = bl.Polynomial((0.0, 1.0, 2.0, -0.5))


@KINDS
def test_torque_of_an_imposed_rotation(dim, kind):
    """I θ̈ about the hinge with I = m L²/3 = 4."""
    m = driven(dim, kind)
    m.add_joint("motor", bl.ImposedRotation(angle=TURN), m.ground, "arm", at=at(dim, 0, 0))
    run = m.simulate(1.0, SOLVER, samples=21)
    motor = run["motor"]
    np.testing.assert_allclose(motor.output, 4.0 * TURN.acceleration(run.time), atol=1e-8)
    np.testing.assert_allclose(motor.angular_velocity, TURN.rate(run.time), atol=1e-9)
    np.testing.assert_allclose(motor.angular_acceleration, TURN.acceleration(run.time), atol=1e-8)
    moment = motor.moment() if dim == 2 else motor.moment()[:, 2]
    np.testing.assert_allclose(motor.output, moment, atol=1e-12)
    assert run.table("motor").columns == ["time", "motor.output"]
    assert run.table("motor").units["motor.output"] == "N·m"


@pytest.mark.parametrize("dim", [2, 3])
def test_force_of_an_imposed_translation(dim):
    """m s̈, and m g where gravity is against it."""
    m = bl.Mechanism(at(dim, -9.81, 0.0), plane="xy" if dim == 2 else None)
    m.add_body("block", bl.box((0.1,) * dim, mass=2.0))
    m.add_joint("slide", bl.Slider(direction="x") if dim == 2 else bl.Prismatic(axis="x"), m.ground, "block", at=at(dim, 0, 0))
    m.add_joint("drive", bl.ImposedTranslation(displacement=TURN), m.ground, "block", at=at(dim, 0, 0))
    run = m.simulate(1.0, SOLVER, samples=21)
    np.testing.assert_allclose(run["drive"].output, 2.0 * (9.81 + TURN.acceleration(run.time)), atol=1e-8)
    np.testing.assert_allclose(run["drive"].velocity[:, 0 if dim == 2 else 2], TURN.rate(run.time), atol=1e-9)
    assert run.table("drive").units["drive.output"] == "N"


def test_all_are_in_the_table_with_their_units():
    units = arm_with_slide(2, "planar").simulate(0.1, samples=3).table().units
    expected = {
        "hinge.angle": "rad",
        "hinge.angular_velocity": "rad/s",
        "hinge.angular_acceleration": "rad/s²",
        "slide.displacement.x": "m",
        "slide.velocity.x": "m/s",
        "slide.acceleration.x": "m/s²",
        "spring.length": "m",
        "spring.length_rate": "m/s",
        "coil.angle": "rad",
        "coil.angular_velocity": "rad/s",
        "buffer.displacement": "m",
        "buffer.velocity": "m/s",
    }
    assert {name: units[name] for name in expected} == expected
    assert "slide.angle" not in units
    assert "hinge.velocity.x" not in units


def test_many_turns_of_a_force_in_a_hinge():
    m = driven(2, "planar")
    m.add_joint("motor", bl.ImposedRotation(angle=bl.Polynomial((0.0, 30.0))), m.ground, "arm", at=(0, 0))
    m.add_force("coil", bl.TorsionSpring(stiffness=2.0), joint="hinge")
    run = m.simulate(2.0, SOLVER, samples=11)  # a turn and a half between samples
    np.testing.assert_allclose(run["coil"].angle, 30.0 * run.time, atol=1e-7)


def test_joints_without_them_say_so():
    run = arm_with_slide(2, "planar").simulate(0.1, samples=3)
    assert not hasattr(run["hinge"], "output")
    assert not hasattr(run["spring"], "angle")
    m = driven(2, "planar")
    m.add_body("wheel", bl.disc(0.1, mass=1.0), position=(1, 0))
    m.add_joint("axle", bl.Pin(), "arm", "wheel", at=(1, 0))
    m.add_joint("gear", bl.Gear(ratio=2.0), "hinge", "axle")
    run = m.simulate(0.1, samples=3)
    for name in ("angular_velocity", "acceleration"):
        with pytest.raises(DescriptionError, match="couples the joints 'hinge' and 'axle'"):
            getattr(run["gear"], name)


def test_live_sessions_and_timelines_know_them():
    live = arm_with_slide(2, "planar").live()
    live.advance(0.2)
    live.add_body("late", bl.disc(0.1, mass=1.0), position=(5, 5))
    live.advance(0.2)
    run = live.result()
    for component, quantity in (("hinge", "angular_velocity"), ("spring", "length"), ("coil", "angle"), ("buffer", "velocity")):
        assert getattr(live[component], quantity) == getattr(run[component], quantity)[-1]
        assert len(getattr(run[component], quantity)) == len(run)
