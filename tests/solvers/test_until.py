"""Simulations that end when something happens: the instant against closed forms, for all families of solvers."""

import numpy as np
import pytest

import bielle as bl
from bielle.errors import DescriptionError, NamingError

G = 9.81
SOLVERS = [
    bl.Central(),
    bl.Central(integrator="rk4", step=1e-3),
    bl.Central(integrator="hht", step=1e-3),
    bl.Recursive(),
    bl.Modular(step=1e-3),
]


def falling(speed=0.0):
    m = bl.Mechanism(plane="xy", gravity=(0, -G))
    m.add_body("ball", bl.disc(0.1, mass=1.0), position=(0, 2), velocity=(1.0, speed))
    return m


@pytest.mark.parametrize("solver", SOLVERS, ids=lambda s: type(s).__name__ + str(getattr(s, "integrator", "")))
def test_a_fall_ends_at_the_floor(solver):
    """√(2h/g); of a parabola all methods are exact, or of second order with an error of g h²/12 at most."""
    run = falling().simulate(10.0, solver, until=("ball.position.y", "below", 0.0))
    assert run.time[-1] == pytest.approx(np.sqrt(4 / G), rel=1e-6)
    assert run["ball"].position[-1, 1] == pytest.approx(0.0, abs=1e-9)
    assert run.info["event"] == f"ball.position.y below 0 at {run.time[-1]:.6g} s"
    assert run.info["status"] == "finished"
    assert (np.diff(run.time) > 0).all()


def test_the_default_solver_finds_the_instant_to_rounding():
    run = falling().simulate(10.0, until=("ball.position.y", "below", 0.0))
    assert run.time[-1] == pytest.approx(np.sqrt(4 / G), rel=1e-12)
    np.testing.assert_array_equal(run.time[:-1], np.linspace(0, 10, 501)[: len(run) - 1])


@pytest.mark.parametrize(
    ("until", "time"),
    [
        (("ball.position.y", "turns", "max"), 3.0 / G),
        (("ball.position.y", "falls", 2.0), 6.0 / G),
        (("ball.position.y", "crosses", 2.1), 3.0 / G - np.sqrt((3.0 / G) ** 2 - 0.2 / G)),
        (("ball.position.x", "above", 0.25), 0.25),
        (("energy.kinetic", "rises", 10.0), (3.0 + np.sqrt(19.0)) / G),
        ([("ball.position.x", "above", 0.3), ("ball.position.y", "turns", "max")], 0.3),
    ],
)
def test_words(until, time):
    run = falling(3.0).simulate(5.0, until=until)
    assert run.time[-1] == pytest.approx(time, rel=1e-9)


def test_a_joint_and_a_force():
    m = bl.Mechanism(plane="xy", gravity=(0, -G))
    m.add_body("rod", bl.rod((0, 0), (1, 0), mass=1.0))
    m.add_joint("hinge", bl.Pin(), m.ground, "rod", at=(0, 0))
    m.add_force("spring", bl.Spring(stiffness=5.0), m.ground, "rod", at_a=(0, 1), at_b=(0.5, 0))
    run = m.simulate(5.0, until=("hinge.angle", "below", -0.5))
    assert run["hinge"].angle[-1] == pytest.approx(-0.5, abs=1e-9)
    run = m.simulate(5.0, until=("spring.output", "above", 1.0))
    assert run["spring"].output[-1] == pytest.approx(1.0, abs=1e-8)


def test_what_does_not_happen_does_not_end_it():
    run = falling().simulate(0.5, until=("ball.position.y", "below", -5.0))
    assert run.time[-1] == 0.5
    assert run.info["event"] is None
    assert "event" not in falling().simulate(0.5).info


def test_a_limit_that_is_exceeded_at_the_start():
    run = falling().simulate(1.0, until=("ball.position.y", "below", 3.0))
    assert run.time.tolist() == [0.0]
    assert run.info["event"] == "ball.position.y below 3 at the start"
    assert falling().simulate(1.0, until=("ball.position.y", "falls", 3.0)).time[-1] == 1.0


def test_results_that_ended_early_are_saved_and_plotted(tmp_path):
    run = falling().simulate(10.0, until=("ball.position.y", "below", 0.0))
    again = bl.load_result(run.save(tmp_path / "run.npz"))
    np.testing.assert_array_equal(again["ball"].position, run["ball"].position)
    assert run.plot("ball", path=tmp_path / "p.png").exists()


@pytest.mark.parametrize(
    ("until", "error", "message"),
    [
        ("ball.position.y", DescriptionError, r"until must be \(quantity, word, value\)"),
        (("ball.position.y", "under", 0.0), DescriptionError, "crosses, rises, falls, above, below, turns"),
        (("ball.position.y", "below", "zero"), DescriptionError, "below"),
        (("bal.position.y", "below", 0.0), NamingError, "ball.position.y"),
    ],
)
def test_what_makes_no_condition(until, error, message):
    with pytest.raises(error, match=message):
        falling().simulate(1.0, until=until)


def test_methods_of_scipy_cannot_be_stopped():
    with pytest.raises(DescriptionError, match="until needs a method that can stop at any step"):
        falling().simulate(1.0, bl.Central(integrator="RK45"), until=("ball.position.y", "below", 0.0))
