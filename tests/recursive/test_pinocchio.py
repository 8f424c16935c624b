"""Random trees against Pinocchio: dynamics both ways, mass matrix, derivatives. `make test-peers` installs it and runs these."""

import numpy as np
import pytest

from .pinocchio_peer import Peer
from .trees import state, tree

pytestmark = pytest.mark.peers
TREES = 200
EXACT, SLOPES = 1e-10, 1e-9  # of the size of the terms that are added up


def random_tree(seed):
    return tree(seed, dim=2 if seed % 4 == 3 else 3, count=1 + seed % 20)


def full(upper):
    """A symmetric matrix of its upper half, which is all that Pinocchio promises."""
    return np.triu(upper) + np.triu(upper, 1).T


@pytest.mark.parametrize("seed", range(TREES))
def test_dynamics_are_those_of_pinocchio(seed):
    """Matrices and accelerations differ by parts of these. Efforts are sums of terms that may cancel, and some derivatives are zero: they
    differ by parts of the terms, |M||a| + |h| + |τ|, and derivatives of accelerations by parts of |M⁻¹| times that."""
    import pinocchio as pin

    model = random_tree(seed).recursive()
    if model.nv == 0:
        return
    peer = Peer(pin, model)
    q, v, tau = state(model, seed)
    q, order = model.integrate(q, np.zeros(model.nv)), peer.order()  # Pinocchio takes quaternions of unit length
    x, other, data = peer.configuration(model, q), peer.model, peer.data
    assert sorted(order) == list(range(model.nv)) == list(range(other.nv))
    grid = np.ix_(order, order)
    their_v, their_tau = np.zeros(other.nv), np.zeros(other.nv)
    their_v[order], their_tau[order] = v, tau
    their_a = pin.aba(other, data, x, their_v, their_tau).copy()
    a, M, h = their_a[order], full(pin.crba(other, data, x))[grid], pin.nonLinearEffects(other, data, x, their_v)[order]
    terms = np.abs(M).max() * np.abs(a).max() + np.abs(h).max() + np.abs(tau).max()
    inverse = np.abs(np.linalg.inv(M)).max()

    def close(mine, theirs, limit, scale=0.0):
        return np.abs(mine - theirs).max() <= limit * max(scale, np.abs(theirs).max())

    assert close(model.crba(q), M, EXACT)
    assert close(model.aba(q, v, tau), a, EXACT)
    assert close(model.bias_forces(q, v), h, EXACT, terms)
    assert close(model.rnea(q, v, a), pin.rnea(other, data, x, their_v, their_a)[order], EXACT, terms)
    pin.computeRNEADerivatives(other, data, x, their_v, their_a)
    by_q, by_v, by_a = model.rnea_derivatives(q, v, a)
    assert close(by_q, data.dtau_dq[grid], SLOPES, terms)
    assert close(by_v, data.dtau_dv[grid], SLOPES, terms)
    assert close(by_a, M, SLOPES)
    pin.computeABADerivatives(other, data, x, their_v, their_tau)
    by_q, by_v, by_tau = model.aba_derivatives(q, v, tau)
    assert close(by_q, data.ddq_dq[grid], SLOPES, inverse * terms)
    assert close(by_v, data.ddq_dv[grid], SLOPES, inverse * terms)
    assert close(by_tau, full(data.Minv)[grid], SLOPES)


def test_trees_are_of_all_sorts():
    """What the tests above compare: every motion there is, forwards and backwards, on the ground and floating."""
    seen = {(link.motion.name, link.backwards) for seed in range(TREES) for link in random_tree(seed).recursive().links}
    motions = {"revolute", "prismatic", "cylindrical", "universal", "spherical", "fixed", "helical", "planar"}
    assert seen >= {(name, way) for name in motions for way in (False, True)} | {("free", False)}
