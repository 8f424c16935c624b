"""How quick the studio is: ``python -m tests.studio.figures``, on a machine that does nothing else.

A chain of 100 bodies in space runs in real time while a page without a browser counts what it is sent; then real Chromium cuts joints, and
tells how long after the click they are gone, and how long its script works per frame. Software rendering makes frames slow, so that they
are not counted. Nothing here is a test: no result depends on the clock.
"""

import statistics
import subprocess
import sys
import tempfile
import time as clock
from pathlib import Path

from playwright.sync_api import sync_playwright

import bielle as bl
from bielle.studio.folder import Folder
from bielle.studio.opening import Studio

from ..studio_server.page import joined
from .conftest import _ARGUMENTS, SIZE, _chromium
from .desk import Desk

BODIES, SECONDS, CUTS = 100, 10.0, 21

_COUNT_FRAMES = """
window.frames_ = {spent: 0, count: 0};
const ask = window.requestAnimationFrame.bind(window);
window.requestAnimationFrame = (f) => ask((t) => {
    const begun = performance.now();
    f(t);
    window.frames_.spent += performance.now() - begun;
    window.frames_.count += 1;
});
"""
_CUT = """async (name) => {
    const store = studio.store;
    store.selection.value = new Set([name]);
    await new Promise((done) => setTimeout(done, 200));
    const begun = performance.now();
    window.dispatchEvent(new KeyboardEvent("keydown", {key: "x", bubbles: true}));
    while (store.scene.value.joints.some((joint) => joint.name === name)) await new Promise((done) => setTimeout(done, 1));
    return performance.now() - begun;
}"""


def chain():
    """Bodies that hang on each other by ball joints, along x."""
    m = bl.Mechanism(gravity=(0, 0, -9.81))
    before = m.ground
    for k in range(BODIES):
        m.add_body(f"b{k}", bl.capsule((k, 0, 0), (k + 1, 0, 0), radius=0.1, mass=1.0))
        m.add_joint(f"j{k}", bl.Spherical(), before, f"b{k}", at=(k, 0, 0))
        before = f"b{k}"
    return m


def stream(studio):
    """Updates and megabytes a second that one page is sent, and simulated seconds in one of the clock."""
    with joined(studio) as page:
        page.ask("run", factor=1.0)
        receive, size = page.socket.recv, 0

        def counted(**options):
            nonlocal size
            got = receive(**options)
            size += len(got)
            return got

        page.socket.recv = counted
        page.until(lambda: page.packets[0][1] > 0.5)
        size, page.count, time, begun = 0, 0, page.packets[0][1], clock.perf_counter()
        page.until(lambda: clock.perf_counter() - begun > SECONDS, timeout=2 * SECONDS)
        took = clock.perf_counter() - begun
        return page.count / took, size / took / 1e6, (page.packets[0][1] - time) / took


def clicks(studio, browser):
    """Milliseconds from a key to the joint that is gone, of several; and of script per frame."""
    page = browser.new_context(viewport=SIZE)
    page.add_init_script(_COUNT_FRAMES)
    desk = Desk(page.new_page(), studio)
    desk.page.goto(studio.address)
    desk.ready()
    desk.js("() => { frames_.spent = 0; frames_.count = 0; }")
    times = [desk.js(_CUT, f"j{BODIES - 1 - 2 * k}") for k in range(CUTS)]
    frames = desk.js("() => frames_")
    page.close()
    return statistics.median(times), frames["spent"] / frames["count"]


def first_picture(browser, folder):
    """Seconds from the command to the first picture of an example, with a warm cache."""
    command = [str(Path(sys.executable).with_name("bielle")), "studio", "double_pendulum", "--no-browser", "--folder", str(folder)]
    begun = clock.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        address = process.stdout.readline().split()[-1]
        page = browser.new_page()
        page.goto(address)
        page.wait_for_function("() => window.studio?.store.scene.value && studio.view && studio.view.where('lower')", polling=5)
        took = clock.perf_counter() - begun
        page.close()
        process.terminate()
    return took


def main():
    with tempfile.TemporaryDirectory() as place, sync_playwright() as playwright:
        studio = Studio(chain().live(), Folder(Path(place)))
        studio.open(None)
        updates, megabytes, factor = stream(studio)
        print(f"{BODIES} bodies: {updates:.0f} updates/s, {megabytes:.2f} MB/s, {factor:.3f} times real time", flush=True)
        browser = playwright.chromium.launch(executable_path=_chromium(), args=_ARGUMENTS)
        effect, script = clicks(studio, browser)
        print(f"click to effect {effect:.0f} ms (median of {CUTS}), script {script:.1f} ms per frame", flush=True)
        studio.close()
        first_picture(browser, place)
        print(f"first picture {statistics.median(first_picture(browser, place) for _ in range(3)):.2f} s after the command")
        browser.close()


if __name__ == "__main__":
    main()
