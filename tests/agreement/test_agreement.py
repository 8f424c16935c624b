"""A few random mechanisms with every solver; ``python -m tests.agreement --count 1000`` for more."""

import pytest

from .comparison import AGREES, compare


@pytest.mark.parametrize("edited", [False, True], ids=["as described", "edited"])
@pytest.mark.parametrize("first", [100, 104, 108, 112])
def test_solvers_agree_or_say_that_they_do_not(first, edited):
    outcomes = [compare(seed, edited=edited) for seed in range(first, first + 4)]
    bad = [f"{outcome.case}: {verdict}" for outcome in outcomes for verdict in outcome.bad]
    assert not bad, "\n".join(bad)
    compared = [outcome for outcome in outcomes if not outcome.discarded]
    assert len(compared) >= 3, [outcome.discarded for outcome in outcomes]
    words = [verdict.word for outcome in compared for verdict in outcome.verdicts]
    assert words.count(AGREES) >= 0.8 * len(words), "a comparison in which most refuse is none"


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("edited", [False, True], ids=["as described", "edited"])
def test_solvers_agree_or_say_that_they_do_not_many_times(edited):
    outcomes = [compare(seed, edited=edited) for seed in range(200, 500)]
    bad = [f"{outcome.case}: {verdict}" for outcome in outcomes for verdict in outcome.bad]
    assert not bad, "\n".join(bad)
    assert sum(bool(outcome.discarded) for outcome in outcomes) <= 30
