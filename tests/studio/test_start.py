"""The first picture: there whatever comes first, the connection or the page. On what size of screen ever."""

import pytest
from playwright.sync_api import expect

_LATE = """(() => {
    const later = window.setTimeout, begun = performance.now();
    const rest = () => Math.max(0, 1000 - (performance.now() - begun));
    window.requestAnimationFrame = react => later(() => react(performance.now()), Math.max(16, rest()));
    window.setTimeout = (react, time = 0, ...more) => later(react, Math.max(time, rest()), ...more);
})()"""


def test_bodies_are_seen_at_once(begin, sit):
    """A slow page gets its poses before it has anything to draw them with; nothing moves, so none follow."""
    desk = sit(begin("double_pendulum"), before=_LATE)
    desk.click("lower")
    assert desk.selected() == {"lower"}


_COUNT = """(() => {
    window.linked = 0;
    const link = WebGL2RenderingContext.prototype.linkProgram;
    WebGL2RenderingContext.prototype.linkProgram = function (program) { window.linked += 1; return link.call(this, program); };
})()"""


def test_nothing_is_compiled_that_is_not_seen(begin, sit):
    """Shaders take longer than all the rest of the first picture: in the plane there are no reflections, and nothing of space."""
    desk = sit(begin("double_pendulum"), before=_COUNT)
    assert desk.js("() => window.linked === studio.view.renderer.info.programs.length && window.linked > 0")
    assert desk.js("() => studio.view.among.environment === null")
    desk.key("Control+o")
    desk.press("example.heavy_top")
    desk.until("!store.scene.value.planar && studio.view.among.environment !== null")


def test_running(begin, sit):
    """An example runs, a quarter as fast as it would, with arrows of velocity and a trail."""
    desk = sit(begin("four_bar"))
    desk.press("tree.coupler")
    desk.press("selection.trail")
    desk.press("selection.velocity")
    desk.part("speed").press("Home")
    desk.press("time.play")
    desk.until_time(0.7)
    assert desk.js("() => studio.store.clock.value.factor") == 0.25
    assert desk.live._pacer.frame == 0.25 / 60  # slow motion has as many pictures a second
    desk.pause()
    desk.picture("run")


def test_view_menu_goes_away(begin, sit):
    """By Escape, which takes nothing else away, by a click elsewhere, and by a choice."""
    desk = sit(begin("double_pendulum"))
    desk.press("tree.upper")
    menu = desk.part("display.menu")
    desk.press("display")
    expect(menu).to_be_visible()
    desk.key("Escape")
    expect(menu).to_have_count(0)
    assert desk.selected() == {"upper"}
    desk.press("display")
    desk.click("lower")
    expect(menu).to_have_count(0)
    desk.press("display")
    desk.press("display.view.labels")
    expect(menu).to_have_count(0)
    assert desk.js("() => studio.store.viewOptions.value.labels")


@pytest.mark.parametrize(("width", "height"), [(900, 560), (768, 1024), (420, 800)])
def test_narrow(begin, sit, width, height):
    """In a cell of a notebook or on a tablet the picture is free; one panel at a time lies over it; nothing of the bar is cut off."""
    desk = sit(begin("double_pendulum"), size={"width": width, "height": height})
    tree, side = desk.part("tree"), desk.part("tab.solver")
    expect(tree).to_have_count(0)
    expect(side).to_have_count(0)
    for name in ("time.play", "toolbar.cut", "view.left", "view.right-panel", "view.palette"):
        box = desk.part(name).bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width
    desk.press("view.left")
    expect(tree).to_be_visible()
    desk.press("tree.lower")
    desk.press("view.right-panel")
    expect(tree).to_have_count(0)
    expect(side).to_be_visible()
    desk.page.set_viewport_size({"width": 1280, "height": 760})
    expect(tree).to_be_visible()
    expect(side).to_be_visible()
    desk.page.set_viewport_size({"width": width, "height": height})
    expect(tree).to_have_count(0)
    desk.press("view.right-panel")
    expect(side).to_be_visible()
    desk.part("canvas").click(position={"x": 20, "y": desk.part("canvas").bounding_box()["height"] - 40})
    expect(side).to_have_count(0)


class Finger:
    """One that touches the page, as the browser itself would tell."""

    def __init__(self, page):
        self._tell = page.context.new_cdp_session(page).send

    def down(self, x, y):
        self._tell("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})

    def move(self, x, y):
        self._tell("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [{"x": x, "y": y}]})

    def up(self):
        self._tell("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def test_fingers(begin, sit):
    """A finger that rests opens the menu of what is below it, also in the tree; one that rests and then moves pulls."""
    desk = sit(begin("double_pendulum"), has_touch=True)
    finger = Finger(desk.page)
    finger.down(*desk.where("elbow"))
    desk.until("store.hovered.value === 'elbow'")
    expect(desk.part("menu")).to_have_count(0)
    finger.up()
    expect(desk.part("menu.edit.cut")).to_be_visible()
    assert desk.selected() == {"elbow"}
    assert not desk.live.mechanism.forces
    desk.key("Escape")
    expect(desk.part("menu")).to_have_count(0)
    x, y = desk.where("lower")
    finger.down(x, y)
    desk.until("store.hovered.value === 'lower'")
    finger.move(x + 40, y)
    desk.until("store.clock.value.hand?.body === 'lower'")
    finger.up()
    desk.until("!store.clock.value.hand")
    expect(desk.part("menu")).to_have_count(0)
    row = desk.part("tree.upper").bounding_box()
    finger.down(row["x"] + 60, row["y"] + row["height"] / 2)
    expect(desk.part("menu.edit.duplicate")).to_be_visible()
    finger.up()
    assert desk.selected() == {"upper"}
