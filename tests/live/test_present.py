"""What is read of a session is what is, whatever was read before."""

import copy
import pickle

import numpy as np
import pytest

import bielle as bl
from bielle.errors import DescriptionError

from .crane import SOLVERS


def pendulum():
    m = bl.Mechanism(plane="xy")
    for i in range(2):
        m.add_body(f"b{i}", bl.rod((i, 0), (i + 1, 0), mass=1.0))
        m.add_joint(f"j{i}", bl.Pin(), m.ground if i == 0 else f"b{i - 1}", f"b{i}", at=(i, 0))
    return m


def test_while_a_joint_closes():
    live = pendulum().live()
    live.advance(0.3)
    live.add_joint("tie", bl.Pin(), "ground", "b1", at_a=(-1.389, 1.32), at_b=(0.5, 0), over=0.1)
    for _ in range(4):
        live.advance(0.03)
        assert live.now.time[0] == live.time
        assert np.array_equal(live["b1"].position, live.describe().bodies["b1"].position)


@pytest.mark.parametrize("solver", SOLVERS.values(), ids=SOLVERS)
def test_two_events_in_one_step(solver):
    m = bl.Mechanism(plane="xy", gravity=(0, 0))
    m.add_body("ball", bl.disc(0.1, mass=1.0), position=(0, 1), velocity=(1.0, 0))
    m.add_body("lower", bl.disc(0.1, mass=1.0), position=(0, 3))
    m.add_body("upper", bl.disc(0.1, mass=1.0), position=(0, 4))
    m.add_joint("link", bl.Pin(), "lower", "upper", at=(0, 3.5))
    live = m.live(solver)
    seen = []
    for name, x in (("B", 0.0125), ("A", 0.0123), ("C", 0.0124)):
        quantity = "ball.position.x" if name == "C" else (lambda s: s["ball"].position[0])
        live.when(quantity, lambda s: seen.append((s.time, s["ball"].position[0])), crosses=x, name=name)
    live.advance(0.1)
    assert [name for _, name in live.log] == ["A", "C", "B"]  # x = t
    for (time, position), instant in zip(seen, (0.0123, 0.0124, 0.0125)):
        assert position == pytest.approx(time, abs=1e-12) == pytest.approx(instant, abs=1e-12)


def crank(planar):
    if planar:
        m = bl.Mechanism(plane="xy", gravity=(0, 0))
        m.add_body("rod", bl.rod((0, 0), (1, 0), mass=1.0), velocity=(0, 5.0), angular_velocity=10.0)
        m.add_joint("hinge", bl.Pin(), "ground", "rod", at=(0, 0))
    else:
        m = bl.Mechanism(gravity=(0, 0, 0))
        m.add_body("rod", bl.box((1, 0.1, 0.1), mass=1.0), position=(0.5, 0, 0), velocity=(0, 5.0, 0), angular_velocity=(0, 0, 10.0))
        m.add_joint("hinge", bl.Revolute(axis="z"), "ground", "rod", at=(0, 0, 0))
    return m


@pytest.mark.parametrize("planar", [True, False], ids=["planar", "spatial"])
def test_angles_are_continuous_over_turns(planar):
    live = crank(planar).live()
    read = []
    for _ in range(30):
        live.advance(0.1)
        read.append(live["hinge"].angle)
    assert read == pytest.approx(10.0 * 0.1 * np.arange(1, 31), abs=1e-7)  # rtol 1e-9 over some tens of steps
    assert live["hinge"].angle == live["hinge.angle"] == pytest.approx(live.result()["hinge"].angle[-1], abs=1e-12)
    live.set("rod", mass=2.0)  # goes on counting
    live.advance(0.1)
    assert live["hinge"].angle == pytest.approx(live.result()["hinge"].angle[-1], abs=1e-12)
    live.undo()
    assert live["hinge"].angle == pytest.approx(30.0, abs=1e-7)
    kept = live.snapshot()
    live.advance(3.0)
    live.restore(kept)
    assert live["hinge"].angle == pytest.approx(30.0, abs=1e-7)
    fresh = live.replay()
    assert fresh["hinge"].angle == pytest.approx(30.0, abs=1e-7)
    if planar:
        assert live["rod"].angle == pytest.approx(30.0, abs=1e-7)


def test_an_event_on_an_angle_of_many_turns():
    live = crank(True).live(record=10.0)  # no samples on the way
    live.when(lambda s: s["hinge"].angle, crosses=25.0, name="four turns")
    live.advance(3.0)
    assert live.log == [(pytest.approx(2.5, abs=1e-8), "four turns")]


# -- the mechanism


CHANGES = {
    "add_body": (lambda m: m.add_body("new", bl.disc(0.1, mass=1.0)), "live.add_body"),
    "add_frame": (lambda m: m.add_frame("new", "b0", local=(0, 0)), "live.add_frame"),
    "add_joint": (lambda m: m.add_joint("new", bl.Pin(), "ground", "b1", at=(0, 0)), "live.add_joint"),
    "add_force": (lambda m: m.add_force("new", bl.Torque(torque=1.0), joint="j0"), "live.add_force"),
    "add_rotor": (lambda m: m.add_rotor("new", "j0", 1.0), "live.add_rotor"),
    "set": (lambda m: m.set("b0", mass=2.0), "live.set"),
    "remove": (lambda m: m.remove("j1"), "live.remove"),
    "rename": (lambda m: m.rename("j1", "elbow"), "keeps its name"),
    "gravity": (lambda m: setattr(m, "gravity", (0, 0)), "live.set_gravity"),
    "name": (lambda m: setattr(m, "name", "other"), "name cannot be set"),
    "table": (lambda m: m.bodies.pop("b1"), "live.add_body"),
    "item": (lambda m: m.joints.__setitem__("j1", m.joints["j0"]), "live.add_joint"),
    "delete": (lambda m: m.forces.__delitem__("x"), "live.add_force"),
    "update": (lambda m: m.frames.update({}), "live.add_frame"),
}


@pytest.mark.parametrize(("change", "verb"), CHANGES.values(), ids=CHANGES)
def test_the_mechanism_is_not_changed_behind_the_sessions_back(change, verb):
    live = pendulum().live()
    before = live.mechanism.to_dict()
    for m in (live.mechanism, live.now.mechanism, live.result().mechanism):
        with pytest.raises(DescriptionError, match=verb):
            change(m)
    assert live.mechanism.to_dict() == before
    live.advance(0.1)


def test_the_mechanism_can_be_asked_and_copied(tmp_path):
    m = pendulum()
    live = m.live()
    found = live.mechanism
    assert found is live.mechanism
    assert isinstance(found, bl.Mechanism)
    assert "b0" in repr(found)
    found.save(tmp_path / "m.yaml")
    assert bl.Mechanism.load(tmp_path / "m.yaml") == found
    assert abs(found.simulate(0.1)["b1"].position[-1] - m.simulate(0.1)["b1"].position[-1]).max() < 1e-9
    assert str(found.report()) == str(m.report())
    found.live().advance(0.1)
    for other in (found.copy(), copy.copy(found), copy.deepcopy(found), pickle.loads(pickle.dumps(found))):
        assert other == found
        other.add_body("new", bl.disc(0.1, mass=1.0))
        other.gravity = (0, 0)
        assert "new" not in live.mechanism.bodies
    live.remove("b1", dependants=True)
    assert "b1" in found.bodies  # what it was then
    assert "b1" not in live.mechanism.bodies


@pytest.mark.parametrize("solver", ["adaptive", "rk4", "newmark", "modular", "recursive"])
def test_steps_after_an_edit_begin_where_it_was(solver):
    """What was computed before and after an edit meets at its instant, whether time or steps were asked for."""
    live = pendulum().live(SOLVERS[solver])
    live.step(3)
    live.advance(0.1)
    live.set("b1", mass=2.0)
    edited = live.time
    live.step(5)
    time = live.result().time
    assert time[0] == 0.0
    assert edited in time
    assert time[-1] == live.time


@pytest.mark.parametrize("solver", ["adaptive", "rk4", "recursive"])
def test_an_event_in_steps_that_are_counted_is_sampled(solver):
    """Counted steps take no samples on the way; the instant of an event is one all the same, and there is room for it."""
    live = pendulum().live(SOLVERS[solver])
    live.breaks("j1", force=10.0)
    while not live.log and live.time < 2.0:
        live.step(7)
    (at, _), *_ = live.log
    assert at in live.result().time
    assert "j1" not in live.mechanism.joints
