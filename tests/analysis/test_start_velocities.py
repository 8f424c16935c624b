"""Velocities that are given at the start, in all coordinates: what was not given yields to what was."""

import numpy as np
import pytest

import bielle as bl
from bielle.mechanism import registry

KINDS = {
    2: [k for k, v in registry.bodies.items() if v.dim == 2],
    3: [k for k, v in registry.bodies.items() if v.dim == 3 and k != "ground"],
}
EVERY = [(dim, kind) for dim, kinds in KINDS.items() for kind in kinds]


def rod_on_a_pivot(dim, kind, **start):
    """A rod of 1 m that turns about its end at the origin; its frame is at its centre."""
    space = dim == 3
    m = bl.Mechanism(plane=None if space else "xy", gravity=(0, 0, 0) if space else (0, 0))
    places = ((0, 0, 0), (1, 0, 0)) if space else ((0, 0), (1, 0))
    m.add_body("rod", bl.rod(*places, mass=1.0, **({"radius": 0.02} if space else {})), coordinates=kind, **start)
    m.add_joint("pivot", bl.Revolute(axis="z") if space else bl.Pin(), m.ground, "rod", at=places[0])
    return m


@pytest.mark.parametrize(("dim", "kind"), EVERY)
@pytest.mark.parametrize("given", ["spin", "velocity", "both"])
def test_what_is_given_is_kept_and_the_rest_follows(dim, kind, given):
    """2 rad/s about the end is 1 m/s at the centre."""
    start = {}
    if given != "velocity":
        start["angular_velocity"] = (0, 0, 2.0) if dim == 3 else 2.0
    if given != "spin":
        start["velocity"] = (0, 1.0, 0) if dim == 3 else (0, 1.0)
    rod = rod_on_a_pivot(dim, kind, **start).simulate(1e-3)["rod"]
    assert np.ravel(rod.angular_velocity[0])[-1] == pytest.approx(2.0, abs=1e-9)
    assert rod.velocity[0][1] == pytest.approx(1.0, abs=1e-9)
