"""Python to copy: a script builds the mechanism it was made of, and does what was done."""

import time as clock
from types import SimpleNamespace

import numpy as np
import pytest

import bielle as bl
from bielle import examples
from bielle.studio.actions import perform
from bielle.studio.messages import Cut, Grab, Pull, Release, Rename
from bielle.studio.recounting import _advances, actions_as_python
from bielle.studio.scripting import mechanism_as_python
from bielle.studio.workbench import Workbench


def built(text, **known):
    """What a script has made, without what it computes at its end."""
    names = dict(known)
    exec(text.replace("run = m.simulate(10.0)\n", ""), names)
    return names


@pytest.mark.parametrize("name", examples.names())
def test_every_example(name):
    m = examples.get(name).build()
    again = built(mechanism_as_python(m))["m"]
    assert again.name == m.name
    assert again.gravity == m.gravity
    assert again.plane == m.plane
    for table in ("bodies", "frames", "joints", "forces"):
        one, two = getattr(m, table), getattr(again, table)
        assert set(two) == set(one)
        for key in one:
            assert two[key] == one[key]


def test_visuals_and_collisions_are_in_it():
    m, v = bl.Mechanism(), bl.visuals
    seen = [v.box((1, 2, 3), color="#ff0000"), v.cylinder(0.1, 0.2, position=(1, 0, 0)), v.mesh("hand.stl", scale=(2, 2, 2))]
    m.add_body("seen", bl.sphere(0.1, mass=1.0), visuals=seen, collisions=[v.sphere(0.1)])
    m.add_frame("mark", "seen", local=(0, 0, 0.1), visuals=[v.capsule(0.1, 0.2)])
    again = built(mechanism_as_python(m))["m"]
    assert again.bodies["seen"] == m.bodies["seen"]
    assert again.frames["mark"] == m.frames["mark"]


def test_names_and_texts_that_look_like_python():
    m = bl.Mechanism(plane="xy", name='it\'s "quoted" \\ #')
    m.add_body("a'b\"c", bl.disc(0.1, mass=1.0), color="#123456")
    again = built(mechanism_as_python(m))["m"]
    assert again.name == m.name
    assert again.bodies == m.bodies


def test_actions_done_again_give_the_same_session():
    m = examples.get("double_pendulum").build()
    bench = Workbench(m.live())
    live = bench.live
    live.advance(0.1)
    live.set("upper", mass=2.0)
    live.push("lower", impulse=(0.5, 0.0), at=live["lower"].position)
    live.step(3)
    bench.do(lambda b: perform(b, Rename(name="lower", new="last"))).result(10)
    bench.do(lambda b: perform(b, Cut(names=["elbow"]))).result(10)
    live.advance(0.1)
    live.undo()
    live.set_gravity((0.0, -1.62))
    live.add_force("pull", bl.Spring(stiffness=10.0), "ground", "last", at_a=(0, 2), at_b=(0.0, 0.0))
    live.teleport("last", velocity=(0.0, 0.0))
    live.advance(0.2)
    again = built(actions_as_python(live))["live"]
    assert again.time == live.time
    assert again.mechanism.bodies == live.mechanism.bodies
    np.testing.assert_array_equal(again.state.q, live.state.q)
    np.testing.assert_array_equal(again.state.v, live.state.v)
    bench.close()


def test_a_pull_with_the_hand_is_told_so_that_it_can_be_undone():
    m = examples.get("double_pendulum").build()
    bench = Workbench(m.live())
    for _ in range(2):
        bench.do(lambda b: perform(b, Grab(body="lower", at=(1.0, -0.9, 0.0)))).result(10)
        for k in range(3):
            bench.do(lambda b, k=k: perform(b, Pull(to=(1.0, 0.1 * k, 0.0)))).result(10)
            bench.live.advance(0.02)
        bench.do(lambda b: perform(b, Release())).result(10)
    bench.do(lambda b: b.undo()).result(10)
    again = built(actions_as_python(bench.live))["live"]
    assert again.time == bench.live.time == pytest.approx(0.06)
    assert not again.mechanism.forces
    # The hand's target is rounded otherwise in a script: 100 times the rounding of numbers of size one.
    np.testing.assert_allclose(again.state.q, bench.live.state.q, atol=1e-13)
    bench.close()


@pytest.mark.parametrize("name", ["double_pendulum", "suspension", "robot_arm"])
def test_a_script_of_a_run_needs_nothing_else_and_gives_the_same_bits(name):
    """In real time, with an edit and a pause; steps depend on the frames they aim at, so that the script has these."""
    bench = Workbench(examples.get(name).build().live())
    live, body = bench.live, next(iter(bench.live.mechanism.bodies))
    for mass, factor in ((3.0, 4.0), (2.0, 0.7)):
        live.run_realtime(factor, frame=factor / 60)
        until(lambda then=live.time: live.time > then + 0.1)
        live.set(body, mass=mass) if name == "double_pendulum" else live.set_gravity((0.0,) * (live.mechanism.dim - 1) + (-mass,))
        live.stop()
    text = actions_as_python(live)
    again = built(text)["live"]
    assert text.count("\n") < 60 + len(live.mechanism._names())  # frames are told as loops
    assert again.time == live.time
    np.testing.assert_array_equal(again.state.q, live.state.q)
    np.testing.assert_array_equal(again.state.v, live.state.v)
    bench.close()


def until(found):
    end = clock.monotonic() + 30.0
    while not found():
        assert clock.monotonic() < end
        clock.sleep(0.01)


@pytest.mark.parametrize("ends", [[1.0], [0.1, 0.2], [0.1, 0.25, 0.3], [3 + 0.1 * k for k in range(1, 50)] + [9.0, 9.5, 11.0, 11.25]])
def test_times_are_told_to_the_bit(ends):
    told = []
    exec("\n".join(_advances(ends)), {"live": SimpleNamespace(advance_to=told.append)})
    assert told == ends
