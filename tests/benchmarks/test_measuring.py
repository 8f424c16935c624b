"""The harness: answers before time, ratios by rounds, and programs that fail without taking anything with them."""

import time

import msgspec
import pytest

from bielle import benchmarks
from bielle.benchmarks import _records
from bielle.benchmarks._tables import changes, goals, growth, measured, ratios
from bielle.errors import FileError, NamingError

TOY = "tests.benchmarks.toy"


@pytest.fixture(scope="module")
def timed():
    """What was measured, and how long that took."""
    began = time.perf_counter()
    *_, last = benchmarks.measure(TOY)
    return last, time.perf_counter() - began


@pytest.fixture(scope="module")
def work(timed):
    return timed[0]


def found(work, program, case=0):
    return next(each for each in work.cases[case].measured if each.program == program)


@pytest.mark.parametrize(
    ("program", "why"),
    [
        ("wrong", "off by 1.0e-01, 5e-02 is allowed"),
        ("nan", "off by inf"),
        ("dying", "ended with status 3"),
        ("killed", "SIGKILL"),
        ("refusing", "ValueError: no room for 1"),
        ("endless", "stopped after 2 s"),
        ("missing", "not installed: pip install surely-not-installed"),
    ],
)
def test_program_that_fails_says_why_and_is_not_timed(work, program, why):
    assert why in found(work, program).failed
    assert found(work, program).values == []


def test_the_others_go_on(work):
    assert found(work, "ours").values == [1.0] * 4
    assert found(work, "ours", case=1).values == [2.0] * 7
    assert found(work, "tolerated").error == pytest.approx(0.01)


def test_failure_in_one_case_leaves_the_other(work):
    assert found(work, "small only").values == [3.0] * 4
    assert "no room for 2" in found(work, "small only", case=1).failed


def test_time_is_taken_by_the_clock_unless_the_job_says_otherwise(timed):
    work, whole = timed
    values = found(work, "clock").values
    assert min(values) >= 0.01  # it sleeps so long, and on a busy machine longer
    assert sum(values) < whole


def test_program_is_asked_for_its_own_cases_only(work):
    assert [each.program for each in work.cases[0].measured].count("one case") == 0
    assert found(work, "one case", case=1).values


def test_ratios_and_goals(work):
    pairs = {(each.ours, each.other): each for each in work.cases[0].ratios}
    assert set(pairs) == {("ours", "slower"), ("ours", "tolerated")}
    assert pairs["ours", "slower"].values == [3.0] * 4
    assert pairs["ours", "slower"].met is True
    assert work.cases[1].ratios[0].met is False
    record = _record(work)
    assert goals(record) == (2, [f"{TOY} 2, slower / ours: 3.00 (3.00–3.00), 4 is asked for"])


def test_what_bielle_does_wrong_is_told(work):
    assert work.wrong == []
    found(work, "ours").failed = "broken"
    assert work.wrong == [f"{TOY} 1, ours: broken"]
    found(work, "ours").failed = ""


def test_without_a_right_answer_nothing_is_timed():
    (last,) = benchmarks.measure("tests.benchmarks.unsure")
    assert "nothing to compare its answer with (ValueError: nobody knows)" in last.cases[0].measured[0].failed
    assert last.wrong


def test_quick_run_does_quick_cases_and_tells_how_far_it_is():
    parts = []
    *_, last = benchmarks.measure("tests.benchmarks.curves", rounds=1, progress=lambda what, part: parts.append(part))
    assert parts == sorted(parts)
    assert 0.0 == parts[0] < parts[-1] < 1.0
    assert [len(each.values) for each in last.cases[0].measured] == [1] * 8


def test_programs_with_settings_are_compared_at_equal_error():
    *_, last = benchmarks.measure("tests.benchmarks.curves")
    found = {each.accuracy: each for each in last.cases[0].ratios}
    # second order reaches 0.01 with 0.1, 1e-4 with 0.01 and 1e-6 with 1e-3; first order needs the step itself to be so small
    assert found[0.2].values == pytest.approx([0.1] * 2)
    assert found[1e-3].values == pytest.approx([1.0] * 2)
    assert found[1e-3].met is True
    assert 1e-5 not in found  # first order has no setting so fine


def _record(work, factor=1.0):
    record = benchmarks.Record.begin()
    copied = msgspec.json.decode(msgspec.json.encode(work), type=_records.WorkloadRecord)
    for case in copied.cases:
        for each in case.measured:
            each.values = [factor * value for value in each.values]
    record.workloads.append(copied)
    record.yardsticks = [1.0]
    return record


def test_record_is_kept_and_read_back(work, tmp_path):
    record = _record(work)
    benchmarks.write(tmp_path / "deep" / "run.json", record)
    again = benchmarks.read(tmp_path / "deep" / "run.json")
    assert again == record
    assert {"processor", "cores", "system", "python"} <= set(again.machine)
    assert again.versions["numpy"]


@pytest.mark.parametrize("text", ["", "{}", "[1, 2", '{"bielle": 3}', "\x00\xff"])
def test_file_that_is_no_record_is_refused(text, tmp_path):
    (tmp_path / "x.json").write_text(text, encoding="latin-1")
    with pytest.raises(FileError, match="is not a record"):
        benchmarks.read(tmp_path / "x.json")
    with pytest.raises(FileError, match="no file"):
        benchmarks.read(tmp_path / "y.json")


def test_comparison_tells_what_differs_by_more_than_its_spread(work):
    old, new = _record(work), _record(work, factor=0.5)
    count, (_, rows) = changes(old, new)
    assert count == 2 + 4  # times of ours in two cases, two ratios in each
    assert [(row[0], row[3], row[4]) for row in rows] == [(f"{TOY} 1 ours", "-50 %", "better"), (f"{TOY} 2 ours", "-50 %", "better")]
    assert changes(old, old)[1][1] == []
    new.yardsticks = [0.5]  # the machine was as much faster
    assert changes(old, new)[1][1] == []


def test_tables_hold_every_program_and_pair(work):
    names, rows = measured(work)
    assert len(rows) == 12 + 13
    assert "setting" not in names  # nobody has any
    assert ["1", "refusing"] in [row[:2] for row in rows]
    names, rows = ratios(work)
    assert [row[-1] for row in rows] == ["✓", "", "✗", ""]


def test_growth_is_per_unit(work):
    assert growth(work, least=1).startswith("From n = 1 on, per run: ours n^0.00, slower n^0.00,")  # twice the count, twice the time
    assert growth(work) == ""


def test_unknown_workload():
    with pytest.raises(NamingError, match="planar_chain"):
        benchmarks.get("planar_chan")
