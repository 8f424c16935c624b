"""The command line: what it prints, what it writes, how it ends."""

import itertools
import json
import os
import re
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from typer.testing import CliRunner

import bielle as bl
from bielle import examples, warmup
from bielle.cli import app
from bielle.commands import targets
from bielle.commands.progress import Interruption, progress_bar
from bielle.commands.run import _solver
from bielle.errors import BielleError, DescriptionError
from bielle.examples import Check
from bielle.kernels import lazy
from bielle.results import animation, export, plots
from bielle.results.export import load_result
from bielle.solvers.central import FORMULATIONS, INTEGRATORS, Central

# for other processes: they find this very package, wherever they are started
ENVIRONMENT = os.environ | {"PYTHONPATH": os.pathsep.join([str(Path(bl.__file__).parents[1]), os.environ.get("PYTHONPATH", "")])}
COMMANDS = ("run", "check", "examples", "course", "validate", "bench", "plot", "animate", "convert", "schema", "warmup", "version")

PENDULUM = """\
bielle: 1
name: simple pendulum
plane: xy
gravity: [0.0, -9.81]
bodies:
  rod:
    shape: {type: rod, start: [0.0, 0.0], end: [1.0, 0.0], mass: 1.0}
joints:
  pivot: {type: pin, a: ground, b: rod, at: [0.0, 0.0]}
"""
# the two pins are 1 m apart on the rod and 3 m apart on the ground
IMPOSSIBLE = """\
bielle: 1
plane: xy
bodies:
  rod:
    shape: {type: rod, start: [0.0, 0.0], end: [1.0, 0.0], mass: 1.0}
joints:
  left: {type: pin, a: ground, b: rod, at_a: [0.0, 0.0], at_b: [-0.5, 0.0]}
  right: {type: pin, a: ground, b: rod, at_a: [3.0, 0.0], at_b: [0.5, 0.0]}
"""


@pytest.fixture
def here(tmp_path, monkeypatch):
    """An empty folder to work in, with a few model files."""
    monkeypatch.chdir(tmp_path)
    for name, text in {"pendulum.yaml": PENDULUM, "impossible.yaml": IMPOSSIBLE}.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


@pytest.fixture
def bielle(here, monkeypatch):
    """Run a command line in a wide terminal; what it prints is in stdout and stderr."""
    monkeypatch.setenv("COLUMNS", "140")
    return lambda *arguments: CliRunner().invoke(app, [str(a) for a in arguments])


@pytest.fixture
def toy(monkeypatch):
    """An example of our own, whose check can be made to fail."""

    def build():
        m = bl.Mechanism(plane="xy", name="toy")
        m.add_body("rod", bl.rod((0, 0), (1, 0), mass=1.0))
        m.add_joint("pivot", bl.Pin(), m.ground, "rod", at=(0, 0))
        return m

    module = SimpleNamespace(TITLE="A toy", DURATION=0.1, build=build, solver=lambda: None)
    module.check = lambda result: [Check("time ≤", float(result.time[-1]), 1.0, True)]
    known = examples.names
    monkeypatch.setattr(examples, "names", lambda: [*known(), "toy"])
    monkeypatch.setattr(examples, "get", lambda name, get=examples.get: module if name == "toy" else get(name))
    return module


def files(folder):
    """Names of what was written besides the model files."""
    return sorted(p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file() and p.suffix != ".yaml")


# -- help and start-up


@pytest.mark.parametrize("command", COMMANDS)
def test_help_teaches_by_examples(bielle, command):
    outcome = bielle(command, "--help")
    assert outcome.exit_code == 0
    examples_shown = outcome.stdout.partition("Examples")[2]
    assert max(map(len, examples_shown.splitlines())) < 100  # no blanks to the end of a line that has none, as a pipe
    assert f"bielle {command}" in examples_shown


def test_help_lists_every_command_and_begins_with_an_example(bielle):
    outcome = bielle("--help")
    assert outcome.exit_code == 0
    assert all(f"│ {command} " in outcome.stdout for command in COMMANDS)
    assert "bielle run double_pendulum" in outcome.stdout


def test_without_arguments_the_help_is_shown(bielle):
    outcome = bielle()
    assert "bielle run double_pendulum" in outcome.stdout + outcome.stderr


def test_help_of_run_names_what_the_solver_offers(bielle):
    text = " ".join(bielle("run", "--help").stdout.replace("│", " ").split())
    assert ", ".join(INTEGRATORS) in text
    assert ", ".join(FORMULATIONS) in text


def test_examples_in_help_use_options_and_examples_that_exist(bielle):
    offered = {command: bielle(command, "--help").stdout.partition("Examples") for command in COMMANDS}
    for top, _, shown in offered.values():
        for line in filter(None, map(str.strip, shown.splitlines())):
            call = line.split("  ")[0].split(" > ")[0].split(" && ")[0].split()
            assert call[0] == "bielle", line
            assert all(word in top for word in call if word.startswith("--")), line
            assert all("." in word or word in examples.names() for word in call[2:3] if call[1] in ("run", "examples")), line


@pytest.mark.parametrize("arguments", [["--help"], ["version"], ["run", "--help"]])
def test_help_and_version_import_nothing_heavy(arguments):
    command = [sys.executable, "-X", "importtime", "-m", "bielle", *arguments]
    outcome = subprocess.run(command, capture_output=True, text=True, env=ENVIRONMENT)
    assert outcome.returncode == 0
    imported = {line.rsplit("|", 1)[-1].strip().split(".")[0] for line in outcome.stderr.splitlines()}
    assert "typer" in imported  # the list is what we think it is
    assert not imported & {"numba", "llvmlite", "scipy", "matplotlib", "h5py", "xarray", "pandas"}


# -- run


def test_run_writes_result_plot_and_animation_and_tells_how_it_went(bielle, here):
    outcome = bielle("run", "pendulum.yaml", "--duration", "0.5", "--samples", "11")
    assert outcome.exit_code == 0, outcome.stderr
    assert files(here) == ["out/pendulum/animation.html", "out/pendulum/plot.png", "out/pendulum/result.npz"]
    for words in ("simple pendulum", "11, from 0 s to 0.5 s", "steps", "energy error", "constraint violation", "time used"):
        assert words in outcome.stdout
    assert [Path(line).as_posix() for line in outcome.stdout.splitlines()[-3:]] == [
        "out/pendulum/result.npz",
        "out/pendulum/plot.png",
        "out/pendulum/animation.html",
    ]
    result = load_result("out/pendulum/result.npz")
    np.testing.assert_array_equal(result.time, np.linspace(0, 0.5, 11))


def test_run_to_a_file_writes_the_result_and_nothing_else(bielle, here):
    assert bielle("run", "pendulum.yaml", "-t", "0.1", "--out", "deep/run.npz", "--quiet").exit_code == 0
    assert files(here) == ["deep/run.npz"]


def test_run_writes_what_is_asked_for_where_it_is_asked_for(bielle, here):
    options = ("--out", "mine", "--animate", "film.html", "--save", "table.csv", "--plot", "energy", "--plot", "rod.position")
    outcome = bielle("run", "pendulum.yaml", "-t", "0.1", "-n", "5", *options)
    assert outcome.exit_code == 0, outcome.stderr
    assert files(here) == ["film.html", "mine/plot.png", "mine/result.npz", "table.csv"]


def test_plot_goes_beside_a_result_file(bielle, here):
    assert bielle("run", "pendulum.yaml", "-t", "0.1", "-n", "5", "--out", "run.npz", "--plot", "energy").exit_code == 0
    assert files(here) == ["run.npz", "run.png"]


def test_run_without_files_writes_nothing(bielle, here):
    outcome = bielle("run", "pendulum.yaml", "-t", "0.1", "--no-files")
    assert outcome.exit_code == 0
    assert "energy error" in outcome.stdout
    assert files(here) == []
    assert not (here / "out").exists()


def test_quiet_run_says_nothing(bielle):
    outcome = bielle("run", "pendulum.yaml", "-t", "0.1", "--no-files", "--quiet")
    assert outcome.exit_code == 0
    assert outcome.stdout == ""
    assert "simulating" not in outcome.stderr


def test_run_uses_the_solver_it_is_told_to(bielle):
    outcome = bielle(
        "run", "pendulum.yaml", "-t", "0.1", "--no-files", "--integrator", "rk4", "--step", "0.01", "--formulation", "baumgarte"
    )
    assert outcome.exit_code == 0, outcome.stderr
    assert "baumgarte, rk4, step 0.01 s" in outcome.stdout


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--integrator", "rk4"], "--step 1e-3"),
        (["--step", "1e-3"], "chooses its steps itself"),
        (["--integrator", "rk5"], "There is no integrator named 'rk5'. Did you mean 'rk4'?"),
        (["--formulation", "projekted"], "Did you mean 'projected'?"),
        (["--solver", "centrl"], "There is no solver named 'centrl'. Did you mean 'central'?"),
        (["--solver", "rk4"], "'rk4' is an integrator, and no solver: write --integrator rk4 --step 1e-3."),
        (["--solver", "Radau"], "write --integrator Radau."),
        (["--duration", "-1"], "positive number of seconds"),
        (["--samples", "1"], "At least two samples"),
        (["--rtol", "7"], "rtol must be between"),
        (["--plot", "road.position"], "--plot road.position: there is no component named 'road'. Did you mean 'rod'?"),
    ],
)
def test_bad_options_are_explained(bielle, options, words):
    outcome = bielle("run", "pendulum.yaml", *options)
    assert outcome.exit_code == 1
    assert words in outcome.stderr
    assert "Traceback" not in outcome.stderr


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--no-files", "--save", "a.npz"], "contradicts --save"),
        (["--save", "a.txt"], ".npz, .h5, .hdf5, .csv"),
        (["--animate", "a.avi"], ".html, .gif, .mp4"),
        (["--out", "a.html"], "--animate"),
    ],
)
def test_bad_file_names_are_found_before_the_run(bielle, here, options, words):
    outcome = bielle("run", "pendulum.yaml", *options)
    assert outcome.exit_code == 2
    assert words in " ".join(outcome.stderr.replace("│", " ").split())
    assert files(here) == []


def test_files_are_refused_as_those_who_write_them_would():
    assert targets.RESULT_ENDINGS == export.ENDINGS
    assert targets.PLOT_ENDINGS == plots.ENDINGS
    assert targets.ANIMATION_ENDINGS == animation.ENDINGS


def test_a_plot_that_fails_loses_nothing(bielle):
    outcome = bielle("run", "pendulum.yaml", "-t", "0.1", "-n", "5", "--plot", "rod.positon")
    assert outcome.exit_code == 1
    assert "Did you mean 'rod.position'?" in outcome.stderr
    assert Path(outcome.stdout.splitlines()[-1]) == Path("out/pendulum/result.npz")
    assert len(load_result("out/pendulum/result.npz")) == 5


def test_options_change_only_their_part_of_an_examples_solver():
    own = Central("augmented", "rk4", step=1e-3, penalty=1e5)
    assert _solver(own, integrator=None, step=None) is own
    assert _solver(own, step=1e-4) == Central("augmented", "rk4", step=1e-4, penalty=1e5)
    assert _solver(own, integrator="hht") == Central("augmented", "hht", step=1e-3)  # which does not read the penalty
    assert _solver(own, integrator="adaptive", step=None) == Central("augmented", "adaptive", penalty=1e5)
    assert _solver(Central(integrator="hht", step=1e-3), integrator="Radau").formulation == "projected"  # index3 is for implicit ones
    assert _solver(None, rtol=1e-6) == Central(rtol=1e-6)
    with pytest.raises(DescriptionError, match="--step"):
        _solver(None, integrator="hht")


def test_a_run_that_cannot_go_on_keeps_what_was_computed(bielle):
    # the residuals of a stabilised run obey φ̈ + 2ω φ̇ + ω² φ = 0 with ω = 63 rad/s: rk4 is stable up to h = 2.8/ω = 0.04 s only
    outcome = bielle("run", "pendulum.yaml", "--integrator", "rk4", "--step", "1", "--duration", "1000", "--formulation", "baumgarte")
    assert outcome.exit_code == 1
    assert "became infinite or not a number" in outcome.stderr
    assert "Traceback" not in outcome.stderr
    told = Path("out/pendulum/result.npz")
    assert f"are in {told}." in outcome.stderr
    result = load_result(told)
    assert len(result) >= 1
    assert result.time[-1] < 1000


def test_ctrl_c_keeps_what_was_computed(here):
    # started by way of -c: under a parent that ignores SIGINT, Python would ignore it as well
    start = (
        "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "import bielle.cli, bielle.progress; bielle.progress._EVERY = 0.0; bielle.cli.main()"
    )
    options = ["--duration", "10000", "--integrator", "rk4", "--step", "1e-5", "--samples", "1000001"]  # 1e9 steps, a sample every 1000
    arguments = [sys.executable, "-c", start, "run", "pendulum.yaml", *options]
    with subprocess.Popen(arguments, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=ENVIRONMENT) as process:
        try:
            for line in process.stderr:
                if re.search(r"simulating pendulum: (?!0\.0 %)", line):  # there are samples
                    break
            process.send_signal(signal.SIGINT)
            _, said = process.communicate()
        finally:
            process.kill()
    assert process.returncode == 130, said
    result = load_result("out/pendulum/result.npz")
    assert 1 < len(result) < 1_000_001
    assert "Interrupted on the way to t = 10000 s." in said
    assert f"{len(result)} samples until t = {result.time[-1]:.6g} s are in {Path('out/pendulum/result.npz')}." in said
    assert "Traceback" not in said


def test_ctrl_c_that_hits_a_python_function_is_no_error_of_it(bielle, toy, usual_ctrl_c):
    build = toy.build

    def torque(t):
        if 5.0 < t < 6.0:
            signal.raise_signal(signal.SIGINT)
        return 0.1

    def with_function():
        m = build()
        m.add_force("push", bl.Torque(torque=torque), "rod")
        return m

    toy.build = with_function
    outcome = bielle("run", "toy", "--duration", "1000", "--samples", "1001", "--out", "toy.npz")
    assert outcome.exit_code == 130
    assert "Interrupted on the way to t = 1000 s." in outcome.stderr
    assert "Mend the function" not in outcome.stderr
    assert Path("toy.npz").exists()


def test_ctrl_c_elsewhere_ends_with_130(bielle, monkeypatch):
    def interrupted(progress):
        raise KeyboardInterrupt

    monkeypatch.setattr(warmup, "warm_up", interrupted)
    outcome = bielle("warmup")
    assert outcome.exit_code == 130
    assert outcome.stderr.strip() == "Interrupted."


def test_ctrl_c_waits_for_a_checkpoint_once_under_way(usual_ctrl_c):
    with pytest.raises(KeyboardInterrupt), Interruption():
        signal.raise_signal(signal.SIGINT)  # nothing to keep yet: at once
    with Interruption() as interruption:
        interruption.checkpoint()
        signal.raise_signal(signal.SIGINT)
        assert interruption.asked
        with pytest.raises(KeyboardInterrupt):
            interruption.checkpoint()
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)  # the second: at once
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_progress_in_a_log_is_a_line_now_and_then(capsys, monkeypatch):
    now = itertools.count(100.0, 4.0)
    monkeypatch.setattr("bielle.progress.clock", SimpleNamespace(monotonic=lambda: next(now)))
    with progress_bar("simulating") as update:
        for fraction in (0.0, 0.25, 0.5, 0.6, 0.75, 1.0):
            update(fraction)
    assert capsys.readouterr().err == "simulating: 0.0 %\nsimulating: 60.0 %, about 8 s left\n"


# -- examples and check


def test_example_runs_with_its_checks(bielle, toy):
    outcome = bielle("run", "toy", "--no-files")
    assert outcome.exit_code == 0, outcome.stderr
    assert "from 0 s to 0.1 s" in outcome.stdout
    assert "time ≤ 1" in outcome.stdout


def test_example_whose_check_fails_ends_with_status_1(bielle, toy):
    toy.check = lambda result: [Check("error ≤", 0.5, 0.1, False)]
    outcome = bielle("run", "toy")
    assert outcome.exit_code == 1
    assert "error ≤" in outcome.stderr
    assert Path("out/toy/result.npz").exists()


def test_checks_of_an_example_are_only_told_with_another_solver(bielle, toy):
    toy.check = lambda result: [Check("error ≤", 0.5, 0.1, False)]
    outcome = bielle("run", "toy", "--rtol", "1e-4", "--no-files")
    assert outcome.exit_code == 0
    assert "✗ 0.5" in outcome.stdout


def test_example_that_is_changed_while_it_runs(bielle, toy):
    def play(live):
        live.advance(0.05)
        live.remove("pivot")
        live.advance_to(toy.DURATION)

    toy.play = play
    toy.check = lambda result: [Check("edits =", len(result.edits), 1, [e.label for e in result.edits] == ["remove pivot"])]
    outcome = bielle("run", "toy", "-n", 11)
    assert outcome.exit_code == 0
    assert "✓ 1" in outcome.stdout
    assert len(load_result("out/toy/result.npz")) == 12  # the moment of the edit is there twice
    outcome = bielle("run", "toy", "--duration", 1, "--no-files")
    assert outcome.exit_code == 2
    assert "takes 0.1 s" in outcome.stderr


def test_example_that_says_how_it_is_simulated(bielle, toy):
    def run(mechanism, duration, solver, *, samples, progress):
        result = mechanism.simulate(duration, solver, samples=samples, progress=progress)
        result.info["met"] = "others"
        return result

    toy.run = run
    toy.check = lambda result: [Check("met =", 1, 1, result.info["met"] == "others")]
    outcome = bielle("run", "toy", "-n", 11)
    assert outcome.exit_code == 0
    assert "✓ 1" in outcome.stdout
    assert len(load_result("out/toy/result.npz")) == 11


def test_ctrl_c_in_an_example_that_is_changed_keeps_what_there_is(bielle, toy):
    def play(live):
        live.advance(0.05)
        raise KeyboardInterrupt

    toy.play = play
    outcome = bielle("run", "toy")
    assert outcome.exit_code == 130
    assert "samples until t = 0.05 s are in" in outcome.stderr


def test_checks_of_an_example_are_for_its_own_duration(bielle, toy):
    toy.check = lambda result: [Check("error ≤", 0.5, 0.1, False)]
    outcome = bielle("run", "toy", "--duration", "0.05", "--no-files")
    assert outcome.exit_code == 0
    assert "error ≤" not in outcome.stdout


def test_examples_are_listed_with_their_titles(bielle):
    outcome = bielle("examples")
    assert outcome.exit_code == 0
    lines = outcome.stdout.splitlines()
    assert len(lines) == len(examples.names())
    for name, line in zip(examples.names(), lines, strict=True):
        assert line.split()[0] == name
        assert examples.get(name).TITLE in line


def test_one_example_tells_about_itself(bielle):
    outcome = bielle("examples", "double_pendulum")
    module = examples.get("double_pendulum")
    assert outcome.exit_code == 0
    assert module.TITLE in outcome.stdout
    assert module.__doc__.splitlines()[0] in outcome.stdout
    assert f"source: {module.__file__}" in outcome.stdout


def test_check_reports_and_ends_with_0_if_all_is_well(bielle):
    outcome = bielle("check", "pendulum.yaml")
    assert outcome.exit_code == 0
    assert "= 1 degree" in outcome.stdout


def test_check_ends_with_1_if_there_is_a_problem(bielle):
    outcome = bielle("check", "impossible.yaml")
    assert outcome.exit_code == 1
    assert "PROBLEM" in outcome.stdout
    assert bielle("run", "impossible.yaml").exit_code == 1


# -- what is not there


@pytest.mark.parametrize("command", ["run", "check"])
@pytest.mark.parametrize(
    ("target", "words"),
    [
        ("pendulm.yml", "There is no file 'pendulm.yml'. Did you mean 'pendulum.yaml'?"),
        ("pendulum", "There is no example and no model file named 'pendulum'. Did you mean 'pendulum.yaml'?"),
        ("duble_pendulum", "Did you mean 'double_pendulum'?"),
        ("double_pendulum.yaml", "There is no file 'double_pendulum.yaml'. Did you mean 'double_pendulum'?"),
        ("qqqq", "There is no example and no model file named 'qqqq'. `bielle examples` lists the examples."),
        ("nowhere/qqqq.json", "There is no file 'nowhere/qqqq.json'. `bielle examples` lists the examples."),
        (".", "it is a folder"),
        ("run.npz", "ending of a result"),
    ],
)
def test_unknown_targets_suggest_the_nearest(bielle, command, target, words):
    outcome = bielle(command, target)
    assert outcome.exit_code == 1
    assert words in outcome.stderr
    assert "Traceback" not in outcome.stderr


def test_unknown_example_suggests_the_nearest(bielle):
    outcome = bielle("examples", "heavy_tap")
    assert outcome.exit_code == 1
    assert "There is no example named 'heavy_tap'. Did you mean 'heavy_top'?" in outcome.stderr


def test_missing_result_suggests_the_nearest(bielle, here):
    (here / "first.npz").write_bytes(b"")
    outcome = bielle("plot", "frist.npz", "energy")
    assert outcome.exit_code == 1
    assert "There is no file 'frist.npz'. Did you mean 'first.npz'?" in outcome.stderr
    assert bielle("plot", ".", "energy").exit_code == 1


def test_broken_files_are_explained(bielle, here):
    (here / "bad.yaml").write_text(PENDULUM.replace("type: pin", "type: pinn"))
    outcome = bielle("run", "bad.yaml")
    assert outcome.exit_code == 1
    assert "bad.yaml: joint 'pivot'" in outcome.stderr
    assert "Did you mean 'pin'?" in outcome.stderr


def test_a_folder_that_cannot_be_made_is_explained(bielle, here):
    (here / "taken").write_text("")
    outcome = bielle("run", "pendulum.yaml", "--out", "taken/inside")
    assert outcome.exit_code == 1
    assert "taken" in outcome.stderr
    assert "Traceback" not in outcome.stderr


@pytest.mark.parametrize("arguments", [["--debug", "run", "pendulm.yaml"], ["run", "pendulm.yaml", "--debug"]])
def test_debug_shows_where_an_error_comes_from(bielle, arguments):
    outcome = bielle(*arguments)
    assert isinstance(outcome.exception, BielleError)


# -- pictures


@pytest.fixture
def saved(bielle):
    """A result of a short run."""
    assert bielle("run", "pendulum.yaml", "-t", "0.1", "-n", "6", "--out", "run.npz", "-q").exit_code == 0
    return Path("run.npz")


def test_plot_writes_a_picture(bielle, saved):
    assert bielle("plot", saved, "energy", "rod.position").stdout.strip() == "run.png"
    assert bielle("plot", saved, "rod.velocity", "--out", "sub/run.svg").exit_code == 0
    assert Path("run.png").read_bytes().startswith(b"\x89PNG")
    assert "<svg" in Path("sub/run.svg").read_text(encoding="utf-8")


def test_plot_takes_the_folder_of_a_run(bielle):
    assert bielle("run", "pendulum.yaml", "-t", "0.1", "-n", "6", "-q").exit_code == 0
    assert bielle("plot", "out/pendulum", "violation", "--out", "v.png").exit_code == 0
    assert Path("v.png").exists()


def test_plot_of_an_unknown_quantity_suggests_the_nearest(bielle, saved):
    outcome = bielle("plot", saved, "rod.positon")
    assert outcome.exit_code == 1
    assert "rod.position" in outcome.stderr


def test_animate_a_result_a_model_and_an_example(bielle, saved, toy):
    assert bielle("animate", saved).stdout.strip() == "run.html"
    assert bielle("animate", "pendulum.yaml", "-t", "0.1", "--out", "model.html").exit_code == 0
    assert bielle("animate", "toy", "--speed", "0.5").exit_code == 0
    for page in ("run.html", "model.html", "toy.html"):
        assert "<html" in Path(page).read_text(encoding="utf-8")


def test_result_of_a_mechanism_with_python_functions_needs_its_model(bielle, toy):
    build = toy.build

    def with_function():
        m = build()
        m.add_force("push", bl.Torque(torque=lambda t: 0.1 * t), "rod")
        return m

    toy.build = with_function
    outcome = bielle("run", "toy", "--out", "toy.npz", "-q")
    assert outcome.exit_code == 0, outcome.stderr
    assert "--model" in outcome.stderr
    assert bielle("plot", "toy.npz", "energy").exit_code == 1
    assert bielle("plot", "toy.npz", "energy", "--model", "toy").exit_code == 0


def test_animate_refuses_what_makes_no_sense(bielle, saved):
    assert bielle("animate", saved, "--out", "run.avi").exit_code == 2
    assert bielle("animate", saved, "--duration", "3").exit_code == 2
    assert bielle("animate", "pendulum.yaml", "--model", "pendulum.yaml").exit_code == 2
    assert bielle("animate", saved, "--speed", "-1").exit_code == 1
    assert bielle("animate", "frist.npz").exit_code == 1


# -- housekeeping


def test_convert_there_and_back(bielle):
    assert bielle("convert", "pendulum.yaml", "pendulum.json").exit_code == 0
    assert json.loads(Path("pendulum.json").read_text())["name"] == "simple pendulum"
    assert bielle("convert", "pendulum.json", "again.yml").exit_code == 0
    assert bl.load("again.yml") == bl.load("pendulum.yaml")


def test_convert_makes_a_model_file_of_an_example(bielle, toy):
    assert bielle("convert", "toy", "mine.yaml").exit_code == 0
    assert bl.load("mine.yaml") == toy.build()


def test_convert_refuses_other_endings(bielle):
    outcome = bielle("convert", "pendulum.yaml", "pendulum.xml")
    assert outcome.exit_code == 2
    assert not Path("pendulum.xml").exists()


def test_schema_is_json(bielle):
    outcome = bielle("schema")
    assert json.loads(outcome.stdout)["$schema"].startswith("https://json-schema.org/")


def test_version_names_what_matters(bielle):
    outcome = bielle("version")
    found = dict(line.split(maxsplit=1) for line in outcome.stdout.splitlines())
    assert list(found) == ["bielle", "python", "numpy", "scipy", "numba", "platform", "cache"]
    assert found["bielle"] == bl.__version__
    assert found["numpy"] == np.__version__
    assert bielle("--version").stdout == outcome.stdout


@pytest.mark.parametrize("variable", [None, "BIELLE_CACHE_DIR", "NUMBA_CACHE_DIR", "XDG_CACHE_HOME"])
def test_cache_is_where_the_kernels_are_kept(monkeypatch, tmp_path, variable):
    for name in ("BIELLE_CACHE_DIR", "NUMBA_CACHE_DIR", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    if variable:
        monkeypatch.setenv(variable, str(tmp_path))
    root = tmp_path / "bielle" if variable == "XDG_CACHE_HOME" else tmp_path if variable else Path.home() / ".cache" / "bielle"
    assert lazy.cache_directory().parent == root


def test_warmup_knows_every_kernel():
    """In a process of its own, in which nobody else has imported any room."""
    package = Path(bl.__file__).parent
    declared = {}
    for path in package.rglob("*.py"):
        count = path.read_text(encoding="utf-8").count("\n@entry\n")
        if count:
            declared[".".join(("bielle", *path.relative_to(package).with_suffix("").parts))] = count
    code = "from bielle import warmup; print(*(kernel.__module__ for kernel in warmup.entries()))"
    found = Counter(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split())
    assert [module for module, count in declared.items() if found[module] < count] == []


def _nothing(ctx, first, last):
    pass


def _nothing_more(ctx, first, last):
    pass


def test_warmup_compiles_and_tells_where_the_cache_is(bielle, monkeypatch, tmp_path):
    monkeypatch.setenv("BIELLE_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(warmup, "entries", lambda: [lazy.entry(_nothing), lazy.entry(_nothing_more)])
    first, second = bielle("warmup"), bielle("warmup")
    assert first.exit_code == second.exit_code == 0
    assert "2 kernels, 2 of them compiled now" in first.stdout
    assert "2 kernels, 0 of them compiled now" in second.stdout  # read from the cache
    assert f"cache: {tmp_path / 'cache'}" in first.stdout
    assert bielle("warmup", "--quiet").stdout == ""


def test_a_run_that_is_not_accurate_is_told_and_strict_fails(bielle):
    coarse = ("run", "double_pendulum", "-t", "3", "--integrator", "hht", "--step", "0.1", "--no-files")
    outcome = bielle(*coarse)
    assert outcome.exit_code == 0
    assert "NOT ACCURATE" in outcome.stdout
    assert "balance of energy is off" in bielle(*coarse, "--quiet").stderr
    strict = bielle(*coarse, "--strict", "--quiet")
    assert strict.exit_code == 1
    assert "balance of energy is off" in strict.stderr
    assert bielle("run", "double_pendulum", "-t", "1", "--no-files", "--strict", "--quiet").exit_code == 0
