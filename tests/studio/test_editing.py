"""Properties: typed while it runs, refused at the field in the engine's own words, and nothing changes then."""

import re

from playwright.sync_api import expect

import bielle as bl


def test_mass_while_it_runs(begin, sit):
    """A mass is what was typed, in the engine and in the form, and time goes on."""
    desk = sit(begin("interactive_pendulum"))
    desk.press("time.play")
    desk.until_time(0.1)
    desk.press("tree.lower")
    desk.enter("mass", "2.5")
    desk.until("store.scene.value.bodies.find(b => b.name === 'lower').mass === 2.5")
    assert desk.live.mechanism.bodies["lower"].shape.mass == 2.5
    desk.until("store.clock.value.running && store.clock.value.time > x", desk.live.time)
    expect(desk.field("mass")).to_have_value("2.5")
    expect(desk.part("error.mass")).to_have_count(0)


_WRONG = {
    "-3": "must be a positive finite number of kilograms, got -3.0",
    "0": "must be a positive finite number of kilograms, got 0.0",
    "NaN": "is not a number",
    "heavy": "is not a number",
    "1e400": "is not a number",
    "1e300": "",
}


def test_wrong_mass(begin, sit):
    """What the engine refuses is said at the field, stays there to be mended, and has changed nothing."""
    desk = sit(begin("interactive_pendulum"))
    before, version = desk.live.mechanism.bodies["lower"].shape, desk.live.version
    desk.press("tree.lower")
    for typed, sentence in _WRONG.items():
        desk.enter("mass", typed)
        expect(desk.part("error.mass")).to_contain_text(sentence)
        expect(desk.field("mass")).to_have_value(typed)
        expect(desk.field("mass")).to_have_attribute("aria-invalid", "true")
        assert desk.live.mechanism.bodies["lower"].shape == before
        assert desk.live.version == version
        desk.field("mass").press("Escape")
        expect(desk.part("error.mass")).to_have_count(0)
        expect(desk.field("mass")).to_have_value("1")


def test_absurd_sizes(begin, sit):
    """A rod of any length is drawn or refused; page and session go on, and undo brings back what was."""
    desk = sit(begin("interactive_pendulum"))
    before = desk.live.mechanism.bodies["lower"].shape
    desk.press("tree.lower")
    box = desk.part("field.end").locator("input").first
    for typed in ("1e9", "1e-9", "1e200", "-1e308"):
        box.fill(typed)
        box.press("Enter")
        desk.until("store.scene.value.undo !== null || document.querySelector('[data-testid=\"error.end\"]') !== null")
        if desk.scene()["undo"] is not None:
            desk.press("edit.undo")
            desk.until("store.scene.value.undo === null")
        else:
            box.press("Escape")
            expect(desk.part("error.end")).to_have_count(0)
        assert desk.live.mechanism.bodies["lower"].shape == before
    desk.press("time.play")
    desk.until_time(0.1)


def test_expressions_and_units(begin, sit):
    """A field understands 250 g; the tree renames; a slider follows."""
    desk = sit(begin("interactive_pendulum"))
    desk.press("tree.lower")
    desk.enter("mass", "250 g")
    desk.until("store.scene.value.bodies.find(b => b.name === 'lower').mass === 0.25")
    desk.part("tree.lower").dblclick()
    desk.part("rename").fill("bob")
    desk.part("rename").press("Enter")
    desk.until_there("bob")
    assert desk.live.mechanism.bodies["bob"].shape.mass == 0.25
    assert desk.live.mechanism.joints["elbow"].b == "bob"


def test_gravity_of_the_whole(begin, sit):
    """Nothing selected: the properties are the mechanism's."""
    desk = sit(begin("interactive_pendulum"))
    gravity = desk.part("field.gravity").locator("input")
    gravity.nth(1).fill("-1.62")
    gravity.nth(1).press("Enter")
    desk.until("Math.abs(store.scene.value.gravity[1] + 1.62) < 1e-12")
    assert desk.live.mechanism.gravity == (0.0, -1.62)


def test_a_vector_that_was_not_set(begin, sit):
    """Boxes for its numbers; of those that are left empty it has zeros."""
    m = bl.Mechanism(plane="xy")
    m.add_body("disc", bl.disc(0.3, mass=1.0))
    desk = sit(begin(m.live()))
    desk.press("tree.disc")
    boxes = desk.part("field.centre").locator("input")
    expect(boxes).to_have_count(2)
    boxes.first.fill("0.1")
    boxes.first.press("Enter")
    desk.until("store.scene.value.bodies[0].centre[0] === 0.1")
    assert desk.live.mechanism.bodies["disc"].shape.centre == (0.1, 0.0)
    expect(desk.part("field.centre")).to_contain_text("m")
    for box in (boxes.first, boxes.last):
        box.fill("")
    boxes.last.press("Enter")
    desk.until("store.scene.value.bodies[0].centre[0] === 0")
    assert desk.live.mechanism.bodies["disc"].shape.centre is None


def test_lock_fix_break(begin, sit):
    """The menu of the tree: lock a joint, fix a body, let a joint break; the states are shown and come true."""
    desk = sit(begin("interactive_pendulum"))
    desk.part("tree.elbow").click(button="right")
    desk.press("menu.edit.lock")
    desk.until("store.scene.value.joints.find(j => j.name === 'elbow').states.includes('locked')")
    desk.part("tree.elbow").click(button="right")
    desk.press("menu.edit.unlock")
    desk.until("!store.scene.value.joints.find(j => j.name === 'elbow').states.includes('locked')")
    desk.part("tree.lower").click(button="right")
    desk.press("menu.edit.fix")
    desk.until("store.scene.value.bodies.find(b => b.name === 'lower').fixed")
    desk.press("edit.free")
    desk.until("!store.scene.value.bodies.find(b => b.name === 'lower').fixed")
    desk.part("tree.pivot").click(button="right")
    desk.press("menu.edit.breaks")
    desk.part("breaks.limit").fill("15")
    desk.press("breaks.ok")
    desk.until("store.scene.value.joints.find(j => j.name === 'pivot').states.includes('breakable')")
    desk.press("time.play")
    desk.until("!store.scene.value.joints.some(j => j.name === 'pivot' && !j.states.includes('broken'))")
    assert "pivot" not in desk.live.mechanism.joints
    desk.press("time.play")
    expect(desk.part("tree.broken.pivot")).to_have_attribute("title", re.compile("broke at"))
    desk.press("tree.restore.pivot")
    desk.until_there("pivot")
    expect(desk.part("tree.broken.pivot")).to_have_count(0)
    expect(desk.notice("error")).to_have_count(0)


def test_other_kinds(begin, sit):
    """The menu changes the type of a joint and the coordinates of a body."""
    desk = sit(begin("interactive_pendulum"))
    desk.part("tree.elbow").click(button="right")
    desk.press("menu.edit.retype")
    desk.press("menu.retype.rigid")
    desk.until("store.scene.value.joints.find(j => j.name === 'elbow').kind === 'rigid'")
    desk.part("tree.lower").click(button="right")
    desk.press("menu.edit.retype")
    desk.press("menu.retype.bar")
    desk.until("store.scene.value.bodies.find(b => b.name === 'lower').coordinates === 'bar'")
    expect(desk.notice("error")).to_have_count(0)
