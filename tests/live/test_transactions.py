"""Several edits as one, edits while joints are being closed, time travel across both: cases that random edits have found."""

import numpy as np
import pytest

import bielle as bl

from .test_random_edits import check_model
from .test_session import bits, double_pendulum


def test_what_goes_and_comes_back_in_one_edit_is_new():
    """A body of the same name and kind is where it is described, not where the one before was, and stands last in the tables."""
    live = double_pendulum().live()
    live.advance(0.3)
    with live.edit():
        live.remove("upper", dependants=True)
        live.add_body("between", bl.rod((3, 0), (4, 0), mass=1.0))
        live.add_body("upper", bl.rod((5, 0), (6, 0), mass=2.0), velocity=(0.0, 1.0))
    assert list(live.mechanism.bodies) == ["lower", "between", "upper"]
    assert live["upper"].position == pytest.approx([5.5, 0.0])
    assert live["upper"].velocity == pytest.approx([0.0, 1.0])
    check_model(live)


def test_the_turns_of_a_motor_go_with_it():
    """A motor that is removed and added again in one edit counts its turns anew, one that is only changed goes on counting."""
    m = double_pendulum()
    m.add_force("motor", bl.Motor(target=20.0, damping=50.0, control="speed"), joint="pivot")
    live = m.live()
    live.advance(1.0)
    turned = float(live.state.memory[0])
    assert turned > 2 * np.pi
    live.set("motor", damping=60.0)
    assert live.state.memory[0] == turned
    with live.edit():
        live.remove("motor")
        live.add_force("motor", bl.Motor(target=20.0, damping=50.0, control="speed"), joint="pivot")
    assert live.state.memory[0] == 0.0
    live.step()
    assert abs(live.state.memory[0]) <= np.pi + 0.1


@pytest.mark.parametrize("verb", ["teleport", "impulse", "push"])
def test_a_body_that_was_moved_goes_in_the_same_edit(verb):
    live = double_pendulum().live()
    with live.edit():
        live.add_body("ball", bl.sphere(0.1, mass=1.0))
        if verb == "teleport":
            live.teleport("ball", position=(3.0, 3.0))
        elif verb == "impulse":
            live.push("ball", impulse=(1.0, 0.0))
        else:
            live.push("ball", force=(1.0, 0.0), duration=0.1)
        live.remove("ball", dependants=True)
    assert "ball" not in live.mechanism.bodies
    assert not live._timers
    live.advance(0.2)


def test_a_push_lasts_as_long_as_it_was_given():
    """Its name is free again when it is removed early; the next push of that name must not end when the first would have."""
    m = bl.Mechanism(gravity=(0, 0), plane="xy")
    m.add_body("ball", bl.sphere(0.1, mass=1.0))
    live = m.live()
    live.push("ball", force=(1.0, 0.0), duration=1.0)
    live.advance(0.5)
    live.remove("push ball 1")
    live.push("ball", force=(1.0, 0.0), duration=1.0)
    live.advance(2.0)
    assert live["ball"].velocity[0] == pytest.approx(1.5)


def test_replacing_by_the_same_kind_keeps_the_place_in_the_tables():
    live = double_pendulum(planar=False).live()
    live.advance(0.1)
    live.replace("pivot", bl.Revolute(axis="-z"))
    assert list(live.mechanism.joints) == ["pivot", "elbow"]
    check_model(live)


def apart():
    """Two rods that float with a gap between them, a pin closing it over 0.4 s."""
    m = bl.Mechanism(gravity=(0, 0), plane="xy")
    m.add_body("a", bl.rod((0, 0), (1, 0), mass=1.0))
    m.add_body("b", bl.rod((1.2, 0.1), (2.2, 0.1), mass=2.0))
    m.add_frame("end", "a", local=(0.5, 0.0))
    live = m.live()
    live.add_joint("pin", bl.Pin(), "end", "b", at_b=(-0.5, 0.0), over=0.4)
    live.advance(0.1)
    return live


@pytest.mark.parametrize("edit", ["coordinates", "shape", "visitor", "mass"])
def test_a_joint_goes_on_closing_when_its_bodies_are_described_anew(edit):
    live = apart()
    closing, gap = live.closing, live["end"].position - live["b"].point((-0.5, 0.0)).position
    if edit == "coordinates":
        live.replace("b", coordinates="bar")
    elif edit == "shape":
        live.replace("b", bl.rigid(2.0, (0.1, 0.1), 0.3))
    elif edit == "mass":
        live.set("b", mass=3.0)
    else:
        live.add_body("visitor", bl.sphere(0.1, mass=1.0))
    assert live.closing == closing
    live.advance(1e-3)
    moved = live["end"].position - live["b"].point((-0.5, 0.0)).position
    assert np.abs(moved - gap).max() < 2e-3  # it moves at less than 1 m/s, and has not jumped
    live.settle()
    assert live["pin"].violation < 1e-9
    assert np.abs(live.result().energy.error).max() < 1e-7


def test_joints_in_a_frame_that_is_moved_close_gently():
    live = apart()
    live.settle()
    before = live["b"].position
    live.set("end", local=(0.3, 0.1))
    assert live.last_edit[0].joining == "gentle"
    assert live.last_edit[0].gap > 0.1
    live.advance(1e-3)
    assert np.abs(live["b"].position - before).max() < 1e-3
    live.settle()
    assert live["pin"].violation < 1e-9


def test_a_fast_body_that_is_far_away_does_not_overshoot_the_range_of_the_equations():
    """The time to close a gap is not the time to stop in: an axis that turns at 20 rad/s would have to pass its own length."""
    m = bl.Mechanism(gravity=(0, 0, 0))
    m.add_body("a", bl.box((0.3, 0.4, 0.5), mass=1.0))
    m.add_body("b", bl.box((0.4, 0.3, 0.5), mass=1.0), position=(2.0, 0.0, 0.0), angular_velocity=(3.0, 19.0, 4.0))
    live = m.live()
    live.add_joint("slide", bl.Prismatic(axis="x"), "a", "b", at_a=(0, 0.5, 0), at_b=(0, -0.8, 0.2))
    (closing,) = live.model.closings
    assert closing.stopping < 0.1 * closing.duration
    live.settle()
    assert live["slide"].violation < 1e-9
    assert np.abs(live.result().energy.error).max() < 1e-7


def test_equations_that_follow_from_others_wait_for_them():
    """A weld beside a pin that is still being closed: its point cannot be where the pin's is not yet."""
    live = apart()
    live.add_joint("weld", bl.Rigid(), "a", "b", at_a=(0.5, 0.0), at_b=(-0.5, 0.0), over=0.05)
    assert live.closing["weld"] == live.closing["pin"]
    live.settle()
    live.advance(0.1)
    assert live["weld"].violation < 1e-9
    assert live["pin"].violation < 1e-9
    assert np.abs(live.result().energy.error).max() < 1e-7


def test_equations_that_waited_for_a_joint_that_went_are_closed_without_it():
    live = apart()
    live.add_joint("weld", bl.Rigid(), "a", "b", at_a=(0.5, 0.0), at_b=(-0.5, 0.0))
    live.advance(0.05)
    live.remove("pin")
    assert "weld" in live.closing  # the gap the pin would have closed is still there, and is not jumped over
    live.settle()
    assert live["weld"].violation < 1e-9
    assert np.abs(live.result().energy.error).max() < 1e-7


def test_redo_after_going_on():
    """Time that has passed since the undo is given up: redo leads to where undo was called, with its history."""
    live = double_pendulum().live()
    live.advance(0.2)
    live.push("lower", impulse=(1.0, 0.0))
    live.advance(0.2)
    there, samples = bits(live), live.result().time
    live.undo()
    live.advance(0.35)
    live.redo()
    assert bits(live) == there
    assert np.array_equal(live.result().time, samples)
    live.undo()
    assert live.time == pytest.approx(0.2)


def test_a_hand_on_a_body_that_cannot_move_is_not_infinitely_strong():
    m = bl.Mechanism(plane="xy")
    m.add_body("box", bl.box((1.0, 1.0), mass=2.0))
    live = m.live()
    live.fix("box")
    live.grab("box")
    assert live.mechanism.forces["grab box"].kind.stiffness <= 2.0 * 20.0**2 * (1 + 1e-9)
    live.free("box")
    live.advance(0.5)
    assert np.abs(live["box"].position).max() < 0.1
