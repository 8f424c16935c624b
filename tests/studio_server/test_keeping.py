"""Work that is not saved outlives the studio, until somebody takes it up or throws it away."""

import os
import signal
import subprocess
import sys

import pytest

from bielle.errors import BielleError
from bielle.live import files
from bielle.studio import keeping
from bielle.studio.folder import Folder
from bielle.studio.opening import Studio, folder_of, session_of

from .page import joined


@pytest.fixture
def place(tmp_path):
    return tmp_path / "state" / "studio"


@pytest.fixture
def begin(static, folder, place):
    """``begin(target)``: a studio that keeps."""
    begun = []

    def start(target="double_pendulum"):
        live, file = session_of(target, folder)
        begun.append(Studio(live, folder, file=file, keep=place))
        begun[-1].open(None)
        return begun[-1]

    yield start
    for studio in begun:
        studio.close()


def left(page):
    return page.ask("files")["left"]


def bits(live):
    state = live.state
    return [x.tobytes() for x in (state.q, state.v, state.lam)]


def edit(page, mass=3.0):
    page.ask("set", name="upper", key="mass", value=mass)


_KILLED = """
import sys
from pathlib import Path
from bielle.studio import opening, server
from bielle.studio.folder import Folder
from bielle.studio.messages import Remove, Run
from bielle.studio.actions import perform
opening.STATIC = server.STATIC = Path(sys.argv[1])
studio = opening.Studio(opening.session_of("double_pendulum", Folder(sys.argv[2]))[0], Folder(sys.argv[2]), keep=Path(sys.argv[3]))
studio.open(None)
studio.bench.do(lambda bench: perform(bench, Remove(names=["elbow"]))).result()
studio.bench.do(lambda bench: perform(bench, Run(factor=1.0))).result()
print(studio.server.port, flush=True)
studio.wait()
"""


def test_a_studio_that_is_killed(static, folder, place, begin):
    """What it had is offered by the next one, with a name and a time, and recovered when somebody says so."""
    arguments = [sys.executable, "-c", _KILLED, str(static), str(folder.path), str(place)]
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True) as process:
        process.stdout.readline()
        with joined(begin()) as page:
            assert left(page) == []  # somebody works on it
        process.send_signal(signal.SIGKILL)
    (path,) = place.glob("*.session")
    kept = files.load_session(path)
    with joined(begin()) as page:
        assert page.last["hello"]["left"] == 1
        (found,) = left(page)
        assert found["name"] == "double pendulum"
        assert found["time"] == path.stat().st_mtime
        assert found["folder"] == str(folder.path)
        assert "elbow" in [joint["name"] for joint in page.scene["joints"]]  # nothing is recovered by itself
        page.ask("recover", left=found["id"])
        page.until(lambda: [joint["name"] for joint in page.scene["joints"]] == ["pivot"])
        assert left(page) == []
    (again,) = place.glob("*.session")
    assert bits(files.load_session(again)) == bits(kept)


def test_only_work_is_kept(begin, place):
    """Running and pulling can be had again by anybody; an edit is what is kept, until it is saved."""
    with joined(begin()) as page:
        page.ask("run", factor=100.0)
        page.ask("grab", body="lower", at=[0.5, 0, 0])
        page.ask("pull", to=[1, 1, 0])
        page.ask("release")
        page.ask("pause")
        assert not place.exists()
        edit(page)
        assert len(list(place.glob("*.session"))) == 1
        page.ask("save", file="a.yaml")
        assert list(place.iterdir()) == []
        edit(page, 4.0)
        page.ask("reset")
        page.ask("undo")
        page.ask("undo")
        assert len(list(place.glob("*.session"))) == 1


def test_ended_without_saving(begin, place):
    """The end of the studio, and another mechanism that is opened, leave it as a crash does."""
    studio = begin()
    with joined(studio) as page:
        edit(page)
        page.ask("open", example="four_bar")
        (first,) = left(page)
        page.ask("set", name="coupler", key="mass", value=2.0)
    studio.close()
    with joined(begin()) as page:
        assert [each["name"] for each in left(page)] == ["four-bar linkage", "double pendulum"]
        page.ask("discard", left=first["id"])
        assert [each["name"] for each in left(page)] == ["four-bar linkage"]
        assert "not kept any more" in page.refused("recover", left=first["id"])
        assert "not kept any more" in page.refused("discard", left=first["id"])
    assert len(list(place.glob("*.session"))) == 1


def test_recovered_and_ended_again(begin):
    """It is kept on, though nothing was done to it since."""
    studio = begin()
    with joined(studio) as page:
        edit(page, 7.0)
    studio.close()
    again = begin()
    with joined(again) as page:
        page.ask("recover", left=left(page)[0]["id"])
    again.close()
    with joined(begin()) as page:
        (found,) = left(page)
        page.ask("recover", left=found["id"])
        assert next(f["value"] for f in page.ask("properties", name="upper")["fields"] if f["key"] == "mass") == 7.0


def test_two_studios_do_not_take_from_each_other(begin):
    one, two = begin(), begin()
    with joined(one) as a, joined(two) as b:
        edit(a)
        edit(b)
        assert left(a) == left(b) == []


def test_the_oldest_goes_and_that_is_told(begin, place, monkeypatch):
    monkeypatch.setattr(keeping, "_MOST", 2)
    with joined(begin()) as page:
        for k, example in enumerate(("double_pendulum", "four_bar", "slider_crank")):
            page.ask("open", example=example)
            page.ask("gravity", value=[0, -1.0, 0])
            for path in place.glob("*.session"):  # so that the order does not depend on how fast this is
                if path.stem not in {each["id"] for each in left(page)}:
                    os.utime(path, (k, k))
        assert [each["name"] for each in left(page)] == ["four-bar linkage"]
        assert [n["text"] for n in page.notices if "'double pendulum'" in n["text"]]
    assert len(list(place.glob("*.session"))) == 2


@pytest.mark.parametrize("id", ["", "..", "../models/a", "0" * 16, "*", "\0", "a" * 5000])
def test_no_name_leads_out(begin, folder, id):
    studio = begin()
    with joined(studio) as page:
        page.ask("save", file="a.session")
        assert "not kept any more" in page.refused("recover", left=id)
        assert "not kept any more" in page.refused("discard", left=id)
    assert folder.files() == ["a.session"]


def test_files_of_others_are_left_alone(begin, place, tmp_path):
    """What a link leads to is none of ours, and a folder that anybody can write to is not used; work goes on."""
    place.mkdir(parents=True, mode=0o700)
    outside = tmp_path / "outside.session"
    outside.write_bytes(b"x")
    (place / "0123.session").symlink_to(outside)
    with joined(begin()) as page:
        assert left(page) == []
        page.refused("discard", left="0123")
        assert outside.exists()
        os.chmod(place, 0o777)
        edit(page)
        page.until(lambda: any("others can write" in n["text"] for n in page.notices))
        edit(page, 4.0)
    assert [path.name for path in place.iterdir()] == ["0123.session"]


def test_a_damaged_file_is_said_and_stays(begin, place):
    studio = begin()
    with joined(studio) as page:
        edit(page)
    studio.close()
    (path,) = place.glob("*.session")
    path.write_bytes(path.read_bytes()[:-5])
    with joined(begin()) as page:
        (found,) = left(page)
        assert "cut off" in page.refused("recover", left=found["id"])
        assert left(page) == [found]


def test_a_session_with_its_own_autosave_keeps_it(begin, place, tmp_path, static, folder):
    """Its user has chosen a file: that one goes on."""
    live = session_of("double_pendulum", folder)[0]
    live._save_to(tmp_path / "mine.session")
    studio = Studio(live, folder, keep=place)
    studio.open(None)
    with joined(studio) as page:
        edit(page)
    studio.close()
    live._autosave.flush()
    assert not place.exists()
    assert files.load_session(tmp_path / "mine.session").mechanism.bodies["upper"].shape.mass == 3.0


def test_recent_files_are_remembered(folder, tmp_path):
    """By the next studio, of this folder, as long as they are there."""
    memory = tmp_path / "state" / "recent.json"
    live = session_of("double_pendulum", folder)[0]
    first = Folder(folder.path, memory)
    for name in ("a.yaml", "b.session", "a.yaml"):
        first.save(live, name)
    assert first.recent == ["a.yaml", "b.session"]
    assert Folder(folder.path, memory).recent == ["a.yaml", "b.session"]
    assert Folder(tmp_path, memory).recent == []
    (folder.path / "a.yaml").unlink()
    assert Folder(folder.path, memory).recent == ["b.session"]


@pytest.mark.parametrize("content", ["", "{", "[]", '{"x": 3}', "[" * 100_000, "\ufffe"])
def test_garbage_is_no_memory(folder, tmp_path, content):
    memory = tmp_path / "recent.json"
    memory.write_text(content)
    again = Folder(folder.path, memory)
    assert again.recent == []
    again.save(session_of("double_pendulum", folder)[0], "a.yaml")
    assert Folder(folder.path, memory).recent == ["a.yaml"]


def test_a_file_is_saved_where_it_came_from(folder, tmp_path):
    """Its folder is that of the studio, unless another one is chosen: then it has no name there."""
    live = session_of("double_pendulum", folder)[0]
    folder.save(live, "a.yaml")
    path = str(folder.path / "a.yaml")
    assert folder_of(path) == folder.path
    assert session_of(path, Folder(folder_of(path)))[1] == "a.yaml"
    assert session_of(path, Folder(tmp_path))[1] is None
    with pytest.raises(BielleError):
        session_of(str(folder.path / "missing.yaml"), folder)
