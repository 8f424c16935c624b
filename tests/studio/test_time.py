"""Keys, the history, plots."""

import asyncio

import numpy as np
from playwright.sync_api import expect

from ..studio_server.test_branching import Gate


def test_keys(begin, sit):
    """Space, arrows, Backspace, undo, Delete, views, lists."""
    desk = sit(begin("interactive_pendulum"))
    desk.key("Space")
    desk.until("store.clock.value.running && store.clock.value.time > 0.2")
    desk.key("Space")
    desk.until("!store.clock.value.running")
    before = desk.live.time
    desk.key("ArrowRight")
    desk.until("store.clock.value.time > x", before)
    desk.key("ArrowLeft")
    desk.until("store.past.value !== null")
    expect(desk.part("badge.past")).to_be_visible()
    desk.key("End")
    desk.until("store.past.value === null")
    desk.key("Control+a")
    assert desk.selected() == {"upper", "lower"}
    desk.key("Escape")
    assert desk.selected() == set()
    desk.press("tree.lower")
    desk.key("Delete")
    desk.until_gone("lower", "elbow")
    desk.key("Control+z")
    desk.until_there("lower", "elbow")
    desk.key("Control+y")
    desk.until_gone("lower")
    desk.key("Control+z")
    desk.until_there("lower")
    desk.key("Backspace")
    desk.until("store.clock.value.time === 0")
    desk.key("r")
    desk.until("store.tool.value?.make === 'rod'")
    desk.key("Escape")
    desk.until("store.tool.value === null")
    desk.key("g")
    desk.until("!store.viewOptions.value.grid")
    desk.key("g")
    desk.key("?")
    expect(desk.part("help")).to_be_visible()
    desk.key("Escape")
    expect(desk.part("help")).to_have_count(0)
    desk.key("Control+k")
    desk.part("palette.input").fill("isometric")
    expect(desk.part("palette.view.iso")).to_be_visible()
    desk.key("Escape")
    expect(desk.part("palette.input")).to_have_count(0)


def _scrub(desk, share):
    box = desk.part("scrubber").bounding_box()
    desk.page.mouse.click(box["x"] + share * box["width"], box["y"] + box["height"] / 2)


def test_undo_brings_back_the_moment(begin, sit):
    """Time, positions and topology of before the cut, to the bit; redo goes forward to where undo was pressed."""
    desk = sit(begin("interactive_pendulum"))
    desk.press("time.play")
    desk.until_time(0.5)
    desk.pause()
    then = desk.live.time, desk.live.state.q.tobytes()
    desk.click("elbow")
    desk.press("toolbar.cut")
    desk.until_gone("elbow")
    desk.press("time.play")
    desk.until_time(then[0] + 0.2)
    desk.pause()
    desk.key("f")
    now = desk.live.time, desk.live.state.q.tobytes()

    def undo():
        desk.key("Control+z")
        desk.until("store.scene.value.joints.length === 2 && store.clock.value.time === x", then[0])
        desk.until("store.shownTime.value === x", then[0])

    desk.before_and_after("undo", undo)
    assert (desk.live.time, desk.live.state.q.tobytes()) == then
    desk.key("Control+Shift+z")
    desk.until("store.scene.value.joints.length === 1 && store.clock.value.time === x", now[0])
    assert (desk.live.time, desk.live.state.q.tobytes()) == now


def test_into_the_past_and_on_from_there(begin, sit):
    """The bar shows the joint before it was cut, and goes on from there as if it never had been."""
    desk = sit(begin("interactive_pendulum"))
    desk.press("time.play")
    desk.until_time(0.5)
    desk.part("tree.elbow").click(button="right")
    desk.press("menu.edit.cut")
    desk.until_gone("elbow")
    cut = desk.live.result().edits[-1].time
    desk.until_time(2 * cut)
    desk.pause()
    end = desk.live.time
    assert desk.part("mark").count() == 1
    _scrub(desk, 0.5 * cut / end)
    desk.until("store.past.value !== null && store.scene.value.joints.length === 2")
    expect(desk.part("badge.past")).to_be_visible()
    shown = desk.js("() => studio.store.past.value")
    assert abs(shown - 0.5 * cut) < 0.02  # samples are 0.01 s apart
    _scrub(desk, 0.9)
    desk.until("store.past.value > x && store.scene.value.joints.length === 1", cut)
    assert desk.live.time == end  # looking changes nothing
    _scrub(desk, 0.5 * cut / end)
    desk.until("store.past.value !== null && store.scene.value.joints.length === 2")
    shown = desk.js("() => studio.store.past.value")
    desk.press("time.branch")
    desk.until("store.past.value === null && store.scene.value.joints.length === 2")
    assert desk.live.time < cut
    assert abs(desk.live.time - shown) < 0.02
    desk.press("time.play")
    desk.until_time(cut + 0.1)
    assert "elbow" in desk.live.mechanism.joints


def test_a_trail_is_the_recorded_path(begin, sit):
    """Of what was before it was switched on as well, up to the moment that is looked at, and after a lost connection."""
    studio = begin("interactive_pendulum")
    desk = sit(studio, expected=("WebSocket",))
    desk.press("time.play")
    desk.until_time(1.0)
    desk.pause()
    desk.press("tree.lower")
    desk.press("selection.trail")
    samples = len(desk.live.result().time)
    desk.until("studio.view.trail('lower') >= x", samples)
    whole = desk.js("() => studio.view.trail('lower')")
    _scrub(desk, 0.5)
    desk.until("store.past.value !== null && studio.view.trail('lower') < 0.7 * x && studio.view.trail('lower') > 0.3 * x", whole)
    desk.key("End")
    desk.until("store.past.value === null && studio.view.trail('lower') === x", whole)
    desk.js("() => { window.before = studio.store.hello.value; }")
    (viewer,) = studio.server.viewers.values()
    asyncio.run_coroutine_threadsafe(viewer._socket.close(), studio.server._loop).result(30)
    desk.until("store.hello.value !== window.before")
    desk.press("time.play")
    desk.until_time(desk.live.time + 0.2)
    desk.pause()
    desk.until("studio.view.trail('lower') > x", whole + 10)
    desk.key("Control+z")  # nothing to undo: it stays
    desk.press("time.reset")
    desk.until("store.clock.value.time === 0 && studio.view.trail('lower') <= 2")


def test_the_past_as_it_was(begin, sit):
    """Properties of then, of a joint that is gone since as well; the report says that it is of the present; buttons cover no panel."""
    desk = sit(begin("interactive_pendulum"))
    desk.press("time.play")
    desk.until_time(0.5)
    desk.press("tree.lower")
    desk.enter("mass", "2.5")
    desk.until("store.scene.value.bodies.find(b => b.name === 'lower').mass === 2.5")
    desk.part("tree.elbow").click(button="right")
    desk.press("menu.edit.cut")
    desk.until_gone("elbow")
    desk.until_time(2 * desk.live.result().edits[-1].time)
    desk.pause()
    _scrub(desk, 0.1)
    desk.until("store.past.value !== null && store.scene.value.joints.length === 2")
    desk.press("tree.lower")
    expect(desk.part("properties.past")).to_contain_text("As it was at")
    expect(desk.part("field.mass").locator("output")).to_have_text("1")
    desk.press("tree.elbow")
    expect(desk.part("properties")).to_contain_text("Pin")
    buttons, panel = desk.page.locator(".past-actions").bounding_box(), desk.part("properties").bounding_box()
    assert buttons["x"] + buttons["width"] < panel["x"]
    desk.part("tree.elbow").click(button="right")
    desk.part("menu.selection.plot").hover()
    desk.part("submenu").locator("button").first.click()
    desk.until("store.series.value.t.length > 3")
    desk.press("tab.report")
    expect(desk.part("report.present")).to_be_visible()
    expect(desk.notice("error")).to_have_count(0)
    desk.press("time.present")
    expect(desk.part("report.present")).to_have_count(0)


def test_going_back_can_be_cancelled(begin, sit, monkeypatch):
    """While a moment is computed again the page says how far that is, and everything goes on; cancelled, nothing has changed."""
    replay = Gate(monkeypatch)
    desk = sit(begin("interactive_pendulum"))
    desk.press("time.play")
    desk.until_time(0.5)
    _scrub(desk, 0.2)
    desk.until("store.past.value !== null")
    before = desk.live
    desk.press("time.branch")
    banner = desk.part("banner.branching")
    expect(banner).to_contain_text("Going back to")
    expect(banner.locator("progress")).to_have_attribute("value", "0.25")
    expect(desk.part("time.branch")).to_be_disabled()
    desk.until_time(before.time + 0.1)
    desk.press("branch.cancel")
    desk.noticed("info", "Cancelled")
    expect(banner).to_have_count(0)
    assert desk.live is before
    replay.open.set()
    desk.press("time.branch")
    desk.until("store.past.value === null")
    assert desk.live is not before


def test_plot_by_a_click(begin, sit):
    """A quantity from the menu of a body: the past first, then live; what is drawn is what was computed."""
    desk = sit(begin("interactive_pendulum"))
    desk.press("time.play")
    desk.until_time(0.3)
    desk.part("tree.lower").click(button="right")
    desk.part("menu.selection.plot").hover()
    desk.press("menu.plot.lower.position.y")
    desk.until("store.series.value.t.length > 5")
    expect(desk.part("plot.1")).to_contain_text("position y")
    length = desk.js("() => studio.store.series.value.t.length")
    desk.until("store.series.value.t.length > x + 5", length)
    desk.press("plot.more")
    desk.press("picker.upper")
    desk.press("quantity.upper.position.y")
    desk.until("(store.series.value.values['upper.position.y'] ?? []).length > 5")
    desk.until_time(1.2)
    desk.pause()
    desk.picture("plot")
    series = desk.js("() => studio.store.series.value")
    result = desk.live.result()
    drawn = np.array(series["values"]["lower.position.y"], dtype=float)
    assert np.all(np.diff(series["t"]) >= 0)
    # between samples that are 0.01 s apart the result is interpolated linearly: h²/8 of the largest acceleration
    slack = 0.01**2 / 8 * np.abs(result["lower"].acceleration).max()
    assert np.abs(drawn - np.interp(series["t"], result.time, result["lower"].position[:, 1])).max() <= slack


def test_plot_survives_a_cut(begin, sit):
    """A quantity of a joint that is gone stops; the page does not."""
    desk = sit(begin("interactive_pendulum"))
    desk.press("time.play")
    desk.until_time(0.1)
    desk.part("tree.elbow").click(button="right")
    desk.part("menu.selection.plot").hover()
    desk.part("submenu").locator("button").first.click()
    desk.until("store.series.value.t.length > 3")
    desk.part("tree.elbow").click(button="right")
    desk.press("menu.edit.cut")
    desk.until_gone("elbow")
    desk.until_time(desk.live.time + 0.3)
    expect(desk.notice("error")).to_have_count(0)
