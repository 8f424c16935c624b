"""The scenario of the thesis (Seguy 2003, VI.5): massless rods of 1 m with 1 kg at their ends, cut apart as they swing."""

import base64
import io
import os

import numpy as np
from playwright.sync_api import expect

from .desk import IMAGES

GRAVITY = np.array([0.0, -9.81])


def _flies(result, body, start, end):
    """Positions of the centre of mass and how far they are off the parabola from a moment on; and the accelerations after it."""
    span = (result.time >= start) & (result.time <= end)
    centre, t = result[body].centre, result.time[span, None] - result.time[span][0]
    position, velocity = centre.position[span], centre.velocity[span]
    parabola = position[0] + velocity[0] * t + 0.5 * GRAVITY * t**2
    assert len(t) > 5
    return np.abs(position - parabola).max(), centre.acceleration[(result.time > start) & (result.time <= end)]


def _frames(desk):
    """The figure of the thesis, t₀ … t₁₁: the scene at twelve moments of the history, one beside the other."""
    if not os.environ.get("BIELLE_PICTURES"):
        return
    from PIL import Image

    desk.key("Escape")
    box = desk.part("canvas").bounding_box()
    desk.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    desk.page.mouse.wheel(0, 200)  # room for where it began
    desk.drawn()
    pictures = []
    for share in np.linspace(0.0, 0.99, 12):
        bar = desk.part("scrubber").bounding_box()
        desk.page.mouse.click(bar["x"] + share * (bar["width"] - 1), bar["y"] + bar["height"] / 2)
        wanted = share * desk.live.time
        there = "store.past.value !== null && store.shownTime.value === store.past.value && Math.abs(store.past.value - x) < 0.02"
        desk.until(there, wanted)
        desk.drawn()
        canvas = base64.b64decode(desk.js("() => studio.view.image()").partition(",")[2])
        pictures.append(Image.open(io.BytesIO(canvas)).convert("RGB").resize((320, 275)))
    sheet = Image.new("RGB", (4 * 324, 3 * 279), "white")
    for i, picture in enumerate(pictures):
        sheet.paste(picture, (324 * (i % 4), 279 * (i // 4)))
    sheet.save(IMAGES / "studio_thesis.png")
    desk.press("time.present")


def test_cut_by_clicks(begin, sit):
    """The elbow and then the pivot, selected and cut by the icon of the toolbar; what is freed falls on parabolas."""
    desk = sit(begin("double_pendulum"))
    desk.press("tree.lower")
    desk.press("selection.trail")
    expect(desk.part("toolbar.cut")).to_be_disabled()
    desk.click("elbow")
    expect(desk.part("toolbar.cut")).to_be_enabled()
    assert desk.selected() == {"elbow"}
    desk.press("time.play")
    desk.until_time(0.55)
    desk.press("toolbar.cut")
    desk.until_gone("elbow")
    first = desk.live.result().edits[-1].time
    desk.until_time(first + 0.15)
    desk.click("pivot")
    expect(desk.part("toolbar.cut")).to_be_enabled()
    desk.press("toolbar.cut")
    desk.until_gone("pivot")
    second = desk.live.result().edits[-1].time
    desk.until_time(second + 0.15)
    desk.pause()
    desk.key("f")
    desk.picture("cut")
    _frames(desk)
    result = desk.live.result()
    assert [edit.label for edit in result.edits] == ["remove elbow", "remove pivot"]
    for body, start in (("lower", first), ("upper", second)):
        off, acceleration = _flies(result, body, start, result.time[-1])
        # 1e-8: the integrator is exact for a parabola, what is left is rounding and the projection of the rods' lengths
        assert off < 1e-8
        assert np.abs(acceleration - GRAVITY).max() < 1e-8
    assert abs(float(result.energy.error[-1])) < 1e-6
