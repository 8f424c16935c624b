"""Kinematics, Jacobians, momentum and energies: against differences, against sums over bodies, against each other."""

import numpy as np
import pytest

import bielle as bl
from bielle.errors import BielleError, DescriptionError, NamingError
from bielle.recursive import SingularError

from .trees import state, tree

CASES = [(dim, seed) for dim in (2, 3) for seed in range(15)]
STEP = 1e-6


def rates(model, q, v):
    """Velocity and angular velocity of every body frame, by central differences."""
    here, ahead, behind = (model.forward_kinematics(model.integrate(q, s * STEP * v)) for s in (0, 1, -1))
    out = {}
    for name, pose in here.items():
        spin = (ahead[name].rotation - behind[name].rotation) / (2 * STEP) @ pose.rotation.T
        out[name] = (ahead[name].position - behind[name].position) / (2 * STEP), np.array([spin[2, 1], spin[0, 2], spin[1, 0]])
    return out


@pytest.mark.parametrize(("dim", "seed"), CASES)
def test_jacobians_give_velocities(dim, seed):
    model = tree(seed, dim).recursive()
    q, v, _ = state(model, seed)
    moving = rates(model, q, v)
    point = np.array([0.3, -0.2, 0.5 if dim == 3 else 0.0])
    for name, pose in model.forward_kinematics(q).items():
        linear, angular = moving[name]
        there = linear + np.cross(angular, pose.rotation @ point)
        wanted = {
            "world_aligned": np.r_[there, angular],
            "local": np.r_[pose.rotation.T @ there, pose.rotation.T @ angular],
            "world": np.r_[linear - np.cross(angular, pose.position), angular],
        }
        for axes, expected in wanted.items():
            found = model.jacobian(q, name, axes, point) @ v
            assert np.abs(found - expected).max() <= 1e-8 * (1 + np.abs(expected).max())


@pytest.mark.parametrize(("dim", "seed"), CASES)
def test_sums_are_those_over_bodies(dim, seed):
    m = tree(seed, dim)
    model = m.recursive()
    q, v, _ = state(model, seed)
    moving = rates(model, q, v)
    poses = model.forward_kinematics(q)
    g = np.zeros(3)
    g[:dim] = m.gravity
    total, centre, linear, angular, kinetic, potential = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for name, body in m.bodies.items():
        p = body.shape.mass_properties()
        R, x = poses[name].rotation, poses[name].point(p.centre)
        u, w = moving[name]
        u = u + np.cross(w, R @ p.centre)
        spin = R @ p.inertia @ R.T @ w
        total, centre, linear = total + p.mass, centre + p.mass * x, linear + p.mass * u
        angular = angular + np.cross(x, p.mass * u) + spin
        kinetic, potential = kinetic + 0.5 * (p.mass * u @ u + w @ spin), potential - p.mass * g @ x
    angular = angular - np.cross(centre / total, linear)
    scale = 1 + np.abs(linear).max() + np.abs(angular).max()
    assert np.allclose(model.center_of_mass(q), centre / total, atol=1e-13, rtol=1e-13)
    assert np.abs(model.centroidal_momentum(q, v) - np.r_[linear, angular]).max() <= 1e-8 * scale
    assert model.kinetic_energy(q, v) == pytest.approx(kinetic, rel=1e-8)
    assert model.kinetic_energy(q, v) == pytest.approx(0.5 * v @ model.crba(q) @ v, rel=1e-13)
    assert model.potential_energy(q) == pytest.approx(potential, rel=1e-12, abs=1e-12)


@pytest.mark.parametrize(("dim", "seed"), CASES)
def test_gravity_is_the_slope_of_potential_energy(dim, seed):
    model = tree(seed, dim).recursive()
    q, _, _ = state(model, seed)
    slope = [(model.potential_energy(model.integrate(q, STEP * e)) - model.potential_energy(model.integrate(q, -STEP * e))) / (2 * STEP)
             for e in np.eye(model.nv)]  # fmt: skip
    assert np.abs(model.gravity_forces(q) - slope).max() <= 1e-7 * (1 + np.abs(slope).max())


@pytest.mark.parametrize(("dim", "seed"), CASES)
def test_the_factor_is_one_and_as_sparse_as_the_tree(dim, seed):
    model = tree(seed, dim).recursive()
    q, _, _ = state(model, seed)
    L, M = model.mass_matrix_factor(q), model.crba(q)
    assert np.abs(L.T @ L - M).max() <= 1e-14 * np.abs(M).max() * model.nv
    assert np.array_equal(L, np.tril(L))
    for link in model.links:
        carried, rows = link, model.coordinates(link.joint)[1]
        alone = np.ones(model.nv, dtype=bool)
        while True:
            alone[model.coordinates(carried.joint)[1]] = False
            if carried.parent < 0:
                break
            carried = model.links[carried.parent]
        assert not L[rows][:, alone].any()


@pytest.mark.parametrize(("dim", "seed"), CASES)
def test_difference_undoes_integrate(dim, seed):
    model = tree(seed, dim).recursive()
    q, v, _ = state(model, seed)
    q = model.integrate(q, 0 * v)
    for size in (1e-12, 1e-6, 0.3, 0.9):
        assert np.abs(model.difference(q, model.integrate(q, size * v)) - size * v).max() <= 1e-14 * (1 + np.abs(q).max()) + 1e-12 * size


def test_difference_takes_the_shorter_way():
    m = bl.Mechanism()
    m.add_body("b", bl.box((1, 1, 1), mass=1.0))
    model = m.recursive()
    q = model.neutral()
    to = model.integrate(q, np.array([0, 0, 0, 4.0, 0, 0]))
    assert np.allclose(model.difference(q, to), [0, 0, 0, 4.0 - 2 * np.pi, 0, 0], atol=1e-14)
    to[3:] *= -1
    assert np.allclose(model.difference(q, to), [0, 0, 0, 4.0 - 2 * np.pi, 0, 0], atol=1e-14)


@pytest.mark.parametrize("seed", range(10))
def test_forces_act_where_they_are_said_to(seed):
    model = tree(seed).recursive()
    q, v, tau = state(model, seed)
    forces = np.random.default_rng(seed).normal(size=(len(model.links), 6))
    along = sum(model.jacobian(q, link.name, "world_aligned").T @ forces[i] for i, link in enumerate(model.links))
    a = model.aba(q, v, tau, forces)
    assert np.allclose(a, model.aba(q, v, tau + along), rtol=1e-10, atol=1e-10 * np.abs(a).max())
    assert np.allclose(model.rnea(q, v, a, forces), tau, atol=1e-11 * (1 + np.abs(tau).max()) * np.abs(a).max())
    assert np.allclose(model.bias_forces(q, v, forces), model.bias_forces(q, v) - along, atol=1e-11)
    name = model.links[-1].name
    one = np.zeros_like(forces)
    one[-1] = forces[-1]
    assert np.array_equal(model.aba(q, v, tau, {name: forces[-1]}), model.aba(q, v, tau, one))


@pytest.mark.parametrize("seed", range(8))
def test_the_root_does_not_matter(seed):
    m = tree(seed, count=6)
    first = m.recursive()
    q, v, _ = state(first, seed)
    a = first.aba(q, v, np.zeros(first.nv))
    base = next(link.name for link in first.links if link.parent < 0 and link.motion.name == "free") if any(
        link.motion.name == "free" for link in first.links) else None  # fmt: skip
    carried = [link.name for link in first.links if base is not None and _root(first, link) == base]
    for root in carried:
        other = m.recursive(root=root)
        there = _coordinates(first, other, q, v, a)
        if there is not None:
            q1, v1, a1 = there
            assert np.allclose(other.aba(q1, v1, np.zeros(other.nv)), a1, atol=1e-4 * (1 + np.abs(a1).max()))
            assert other.kinetic_energy(q1, v1) == pytest.approx(first.kinetic_energy(q, v), rel=1e-5)  # of differences


def _root(model, link):
    while link.parent >= 0:
        link = model.links[link.parent]
    return link.name


def _coordinates(first, other, q, v, a):
    """The same motion in the coordinates of another tree: by Newton's iteration on poses, and differences along the motion."""
    h = 1e-4

    def at(s):
        x = q
        for i in range(8):
            x = first.integrate(x, s / 8 * (v + (i + 0.5) * s / 8 * a))
        return x

    def solve(wanted, guess):
        for _ in range(60):
            poses = other.forward_kinematics(guess)
            gap, rows = [], []
            for name, pose in wanted.items():
                here = poses[name]
                turn = pose.rotation @ here.rotation.T
                gap += [
                    pose.position - here.position,
                    0.5 * np.array([turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1]]),
                ]
                rows.append(other.jacobian(guess, name, "world_aligned"))
            gap = np.concatenate(gap)
            if np.abs(gap).max() < 1e-13:
                return guess
            guess = other.integrate(guess, np.linalg.lstsq(np.vstack(rows), gap, rcond=None)[0])
        return None

    here = solve(first.forward_kinematics(q), other.neutral())
    if here is None:
        return None
    ahead, behind = solve(first.forward_kinematics(at(h)), here), solve(first.forward_kinematics(at(-h)), here)
    forth, back = other.difference(here, ahead), other.difference(here, behind)
    return here, (forth - back) / (2 * h), (forth + back) / h**2


def test_what_is_wrong_is_told():
    model = tree(1).recursive()
    q, v, tau = state(model, 1)
    with pytest.raises(DescriptionError, match=rf"q must have {model.nq} numbers, got \(2,\); neutral\(\) makes a valid one"):
        model.center_of_mass([0.0, 1.0])
    with pytest.raises(NamingError, match="no body named 'b99'"):
        model.jacobian(q, "b99", "world")
    with pytest.raises(BielleError, match="axes of a Jacobian named 'globe'"):
        model.jacobian(q, "b0", "globe")
    with pytest.raises(DescriptionError, match=r"forces must have the shape \(7, 6\), got \(3,\)"):
        model.aba(q, v, tau, [1.0, 2.0, 3.0])
    with pytest.raises(NamingError, match="'nobody'"):
        model.aba(q, v, tau, {"nobody": np.zeros(6)})
    with pytest.raises(DescriptionError, match="on body 'b0' must be six numbers"):
        model.aba(q, v, tau, {"b0": np.zeros(3)})


@pytest.mark.parametrize("function", ["aba", "mass_matrix_factor"])
def test_a_joint_without_inertia_is_named(function):
    m = bl.Mechanism(plane="xy")
    m.add_body("arm", bl.rod((0, 0), (1, 0), mass=1.0))
    m.add_joint("shoulder", bl.Pin(), m.ground, "arm", at=(0, 0))
    m.add_body("tip", bl.rigid(1.0, (0, 0), 1e-90), position=(1, 0))
    m.add_joint("wrist", bl.Pin(), "arm", "tip", at=(1, 0))
    model = m.recursive()
    q, v = model.neutral(), np.zeros(2)
    call = (lambda: model.aba(q, v, v)) if function == "aba" else (lambda: model.mass_matrix_factor(q))
    with pytest.raises(SingularError, match=r"Joint 'wrist' \(revolute\) can move body 'tip' .* without any inertia"):
        call()
    model.armature[1] = 0.1
    assert np.isfinite(call()).all()
