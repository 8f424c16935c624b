"""The solver, changed while it runs; and one that fails in the middle."""

import numpy as np
import pytest
from playwright.sync_api import expect

import bielle as bl


def test_another_solver_while_it_runs(begin, sit):
    """Each family in turn: time goes on, the motion does not jump."""
    desk = sit(begin("double_pendulum"))
    desk.press("tab.solver")
    desk.press("time.play")
    for family in ("recursive", "modular", "central"):
        desk.until_time(desk.live.time + 0.1)
        desk.press(f"solver.{family}")
        desk.until("store.scene.value.solver.family === x", family)
        desk.until("store.clock.value.running")
    desk.until_time(desk.live.time + 0.1)
    assert desk.live.running
    desk.pause()
    result = desk.live.result()
    place = result["lower"].centre.position
    fastest = np.linalg.norm(result["lower"].centre.velocity, axis=1).max()
    steps = np.linalg.norm(np.diff(place, axis=0), axis=1)
    assert np.all(steps <= 1.01 * fastest * np.diff(result.time) + 1e-6)


def test_a_step_that_makes_no_sense(begin, sit):
    """Refused below the field, in the engine's words; what was typed stays to be mended, and the solver is what it was."""
    desk = sit(begin("double_pendulum"))
    before = desk.live.solver
    desk.press("tab.solver")
    for typed, sentence in (("-1", "rtol"), ("abc", "is not a number")):
        box = desk.part("solver.rtol")
        box.fill(typed)
        box.press("Enter")
        expect(desk.part("solver.rtol.error")).to_contain_text(sentence)
        expect(box).to_have_value(typed)
        expect(box).to_have_attribute("aria-invalid", "true")
        assert desk.live.solver == before
    box.press("Escape")
    expect(desk.part("solver.rtol.error")).to_have_count(0)
    expect(box).to_have_value("1e-9")
    box.fill("1e-6")
    box.press("Enter")
    desk.until("store.scene.value.solver.rtol === 1e-6")
    desk.press("edit.undo")
    desk.until("store.scene.value.solver.rtol === 1e-9")
    expect(desk.part("edit.redo")).to_be_enabled()


def test_steps_of_a_body(begin, sit):
    """Those that the example gives are shown, stay when the step of the whole is changed, and can be changed themselves."""
    desk = sit(begin("stiff_and_slow"))
    desk.press("tab.solver")
    desk.part("solver.step").fill("5e-4")
    desk.part("solver.step").press("Enter")
    desk.until("store.scene.value.solver.step === 5e-4")
    desk.part("solver.tolerance").fill("1e-8")
    desk.part("solver.tolerance").press("Enter")
    desk.until("store.scene.value.solver.tolerance === 1e-8")
    assert desk.live.solver.substeps == (("sensor", 20),)
    desk.press("tab.properties")
    desk.press("tree.sensor")
    expect(desk.field("substeps")).to_have_value("20")
    desk.enter("substeps", "1.5")
    expect(desk.part("error.substeps")).to_contain_text("positive integer")
    desk.field("substeps").press("Escape")
    desk.enter("substeps", "10")
    desk.field("integrator").select_option("newmark")
    desk.until("store.scene.value.undo === 'set sensor'")
    desk.until("store.properties.value.fields.some(f => f.key === 'integrator' && f.value === 'newmark')")
    assert (desk.live.solver.substeps, desk.live.solver.integrators) == ((("sensor", 10),), (("sensor", "newmark"),))


def test_iterations_are_told(begin, sit):
    """Of methods that iterate."""
    desk = sit(begin("double_pendulum"))
    desk.press("tab.solver")
    desk.part("solver.integrator").select_option("rk4")
    desk.until("store.scene.value.solver.integrator === 'rk4'")
    desk.part("solver.formulation").select_option("index3")
    desk.until("store.scene.value.solver.formulation === 'index3'")
    desk.press("time.play")
    expect(desk.part("solver.iterations")).to_be_visible()


def _out_of_reach():
    """Two rods whose tip is led away: at 1 s they are stretched, beyond that nothing can be done."""
    m = bl.Mechanism(plane="xy", gravity=(0.0, 0.0), name="out of reach")
    m.add_body("near", bl.rod((0.0, 0.0), (0.0, 1.0), mass=1.0))
    m.add_body("far", bl.rod((0.0, 1.0), (1.0, 1.0), mass=1.0))
    m.add_joint("pivot", bl.Pin(), m.ground, "near", at=(0.0, 0.0))
    m.add_joint("elbow", bl.Pin(), "near", "far", at=(0.0, 1.0))
    m.add_joint("lead", bl.ImposedPoint(path=(bl.Polynomial((1.0, 0.8)), 1.0)), m.ground, "far", at=(1.0, 1.0))
    return m.live()


@pytest.mark.filterwarnings("default")
def test_failure_in_the_middle(begin, sit):
    """A notice says why; the session stands at the last good step and goes on when the cause is cut away."""
    desk = sit(begin(_out_of_reach()))
    desk.press("time.play")
    expect(desk.notice("error").first).to_be_visible()
    desk.until("!store.clock.value.running")
    expect(desk.notice("error").first).to_contain_text("last good step")
    stands = desk.live.time
    assert 0.0 < stands < 1.0
    assert np.isfinite(desk.live.state.q).all()
    desk.part("tree.lead").click(button="right")
    desk.press("menu.edit.cut")
    desk.until_gone("lead")
    desk.press("time.play")
    desk.until_time(stands + 0.1)
