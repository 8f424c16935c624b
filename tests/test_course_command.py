"""``bielle course``: what it lists, what it writes, how it ends."""

import subprocess
import sys
from types import SimpleNamespace

import matplotlib
import matplotlib.pyplot as plt
import pytest
from typer.testing import CliRunner

from bielle.cli import app
from bielle.examples import Check
from bielle.examples import course as room
from bielle.examples.course import _common as plumbing

matplotlib.use("Agg")


@pytest.fixture
def course(tmp_path, monkeypatch):
    """Run ``bielle course …`` in an empty folder and a wide terminal."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "140")
    return lambda *arguments: CliRunner().invoke(app, ["course", *map(str, arguments)])


@pytest.fixture
def toy(monkeypatch, tmp_path):
    """An exercise of our own in the place of number 2, with a film, and a check that can be made to fail."""
    plt.close("all")

    def film(path=None):
        if path is not None:
            path.write_text("film")

    run = SimpleNamespace(nfev=1, status=0, success=True, message="")
    toy = SimpleNamespace(__file__="exercise_02.py", ok=True, run=run, film=film)
    toy.solve = lambda: {"a run": ("a model", run)}
    toy.plot = lambda: [plt.figure(), plt.figure()]
    toy.check = lambda: [Check("time ≤", 0.5, 1.0, toy.ok)]
    monkeypatch.setattr(room, "get", lambda number: toy)
    return toy


@pytest.mark.parametrize(("lang", "words"), [("en", "Three solids and their frames"), ("fr", "Trois solides et leurs repères")])
def test_list(course, lang, words):
    outcome = course("--lang", lang)
    assert outcome.exit_code == 0
    lines = outcome.stdout.splitlines()
    assert len(lines) == 13
    assert words in lines[0]
    for number, line in enumerate(lines, start=1):
        assert line.split()[0] == str(number)
        assert room.title(number, lang) in line


def test_an_exercise_runs_and_writes_its_pictures(course, tmp_path):
    outcome = course(2, "--out", "here")
    assert outcome.exit_code == 0, outcome.output
    assert "2. Free fall, written by hand" in outcome.stdout
    assert "✓" in outcome.stdout
    assert outcome.stdout.splitlines()[-1] == "here/exercise_02.png"
    assert (tmp_path / "here" / "exercise_02.png").read_bytes().startswith(b"\x89PNG")


def test_without_a_screen_files_are_written_and_named(course, toy, tmp_path):
    outcome = course(2, "--lang", "fr")
    assert outcome.exit_code == 0, outcome.output
    assert "Chute libre, codée à la main" in outcome.stdout
    names = ["exercise_02.png", "exercise_02_2.png", "exercise_02.gif", "exercise_02.html"]
    assert outcome.stdout.splitlines()[-4:] == [f"out/course_2/{name}" for name in names]
    assert sorted(p.name for p in (tmp_path / "out" / "course_2").iterdir()) == sorted(names)
    assert plt.get_fignums() == []


def test_with_a_screen_windows_open_and_nothing_is_written(course, toy, tmp_path, monkeypatch):
    figures = [plt.figure()]
    monkeypatch.setattr(toy, "plot", lambda: figures)
    monkeypatch.setattr(type(figures[0].canvas), "required_interactive_framework", "qt")
    shown = []
    monkeypatch.setattr(plt, "show", lambda: shown.append(True))
    monkeypatch.setattr(toy, "film", lambda: shown.append("film"))
    outcome = course(2)
    plt.close("all")
    assert outcome.exit_code == 0, outcome.output
    assert shown == ["film", True]
    assert list(tmp_path.iterdir()) == []


def test_a_check_that_fails_is_told_in_the_exit_status(course, toy):
    toy.ok = False
    outcome = course(2, "--out", "here")
    assert outcome.exit_code == 1
    assert "✗ 0.5" in outcome.stdout


def test_ctrl_c_ends_it_without_checks(course, toy):
    toy.run.status, toy.run.success = -2, False
    outcome = course(2)
    assert outcome.exit_code == 130
    assert "time" not in outcome.stdout


def test_an_integration_that_fails_is_told(course, toy):
    toy.run.status, toy.run.success, toy.run.message = -1, False, "Step size too small."
    outcome = course(2)
    assert outcome.exit_code == 1
    assert "The integration failed: Step size too small." in outcome.stderr


@pytest.mark.parametrize("number", ["0", "14", "-3", "twelve", "1.5"])
def test_an_unknown_number_is_refused_with_those_there_are(course, number):
    outcome = course("--", number)
    assert outcome.exit_code == 1
    assert outcome.stderr.strip() == f"There is no exercise '{number}'. The course has 1 … 13."


@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        (("--lang", "de"), 2, "it must be en or fr, got 'de'"),
        (("--out", "x"), 2, "say which exercise"),
        (("--links", 3), 2, "say which exercise"),
        ((2, "--links", 3), 1, "This exercise has no links; --links belongs to exercise 13."),
        ((13, "--links", 0), 1, "--links must be at least 1, got 0."),
    ],
)
def test_what_makes_no_sense_is_refused(course, tmp_path, arguments, status, words):
    outcome = course(*arguments)
    assert outcome.exit_code == status
    assert words in " ".join(outcome.stderr.replace("│", " ").split())
    assert list(tmp_path.iterdir()) == []


def test_the_list_imports_nothing_heavy():
    code = "import sys; from typer.testing import CliRunner; from bielle.cli import app; CliRunner().invoke(app, ['course']); "
    code += "print([m for m in ('numba', 'scipy', 'matplotlib') if m in sys.modules])"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "[]"


def test_the_number_of_links_has_the_exercises_own_default():
    assert plumbing.options_of(room.get(13)) == {"links": 10}
    assert plumbing.options_of(room.get(13), 4) == {"links": 4}
    assert plumbing.options_of(room.get("2")) == {}
