"""Time in the background, and the hand."""

import threading
import time as clock

import numpy as np
import pytest

import bielle as bl
from bielle.errors import CallbackError, DescriptionError
from bielle.live.turns import Turns


def pendulum():
    m = bl.Mechanism(plane="xy")
    m.add_body("rod", bl.rod((0, 0), (1, 0), mass=1.0))
    m.add_joint("pivot", bl.Pin(), m.ground, "rod", at=(0, 0))
    return m


def wait_for(condition):
    """Until the condition holds; the machine may be busy, and a test that waits in vain is ended by its own limit."""
    while not condition():
        clock.sleep(0.01)


def test_time_passes_in_the_background_and_edits_come_in_between():
    live = pendulum().live()
    live.run_realtime(4.0, frame=0.02)
    assert live.running
    wait_for(lambda: live.time > 0.2)
    live.push("rod", impulse=(0.0, 0.5), local=(0.5, 0.0))
    _ = live["rod"].position, live["pivot"].force()
    live.pause()
    held = live.time
    clock.sleep(0.1)
    assert live.time == held
    assert not live.running
    live.resume()
    wait_for(lambda: live.time > held)
    live.stop()
    assert np.abs(live.result().energy.error).max() < 1e-7


@pytest.mark.parametrize(
    "solver", [None, bl.Modular(), bl.Modular("explicit"), bl.Recursive()], ids=["adaptive", "modular", "explicit", "recursive"]
)
def test_what_is_computed_does_not_depend_on_the_clock(solver):
    ends = []
    for factor in (3.0, 50.0):
        live = pendulum().live(solver)
        live.run_realtime(factor, frame=0.05)
        wait_for(lambda live=live: live.time >= 0.5)
        live.stop()
        run = live.result()
        ends.append([run["rod"].position[np.searchsorted(run.time, 0.5 - 1e-12)], [round(live.time / 0.05 * 1e6) / 1e6 % 1]])
    assert np.array_equal(ends[0][0], ends[1][0])
    assert ends[0][1] == ends[1][1] == [0.0]


def test_an_error_in_the_background_is_raised_by_the_next_call():
    m = pendulum()

    def fails(t, view):
        if t > 0.1:
            raise ValueError("no more")
        return (0.0, 0.0)

    m.add_force("load", bl.CallableForce(function=fails), "rod", at=(1, 0))
    live = m.live()
    live.run_realtime(10.0)
    wait_for(lambda: live._pacer.error is not None)
    assert not live.running
    with pytest.raises(CallbackError, match="no more"):
        live.pause()
    at = live.time
    live.remove("load")
    live.advance(0.1)
    assert live.time == pytest.approx(at + 0.1)


@pytest.mark.filterwarnings("ignore::bielle.errors.AccuracyWarning")  # a stiff hand in long steps
@pytest.mark.parametrize(
    "solver",
    [
        None,
        bl.Central(integrator="rk4", step=2e-2),
        bl.Central(integrator="hht", step=2e-2),
        bl.Modular(),
        bl.Modular("explicit"),
        bl.Recursive(),
    ],
)
@pytest.mark.filterwarnings("ignore::bielle.errors.AccuracyWarning")  # coarse steps
def test_the_hand_pulls_where_it_is_told_and_lets_go(solver):
    m = pendulum()
    live = m.live(solver)
    hand = live.grab("rod", at=(1, 0))
    hand.move((0.6, 0.8))
    live.advance(3.0)
    assert np.abs(live["rod"].point((0.5, 0)).position - (0.6, 0.8)).max() < 0.05  # the weight keeps it a little lower
    hand.move((50.0, 0.0))  # out of reach: the force is limited
    live.advance(1.0)
    assert live[hand.name].output <= live.mechanism.forces[hand.name].kind.limit
    hand.release()
    assert not hand.holding
    with pytest.raises(DescriptionError, match="does not hold anything"):
        hand.move((0, 0))
    live.advance(1.0)
    if solver is None:
        assert np.abs(live.result().energy.error).max() < 1e-7
    live.undo()  # the release
    live.undo()  # the grab, moves included
    assert live.time == 0.0
    assert not live.mechanism.forces


def test_where_a_hand_pulls_is_part_of_the_state(tmp_path):
    live = pendulum().live()
    hand = live.grab("rod", at=(1, 0))
    for k in range(5):
        hand.move((1.0, 0.1 * k))
        live.advance(0.1)
    assert len(live.result().segments) == 2  # before it took hold, and since
    assert hand.target == (1.0, 0.4)
    assert live.describe().forces[hand.name].kind.target == (1.0, 0.4)
    moment = live.snapshot()
    hand.move((0.0, 1.0))
    live.restore(moment)
    assert hand.target == (1.0, 0.4)
    live.set(hand.name, stiffness=100.0)
    assert hand.target == (1.0, 0.4)
    live.set("rod", mass=2.0)
    assert hand.target == (1.0, 0.4)
    live.save(tmp_path / "held.session")
    again = bl.load_session(tmp_path / "held.session")
    assert again._force_kind(hand.name) == live._force_kind(hand.name)
    again.advance(0.1)
    live.advance(0.1)
    assert np.array_equal(again.state.q, live.state.q)
    live.set(hand.name, target=(0.5, 0.5))
    assert hand.target == (0.5, 0.5)
    with live.edit() as draft:
        draft.set("rod", mass=1.0)
        with pytest.raises(DescriptionError, match="An edit is open"):
            hand.move((0.0, 0.0))
    with pytest.raises(DescriptionError, match="is no hand"):
        live.add_force("spring", bl.Spring(stiffness=1.0), "ground", "rod", at_a=(0, 1), at_b=(0, 0))
        live._aim("spring", (0, 0))


def test_turns_are_taken_in_order():
    turns, order = Turns(), []

    def one(name):
        with turns, turns:
            order.append(name)

    with turns:
        threads = []
        for name in range(5):
            threads.append(threading.Thread(target=one, args=(name,)))
            threads[-1].start()
            while len(turns._queue) <= name:
                clock.sleep(0.001)
    for thread in threads:
        thread.join()
    assert order == list(range(5))


@pytest.mark.parametrize("end", ["stop", "pause"])
def test_slow_motion_does_not_keep_anybody_waiting(end):
    """A frame takes minutes of the clock; whoever stops the session does not wait for the next one."""
    m = bl.Mechanism(plane="xy")
    m.add_body("ball", bl.disc(0.1, mass=1.0))
    live = m.live()
    live.run_realtime(1e-5)
    ending = threading.Thread(target=getattr(live, end), daemon=True)
    ending.start()
    ending.join(60.0)
    assert not ending.is_alive()
    assert not live.running
    live.stop()


def test_a_frame_that_takes_hours_gives_way():
    """Steps of a nanosecond, frames of a thousand seconds: an edit comes in between all the same, and a replay tells the same story."""
    live = pendulum().live(bl.Central(integrator="rk4", step=1e-9))
    live.run_realtime(1e5, frame=1e3)
    wait_for(lambda: live.time > 0.0)
    editing = threading.Thread(target=lambda: live.set_gravity((0.0, -1.0)), daemon=True)
    editing.start()
    editing.join(60.0)
    assert not editing.is_alive()
    ending = threading.Thread(target=live.stop, daemon=True)
    ending.start()
    ending.join(60.0)
    assert not ending.is_alive()
    assert 0.0 < live.time < 1e3
    assert live.mechanism.gravity == (0.0, -1.0)
    again = live.replay()
    assert again.time == live.time
    assert np.array_equal(again.state.q, live.state.q)
