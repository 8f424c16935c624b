"""What events do without Python: they pause, cut and lock at their instant, are saved, replayed and undone."""

import time as clock

import numpy as np
import pytest

import bielle as bl
from bielle.errors import BielleError
from bielle.live.files import load_session


def falling(**options):
    """A ball that has fallen t²/2 g, and a rod on a pin beside it."""
    m = bl.Mechanism(plane="xy", gravity=(0, -10))
    m.add_body("ball", bl.disc(0.1, mass=1.0), position=(5, 0))
    m.add_body("rod", bl.rod((0, 0), (1, 0), mass=1.0))
    m.add_joint("pivot", bl.Pin(), "ground", "rod", at=(0, 0))
    return m.live(**options)


def test_a_pause_ends_the_advance_at_its_instant():
    live = falling()
    live.when("ball.position.y", "pause", below=-0.45)
    live.advance(1.0)
    assert live.time == pytest.approx(0.3, abs=1e-9)  # √(2·0.45/10)
    assert not live.events
    live.advance_to(1.0)
    assert live.time == 1.0
    assert live["ball"].position[1] == pytest.approx(-5.0, abs=1e-9)


def test_a_pause_stops_real_time():
    live = falling()
    live.when("ball.position.y", "pause", below=-0.45)
    live.run_realtime(10.0)
    while live.running and live.time < 5.0:
        clock.sleep(0.001)
    assert live.time == pytest.approx(0.3, abs=1e-9)
    live.resume()
    while live.running and live.time < 0.5:
        clock.sleep(0.001)
    assert live.time >= 0.5
    live.stop()


def test_cut_and_lock():
    live = falling()
    live.when("ball.position.y", "lock pivot", below=-0.2)
    live.when("ball.position.y", "cut pivot", below=-3.2)
    live.advance(0.21)
    assert "lock pivot" in live.mechanism.joints
    live.advance_to(1.0)
    assert not live.mechanism.joints
    assert live.result()["pivot"].lifetimes == [(0.0, pytest.approx(0.8, abs=1e-9))]


def test_what_it_concerns_may_have_gone():
    live = falling()
    live.when("ball.position.y", "cut pivot", below=-0.2)
    live.when("ball.position.y", "lock pivot", below=-0.2)
    live.remove("pivot")
    live.advance(1.0)
    assert len(live.log) == 2


@pytest.mark.parametrize("deed", ["", "explode", "cut", "cut nobody", "lock ball", "pause pivot", "lock "])
def test_deeds_that_cannot_be(deed):
    live = falling()
    with pytest.raises(BielleError):
        live.when("ball.position.y", deed, below=-0.2)
    assert not live.events


def test_saved_and_replayed(tmp_path):
    """Words need no function when the file is loaded; a replay ends where the session did, bit for bit."""
    live = falling()
    live.when("ball.position.y", "pause", below=-0.2, undoable=True)
    live.when("ball.position.y", "cut pivot", below=-1.8)
    live.advance(1.0)
    live.save(tmp_path / "a.session")
    loaded = load_session(tmp_path / "a.session")
    assert [event.does for event in loaded.events.values()] == ["cut pivot"]
    assert [event.condition for event in loaded.events.values()] == ["ball.position.y < -1.8"]
    for session in (live, loaded):
        session.advance_to(1.0)
        assert "pivot" not in session.mechanism.joints
    again = live.replay()
    assert np.array_equal(again.state.q, live.state.q)
    assert np.array_equal(loaded.state.q, live.state.q)
    assert again.log == live.log


def test_awaiting_and_forgetting_can_be_undone():
    live = falling()
    live.set("ball", mass=2.0)
    live.advance(0.1)
    event = live.when("ball.position.y", "pause", below=-1.0, undoable=True)
    live.forget(event, undoable=True)
    assert live.undo() == "forget event 1"
    assert [*live.events] == ["event 1"]
    assert live.undo() == "await event 1"
    assert not live.events
    assert live.mechanism.bodies["ball"].shape.mass == 2.0
    live.redo()
    assert [*live.events] == ["event 1"]
    again = live.replay()
    assert [*again.events] == ["event 1"]


def test_what_has_happened_goes_back_in_time_with_the_history():
    live = falling()
    live.when("ball.position.y", crosses=-0.2, name="first")
    live.when("ball.position.y", crosses=-0.8, name="second")
    live.advance(0.3)
    live.set("ball", mass=2.0)
    live.advance(0.3)
    assert [name for _, name in live._history.events] == ["first", "second"]
    live.undo()
    assert [name for _, name in live._history.events] == ["first"]
    live.redo()
    assert [name for _, name in live._history.events] == ["first", "second"]
