"""The modular solver does not know the unit of length: a mechanism of another size does the same in another time."""

from functools import cache

import numpy as np
import pytest

import bielle as bl

OPTIONS = {
    "sweep": {},
    "conjugate": {"exchange": "conjugate"},
    "relaxation": {"exchange": "relaxation", "iterations": 2000},
    "explicit": {"joints": "explicit"},
    "newmark": {"integrators": {"link 0": "newmark", "link 1": "newmark"}},
    "substeps": {"substeps": {"link 2": 4}},
}


def chain(size, coordinates):
    """Three capsules of that length [m] and of one mass on hinges."""
    m = bl.Mechanism(gravity=(0, 0, -9.81))
    for i, axis in enumerate(("y", (0, 1, 1), "y")):
        ends = (i * size, 0, 0), ((i + 1) * size, 0, 0)
        m.add_body(f"link {i}", bl.capsule(*ends, radius=0.1 * size, density=1000.0 / size**3), coordinates=coordinates)
        m.add_joint(f"hinge {i}", bl.Revolute(axis=axis), f"link {i - 1}" if i else m.ground, f"link {i}", at=ends[0])
    return m


@cache
def path(exponent, options, coordinates):
    """Of the last link, in its own lengths; time goes with the root of the size, as gravity is the same; and passes, divided steps."""
    size = 10.0**exponent
    root = np.sqrt(size)
    run = chain(size, coordinates).simulate(0.2 * root, bl.Modular(step=1e-3 * root, **OPTIONS[options]), samples=11)
    account = run.info["convergence"]
    return run["link 2"].position / size, (account["most_passes"], account["divided"], account["unfinished"])


@pytest.mark.parametrize("exponent", [-6, -4, -2, 2, 4, 6])
@pytest.mark.parametrize("coordinates", ["spatial", "natural"])
@pytest.mark.parametrize("options", OPTIONS)
def test_motion_does_not_depend_on_the_unit_of_length(exponent, options, coordinates):
    """Two hundred steps whose rounding is that of other numbers: 1e-11 is 1e-16 in each, or in forces that are iterated to 1e-9 the
    thousandth part of that, with the growth of a chain that falls."""
    expected, account = path(0, options, coordinates)
    found, taken = path(exponent, options, coordinates)
    assert np.abs(found - expected).max() <= 1e-11
    assert taken == account
