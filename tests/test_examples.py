"""Every example runs, and every number it verifies about itself holds."""

import math
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import bielle as bl
from bielle import examples
from bielle.errors import NamingError
from bielle.examples import cut_chain, double_pendulum, interactive_pendulum, n_four_bar, slider_crank
from bielle.examples._checks import at_least, at_most, equals, flies_freely, moments

pytestmark = pytest.mark.filterwarnings("error")  # all of them


def assert_all(checks):
    assert checks
    failed = [str(check) for check in checks if not check.ok]
    assert not failed, "\n" + "\n".join(failed)


def test_every_file_is_registered():
    files = {path.stem for path in Path(examples.__file__).parent.glob("*.py") if not path.stem.startswith("_")}
    assert files == set(examples.names())
    assert len(examples.names()) == len(files)


def test_an_unknown_name_is_refused_with_the_nearest_one():
    with pytest.raises(NamingError, match="no example named 'four_baar'. Did you mean 'four_bar'"):
        examples.get("four_baar")


@pytest.mark.parametrize("name", examples.names())
def test_example(name):
    example = examples.get(name)
    assert example.TITLE
    assert "\n" not in example.TITLE
    assert len(example.__doc__.splitlines()) > 5
    assert_all(example.check(examples.simulate(example)))


@pytest.mark.parametrize("name", examples.names())
def test_the_description_can_be_written_and_read(name):
    mechanism = examples.get(name).build()
    assert mechanism.report().ok
    assert bl.Mechanism.from_dict(mechanism.to_dict()) == mechanism


def test_running_an_example_as_a_script_prints_its_checks():
    ran = subprocess.run([sys.executable, "-m", "bielle.examples.heavy_top"], capture_output=True, text=True, check=False, encoding="utf-8")
    assert ran.returncode == 0, ran.stdout + ran.stderr
    heading, solver, *lines = ran.stdout.splitlines()
    assert heading == examples.get("heavy_top").TITLE
    assert "rtol" in solver
    assert len(lines) > 5
    assert all(line.strip().startswith("ok") for line in lines)


def test_running_a_live_example_as_a_script_tells_its_edits():
    command = [sys.executable, "-m", "bielle.examples.interactive_pendulum"]
    ran = subprocess.run(command, capture_output=True, text=True, check=False, encoding="utf-8")
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert ran.stdout.splitlines()[1].endswith("2 edits")


def test_samples_between_edits_are_those_after_the_first_and_before_the_second():
    live = cut_chain.build().live(record=0.05)
    for time, hinge in ((0.1, "hinge 8"), (0.2, "hinge 7")):
        live.advance_to(time)
        live.remove(hinge)
    live.advance_to(0.3)
    run = live.result()
    span = moments(run, 0.1, 0.2)
    assert run.time[span] == pytest.approx([0.1, 0.15, 0.2])
    assert span == run.spans[1]


def test_what_is_held_does_not_fly_freely():
    run = interactive_pendulum.build().live()
    run.advance(0.5)
    checks = flies_freely(run.result(), "lower", 0.1, 0.5)
    assert [check.ok for check in checks] == [False, False]


@pytest.mark.parametrize("solver", [slider_crank.implicit_solver(), bl.Central()], ids=["implicit", "adaptive"])
def test_slider_crank_with_other_methods(solver):
    assert_all(slider_crank.check(slider_crank.build().simulate(slider_crank.DURATION, solver)))


@pytest.mark.parametrize("coordinates", ["bar", "planar"])
def test_slider_crank_in_other_coordinates(coordinates):
    assert_all(slider_crank.check(slider_crank.build(coordinates).simulate(slider_crank.DURATION, slider_crank.solver())))


@pytest.mark.parametrize("n", [1, 5])
def test_n_four_bar_of_other_sizes(n):
    assert_all(n_four_bar.check(n_four_bar.build(n).simulate(n_four_bar.DURATION, n_four_bar.solver())))


def test_all_formulations_and_integrators_are_compared():
    found = {(how.formulation, how.integrator) for how in double_pendulum.solvers()}
    explicit = ("adaptive", "rk4", "RK45", "RK23", "DOP853", "Radau", "BDF", "LSODA")
    implicit = ("newmark", "hht", "generalized-alpha")
    expected = {("projected", i) for i in explicit} | {("index3", i) for i in implicit}
    assert found == expected | {(f, i) for f in ("baumgarte", "augmented") for i in explicit + implicit}


@pytest.mark.parametrize("how", double_pendulum.solvers(rtol=1e-7), ids=lambda how: f"{how.formulation}-{how.integrator}")
def test_double_pendulum_with(how):
    row = double_pendulum.compare_one(how)
    assert_all([check for check in (row.tip, row.violation, row.energy, row.order) if check is not None])


def test_checks_judge_by_the_worst_value():
    assert at_most("x", np.array([-3.0, 1.0]), 3.0).ok
    assert not at_most("x", np.array([-3.0, 1.0]), 2.9).ok
    assert at_least("x", np.array([5.0, 4.0]), 4.0).ok
    assert not at_least("x", np.array([5.0, 4.0]), 4.1).ok
    assert equals("n", 2, 2).ok
    assert not equals("n", 2, 3).ok
    assert not at_most("x", math.nan, 1.0).ok
    assert not at_least("x", math.nan, 1.0).ok
    assert "FAIL" in str(at_most("x", 2.0, 1.0))
