"""Events: made from the menu of a component, listed, marked on the time line, removed."""

import pytest
from playwright.sync_api import expect


def await_from(desk, name, quantity, than, limit, does, target=None):
    """Right click, "When …", and what the dialog asks for."""
    desk.part(f"tree.{name}").click(button="right")
    desk.press("menu.edit.when")
    desk.part("when.quantity").select_option(quantity)
    desk.part("when.than").select_option(than)
    desk.part("when.limit").fill(limit)
    desk.part("when.does").select_option(does)
    if target is not None:
        desk.part("when.target").select_option(target)
    desk.press("when.ok")
    expect(desk.part("dialog")).to_have_count(0)


def test_pause(begin, sit):
    """Time stands still at the very instant; the event is marked on the time line and no longer awaited."""
    desk = sit(begin("interactive_pendulum"))
    await_from(desk, "lower", "lower.position.y", "below", "-0.5", "pause")
    row = desk.part("tree.lower.position.y < -0.5")
    expect(row).to_have_attribute("title", "Event: lower.position.y < -0.5: pause (pause)")
    desk.press("time.play")
    desk.until("!store.clock.value.running && store.clock.value.time > 0")
    assert desk.live["lower"].position[1] == pytest.approx(-0.5, abs=1e-9)
    expect(row).to_have_count(0)
    desk.until("store.scene.value.marks.some(mark => mark.kind === 'event' && mark.label === 'lower.position.y < -0.5')")
    expect(desk.page.locator(".mark.event")).to_have_count(1)
    stood = desk.live.time
    desk.press("time.play")
    desk.until_time(stood + 0.05)


def test_cut_another_joint(begin, sit):
    """What is watched and what is cut need not be the same; undo brings both back."""
    desk = sit(begin("interactive_pendulum"))
    await_from(desk, "lower", "lower.position.y", "below", "-0.5", "cut", "elbow")
    desk.press("time.play")
    desk.until_gone("elbow")
    desk.press("time.play")
    desk.press("edit.undo")
    desk.until_there("elbow")


def test_removed_from_its_menu(begin, sit):
    desk = sit(begin("interactive_pendulum"))
    await_from(desk, "elbow", "elbow.force", "above", "1e6", "lock")
    name = "elbow.force > 1e+06"
    assert desk.live.events[name].does == "lock elbow"
    desk.part(f"tree.{name}").click(button="right")
    desk.press("menu.edit.delete")
    expect(desk.part(f"tree.{name}")).to_have_count(0)
    assert not desk.live.events
    desk.press("edit.undo")
    expect(desk.part(f"tree.{name}")).to_have_count(1)
    assert [*desk.live.events] == [name]


def test_another_limit(begin, sit):
    """The properties of an event."""
    desk = sit(begin("interactive_pendulum"))
    await_from(desk, "elbow", "elbow.force", "above", "500", "mark")
    desk.press("tree.elbow.force > 500")
    desk.enter("limit", "1 kN")
    expect(desk.part("tree.elbow.force > 1000")).to_have_attribute("aria-selected", "true")
    expect(desk.field("limit")).to_have_value("1000")
    (event,) = desk.live.events.values()
    assert event.watch.threshold == 1000.0


def test_a_sensor_where_one_points(begin, sit):
    """A frame is what bielle measures with; it is where the menu was opened, and has an accelerometer to plot."""
    desk = sit(begin("interactive_pendulum"))
    place = desk.where("upper")
    desk.click("upper", button="right")
    desk.press("menu.edit.sensor")
    desk.until("store.selection.value.has('frame 1')")
    frame = desk.live.mechanism.frames["frame 1"]
    assert frame.body == "upper"
    assert desk.pixel(*desk.live["frame 1"].position) == pytest.approx(place, abs=2.0)
    desk.part("tree.frame 1").click(button="right")
    desk.press("menu.selection.plot")
    desk.press("menu.plot.frame 1.accelerometer.y")
    desk.until("Object.keys(store.series.value.values).includes('frame 1.accelerometer.y')")
