"""Events made by a page: data only, in the tree, on the time line, saved, undone and renamed with the rest."""

import json
import time as clock

import pytest

import bielle as bl
from bielle.studio.actions import perform
from bielle.studio.breaking import restore
from bielle.studio.copying import renamed
from bielle.studio.folder import opened_example
from bielle.studio.messages import Breaks, Properties, Python, Remove, Rename, Set, Undo, Watchable, When, decode
from bielle.studio.workbench import Workbench


def falling():
    """A ball that has fallen 5 t², a rod on a pin, a spring."""
    m = bl.Mechanism(plane="xy", gravity=(0, -10))
    m.add_body("ball", bl.disc(0.1, mass=1.0), position=(5, 0))
    m.add_body("rod", bl.rod((0, 0), (1, 0), mass=1.0))
    m.add_joint("pivot", bl.Pin(), "ground", "rod", at=(0, 0))
    m.add_force("spring", bl.Spring(stiffness=1.0, length=1.0), "ground", "rod", at_a=(0, 1), at_b=(0, 0))
    m.add_frame("tip", "rod", local=(0.5, 0))
    return m.live()


@pytest.fixture
def bench():
    found = Workbench(falling())
    yield found
    found.close()


def does(bench, command):
    return bench.do(lambda b: perform(b, command)).result(30)


def test_what_can_be_watched(bench):
    names = {each["quantity"]: each["unit"] for each in does(bench, Watchable(name="pivot"))}
    assert names == {"pivot.angle": "rad", "pivot.angular_velocity": "rad/s", "pivot.force": "N", "pivot.moment": "N·m"}
    assert "tip.position.y" in [each["quantity"] for each in does(bench, Watchable(name="tip"))]
    assert [each["quantity"] for each in does(bench, Watchable(name="spring"))] == ["spring.output"]
    assert [each["quantity"] for each in does(bench, Watchable())] == ["energy.kinetic"]


@pytest.mark.parametrize("example", ["robot_arm", "stewart_platform", "suspension"])
def test_all_that_is_offered_can_be_awaited(example):
    from bielle.studio.folder import opened_example

    live = opened_example(example)
    m = live.mechanism
    bench = Workbench(live)
    try:
        for name in ("", *list(m.bodies)[:2], *list(m.joints)[:6], *list(m.forces)[:2], *list(m.frames)[:2]):
            for each in does(bench, Watchable(name=name)):
                made = does(bench, When(quantity=each["quantity"], than="above", limit=1e9))["name"]
                does(bench, Remove(names=[made]))
    finally:
        bench.close()


def test_in_the_tree_and_on_the_time_line(bench):
    name = does(bench, When(quantity="ball.position.y", than="below", limit=-0.45, does="cut", target="pivot"))["name"]
    assert name == "ball.position.y < -0.45"
    assert bench.scene()["events"] == [{"name": name, "text": "ball.position.y < -0.45: cut pivot", "does": "cut"}]
    assert bench.scene()["undo"] == f"await {name}"
    bench.do(lambda b: b.live.advance(1.0)).result(30)
    assert bench.scene()["events"] == []
    assert "pivot" not in bench.live.mechanism.joints
    (mark,) = [mark for mark in bench.scene()["marks"] if mark["kind"] == "event"]
    assert mark == {"time": pytest.approx(0.3, abs=1e-9), "label": name, "kind": "event"}


def test_a_mark_is_told_though_nothing_else_changes(bench):
    """An event that happens every time leaves the model as it is; the page hears of it all the same."""
    does(bench, When(quantity="rod.angular_velocity", than="below", limit=-1.0, once=False))
    told = []
    bench.subscribe(told.append)
    bench.do(lambda b: b.live.advance(0.2)).result(30)
    assert [change.kind for change in told] == ["scene", "time"]
    assert [mark["kind"] for mark in bench.scene()["marks"]] == ["event"]
    assert bench.scene()["events"]


def test_a_pause_lets_time_stand_still(bench):
    does(bench, When(quantity="ball.position.y", than="below", limit=-0.45, does="pause"))
    bench.do(lambda b: b.run(20.0)).result(30)
    while bench.live.running and bench.live.time < 10.0:
        clock.sleep(0.001)
    assert bench.live.time == pytest.approx(0.3, abs=1e-9)
    bench.do(lambda b: b.run(20.0)).result(30)
    while bench.live.running and bench.live.time < 0.5:
        clock.sleep(0.001)
    assert bench.live.time >= 0.5


def test_removed_and_undone(bench):
    first = does(bench, When(quantity="pivot.force", than="above", limit=1e6, does="pause"))["name"]
    second = does(bench, When(quantity="ball.velocity.y", than="below", limit=-1e6))["name"]
    does(bench, Remove(names=[first, second]))
    assert not bench.live.events
    does(bench, Undo())
    assert [*bench.live.events] == [first, second]
    does(bench, Remove(names=["ball", first]))
    assert not bench.live.events  # the second has gone with what it looked at
    does(bench, Undo())
    assert [*bench.live.events] == [first, second]
    does(bench, Undo())
    does(bench, Undo())
    assert not bench.live.events


def test_another_limit(bench):
    name = does(bench, When(quantity="ball.position.y", than="below", limit=-3.0, does="pause"))["name"]
    fields = {field["key"]: field["value"] for field in does(bench, Properties(name=name))["fields"]}
    assert fields == {"limit": -3.0, "every_time": False, "watches": "ball.position.y", "does": "pause"}
    name = does(bench, Set(name=name, key="limit", value=-0.45))["name"]
    assert [*bench.live.events] == [name] == ["ball.position.y < -0.45"]
    with pytest.raises(bl.errors.BielleError):
        does(bench, Set(name=name, key="limit", value="deep"))
    with pytest.raises(bl.errors.BielleError):
        does(bench, Set(name=name, key="does", value="cut pivot"))
    bench.do(lambda b: b.live.advance(1.0)).result(30)
    assert bench.live.time == pytest.approx(0.3, abs=1e-9)


def test_breaking_is_one_thing_to_undo(bench):
    does(bench, Breaks(name="pivot", limit=1e6))
    does(bench, Breaks(name="pivot", limit=2e6))
    assert [event.watch.threshold for event in bench.live.events.values()] == [2e6]
    does(bench, Undo())
    assert [event.watch.threshold for event in bench.live.events.values()] == [1e6]
    does(bench, Undo())
    assert not bench.live.events


def test_other_names():
    """Events go with the components they look at and act on, whatever these are called."""
    live = falling()
    live.when("pivot.force", "cut pivot", above=1e6, name="pivot.force > 1e+06")
    live.when("tip.position.y", "pause", below=-1e6, turns=None, name="low")
    live.when("rod.angle", turns="max", name="turn")
    for old, new in (("pivot", "pin"), ("tip", "end"), ("rod", "bar")):
        renamed(live, old, new)
    events = live.events
    assert {(name, event.quantity, event.does) for name, event in events.items()} == {
        ("pin.force > 1e+06", "pin.force", "cut pin"),
        ("low", "end.position.y", "pause"),
        ("turn", "bar.angle", ""),
    }
    assert events["low"].watch.body == events["turn"].watch.body == "bar"
    live.undo()
    assert live.events["turn"].watch.body == "rod"


@pytest.mark.parametrize(
    "wrong",
    [
        {"quantity": "nobody.position.y"},
        {"does": "cut", "target": "nobody"},
        {"does": "lock", "target": "ball"},
        {"does": "cut"},
        {"quantity": "lambda: 1"},
    ],
)
def test_refused(bench, wrong):
    command = {"quantity": "ball.position.y", "than": "below", "limit": -1.0} | wrong
    with pytest.raises(bl.errors.BielleError):
        does(bench, When(**command))
    assert not bench.live.events
    assert bench.scene()["undo"] is None


def test_what_is_done_is_never_code():
    for does in ("exec", "__import__('os')", "remove"):
        message = {"do": "when", "quantity": "ball.position.y", "than": "below", "limit": 0, "does": does}
        with pytest.raises(Exception, match="Invalid enum value"):
            decode(json.dumps(message))


def test_as_python(bench):
    """The script awaits the same."""
    does(bench, When(quantity="ball.position.y", than="below", limit=-0.45, does="cut", target="pivot"))
    does(bench, When(quantity="ball.position.y", than="above", limit=3.0, once=False))
    does(bench, Breaks(name="pivot", limit=1e6))
    does(bench, Undo())
    text = does(bench, Python(what="actions"))["text"]
    calls = [line for line in text.splitlines() if line.startswith("live.") and "live(" not in line]
    live = falling()
    for call in calls:
        eval(call, {"live": live})
    assert live.events == bench.live.events


def test_kept_in_a_file(bench, tmp_path):
    name = does(bench, When(quantity="ball.position.y", than="below", limit=-0.45, does="pause"))["name"]
    bench.live.save(tmp_path / "a.session")
    loaded = bl.load_session(tmp_path / "a.session")
    assert [*loaded.events] == [name]
    loaded.advance(1.0)
    assert loaded.time == pytest.approx(0.3, abs=1e-9)


def test_renaming_by_command_keeps_events(bench):
    does(bench, When(quantity="pivot.force", than="above", limit=1e6, does="lock", target="pivot"))
    does(bench, Rename(name="pivot", new="pin"))
    assert [event["text"] for event in bench.scene()["events"]] == ["pin.force > 1e+06: lock pin"]


@pytest.mark.parametrize("known", [True, False])
def test_a_joint_that_is_made_again_breaks_where_it_did(known):
    """Also where undo does not lead back that far any more; undo takes the joint and its limits back, redo brings both."""
    live = opened_example("double_pendulum")
    live.breaks("elbow", force=3.0, moment=1e9)
    live.advance(1.0)
    assert "elbow" not in live.mechanism.joints
    assert not live.events
    if not known:
        live._undo.clear()
    restore(live, "elbow")
    limits = {event.quantity: event.watch.threshold for event in live.events.values()}
    assert limits == {"elbow.force": 3.0, "elbow.moment": 1e9}
    assert {event.breaks for event in live.events.values()} == {"elbow"}
    live.undo()
    assert "elbow" not in live.mechanism.joints
    assert not live.events
    live.redo()
    assert len(live.events) == 2
    broke = sum(edit.kind == "break" for edit in live.result().edits)
    live.advance(1.0)
    assert "elbow" not in live.mechanism.joints  # the same motion, the same force
    assert sum(edit.kind == "break" for edit in live.result().edits) == broke + 1
    assert live.replay().state.q.tobytes() == live.state.q.tobytes()
