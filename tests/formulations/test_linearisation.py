"""Derivatives of the rates of a mechanism: against differences of the rates themselves, and what implicit methods gain by them."""

import numpy as np
import pytest

import bielle as bl
from bielle.formulations.linearisation import RateJacobian, _apart
from bielle.kernels import slots
from bielle.model import compile_mechanism
from bielle.solvers.workspace import Workspace


def planar(n=5):
    """A chain with springs, dampers, a slot, a moving support and a second chain beside it."""
    m = bl.Mechanism(gravity=(0.3, -9.0), plane="xy")
    for i in range(n):
        m.add_body(
            f"rod {i}", bl.rod((i, 0.1 * i), (i + 1, 0.1 * i + 0.1), mass=1.0 + 0.2 * i), angular_velocity=0.3 * i, velocity=(0.1, 0.2 * i)
        )
        m.add_joint(f"pin {i}", bl.Pin(), f"rod {i - 1}" if i else m.ground, f"rod {i}", at=(i, 0.1 * i))
    m.add_body("block", bl.box((0.3, 0.2), mass=2.0), position=(2.0, -1.0), velocity=(0.2, -0.1))
    m.add_joint("slot", bl.PinInSlot(direction=0.4), m.ground, "block", at=(2.0, -1.0))
    m.add_force("spring", bl.Spring(stiffness=40.0, damping=2.0, length=0.7), "rod 2", "block", at_a=(0.1, 0.0), at_b=(0.1, 0.05))
    m.add_force("drag", bl.CallableForce(function=lambda t, view: -0.3 * view.velocity), "rod 4", at=(4.0, 0.4))
    m.add_body("free", bl.disc(0.2, mass=1.0), position=(-3.0, 1.0), angular_velocity=2.0)
    m.add_joint("drive", bl.ImposedRotation(angle=bl.Harmonic(amplitude=0.2, frequency=1.0)), m.ground, "free", at=(-3.0, 1.0))
    return m


def spatial(coordinates):
    m = bl.Mechanism(gravity=(0.3, -9.0, 1.0))
    m.add_body("a", bl.rod((0, 0, 0), (1, 0, 0.2), mass=1.0, radius=0.1), coordinates=coordinates, angular_velocity=(0.2, 0.1, 1.0))
    m.add_body("b", bl.rod((1, 0, 0.2), (1, -1, 0), mass=2.0, radius=0.1), angular_velocity=(0.5, -0.3, 0.2))
    m.add_body("c", bl.box((0.2, 0.3, 0.4), mass=1.5), position=(1.0, -1.5, 0.0), velocity=(0.1, 0.2, 0.3), coordinates=coordinates)
    m.add_joint("hinge", bl.Revolute(axis=(0.1, 0.2, 1.0)), m.ground, "a", at=(0, 0, 0))
    m.add_joint("ball", bl.Spherical(), "a", "b", at=(1, 0, 0.2))
    m.add_force("spring", bl.Spring(stiffness=30.0, damping=1.0, length=0.3), "b", "c", at_a=(0.3, 0.0, 0.0), at_b=(0.1, 0.1, 0.2))
    return m


CASES = {"planar": planar(), "quaternions": spatial("spatial"), "natural": spatial("natural")}


@pytest.mark.parametrize("m", CASES.values(), ids=CASES)
@pytest.mark.parametrize("omega", [0.0, 15.0])
def test_it_is_what_differences_of_the_rates_give(m, omega):
    """Both have an error of some 1e-10 of the numbers in them; the accelerations are found to 1e-11 of the largest."""
    w = Workspace(*compile_mechanism(m))
    w.scalar[slots.S_OMEGA], w.scalar[slots.S_XI], w.scalar[slots.S_TIME] = omega, 0.7, 0.13
    nq, nv = w.model.nq, w.model.nv
    y = np.concatenate([w.q[:nq], w.v[:nv]])
    y += 0.01 * np.random.default_rng(0).normal(size=len(y))  # joints a little open

    def load(y):
        w.q[:nq], w.v[:nv] = y[:nq], y[nq:]

    def rates(y):
        load(y)
        w.accelerate()
        return np.concatenate([w.qd[:nq], w.acc[:nv]])

    load(y)
    found = RateJacobian(w)()
    np.testing.assert_array_equal(np.concatenate([w.q[:nq], w.v[:nv]]), y)
    h = 1e-5
    expected = np.column_stack([(rates(y + h * e) - rates(y - h * e)) / (2 * h) for e in np.eye(len(y))])
    np.testing.assert_allclose(found, expected, atol=1e-6 * max(1.0, np.abs(expected).max()))


def test_bodies_that_are_moved_together_have_no_neighbour_in_common():
    near = [{i - 1, i, i + 1} & set(range(20)) for i in range(20)]
    groups = _apart(list(range(20)), near)
    assert len(groups) == 3
    assert sorted(b for group in groups for b in group) == list(range(20))
    for group in groups:
        assert all(near[a].isdisjoint(near[b]) for a in group for b in group if a != b)


@pytest.mark.parametrize("method", ["Radau", "BDF", "LSODA"])
def test_implicit_methods_use_it(method, monkeypatch):
    """Without it a Jacobian takes an evaluation per coordinate and velocity; the motion is that of the default solver, to the tolerance."""
    m = planar()
    m.remove("drag")
    calls = []
    original = RateJacobian.__call__
    monkeypatch.setattr(RateJacobian, "__call__", lambda self: calls.append(1) or original(self))
    run = m.simulate(0.5, bl.Central("baumgarte", integrator=method, rtol=1e-7, atol=1e-9), samples=6)
    assert calls
    reference = m.simulate(0.5, samples=6)
    np.testing.assert_allclose(run["rod 4"].position, reference["rod 4"].position, atol=1e-4)
