"""Elimination order and block LDLᵀ against dense linear algebra, on random graphs of bodies and joints."""

import numpy as np
import pytest

import bielle.bodies
import bielle.joints  # noqa: F401 (fills the registry)
from bielle.joints import Distance, Fixed, Pin, Rigid, Spherical
from bielle.kernels import blocksparse, slots
from bielle.mechanism.mechanism import Mechanism
from bielle.mechanism.shapes import rigid
from bielle.model import compile_mechanism
from bielle.solvers.workspace import Workspace
from bielle.topology.elimination import analyse

U = np.finfo(float).eps


def chain(n, rng):
    return [(i - 1, i) for i in range(n)]


def loops(n, rng):
    return [*chain(n, rng), *((int(i), int(j)) for i, j in rng.integers(-1, n, (n // 2, 2)) if i != j)]


def hub(n, rng):
    return [(-1, 0), *((0, i) for i in range(1, n))]


def grid(n, rng):
    side = int(n**0.5)
    right = [(side * i + j, side * i + j + 1) for i in range(side) for j in range(side - 1)]
    return [(-1, 0), *right, *((side * i + j, side * i + side + j) for i in range(side - 1) for j in range(side))]


def scattered(n, rng):
    """Several components, free bodies among them, and two joints between the same pair."""
    pairs = [(int(i), int(j)) for i, j in rng.integers(-1, n, (n // 2, 2)) if i != j]
    return [*pairs, *pairs[:2]]


GRAPHS = [chain, loops, hub, grid, scattered]


def workspace(graph, n, spatial, seed=0):
    """A mechanism with that graph, bodies and joints of different sizes."""
    rng = np.random.default_rng(seed)
    m = Mechanism(plane=None if spatial else "xy")
    kinds = ("spatial", "natural") if spatial else ("planar", "bar")
    joints = (Spherical(), Fixed(), Distance(length=1.0)) if spatial else (Pin(), Rigid(), Distance(length=1.0))
    for i in range(n):
        shape = rigid(1.0, (0.1, 0, 0), (1.0, 1.1, 1.2)) if spatial else rigid(1.0, (0.1, 0), 1.0)
        m.add_body(f"b{i}", shape, position=rng.uniform(-1, 1, m.dim), coordinates=kinds[int(rng.integers(2))])
    for k, (i, j) in enumerate(graph(n, rng)):
        a, b = (f"b{x}" if x >= 0 else "ground" for x in (i, j))
        m.add_joint(f"j{k}", joints[int(rng.integers(3))], a, b, at_a=rng.uniform(-1, 1, m.dim), at_b=rng.uniform(-1, 1, m.dim))
    model, state = compile_mechanism(m)
    return Workspace(model, state), rng


def dense(w):
    """K = [M Jᵀ; J −μ] and the places of its rows in the permuted right-hand side."""
    m = w.model
    K = np.block([[w.mass_matrix(), w.jacobian().T], [w.jacobian(), -np.diag(w.mu[: m.nc])]])
    rows = np.zeros(m.nv + m.nc, dtype=int)
    for body in m.bodies.values():
        rows[body.v] = w.body_row[body.index] + np.arange(body.kind.nv)
    for j in range(w.count[slots.N_JOINT]):
        rows[m.nv + w.joint_c[j] : m.nv + w.joint_c[j + 1]] = w.joint_row[j] + np.arange(w.joint_c[j + 1] - w.joint_c[j])
    return K, rows


def solve(w, rows, b):
    w.rhs[rows] = b
    blocksparse.solve(w.address)
    return w.rhs[rows].copy()


@pytest.mark.parametrize("spatial", [False, True], ids=["planar", "spatial"])
@pytest.mark.parametrize("n", [1, 2, 9, 40])
@pytest.mark.parametrize("graph", GRAPHS)
def test_random_quasidefinite_systems(graph, n, spatial):
    """M random and positive, J random, μ of order one: well conditioned, so the solution itself can be compared."""
    w, rng = workspace(graph, n, spatial)
    w.bind("mass", w.mass.copy())
    for body in w.model.bodies.values():
        k, o = body.kind.nv, int(w.body_m[body.index])
        root = rng.standard_normal((k, k))
        w.mass[o : o + k * k] = (root @ root.T + np.eye(k)).reshape(-1)
    w.jac[:] = rng.standard_normal(w.jac.size)
    w.mu[:] = rng.uniform(0.5, 2.0, w.mu.size)
    K, rows = dense(w)
    assert sorted(rows) == list(range(len(rows)))
    w.lu[:] = np.nan
    blocksparse.factor(w.address)
    condition = np.linalg.cond(K)
    for _ in range(2):  # the factor survives a solution
        b = rng.standard_normal(len(rows))
        x = np.linalg.solve(K, b)
        np.testing.assert_allclose(solve(w, rows, b), x, atol=20 * U * condition * np.abs(x).max())


@pytest.mark.parametrize("spatial", [False, True], ids=["planar", "spatial"])
@pytest.mark.parametrize("graph", GRAPHS)
def test_mechanisms(graph, spatial):
    """With the masses, Jacobians and tiny μ of a real mechanism, redundant loops included: the residual is small.

    Unpivoted LDLᵀ of a quasi-definite matrix amplifies rounding by at most the ratio of J M⁻¹ Jᵀ to μ, that is 1/ε.
    """
    w, rng = workspace(graph, 30, spatial)
    w.scalar[slots.S_MU] = 1e-6
    w.regularise()
    K, rows = dense(w)
    blocksparse.factor(w.address)
    b = rng.standard_normal(len(rows))
    x = solve(w, rows, b)
    assert np.abs(K @ x - b).max() <= 10 * U / 1e-6 * np.abs(K).max() * np.abs(x).max()


def symbolic(n, pairs, order):
    """Fill of the elimination of a graph in a given order, from its dense pattern: rows below the diagonal, by position."""
    pattern = np.eye(n, dtype=bool)
    for i, j in pairs:
        pattern[i, j] = pattern[j, i] = True
    pattern = pattern[np.ix_(order, order)]
    columns = []
    for k in range(n):
        below = k + 1 + np.flatnonzero(pattern[k + 1 :, k])
        pattern[np.ix_(below, below)] = True
        columns.append(list(below))
    return columns


@pytest.mark.parametrize("seed", range(8))
def test_elimination_order_and_fill(seed):
    rng = np.random.default_rng(seed)
    bodies, joints = int(rng.integers(1, 15)), int(rng.integers(0, 30))
    n = bodies + joints
    size = rng.integers(1, 7, n)
    wait = np.array([0] * bodies + [1] * joints)
    pairs = [(bodies + j, int(b)) for j in range(joints) for b in rng.integers(0, bodies, rng.integers(1, 4))]
    both = np.array([*pairs, *((b, j) for j, b in pairs)], dtype=int).reshape(-1, 2)
    e = analyse(size, wait, both)
    assert sorted(e.order) == list(range(n))
    assert (e.position[e.order] == np.arange(n)).all()
    assert (e.size == size[e.order]).all()
    assert (np.diff(e.row) == e.size).all()
    for joint in range(bodies, n):  # a joint waits for one of its bodies
        assert any(e.position[b] < e.position[joint] for j, b in pairs if j == joint)
    columns = [list(e.sub_node[e.column[k] : e.column[k + 1]]) for k in range(n)]
    assert columns == symbolic(n, pairs, e.order)
    blocks = {int(e.diagonal[k]): e.size[k] ** 2 for k in range(n)}
    for k in range(n):
        blocks |= {int(e.sub_block[p]): e.size[k] * e.size[e.sub_node[p]] for p in range(e.column[k], e.column[k + 1])}
    assert len(blocks) == n + len(e.sub_node)
    end = 0
    for start, length in sorted(blocks.items()):  # without gap or overlap
        assert start == end
        end = start + length
    assert end == e.length
    assert e.scratch == max((sum(e.size[k] * e.size[i] for i in columns[k]) for k in range(n)), default=0)
    where = {(k, int(e.sub_node[p])): int(e.sub_block[p]) for k in range(n) for p in range(e.column[k], e.column[k + 1])}
    for (i, j), offset, flipped in zip(e.position[both], e.load, e.flip):
        assert offset == where[min(i, j), max(i, j)]
        assert flipped == (i < j)


def test_a_chain_fills_nothing():
    """Minimum degree finds the elimination of a tree that needs no entry beyond the matrix's own."""
    n = 50
    pairs = [(n + j, b) for j in range(n - 1) for b in (j, j + 1)]
    e = analyse(np.full(2 * n - 1, 2), np.array([0] * n + [1] * (n - 1)), np.array(pairs))
    assert len(e.sub_node) == len(pairs)


@pytest.mark.parametrize("joints", [0, 3])
def test_without_bodies(joints):
    e = analyse(np.full(joints, 2), np.ones(joints, dtype=int), np.zeros((0, 2), dtype=int))
    assert sorted(e.order) == list(range(joints))
