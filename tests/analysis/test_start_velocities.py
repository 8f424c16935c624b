"""Velocities that are given at the start, in all coordinates: what was not given yields to what was."""

import numpy as np
import pytest

import bielle as bl
from bielle.errors import AssemblyWarning
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


@pytest.mark.parametrize("mass", [1e-8, 1e-4, 1e-2, 1e2, 1e6])
def test_two_rods_start_as_given_whatever_their_masses(mass):
    """What joints allow does not depend on masses; no warning is given."""
    m = bl.Mechanism(plane="xy", gravity=(0, 0))
    m.add_body("a", bl.rod((0, 0), (1, 0), mass=mass), angular_velocity=2.0)
    m.add_body("b", bl.rod((1, 0), (1, 1), mass=1.0), angular_velocity=-3.0)
    m.add_joint("first", bl.Pin(), m.ground, "a", at=(0, 0))
    m.add_joint("second", bl.Pin(), "a", "b", at=(1, 0))
    run = m.simulate(1e-3, samples=2)
    assert run["a"].angular_velocity[0] == pytest.approx(2.0, abs=1e-8)
    assert run["b"].angular_velocity[0] == pytest.approx(-3.0, abs=1e-8)


def test_what_is_forbidden_is_told_beside_a_bullet():
    """How fast something is that does not hang together with it plays no part."""
    m = bl.Mechanism(plane="xy", gravity=(0, 0))
    m.add_body("bullet", bl.disc(0.01, mass=0.01), position=(0, 5), velocity=(900.0, 0))
    m.add_body("rod", bl.rod((0, 0), (1, 0), mass=1.0), velocity=(0.8, 0))
    m.add_joint("pin", bl.Pin(), m.ground, "rod", at=(0, 0))
    with pytest.warns(AssemblyWarning, match="'rod': velocity \\(0.8, 0\\) was given"):
        m.simulate(0.01)
