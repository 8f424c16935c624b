"""A point on a plane: the law, a fall that is known in closed form, what is lost where the plane is left behind."""

import math

import numpy as np
import pytest
from test_laws import close
from test_limits import slide_bench

import bielle as bl
from bielle.errors import DescriptionError
from bielle.forces import PlaneContact

K, C = 400.0, 6.0


@pytest.mark.parametrize("dim", [2, 3])
@pytest.mark.parametrize(("height", "rate"), [(0.3, -1.0), (-0.2, 0.0), (-0.2, -3.0), (-0.2, 3.0), (-0.01, 3.0)])
def test_law(dim, height, rate):
    """−k u − c u̇, if that pushes; all power that is not a change of ½ k u² is lost."""
    force = max(0.0, -K * height - C * rate) if height < 0 else 0.0
    energy = 0.5 * K * height**2 if height < 0 else 0.0
    change = K * height * rate if height < 0 else 0.0
    bench = slide_bench(PlaneContact(stiffness=K, damping=C, normal=(3.0, 4.0) if dim == 2 else (1.0, 2.0, 2.0)), dim, height, rate)
    close(bench.wrench("b")[0], force * bench.axis, 1e-13 * K)
    close(bench.wrench("a")[0], -force * bench.axis, 1e-13 * K)
    close(bench.w.output[0], force, 1e-13 * K)
    close(bench.w.energy[0], energy, 1e-13 * K)
    close(bench.w.power[0], -(change + force * rate), 1e-12 * K)
    assert bench.w.power[0] >= -1e-12 * K


def ball(start, **kind):
    m = bl.Mechanism(gravity=(0.0, -9.81), plane="xy")
    m.add_body("ball", bl.disc(0.1, mass=2.0), position=(0.0, start))
    m.add_force("floor", PlaneContact(**kind), m.ground, "ball", at_a=(0.0, 0.0), at_b=(0.0, 0.0))
    return m


def test_a_fall_onto_a_spring():
    """Free fall, then half a swing about the place where the spring carries the weight, then up as high as before."""
    height, mass, g = 0.5, 2.0, 9.81
    fall, omega = math.sqrt(2 * height / g), math.sqrt(K / mass)
    # u = −(g/ω²)(1 − cos ωt) − (v/ω) sin ωt while it touches: it leaves at ωt = 2π − 2 atan(v ω/g)
    touch = (2 * math.pi - 2 * math.atan2(g * fall * omega, g)) / omega
    m = ball(height, stiffness=K)
    run = m.simulate(2 * fall + touch, bl.Central(rtol=1e-10, atol=1e-12, max_step=1e-3))
    assert run["ball"].position[-1, 1] == pytest.approx(
        height, abs=1e-6
    )  # the kinks are met within a step of 1 ms: h² g at most, halved often
    deepest = g / omega**2 + math.hypot(g / omega**2, g * fall / omega)
    assert -run["ball"].position[:, 1].min() == pytest.approx(deepest, rel=1e-4)  # the samples are that far from the turn
    assert np.abs(run.energy.error).max() < 1e-7


def test_it_does_not_pull():
    """A strong damper: the ball stays on the plane, which is left without a force on it."""
    run = ball(0.05, stiffness=K, damping=100.0, height=0.02).simulate(5.0, bl.Central(rtol=1e-9, max_step=1e-3))
    assert run["floor"].output.min() >= 0.0
    assert run["ball"].position[-1, 1] == pytest.approx(0.02 - 2.0 * 9.81 / K, abs=1e-6)
    assert np.abs(run.energy.error).max() < 1e-6


def test_normals():
    """y in the plane, z in space, unless said otherwise."""
    m = bl.Mechanism(gravity=(0.0, 0.0, -9.81))
    m.add_body("ball", bl.sphere(0.1, mass=2.0))
    m.add_force("floor", PlaneContact(stiffness=K, damping=50.0), m.ground, "ball", at=(0.0, 0.0, 0.0))
    run = m.simulate(2.0, bl.Central(rtol=1e-8))
    assert run["floor"].output[-1] == pytest.approx(2.0 * 9.81, rel=1e-5)
    with pytest.raises(DescriptionError, match="force 'f': the normal"):
        m.add_force("f", PlaneContact(stiffness=1.0, normal=(0.0, 0.0, 0.0)), m.ground, "ball", at=(0.0, 0.0, 0.0))
    with pytest.raises(DescriptionError, match="force 'f': the stiffness must be positive"):
        m.add_force("f", PlaneContact(stiffness=0.0), m.ground, "ball", at=(0.0, 0.0, 0.0))
