"""Workloads: bielle's programs and the others give the answers they promise. Nothing is timed here."""

import pytest

from bielle import benchmarks
from bielle.benchmarks._workload import OURS

WORKS = {name: benchmarks.get(name) for name in benchmarks.names()}


def _smallest(name, program):
    work = WORKS[name]
    return next((case for case in work.cases if work.cases[case].quick and work.does(program, case)), None)


def _entries(peers):
    for name, work in WORKS.items():
        for program in work.programs:
            if (program.package != OURS) == peers and _smallest(name, program) is not None:
                yield pytest.param(name, program, id=f"{name}-{program.name}")


def _check(name, program):
    work, case = WORKS[name], _smallest(name, program)
    arguments = work.cases[case].arguments
    setting = list(program.settings.values())[-1]
    answer = program.make(**arguments, **setting).done()
    if work.reference is not None:
        right = work.reference(**arguments)
    else:
        first = next(each for each in work.programs if work.does(each, case))
        right = first.make(**arguments, **list(first.settings.values())[-1]).done()
    assert work.off(answer, right) <= program.within


@pytest.mark.parametrize(("name", "program"), list(_entries(peers=False)))
def test_answers_of_bielle(name, program):
    _check(name, program)


@pytest.mark.peers
@pytest.mark.parametrize(("name", "program"), list(_entries(peers=True)))
def test_answers_of_others(name, program):
    _check(name, program)


@pytest.mark.parametrize("name", WORKS)
def test_workload_is_whole(name):
    work = WORKS[name]
    programs = [program.name for program in work.programs]
    assert len(set(programs)) == len(programs)
    assert any(case.quick for case in work.cases.values())
    for pair in work.pairs:
        assert {pair.ours, pair.other} <= set(programs)
        at = {f"{case} {accuracy:g}".strip() for case in work.cases for accuracy in work.accuracies} or set(work.cases)
        assert set(pair.goals) <= at
    for program in work.programs:
        assert set(program.cases) <= set(work.cases)
