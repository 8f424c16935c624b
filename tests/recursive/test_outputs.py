"""Arrays for results: those that will do are written to, all others are refused with a word, and nothing else is ever written."""

import numpy as np
import pytest

from bielle.errors import DescriptionError

from .linkages import four_bar

STATES = 20  # more than one thread's share

# functions with their results, after q: which of v, x (accelerations or efforts) and other arguments they take
ONE = {
    "aba": "vx", "rnea": "vx", "bias_forces": "v", "gravity_forces": "", "crba": "", "mass_matrix_factor": "", "center_of_mass": "",
    "centroidal_momentum": "v", "integrate": "v", "difference": "q", "constraint_jacobian": "", "applied_forces": "v", "jacobian": "b",
    "forward_kinematics": "", "joint_wrenches": "vx", "body_twists": "va",
}  # fmt: skip
SEVERAL = {
    "rnea_derivatives": "vx", "aba_derivatives": "vx", "close_loops": "v", "constraint_residual": "v", "forward_dynamics_constrained": "vx",
}  # fmt: skip
WITHOUT = {"crba_sparse", "kinetic_energy", "potential_energy", "inverse_dynamics_constrained"}  # these give numbers, or fresh arrays only
FUNCTIONS = [f"{name}{way}" for name in (*ONE, *SEVERAL) for way in ("", "_batch")]


@pytest.fixture(scope="module")
def model():
    return four_bar().recursive()


def called(model, name, out=None):
    """A function with arguments for one state or many; its results as a tuple of arrays."""
    takes = (ONE | SEVERAL)[name.removesuffix("_batch")]
    q = model.described()[0]
    q = q + 0.01 * np.arange(STATES)[:, None] if name.endswith("_batch") else q
    v = 0.1 * np.ones((*q.shape[:-1], model.nv))
    words = (model.links[0].name, "local")
    given = {"a": ("local",), "v": (v,), "x": (2 * v,), "q": (q[::-1].copy() if q.ndim == 2 else q,), "b": words}
    found = getattr(model, name)(q, *(x for letter in takes for x in given[letter]), out=out)
    if out is not None:
        found = out
    if isinstance(found, dict):  # poses
        found = np.concatenate(
            [np.concatenate([p.rotation.reshape(*q.shape[:-1], 9), p.position], -1)[..., None, :] for p in found.values()], -2
        )
    return tuple(found) if isinstance(found, tuple | list) else (found,)


def test_all_functions_are_here(model):
    public = {name for name in dir(model) if name.endswith("_batch") and name[0] != "_"}
    assert {name.removesuffix("_batch") for name in public} == {*ONE, *SEVERAL, *WITHOUT}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_right_ones_are_written_to(model, name):
    wanted = called(model, name)
    ways = [lambda x: np.full(x.shape, 9.0), lambda x: np.full(x.shape, 9.0, order="F"), lambda x: np.full((2, *x.shape), 9.0)[1]]
    ways += [lambda x: np.moveaxis(np.full((*x.shape, 2), 9.0), -1, 0)[0]]
    for make in ways:
        out = tuple(make(x) for x in wanted)
        called(model, name, out if len(out) > 1 else out[0])
        assert all(np.array_equal(x, y) for x, y in zip(out, wanted))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_wrong_ones_are_refused(model, name):
    rooms = [np.full(x.shape, 9.0) for x in called(model, name)]
    read_only = rooms[0].copy()
    read_only.flags.writeable = False
    wrong = [rooms[0].tolist(), rooms[0][..., :-1], rooms[0][None], rooms[0].astype(int), rooms[0].astype(complex), read_only, 3.0, "text"]
    for bad in wrong:
        with pytest.raises(DescriptionError, match=r"out must|of out share"):
            called(model, name, bad if len(rooms) == 1 else (bad, *rooms[1:]))
        if len(rooms) > 1:
            with pytest.raises(DescriptionError, match=r"out must|of out share"):
                called(model, name, (*rooms[:-1], bad))
    if len(rooms) > 1:
        for bad in (rooms[0], rooms[:1], tuple(rooms[:-1]), (*rooms, rooms[0]), [x.tolist() for x in rooms], ()):
            with pytest.raises(DescriptionError, match=r"out must|of out share"):
                called(model, name, bad)
        if rooms[0].shape == rooms[1].shape:
            with pytest.raises(DescriptionError, match=r"share memory"):
                called(model, name, (rooms[0], rooms[0], *rooms[2:]))
    assert all((x == 9.0).all() for x in rooms[1:])


@pytest.mark.parametrize("way", ["", "_batch"])
def test_results_may_take_the_place_of_arguments(model, way):
    """Whatever a kernel reads after it has written: accelerations after efforts, say."""
    model.armature[:] = 0.3
    q, v, x = (np.tile(values, (STATES, 1)) if way else values for values in (*model.described(), 0.1 * np.arange(model.nv)))
    v = v + 0.2
    try:
        for function, k in (("rnea", 2), ("rnea", 1), ("aba", 2), ("aba", 1), ("bias_forces", 1), ("integrate", 0), ("difference", 0)):
            takes = {"rnea": (q, v, x), "aba": (q, v, x), "bias_forces": (q, v), "integrate": (q, v), "difference": (q, 0.5 * q)}[function]
            wanted = getattr(model, function + way)(*takes)
            given = [values.copy() for values in takes]
            getattr(model, function + way)(*given, out=given[k])
            assert np.array_equal(given[k], wanted), function
        room = np.zeros(4 * model.nv)  # overlapping in part
        for shift in range(-model.nv, model.nv + 1):
            room[model.nv : 2 * model.nv] = 0.1 * np.arange(model.nv)
            one = (q[0], v[0]) if way else (q, v)
            wanted = model.rnea(*one, room[model.nv : 2 * model.nv].copy())
            out = room[model.nv + shift : 2 * model.nv + shift]
            assert np.array_equal(model.rnea(*one, room[model.nv : 2 * model.nv], out=out), wanted)
    finally:
        model.armature[:] = 0.0
