"""Every message is answered, and does what it says."""

import json
import threading
import urllib.error
import urllib.request
from typing import get_args

import numpy as np
import pytest

import bielle as bl
from bielle.studio import messages

from .page import joined

TAGS = {cls.__struct_config__.tag for cls in get_args(messages.Command)}


def test_every_verb_is_answered(page):
    """In an order in which each can be done; the last line holds that none is left out."""
    did = set()

    def ask(do, **fields):
        did.add(do)
        return page.ask(do, **fields)

    ask("run", factor=2.0)
    ask("pause")
    ask("step", count=3)
    ask("look", time=0.0)
    ask("look")
    ask("set", name="upper", key="mass", value=2.0)
    ask("undo")
    ask("redo")
    ask("gravity", value=[0, -5, 0])
    assert page.scene["gravity"] == [0, -5, 0]
    ask("lock", names=["elbow"])
    ask("unlock", names=["elbow"])
    ask("fix", names=["upper"])
    ask("free", names=["upper"])
    ask("rename", name="upper", new="thigh")
    assert ask("duplicate", names=["thigh"], offset=[1, 0, 0]) == {"names": ["thigh 2"]}
    ask("retype", name="thigh 2", coordinates="planar")
    ask("breaks", name="elbow", limit=1e9)
    assert "breakable" in next(j["states"] for j in page.scene["joints"] if j["name"] == "elbow")
    ask("breaks", name="elbow")
    assert ask("watchable", name="elbow")[0]["quantity"].startswith("elbow")
    made = ask("when", quantity="elbow.force", than="above", limit=1e9, does="pause")["name"]
    assert [event["name"] for event in page.scene["events"]] == [made]
    ask("remove", names=[made])
    ask("solver", family="central", integrator="rk4", step=1e-3)
    assert page.scene["solver"]["integrator"] == "rk4"
    made = ask("add_body", shape={"type": "disc", "radius": 0.1, "mass": 1.0}, position=[0, 2, 0])["name"]
    ask("add_joint", kind={"type": "pin"}, a="ground", b=made, at=[0, 2, 0])
    ask("add_force", kind={"type": "spring", "stiffness": 5.0}, a="ground", b=made, at_a=[1, 2, 0], at_b=[0.1, 2, 0])
    ask("add_frame", body=made, at=[0.1, 2.0, 0])
    ask("grab", body=made, at=[0.1, 2, 0])
    ask("pull", to=[0.2, 2.2, 0])
    ask("release")
    ask("push", body=made, impulse=[0, 1, 0])
    assert ask("properties", name=made)["what"] == "body"
    assert ask("quantities", name=made)[0]["quantity"].startswith(made)
    assert ask("plot", quantities=[f"{made}.position.x"])["t"]
    ask("arrows", names=[made])
    assert len(ask("trails", names=[made])["paths"][made]) >= 6
    ask("select", names=[made])
    assert ask("report")["dof"] >= 1
    assert "bl.Mechanism" in ask("python")["text"]
    assert "live." in ask("python", what="actions")["text"]
    ask("save", file="a.yaml")
    assert ask("files")["files"] == ["a.yaml"]
    assert ask("save", file="b.yaml") == {"file": "b.yaml", "exists": False}
    assert ask("save", file="b.yaml") == {"file": "b.yaml", "exists": False}  # its own
    assert ask("save", file="a.yaml") == {"file": "a.yaml", "exists": True}
    assert ask("save", file="a.yaml", replace=True) == {"file": "a.yaml", "exists": False}
    ask("cut", names=["elbow"])
    ask("remove", names=[made])
    ask("branch", time=0.0)
    ask("cancel")
    ask("reset")
    ask("open", file="a.yaml")
    assert page.scene["file"] == "a.yaml"
    ask("control", take=True)
    assert did | {"ack", "recover", "discard", "restore"} == TAGS  # what is recovered is in test_keeping.py, what is restored below


def test_scenes_come_before_the_answer(page):
    page.ask("rename", name="upper", new="thigh")
    assert [body["name"] for body in page.scene["bodies"]].count("thigh") == 1
    assert len(page.scene["bodies"]) == 2


def test_time_is_told_before_the_answer(page):
    """Not with the next clock, a tenth of a second later: who presses a key twice means what it says then."""
    for do, running in (("run", True), ("pause", False)) * 3:
        page.ask(do)
        assert page.last["time"]["running"] is running
        assert page.next("clock")["running"] is running  # none that was read before


def test_a_selection_is_its_viewers_own(studio, page):
    """Front ends are told by the feed, with the number of the viewer; it goes with the viewer."""
    told = []
    leave = studio.bench.subscribe(lambda change: told.append(change) if change.kind == "selection" else None)
    with joined(studio) as other:
        number = other.last["hello"]["viewer"]
        assert number != page.last["hello"]["viewer"]
        other.ask("select", names=["lower", "elbow"])  # though the other has the control
        assert studio.bench.selections == {number: ("lower", "elbow")}
    page.until(lambda: not studio.bench.selections)
    leave()
    assert [change.data for change in told] == [{"viewer": number, "names": names} for names in (["lower", "elbow"], [])]


def test_poses_go_with_their_scene(page):
    page.ask("run")
    page.ask("add_body", shape={"type": "disc", "radius": 0.1, "mass": 1.0})
    version = page.scene["version"]
    page.until(lambda: page.packets[0][0] == version)
    assert len(page.packets[0][2]) == 3


def test_a_spring_of_the_mouse_is_told(page):
    page.ask("grab", body="lower", at=[0, 0, 0])
    page.ask("pull", to=[1, 1, 0])
    clock = page.until(lambda: page.next("clock")["hand"] and page.last["clock"])
    assert clock["hand"]["body"] == "lower"
    assert clock["hand"]["to"] == [1.0, 1.0, 0.0]
    assert clock["hand"]["force"] >= 0.0


def test_the_clock_tells_what_steps_cost(page):
    page.ask("step", count=50)
    clock = page.until(lambda: page.next("clock")["steps"] and page.last["clock"])
    assert clock["steps"] == 50
    assert clock["cost"] > 0.0
    assert clock["iterations"] == 0.0
    page.ask("solver", family="central", integrator="newmark", step=1e-3)
    page.ask("step", count=10)
    clock = page.until(lambda: page.next("clock")["steps"] == 60 and page.last["clock"])
    assert clock["iterations"] >= 1.0


def test_arrows_are_reactions_and_velocities(studio, page):
    page.ask("arrows", names=["lower", "elbow", "nobody", "pivot"])
    page.ask("step", count=20)
    time = studio.bench.live.time
    rows = page.until(lambda: 1 in page.packets and page.packets[1][1] == time and [page.packets[1][2]])[0]
    now = studio.bench.live.now
    assert rows[:, 0].tolist() == [0, 1, 3]
    single = 1e-5  # packets have seven digits
    np.testing.assert_allclose(rows[0, 1:3], now["lower"].centre.position[0], atol=single)
    np.testing.assert_allclose(rows[0, 4:6], now["lower"].centre.velocity[0], atol=single)
    np.testing.assert_allclose(rows[1, 4:6], now["elbow"].force(on="lower")[0], rtol=single)
    np.testing.assert_allclose(rows[2, 4:6], now["pivot"].force(on="upper")[0], rtol=single)


def test_plots_follow_and_start_again_after_an_undo(page):
    page.ask("plot", quantities=["upper.position.x", "energy.kinetic"])
    page.ask("step", count=5)
    page.ask("set", name="upper", key="mass", value=2.0)
    page.ask("run")
    plots = page.next("plots")
    assert set(plots["values"]) == {"upper.position.x", "energy.kinetic"}
    page.next("plots")
    page.ask("pause")
    page.ask("undo")
    plots = page.until(lambda: page.last["plots"].get("restart") and page.last["plots"])
    assert len(plots["t"]) == len(plots["values"]["energy.kinetic"]) > 1
    assert "nobody" in page.refused("plot", quantities=["nobody.position.x"])


def test_a_look_at_the_past_is_one_viewers_own(studio, page):
    page.ask("step", count=50)
    page.ask("cut", names=["elbow"])
    page.ask("step", count=50)
    with joined(studio) as other:
        other.ask("look", time=0.0)
        other.until(lambda: other.scene["past"] == 0.0)
        assert [joint["name"] for joint in other.scene["joints"]] == ["pivot", "elbow"]
        other.until(lambda: other.packets[0][0] == other.scene["version"])
        page.ask("set", name="upper", key="mass", value=3.0)
        assert page.scene["past"] is None
        other.ask("files")
        assert other.scene["past"] == 0.0
        other.ask("look")
        other.until(lambda: other.scene["past"] is None)
        assert [joint["name"] for joint in other.scene["joints"]] == ["pivot"]


def test_the_past_is_told_as_it_was(studio, page):
    """Properties, quantities and arrows of the moment that is looked at, of a joint that is gone since as well."""
    page.ask("step", count=50)
    page.ask("set", name="upper", key="mass", value=3.0)
    page.ask("step", count=50)
    page.ask("cut", names=["elbow"])
    page.ask("arrows", names=["upper"])
    page.ask("look", time=0.0)
    page.until(lambda: page.scene["past"] == 0.0)
    assert {f["key"]: f["value"] for f in page.ask("properties", name="upper")["fields"]}["mass"] != 3.0
    assert page.ask("properties", name="elbow")["kind"] == "pin"
    quantity = page.ask("quantities", name="elbow")[0]["quantity"]
    assert quantity.startswith("elbow.")
    assert page.ask("plot", quantities=[quantity])["t"]
    rows = page.until(lambda: page.packets[1][1] == 0.0 and [page.packets[1][2]])[0]
    np.testing.assert_allclose(rows[0, 1:3], studio.bench.instant(0.0)["upper"].centre.position[0], atol=1e-5)
    page.ask("arrows", names=["elbow", "upper"])
    rows = page.until(lambda: len(page.packets[1][2]) == 2 and [page.packets[1][2]])[0]
    assert page.packets[1][1] == 0.0
    np.testing.assert_allclose(rows[0, 4:6], studio.bench.instant(0.0)["elbow"].force(on="lower")[0], rtol=1e-5)
    page.ask("look")
    page.until(lambda: page.scene["past"] is None and page.packets[1][1] == studio.bench.live.time)
    rows = page.packets[1][2]
    assert rows[:, 0].tolist() == [0.0]  # the page has given up the elbow, which is not there
    np.testing.assert_allclose(rows[0, 1:3], studio.bench.live.now["upper"].centre.position[0], atol=1e-5)
    assert "elbow" in page.refused("properties", name="elbow")


def test_arrows_while_time_stands_still(studio, page):
    page.ask("arrows", names=["upper"])
    page.until(lambda: 1 in page.packets and len(page.packets[1][2]) == 1)
    page.ask("arrows", names=[])
    page.until(lambda: len(page.packets[1][2]) == 0)


def test_control_is_one_viewers_and_can_be_handed_over(studio, page):
    with joined(studio) as other:
        assert "control" in other.refused("cut", names=["elbow"])
        page.ask("grab", body="lower", at=[0, 0, 0])
        other.ask("control", take=True)
        assert "control" in page.refused("cut", names=["elbow"])
        page.until(lambda: page.next("clock")["control"] == "other")
        assert page.last["clock"]["viewers"] == 2
        assert page.last["clock"]["hand"] is None
        other.ask("cut", names=["elbow"])
        other.ask("control", take=False)
        page.ask("undo")
        other.ask("control", take=True)
    page.until(lambda: page.next("clock")["control"] == "me")


def test_only_who_has_the_control_hands_it_over(studio, page):
    """To the page that has been there longest; who is alone keeps it."""
    page.ask("control", take=False)
    page.until(lambda: page.next("clock")["control"] == "me")
    with joined(studio) as second, joined(studio) as third:
        third.ask("control", take=True)
        second.ask("control", take=False)  # it has none to give
        third.ask("set", name="upper", key="mass", value=2.0)
        third.ask("control", take=False)
        page.until(lambda: page.next("clock")["control"] == "me")
        third.until(lambda: third.next("clock")["control"] == "other")
        page.ask("undo")


def test_files_are_the_controls_too(studio, page, folder):
    """Who looks on neither opens nor saves, by whichever way, and is told so as for any edit."""
    sentence = "Somebody else has the control. Take it first."
    with joined(studio) as other:
        assert other.refused("cut", names=["elbow"]) == sentence
        assert other.refused("save", file="a.yaml") == sentence
        assert other.refused("open", example="four_bar") == sentence
        assert other.refused("recover", left="x") == sentence
        assert other.refused("discard", left="x") == sentence
        assert other.bring(studio, "a.yaml", BROUGHT) == sentence
        assert folder.files() == []
        other.ask("control", take=True)
        assert page.bring(studio, "a.yaml", BROUGHT) == sentence
        assert page.scene["title"] == "double pendulum"
        other.ask("save", file="a.yaml")
        assert other.bring(studio, "b.yaml", BROUGHT) is None
    page.until(lambda: page.scene["title"] == "brought")


@pytest.mark.parametrize("secret", ["", "1", "x" * 32, "\xe9"])
def test_a_file_of_nobody(studio, page, secret):
    """Whoever has the token, but is no page that is connected, brings nothing."""
    assert "Only a page that is connected" in page.bring(studio, "a.yaml", BROUGHT, Viewer=secret)
    assert page.bring(studio, "a.yaml", BROUGHT) is None


def test_control_that_is_lost_while_a_file_is_read(studio, page, monkeypatch):
    """It is asked for again when the file has been read."""
    reading, read = threading.Event(), threading.Event()
    opened = studio.server.folder.brought

    def slow(name, content):
        reading.set()
        assert read.wait(20)
        return opened(name, content)

    monkeypatch.setattr(studio.server.folder, "brought", slow)
    answers = []
    bringing = threading.Thread(target=lambda: answers.append(page.bring(studio, "a.yaml", BROUGHT)))
    bringing.start()
    assert reading.wait(20)
    with joined(studio) as other:
        other.ask("control", take=True)
        read.set()
        bringing.join(20)
        assert answers == ["Somebody else has the control. Take it first."]
        assert other.scene["title"] == "double pendulum"
    page.ask("cut", names=["elbow"])


def test_a_joint_that_breaks_is_told(studio, page):
    page.ask("breaks", name="elbow", limit=1e-3)
    page.ask("run", factor=1.0)
    page.until(lambda: [joint["name"] for joint in page.scene["joints"]] == ["pivot"])
    assert any(mark["kind"] == "break" for mark in page.scene["marks"])
    (broken,) = page.scene["broken"]
    assert broken | {"time": 0.0} == {"name": "elbow", "kind": "pin", "a": "upper", "b": "lower", "time": 0.0}
    page.ask("pause")
    time = studio.bench.live.time
    page.ask("look", time=0.0)
    page.until(lambda: page.scene["past"] == 0.0)
    assert page.scene["broken"] == []
    page.ask("look")
    page.ask("restore", name="elbow")
    page.until(lambda: page.scene["broken"] == [] and page.scene["past"] is None)
    joint = next(joint for joint in page.scene["joints"] if joint["name"] == "elbow")
    assert studio.bench.live.time == time
    assert (joint["a"], joint["b"]) == ("upper", "lower")
    assert "elbow" in page.refused("restore", name="elbow")
    page.ask("undo")
    page.until(lambda: [each["name"] for each in page.scene["broken"]] == ["elbow"])
    page.ask("remove", names=["lower"])
    page.until(lambda: page.scene["broken"] == [])  # there is nothing to join any more
    page.ask("undo")
    page.ask("undo")
    page.until(lambda: page.scene["broken"] == [])
    assert [joint["name"] for joint in page.scene["joints"]] == ["pivot", "elbow"]


def test_a_remedy_takes_redundancy_away(studio, page):
    page.ask("open", empty="space")
    for name, x in (("a", 0.0), ("b", 1.0)):
        page.ask("add_body", shape={"type": "rod", "start": [x, 0, 0], "end": [x, 0, 1], "mass": 1.0, "radius": 0.02}, name=name)
        page.ask("add_joint", kind={"type": "revolute", "axis": "y"}, a="ground", b=name, at=[x, 0, 0], name=f"foot {name}")
    page.ask("add_body", shape={"type": "rod", "start": [0, 0, 1], "end": [1, 0, 1], "mass": 1.0, "radius": 0.02}, name="c")
    for name, x in (("a", 0.0), ("b", 1.0)):
        page.ask("add_joint", kind={"type": "revolute", "axis": "y"}, a=name, b="c", at=[x, 0, 1], name=f"head {name}")
    before = page.ask("report")
    assert before["redundant"] == 3
    assert all("redundant" in joint["states"] for joint in page.scene["joints"])
    remedy = next(note["remedy"] for note in before["notes"] if note["remedy"])
    page.ask(**remedy["message"])
    after = page.ask("report")
    assert after["dof"] == before["dof"] == 1
    assert after["redundant"] < before["redundant"]


def test_a_remedy_in_the_plane(page):
    """A slot along x would let the parallelogram move otherwise; along y it does not."""
    page.ask("open", example="parallelogram")
    before = page.ask("report")
    assert (before["dof"], before["redundant"]) == (1, 1)
    remedies = [note["remedy"] for note in before["notes"] if note["remedy"]]
    assert any(remedy["label"].endswith("pin in slot along y") for remedy in remedies)
    page.ask(**remedies[0]["message"])
    after = page.ask("report")
    assert (after["dof"], after["redundant"]) == (1, 0)


def test_nonsense_is_answered(page):
    for fields in ({"do": "zzz"}, {}, {"do": "run", "zz": 1}, {"do": "run", "factor": "fast"}, {"do": "step", "count": 1.5}):
        page.socket.send(json.dumps(fields))
        page.until(lambda: page.last.get("answer", {}).get("id") == 0)
        assert "cannot be read" in page.last.pop("answer")["error"]
    for fields in (
        {"do": "run", "factor": -1},
        {"do": "step", "count": 0},
        {"do": "remove", "names": []},
        {"do": "remove", "names": ["nobody"]},
        {"do": "branch", "time": -5},
        {"do": "add_body", "shape": {}},
        {"do": "add_joint", "kind": {"type": "zz"}, "a": "upper", "b": "lower"},
        {"do": "add_force", "kind": {"type": "spring", "stiffness": "x"}, "a": "upper", "b": "lower"},
        {"do": "solver", "family": "zz"},
        {"do": "open", "example": "zz"},
        {"do": "retype", "name": "elbow"},
        {"do": "retype", "name": "elbow", "kind": {"type": "revolute"}},
        {"do": "rename", "name": "upper", "new": "lower"},
        {"do": "grab", "body": "ground", "at": [0, 0, 0]},
        {"do": "properties", "name": "nobody"},
        {"do": "quantities", "name": "nobody"},
    ):
        text = page.refused(**fields)
        assert "fault" not in text, (fields, text)


def get(studio, path, **headers):
    port = studio.server.port
    request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", headers=headers, data=headers.pop("data", None))
    try:
        with urllib.request.urlopen(request, timeout=20) as answer:
            return answer.status, answer.read(), answer.headers
    except urllib.error.HTTPError as error:
        return error.code, error.read(), error.headers


def test_downloads(studio, page, tmp_path):
    token = studio.server.token
    page.ask("step", count=10)
    status, content, headers = get(studio, f"/download/mechanism.yaml?token={token}")
    assert status == 200
    assert "attachment" in headers["Content-Disposition"]
    (tmp_path / "a.yaml").write_bytes(content)
    assert set(bl.load(tmp_path / "a.yaml").bodies) == {"upper", "lower"}
    status, content, _ = get(studio, f"/download/session?token={token}")
    (tmp_path / "a.session").write_bytes(content)
    assert bl.load_session(tmp_path / "a.session").time == studio.bench.live.time
    assert b"<html" in get(studio, f"/download/replay.html?token={token}")[1]
    status, content, _ = get(studio, f"/download/plots.csv?token={token}&quantities=upper.position.x")
    assert status == 200
    assert len(content.splitlines()) > 2
    assert get(studio, f"/download/plots.csv?token={token}")[0] == 400
    assert get(studio, f"/download/plots.csv?token={token}&quantities=zz")[0] == 400
    assert get(studio, f"/download/zz?token={token}")[0] == 400
    assert b"<svg" in get(studio, "/pictures/four_bar")[1]
    assert get(studio, "/pictures/zz")[0] == 404
    assert get(studio, "/")[0] == 200
    headers = get(studio, "/")[2]
    assert "frame-ancestors 'self' http://localhost:* http://127.0.0.1:*" in headers["Content-Security-Policy"]


BROUGHT = b"bielle: 1\nname: brought\nplane: xy\ngravity: [0.0, -9.81]\nbodies:\n  b: {shape: {type: disc, radius: 0.1, mass: 1.0}}\n"


def test_a_file_that_is_dropped(studio, page):
    assert page.bring(studio, "mine.yaml", BROUGHT) is None
    page.until(lambda: page.scene["title"] == "brought")
    assert page.scene["file"] is None  # it is none of the folder
    assert page.bring(studio, "mine.yaml", b"{")
    assert page.bring(studio, "mine.exe", BROUGHT)
    page.ask("files")
    assert page.scene["title"] == "brought"


def test_without_the_page_it_says_how_to_build_it(monkeypatch, tmp_path, folder):
    from bielle.errors import BielleError
    from bielle.studio import opening

    monkeypatch.setattr(opening, "STATIC", tmp_path / "nothing")
    with pytest.raises(BielleError, match="make studio"):
        opening.Studio(bl.Mechanism().live(), folder)
