"""``bielle validate``: its table, its page, its exit status."""

from dataclasses import replace

import pytest
from typer.testing import CliRunner

from bielle import validation
from bielle.cli import app
from bielle.validation._page import MARK


@pytest.fixture
def bielle(tmp_path, monkeypatch):
    """Run a command line in an empty folder and a wide terminal."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "180")
    return lambda *arguments: CliRunner().invoke(app, ["validate", *map(str, arguments)])


@pytest.fixture
def wrong(monkeypatch):
    """A problem whose first reference is wrong in the sixth digit."""
    get = validation.get

    def changed(name):
        problem = get(name)
        if name != "transpring_case02":
            return problem
        first, *others = problem.quantities
        return replace(problem, quantities=(replace(first, reference=first.reference + 1e-4), *others))

    monkeypatch.setattr(validation, "get", changed)


def test_a_table_of_what_was_compared(bielle):
    outcome = bielle("transpring_case02", "car_axis")
    assert outcome.exit_code == 0, outcome.stderr
    lines = outcome.stdout.splitlines()
    assert [
        word for word in ("problem", "quantity", "reference", "ours", "difference", "digits", "steps", "time") if word not in lines[0]
    ] == []
    assert "car_axis" in outcome.stdout
    assert outcome.stdout.count("✓") == len(validation.get("transpring_case02").quantities) + len(validation.get("car_axis").quantities)
    assert "✗" not in outcome.stdout


def test_a_miss_is_named_and_is_exit_status_1(bielle, wrong):
    outcome = bielle("transpring_case02", "rotspring_case01")
    assert outcome.exit_code == 1
    assert outcome.stdout.count("✗") == 1
    assert "Out of tolerance: transpring_case02 (projected): y [m]." in outcome.stderr
    assert bielle("transpring_case02", "--quiet").exit_code == 1


def test_solvers_are_tried_in_turn_and_the_modular_one_is_not_judged(bielle):
    outcome = bielle("transpring_case02", "--solvers")
    assert outcome.exit_code == 0, outcome.stderr
    assert all(way in outcome.stdout for way in validation.WAYS)
    assert "✗" in outcome.stdout  # of second order
    assert "modular: shown, not judged" in outcome.stdout


def test_an_unknown_name_is_refused_with_the_nearest_one(bielle):
    outcome = bielle("car_axle")
    assert outcome.exit_code == 1
    assert "Did you mean 'car_axis'?" in outcome.stderr


def test_quick_leaves_out_what_takes_long(bielle):
    outcome = bielle("flyball_governor_a05", "rotspring_case01", "--quick")
    assert outcome.exit_code == 0
    assert "flyball" not in outcome.stdout
    assert "rotspring_case01" in outcome.stdout


def test_quiet_tells_nothing(bielle):
    outcome = bielle("rotspring_case01", "--quiet")
    assert (outcome.exit_code, outcome.stdout, outcome.stderr) == (0, "", "")


def test_a_page_keeps_what_is_written_by_hand(bielle, tmp_path):
    page = tmp_path / "folder" / "page.md"
    assert bielle("transpring_case02", "--page", page).exit_code == 0
    assert (page.parent / "images" / "validation_spatial.png").is_file()
    new = page.read_text()
    assert new.startswith("# Validation")
    assert "TranSpring_Case02" in new
    assert "By solver" not in new
    page.write_text(f"# By hand\n\nWords.\n\n{MARK}\n\nold numbers\n")
    assert bielle("rotspring_case01", "--solvers", "--page", page).exit_code == 0
    again = page.read_text()
    assert again.startswith(f"# By hand\n\nWords.\n\n{MARK}\n")
    assert "old numbers" not in again
    assert "| `rotspring_case01` |" in again.partition("## By solver")[2]


def test_a_page_is_markdown(bielle):
    outcome = bielle("rotspring_case01", "--page", "page.pdf")
    assert outcome.exit_code == 2
    assert ".md" in outcome.stderr
