"""Properties: typed while it runs, refused at the field in the engine's own words, and nothing changes then."""

import re
import threading

from playwright.sync_api import expect

import bielle as bl
from bielle.live.journal import Edit


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
    desk.part("field.mass").hover()
    desk.press("slider-toggle.mass")
    desk.until_time(0.6)
    desk.pause()
    desk.picture("mass")


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


def _slide(desk, testid, share):
    """Drag a slider to a part of its way, as a hand does: over places in between."""
    slider = desk.part(testid)
    slider.scroll_into_view_if_needed()
    box = slider.bounding_box()
    middle = box["y"] + box["height"] / 2
    desk.page.mouse.move(box["x"] + box["width"] / 2, middle)
    desk.page.mouse.down()
    desk.page.mouse.move(box["x"] + share * box["width"], middle, steps=6)
    desk.page.mouse.up()


def test_sliders_for_any_number(begin, sit):
    """A mass, a part of a vector, an option of the solver: what is dragged to comes true on the way, and is one step to undo."""
    desk = sit(begin("interactive_pendulum"))
    desk.press("tree.lower")
    desk.part("field.mass").hover()
    desk.press("slider-toggle.mass")
    _slide(desk, "slider.mass", 0.9)
    desk.until("store.scene.value.bodies.find(b => b.name === 'lower').mass > 1.5")
    desk.part("field.end").hover()
    desk.press("slider-toggle.end")
    start = desk.live.mechanism.bodies["lower"].shape.end
    _slide(desk, "slider.end.x", 0.6)
    desk.until("Number(document.querySelector('#field-end').value) > x", start[0])
    end = desk.live.mechanism.bodies["lower"].shape.end
    assert end[0] > start[0]
    assert end[1] == start[1]  # the other part stays
    desk.press("tab.solver")
    before = desk.live.solver.rtol
    desk.part("solver.rtol").hover()
    desk.press("slider-toggle.solver.rtol")
    _slide(desk, "slider.solver.rtol", 0.9)
    desk.until("store.scene.value.solver.rtol > x", 10 * before)
    expect(desk.part("solver.rtol.error")).to_have_count(0)
    desk.wait_for(lambda: desk.scene()["solver"]["rtol"] == desk.live.solver.rtol)
    desk.press("edit.undo")
    desk.until("store.scene.value.solver.rtol === x", before)
    desk.press("edit.undo")
    desk.until("store.scene.value.bodies.find(b => b.name === 'lower').mass > 1.5")
    desk.wait_for(lambda: desk.live.mechanism.bodies["lower"].shape.end == start)
    desk.press("edit.undo")
    desk.until("store.scene.value.bodies.find(b => b.name === 'lower').mass === 1")


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
    desk.until("store.scene.value.joints.find(j => j.name === 'pivot').states.includes('breakable')")  # as it was
    expect(desk.part("tree.broken.pivot")).to_have_count(0)
    expect(desk.notice("error")).to_have_count(0)


def test_answers_that_come_late(begin, sit):
    """Whoever has gone on meanwhile keeps what is selected and the dialog that is open; Enter and to leave the field send once."""
    desk = sit(begin("interactive_pendulum"))
    bench, gates = desk.studio.bench, []

    def hold():
        gates.append(threading.Event())
        bench.do(lambda _, gate=gates[-1]: gate.wait(60))

    def let_go(then):
        gates[-1].set()
        desk.until(then)
        desk.js("() => studio.link.request({ do: 'files' })")  # answered after all that was asked for before

    desk.part("tree.upper").click(button="right")
    hold()
    desk.press("menu.edit.sensor")
    desk.press("tree.lower")
    let_go("store.scene.value.frames.length === 1")
    assert desk.selected() == {"lower"}
    expect(desk.field("mass")).to_have_value("1")
    hold()
    desk.enter("mass", "2.5")
    desk.field("mass").press("Tab")
    let_go("store.scene.value.bodies.find(b => b.name === 'lower').mass === 2.5")
    assert sum(isinstance(entry, Edit) and entry.label == "set lower" for entry in desk.live.journal.entries) == 1
    desk.press("tree.elbow")
    desk.press("edit.breaks")
    desk.part("breaks.limit").fill("250")
    hold()
    desk.press("breaks.ok")
    desk.key("Escape")
    expect(desk.part("breaks.limit")).to_have_count(0)
    desk.key("Control+k")
    expect(desk.part("palette.input")).to_be_visible()
    let_go("store.scene.value.events.length === 1")
    expect(desk.part("palette.input")).to_be_visible()


def test_two_presses_before_an_answer(begin, sit):
    """Run and pause again: the second means the opposite of the first, however late the answer to that is."""
    desk = sit(begin("interactive_pendulum"))
    gate = threading.Event()
    desk.studio.bench.do(lambda _: gate.wait(60))
    desk.js("() => { window.seen = []; studio.store.running.subscribe(running => window.seen.push(running)); }")
    desk.key("Space")
    desk.key("Space")
    gate.set()
    desk.until("window.seen.join() === 'false,true,false'")
    assert not desk.live.running
    desk.key("Space")
    desk.until("store.clock.value.running")


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
