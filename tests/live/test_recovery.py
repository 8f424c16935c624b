"""Autosave: a session whose process dies is lost by a second at most."""

import signal
import threading
import time

import pytest

import bielle as bl
from bielle.errors import FileError
from bielle.live import files

from .crane import bits, child, crane, digest, output

LOOP = """
import sys, time, crane
live = crane.crane().live(autosave=sys.argv[1])
live.advance(0.01)
print("ready", flush=True)
k = 0
while True:
    live.advance(0.05)
    live.set("lower", mass=1.0 + 0.5 * (k % 3))
    if k % 4 == 0:
        live.push("lower", force=(1.0, 0.0), duration=0.02)
    k += 1
    print(time.time(), live.time, flush=True)
"""

LONG = """
import sys, threading, time, crane
live = crane.crane().live(autosave=sys.argv[1])
live.advance(0.01)
def tell():
    while True:
        print(time.time(), live.time, flush=True)
        time.sleep(0.02)
print("ready", flush=True)  # before there is another thread that prints: two would mix their lines
threading.Thread(target=tell, daemon=True).start()
live.advance(1e9)
"""


@pytest.mark.parametrize("code", [LOOP, LONG], ids=["edits", "one long advance"])
def test_a_killed_process_loses_a_second_at_most(code, tmp_path):
    path = tmp_path / "crane.session"
    lines, started = [], None
    with child(code, path) as process:
        try:
            for line in process.stdout:
                lines.append(line.split())
                if lines[-1] == ["ready"]:
                    started = time.time()
                elif started is not None and time.time() - started > 3.0:
                    break
        finally:
            process.send_signal(signal.SIGKILL)
        rest, _ = process.communicate()
    lines += [line.split() for line in rest.splitlines()]
    told = [(float(line[0]), float(line[1])) for line in lines if len(line) == 2]
    last = told[-1][0]
    second_before = max(simulated for wall, simulated in told if wall <= last - 1.0)
    loaded = bl.load_session(path)
    assert loaded.time >= second_before > 0.01
    here = bits(loaded)
    loaded.advance(0.1)
    if code is LOOP:
        assert bits(bl.load_session(path).replay()) == here


def test_one_timer_waits_for_the_end_of_a_long_advance(tmp_path, monkeypatch):
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
        seen.append((path.read_bytes(), bits(live)))
        if len(seen) > 3:
            raise KeyboardInterrupt

    live._between_slices = look
    live.push("lower", force=(1.0, 0.0), duration=0.3)
    with pytest.raises(KeyboardInterrupt):
        live.advance(50.0)
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
    end = time.monotonic() + 60.0
    while bl.load_session(path).mechanism != live.mechanism:
        assert time.monotonic() < end
        time.sleep(0.05)
    assert bits(bl.load_session(path)) == bits(live)
    for change in (live.undo, live.redo, live.snapshot):
        change()
        end = time.monotonic() + 60.0
        while bl.load_session(path).journal.entries != live.journal.entries:
            assert time.monotonic() < end
            time.sleep(0.05)


def test_a_program_that_ends_loses_nothing(tmp_path):
    path = tmp_path / "crane.session"
    code = "import sys, crane; l = crane.crane().live(autosave=sys.argv[1]); l.advance(0.1); l.remove('spring'); print(crane.digest(l))"
    assert output(code, path) == [digest(bl.load_session(path))]


def test_a_loaded_session_goes_on_saving(tmp_path):
    path = tmp_path / "crane.session"
    live = crane().live(autosave=path)
    live.advance(0.1)
    live._autosave._later()
    loaded = bl.load_session(path, autosave=path)
    loaded.advance(0.1)
    loaded._autosave._later()
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

    monkeypatch.setattr("bielle.live.autosave.save", fail)
    with pytest.warns(UserWarning, match="goes on.*disk full"):
        live.advance(0.1)
    live.advance(0.1)  # said once
    monkeypatch.setattr("bielle.live.autosave.save", files.save)
    live.advance(0.1)
    assert bl.load_session(tmp_path / "a.session").time == live.time
