"""Analytic derivatives against central differences on the manifold, and against each other."""

import numpy as np
import pytest

from .trees import state, tree

STEP = 1e-6  # of central differences: their error is about 1e-12 from the step, 1e-10 from rounding, relative to the values


def differences(function, n):
    """Columns (f(+h e) − f(−h e)) / 2h."""
    return np.column_stack([(function(STEP * e) - function(-STEP * e)) / (2 * STEP) for e in np.eye(n)])


@pytest.mark.parametrize(("dim", "seed"), [(dim, seed) for dim in (2, 3) for seed in range(20)])
def test_derivatives_are_those_of_differences(dim, seed):
    model = tree(seed, dim).recursive()
    q, v, tau = state(model, seed)
    a = model.aba(q, v, tau)
    for found, function, third in (
        (model.rnea_derivatives(q, v, a), model.rnea, a),
        (model.aba_derivatives(q, v, tau), model.aba, tau),
    ):
        scale = 1 + np.abs(function(q, v, third)).max() + max(np.abs(x).max() for x in found)
        by_q = differences(lambda d, f=function, x=third: f(model.integrate(q, d), v, x), model.nv)
        by_v = differences(lambda d, f=function, x=third: f(q, v + d, x), model.nv)
        by_third = differences(lambda d, f=function, x=third: f(q, v, x + d), model.nv)
        for exact, difference in zip(found, (by_q, by_v, by_third)):
            assert np.abs(exact - difference).max() <= 1e-7 * scale


@pytest.mark.parametrize("seed", range(40))
def test_those_of_accelerations_follow_from_those_of_efforts(seed):
    """∂a/∂q = −M⁻¹ ∂τ/∂q, ∂a/∂v = −M⁻¹ ∂τ/∂v, ∂a/∂τ = M⁻¹: up to the rounding of the terms, |M⁻¹| (|M||a| + |h| + |τ|)."""
    model = tree(seed, dim=2 if seed % 4 == 3 else 3, count=3 + seed % 18).recursive()
    q, v, tau = state(model, seed)
    a, M, h = model.aba(q, v, tau), model.crba(q), model.bias_forces(q, v)
    inverse = np.linalg.inv(M)
    scale = np.abs(inverse).max() * (np.abs(M).max() * np.abs(a).max() + np.abs(h).max() + np.abs(tau).max())
    by_q, by_v, by_tau = model.aba_derivatives(q, v, tau)
    efforts_by_q, efforts_by_v, _ = model.rnea_derivatives(q, v, a)
    assert np.abs(by_q + inverse @ efforts_by_q).max() <= 1e-11 * scale
    assert np.abs(by_v + inverse @ efforts_by_v).max() <= 1e-11 * scale
    assert np.abs(by_tau - inverse).max() <= 1e-11 * np.abs(inverse).max()


def test_armature_is_part_of_it():
    model = tree(4).recursive()
    q, v, tau = state(model, 4)
    model.armature[:] = np.linspace(0.1, 2.0, model.nv)
    a = model.aba(q, v, tau)
    by_q, by_v, inverse = model.aba_derivatives(q, v, tau)
    assert np.abs(model.rnea(q, v, a) - tau).max() <= 1e-12 * (1 + np.abs(tau).max()) * 1e2
    assert np.allclose(inverse @ model.crba(q), np.eye(model.nv), atol=1e-10)
    difference = differences(lambda d: model.aba(model.integrate(q, d), v, tau), model.nv)
    assert np.abs(by_q - difference).max() <= 1e-7 * (1 + np.abs(by_q).max())
    assert np.abs(by_v - differences(lambda d: model.aba(q, v + d, tau), model.nv)).max() <= 1e-7 * (1 + np.abs(by_v).max())
