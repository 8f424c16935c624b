"""Watched angles are counted over turns, however many of them there are in a step, with every solver."""

import math

import numpy as np
import pytest

import bielle as bl
from bielle.errors import AccuracyWarning, DescriptionError, SimulationError
from bielle.model.watches import AngleWatch, DirectionWatch

SOLVERS = {
    "adaptive": bl.Central(),
    "recursive": bl.Recursive(),
    "rk4": bl.Central(integrator="rk4", step=0.05),
    "recursive rk4": bl.Recursive("rk4", step=0.05),
    "newmark": bl.Central("index3", "newmark", step=0.05),
    "modular": bl.Modular(step=0.05),
    "explicit": bl.Modular("explicit", step=0.05),
}
every_solver = pytest.mark.parametrize("solver", SOLVERS.values(), ids=SOLVERS)
RATE = 400.0  # [rad/s]: 1.3 turns in the longest step while something is awaited, 3.2 in the fixed steps


def wheel(rate=RATE, dim=2, coordinates=None):
    """Of 1 kg·m²."""
    m = bl.Mechanism(plane="xy", gravity=(0, 0)) if dim == 2 else bl.Mechanism(gravity=(0, 0, 0))
    shape = bl.disc(0.5, mass=8.0) if dim == 2 else bl.box((1.0, 1.0, 0.1), mass=6.0)
    m.add_body("wheel", shape, angular_velocity=rate if dim == 2 else (0, 0, rate), coordinates=coordinates)
    m.add_joint("axle", bl.Pin() if dim == 2 else bl.Revolute(axis="z"), m.ground, "wheel", at=(0,) * dim)
    return m


@every_solver
@pytest.mark.parametrize("rate", [RATE, -RATE])
def test_a_simulation_ends_at_an_angle_of_many_turns(solver, rate):
    """A steady rate is exact for all methods, up to rounding of the sum of steps."""
    word = ("axle.angle", "above", 50.0) if rate > 0 else ("axle.angle", "below", -50.0)
    run = wheel(rate).simulate(1.0, solver, until=word)
    assert run.time[-1] == pytest.approx(50.0 / RATE, abs=1e-12)
    assert run["axle"].angle[-1] == pytest.approx(math.copysign(50.0, rate), abs=1e-9)


@every_solver
@pytest.mark.parametrize("quantity", ["axle.angle", "wheel.angle"])
def test_an_event_of_a_session_counts_from_where_its_history_begins(solver, quantity):
    live = wheel().live(solver)
    seen = []
    live.advance(0.05)  # 20 rad
    live.when(quantity, lambda live: seen.append(live.time), crosses=50.0)
    live.when(quantity, lambda live: seen.append(live.time), rises=10.0)  # it is beyond already
    for _ in range(4):
        live.advance(0.05)
    assert seen == [pytest.approx(50.0 / RATE, abs=1e-12)]


@pytest.mark.parametrize(("dim", "coordinates"), [(2, "planar"), (2, "bar"), (3, "spatial"), (3, "natural")])
def test_angles_between_bodies_are_counted_by_sessions_too(dim, coordinates):
    """A quarter of a turn more for a direction that is across."""
    e1, e2 = (tuple(e) for e in np.eye(3)[:2, :dim])
    live = wheel(dim=dim, coordinates=coordinates).live()
    seen = {}
    live.advance(0.05)
    live.when(AngleWatch(body="wheel"), lambda live: seen.setdefault("angle", live.time), crosses=50.0)
    across = DirectionWatch(body="wheel", along=e2, first=e1, second=e2)
    live.when(across, lambda live: seen.setdefault("direction", live.time), crosses=50.0 + np.pi / 2)
    live.advance(0.01)
    live.advance(0.3)
    assert seen == {name: pytest.approx(50.0 / RATE, abs=1e-9) for name in ("angle", "direction")}


@every_solver
@pytest.mark.parametrize("rate", [RATE, -RATE])
def test_every_turn_crosses_however_many_there_are_in_a_step(solver, rate):
    """The first crossings; several in one step are found one after the other."""
    live = wheel(rate).live(solver)
    seen = []
    live.when("axle.angle", lambda live: seen.append(live.time), crosses=1.0 + 4 * np.pi, once=False, every_turn=True)
    live.advance(0.1)
    first = 1.0 if rate > 0 else 2 * np.pi - 1.0
    assert seen == pytest.approx(np.arange(first, 0.1 * RATE, 2 * np.pi) / RATE, abs=1e-11)


def test_long_steps_in_which_the_rate_changes_are_divided():
    """θ = 50 t⁴: θ̇ = 200 t³; nothing limits the step but the turns, and the method is exact."""
    m = wheel(rate=0.0)
    m.add_force("torque", bl.Torque(bl.Polynomial([0.0, 0.0, 600.0])), "wheel")
    live = m.live()
    seen = []
    live.when("axle.angle", lambda live: seen.append(live.time), crosses=50.0 * 1.5**4, resolution=10.0)
    live.advance(2.0)
    assert seen == [pytest.approx(1.5, abs=1e-9)]


def test_fixed_steps_in_which_turns_cannot_be_counted_name_the_event():
    """Steps of 0.02 s, in which the trapezoidal rule is off by up to h³ θ⃛/12 = 2 rad."""
    m = wheel(rate=0.0)
    m.add_force("torque", bl.Torque(bl.Harmonic(amplitude=1e5, frequency=5.0)), "wheel")
    with pytest.raises(SimulationError, match="The turns of the angle that is watched by 'axle.angle above 10000'"):
        m.simulate(1.0, bl.Central(integrator="rk4", step=0.1), until=("axle.angle", "above", 1e4))


def test_every_turn_is_for_angles():
    live = wheel().live()
    with pytest.raises(DescriptionError, match="every_turn is for angles"):
        live.when("wheel.position.x", crosses=1.0, every_turn=True)
    with pytest.raises(DescriptionError, match="every_turn needs an angle by name"):
        live.when(lambda live: 0.0, crosses=1.0, every_turn=True)


# -- results


@pytest.mark.parametrize(("dim", "coordinates"), [(2, "planar"), (2, "bar"), (3, "spatial"), (3, "natural")])
def test_results_count_turns_between_coarse_samples(dim, coordinates):
    """θ = 10 t + t³: from one sample to the next up to 175 turns. The trapezoidal rule is off by h³/2, 80 turns; with α it is exact."""
    m = wheel(rate=10.0, dim=dim, coordinates=coordinates)
    torque = bl.Polynomial([0.0, 6.0])
    m.add_force("torque", bl.Torque(torque if dim == 2 else (0.0, 0.0, torque)), "wheel")
    for samples in (2, 3, 11):
        run = m.simulate(10.0, samples=samples)
        exact = 10.0 * run.time + run.time**3
        assert np.abs(run["axle"].angle - exact).max() <= 1e-6 * exact[-1]
        if dim == 2:
            assert np.abs(run["wheel"].angle - exact).max() <= 1e-6 * exact[-1]


def test_results_say_where_turns_cannot_be_counted():
    """The wheel is fast and slow again between two samples, 0.7 of a period apart. By chance, angles may be near to what is expected."""
    m = wheel(rate=0.0)
    m.add_force("torque", bl.Torque(bl.Harmonic(amplitude=1e4, frequency=2.0)), "wheel")
    run = m.simulate(1.4, samples=5)
    with pytest.warns(AccuracyWarning, match=r"joint 'axle': between the samples at t = 0 s and 0.35 s.*Take more samples"):
        assert run["axle"].angle.shape == (5,)


def test_a_blow_between_samples_is_no_reason_for_a_warning_where_nothing_turns_far():
    """A pendulum of 1 kg·m² at a stop: accelerations of 10⁴ rad/s², which change within a sample, and rates of 3 rad/s."""
    m = wheel(rate=3.0)
    m.add_force("stop", bl.AngleLimit(lower=-0.2, upper=0.2, stiffness=1e5), joint="axle")
    run = m.simulate(2.0, samples=201)
    assert np.abs(run["axle"].angle).max() <= 0.2 + 3.0 / math.sqrt(1e5) + 1e-6
