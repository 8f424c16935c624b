"""Masses, inertias and lengths over many decades: accelerations against exact arithmetic, motions against closed forms and each other."""

from decimal import Decimal, localcontext

import numpy as np
import pytest
from scipy.special import ellipj

import bielle as bl
from bielle.analysis.assembly import assemble
from bielle.model import compile_mechanism
from bielle.solvers.workspace import Workspace

ADAPTIVE = {
    "projected": bl.Central(),
    "baumgarte": bl.Central("baumgarte"),
    "augmented": bl.Central("augmented"),
    "recursive": bl.Recursive(),
}


def exact_accelerations(w):
    """v̇ of [M Jᵀ; J 0] (v̇, −λ) = (f, −γ), by Gaussian elimination with sixty digits."""
    w.evaluate()
    w.apply_forces()
    n, c = w.model.nv, w.model.nc
    J, M = w.jacobian(), w.mass_matrix()
    K = np.block([[M, J.T], [J, np.zeros((c, c))]])
    right = np.concatenate([w.force[:n], -w.gamma[:c]])
    with localcontext() as context:
        context.prec = 60
        rows = [[Decimal(float(x)) for x in (*row, r)] for row, r in zip(K, right)]
        for k in range(n + c):
            pivot = max(range(k, n + c), key=lambda i: abs(rows[i][k]))
            rows[k], rows[pivot] = rows[pivot], rows[k]
            for i in range(k + 1, n + c):
                if rows[i][k] != 0:
                    factor = rows[i][k] / rows[k][k]
                    rows[i] = [a - factor * b for a, b in zip(rows[i], rows[k])]
        x = [Decimal(0)] * (n + c)
        for k in reversed(range(n + c)):
            x[k] = (rows[k][-1] - sum(rows[k][i] * x[i] for i in range(k + 1, n + c))) / rows[k][k]
        return np.array([float(value) for value in x[:n]])


def random_chain(seed, lengths, masses, slenderness):
    """Rods on hinges and balls, every other one closed to a loop; each of the arguments is a number of decades."""
    rng = np.random.default_rng(seed)
    dim, loop = 2 + seed % 2, seed // 2 % 2
    m = bl.Mechanism(plane="xy") if dim == 2 else bl.Mechanism(gravity=(0, -9.81, 0))
    p, previous = np.zeros(dim), "ground"
    for i in range(int(rng.integers(3, 6)) + 2 * loop):
        length, mass = 10 ** rng.uniform(-lengths / 2, lengths / 2), 10 ** rng.uniform(-masses / 2, masses / 2)
        radius = length * 10 ** rng.uniform(-1 - slenderness, -1)
        direction = rng.normal(size=dim)
        end = p + length * direction / np.linalg.norm(direction)
        m.add_body(f"b{i}", bl.rod(tuple(p), tuple(end), mass=mass, **({"radius": radius} if dim == 3 else {})))
        if dim == 2:
            joint = bl.Pin()
        else:
            joint = bl.Revolute(axis=tuple(rng.normal(size=3))) if rng.random() < 0.5 else bl.Spherical()
        m.add_joint(f"j{i}", joint, previous, f"b{i}", at=tuple(p))
        previous, p = f"b{i}", end
    if loop:
        m.add_joint("close", bl.Pin() if dim == 2 else bl.Spherical(), previous, "ground", at=tuple(p))
    return m


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("decades", [(0, 12, 0), (6, 0, 0), (0, 0, 4), (2, 6, 3)], ids=str)
def test_accelerations_against_exact_arithmetic(seed, decades):
    """Compared body by body, so that light ones count as much; 1e-9 is what is left of rounding, 1e-16, times the ratio of masses that one
    joint sees (refinement takes a part of it away)."""
    m = random_chain(seed, *decades)
    model, state = compile_mechanism(m)
    w = Workspace(model, assemble(m, model, state).state)
    w.regularise()
    w.accelerate()
    found, exact = w.acc[: model.nv].copy(), exact_accelerations(w)
    for row in model.bodies.values():
        if row.kind.nv:
            assert np.abs(found - exact)[row.v].max() <= 1e-9 * np.abs(exact[row.v]).max()


def between_heavy_ones(kind):
    """Two light rods between heavy ones: what the first carries is a hundred thousand times as heavy as it is."""
    m = bl.Mechanism(gravity=(1, -9, 2))
    places = [(0, 0, 0), (0.2, -0.2, 0.05), (0.25, 0.05, -0.05), (0.05, 0.1, -0.2), (0.15, 0.25, -0.2)]
    bodies = ("ground", "b0", "b1", "b2", "b3")
    for k, mass in enumerate((1e5, 10.0, 10.0, 5e5)):
        m.add_body(bodies[k + 1], bl.rod(places[k], places[k + 1], mass=mass, radius=0.02), angular_velocity=(1, k, -2))
        m.add_joint(f"j{k}", kind, bodies[k], bodies[k + 1], at=places[k])
    return m


UNIVERSAL = bl.Universal(axis_a=(1, 2, 0), axis_b=(2, -1, 3))


@pytest.mark.parametrize("kind", [bl.Spherical(), UNIVERSAL, bl.Revolute(axis=(1, 2, 2))], ids=["spherical", "universal", "revolute"])
def test_joint_coordinates_of_light_bodies_that_carry_heavy_ones(kind):
    """One light body behind the other costs the ratio of masses, 1e5, once in the digits, 1e-16; 100 times that for lengths and sums."""
    m = between_heavy_ones(kind)
    model, state = compile_mechanism(m)
    state = assemble(m, model, state).state
    run = bl.Recursive().start(model, state)
    run.workspace.accelerate()
    found, exact = run.workspace.acc[: model.nv].copy(), exact_accelerations(Workspace(model, state))
    for row in model.bodies.values():
        if row.kind.nv:
            assert np.abs(found - exact)[row.v].max() <= 1e-9 * np.abs(exact[row.v]).max()


@pytest.mark.parametrize("mass", [1e-4, 1e-8, 1e-12])
def test_a_free_tree_grows_from_its_heaviest_body(mass):
    """A light rod flies with a heavy box: if it were the root, steps would follow its rounding. 1e-7 is 100 times the tolerance."""
    m = bl.Mechanism()
    m.add_body("light", bl.rod((0, 0, 0), (1, 0, 0), mass=mass, radius=0.001), angular_velocity=(0, 2, 3))
    m.add_body("heavy", bl.box((1, 0.5, 0.3), mass=1e5), position=(1.3, 0.4, 0), angular_velocity=(0.3, -1, 2))
    m.add_joint("ball", bl.Spherical(), "light", "heavy", at=(1, 0, 0))
    central, recursive = m.simulate(2.0, samples=11), m.simulate(2.0, bl.Recursive(), samples=11)
    assert recursive.info["statistics"]["steps"] <= 2 * central.info["statistics"]["steps"]
    assert np.abs(recursive["light"].position - central["light"].position).max() <= 1e-7
    assert [link.name for link in m.recursive().links] == ["light", "heavy"]  # those of models are in the order of description


def hinged_rod(radius):
    m = bl.Mechanism(gravity=(0, -9.81, 0))
    m.add_body("rod", bl.rod((0, 0, 0), (1, 0, 0), mass=1.0, radius=radius))
    m.add_joint("hinge", bl.Revolute(axis="z"), m.ground, "rod", at=(0, 0, 0))
    return m


@pytest.mark.parametrize("name", ADAPTIVE)
@pytest.mark.parametrize("radius", [1e-2, 1e-4, 1e-5, 1e-7])
def test_a_thin_rod_swings_as_elliptic_functions_say(name, radius):
    """Its moment of inertia about its own axis plays no part, however small it is; from rest at 90°, θ = 2 asin(k cd(ωt)), k² = ½.

    1e-7 is 100 times the tolerance of the integrator.
    """
    run = hinged_rod(radius).simulate(2.0, ADAPTIVE[name], samples=21)
    omega = np.sqrt(1.5 * 9.81)
    _, cn, dn, _ = ellipj(omega * run.time, 0.5)
    angle = 2 * np.arcsin(np.sqrt(0.5) * cn / dn)
    exact = 0.5 * np.stack([np.sin(angle), -np.cos(angle), 0 * angle], axis=1)
    assert np.abs(run["rod"].position - exact).max() <= 1e-7


def four_bar(mass, dim):
    """A linkage whose coupler is light."""
    places = [(0, 0), (0, 1), (1.2, 1.2), (1.5, 0)]
    if dim == 3:
        places = [(*p, 0.0) for p in places]
    m = bl.Mechanism(plane="xy") if dim == 2 else bl.Mechanism(gravity=(0, -9.81, 0))
    thick = {"radius": 0.01} if dim == 3 else {}
    for k, name in enumerate("abc"):
        m.add_body(name, bl.rod(places[k], places[k + 1], mass=mass if name == "b" else 1.0, **thick))
    ends = ("ground", "a", "b", "c", "ground")
    for k, p in enumerate(places):
        m.add_joint(f"j{k}", bl.Pin() if dim == 2 else bl.Revolute(axis="z"), ends[k], ends[k + 1], at=p)
    return m


@pytest.mark.parametrize("name", ADAPTIVE)
@pytest.mark.parametrize("dim", [2, 3])
def test_a_light_coupler_is_as_good_as_none(name, dim):
    """Positions tend to those with a massless coupler as its mass goes to zero, by 0.75 m/kg here; 1e-7 is 100 times the tolerance."""
    reference = four_bar(1e-9, 2).simulate(2.0, bl.Central(rtol=1e-12, atol=1e-14), samples=21)["c"].position
    for mass in (1e-5, 1e-8):
        run = four_bar(mass, dim).simulate(2.0, ADAPTIVE[name], samples=21)
        assert np.abs(run["c"].position[:, :2] - reference).max() <= 10 * mass + 1e-7


def hinged_chain(size, coordinates):
    """Three rods in space, or in the plane."""
    dim = 2 if coordinates in ("planar", "bar") else 3
    m = bl.Mechanism(plane="xy") if dim == 2 else bl.Mechanism(gravity=(0, -9.81, 0))
    places = size * np.array([(0, 0, 0), (1, 0, 0), (1.5, 0.5, 0.3), (1.5, 1.2, 0.8)])[:, :dim]
    thick = {"radius": 0.05 * size} if dim == 3 else {}
    bodies = ("ground", "b0", "b1", "b2")
    for k, axis in enumerate(["z", (1, 0, 1), "x"]):
        m.add_body(bodies[k + 1], bl.rod(tuple(places[k]), tuple(places[k + 1]), mass=1.0, **thick), coordinates=coordinates)
        m.add_joint(f"j{k}", bl.Pin() if dim == 2 else bl.Revolute(axis=axis), bodies[k], bodies[k + 1], at=tuple(places[k]))
    return m


@pytest.mark.parametrize("name", ["projected", "recursive"])
@pytest.mark.parametrize("coordinates", ["spatial", "natural", "planar", "bar"])
def test_results_do_not_depend_on_the_unit_of_length(name, coordinates):
    """A mechanism L times as large moves √L times as slowly; 1e-7 is 100 times the tolerance of the integrator."""
    reference = hinged_chain(1.0, coordinates).simulate(1.0, ADAPTIVE[name], samples=11)["b2"].position
    for size in (1e-6, 1e-4, 1e-3, 1e3, 1e6):
        run = hinged_chain(size, coordinates).simulate(np.sqrt(size), ADAPTIVE[name], samples=11)
        assert np.abs(run["b2"].position / size - reference).max() <= 1e-7


@pytest.mark.parametrize("integrator", ["rk4", "newmark", "hht", "generalized-alpha"])
@pytest.mark.parametrize("coordinates", ["spatial", "natural", "planar", "bar"])
def test_nor_do_those_of_fixed_steps(integrator, coordinates):
    """Steps that scale with √L make the same errors; what is left is the tolerance of Newton's iteration, 1e-9, in 100 steps."""
    solver = bl.Central(integrator=integrator, step=1e-2)
    reference = hinged_chain(1.0, coordinates).simulate(1.0, solver, samples=11)["b2"].position
    for size in (1e-6, 1e-3, 1e3):
        solver = bl.Central(integrator=integrator, step=1e-2 * np.sqrt(size))
        run = hinged_chain(size, coordinates).simulate(np.sqrt(size), solver, samples=11)
        assert np.abs(run["b2"].position / size - reference).max() <= 1e-7
