"""Poses that pages draw are those of the kinds of bodies."""

import numpy as np
import pytest

import bielle as bl
from bielle import examples
from bielle.mechanism import registry
from bielle.mechanism.vectors import quaternion_to_matrix
from bielle.studio.poses import Poses

SINGLE = 4 * np.finfo(np.float32).eps  # of numbers of the size of one, after the products of a rotation


def check(live):
    model, names, q = live.model, list(live.mechanism.bodies), live.state.q
    poses = Poses(model, names)(q)
    assert poses.dtype == np.float32
    assert poses.shape == (len(names), 7)
    for name, row in zip(names, poses.astype(float)):
        position, rotation = model.bodies[name].kind.pose(q[model.bodies[name].q])
        scale = 1.0 + np.abs(position).max()
        np.testing.assert_allclose(row[:3], position, atol=SINGLE * scale)
        np.testing.assert_allclose(quaternion_to_matrix(row[3:] / np.linalg.norm(row[3:])), rotation, atol=SINGLE)


@pytest.mark.parametrize("kind", [kind for kind in registry.bodies if kind != "ground"])
@pytest.mark.parametrize("seed", range(3))
def test_every_kind_of_coordinates(kind, seed):
    rng = np.random.default_rng(seed)
    dim = registry.bodies[kind].dim
    m = bl.Mechanism(plane="xy") if dim == 2 else bl.Mechanism()
    for k in range(4):
        position = rng.uniform(-2, 2, dim)
        if dim == 2:
            shape = bl.rod(position, position + rng.uniform(0.1, 1, 2), mass=1.0)
            m.add_body(f"b{k}", shape, coordinates=kind, velocity=rng.uniform(-1, 1, 2), angular_velocity=3.0)
        else:
            quaternion = rng.standard_normal(4)
            shape = bl.box(rng.uniform(0.1, 1, 3), mass=1.0, centre=rng.uniform(-1, 1, 3))
            options = {"velocity": rng.uniform(-1, 1, 3), "angular_velocity": rng.uniform(-3, 3, 3)}
            m.add_body(f"b{k}", shape, position=position, orientation=quaternion / np.linalg.norm(quaternion), coordinates=kind, **options)
    live = m.live()
    check(live)
    live.advance(0.5)
    check(live)


@pytest.mark.parametrize("name", examples.names())
def test_every_example(name):
    check(examples.get(name).build().live("auto"))
