"""Several browsers at one session, and connections that are lost."""

import asyncio

from playwright.sync_api import expect


def test_two_browsers(begin, sit):
    """One edits, the other sees it; who looks on cannot edit until the control is theirs."""
    studio = begin("double_pendulum")
    mine, other = sit(studio), sit(studio)
    expect(other.part("banner.control")).to_be_visible()
    expect(other.part("time.play")).to_be_disabled()
    mine.press("time.play")
    other.until_time(0.2)
    mine.part("tree.elbow").click(button="right")
    mine.press("menu.edit.cut")
    other.until_gone("elbow")
    other.press("take-control")
    expect(mine.part("banner.control")).to_be_visible()
    expect(other.part("banner.control")).to_have_count(0)
    other.press("edit.undo")
    mine.until_there("elbow")
    mine.press("take-control")
    expect(other.part("banner.control")).to_be_visible()
    expect(mine.part("banner.control")).to_have_count(0)


def test_what_each_selects_is_told(begin, sit):
    """Each page shows its own at once, and the workbench knows of both; after a lost connection as well."""
    studio = begin("double_pendulum")
    mine, other = sit(studio, expected=("WebSocket",)), sit(studio)
    known = {}
    leave = studio.bench.subscribe(
        lambda change: known.update({change.data["viewer"]: change.data["names"]}) if change.kind == "selection" else None
    )
    first, second = (desk.js("() => studio.store.hello.value.viewer") for desk in (mine, other))
    mine.press("tree.lower")
    assert mine.selected() == {"lower"}
    other.press("tree.elbow")
    assert other.selected() == {"elbow"}
    mine.wait_for(lambda: known == {first: ["lower"], second: ["elbow"]})
    asyncio.run_coroutine_threadsafe(studio.server.viewers[first]._socket.close(), studio.server._loop).result(30)
    mine.until("store.hello.value.viewer !== x", first)
    third = mine.js("() => studio.store.hello.value.viewer")
    mine.wait_for(lambda: known == {first: [], second: ["elbow"], third: ["lower"]})
    leave()


def test_control_is_handed_over(begin, sit):
    """By whoever has it, if there is somebody else."""
    studio = begin("double_pendulum")
    mine = sit(studio)
    mine.until("store.clock.value.viewers === 1")
    expect(mine.part("hand-over")).to_have_count(0)
    other = sit(studio)
    expect(other.part("hand-over")).to_have_count(0)
    mine.press("time.play")
    other.until_time(0.3)
    mine.press("time.play")
    other.until("!store.clock.value.running")
    other.picture("people")
    mine.press("hand-over")
    expect(mine.part("banner.control")).to_be_visible()
    expect(other.part("banner.control")).to_have_count(0)
    expect(other.part("time.play")).to_be_enabled()
    other.press("hand-over")
    expect(other.part("banner.control")).to_be_visible()
    expect(mine.part("time.play")).to_be_enabled()


def test_connection_lost_and_resumed(begin, sit):
    """The page says so, comes back by itself, and shows what happened meanwhile; plots go on."""
    studio = begin("double_pendulum")
    desk = sit(studio, expected=("WebSocket",))
    desk.press("tree.lower")
    desk.press("time.play")
    desk.until_time(0.1)
    desk.js("() => { window.seen = []; studio.store.link.subscribe(link => window.seen.push(link.state)); }")
    server = studio.server
    (viewer,) = server.viewers.values()
    asyncio.run_coroutine_threadsafe(viewer._socket.close(), server._loop).result(30)
    desk.until("window.seen.includes('lost')")
    studio.bench.do(lambda bench: bench.live.remove("elbow")).result(30)
    desk.until("store.link.value.state === 'open'")
    desk.until_gone("elbow")
    expect(desk.part("banner.lost")).to_have_count(0)
    assert desk.selected() == {"lower"}
    desk.until_time(studio.bench.live.time + 0.1)
    expect(desk.part("time.play")).to_be_enabled()
