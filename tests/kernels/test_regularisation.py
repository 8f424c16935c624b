"""Which joints count as being in a loop, and that the others need two solutions only."""

import numpy as np
import pytest

import bielle as bl
from bielle.analysis.assembly import assemble
from bielle.kernels import slots
from bielle.model import compile_mechanism
from bielle.solvers.workspace import Workspace

COORDINATES = {2: ["planar", "bar"], 3: ["spatial", "natural"]}


def random_net(seed):
    """Bodies, each on an earlier one or on the ground, and some joints more, of which a few bodies cannot hang on."""
    rng = np.random.default_rng(seed)
    dim = 2 + seed % 2
    m = bl.Mechanism(plane="xy") if dim == 2 else bl.Mechanism()
    shape = bl.disc(1.0, mass=1.0) if dim == 2 else bl.box((1.0, 2.0, 3.0), mass=1.0)
    names = ["ground"]
    for i in range(int(rng.integers(4, 12))):
        coordinates = COORDINATES[dim][0] if dim == 2 else COORDINATES[dim][int(rng.integers(2))]
        m.add_body(f"b{i}", shape, position=tuple(rng.normal(size=dim)), coordinates=coordinates)
        if rng.random() < 0.8:
            at = tuple(rng.normal(size=dim))
            m.add_joint(f"j{i}", bl.Pin() if dim == 2 else bl.Spherical(), names[int(rng.integers(len(names)))], f"b{i}", at=at)
        names.append(f"b{i}")
    for i in range(int(rng.integers(0, 4))):
        a, b = rng.choice(len(names), 2, replace=False)
        if rng.random() < 0.5:
            m.add_joint(f"rod{i}", bl.Distance(), names[a], names[b], at_a=(0.1,) * dim, at_b=(0.0,) * dim)
        else:
            at = tuple(rng.normal(size=dim))
            m.add_joint(f"more{i}", bl.Pin() if dim == 2 else bl.Spherical(), names[a], names[b], at=at)
    return m


def outside_loops(m):
    """Joints that are taken away if bodies on which one joint is left are, again and again, as far as these are pins or balls."""
    joints = {name: {joint.a, joint.b} - {"ground"} for name, joint in m.joints.items()}
    taken = set()
    while True:
        left = {body: [name for name in joints if name not in taken and body in joints[name]] for body in m.bodies}
        last = {names[0] for names in left.values() if len(names) == 1 and not isinstance(m.joints[names[0]].kind, bl.Distance)}
        if not last:
            return taken, {body for body, names in left.items() if not names}
        taken |= last


@pytest.mark.parametrize("seed", range(40))
def test_joints_in_no_loop_are_hardly_regularised(seed):
    """With ε = 0 the μ of all others goes down, theirs is the same."""
    m = random_net(seed)
    model, state = compile_mechanism(m)
    w = Workspace(model, state)
    w.regularise()
    mu = w.mu[: model.nc].copy()
    w.scalar[slots.S_MU] = 0.0
    w.regularise()
    joints, bodies = outside_loops(m)
    for j, record in enumerate(model.joint_rows.records):
        rows = slice(w.joint_c[j], w.joint_c[j + 1])
        if record.name in (bodies if record.item.internal else joints):
            assert (mu[rows] == w.mu[rows]).all()
        else:
            assert (mu[rows] > w.mu[rows]).all()


@pytest.mark.parametrize("coordinates", ["planar", "bar", "spatial", "natural"])
def test_two_solutions_are_enough_for_a_long_chain(coordinates):
    """n² ρ = 1e-8 of the accelerations is left by the first solution, its square by the second."""
    n, dim = 1000, 2 if coordinates in ("planar", "bar") else 3
    m = bl.Mechanism(plane="xy") if dim == 2 else bl.Mechanism(gravity=(0, -9.81, 0))
    rng = np.random.default_rng(1)
    p, previous = np.zeros(dim), "ground"
    for i in range(n):
        step = rng.normal(size=dim)
        end = p + step / np.linalg.norm(step)
        m.add_body(f"b{i}", bl.rod(tuple(p), tuple(end), mass=1.0, **({"radius": 0.1} if dim == 3 else {})), coordinates=coordinates)
        m.add_joint(f"j{i}", bl.Pin() if dim == 2 else bl.Spherical(), previous, f"b{i}", at=tuple(p))
        previous, p = f"b{i}", end
    model, state = compile_mechanism(m)
    w = Workspace(model, assemble(m, model, state).state)
    w.regularise()
    found = []
    for iterations in (2, 8):
        w.count[slots.N_ITERATIONS] = iterations
        w.accelerate()
        found.append(w.acc[: model.nv].copy())
    assert np.abs(found[0] - found[1]).max() <= 1e-11 * np.abs(found[1]).max()
