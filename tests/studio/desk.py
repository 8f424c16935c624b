"""A page of the studio as somebody uses it who sees and clicks, with questions to what lies behind it."""

from __future__ import annotations

import io
import os
import time as clock
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, expect

PATIENCE = 120_000.0  # [ms] until something that must happen has happened; only tests that fail wait that long
_NOTE = """() => {
    if (window.noticed) return;
    window.noticed = [];
    studio.store.notices.subscribe(list => window.noticed.push(...list));
}"""
_COMPONENTS = "[...store.scene.value.bodies, ...store.scene.value.joints, ...store.scene.value.forces]"
IMAGES = Path(__file__).parents[2] / "docs" / "images"

expect.set_options(timeout=PATIENCE)


class Desk:
    """``expected``: parts of what a browser writes to its console without a fault of the page, such as a lost connection."""

    def __init__(self, page: Page, studio, expected=()) -> None:
        self.page, self.studio = page, studio
        self.complaints: list[str] = []
        self._expected = expected
        page.set_default_timeout(PATIENCE)
        page.on("console", lambda message: self._complains(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: self._complains(f"{error}\n{error.stack}"))

    def _complains(self, text: str) -> None:
        if not any(part in text for part in self._expected):
            self.complaints.append(text)

    # -- the session

    @property
    def live(self):
        return self.studio.bench.live

    # -- what the page knows

    def js(self, expression: str, argument=None):
        return self.page.evaluate(expression, argument)

    def until(self, condition: str, argument=None) -> None:
        """Wait for something that the page knows; ``store`` is its store."""
        self.page.wait_for_function(f"x => {{ const store = studio.store; return Boolean({condition}); }}", arg=argument, polling=20)

    def wait_for(self, found) -> None:
        """Wait for something that the server knows; the page goes on meanwhile."""
        end = clock.monotonic() + PATIENCE / 1000
        while not found():
            assert clock.monotonic() < end, "it did not happen"
            self.page.wait_for_timeout(10)

    def ready(self) -> None:
        """Connected, and everything is drawn where it is."""
        self.until("store.link.value.state === 'open' && store.scene.value && store.clock.value && studio.view")
        self.js(_NOTE)
        self.drawn()

    def drawn(self) -> None:
        """What the page knows is in the picture: the camera has come to rest."""
        self.js(
            """() => new Promise(done => {
                let before = "", calm = 0;
                const look = () => {
                    const now = JSON.stringify([studio.view.pixel([0, 0, 0]), studio.view.pixel([1, 1, 1])]);
                    calm = now === before ? calm + 1 : 0;
                    before = now;
                    calm >= 3 ? done() : requestAnimationFrame(look);
                };
                look();
            })"""
        )

    def scene(self) -> dict:
        return self.js("() => studio.store.scene.value")

    def names(self, what: str) -> list[str]:
        return [item["name"] for item in self.scene()[what]]

    def selected(self) -> set[str]:
        return set(self.js("() => [...studio.store.selection.value]"))

    def until_time(self, time: float) -> None:
        """Simulated time, not that of the clock on the wall."""
        self.until("store.clock.value.time >= x", time)

    def pause(self) -> None:
        """Press the button that runs, and see time stand still: nothing of the picture is still under way."""
        self.press("time.play")
        self.until("!store.clock.value.running && store.shownTime.value === store.clock.value.time")

    def until_there(self, *names: str) -> None:
        """All of these are in the scene."""
        self.until(f"x.every(name => {_COMPONENTS}.some(component => component.name === name))", list(names))

    def until_gone(self, *names: str) -> None:
        """None of these is."""
        self.until(f"!x.some(name => {_COMPONENTS}.some(component => component.name === name))", list(names))

    # -- mouse

    def pixel(self, x: float, y: float, z: float = 0.0) -> tuple[float, float]:
        """Of a point of the world."""
        px, py = self.js("p => studio.view.pixel(p)", [x, y, z])
        return px, py

    def where(self, name: str) -> tuple[float, float]:
        """Where a click means a component."""
        place = self.js("n => studio.view.where(n)", name)
        assert place is not None, f"'{name}' is nowhere in the picture"
        return place[0], place[1]

    def click(self, name: str, **options) -> None:
        self.page.mouse.move(*self.where(name))
        self.page.mouse.click(*self.where(name), **options)

    def click_at(self, *point: float) -> None:
        self.page.mouse.move(*self.pixel(*point))
        self.page.mouse.click(*self.pixel(*point))

    def drag(self, start: tuple[float, ...], end: tuple[float, ...]) -> None:
        """From one point of the world to another."""
        self.page.mouse.move(*self.pixel(*start))
        self.page.mouse.down()
        self.page.mouse.move(*self.pixel(*end), steps=4)
        self.page.mouse.up()

    # -- panels

    def part(self, testid: str):
        return self.page.get_by_test_id(testid)

    def press(self, testid: str) -> None:
        self.part(testid).first.click()

    def key(self, keys: str) -> None:
        self.page.keyboard.press(keys)

    def field(self, key: str):
        """The box of a property, to type in."""
        return self.page.locator(f"#field-{key}")

    def enter(self, key: str, text: str) -> None:
        """Type a property and press Enter."""
        self.field(key).fill(text)
        self.field(key).press("Enter")

    def save_as(self, name: str) -> None:
        """In the dialog; it is closed when the answer is there, which comes after the picture."""
        self.part("save.name").fill(name)
        self.press("save.ok")
        self.until("store.scene.value.file === x", name)
        expect(self.part("save.name")).to_have_count(0)

    def noticed(self, level: str, text: str) -> str:
        """Wait for a notice, and return all of it; those that go by themselves may be gone already."""
        self.until("window.noticed.some(notice => notice.level === x[0] && notice.text.includes(x[1]))", [level, text])
        return self.js("x => window.noticed.find(notice => notice.level === x[0] && notice.text.includes(x[1])).text", [level, text])

    def notice(self, level: str):
        """Those that are shown; errors stay until they are dismissed."""
        return self.part(f"toast.{level}")

    def tool(self, family: str, kind: str) -> None:
        """Take a joint or force from the palette."""
        self.press(f"tools.{family}")
        self.press(f"tool.{kind}")

    def connect(self, family: str, kind: str, first: tuple[float, ...], second: tuple[float, ...], name: str) -> None:
        """A joint or force between what is at two points of the world."""
        self.tool(family, kind)
        self.click_at(*first)
        self.click_at(*second)
        self.until_there(name)
        self.key("Escape")

    def picture(self, name: str) -> None:
        """A picture of the documentation, if pictures are wanted (BIELLE_PICTURES=1)."""
        if os.environ.get("BIELLE_PICTURES"):
            _keep(name, self._seen())

    def before_and_after(self, name: str, do) -> None:
        """A picture of the documentation: the page before something is done, and after it, one above the other."""
        pictures = [self._seen()] if os.environ.get("BIELLE_PICTURES") else []
        do()
        if pictures:
            pictures.append(self._seen())
            width, height = pictures[0].size
            sheet = Image.new("RGB", (width, 2 * height + 16), "white")
            for i, picture in enumerate(pictures):
                sheet.paste(picture, (0, i * (height + 16)))
            _keep(name, sheet, Image.Quantize.MAXCOVERAGE)  # of two pages the few pixels that are green are fewer still

    def _seen(self) -> Image.Image:
        self.drawn()
        return Image.open(io.BytesIO(self.page.screenshot())).convert("RGB")


def _keep(name: str, picture: Image.Image, method: Image.Quantize = Image.Quantize.MEDIANCUT) -> None:
    """192 colours: small, and green stays green."""
    picture.quantize(192, method=method, dither=Image.Dither.NONE).save(IMAGES / f"studio_{name}.png", optimize=True)
