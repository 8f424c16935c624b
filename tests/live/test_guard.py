"""Live sessions speak up as simulations do, and cost nothing where all is well."""

import pytest

import bielle as bl
from bielle.errors import AccuracyError, AccuracyWarning, SimulationError
from bielle.examples import double_pendulum

from ..solvers.test_guard import beside_something_heavy

COARSE = bl.Central(integrator="hht", step=0.1)


def test_a_session_says_that_it_is_not_accurate():
    live = double_pendulum.build().live(COARSE)
    with pytest.warns(AccuracyWarning, match=r"balance of energy is off by .*smaller step than 0.1 s.*\(At t = "):
        live.advance(3.0)
    live.advance(1.0)  # it is said once
    assert "balance of energy" in repr(live)
    run = live.result()
    assert run.info["status"] == "inaccurate"
    assert "balance of energy" in repr(run)


def test_a_light_part_is_not_hidden_by_a_heavy_one():
    live = beside_something_heavy(bl.Mechanism(plane="xy")).live(bl.Central(integrator="rk4", step=0.004))  # loses 4e-4 a step
    live.advance(0.04)
    live.set("heavy", mass=101.0)  # what the other part has lost stays lost
    with pytest.warns(AccuracyWarning, match="balance of energy of what body 'wheel' belongs to"):
        live.advance(0.4)
    assert live.result().info["status"] == "inaccurate"


@pytest.mark.parametrize("solver", [bl.Central(), bl.Recursive(), bl.Central(integrator="rk4", step=1e-3), bl.Modular(step=1e-4)])
def test_parts_are_not_suspected(solver):
    """Nor when they are connected and cut again, with a damper in one of them."""
    m = beside_something_heavy(bl.Mechanism(plane="xy"))
    m.add_body("free", bl.disc(radius=0.1, mass=1e-3), position=(0, 5), velocity=(1, 1))
    live = m.live(solver)
    live.advance(0.1)
    live.add_force("string", bl.Spring(stiffness=1e-3, damping=1e-3), "heavy", "wheel", at_a=(0, 0), at_b=(0, 0))
    live.advance(0.1)
    live.remove("string")
    live.advance(0.1)
    assert live.result().info["status"] == "live"


def test_a_strict_session_raises_and_can_go_on():
    live = double_pendulum.build().live(COARSE, strict=True)
    with pytest.raises(AccuracyError, match="The session stands there"):
        live.advance(3.0)
    time = live.time
    assert time > 0.0
    live.set_gravity((0.0, 0.0))
    live.step()
    assert live.time > time
    assert live.replay().state.q.tolist() == live.state.q.tolist()


@pytest.mark.parametrize(
    "solver", [bl.Central(), bl.Recursive(), bl.Central(integrator="rk4", step=1e-3), bl.Central(integrator="hht", step=1e-3), bl.Modular()]
)
def test_whole_periods_and_edits_are_not_suspected(solver):
    """After a whole period nothing has changed but by errors; an edit changes energies at once, and is no error."""
    m = bl.Mechanism(plane="xy", gravity=(0, 0))
    m.add_body("box", bl.box((1, 1), mass=1.0), position=(0.5, 0.0))
    m.add_force("spring", bl.Spring(stiffness=39.4784176, length=0.0), m.ground, "box", at_a=(0, 0), at_b=(0.5, 0.0))
    live = m.live(solver)
    for _ in range(3):
        live.advance(1.0)
    live.push("box", force=(0.0, 5.0), duration=0.1)
    live.advance(1.0)
    live.undo()
    live.advance(0.5)
    assert live.result().info["status"] == "live"


def test_a_dead_centre_ends_an_advance_at_the_last_good_step():
    m = bl.Mechanism(plane="xy", gravity=(0, 0))
    places = [(0, 0), (0, 1), (1.2, 1.2), (1.5, 0)]
    for k, name in enumerate(("crank", "coupler", "rocker")):
        m.add_body(name, bl.rod(places[k], places[k + 1], mass=1.0))
    for name, a, b, k in (
        ("A", "ground", "crank", 0),
        ("B", "crank", "coupler", 1),
        ("C", "coupler", "rocker", 2),
        ("D", "rocker", "ground", 3),
    ):
        m.add_joint(name, bl.Pin(), a, b, at=places[k])
    m.add_joint("motor", bl.ImposedRotation(angle=bl.Polynomial(coefficients=(0.0, 2.0))), "ground", "crank", at=places[0])
    for solver in (None, bl.Central(integrator="rk4", step=1e-3), bl.Recursive("rk4", step=1e-3)):
        live = m.live(solver)
        with pytest.raises(SimulationError, match="imposed motion of 'motor'.*stands at the last good step"):
            live.advance(1.0)
        assert live.now.violation.max() < 1e-6  # at which a run gives up
        live.remove("motor")
        live.advance(0.2)


@pytest.mark.parametrize("height", [0.0, 100.0, -1e4])
def test_it_does_not_matter_where_the_origin_is(height):
    m = bl.Mechanism(plane="xy")
    m.add_body("rod", bl.rod((0, height), (1, height), mass=1.0))
    m.add_joint("pivot", bl.Pin(), m.ground, "rod", at=(0, height))
    with pytest.warns(AccuracyWarning, match="balance of energy is off by 0.1"):
        m.live(COARSE).advance(3.0)
    m.live().advance(3.0)  # without a warning
