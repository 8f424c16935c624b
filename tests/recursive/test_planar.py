"""Trees in a plane: three numbers give what six do."""

import numpy as np
import pytest

import bielle as bl
from bielle.kernels import tree as t
from bielle.model import compile_mechanism


def tree(seed, n=12):
    """Random bodies on pins, sliders, welds and on nothing, of which some are geared to rotors, pushed and damped."""
    rng = np.random.default_rng(seed)
    m = bl.Mechanism(gravity=rng.normal(size=2), plane="xy")
    for i in range(n):
        place = rng.normal(size=2)
        shape = bl.rigid(rng.uniform(0.5, 2.0), rng.normal(size=2), rng.uniform(0.1, 1.0))
        m.add_body(f"b{i}", shape, position=place, orientation=rng.normal())
        kind = rng.choice(["pin", "pin", "slider", "rigid", "free"]) if i else "pin"
        on = m.ground if i == 0 or rng.random() < 0.2 else f"b{rng.integers(i)}"
        if kind != "free":
            joint = {"pin": bl.Pin(), "slider": bl.Slider(direction=rng.normal()), "rigid": bl.Rigid()}[kind]
            ends = (on, f"b{i}") if rng.random() < 0.7 or on is m.ground else (f"b{i}", on)
            m.add_joint(f"j{i}", joint, *ends, at=rng.normal(size=2))
            if kind != "rigid" and rng.random() < 0.3:
                m.add_rotor(f"r{i}", f"j{i}", 0.1, ratio=3.0)
    return m


@pytest.mark.parametrize("seed", range(12))
def test_motion_and_reactions_are_those_of_the_central_solver(seed):
    """Both at rtol 1e-11: what is left is the growth of rounding in half a second, and the accelerations of reactions."""
    m = tree(seed)
    assert bl.Recursive().start(*compile_mechanism(m)).tree.count[t.N_FLAT] == 1
    central, recursive = (m.simulate(0.5, kind(rtol=1e-11, atol=1e-13), samples=6) for kind in (bl.Central, bl.Recursive))
    for name in m.bodies:
        np.testing.assert_allclose(recursive[name].position, central[name].position, atol=1e-8, err_msg=name)
        np.testing.assert_allclose(recursive[name].acceleration, central[name].acceleration, rtol=1e-6, atol=1e-6, err_msg=name)
    for name in m.joints:
        there = central[name].multipliers
        np.testing.assert_allclose(recursive[name].multipliers, there, atol=1e-6 * max(1.0, np.abs(there).max()), err_msg=name)


def test_a_body_without_inertia_is_named():
    """As in space: a joint that moves nothing."""
    m = bl.Mechanism(plane="xy")
    m.add_body("rod", bl.rod((0, 0), (1, 0), mass=1.0))
    m.add_joint("pin", bl.Pin(), m.ground, "rod", at=(0, 0))
    run = bl.Recursive().start(*compile_mechanism(m))
    run.tree.array(t.T_INERTIA)[:] = 0.0
    run.workspace.accelerate()
    assert run.tree.count[t.N_REFUSED] == t.SINGULAR
