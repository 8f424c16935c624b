"""Every exercise of the course runs, every number it verifies about itself holds, and its figures are drawn."""

import subprocess
import sys
from pathlib import Path

import matplotlib
import matplotlib.pyplot as plt
import pytest

from bielle.errors import NamingError
from bielle.examples import course as room

matplotlib.use("Agg")

FEW = {13: {"links": 4}}  # the number of links that takes a moment


@pytest.mark.parametrize("number", room.TITLES)
def test_exercise(number):
    exercise, options = room.get(number), FEW.get(number, {})
    checks = exercise.check(**options)
    failed = [str(check) for check in checks if not check.ok]
    assert checks
    assert not failed, "\n" + "\n".join(failed)
    figures = exercise.plot(**options)
    for figure in figures:
        figure.canvas.draw()
        assert all(ax.lines for ax in figure.axes)
        assert all(ax.get_xlabel() for ax in figure.axes[-1:])
        plt.close(figure)


@pytest.mark.parametrize(("number", "constant"), [(9, "G"), (11, "W2"), (11, "LARGEST")])
def test_a_formula_that_is_wrong_in_the_eighth_digit_is_found(number, constant, monkeypatch):
    """The runs have a tolerance of 1e-9 and err less; the checks know it."""
    exercise = room.get(number)
    exercise.solve()
    monkeypatch.setattr(exercise, constant, getattr(exercise, constant) * (1 + 2e-8))
    assert [check for check in exercise.check() if not check.ok]


def test_every_file_has_a_title_and_says_what_it_is():
    files = sorted(p.stem for p in Path(room.__file__).parent.glob("exercise_*.py"))
    assert files == [f"exercise_{number:02}" for number in room.TITLES]
    for number, titles in room.TITLES.items():
        assert len(titles) == len(room.LANGUAGES)
        text = room.get(number).__doc__
        assert text.startswith(f"Exercise {number}: ")
        assert "section" in text
    assert len(room.TITLES) == 13


def test_an_unknown_number_is_refused():
    with pytest.raises(NamingError, match="There is no exercise '14'. The course has 1 … 13."):
        room.get(14)


def test_a_script_prints_its_checks_and_saves_its_pictures(tmp_path):
    command = [sys.executable, "-m", "bielle.examples.course.exercise_04", "--save", str(tmp_path)]
    ran = subprocess.run(command, capture_output=True, text=True, check=False, encoding="utf-8")
    assert ran.returncode == 0, ran.stdout + ran.stderr
    heading, *checks, picture = ran.stdout.splitlines()
    assert heading == "4. Free fall with the classes"
    assert len(checks) == 2
    assert all(line.strip().startswith("ok") for line in checks)
    assert Path(picture).read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(("arguments", "words"), [(["--links", "3"], "has no links"), (["--sav"], "expected one argument")])
def test_a_script_refuses_what_it_does_not_know(arguments, words):
    command = [sys.executable, "-m", "bielle.examples.course.exercise_02", *arguments]
    ran = subprocess.run(command, capture_output=True, text=True, check=False, encoding="utf-8")
    assert ran.returncode == 2
    assert words in ran.stderr
