"""Screws: a nut that runs down a thread, a jack, a screw that turns in a nut that cannot; closed formulas, and turns without end."""

import math

import numpy as np
import pytest

import bielle as bl
from bielle.errors import DescriptionError, FileError

MASS, INERTIA, GRAVITY = 0.4, 3e-4, 9.81  # kg, kg m² about the screw, m/s²


def stabilised(formulation):
    """A slow stabilisation, where there is one: ω h must be small for the method to be in its asymptotic range."""
    return {} if formulation in ("projected", "index3") else {"omega": 10.0}


def acceleration(pitch, inertia=INERTIA):
    """Of a nut on a screw at rest. It turns by θ = 2πd/p as it moves by d: (m + I (2π/p)²) d̈ = m g."""
    return GRAVITY / (1.0 + inertia / MASS * (2 * math.pi / pitch) ** 2)


def nut(pitch, axis=(0.0, 0.0, 1.0), coordinates=None):
    """A nut with equal inertias about all axes on a screw fixed to the ground, gravity along −axis."""
    n = np.array(axis) / np.linalg.norm(axis)
    m = bl.Mechanism(gravity=-GRAVITY * n)
    m.add_body("nut", bl.rigid(MASS, (0, 0, 0), (INERTIA,) * 3), coordinates=coordinates)
    m.add_joint("thread", bl.Helical(axis=axis, pitch=pitch), m.ground, "nut", at=(0, 0, 0))
    return m, n


@pytest.mark.parametrize("coordinates", ["spatial", "natural"])
@pytest.mark.parametrize("pitch", [0.1, -0.05, 0.3])
def test_a_nut_runs_down_its_screw(pitch, coordinates):
    """Uniformly accelerated, its angle in proportion, right-handed for a positive pitch."""
    m, n = nut(pitch, (1.0, -2.0, 2.0), coordinates)
    report = m.report()
    assert (report.degrees_of_freedom, report.redundancies) == (1, [])
    run = m.simulate(1.5, bl.Central(rtol=1e-10, atol=1e-12))
    d = -0.5 * acceleration(pitch) * run.time**2
    turns = d / pitch
    assert abs(turns[-1]) > 3.0
    np.testing.assert_allclose(run["nut"].position, d[:, None] * n, atol=1e-8)
    np.testing.assert_allclose(run["thread"].displacement, d[:, None] * [0, 0, 1], atol=1e-8)
    np.testing.assert_allclose(run["thread"].angle, 2 * math.pi * turns, atol=1e-6)
    spin = 2 * math.pi / pitch * -acceleration(pitch) * run.time
    np.testing.assert_allclose(run["nut"].angular_velocity, spin[:, None] * n, atol=1e-6)
    assert run.violation.max() < 1e-10
    assert np.abs(run.energy.balance).max() < 1e-9 * run.energy.scale
    # on b: the thread carries what does not accelerate, and turns the nut
    np.testing.assert_allclose(run["thread"].force() @ n, MASS * (GRAVITY - acceleration(pitch)), rtol=1e-8)
    np.testing.assert_allclose(run["thread"].moment() @ n, -INERTIA * 2 * math.pi / pitch * acceleration(pitch), rtol=1e-8)


def test_turns_are_counted_without_end():
    """More than a hundred turns of a fine thread: the angle that belongs to the position is never lost, though nothing remembers it."""
    m, _ = nut(0.01)
    run = m.simulate(8.0, samples=20001)
    d = -0.5 * acceleration(0.01) * run.time**2
    assert abs(d[-1] / 0.01) > 100
    np.testing.assert_allclose(run["nut"].position[:, 2], d, atol=1e-6)
    np.testing.assert_allclose(run["thread"].angle, 2 * math.pi * run["nut"].position[:, 2] / 0.01, atol=1e-6)
    assert run.violation.max() < 1e-10
    assert np.abs(run.energy.balance).max() < 1e-7 * run.energy.scale


def lag(solver):
    """Largest error of a nut in half a second, in which it makes six turns."""
    m, _ = nut(0.1)
    run = m.simulate(0.5, solver)
    return np.abs(run["nut"].position[:, 2] + 0.5 * acceleration(0.1) * run.time**2).max()


@pytest.mark.parametrize("formulation", ["projected", "baumgarte", "augmented"])
def test_rk4_keeps_its_order(formulation):
    coarse, fine = (lag(bl.Central(formulation, integrator="rk4", step=step, **stabilised(formulation))) for step in (2e-3, 1e-3))
    assert math.log2(coarse / fine) > 3.8


@pytest.mark.parametrize("integrator", ["newmark", "hht", "generalized-alpha"])
def test_implicit_methods_are_exact(integrator):
    """Newton's iteration converges in spite of the turns, and for a constant acceleration these methods have no error."""
    assert lag(bl.Central("index3", integrator=integrator, step=1e-3)) < 1e-13


def test_modular_solution():
    assert lag(bl.Modular(step=1e-3)) < 1e-9


def jack(pitch):
    """A screw that turns in a bearing and lifts a table on rails: a loop, in which the rails and the thread say some things twice."""
    m = bl.Mechanism(gravity=(0, 0, -GRAVITY))
    m.add_body("screw", bl.cylinder((0, 0, 0), (0, 0, 0.5), 0.02, mass=1.0))
    m.add_body("table", bl.box((0.3, 0.3, 0.05), mass=20.0), position=(0, 0, 0.1))
    m.add_joint("bearing", bl.Revolute(axis="z"), m.ground, "screw", at=(0, 0, 0))
    m.add_joint("rails", bl.Prismatic(axis="z"), m.ground, "table", at=(0.2, 0, 0.1))
    m.add_joint("thread", bl.Helical(axis="z", pitch=pitch), "screw", "table", at=(0, 0, 0.1))
    return m


def test_a_jack_lifts_by_a_pitch_per_turn():
    """The table does not turn, so that it goes up where the screw turns backwards under it; torque · 2π = force · pitch."""
    pitch = 0.02
    m = jack(pitch)
    assert m.report().degrees_of_freedom == 1
    m.add_joint("crank", bl.ImposedRotation(angle=bl.Polynomial(coefficients=(0.0, -20.0, -3.0))), m.ground, "screw", at=(0, 0, 0))
    run = m.simulate(2.0)
    angle = -20.0 * run.time - 3.0 * run.time**2
    np.testing.assert_allclose(run["table"].position[:, 2], 0.1 - pitch * angle / (2 * math.pi), atol=1e-9)
    lift = 20.0 * (GRAVITY + pitch / (2 * math.pi) * 6.0)
    np.testing.assert_allclose(run["thread"].force(on="table")[:, 2], lift, rtol=1e-8)
    spin_up = 0.5 * 1.0 * 0.02**2 * -6.0
    np.testing.assert_allclose(run["crank"].moment(on="screw")[:, 2], -lift * pitch / (2 * math.pi) + spin_up, rtol=1e-8)
    assert run.violation.max() < 1e-10


def test_a_motor_in_the_thread_holds_the_nut():
    """A motor in the joint turns b about the axis of the thread: the torque m g p/2π keeps the nut where it is."""
    m, _ = nut(0.1)
    m.add_force("hold", bl.Motor(feedforward=MASS * GRAVITY * 0.1 / (2 * math.pi)), joint="thread")
    run = m.simulate(2.0)
    np.testing.assert_allclose(run["nut"].position, 0.0, atol=1e-12)


@pytest.mark.parametrize("turn", [-2, 1, 3])
def test_a_thread_fits_again_a_pitch_further_on(turn):
    """Described whole turns away and a little off, the nut is assembled there, not screwed back to where the points meet."""
    m = bl.Mechanism(gravity=(0, 0, 0))
    m.add_body("nut", bl.rigid(MASS, (0, 0, 0), (INERTIA,) * 3), position=(0, 0, 0.1 * turn + 0.01))
    m.add_joint("thread", bl.Helical(pitch=0.1), m.ground, "nut", at_a=(0, 0, 0), at_b=(0, 0, 0))
    run = m.simulate(0.1)
    d, angle = run["thread"].displacement[0, 2], run["thread"].angle[0]
    assert abs(d - 0.1 * turn) < 0.05
    assert abs(angle) < math.pi
    assert d - 0.1 * turn == pytest.approx(0.1 * angle / (2 * math.pi), abs=1e-12)


def test_a_screw_live_and_in_a_file():
    m, _ = nut(0.1)
    again = bl.mechanism.files.loads(bl.mechanism.files.dumps(m))
    assert again.joints == m.joints
    live = m.live()
    live.advance(1.0)
    before = live["nut"].velocity
    live.remove("thread")
    live.advance(0.5)
    assert live["nut"].velocity[2] == pytest.approx(before[2] - 0.5 * GRAVITY, rel=1e-9)  # off the thread it falls freely


@pytest.mark.parametrize(
    ("pitch", "message"),
    [
        (0.0, r"joint 'thread': the pitch must not be zero, got 0\.0\. For what turns without sliding use Revolute\."),
        (1e-15, r"joint 'thread': the pitch must not be zero, got 1e-15\. .* use Revolute"),
        (math.inf, r"joint 'thread': the pitch must be finite, got inf\. For what slides without turning use Prismatic\."),
        (-math.inf, r"joint 'thread': the pitch must be finite, got -inf\. .* use Prismatic"),
        (math.nan, r"joint 'thread': the pitch must be finite, got nan\. Check how it was computed"),
        ("fine", r"joint 'thread': the pitch must be a number, got 'fine'"),
    ],
)
def test_what_is_no_screw(pitch, message):
    m = bl.Mechanism()
    m.add_body("nut", bl.sphere(0.1, mass=1.0))
    with pytest.raises(DescriptionError, match=message):
        m.add_joint("thread", bl.Helical(pitch=pitch), m.ground, "nut", at=(0, 0, 0))
    assert not m.joints


def test_a_file_with_a_pitch_of_zero_is_refused():
    m, _ = nut(0.1)
    text = bl.mechanism.files.dumps(m).replace("pitch: 0.1", "pitch: 0.0")
    with pytest.raises(FileError, match=r"joint 'thread': the pitch must not be zero"):
        bl.mechanism.files.loads(text)
