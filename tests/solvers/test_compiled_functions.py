"""Functions marked with bielle.compiled run in the loop and behave as plain Python ones do."""

import math

import numpy as np
import pytest

import bielle as bl
from bielle.errors import CallbackError, DescriptionError


@bl.compiled
def sway(t):
    return 0.2 * math.sin(3.0 * t)


def driven(function):
    m = bl.Mechanism(plane="xy")
    m.add_body("rod", bl.rod((0, 0), (1, 0), mass=1.0))
    m.add_joint("pivot", bl.Pin(), m.ground, "rod", at=(0, 0))
    m.add_joint("drive", bl.ImposedRotation(angle=function), m.ground, "rod", at=(0, 0))
    return m


def test_same_motion_and_torque_as_the_plain_function():
    run, plain = driven(sway).simulate(2.0), driven(sway.f).simulate(2.0)
    exact = 0.2 * np.sin(3.0 * run.time)
    assert np.abs(run["rod"].orientation - exact).max() < 1e-12  # imposed, hence exact
    # second derivatives by differences: h⁴ f⁽⁶⁾/90 and rounding u/h², of an angular acceleration of 2 rad/s²
    assert np.allclose(run["drive"].moment(), plain["drive"].moment(), atol=1e-8)


def test_given_derivatives_are_used():
    exact = bl.compiled(lambda t: 0.5 * t * t, lambda t: t, lambda t: 1.0)
    run = driven(exact).simulate(1.0)
    torque = run["drive"].moment()
    inertia, weight = 1 / 3, 9.81 * 0.5 * np.cos(0.5 * run.time**2)
    assert np.allclose(torque, inertia * 1.0 + weight, atol=1e-9)


def test_non_finite_values_name_component_and_time():
    bad = bl.compiled(lambda t: math.sqrt(0.5 - t))
    m = bl.Mechanism(plane="xy")
    m.add_body("mass", bl.disc(0.1, mass=1.0))
    m.add_force("thrust", bl.PointForce(force=(bad, 0.0)), "mass", at=(0, 0))
    with pytest.raises(CallbackError, match=r"force 'thrust'.*non-finite.*t = 0\.[45]") as caught:
        m.simulate(1.0)
    assert caught.value.result.time[-1] <= 0.5


def test_what_numba_cannot_compile_is_refused_with_the_remedy():
    m = driven(bl.compiled(lambda t: open("x")))  # noqa: SIM115
    with pytest.raises(DescriptionError, match="cannot be compiled by Numba.*without bielle.compiled"):
        m.simulate(1.0)
