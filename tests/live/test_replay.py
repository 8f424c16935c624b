"""Journals: what was done to a session is done again, to the last bit."""

import os
import signal
import threading

import numpy as np
import pytest

import bielle as bl
from bielle.errors import CallbackError, DescriptionError, FileError, SimulationError
from bielle.live.encoding import row_names
from bielle.live.journal import Edit, Fired, Go, Journal, Restore
from bielle.live.operations import Drop, Put
from bielle.live.replay import replay
from bielle.live.session import LiveSession

from .crane import SOLVERS, bits, crane, digest, output, work


def assert_same(a, b):
    assert bits(a) == bits(b)
    assert a.mechanism == b.mechanism
    assert [list(getattr(a.mechanism, t)) for t in ("bodies", "joints", "forces", "frames")] == [
        list(getattr(b.mechanism, t)) for t in ("bodies", "joints", "forces", "frames")
    ]
    assert row_names(a.model) == row_names(b.model)
    assert a.journal.entries == b.journal.entries


@pytest.mark.parametrize("planar", [True, False], ids=["planar", "spatial"])
@pytest.mark.parametrize("solver", SOLVERS.values(), ids=SOLVERS)
def test_a_replay_ends_in_the_same_bits(solver, planar):
    live = crane(planar).live(solver)
    work(live)
    again = live.replay()
    assert_same(live, again)
    assert np.array_equal(live.result().time, again.result().time)
    for each in (live, again):
        each.advance(0.3)
        each.undo()
        each.step(2)
    assert_same(live, again)


@pytest.mark.parametrize("solver", ["adaptive", "newmark"])
def test_a_replay_in_another_process(solver, tmp_path):
    live = crane().live(SOLVERS[solver])
    work(live)
    live.save(tmp_path / "a.session")
    code = "import sys, crane, bielle; print(crane.digest(bielle.load_session(sys.argv[1]).replay()))"
    assert output(code, tmp_path / "a.session") == [digest(live)]


class StopError(Exception):
    """Somebody stops an advance."""


def stop_after(live, slices, error=KeyboardInterrupt):
    """Let the session be interrupted after so many slices."""
    count = iter(range(1, 10**9))

    def between():
        if next(count) == slices:
            raise error

    live._between_slices = between


@pytest.mark.parametrize("slices", [1, 3, 5])
@pytest.mark.parametrize("solver", SOLVERS.values(), ids=SOLVERS)
def test_an_interrupted_advance(solver, slices):
    live = crane().live(solver)
    live.advance(0.02)
    live.push("lower", force=(3.0, 0.0), duration=0.0301)
    live.fix("upper", over=0.0702)
    stop_after(live, slices)
    with pytest.raises(KeyboardInterrupt):
        live.advance(30.0)
    entry = live.journal.entries[-1]
    assert isinstance(entry, Go)
    assert entry.steps > 0
    assert_same(live, live.replay())
    for _ in range(2):
        stop_after(live, 1, StopError)
        with pytest.raises(StopError):
            live.step(300)
    live.advance(0.02)
    assert_same(live, live.replay())


def test_ctrl_c_stops_between_two_steps(usual_ctrl_c):
    live = crane().live()
    live.advance(0.01)
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    with pytest.raises(KeyboardInterrupt):
        timer.start()
        while True:  # many short advances: it arrives anywhere
            live.advance(0.05)
            live.set_gravity((0.0, -9.81 - live.time))
    timer.join()
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    assert_same(live, live.replay())
    between = live._between_slices

    def press():
        between()
        os.kill(os.getpid(), signal.SIGINT)

    live._between_slices = press
    with pytest.raises(KeyboardInterrupt):
        live.advance(1e9)
    live._between_slices = between
    assert live.journal.entries[-1].steps > 0
    assert_same(live, live.replay())


@pytest.mark.parametrize("solver", SOLVERS.values(), ids=SOLVERS)
def test_a_function_that_raises(solver):
    def law(t, view):
        if t > 0.2:
            raise RuntimeError("the wind has died")
        return (np.sin(9 * t), 0.0)

    live = crane().live(solver)
    live.add_force("gust", bl.CallableForce(function=law), "lower", at_a=(0.0, 0.0))
    with pytest.raises(CallbackError, match="the wind has died"):
        live.advance(1.0)
    assert 0.1 < live.time < 0.21
    assert_same(live, live.replay())
    live.remove("gust")
    live.advance(0.2)
    assert_same(live, live.replay())


def test_a_run_that_cannot_go_on():
    live = crane().live(bl.Central(integrator="rk4", step=5e-3))
    live.set("spring", stiffness=3e5)
    with pytest.raises(SimulationError, match="cannot be closed|infinite"):
        live.advance(10.0)
    assert_same(live, live.replay())


def test_until():
    live = crane().live()
    work(live)
    for time in (0.0, 0.04, 0.05, 0.055, 0.07, 0.09):
        again = live.replay(until=time)
        assert again.time == time
    assert "ball" not in live.replay(until=0.06).mechanism.bodies
    assert "ball" in live.replay(until=0.07).mechanism.bodies
    assert_same(live, live.replay(until=99.0))
    live = crane().live()
    live.step(20)
    assert live.replay(until=0.6 * live.time).time == 0.6 * live.time
    with pytest.raises(DescriptionError, match="began at 0 s"):
        live.replay(until=-1.0)


def test_a_branch_has_the_past_of_its_tree():
    live = crane().live()
    live.advance(0.02)
    kept = live.snapshot()
    live.set("lower", mass=2.0)
    other = live.branch()
    live.advance(0.05)
    later = live.snapshot()
    other.advance(0.02)
    assert_same(other, other.replay())
    other.undo()
    other.restore(kept)
    other.advance(0.01)
    assert_same(other, other.replay())
    with pytest.raises(DescriptionError, match="another session"):
        other.restore(later)
    assert_same(live, live.replay())


def test_what_an_event_did_is_done_again(monkeypatch):
    calls = []

    def ring(live):
        calls.append(live.time)
        live.remove("elbow")

    def go(self, end, entry, most=None):  # stands for what an event does: it fires when the time is 0.2 s
        if self.time < 0.2 < end:
            plain_go(self, 0.2, entry)
            entry.fired.append(Fired("bell"))
            with self.journal.inside(entry.fired[-1]):
                (self._script.act if self._script else lambda _: ring(self))("bell")
        plain_go(self, end, entry, most)

    plain_go = LiveSession._go
    monkeypatch.setattr(LiveSession, "_go", go)
    live = crane().live()
    live.advance(0.5)
    assert calls == [0.2]
    again = live.replay()
    assert calls == [0.2]
    assert_same(live, again)
    assert "elbow" not in again.mechanism.joints
    monkeypatch.setattr(LiveSession, "_go", plain_go)
    with pytest.raises(DescriptionError, match="'bell'.*did not"):
        live.replay()


def test_a_journal_that_makes_no_sense():
    live = crane().live()
    start = live._began
    with pytest.raises(FileError, match="snapshot 7"):
        replay(start, [Restore(7)])
    with pytest.raises(FileError, match="cannot be replayed"):
        replay(start, [Edit(0.0, "nonsense", [Put(3)])])
    with pytest.raises(bl.errors.BielleError):
        replay(start, [Edit(0.0, "nonsense", [Drop("nobody")])])
    assert bits(replay(start, Journal())) == bits(live)


def test_the_journal_in_words():
    live = crane().live()
    assert str(live.journal) == "Nothing was done yet."
    work(live)
    stop_after(live, 1)
    with pytest.raises(KeyboardInterrupt):
        live.advance(1.0)
    text = str(live.journal)
    for words in (
        "0 s  advance to 0.05 s",
        "0.05 s  set lower: body 'lower': rod at (1.5, 0.05)",
        "0.063 s  rebuild: remove 'elbow'; body 'ball': sphere at (3, 1); joint 'elbow': Pin between upper and lower, gentle;",
        "strike 'ball' with (1, 0.5) N·s at (0, 0)",
        "'push ball 1' ends after 0.03 s",
        "gravity (0.3, -5) m/s²",
        "move 'ball' to position (2.9, 0.9), velocity (0.1, 0)",
        "joint 'hook': Pin between lower and ball, gentle over 0.15 s",
        "frame 'tip' on lower at (0.4, 0.01)",
        "snapshot 1",
        "5 steps",
        "undo",
        "redo",
        "restore snapshot 1",
        "in 2 parts, stopped after ",
    ):
        assert words in text
    assert len(text.splitlines()) == len(live.journal.entries)


def bouncing():
    """A ball that falls on a spring plate: events of all kinds on the way."""
    m = bl.Mechanism(plane="xy")
    m.add_body("ball", bl.sphere(0.1, mass=1.0), position=(0, 1))
    m.add_body("rod", bl.rod((2, 0), (3, 0), mass=1.0))
    m.add_joint("pivot", bl.Pin(), m.ground, "rod", at=(2, 0))
    return m


def bounce(live):
    vx, vy = live["ball"].velocity
    live.teleport("ball", velocity=(vx, -0.5 * vy))


def height(live):
    return live["ball"].position[1]


def with_events(solver=None):
    live = bouncing().live(solver)
    live.when("ball.position.y", bounce, falls=0.0, once=False, name="floor")
    live.when(height, lambda live: live.push("rod", impulse=(0.0, 0.3)), falls=0.5, name="half way")
    live.breaks("pivot", force=25.0)
    live.at(0.3, lambda live: live.set("rod", mass=1.5), name="heavier")
    live.when("rod.angle", turns="either", name="turning")
    live.advance(0.4)
    live.undo()
    live.advance(0.7)
    live.forget("floor")
    live.step(3)
    return live


@pytest.mark.parametrize("solver", [None, bl.Central(integrator="rk4", step=1e-3), bl.Central(integrator="newmark", step=1e-3)])
def test_events_fire_again_where_they_fired(solver):
    live = with_events(solver)
    assert {name for _, name in live.log} >= {"floor", "half way", "heavier"}
    again = live.replay()
    assert_same(live, again)
    assert again.log == live.log


def test_a_session_with_events_is_saved_and_goes_on(tmp_path):
    live = bouncing().live()
    live.when("ball.position.y", bounce, falls=0.0, once=False, name="floor")
    live.breaks("pivot", force=25.0)
    live.advance(0.3)
    live.save(tmp_path / "bounce.session")
    with pytest.raises(bl.errors.FileError, match="'floor' has a Python function"):
        bl.load_session(tmp_path / "bounce.session")
    loaded = bl.load_session(tmp_path / "bounce.session", functions={"floor": bounce})
    assert_same(live, loaded)
    live.advance(1.0)
    loaded.advance(1.0)
    assert_same(live, loaded)
    assert_same(loaded, loaded.replay())
