"""The published problems: models, readings, and the numbers themselves."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import bielle as bl
from bielle import validation
from bielle.errors import NamingError, SimulationError
from bielle.validation import _problem, andrews, car_axis, n_four_bar_a02, pendulum_a01, rotspring_case01, slider_crank_torque
from bielle.validation._problem import Quantity, compare, converged, printed, published, table

QUICK = [name for name in validation.names() if validation.get(name).quick]
LONG = [name for name in validation.names() if name not in QUICK]
JUDGED = [way for way in validation.WAYS if way != "modular"]
FREEDOM = {
    "pendulum_a01": 2,  # the bob may spin
    "n_four_bar_a02": 1,
    "double_four_bar_a02": 1,
    "flyball_governor_a05": 4,
    "andrews": 1,
    "car_axis": 4,  # both masses may spin
    "slider_crank_torque": 1,
    "slider_crank_sundials": 1,
    "heavy_top": 3,
    "revolute_case02": 1,
    "spherical_case02": 3,
    "transpring_case02": 6,
    "rotspring_case01": 1,
}


def assert_met(outcome):
    assert outcome.comparisons
    assert outcome.held
    assert not outcome.missed, [f"{c.quantity.name}: {c.difference:.2e}, may be {c.tolerance:.1e}" for c in outcome.comparisons if not c.ok]


# -- what there is


def test_every_file_is_registered_and_says_where_it_comes_from():
    folder = Path(validation.__file__).parent
    files = {path.stem: path.read_text() for path in folder.glob("*.py") if not path.stem.startswith("_")}
    assert set(files) == set(validation.names())
    assert [name for name, text in files.items() if "Source" not in text] == []


def test_an_unknown_name_is_refused_with_the_nearest_one():
    with pytest.raises(NamingError, match="no validation named 'andrew'. Did you mean 'andrews'"):
        validation.get("andrew")


@pytest.mark.parametrize("name", validation.names())
def test_models_fit_together_as_described(name):
    report = validation.get(name).build().report()
    assert report.ok
    assert report.degrees_of_freedom == FREEDOM[name]


@pytest.mark.parametrize("name", validation.names())
def test_every_quantity_says_why_its_tolerance_is_what_it_is(name):
    problem = validation.get(name)
    assert problem.title
    assert problem.source
    for quantity in problem.quantities:
        assert quantity.why
        assert quantity.times.shape == quantity.reference.shape == quantity.tolerance.shape
        assert np.all(quantity.tolerance > 0)
        assert np.all((quantity.times >= 0) & (quantity.times <= problem.duration))
    names = [quantity.name for quantity in problem.quantities]
    assert len(set(names)) == len(names)


# -- the numbers


@pytest.mark.parametrize("way", JUDGED)
@pytest.mark.parametrize("name", QUICK)
def test_numbers_are_met(name, way):
    assert_met(validation.run(name, way))


def test_forty_four_bars_are_followed_through_their_singular_positions():
    assert_met(validation.run("n_four_bar_a02"))


@pytest.mark.slow
@pytest.mark.parametrize("way", JUDGED)
@pytest.mark.parametrize("name", LONG)
def test_long_ones_are_met(name, way):
    assert_met(validation.run(name, way))


def test_the_governor_begins_as_published():
    """The first half second, of five thousand steps."""
    problem = validation.get("flyball_governor_a05")
    early = tuple(
        replace(q, times=q.times[q.times <= 0.5], reference=q.reference[q.times <= 0.5], tolerance=q.tolerance[q.times <= 0.5])
        for q in problem.quantities
    )
    assert_met(_problem.run("governor", replace(problem, duration=0.5, quantities=early)))


def test_the_modular_solver_is_of_second_order_and_only_shown():
    problem = validation.get("pendulum_a01")
    coarse, fine = (_problem.run("pendulum", replace(problem, step=h), "modular") for h in (2e-3, 1e-3))
    assert not coarse.held
    assert coarse.missed == []
    assert coarse.worst / fine.worst == pytest.approx(4.0, rel=0.05)


# -- references that are computed, against the digits others have found for them


def test_the_exact_pendulum_has_the_known_digits():
    known = table("1 0.986291751132 -0.165010853126 | 5 -0.942305435044 -0.334754338414 | 10 -0.275087462576 -0.961419205099")
    assert pendulum_a01.exact(known[0]) == pytest.approx(known[1:], abs=1e-12)


def test_the_equation_of_the_four_bars_has_the_known_digits():
    two, forty = (n_four_bar_a02.exact(n, np.array([1.0, 5.0, 10.0])) for n in (2, 40))
    assert two[:, 2] == pytest.approx([0.328458111536, 0.944518538180, 1.423051470196, -0.494868845475], abs=1e-10)
    assert two[:2, :2].T.ravel() == pytest.approx([-0.195020301950, -0.980799205662, -0.811310461003, -0.584615545352], abs=1e-10)
    assert forty[:2, 1:].T.ravel() == pytest.approx([-0.540190050672, -0.841543052467, 0.180512226684, 0.983572740583], abs=1e-10)


def test_lagrange_s_equation_of_the_slider_crank_has_the_known_digits():
    known = table("0.3 1.452798823 6.437745628 0.294859987 | 1.0 14.127892219 20.537482869 0.283771692")
    assert slider_crank_torque.exact(known[0]) == pytest.approx(known[1:], abs=2e-8)


def test_tables_that_are_less_exact_than_printed_are_so_by_what_their_tolerance_says():
    """Otherwise a larger tolerance would only hide an error of ours."""
    four_bars = np.abs(n_four_bar_a02.exact(40, n_four_bar_a02.TIMES)[:2] - n_four_bar_a02.PLACES).max()
    spring = np.abs(rotspring_case01.exact(rotspring_case01.TIMES) - rotspring_case01.COLUMNS)[1].max()
    for off, tolerance in ((four_bars, n_four_bar_a02.OFF), (spring, rotspring_case01.OFF)):
        assert 1e-6 < off < tolerance < 1.5 * off
    *printed_numbers, angle, rate = slider_crank_torque.COLUMNS
    off = np.abs(slider_crank_torque.exact(slider_crank_torque.TIMES)[:2] - printed_numbers)
    assert np.all(off < [angle, rate])
    assert np.all(off > np.array([angle, rate]) / 2)


def test_the_reference_of_andrews_has_other_accelerations_than_its_own_state():
    """A mechanism put where the reference ends, with its velocities: what the equations give there is not what is printed."""
    angles, rates, seconds = (dict(zip(andrews.ANGLES, row)) for row in table(andrews.AT_END))
    run = andrews.build(angles, rates).simulate(1e-9, samples=2)
    off = [abs(andrews.angle(name, "angular_acceleration")(run)[0] - seconds[name]) for name in andrews.ANGLES]
    assert abs(np.array([andrews.angle(n, "angular_velocity")(run)[0] - rates[n] for n in andrews.ANGLES])).max() < 1e-7
    assert 0.05 < max(off) < andrews.INCONSISTENT[0]


def test_the_tilt_of_the_road_has_the_derivatives_it_is_given():
    for t in (0.0, 0.1, 0.7, 2.9):
        h = 1e-5
        assert car_axis._rate(t) == pytest.approx((car_axis._tilt(t + h) - car_axis._tilt(t - h)) / (2 * h), abs=1e-7)
        assert car_axis._second(t) == pytest.approx((car_axis._rate(t + h) - car_axis._rate(t - h)) / (2 * h), abs=1e-6)


# -- comparing


def falling():
    m = bl.Mechanism(plane="xy", gravity=(0.0, -2.0), name="falling")
    m.add_body("ball", bl.disc(0.1, mass=1.0))
    return m


def height(run):
    return run["ball"].position[:, 1]


def problem(*quantities, **options):
    return validation.Problem("Falling", "Galilei", falling, 1.0, quantities, **options)


def test_the_worst_moment_is_the_one_furthest_off_in_units_of_its_tolerance():
    quantity = Quantity("y", height, np.array([0.5, 1.0]), np.array([-0.26, -1.02]), np.array([0.001, 0.1]), "made up")
    outcome = _problem.run("falling", problem(quantity))
    (found,) = outcome.comparisons
    assert found.time == 0.5
    assert found.difference == pytest.approx(0.01, abs=1e-9)
    assert found.part == pytest.approx(10.0)
    assert found.digits == pytest.approx(-np.log10(0.01 / 1.02), abs=1e-6)
    assert outcome.missed == ["y"]


def test_not_a_number_is_a_miss():
    quantity = converged("y", lambda run: np.full(len(run), np.nan), (0.5, 1.0), (0.0, 0.0), 1.0, "made up")
    outcome = _problem.run("falling", problem(quantity))
    assert outcome.missed == ["y"]
    assert outcome.worst == np.inf


@pytest.mark.parametrize("name", validation.names())
def test_no_two_samples_differ_by_rounding_only(name):
    times = validation.get(name).times()
    assert np.diff(times).min() > 1e-9 * times[-1]


def test_fixed_steps_are_read_between():
    quantity = converged("y", height, 0.12345, -(0.12345**2), 1e-9, "free fall is a parabola, which a spline is too")
    run = falling().simulate(1.0, bl.Modular(step=0.01), samples=101)
    assert compare(quantity, run).ok


def test_what_cannot_be_simulated_is_a_miss_that_says_why():
    def build():
        m = falling()
        m.add_force("late", bl.PointForce(force=(0.0, lambda t: 1.0 / 0.0 if t > 0.5 else 0.0)), "ball", at=(0.0, 0.0))
        return m

    broken = replace(problem(converged("y", height, 1.0, -1.0, 1.0, "made up")), build=build)
    with pytest.raises(SimulationError):
        build().simulate(1.0)
    outcome = _problem.run("broken", broken)
    assert len(outcome.missed) == 1
    assert "late" in outcome.missed[0]
    shown = _problem.run("broken", replace(broken, only_shown={"projected": "made up"}))
    assert shown.missed == []
    assert shown.failure


def test_units_of_printed_digits():
    assert printed([0.92037, -0.0131420, 2.61211, 0.0, -1.0], 6) == pytest.approx([1e-6, 1e-7, 1e-5, 1e-5, 1e-5])
    quantity = published("x", height, (0.1, 0.2), (0.5, 0.0005), "made up", digits=3, least=1e-4)
    assert quantity.tolerance == pytest.approx([1e-3, 1e-4])
