"""What joints carry and how bodies move: against Newton's and Euler's laws written down here, and against reactions of simulations."""

import msgspec
import numpy as np
import pytest
from scipy.linalg import expm

import bielle as bl
from bielle.errors import BielleError, DescriptionError, NamingError

from .trees import state, tree

GRAVITY = np.array([0.3, -0.5, -9.81])


def tilde(x):
    return np.array([[0.0, -x[2], x[1]], [x[2], 0.0, -x[0]], [-x[1], x[0], 0.0]])


# -- the laws, in matrices of six by six about the origin of the world


def motion_cross(V):
    """ad_V of a twist V = (ω, v): the rate of a twist that moves along."""
    return np.block([[tilde(V[:3]), np.zeros((3, 3))], [tilde(V[3:]), tilde(V[:3])]])


def screw_matrix(S):
    """[S] (4, 4), whose exponential is the displacement by a screw S = (ω, v)."""
    return np.block([[tilde(S[:3]), np.reshape(S[3:], (3, 1))], [np.zeros((1, 4))]])


def moved(T, S):
    """A screw after the displacement T (4, 4)."""
    R, p = T[:3, :3], T[:3, 3]
    return np.concatenate([R @ S[:3], R @ S[3:] + np.cross(p, R @ S[:3])])


def inertia_at_origin(mass, centre, about_centre):
    """(6, 6) of a body about the origin of the world: momentum (h, p) = I (ω, v)."""
    c = tilde(centre)
    return np.block([[about_centre - mass * c @ c, mass * c], [-mass * c, mass * np.eye(3)]])


def newton_euler(parents, screws, bodies, q, v, a):
    """Twists (n, 6) and wrenches (n, 6), angular part first and about the origin of the world, of bodies that hang on screws.

    parents: of each body, −1 the ground; screws: (ω, v) of each joint at q = 0; bodies: mass, centre and inertia in world axes at q = 0.
    Every body obeys F = I A + V ×* I V with its own inertia where it is now; a joint carries the sum over all that hangs on it.
    """
    n = len(parents)
    T, V, A, F = [np.eye(4)] * n, np.zeros((n, 6)), np.zeros((n, 6)), np.zeros((n, 6))
    for i, p in enumerate(parents):
        before, V_p, A_p = (T[p], V[p], A[p]) if p >= 0 else (np.eye(4), np.zeros(6), np.concatenate([np.zeros(3), -GRAVITY]))
        S = moved(before, screws[i])
        T[i] = before @ expm(screw_matrix(screws[i]) * q[i])
        V[i] = V_p + S * v[i]
        A[i] = A_p + S * a[i] + motion_cross(V[i]) @ S * v[i]
        mass, centre, about_centre = bodies[i]
        R = T[i][:3, :3]
        inertia = inertia_at_origin(mass, R @ centre + T[i][:3, 3], R @ about_centre @ R.T)
        F[i] = inertia @ A[i] - motion_cross(V[i]).T @ inertia @ V[i]
    return V, np.array([sum(F[k] for k in range(n) if i in line(parents, k)) for i in range(n)]), T


def line(parents, k):
    """A body and all that it hangs on."""
    found = []
    while k >= 0:
        found.append(k)
        k = parents[k]
    return found


def random_robot(seed, n=6):
    """Boxes on hinges and slides in any direction, branched: the mechanism, and the same in the terms of the oracle."""
    rng = np.random.default_rng(seed)
    m = bl.Mechanism(gravity=GRAVITY)
    parents, screws, bodies, points, poses = [], [], [], [], []
    for i in range(n):
        parent, position, point, axis = int(rng.integers(-1, i)), rng.normal(size=3), rng.normal(size=3), rng.normal(size=3)
        axis /= np.linalg.norm(axis)
        R = bl.rotation(rng.normal(size=3), float(rng.normal()))
        shape = bl.box(rng.uniform(0.2, 1.0, size=3), mass=float(rng.uniform(0.5, 2.0)), centre=rng.normal(size=3))
        m.add_body(f"b{i}", shape, position=position, orientation=R)
        slides = rng.random() < 0.4
        kind = bl.Prismatic(axis=tuple(axis)) if slides else bl.Revolute(axis=tuple(axis))
        m.add_joint(f"j{i}", kind, "ground" if parent < 0 else f"b{parent}", f"b{i}", at=point)
        p, pose = shape.mass_properties(), m.pose(f"b{i}")
        parents.append(parent)
        screws.append(np.concatenate([np.zeros(3), axis]) if slides else np.concatenate([axis, np.cross(point, axis)]))
        bodies.append((p.mass, pose.point(p.centre), pose.rotation @ p.inertia @ pose.rotation.T))
        points.append(point)
        poses.append(pose)
    return m, parents, screws, bodies, points, poses


@pytest.mark.parametrize("seed", range(6))
def test_newton_and_euler(seed):
    """Sums of some hundred products of numbers of order ten: rounding of 1e-13."""
    m, parents, screws, bodies, points, poses = random_robot(seed)
    model, rng = m.recursive(), np.random.default_rng(100 + seed)
    order = [model.row[f"b{i}"] for i in range(len(parents))]
    at = [model.coordinates(f"j{i}")[1].start for i in range(len(parents))]
    q, v, a = rng.normal(size=(3, model.nv))
    V, F, T = newton_euler(parents, screws, bodies, q[at], v[at], a[at])
    found, twists = model.joint_wrenches(q, v, a)[order], model.body_twists(q, v, "world_aligned")[order]
    at_origin = model.body_twists(q, v, "world")[order]
    local = model.body_twists(q, v, "local")[order]
    for i in range(len(parents)):
        here = T[i] @ np.append(points[i], 1.0)  # the joint's point on the body
        np.testing.assert_allclose(found[i, :3], F[i, 3:], atol=1e-11)
        np.testing.assert_allclose(found[i, 3:], F[i, :3] - np.cross(here[:3], F[i, 3:]), atol=1e-11)
        np.testing.assert_allclose(at_origin[i], np.roll(V[i], 3), atol=1e-12)
        origin = T[i] @ np.append(poses[i].position, 1.0)
        velocity = V[i, 3:] + np.cross(V[i, :3], origin[:3])
        np.testing.assert_allclose(twists[i], np.concatenate([velocity, V[i, :3]]), atol=1e-12)
        R = T[i][:3, :3] @ poses[i].rotation
        np.testing.assert_allclose(local[i], np.concatenate([R.T @ velocity, R.T @ V[i, :3]]), atol=1e-12)


# -- all kinds of joints


@pytest.mark.parametrize("dim", [2, 3])
@pytest.mark.parametrize("seed", range(8))
def test_twists_are_what_jacobians_give_and_efforts_what_wrenches_do(dim, seed):
    """τ is the power of the wrench of each joint along what it leaves free, taken from the motion of its two bodies."""
    m = tree(seed, dim)
    model = m.recursive()
    q, v, a = state(model, seed)
    poses, wrenches, tau = model.forward_kinematics(q), model.joint_wrenches(q, v, a), np.zeros(model.nv)
    for axes in ("world", "local", "world_aligned"):
        twists = model.body_twists(q, v, axes)
        for i, link in enumerate(model.links):
            np.testing.assert_allclose(twists[i], model.jacobian(q, link.name, axes) @ v, atol=1e-13)
    for i, link in enumerate(model.links):
        point = joint_place(m, poses, link)
        J = model.jacobian(q, link.name, "world_aligned", poses[link.name].rotation.T @ (point - poses[link.name].position))
        if link.parent >= 0:
            p = poses[model.links[link.parent].name]
            J = J - model.jacobian(q, model.links[link.parent].name, "world_aligned", p.rotation.T @ (point - p.position))
        tau += J.T @ wrenches[i]
    np.testing.assert_allclose(tau, model.rnea(q, v, a), atol=1e-11)


def joint_place(m, poses, link):
    """Where the joint of a link is on its body; the origin of a body that is free."""
    pose = poses[link.name]
    if link.free:
        return pose.position
    a, b = m.markers(m.joints[link.joint])
    return pose.point(a.local if link.backwards else b.local)


@pytest.mark.parametrize("solver", [bl.Central(), bl.Recursive()], ids=["central", "recursive"])
@pytest.mark.parametrize("dim", [2, 3])
@pytest.mark.parametrize("seed", range(4))
def test_reactions_of_a_simulation(solver, dim, seed):
    """Of a tree that falls and turns: with nothing in the joints, what they carry is their reaction. Solved to 1e-11 of numbers of 100."""
    m = tree(seed, dim)
    model = m.recursive()
    q, _ = model.described()
    v = np.random.default_rng(seed).normal(size=model.nv)
    for link, twist in zip(model.links, model.body_twists(q, v, "world_aligned")):
        spin = float(twist[5]) if dim == 2 else tuple(twist[3:])
        m.bodies[link.name] = msgspec.structs.replace(m.bodies[link.name], velocity=tuple(twist[:dim]), angular_velocity=spin)
    run = m.simulate(1e-3, solver, samples=2)
    wrenches = model.joint_wrenches(q, v, model.aba(q, v, np.zeros(model.nv)))
    held = [(link, wrench) for link, wrench in zip(model.links, wrenches) if not link.free]
    assert held
    for link, wrench in held:
        np.testing.assert_allclose(run[link.joint].force(on=link.name)[0], wrench[:dim], atol=1e-8)
        np.testing.assert_allclose(run[link.joint].moment(on=link.name)[0], wrench[5] if dim == 2 else wrench[3:], atol=1e-8)


def test_a_free_body_is_held_by_nothing():
    m = bl.Mechanism(gravity=GRAVITY)
    m.add_body("stone", bl.box((0.1, 0.2, 0.3), mass=2.0), position=(1.0, 2.0, 3.0))
    model = m.recursive()
    q, v = model.described()
    np.testing.assert_allclose(model.joint_wrenches(q, v, model.aba(q, v, np.zeros(6))), np.zeros((1, 6)), atol=1e-14)
    # held still it takes its weight, and a push from outside takes that off it
    np.testing.assert_allclose(model.joint_wrenches(q, v, np.zeros(6))[0, :3], -2.0 * GRAVITY, atol=1e-14)
    push = {"stone": [*(-2.0 * GRAVITY), 0.0, 0.0, 0.5]}
    np.testing.assert_allclose(model.joint_wrenches(q, v, np.zeros(6), push), [[0, 0, 0, 0, 0, -0.5]], atol=1e-14)


def test_a_rotor_turns_with_its_joint_and_is_no_load_of_it():
    m = bl.Mechanism(gravity=(0, 0, -9.81))
    m.add_body("arm", bl.rod((0, 0, 0), (1, 0, 0), mass=1.0))
    m.add_joint("hinge", bl.Revolute(axis="y"), m.ground, "arm", at=(0, 0, 0))
    plain = m.recursive()
    m.add_rotor("rotor", "hinge", ratio=10.0, inertia=1e-3)
    model = m.recursive()
    assert [link.name for link in model.links][:1] == ["arm"]
    assert model.armature == pytest.approx([0.1])
    q, v, a = np.array([0.3]), np.array([2.0]), np.array([1.0])
    np.testing.assert_allclose(model.joint_wrenches(q, v, a)[0], plain.joint_wrenches(q, v, a)[0], atol=1e-13)


# -- how they are called


def test_batches_are_the_single_calls_bit_for_bit():
    model = tree(3).recursive()
    rng = np.random.default_rng(0)
    q = model.integrate_batch(np.tile(model.neutral(), (40, 1)), rng.normal(size=(40, model.nv)))
    v, a = rng.normal(size=(2, 40, model.nv))
    forces = rng.normal(size=(40, len(model.links), 6))
    wrenches, pushed = model.joint_wrenches_batch(q, v, a), model.joint_wrenches_batch(q, v, a, forces)
    for k in range(40):
        np.testing.assert_array_equal(wrenches[k], model.joint_wrenches(q[k], v[k], a[k]))
        np.testing.assert_array_equal(pushed[k], model.joint_wrenches(q[k], v[k], a[k], forces[k]))
    for axes in ("world", "local", "world_aligned"):
        twists = model.body_twists_batch(q, v, axes)
        np.testing.assert_array_equal(twists[7], model.body_twists(q[7], v[7], axes))
    assert model.joint_wrenches_batch(q[:0], v[:0], a[:0]).shape == (0, len(model.links), 6)


def test_results_go_where_they_are_asked_to():
    model = tree(1).recursive()
    q, v, a = state(model, 1)
    out = np.empty((len(model.links), 6))
    assert model.joint_wrenches(q, v, a, out=out) is out
    np.testing.assert_array_equal(out, model.joint_wrenches(q, v, a))
    assert model.body_twists(q, v, "local", out=out) is out
    np.testing.assert_array_equal(out, model.body_twists(q, v, "local"))


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda m, q, v: m.body_twists(q, v, "body"), NamingError, "There is no axes of a twist named 'body'.*Known: .*local"),
        (lambda m, q, v: m.body_twists_batch([q], [v], "word"), NamingError, "named 'word'. Did you mean 'world'"),
        (lambda m, q, v: m.joint_wrenches(q, v, v[:-1]), DescriptionError, "a must have 25 numbers, got"),
        (lambda m, q, v: m.joint_wrenches(q, v, v, {"b9": np.zeros(6)}), NamingError, "'b9'"),
        (lambda m, q, v: m.joint_wrenches(q, v, v, out=np.empty(6)), DescriptionError, r"out must have the shape \(7, 6\), got \(6,\)"),
    ],
)
def test_what_is_wrong_is_told(call, error, words):
    model = tree(1).recursive()
    q, v, _ = state(model, 1)
    with pytest.raises(BielleError, match=words) as caught:
        call(model, q, v)
    assert type(caught.value) is error
