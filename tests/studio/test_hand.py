"""Ctrl+drag: a body follows the pointer on a spring that is drawn with its force."""

import numpy as np
from playwright.sync_api import expect


def test_pull_a_body(begin, sit):
    """It comes to where the pointer is, as near as its weight lets it; let go, it swings again."""
    desk = sit(begin("double_pendulum"))
    mouse = desk.page.mouse
    start = desk.pixel(1.0, -0.9)
    mouse.move(*start)
    desk.page.keyboard.down("Control")
    mouse.down()
    desk.page.keyboard.up("Control")
    desk.until("store.clock.value.hand !== null && store.clock.value.hand.body === 'lower'")
    desk.key("Space")
    to = desk.pixel(0.55, -0.75)
    mouse.move(*to, steps=8)
    desk.until("store.clock.value.time > 0.5 && store.clock.value.hand.force > 0.1")
    # it hangs on the spring: nearer to the pointer than it was by far
    desk.until("Math.hypot(...[0, 1].map(i => store.clock.value.hand.from[i] - [0.55, -0.75][i])) < 0.2")
    expect(desk.page.locator(".status .gauge[title='Force of the hand']")).to_contain_text("N")
    mouse.move(*desk.pixel(1.6, -0.3), steps=2)
    desk.until("store.clock.value.hand.to[0] > 1.5")
    desk.picture("grab")
    mouse.up()
    desk.until("store.clock.value.hand === null")
    assert not [name for name in desk.live.mechanism.forces]
    moment = desk.live.time
    desk.until_time(moment + 0.1)
    desk.key("Space")
    desk.until("!store.clock.value.running")
    assert np.isfinite(desk.live.result()["lower"].centre.position).all()


def test_one_pull_is_one_step_to_undo(begin, sit):
    """However often the pointer moves meanwhile."""
    desk = sit(begin("double_pendulum"))
    mouse = desk.page.mouse
    undo = len(desk.live._undo)
    mouse.move(*desk.pixel(1.0, -0.9))
    desk.page.keyboard.down("Control")
    mouse.down()
    desk.page.keyboard.up("Control")
    desk.until("store.clock.value.hand !== null")
    desk.key("Space")
    mouse.move(*desk.pixel(0.55, -0.75), steps=30)
    desk.until_time(0.2)
    desk.until("store.clock.value.hand.to[0] < 0.6")
    mouse.up()
    desk.until("store.clock.value.hand === null")
    desk.key("Space")
    desk.until("!store.clock.value.running")
    assert len(desk.live._undo) == undo + 1
    assert len(desk.live.result().segments) == 3  # before, with the hand, and without it
    desk.key("Control+z")
    desk.until("store.clock.value.time === 0 && store.clock.value.hand === null")
    assert len(desk.live._undo) == undo


def test_held_by_a_page_that_closes(begin, sit):
    """Whoever leaves lets go."""
    studio = begin("double_pendulum")
    desk, other = sit(studio), sit(studio)
    desk.page.mouse.move(*desk.pixel(1.0, -0.9))
    desk.page.keyboard.down("Control")
    desk.page.mouse.down()
    other.until("store.clock.value.hand !== null")
    desk.page.goto("about:blank")
    other.until("store.clock.value.hand === null && store.clock.value.control === 'me'")
    assert not studio.bench.live.mechanism.forces
