"""Session files: one that was written loads, whatever the session went through; nothing is lost beside it."""

import os
import signal
import stat
import subprocess
import sys

import msgspec
import numpy as np
import pytest

import bielle as bl
from bielle.live.files import _HEAD, packed

from .crane import bits, child, crane


def pendulum(**options):
    m = bl.Mechanism(plane="xy")
    m.add_body("upper", bl.rod((0, 0), (1, 0), mass=1.0))
    m.add_body("lower", bl.rod((1, 0), (2, 0), mass=1.0))
    m.add_joint("shoulder", bl.Pin(), m.ground, "upper", at=(0, 0))
    m.add_joint("elbow", bl.Pin(), "upper", "lower", at=(1, 0))
    m.add_force("spring", bl.Spring(stiffness=1.0), m.ground, "lower", at_a=(0, 1), at_b=(0, 0))
    live = m.live(**options)
    live.advance(0.1)
    return live


WATCHED = {
    "breaks": (lambda live: live.breaks("elbow", force=1000.0), "elbow"),
    "joint": (lambda live: live.when("elbow.angle", crosses=9.0), "elbow"),
    "body": (lambda live: live.when("lower.position.y", crosses=-9.0, once=False), "lower"),
    "force": (lambda live: live.when("spring.output", crosses=1e6), "spring"),
}


@pytest.mark.parametrize(("watch", "component"), WATCHED.values(), ids=WATCHED)
def test_what_an_event_looks_at_is_removed(watch, component, tmp_path):
    path = tmp_path / "a.session"
    live = pendulum(autosave=path)
    watch(live)
    live.remove(component, dependants=True)
    assert not live.events
    for travel, events in ((live.undo, 1), (live.redo, 0)):
        live._autosave.flush()
        loaded = bl.load_session(path)
        assert bits(loaded) == bits(live)
        assert bits(loaded.replay()) == bits(live)
        travel()
        assert len(live.events) == events


def edited(path, change):
    data = msgspec.msgpack.decode(path.read_bytes()[_HEAD.size :])
    change(data)
    path.write_bytes(packed(msgspec.msgpack.encode(data)))


def test_what_cannot_be_restored_is_told(tmp_path):
    path = tmp_path / "a.session"
    live = pendulum()
    live.when("elbow.angle", crosses=9.0, name="turn")
    live.save(path)

    def spoil(data):
        data["present"]["events"][0]["watch"]["joint"] = "nobody"
        data["present"]["arrays"]["lam"] = np.full(len(data["present"]["arrays"]["lam"]) // 8, np.nan).tobytes()

    edited(path, spoil)
    with pytest.warns(UserWarning, match=r"not everything.*event 'turn' of the present.*; lam of the present are not numbers") as told:
        loaded = bl.load_session(path)
    assert [each.filename for each in told] == [__file__]
    live.advance(0.1)
    loaded.advance(0.1)
    assert abs(loaded["lower"].position - live["lower"].position).max() < 1e-9  # rtol; events shorten the steps


@pytest.mark.filterwarnings("ignore::bielle.errors.AccuracyWarning")  # a stiff stop, in coarse steps
def test_a_state_that_the_solver_would_not_begin_with(tmp_path):
    """It has touched a stop that is too stiff for its steps, and goes on; so does what is loaded."""
    m = bl.Mechanism(plane="xy", gravity=(5.0, 0.0))
    m.add_body("slide", bl.box((0.2, 0.2), mass=1.0))
    m.add_joint("rail", bl.Slider(direction="x"), m.ground, "slide", at=(0, 0))
    m.add_force("stop", bl.SlideLimit(upper=0.5, stiffness=6e6), joint="rail")
    live = m.live(bl.Modular())
    live.when("slide.position.x", above=0.5)
    live.advance(0.44)
    while not live.log:
        live.step()
    live.step()
    live.save(tmp_path / "a.session")
    try:
        live._run.check()
    except bl.errors.DescriptionError:
        with pytest.warns(UserWarning, match=r"would not begin here: Force 'stop'.*[^.]\.$"):
            loaded = bl.load_session(tmp_path / "a.session")
    else:
        loaded = bl.load_session(tmp_path / "a.session")
    assert bits(loaded) == bits(live)
    assert bits(live.branch()) == bits(live)


def test_warm_starts_that_are_not_known(tmp_path):
    live = pendulum()
    live._run.workspace.lam[:] = np.nan
    live._run.workspace.acc[:] = np.inf
    live.save(tmp_path / "a.session")
    loaded = bl.load_session(tmp_path / "a.session")
    assert not loaded.state.settled
    loaded.advance(0.1)
    assert np.isfinite(loaded.state.lam).all()


def test_sides_and_limits_are_in_the_file(tmp_path):
    """An event that has just happened has not happened again after loading."""
    path = tmp_path / "a.session"
    live = pendulum()
    live.when("upper.position.y", crosses=-0.2, once=False, name="low")
    live.when("energy.kinetic", above=0.1, once=False, name="fast")
    live.at(0.11, lambda s: 1 / 0, name="bad")
    with pytest.raises(bl.errors.CallbackError):
        live.advance(0.3)
    live.save(path)
    loaded = bl.load_session(path, functions=live._encoder._functions.by_name)
    for each in (live, loaded):
        each.advance(1.0)
    assert bits(loaded) == bits(live)
    assert loaded.log == [entry for entry in live.log if entry[0] > 0.11]


# -- beside the file


def test_a_file_that_is_there_is_kept(tmp_path):
    path = tmp_path / "a.session"
    first = pendulum(autosave=path)
    first.remove("elbow")
    first._autosave.flush()
    with pytest.warns(UserWarning, match="this process keeps a session in this file, too"):
        pendulum(autosave=path)._autosave.flush()
    assert bits(bl.load_session(tmp_path / "a.session.bak")) == bits(first)


def test_drafts_and_locks_of_dead_processes_go(tmp_path):
    path = tmp_path / "a.session"
    code = """
import sys, os, crane, signal
from bielle.results import output
live = crane.crane().live(autosave=sys.argv[1])
live._autosave.flush()
output.os.replace = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
live.save(sys.argv[1])
"""
    with child(code, path) as process:
        process.communicate()
    assert process.returncode == -signal.SIGKILL
    assert len(list(tmp_path.iterdir())) == 3  # file, draft, lock
    live = crane().live(autosave=path)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a.session", "a.session.bak", "a.session.lock"]
    del live
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a.session", "a.session.bak"]


def test_two_processes_on_one_file(tmp_path):
    path = tmp_path / "a.session"
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as other:
        live = crane().live(autosave=path)
        lock = tmp_path / "a.session.lock"
        lock.write_text(lock.read_text().replace(str(os.getpid()), str(other.pid), 1))
        del live
        with pytest.warns(UserWarning, match=f"process {other.pid} keeps a session in this file") as told:
            live = crane().live(autosave=path)
        assert [each.filename for each in told] == [__file__]
        other.communicate(b"\n")
    del live
    crane().live(autosave=path)


def test_two_sessions_of_a_process_on_one_file(tmp_path, monkeypatch):
    path, lock = tmp_path / "a.session", tmp_path / "a.session.lock"
    live = crane().live(autosave=path)
    monkeypatch.chdir(tmp_path)
    with pytest.warns(UserWarning, match=r"a.session: this process keeps a session in this file, too: .*\(autosave=…\)") as told:
        second = bl.load_session(path, autosave="a.session")
    assert [each.filename for each in told] == [__file__]
    del live
    assert lock.exists()  # of the second
    del second
    assert not lock.exists()
    crane().live(autosave=path)


def test_a_draft_is_as_private_as_its_file(tmp_path, monkeypatch):
    path = tmp_path / "a.session"
    live = crane().live()
    live.save(path)
    path.chmod(0o600)
    modes = []
    fsync = os.fsync

    def look(file):
        modes.append(stat.S_IMODE(os.fstat(file).st_mode))
        fsync(file)

    monkeypatch.setattr(os, "fsync", look)
    made = os.open

    def opened(name, flags, mode=0o777, **options):
        if flags & os.O_CREAT:
            modes.append(mode)
        return made(name, flags, mode, **options)

    monkeypatch.setattr(os, "open", opened)
    live.save(path)
    assert modes == [0o600, 0o600]
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
