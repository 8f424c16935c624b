"""The first picture: there whatever comes first, the connection or the page."""

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
    desk.press("time.play")
    desk.until("!store.clock.value.running")
    desk.picture("run")
