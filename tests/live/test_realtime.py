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


def wait_for(condition, seconds=20.0):
    """Until the condition holds; the machine may be busy."""
    end = clock.monotonic() + seconds
    while not condition():
        assert clock.monotonic() < end, "it did not happen"
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
