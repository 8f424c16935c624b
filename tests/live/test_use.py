"""Another solver in the middle of a session."""

import numpy as np
import pytest

import bielle as bl

from .crane import bits, crane

SOLVERS = [
    bl.Central(),
    bl.Central(integrator="rk4", step=1e-3),
    bl.Central(integrator="generalized-alpha", step=1e-3),
    bl.Recursive(),
    bl.Modular(),
]


@pytest.mark.parametrize("solver", SOLVERS, ids=lambda s: s.describe())
def test_it_goes_on_from_where_it_was(solver):
    live, reference = crane().live(), crane().live()
    reference.advance(0.3)
    live.advance(0.1)
    live.use(solver)
    assert live.solver == solver
    live.advance(0.1)
    live.use(bl.Central())
    live.advance(0.1)
    # steps of 1 ms, second order, for 0.1 s at some 10 rad/s: (ωh)² ωt = 1e-4
    assert np.abs(live["lower"].position - reference["lower"].position).max() < 1e-4


@pytest.mark.parametrize("solver", SOLVERS, ids=lambda s: s.describe())
def test_it_is_replayed_saved_loaded_and_branched(solver, tmp_path):
    live = crane().live()
    live.advance(0.05)
    live.use(solver)
    live.push("lower", impulse=(0.5, 0.0))
    live.advance(0.05)
    assert bits(live.replay()) == bits(live)
    live.save(tmp_path / "a.session")
    others = [live.branch(), bl.load_session(tmp_path / "a.session")]
    live.advance(0.05)
    live.undo()
    for other in others:
        assert other.solver == solver
        other.advance(0.05)
    assert bits(others[0]) == bits(others[1])
    assert "use " in str(live.journal)


def test_what_cannot_be_used_changes_nothing():
    live = crane().live()
    live.advance(0.05)
    before = bits(live)
    with pytest.raises(bl.errors.DescriptionError, match="RK45"):
        live.use(bl.Central(integrator="RK45"))
    with pytest.raises(bl.errors.BielleError):
        live.use("centrl")
    assert live.solver == bl.Central()
    assert bits(live) == before
