"""Recursive dynamics against Pinocchio, and against themselves: random trees with joints of all kinds, on the ground and floating."""

from collections import Counter

import numpy as np
from tests.recursive.trees import state, tree

from .measure import show
from .pinocchio_peer import Peer

LIMITS = {
    "crba": 1e-10, "rnea": 1e-10, "aba": 1e-10, "∂rnea/∂q": 1e-9, "∂rnea/∂v": 1e-9, "∂rnea/∂a": 1e-9,
    "∂aba/∂q": 1e-9, "∂aba/∂v": 1e-9, "∂aba/∂τ": 1e-9, "M a + h − τ": 1e-11, "rnea(aba) − τ": 1e-11, "∂aba/∂q + M⁻¹ ∂rnea/∂q": 1e-11,
}  # fmt: skip


def agreement(pin, count=200):
    """Errors of matrices and accelerations are in parts of these. Efforts are sums of terms that may cancel, and some derivatives are zero:
    there, errors are in parts of the terms, |M||a| + |h| + |τ| for efforts, |M⁻¹| times that for derivatives of accelerations."""
    errors, motions, floating = {name: [] for name in LIMITS}, Counter(), 0
    for seed in range(count):
        model = tree(seed, dim=2 if seed % 4 == 3 else 3, count=3 + seed % 18).recursive()
        if model.nv == 0:
            continue
        motions.update(link.motion.name for link in model.links)
        floating += any(link.free for link in model.links)
        for name, error in compare(pin, model, seed).items():
            errors[name].append(error)
    rows = [(name, f"{max(values):.0e}", f"{np.median(values):.0e}", f"{LIMITS[name]:.0e}") for name, values in errors.items()]
    kinds = ", ".join(f"{n} {name}" for name, n in motions.most_common())
    show(f"Agreement with Pinocchio {pin.__version__} on {len(errors['aba'])} random trees, {floating} with floating bodies ({kinds})",
         ("function", "largest difference, relative", "median", "limit"), rows)  # fmt: skip
    failed = [name for name, values in errors.items() if not max(values) <= LIMITS[name]]
    if failed:
        raise AssertionError(f"{', '.join(failed)}: the difference is larger than the limit")


def compare(pin, model, seed):
    """Relative differences by function, at a random state."""
    q, v, tau = state(model, seed)
    q = model.integrate(q, np.zeros(model.nv))  # quaternions of unit length
    peer = Peer(pin, model)
    order, their_q = peer.order(), peer.configuration(model, q)
    their_v, their_tau = np.zeros(model.nv), np.zeros(model.nv)
    their_v[order], their_tau[order] = v, tau

    def matrix(A):
        return np.asarray(A)[np.ix_(order, order)]

    M, h, a = model.crba(q), model.bias_forces(q, v), model.aba(q, v, tau)
    theirs = pin.aba(peer.model, peer.data, their_q, their_v, their_tau).copy()
    inverse = np.linalg.inv(M)
    forces = np.abs(M).max() * np.abs(a).max() + np.abs(h).max() + np.abs(tau).max()
    motion = np.abs(inverse).max() * forces
    full = pin.crba(peer.model, peer.data, their_q)
    by_rnea = [matrix(x) for x in pin.computeRNEADerivatives(peer.model, peer.data, their_q, their_v, theirs)]
    by_rnea[2] = np.triu(by_rnea[2]) + np.triu(by_rnea[2], 1).T if not np.allclose(by_rnea[2], by_rnea[2].T) else by_rnea[2]
    pin.computeABADerivatives(peer.model, peer.data, their_q, their_v, their_tau)
    d = peer.data
    by_aba = [matrix(x) for x in (d.ddq_dq, d.ddq_dv, np.triu(d.Minv) + np.triu(d.Minv, 1).T)]
    mine_rnea, mine_aba = model.rnea_derivatives(q, v, a), model.aba_derivatives(q, v, tau)

    def off(x, y, scale):
        return float(np.abs(x - y).max() / max(scale, np.abs(y).max()))

    out = {
        "crba": off(M, matrix(np.triu(full) + np.triu(full, 1).T), np.abs(M).max()),
        "rnea": off(model.rnea(q, v, a), pin.rnea(peer.model, peer.data, their_q, their_v, theirs)[order], forces),
        "aba": off(a, theirs[order], 0.0),
    }
    for name, x, y in zip(("∂rnea/∂q", "∂rnea/∂v", "∂rnea/∂a"), mine_rnea, by_rnea):
        out[name] = off(x, y, np.abs(M).max() if name == "∂rnea/∂a" else forces)
    for name, x, y in zip(("∂aba/∂q", "∂aba/∂v", "∂aba/∂τ"), mine_aba, by_aba):
        out[name] = off(x, y, np.abs(inverse).max() if name == "∂aba/∂τ" else motion)
    out["M a + h − τ"] = off(M @ a + h, tau, forces)
    out["rnea(aba) − τ"] = off(model.rnea(q, v, a), tau, forces)
    out["∂aba/∂q + M⁻¹ ∂rnea/∂q"] = off(mine_aba[0], -inverse @ mine_rnea[0], motion)
    return out
