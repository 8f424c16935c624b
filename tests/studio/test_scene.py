"""The picture: what is framed and followed is seen, shapes are as they were drawn, and the camera stays with its mechanism."""

import numpy as np
import pytest
from playwright.sync_api import expect


def _centre(desk):
    """Of the picture, in pixels of the page."""
    box = desk.part("canvas").bounding_box()
    return np.array([box["x"] + box["width"] / 2, box["y"] + box["height"] / 2])


def _camera(desk):
    desk.drawn()
    return np.array([desk.pixel(*point) for point in np.eye(3)])


def test_what_is_followed_stays_in_the_middle(begin, sit):
    """A link of a chain that falls: the camera goes with it, frame by frame, not only when it is chosen."""
    desk = sit(begin("cut_chain"))
    name = desk.names("bodies")[-1]
    desk.part(f"tree.{name}").click()
    desk.press("selection.follow")
    desk.drawn()
    before = desk.live.now[name].centre.position[0]
    desk.press("time.play")
    desk.until_time(0.8)
    desk.pause()
    desk.until("store.clock.value.time === x", desk.live.time)
    desk.drawn()
    after = desk.live.now[name].centre.position[0]
    assert np.linalg.norm(after - before) > 0.3
    np.testing.assert_allclose(desk.pixel(*after), _centre(desk), atol=2.0)  # poses are numbers of single precision


@pytest.mark.parametrize("name", ["heavy_top", "robot_arm", "slider_crank"])
def test_what_is_framed_is_seen_whole(begin, sit, name):
    """Every end of every body is between the edges of the picture, and beside the tools."""
    desk = sit(begin(name))
    desk.key("f")
    desk.drawn()
    _is_seen_whole(desk)


_LATE_POSES = """(() => {
    const own = Object.getOwnPropertyDescriptor(WebSocket.prototype, "onmessage");
    const later = (react, event) => (typeof event.data === "string" ? react(event) : setTimeout(() => react(event), 500));
    Object.defineProperty(WebSocket.prototype, "onmessage", { set(react) { own.set.call(this, (event) => later(react, event)); } });
})()"""


def test_what_is_opened_is_seen_whole(begin, sit):
    """Though poses come after the scene: until then the description says where bodies are."""
    desk = sit(begin("double_pendulum"), before=_LATE_POSES)
    session = desk.scene()["session"]
    desk.key("Control+o")
    desk.press("example.stewart_platform")
    desk.until("store.scene.value.session !== x && studio.view.bodies.list.every(body => body.placed)", session)
    desk.drawn()
    _is_seen_whole(desk)


def _is_seen_whole(desk):
    canvas = desk.part("canvas").bounding_box()
    tools = desk.page.locator(".tools").bounding_box()
    for body in desk.live.mechanism.bodies.values():
        for primitive in body.shape.outline():
            for point in primitive.get("points", []):
                x, y = desk.pixel(*body.pose.point(np.array(point)))
                assert tools["x"] + tools["width"] < x < canvas["x"] + canvas["width"]
                assert canvas["y"] < y < canvas["y"] + canvas["height"]


def test_the_first_save_leaves_the_camera(begin, sit):
    """So does everything but another mechanism."""
    desk = sit(begin("slider_crank"))
    desk.page.mouse.move(*_centre(desk))
    desk.page.mouse.wheel(0, -300)
    seen = _camera(desk)
    desk.key("Control+s")
    desk.save_as("mine.yaml")
    np.testing.assert_allclose(_camera(desk), seen)
    session = desk.scene()["session"]
    desk.key("Control+o")
    desk.press("file.mine.yaml")
    desk.until("store.scene.value.session !== x", session)
    assert np.abs(_camera(desk) - seen).max() > 1.0


def test_a_disc_in_space_is_as_it_was_drawn(begin, sit):
    """On the ground, which is at 0, and in a front view, where it stands upright."""
    desk = sit(begin())
    expect(desk.part("start")).to_be_visible()
    desk.press("new.spatial")
    expect(desk.part("start")).to_have_count(0)
    desk.drawn()
    desk.press("tool.disc")
    desk.drag((0.0, 0.0, 0.0), (0.4, 0.0, 0.0))
    desk.until_there("disc 1")
    desk.key("Escape")
    pose = desk.live.mechanism.bodies["disc 1"].pose
    np.testing.assert_allclose(pose.position, 0.0, atol=1e-7)
    np.testing.assert_allclose(pose.rotation[:, 2], [0, 0, 1], atol=1e-12)
    desk.key("1")
    desk.drawn()
    desk.press("tool.disc")
    desk.drag((-0.6, 0.0, 0.6), (-0.4, 0.0, 0.6))
    desk.until_there("disc 2")
    desk.key("Escape")
    pose = desk.live.mechanism.bodies["disc 2"].pose
    np.testing.assert_allclose(pose.position[[0, 2]], [-0.6, 0.6], atol=1e-7)
    np.testing.assert_allclose(np.abs(pose.rotation[:, 2]), [0, 1, 0], atol=1e-12)


def test_a_load_points_where_it_acts(begin, sit):
    """The default force is along x: its arrow, on which a click means it, comes from the left to where it acts."""
    desk = sit(begin())
    desk.press("new.planar")
    expect(desk.part("start")).to_have_count(0)
    desk.drawn()
    desk.press("tool.rod")
    desk.drag((0.0, 0.0), (0.4, 0.0))
    desk.until_there("rod 1")
    desk.tool("loads", "point_force")
    desk.click_at(0.0, 0.0)
    desk.until_there("point_force 1")
    desk.key("Escape")
    desk.drawn()
    arrow, tip = np.array(desk.where("point_force 1")), np.array(desk.pixel(0.0, 0.0))
    assert arrow[0] < tip[0] - 5.0
    assert arrow[1] == pytest.approx(tip[1], abs=0.5)
    desk.click("point_force 1")
    desk.until("store.selection.value.has('point_force 1')")
