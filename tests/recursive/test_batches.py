"""Batches give what single calls give, bit by bit."""

import numpy as np
import pytest

from bielle.errors import DescriptionError

from .trees import state, tree

STATES = 37


@pytest.fixture
def many():
    model = tree(5).recursive()
    rows = [state(model, seed) for seed in range(STATES)]
    q, v, tau = (np.array(x) for x in zip(*rows))
    return model, q, v, tau


def test_every_function_has_a_batch(many):
    model, q, v, tau = many
    forces = np.random.default_rng(0).normal(size=(STATES, len(model.links), 6))
    calls = {
        "aba": (q, v, tau), "rnea": (q, v, tau), "bias_forces": (q, v), "gravity_forces": (q,), "crba": (q,), "mass_matrix_factor": (q,),
        "center_of_mass": (q,), "centroidal_momentum": (q, v), "kinetic_energy": (q, v), "potential_energy": (q,), "integrate": (q, v),
        "difference": (q, np.roll(q, 1, axis=0)), "rnea_derivatives": (q, v, tau), "aba_derivatives": (q, v, tau),
    }  # fmt: skip
    for name, arguments in calls.items():
        together = getattr(model, f"{name}_batch")(*arguments)
        for k in range(STATES):
            alone = getattr(model, name)(*(x[k] for x in arguments))
            for x, y in zip(alone, (part[k] for part in together)) if isinstance(alone, tuple) else ((alone, together[k]),):
                assert np.array_equal(x, y), name
    for k in range(STATES):
        assert np.array_equal(model.aba_batch(q, v, tau, forces)[k], model.aba(q[k], v[k], tau[k], forces[k]))
    for axes in ("world", "local", "world_aligned"):
        together = model.jacobian_batch(q, "b3", axes, (0.1, 0.2, 0.3))
        assert all(np.array_equal(together[k], model.jacobian(q[k], "b3", axes, (0.1, 0.2, 0.3))) for k in range(STATES))
    poses = model.forward_kinematics_batch(q)
    for k in range(STATES):
        for name, pose in model.forward_kinematics(q[k]).items():
            assert np.array_equal(pose.position, poses[name].position[k])
            assert np.array_equal(pose.rotation, poses[name].rotation[k])
    public = {name for name in dir(model) if not name.startswith("_") and callable(getattr(model, name))}
    assert {
        name for name in public if not name.endswith("_batch") and name not in ("neutral", "coordinates", "described", "equations")
    } == ({name.removesuffix("_batch") for name in public if name.endswith("_batch")})


def test_batches_of_any_length_and_layout(many):
    model, q, v, tau = many
    wanted = model.aba_batch(q, v, tau)
    for n in (0, 1, 2, 16, 36):
        assert np.array_equal(model.aba_batch(q[:n], v[:n], tau[:n]), wanted[:n])
    assert np.array_equal(model.aba_batch(q[::-1], v[::-1], tau[::-1]), wanted[::-1])
    assert np.array_equal(model.aba_batch(np.asfortranarray(q), v.tolist(), tau), wanted)
    room = np.zeros_like(wanted)
    assert model.aba_batch(q, v, tau, out=room) is room
    assert np.array_equal(room, wanted)


def test_what_is_wrong_with_a_batch_is_told(many):
    model, q, v, tau = many
    with pytest.raises(DescriptionError, match="as many rows of each, got 37 of q, 36 of v, 37 of tau"):
        model.aba_batch(q, v[1:], tau)
    with pytest.raises(DescriptionError, match=rf"q must have {model.nq} numbers in every row, got \(37, 2\)"):
        model.crba_batch(q[:, :2])
    with pytest.raises(DescriptionError, match=r"out must have the shape"):
        model.aba_batch(q, v, tau, out=np.zeros(3))
