"""Mechanisms from nothing, with the mouse: drawn, joined, run, undone to nothing and done again."""

import numpy as np
import pytest
from playwright.sync_api import expect


def _new(desk, kind="planar"):
    expect(desk.part("start")).to_be_visible()
    desk.press(f"new.{kind}")
    expect(desk.part("start")).to_have_count(0)
    desk.drawn()


def _shape(desk, tool, start, end, name):
    desk.press(f"tool.{tool}")
    desk.drag(start, end)
    desk.until_there(name)
    desk.key("Escape")


def _while_there(values):
    """Without the samples from before the body was drawn."""
    return values[~np.isnan(values.reshape(len(values), -1)).any(axis=1)]


def _double_pendulum(desk):
    _shape(desk, "rod", (-0.4, 0.3), (0.0, 0.3), "rod 1")
    _shape(desk, "rod", (0.0, 0.3), (0.3, 0.3), "rod 2")
    desk.connect("hinges", "pin", (-0.4, 0.3), (-0.4, 0.3), "pin 1")
    desk.connect("hinges", "pin", (0.0, 0.3), (0.0, 0.3), "pin 2")


def test_double_pendulum(begin, sit):
    """Ends are where they were drawn, the joints join what was clicked, and it swings without losing energy."""
    desk = sit(begin())
    _new(desk)
    _double_pendulum(desk)
    m = desk.live.mechanism
    np.testing.assert_allclose([m.bodies["rod 1"].shape.start, m.bodies["rod 1"].shape.end], [(-0.4, 0.3), (0.0, 0.3)], atol=1e-7)
    assert {m.joints["pin 1"].a, m.joints["pin 1"].b} == {"rod 1", "ground"}
    assert {m.joints["pin 2"].a, m.joints["pin 2"].b} == {"rod 1", "rod 2"}
    desk.press("tab.report")
    expect(desk.part("report.dof")).to_have_text("2")
    desk.press("time.play")
    desk.until_time(1.0)
    desk.pause()
    result = desk.live.result()
    assert np.ptp(_while_there(result["rod 2"].centre.position[:, 1])) > 0.1
    assert np.abs(result.energy.error).max() < 1e-6  # the default integrator: rtol 1e-8 in some hundred steps


def test_slider_crank(begin, sit):
    """A crank, a rod, a block: one degree of freedom, and the block stays on its line."""
    desk = sit(begin())
    _new(desk)
    _shape(desk, "rod", (-0.4, 0.0), (-0.3, 0.2), "rod 1")
    _shape(desk, "rod", (-0.3, 0.2), (0.3, 0.0), "rod 2")
    _shape(desk, "box", (0.2, -0.1), (0.4, 0.1), "box 1")
    desk.connect("hinges", "pin", (-0.4, 0.0), (-0.4, 0.0), "pin 1")
    desk.connect("hinges", "pin", (-0.3, 0.2), (-0.3, 0.2), "pin 2")
    desk.connect("hinges", "pin", (0.3, 0.0), (0.3, 0.0), "pin 3")
    desk.connect("slides", "slider", (0.375, 0.0), (0.6, 0.0), "slider 1")
    joined = [{joint.a, joint.b} for joint in desk.live.mechanism.joints.values()]
    assert joined == [{"ground", "rod 1"}, {"rod 1", "rod 2"}, {"rod 2", "box 1"}, {"ground", "box 1"}]
    desk.press("tab.report")
    expect(desk.part("report.dof")).to_have_text("1")
    desk.press("time.play")
    desk.until_time(1.0)
    desk.pause()
    result = desk.live.result()
    position = _while_there(result["box 1"].centre.position)
    assert np.ptp(position[:, 0]) > 0.05
    assert np.abs(position[:, 1]).max() < 1e-7  # closed joints, and the tenth of a micrometre that a pointer can mean
    assert np.abs(result.energy.error).max() < 1e-6
    expect(desk.part("gauge.energy")).to_have_attribute("data-grade", "good")
    desk.picture("build")


def test_undo_to_nothing_and_redo(begin, sit):
    """Undo goes back to the empty plane, state and topology together; redo brings all of it again."""
    desk = sit(begin())
    _new(desk)
    _double_pendulum(desk)
    everything = desk.live.describe()
    while desk.scene()["undo"] is not None:
        version = desk.scene()["version"]
        desk.key("Control+z")
        desk.until("store.scene.value.version !== x", version)
    assert desk.names("bodies") == desk.names("joints") == []
    assert not desk.live.mechanism.bodies
    while desk.scene()["redo"] is not None:
        version = desk.scene()["version"]
        desk.key("Control+Shift+z")
        desk.until("store.scene.value.version !== x", version)
    assert desk.names("bodies") == ["rod 1", "rod 2"]
    assert desk.live.describe() == everything


def test_gap_closes_gently(begin, sit):
    """A joint between points that are apart: the gap is shown, then it closes."""
    desk = sit(begin())
    _new(desk)
    _shape(desk, "rod", (-0.4, 0.3), (0.0, 0.3), "rod 1")
    desk.tool("hinges", "pin")
    desk.click_at(-0.4, 0.3)
    desk.page.mouse.move(*desk.pixel(-0.4, 0.0), steps=3)
    expect(desk.page.locator(".view-over")).to_contain_text("gap 0.3 m")
    desk.page.mouse.click(*desk.pixel(-0.4, 0.0))
    desk.until_there("pin 1")
    assert "closing" in desk.scene()["joints"][0]["states"]
    desk.key("Escape")
    desk.press("time.play")
    desk.until("!store.scene.value.joints[0].states.includes('closing')")
    assert not desk.live.closing
    assert float(desk.live.now.violation[0]) < 1e-6


def test_spring_and_motor(begin, sit):
    """Forces between bodies, and a motor in a joint that is clicked."""
    desk = sit(begin())
    _new(desk)
    _double_pendulum(desk)
    desk.connect("springs", "spring", (0.3, 0.3), (0.3, 0.0), "spring 1")
    desk.press("tools.motors")
    desk.press("tool.motor")
    desk.click("pin 1")
    desk.until_there("motor 1")
    m = desk.live.mechanism
    assert {m.forces["spring 1"].a, m.forces["spring 1"].b} == {"rod 2", "ground"}
    assert m.forces["motor 1"].joint == "pin 1"
    desk.press("time.play")
    desk.until_time(0.3)


def test_shapes_in_space(begin, sit):
    """Every shape of the palette, in space; what is drawn there has round numbers too."""
    desk = sit(begin())
    _new(desk, "spatial")
    for i, tool in enumerate(("rod", "box", "disc", "capsule", "cylinder", "sphere")):
        x = -0.5 + 0.2 * i
        _shape(desk, tool, (x, -0.2), (x + 0.1, 0.0), f"{tool} 1")
    assert len(desk.live.mechanism.bodies) == 6
    desk.press("time.play")
    desk.until_time(0.1)


def test_an_extrusion_gets_its_thickness_by_the_pointer(begin, sit):
    """Moved up from the polygon, which lies on the ground; or later, in its properties."""
    desk = sit(begin())
    _new(desk, "spatial")
    desk.press("tool.polygon")
    for corner in ((-0.4, -0.2), (0.2, -0.2), (-0.1, 0.3)):
        desk.click_at(*corner)
    desk.key("Enter")
    expect(desk.part("canvas").locator("xpath=..").locator(".badge.hint")).to_contain_text("thickness")
    desk.until("studio.store.hint.value.includes('thickness')")
    desk.page.mouse.move(*np.subtract(desk.pixel(-0.1, 0.3), (0, 60)), steps=4)
    desk.page.mouse.click(*np.subtract(desk.pixel(-0.1, 0.3), (0, 60)))
    desk.until_there("extrusion 1")
    body = desk.live.mechanism.bodies["extrusion 1"]
    thickness = body.shape.thickness
    assert thickness > 0.1
    assert body.position[2] == pytest.approx(thickness / 2, abs=1e-7)  # it stands on the ground
    desk.key("Escape")
    desk.press("tree.extrusion 1")
    desk.enter("thickness", "0.25")
    desk.wait_for(lambda: desk.live.mechanism.bodies["extrusion 1"].shape.thickness == 0.25)
    desk.press("edit.undo")
    desk.wait_for(lambda: desk.live.mechanism.bodies["extrusion 1"].shape.thickness == thickness)
    desk.press("edit.undo")
    desk.until_gone("extrusion 1")
    desk.press("tool.polygon")
    for corner in ((-0.4, -0.2), (0.2, -0.2), (-0.1, 0.3)):
        desk.click_at(*corner)
    desk.key("Enter")
    desk.key("Enter")  # as it is
    desk.until_there("extrusion 1")
    body = desk.live.mechanism.bodies["extrusion 1"]
    assert 0.0 < body.shape.thickness < 0.1
    assert body.position[2] == pytest.approx(0.0, abs=1e-7)


def test_polygon_and_copies(begin, sit):
    """A polygon by its corners, an array of it, a mirrored one."""
    desk = sit(begin())
    _new(desk)
    desk.press("tool.polygon")
    for corner in ((-0.5, 0.0), (-0.3, 0.0), (-0.4, 0.2)):
        desk.click_at(*corner)
    desk.key("Enter")
    desk.until_there("extrusion 1")
    desk.key("Escape")
    desk.press("tree.extrusion 1")
    desk.key("Control+d")
    desk.until("store.scene.value.bodies.length === 2")
    desk.press("tree.extrusion 1")
    desk.part("tree.extrusion 1").click(button="right")
    desk.press("menu.edit.mirror")
    desk.press("mirror.x")
    desk.until("store.scene.value.bodies.length === 3")
    centres = sorted(float(desk.live.result()[name].centre.position[-1, 0]) for name in desk.live.mechanism.bodies)
    assert abs(centres[-1] - 0.4) < 1e-6
    assert abs(centres[0] + 0.4) < 1e-6


def test_dialogs_say_what_is_refused(begin, sit):
    """In the dialog, at its field, which stays open; nothing has changed then. The limit of a joint is shown as it is."""
    desk = sit(begin("double_pendulum"))
    desk.press("tree.elbow")
    desk.press("edit.breaks")
    expect(desk.part("breaks.present")).to_have_text("It does not break now.")
    desk.part("breaks.limit").fill("-5")
    desk.press("breaks.ok")
    expect(desk.part("refusal")).to_contain_text("-5")
    expect(desk.part("breaks.limit")).to_have_attribute("aria-invalid", "true")
    desk.picture("refused")
    desk.part("breaks.limit").fill("250")
    expect(desk.part("refusal")).to_have_count(0)
    desk.press("breaks.ok")
    expect(desk.part("breaks.limit")).to_have_count(0)
    desk.until("store.scene.value.events.length === 1")
    desk.press("edit.breaks")
    expect(desk.part("breaks.limit")).to_have_value("250")
    expect(desk.part("breaks.present")).to_have_text("It breaks at 250 N now.")
    desk.key("Escape")
    desk.press("tree.lower")
    desk.part("tree.lower").click(button="right")
    desk.press("menu.edit.array")
    desk.part("array.count").fill("1e9")
    desk.press("array.ok")
    expect(desk.part("refusal")).to_contain_text("Between 1 and 1000 bodies")
    desk.key("Escape")
    expect(desk.notice("error")).to_have_count(0)
    assert desk.names("bodies") == ["upper", "lower"]


def test_mirror_in_space(begin, sit):
    """A copy behind the plane x = 0."""
    desk = sit(begin("spatial_double_pendulum"))
    before = list(desk.live.mechanism.bodies)
    body = before[0]
    desk.press(f"tree.{body}")
    desk.part(f"tree.{body}").click(button="right")
    desk.press("menu.edit.mirror")
    desk.press("mirror.x")
    desk.until("store.scene.value.bodies.length === x", len(before) + 1)
    (made,) = set(desk.live.mechanism.bodies) - set(before)
    image = desk.live[body].position * [-1.0, 1.0, 1.0]
    np.testing.assert_allclose(desk.live[made].position, image, rtol=0, atol=1e-15)  # rounding of numbers of size one
