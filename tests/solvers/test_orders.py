"""Integrators show the order they claim, with every formulation they go with."""

import numpy as np
import pytest

import bielle as bl

from .models import double_pendulum, double_pendulum_reference, spatial_pendulum, tip

FIXED = [
    ("rk4", "projected", 4),
    ("rk4", "baumgarte", 4),
    ("rk4", "augmented", 4),
    ("newmark", "index3", 2),
    ("newmark", "baumgarte", 2),
    ("newmark", "augmented", 2),
    ("hht", "index3", 2),
    ("hht", "baumgarte", 2),
    ("generalized-alpha", "index3", 2),
    ("generalized-alpha", "baumgarte", 2),
]


def stabilised(formulation):
    """A slow stabilisation, where there is one: ω h must be small for the method to be in its asymptotic range."""
    return {} if formulation in ("projected", "index3") else {"omega": 10.0}


def measured_order(errors, steps):
    """Slope of the last refinement in a log-log plot."""
    return np.log(errors[-2] / errors[-1]) / np.log(steps[-2] / steps[-1])


@pytest.mark.parametrize(("integrator", "formulation", "order"), FIXED)
def test_order_of_fixed_step_methods_in_the_plane(integrator, formulation, order):
    # ω h must be small for the stabilised formulations to be in their asymptotic range
    steps = (4e-3, 2e-3) if order == 4 else (1e-3, 5e-4)
    reference = double_pendulum_reference(1.0, 2)[-1]
    errors = []
    for step in steps:
        run = double_pendulum().simulate(
            1.0, bl.Central(formulation, integrator=integrator, step=step, **stabilised(formulation)), samples=2
        )
        errors.append(np.abs(tip(run)[-1] - reference).max())
    # an order is a limit: a tenth of it is left to the steps being finite
    assert measured_order(errors, steps) > 0.9 * order


@pytest.mark.parametrize("coordinates", ["spatial", "natural"])
@pytest.mark.parametrize(("integrator", "order"), [("rk4", 4), ("newmark", 2), ("hht", 2), ("generalized-alpha", 2)])
def test_order_in_space(integrator, order, coordinates):
    steps = (4e-3, 2e-3)
    m = spatial_pendulum(coordinates)
    reference = m.simulate(0.5, bl.Central(rtol=1e-12, atol=1e-13), samples=2)["box"]
    errors = []
    for step in steps:
        run = m.simulate(0.5, bl.Central(integrator=integrator, step=step), samples=2)
        errors.append(np.abs(run["box"].rotation[-1] - reference.rotation[-1]).max())
    assert measured_order(errors, steps) > 0.9 * order


@pytest.mark.parametrize("integrator", ["adaptive", "RK45", "RK23", "DOP853", "Radau", "BDF", "LSODA"])
def test_adaptive_methods_follow_their_tolerance(integrator):
    reference = double_pendulum_reference(1.0, 2)[-1]
    errors = []
    for rtol in (1e-5, 1e-7):
        run = double_pendulum().simulate(1.0, bl.Central(integrator=integrator, rtol=rtol, atol=1e-2 * rtol), samples=2)
        errors.append(np.abs(tip(run)[-1] - reference).max())
    # the tolerance bounds the error of a step; over a second of this motion a hundred of them may add up, grown tenfold
    assert errors[1] < 1e3 * 1e-7
    assert errors[1] < 0.2 * errors[0]


def test_dense_samples_are_as_accurate_as_steps():
    reference = double_pendulum_reference(2.0, 401)
    run = double_pendulum().simulate(2.0, samples=401)
    assert len(run) == 401
    assert run.info["statistics"]["steps"] < 100  # so most samples lie inside steps
    assert np.abs(tip(run) - reference).max() < 1e-7
    assert run.violation.max() < 1e-13
    assert run.velocity_violation.max() < 1e-9


def test_coefficients_are_those_of_scipy():
    from scipy.integrate import DOP853

    from bielle.integrators.adaptive import tableau

    ours = tableau()
    A = ours[:256].reshape(16, 16)
    assert np.array_equal(A[:12, :12], DOP853.A)
    assert np.array_equal(A[12, :12], DOP853.B)
    assert np.array_equal(A[13:], DOP853.A_EXTRA)
    assert np.array_equal(ours[256:268], DOP853.B)
    assert np.array_equal(ours[272:288], [*DOP853.C, 1.0, *DOP853.C_EXTRA])
    assert np.array_equal(ours[288:301], DOP853.E3)
    assert np.array_equal(ours[304:317], DOP853.E5)
    assert np.array_equal(ours[320:].reshape(4, 16), DOP853.D)
