"""Recursive dynamics against each other, against the laws of a free body and against the central solver."""

import numpy as np
import pytest

import bielle as bl
from bielle.errors import DescriptionError
from bielle.mechanism.vectors import matrix_to_quaternion
from bielle.recursive.arguments import layout_is_known

from .trees import state, tree

CASES = [(dim, seed) for dim in (2, 3) for seed in range(40)]


@pytest.mark.parametrize(("dim", "seed"), CASES)
def test_the_three_algorithms_agree(dim, seed):
    model = tree(seed, dim).recursive()
    q, v, tau = state(model, seed)
    if model.nv == 0:
        return
    a, M, h = model.aba(q, v, tau), model.crba(q), model.bias_forces(q, v)
    scale = np.abs(M).max() * np.abs(a).max() + np.abs(h).max() + np.abs(tau).max()
    assert np.abs(M - M.T).max() == 0
    assert np.linalg.eigvalsh(M).min() > 0
    assert np.abs(model.rnea(q, v, a) - tau).max() <= 1e-12 * scale
    assert np.abs(M @ a + h - tau).max() <= 1e-12 * scale


def moved(m, model, q, v, step=1e-6):
    """The mechanism with its bodies where q says, moving as v says: by central differences of forward kinematics."""
    poses = model.forward_kinematics(q)
    ahead, behind = (model.forward_kinematics(model.integrate(q, sign * step * v)) for sign in (1, -1))
    new = bl.Mechanism(gravity=m.gravity, plane=m.plane)
    d = m.dim
    for name, body in m.bodies.items():
        pose = poses[name]
        velocity = (ahead[name].position - behind[name].position) / (2 * step)
        spin = (ahead[name].rotation - behind[name].rotation) / (2 * step) @ pose.rotation.T
        omega = np.array([spin[2, 1], spin[0, 2], spin[1, 0]])
        new.add_body(
            name, body.shape, position=pose.position[:d], orientation=pose.angle() if d == 2 else pose.quaternion(),
            velocity=velocity[:d], angular_velocity=float(omega[2]) if d == 2 else omega,
        )  # fmt: skip
    for name, joint in m.joints.items():
        a, b = m.markers(joint)
        axes = {f"axes_{marker.side}": angle(marker.basis) if d == 2 else matrix_to_quaternion(marker.basis) for marker in (a, b)}
        new.add_joint(name, joint.kind, a.body, b.body, at_a=a.local[:d], at_b=b.local[:d], **axes)
    return new


def angle(basis):
    return float(np.arctan2(basis[1, 0], basis[0, 0]))


@pytest.mark.parametrize(("dim", "seed"), [(dim, seed) for dim in (2, 3) for seed in range(12)])
def test_bodies_accelerate_as_the_central_solver_says(dim, seed):
    m = tree(seed, dim)
    model = m.recursive()
    q, v, _ = state(model, seed)
    if model.nv == 0:
        return
    a = model.aba(q, v, np.zeros(model.nv))
    run = moved(m, model, q, v).simulate(1e-3, bl.Central(rtol=1e-12, atol=1e-14), samples=2)
    # second differences of positions along q ⊕ h v ⊕ h²/2 a
    h = 1e-4
    here, ahead, behind = (model.forward_kinematics(advanced_twice(model, q, v, a, s * h)) for s in (0, 1, -1))
    for name in m.bodies:
        expected = (ahead[name].position - 2 * here[name].position + behind[name].position) / h**2
        found = run[name].acceleration[0]
        assert np.abs(found - expected[: m.dim]).max() <= 1e-4 * (1 + np.abs(a).max() + np.abs(v).max() ** 2)


def advanced_twice(model, q, v, a, h):
    """The configuration after h with constant a: small steps of the midpoint rule."""
    n = 8
    for i in range(n):
        q = model.integrate(q, h / n * (v + (i + 0.5) * h / n * a))
    return q


@pytest.mark.parametrize("known", [True, False], ids=["quick", "slow"])
@pytest.mark.parametrize(
    "given",
    [list, tuple, np.float32, lambda x: np.repeat(x, 2)[::2], lambda x: x[::-1].copy()[::-1], lambda x: x.astype(object)],
    ids=["list", "tuple", "float32", "every second", "backwards", "objects"],
)
def test_what_numpy_takes_for_an_array_is_taken(given, known, monkeypatch):
    monkeypatch.setattr("bielle.recursive.calls.layout_is_known", lambda: known)
    model = tree(3).recursive()
    q, v, tau = (np.float64(np.float32(x)) for x in state(model, 3))

    def all_of_it(q, v, tau):
        yield from (model.aba(q, v, tau), model.rnea(q, v, tau), model.crba(q), model.bias_forces(q, v), model.gravity_forces(q))
        yield from (*model.rnea_derivatives(q, v, tau), *model.aba_derivatives(q, v, tau))

    wanted = list(all_of_it(q, v, tau))
    for x, y in zip(all_of_it(given(q), given(v), given(tau)), wanted, strict=True):
        assert np.array_equal(x, y)


def test_results_go_where_they_are_asked_to():
    model = tree(3).recursive()
    q, v, tau = state(model, 3)
    n = model.nv
    for room in (np.zeros(n), np.zeros(2 * n)[::2], np.zeros(n, dtype=np.float32)):
        for function, arguments in (
            (model.aba, (q, v, tau)),
            (model.rnea, (q, v, tau)),
            (model.bias_forces, (q, v)),
            (model.gravity_forces, (q,)),
        ):
            assert function(*arguments, out=room) is room
            assert np.array_equal(room, function(*arguments).astype(room.dtype))
    for make in (lambda: np.zeros((n, n)), lambda: np.zeros((n, n), order="F"), lambda: np.zeros((2 * n, n))[::2]):
        assert np.array_equal(model.crba(q, out=make()), model.crba(q))
        for function in (model.rnea_derivatives, model.aba_derivatives):
            rooms = make(), make(), make()
            assert function(q, v, tau, out=rooms) is rooms
            assert np.array_equal(rooms, function(q, v, tau))


def test_what_may_not_be_written_is_not():
    model = tree(3).recursive()
    q, v, tau = state(model, 3)
    room = np.zeros(model.nv)
    room.flags.writeable = False
    for function in (model.aba, model.rnea):
        with pytest.raises(ValueError, match="read-only"):
            function(q, v, tau, out=room)
    assert not room.any()
    q.flags.writeable = False
    assert np.isfinite(model.aba(q, v, tau)).all()


def test_the_layout_of_objects_is_as_expected_here():
    assert layout_is_known()


def test_wrong_sizes_are_told():
    model = tree(1).recursive()
    with pytest.raises(DescriptionError, match=rf"q must have {model.nq} numbers, got \(3,\); neutral\(\) makes a valid one"):
        model.crba([1.0, 2.0, 3.0])
    with pytest.raises(DescriptionError, match="tau must have"):
        model.aba(model.neutral(), np.zeros(model.nv), 1.0)


def test_arrays_to_write_to_and_points_of_wrong_sizes_are_told():
    model = tree(1).recursive()
    q, v = model.neutral(), np.zeros(model.nv)
    with pytest.raises(DescriptionError, match=rf"out must have the shape \({model.nv},\), got \(3,\)"):
        model.aba(q, v, v, out=np.zeros(3))
    with pytest.raises(DescriptionError, match=r"out must have the shape .*, got \(2, 2\)"):
        model.crba(q, out=np.zeros((2, 2)))
    with pytest.raises(DescriptionError, match=r"The point of a Jacobian must be three numbers, in the body frame, got \(1, 2\)"):
        model.jacobian(q, "b0", "local", point=(1, 2))
