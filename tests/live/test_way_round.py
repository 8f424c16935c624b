"""Joints whose equations cannot tell an axis from its opposite: none is closed the wrong way round."""

import math

import numpy as np
import pytest

import bielle as bl
from bielle.errors import AssemblyError, JoiningError

SOLVERS = {"central": bl.Central(), "recursive": bl.Recursive()}
every_solver = pytest.mark.parametrize("solver", SOLVERS.values(), ids=SOLVERS)
KINDS = [bl.Revolute(axis="y"), bl.Prismatic(axis="x"), bl.Cylindrical(axis="z"), bl.Helical(axis="z", pitch=0.1)]
KINDS += [bl.Planar(axis="z"), bl.Fixed()]
STRAIGHT = (1.0, 0.0, 0.0, 0.0)
# half a turn about an axis that is across that of the joint: directions that are perpendicular stay so
OVER = {"Revolute": "x", "Prismatic": "y", "Cylindrical": "x", "Helical": "x", "Planar": "x", "Fixed": "x"}


def held(kind):
    m = bl.Mechanism(gravity=(0, 0, -9.81))
    m.add_body("box", bl.box((0.2, 0.3, 0.4), mass=1.0))
    m.add_joint("joint", kind, m.ground, "box", at=(0.1, 0, 0.2))
    return m


def turn(axis, angle):
    return (math.cos(angle / 2), *(math.sin(angle / 2) * (np.array(list("xyz")) == axis)))


@every_solver
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: type(kind).__name__)
@pytest.mark.parametrize("angle", [math.pi, 2.5])
def test_a_body_is_not_teleported_into_its_joint_the_wrong_way_round(kind, solver, angle):
    live = held(kind).live(solver)
    live.advance(0.01)
    before = live.state.q.copy()
    with pytest.raises(AssemblyError, match="teleport 'box': joint 'joint' would be the wrong way round"):
        live.teleport("box", orientation=turn(OVER[type(kind).__name__], angle))
    np.testing.assert_array_equal(live.state.q, before)


@every_solver
def test_a_turn_about_the_axis_is_not_one(solver):
    live = held(bl.Revolute(axis="y")).live(solver)
    live.teleport("box", orientation=turn("y", math.pi))
    live.advance(0.1)
    assert abs(live.result().energy.error).max() < 1e-8


@pytest.mark.parametrize("joining", ["gentle", "impulse"])
def test_a_new_joint_does_not_close_the_wrong_way_round(joining):
    m = bl.Mechanism(gravity=(0, 0, 0))
    m.add_body("box", bl.box((0.2, 0.3, 0.4), mass=1.0), orientation=turn("x", 2.5))
    live = m.live()
    with pytest.raises(JoiningError, match="joint 'late': its axes on the two bodies are more than a quarter turn apart"):
        live.add_joint("late", bl.Revolute(axis="z"), m.ground, "box", at=(0, 0, 0), axes_a=STRAIGHT, axes_b=STRAIGHT, joining=joining)


@pytest.mark.parametrize("planar", [True, False])
@pytest.mark.parametrize("angle", [math.pi, 2.5])
def test_assembly_says_so(planar, angle):
    m = bl.Mechanism(plane="xy") if planar else bl.Mechanism()
    m.add_body("box", bl.box((0.2, 0.3) if planar else (0.2, 0.3, 0.4), mass=1.0), orientation=angle if planar else turn("x", angle))
    straight = 0.0 if planar else STRAIGHT
    m.add_joint("joint", bl.Rigid() if planar else bl.Fixed(), m.ground, "box", at=(0, 0, 0)[: m.dim], axes_a=straight, axes_b=straight)
    with pytest.raises(AssemblyError, match="joint 'joint' would be the wrong way round"):
        m.simulate(0.1)
