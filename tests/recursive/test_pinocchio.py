"""Random trees against Pinocchio: dynamics both ways, mass matrix, derivatives. `make test-peers` installs it and runs these."""

import numpy as np
import pytest
from benchmarks.pinocchio_peer import Peer

from .trees import state, tree

pytestmark = pytest.mark.peers
TREES = 200
EXACT, SLOPES = 1e-10, 1e-9  # of the size of the terms that are added up


def size(*terms):
    return 1.0 + max(np.abs(term).max() for term in terms)


def unit(model, q):
    """q with quaternions of unit length, which is how Pinocchio takes them."""
    return model.integrate(q, np.zeros(model.nv))


@pytest.mark.parametrize("seed", range(TREES))
def test_dynamics_are_those_of_pinocchio(seed):
    import pinocchio as pin

    model = tree(seed, dim=2 if seed % 4 == 0 else 3, count=1 + seed % 12).recursive()
    if model.nv == 0:
        return
    peer = Peer(pin, model)
    q, v, tau = state(model, seed)
    q, order = unit(model, q), peer.order()
    x, other, data = peer.configuration(model, q), peer.model, peer.data
    assert sorted(order) == list(range(model.nv)) == list(range(other.nv))

    def theirs(values):
        out = np.zeros(other.nv)
        out[order] = values
        return out

    grid = np.ix_(order, order)
    M = np.triu(pin.crba(other, data, x))
    M = (M + np.triu(M, 1).T)[grid]
    assert np.abs(model.crba(q) - M).max() <= EXACT * size(M)
    a = pin.aba(other, data, x, theirs(v), theirs(tau))[order]
    h = pin.nonLinearEffects(other, data, x, theirs(v))[order]
    assert np.abs(model.bias_forces(q, v) - h).max() <= EXACT * size(h, M)
    # accelerations are as far apart as efforts that are equal to rounding make them
    worst = np.linalg.norm(np.linalg.inv(M), 2)
    assert np.abs(model.aba(q, v, tau) - a).max() <= EXACT * (size(a) + worst * size(h, tau))
    wanted = pin.rnea(other, data, x, theirs(v), theirs(tau))[order]
    assert np.abs(model.rnea(q, v, tau) - wanted).max() <= EXACT * size(wanted, M * np.abs(tau).max(), h)
    pin.computeRNEADerivatives(other, data, x, theirs(v), theirs(tau))
    by_q, by_v, by_a = model.rnea_derivatives(q, v, tau)
    for mine, peers in ((by_q, data.dtau_dq[grid]), (by_v, data.dtau_dv[grid]), (by_a, M)):
        assert np.abs(mine - peers).max() <= SLOPES * size(peers, h, M)
    pin.computeABADerivatives(other, data, x, theirs(v), theirs(tau))
    inverse = np.triu(data.Minv)
    inverse = (inverse + np.triu(inverse, 1).T)[grid]
    steep = worst * size(by_q, by_v)
    for mine, peers in zip(model.aba_derivatives(q, v, tau), (data.ddq_dq[grid], data.ddq_dv[grid], inverse)):
        assert np.abs(mine - peers).max() <= SLOPES * (size(peers) + steep)


def test_trees_are_of_all_sorts():
    """What the tests above compare: every motion there is, forwards and backwards, on the ground and floating."""
    seen = set()
    for seed in range(TREES):
        for link in tree(seed, dim=2 if seed % 4 == 0 else 3, count=1 + seed % 12).recursive().links:
            seen.add((link.motion.name, link.backwards))
    motions = {"revolute", "prismatic", "cylindrical", "universal", "spherical", "fixed", "helical", "planar"}
    assert seen >= {(name, way) for name in motions for way in (False, True)} | {("free", False)}
