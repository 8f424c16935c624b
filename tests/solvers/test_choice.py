"""The solver that suits a mechanism: which, and why."""

import numpy as np
import pytest

import bielle as bl
from bielle.errors import DescriptionError, NamingError
from bielle.examples import get
from bielle.model import compile_mechanism
from bielle.solvers import choice

from ..recursive.linkages import four_bar, ladder


def chain(n):
    m = bl.Mechanism(plane="xy")
    for i in range(n):
        m.add_body(f"link{i}", bl.rod((i, 0), (i + 1, 0), mass=1.0))
        m.add_joint(f"pin{i}", bl.Pin(), f"link{i - 1}" if i else m.ground, f"link{i}", at=(i, 0))
    return m


@pytest.mark.parametrize(
    ("make", "solver", "why"),
    [
        (lambda: chain(1), bl.Recursive, "one body in trees, no loops"),
        (lambda: chain(7), bl.Recursive, "7 bodies in trees, no loops"),
        (four_bar, bl.Recursive, "3 bodies in trees, one loop"),
        (lambda: ladder(40), bl.Recursive, "81 bodies in trees, 40 loops"),
        (lambda: get("breaking_bridge").build(), bl.Central, "8 joints close loops that hang together"),
    ],
)
def test_the_family_fits_the_mechanism(make, solver, why):
    chosen = choice.choose(compile_mechanism(make())[0])
    assert type(chosen.solver) is solver
    assert chosen.why == why


def test_very_many_bodies_advance_themselves(monkeypatch):
    monkeypatch.setattr(choice, "MANY_BODIES", 5)
    chosen = choice.choose(compile_mechanism(chain(6))[0])
    assert isinstance(chosen.solver, bl.Modular)
    assert "6 bodies" in chosen.why


def test_what_was_chosen_is_told():
    m = four_bar()
    run = m.simulate(0.2, "auto")
    assert run.info["solver"].startswith("recursive")
    assert run.info["solver"].endswith("(auto: 3 bodies in trees, one loop)")
    assert np.abs(run["rocker"].position - m.simulate(0.2)["rocker"].position).max() <= 1e-9
    live = m.live("auto")
    live.advance(0.2)
    assert isinstance(live.solver, bl.Recursive)
    assert np.abs(live["rocker"].position - run["rocker"].position[-1]).max() <= 1e-9


def test_what_is_no_solver_is_refused():
    for wrong in (3, bl.Central):
        with pytest.raises(DescriptionError, match=r"must be made by bielle.Central\(…\), bielle.Modular\(…\) or bielle.Recursive"):
            four_bar().simulate(0.1, wrong)
    with pytest.raises(NamingError, match="There is no solver named 'automatic'. Did you mean 'auto'?"):
        four_bar().simulate(0.1, "automatic")


def test_a_solver_by_its_name():
    assert four_bar().simulate(0.1, "recursive", samples=2).info["solver"] == bl.Recursive().describe()
    assert isinstance(four_bar().live("central").solver, bl.Central)
