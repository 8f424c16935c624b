"""Going on from a moment of the past while everything goes on; whatever becomes of it, nothing is lost."""

import threading

import numpy as np
import pytest

from bielle import examples
from bielle.errors import DescriptionError
from bielle.live.session import LiveSession
from bielle.live.work import GaveWay

from .page import joined


class Gate:
    """Holds replays up until it is opened; :attr:`at`: how far they say they are."""

    def __init__(self, monkeypatch):
        self.at, self.fails = 0.25, None
        self.entered, self.open = threading.Event(), threading.Event()
        replay = LiveSession._replay

        def held(live, until, gives_up=None):
            if gives_up is None:
                return replay(live, until)
            self.entered.set()
            while not self.open.wait(0.01):
                if gives_up(self.at * until):
                    raise GaveWay
            if self.fails is not None:
                raise self.fails
            return replay(live, until, gives_up)

        monkeypatch.setattr(LiveSession, "_replay", held)


@pytest.fixture
def gate(monkeypatch):
    return Gate(monkeypatch)


def begin(page, gate, time=0.5):
    """A session that has run for a second at least goes back; returns when that is being computed."""
    page.ask("run", factor=20.0)
    page.until(lambda: page.packets[0][1] > 1.0)
    page.ask("pause")
    page.socket.send(f'{{"id": 1000000, "do": "branch", "time": {time}}}')
    assert gate.entered.wait(20)


def answer(page):
    """What is said about the branch in the end."""
    found = page.until(lambda: page.last["answer"] if page.last["answer"]["id"] == 1_000_000 else None)
    return found["error"] or found["data"]["arrived"]


def test_everything_goes_on_meanwhile(studio, page, gate):
    """Time, edits and questions of this page, and the clock of others, which tells how far it is."""
    with joined(studio) as other:
        begin(page, gate)
        before = studio.bench.live
        page.ask("set", name="upper", key="mass", value=2.0)
        page.ask("run", factor=1.0)
        time = page.packets[0][1]
        page.until(lambda: page.packets[0][1] > time + 0.1)
        assert page.count > 8  # more than a page is sent that is not listened to
        told = other.until(lambda: other.next("clock")["branching"])
        assert told == {"time": 0.5, "share": 0.25}
        assert "already" in page.refused("branch", time=0.1)
        gate.open.set()
        assert answer(page) is True
        other.until(lambda: other.next("clock")["branching"] is None)
        assert other.next("clock")["time"] == 0.5
        assert page.ask("undo") == {"label": "branch at 0.5 s"}
        assert studio.bench.live is before
        assert before.mechanism.bodies["upper"].shape.mass == 2.0


def test_cancelled(studio, page, gate):
    begin(page, gate)
    before = studio.bench.live
    page.ask("cancel")
    assert answer(page) is False
    assert studio.bench.live is before
    gate.open.set()
    page.ask("branch", time=0.25)
    assert studio.bench.live.time == 0.25
    page.ask("cancel")  # nothing is under way: nothing happens


def test_who_looks_on_cannot_cancel(studio, page, gate):
    begin(page, gate)
    with joined(studio) as other:
        assert "control" in other.refused("cancel")
    gate.open.set()
    assert answer(page) is True


@pytest.mark.parametrize(
    ("error", "sentence"), [(DescriptionError("It is torn."), "It is torn."), (ZeroDivisionError(), "The studio has a fault")]
)
def test_failed(studio, page, gate, error, sentence):
    begin(page, gate)
    before = studio.bench.live
    gate.fails = error
    gate.open.set()
    assert sentence in answer(page)
    assert studio.bench.live is before
    page.ask("run")


def test_another_mechanism_meanwhile(studio, page, gate):
    begin(page, gate)
    page.ask("open", example="four_bar")
    gate.open.set()
    assert "Another session" in answer(page)
    assert page.scene["title"] == "four-bar linkage"


def test_the_page_goes_meanwhile(studio, gate):
    """It is done all the same; whoever comes next sees it."""
    with joined(studio) as page:
        begin(page, gate)
    gate.open.set()
    with joined(studio) as other:
        other.until(lambda: other.next("clock")["time"] == 0.5)


def test_the_studio_ends_meanwhile(studio, page, gate):
    begin(page, gate)
    studio.close()
    assert not [thread for thread in threading.enumerate() if thread.name == "bielle studio branch"]


@pytest.mark.parametrize("asked", [0, 1, 2, 5])
def test_a_replay_gives_up_when_it_is_told(asked):
    """Between entries and in the middle of one long advance; the session is none the worse for it."""
    live = examples.get("double_pendulum").build().live()
    live.set("upper", mass=2.0)
    live.advance(20.0)
    state, times = live.state, []

    def gives_up(time):
        times.append(time)
        return len(times) > asked

    with pytest.raises(GaveWay):
        live._replay(None, gives_up)
    assert len(times) == asked + 1
    assert times == sorted(times)
    np.testing.assert_array_equal(live.state.q, state.q)
    times.clear()
    np.testing.assert_array_equal(live._replay(None, lambda time: times.append(time)).state.q, state.q)
