"""``bielle bench``: its tables, its files, its exit status."""

import json
import sys

import pytest
from typer.testing import CliRunner

from bielle import benchmarks
from bielle.benchmarks._page import MARK
from bielle.cli import app

TOY, CURVES = "tests.benchmarks.toy", "tests.benchmarks.curves"


@pytest.fixture
def bielle(tmp_path, monkeypatch):
    """Run a command line in an empty folder and a wide terminal."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "180")
    monkeypatch.setattr(sys, "path", [*sys.path])
    return lambda *arguments: CliRunner().invoke(app, ["bench", *map(str, arguments)])


@pytest.fixture
def kept(bielle, tmp_path):
    """A run of the curves in a file."""
    outcome = bielle(CURVES, "--out", "run.json")
    assert outcome.exit_code == 0, outcome.output
    return tmp_path / "run.json"


def test_tables_goals_and_file(bielle, tmp_path):
    outcome = bielle(TOY, "--quick")
    assert outcome.exit_code == 0, outcome.output
    assert "3.00 (3.00–3.00)" in outcome.stdout
    assert "not installed: pip install surely-not-installed" in outcome.stdout
    assert "1 of 1 goals are reached" in outcome.stdout
    (path,) = (tmp_path / "out" / "bench").glob("*.json")
    record = json.loads(path.read_text())
    assert [case["name"] for case in record["workloads"][0]["cases"]] == ["1"]
    assert record["machine"]["processor"]


def test_missed_goal_is_told_and_is_no_error(bielle):
    outcome = bielle(TOY, "--rounds", 1)
    assert outcome.exit_code == 0
    assert "missed: tests.benchmarks.toy 2, slower / ours: 3.00" in outcome.stdout


def test_earlier_run_is_shown_and_compared(bielle, kept):
    outcome = bielle("--show", kept, "--compare", kept)
    assert outcome.exit_code == 0, outcome.output
    assert "second" in outcome.stdout
    assert "0 of 10 numbers differ" not in outcome.stdout  # of the other program only ratios count
    assert "0 of 6 numbers differ" in outcome.stdout


def test_wrong_answer_of_bielle_is_exit_status_1(bielle, kept):
    record = json.loads(kept.read_text())
    record["workloads"][0]["cases"][0]["measured"][0]["failed"] = "not timed: off"
    kept.write_text(json.dumps(record))
    outcome = bielle("--show", kept)
    assert outcome.exit_code == 1
    assert "bielle failed: tests.benchmarks.curves , second: not timed: off." in outcome.stderr


def test_page_keeps_what_stands_above_the_mark(bielle, kept, tmp_path):
    (tmp_path / "page.md").write_text(f"# Mine\n\n{MARK}\nold\n")
    outcome = bielle("--show", kept, "--page", "page.md")
    text = (tmp_path / "page.md").read_text()
    assert outcome.exit_code == 0, outcome.output
    assert text.startswith("# Mine")
    assert "old" not in text
    assert "| second |" in text
    assert f"images/bench_{CURVES}.png" in text
    assert (tmp_path / "images" / f"bench_{CURVES}.png").stat().st_size > 1000


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["planar_chan"], "Did you mean 'planar_chain'?"),
        (["no.such.thing"], "There is no benchmark in a module named 'no.such.thing'"),
        (["os.path"], "A module with WORKLOAD is expected"),
        (["--show", "none.json"], "there is no file 'none.json'"),
        (["andrews", "--compare", "none.json"], "there is no file 'none.json'"),
        (["andrews", "--out", "run.txt"], ".json"),
        (["andrews", "--page", "page.html"], ".md"),
    ],
)
def test_bad_input_is_refused_before_anything_is_measured(bielle, arguments, message, monkeypatch):
    monkeypatch.setattr(benchmarks, "measure", None)
    outcome = bielle(*arguments)
    assert outcome.exit_code != 0
    assert message in outcome.output.replace("\n", " ")


def test_interruption_keeps_what_was_measured(bielle, tmp_path, monkeypatch):
    measure = benchmarks.measure

    def interrupted(name, **how):
        yield next(measure(name, **how))
        raise KeyboardInterrupt

    monkeypatch.setattr(benchmarks, "measure", interrupted)
    outcome = bielle(CURVES, TOY, "--rounds", 1, "--out", "run.json")
    assert outcome.exit_code == 130
    assert "Interrupted" in outcome.output
    assert [work.name for work in benchmarks.read(tmp_path / "run.json").workloads] == [CURVES]


def test_list(bielle):
    assert "planar_chain" in bielle("--list").stdout
