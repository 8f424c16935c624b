"""Numbers that nothing can be made of are refused with a sentence, not with what a library says when it meets them."""

import numpy as np
import pytest

import bielle as bl
from bielle.errors import DescriptionError
from bielle.examples import double_pendulum, four_bar


def test_samples_without_room():
    m = double_pendulum.build()
    with pytest.raises(DescriptionError, match=r"at most 100000000 samples, got 1000000000000\. Take fewer"):
        m.simulate(1.0, samples=10**12)


@pytest.mark.parametrize("solver", [bl.Modular(step=1e-50), bl.Central(integrator="rk4", step=1e-30), bl.Central(max_step=1e-16)])
def test_steps_that_are_none(solver):
    with pytest.raises(DescriptionError, match="Steps of .* s are too short to tell one time from the next"):
        double_pendulum.build().simulate(1.0, solver)


def test_a_resolution_that_is_none():
    live = double_pendulum.build().live()
    live.when("lower.velocity.x", above=1e9, resolution=1e-50)
    with pytest.raises(DescriptionError, match="Steps of 1e-50 s are too short .* resolution of events"):
        live.advance(0.1)
    live.remove("elbow")  # the session goes on


@pytest.mark.parametrize("y", [(0.0, 1e60, -1e60, 0.0), (0.0, 1e60, 0.0, 1.0)])
def test_tables_steeper_than_numbers(y):
    m = bl.Mechanism()
    m.add_body("b", bl.sphere(0.1, mass=1.0))
    m.add_force("push", bl.PointForce((bl.Table(x=(0.0, 1e-300, 2e-300, 1.0), y=y), 0, 0)), "b", at_a=(0, 0, 0))
    with pytest.raises(DescriptionError, match=r"force 'push': A table is too steep.*Move the points apart"):
        m.simulate(0.1)


def test_a_report_on_what_no_arithmetic_can_tell(monkeypatch):
    def fail(*_, **__):
        raise np.linalg.LinAlgError("SVD did not converge")

    monkeypatch.setattr(np.linalg, "svd", fail)
    report = four_bar.build().report()
    assert "too far apart for arithmetic with 16 digits" in str(report)
    assert not report.ok
