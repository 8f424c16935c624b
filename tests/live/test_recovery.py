"""Autosave: what was done is in the file soon, whatever happens next."""

import signal
import threading
import time
from types import SimpleNamespace

import pytest

import bielle as bl
from bielle.errors import FileError
from bielle.live import files

from .crane import bits, child, crane, digest, output

TELLING = """
import sys, crane
from bielle.live import autosave
live = crane.crane().live(autosave=sys.argv[1])
write = autosave.write
def told(session, *args):
    write(session, *args)
    print(session.present.state.time, flush=True)
autosave.write = told
"""

LOOP = """
k = 0
while True:
    live.advance(0.05)
    live.set("lower", mass=1.0 + 0.5 * (k % 3))
    if k % 4 == 0:
        live.push("lower", force=(1.0, 0.0), duration=0.02)
    k += 1
"""

LONG = "live.advance(1e9)"


@pytest.mark.parametrize("code", [LOOP, LONG], ids=["edits", "one long advance"])
def test_a_killed_process_loses_nothing_that_was_written(code, tmp_path):
    """It is written again and again, whatever the session does meanwhile; see kills.py for how long ago that was."""
    path = tmp_path / "crane.session"
    with child(TELLING + code, path) as process:
        try:
            told = [float(process.stdout.readline()) for _ in range(6)]
        finally:
            process.send_signal(signal.SIGKILL)
        rest, _ = process.communicate()
    told += [float(line) for line in rest.splitlines(keepends=True) if line.endswith("\n")]
    assert told == sorted(set(told))
    loaded = bl.load_session(path)
    assert loaded.time >= told[-1] > 0.01
    here = bits(loaded)
    loaded.advance(0.1)
    if code is LOOP:
        assert bits(bl.load_session(path).replay()) == here


def test_a_change_waits_for_a_quarter_of_a_second_at_most(tmp_path, monkeypatch):
    """By the clock of the thread that writes; the rest is how long a file takes."""
    now, slept = 100.0, []

    def sleep(seconds):
        nonlocal now
        now += seconds
        slept.append(seconds)

    monkeypatch.setattr("bielle.live.autosave.clock", SimpleNamespace(monotonic=lambda: now, sleep=sleep))
    path = tmp_path / "crane.session"
    live = crane().live(autosave=path)
    for mass in (2.0, 3.0, 4.0):
        slept.clear()
        live.set("lower", mass=mass)
        if (writer := live._autosave._thread) is not None:
            writer.join()
        assert bl.load_session(path).mechanism == live.mechanism
        assert max(slept) <= 0.25


def test_a_change_is_saved_however_long_the_session_is_busy_afterwards(tmp_path):
    path = tmp_path / "crane.session"
    live = crane().live(autosave=path)
    found = []

    def busy(t, view):
        if not found:
            found.append(None)  # it is asked when the session is loaded, too
            wait_until(lambda: saved(path, functions={"busy": busy}).bodies["lower"].shape.mass == 7.0)
            found.append("in the step after the change")
        return (0.0, 0.0)

    with live.edit():
        live.add_force("busy", bl.CallableForce(function=busy), "lower", at_a=(0.0, 0.0))
        live.set("lower", mass=7.0)
    live.advance(0.01)
    assert found == [None, "in the step after the change"]


def saved(path, **options):
    """The mechanism in the file, which may be older and without the functions that are given."""
    try:
        return bl.load_session(path, **options).mechanism
    except FileError:
        return bl.load_session(path).mechanism


def wait_until(condition):
    """The machine may be busy; a test that waits in vain is ended by its own limit."""
    while not condition():
        time.sleep(0.02)


def test_one_thread_writes_while_the_session_advances(tmp_path, monkeypatch):
    monkeypatch.setattr("bielle.live.autosave._EVERY", 0.02)
    live = crane().live(autosave=tmp_path / "crane.session")
    before, most = threading.active_count(), 0
    between = live._between_slices

    def look():
        nonlocal most
        between()
        time.sleep(0.01)
        most = max(most, threading.active_count())

    live._between_slices = look
    live._changed()
    live.advance(1000.0)
    assert before <= most <= before + 1


def test_between_slices_the_file_says_how_far_the_advance_was(tmp_path, monkeypatch):
    path = tmp_path / "crane.session"
    live = crane().live(autosave=path)
    monkeypatch.setattr("bielle.live.autosave._EVERY", 0.0)  # at every slice
    seen = []
    between = live._between_slices

    def look():
        between()
        live._autosave.flush()
        seen.append((path.read_bytes(), bits(live)))
        if len(seen) > 3:
            raise KeyboardInterrupt

    live._between_slices = look
    live.push("lower", force=(1.0, 0.0), duration=0.3)
    with pytest.raises(KeyboardInterrupt):
        live.advance(50.0)
    live._autosave.flush()
    for content, here in seen:
        path.write_bytes(content)
        loaded = bl.load_session(path)
        assert loaded.journal.entries[-1].steps > 0
        assert bits(loaded) == here
        assert bits(loaded.replay()) == here
    assert live.journal.entries[-1].steps == bl.load_session(path).journal.entries[-1].steps


def test_a_change_is_saved_though_nothing_happens_after_it(tmp_path):
    path = tmp_path / "crane.session"
    live = crane().live(autosave=path)
    live.advance(0.1)
    live.set("lower", mass=7.0)
    wait_until(lambda: bl.load_session(path).mechanism == live.mechanism)
    assert bits(bl.load_session(path)) == bits(live)
    for change in (live.undo, live.redo, live.snapshot):
        change()
        wait_until(lambda: bl.load_session(path).journal.entries == live.journal.entries)


def test_a_program_that_ends_loses_nothing(tmp_path):
    path = tmp_path / "crane.session"
    code = "import sys, crane; l = crane.crane().live(autosave=sys.argv[1]); l.advance(0.1); l.remove('spring'); print(crane.digest(l))"
    assert output(code, path) == [digest(bl.load_session(path))]


def test_a_loaded_session_goes_on_saving(tmp_path):
    path = tmp_path / "crane.session"
    live = crane().live(autosave=path)
    live.advance(0.1)
    live._autosave.flush()
    del live
    loaded = bl.load_session(path, autosave=path)
    loaded.advance(0.1)
    loaded._autosave.flush()
    third = bl.load_session(path)
    assert third.time == loaded.time == 0.2
    other = loaded.branch()
    other.advance(0.1)
    assert other._autosave is None
    assert third.replay()._autosave is None


def test_what_has_not_changed_is_not_encoded_again(tmp_path, monkeypatch):
    live = crane().live()
    live.save(tmp_path / "a")
    encoded = []
    encoder = live._encoder
    data = encoder._data
    monkeypatch.setattr(encoder, "_data", lambda component: encoded.append(component.name) or data(component))
    live.advance(0.1)
    live.save(tmp_path / "a")
    assert encoded == []
    live.set("lower", mass=3.0)
    live.save(tmp_path / "a")
    assert set(encoded) == {"lower"}


def test_a_place_that_cannot_be_written(tmp_path, monkeypatch):
    with pytest.raises(FileError, match="does not exist"):
        crane().live(autosave=tmp_path / "no" / "folder")
    with pytest.raises(FileError, match="path"):
        crane().live(autosave=3)
    live = crane().live(autosave=tmp_path / "a.session")
    monkeypatch.setattr("bielle.live.autosave._EVERY", 0.0)

    def fail(*_):
        raise FileError("disk full")

    monkeypatch.setattr("bielle.live.autosave.write", fail)
    live.advance(0.1)
    with pytest.warns(UserWarning, match="goes on.*disk full"):
        live._autosave.flush()
    live.advance(0.1)  # said once
    live._autosave.flush()
    monkeypatch.setattr("bielle.live.autosave.write", files.write)
    live.advance(0.1)
    live._autosave.flush()
    assert bl.load_session(tmp_path / "a.session").time == live.time
