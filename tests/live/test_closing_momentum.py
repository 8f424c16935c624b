"""Closing a gap between two free bodies is an affair of these two: their momentum stays what it was."""

import numpy as np
import pytest

import bielle as bl
from bielle.mechanism import registry

from .random_edits import kinds
from .test_conservation import OUTSIDE, PRECISE, momentum

ALL = [(kind, dim) for dim in (2, 3) for kind in kinds(registry.joints, dim)]
ALL = [(kind, dim) for kind, dim in ALL if kind.attachment == "bodies"]
CASES = [(kind, dim) for kind, dim in ALL if type(kind).__struct_config__.tag not in OUTSIDE and not kind.grounded]


def two_bodies(dim, coordinates):
    """Two free bodies that turn and move, apart and askew."""
    m = bl.Mechanism(plane="xy" if dim == 2 else None, gravity=(0,) * dim)
    if dim == 2:
        m.add_body("a", bl.rod((0, 0), (1, 0), mass=1.0), coordinates=coordinates, angular_velocity=1.0)
        m.add_body("b", bl.rod((1.2, 0.1), (2.2, 0.3), mass=2.0), coordinates=coordinates, velocity=(0.3, 0.0))
        return m
    m.add_body("a", bl.box((1.0, 0.4, 0.3), mass=1.0), coordinates=coordinates, angular_velocity=(1.0, 0.5, -0.7))
    shape = bl.box((1.0, 0.3, 0.2), mass=2.0)
    m.add_body("b", shape, coordinates=coordinates, position=(1.3, 0.1, 0.1), velocity=(0.3, 0.0, 0.1), angular_velocity=(0, 0.3, 0))
    return m


SOLVERS = [
    pytest.param(PRECISE, id="adaptive"),
    pytest.param(bl.Modular(), id="modular"),
    pytest.param(bl.Recursive(), id="recursive"),
    pytest.param(bl.Modular("explicit"), id="explicit", marks=pytest.mark.slow),
]


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("joining", ["gentle", "impulse"])
@pytest.mark.parametrize("coordinates", ["own", "points"])
@pytest.mark.parametrize(("kind", "dim"), CASES, ids=lambda x: x if isinstance(x, int) else type(x).__struct_config__.tag)
def test_momentum(kind, dim, coordinates, joining, solver):
    """Steps of second order keep the momentum of points; that of a body that turns in space they keep to second order, joints or not."""
    names = {(2, "own"): "planar", (2, "points"): "bar", (3, "own"): "spatial", (3, "points"): "natural"}
    live = two_bodies(dim, names[dim, coordinates]).live(solver)
    start, parts = momentum(live)
    bound = np.repeat([1e-9, 1e-6 if solver is not PRECISE and (dim, coordinates) == (3, "own") else 1e-9], 3)
    live.add_joint("joint", kind, "a", "b", at_a=(0.5, 0.1, 0.0)[:dim], at_b=(-0.5, 0.05, 0.0)[:dim], joining=joining)
    assert np.abs(momentum(live)[0] - start).max() < 1e-11 * parts
    for _ in range(3):
        live.advance(0.3 * max(live.closing.values(), default=0.1))
        assert (np.abs(momentum(live)[0] - start) < bound * parts).all()
    live.settle()
    assert (np.abs(momentum(live)[0] - start) < bound * parts).all()
