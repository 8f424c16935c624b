"""The mass matrix without its zeros is the mass matrix."""

import copy

import numpy as np
import pytest

import bielle as bl
from bielle.errors import BielleError

from .trees import state, tree


@pytest.mark.parametrize("dim", [2, 3])
@pytest.mark.parametrize("seed", range(20))
def test_it_is_the_dense_one(seed, dim):
    """The same products, summed in another order: equal to rounding. What is not stored is zero, exactly."""
    model = tree(seed, dim, count=12).recursive()
    model.armature[:] = np.random.default_rng(seed).uniform(size=model.nv)
    q, _, _ = state(model, seed)
    dense, sparse = model.crba(q), model.crba_sparse(q)
    assert sparse.shape == dense.shape
    assert sparse.toarray() == pytest.approx(dense, rel=1e-13, abs=1e-13 * np.abs(dense).max(initial=0.0))
    stored = sparse.copy()
    stored.data[:] = 1.0
    assert not dense[stored.toarray() == 0.0].any()
    assert sparse.has_canonical_format


def test_entries_are_those_that_move_each_other():
    """A palm with ten fingers of three links: each velocity and the two before it at most."""
    m = bl.Mechanism()
    for k in range(10):
        before = "ground"
        for i in range(3):
            name = f"finger {k} {i}"
            m.add_body(name, bl.box((0.1, 0.1, 0.3), mass=1.0), position=(k, 0, -0.3 * i))
            m.add_joint(f"joint {k} {i}", bl.Revolute(axis="x"), before, name, at=(k, 0, -0.3 * i))
            before = name
    model = m.recursive()
    assert model.crba_sparse(model.neutral()).nnz == 10 * 9
    assert np.count_nonzero(model.crba(model.neutral())) <= 90


def test_batches_copies_and_answers_of_their_own():
    model = tree(3, count=9).recursive()
    many = np.array([state(model, k)[0] for k in range(20)])
    for one, other in zip(model.crba_sparse_batch(many), model.crba_batch(many), strict=True):
        assert one.toarray() == pytest.approx(other, rel=1e-13, abs=1e-12)
    first = model.crba_sparse(many[0])
    first.indices[:] = 0  # it is the caller's
    assert copy.deepcopy(model).crba_sparse(many[0]).toarray() == pytest.approx(model.crba(many[0]), abs=1e-12)
    assert model.crba_sparse(many[0].tolist()).toarray() == pytest.approx(model.crba(many[0]), abs=1e-12)
    with pytest.raises(BielleError, match="q"):
        model.crba_sparse(many[0][1:])
