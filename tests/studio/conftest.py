"""A studio, and browsers that look at it: real Chromium, real pixels, a real mouse.

Where the page or Playwright is missing, which ``make test`` sees to, the tests fail and say so. Where there is no Chromium they are left
out, and the end of the run says that in red.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from ..conftest import NO_BROWSER
from .desk import Desk

_ARGUMENTS = ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"]
_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
SIZE = {"width": 1280, "height": 760}


def _chromium() -> str:
    """The browser of the system; BIELLE_CHROMIUM names another."""
    wanted = os.environ.get("BIELLE_CHROMIUM")
    found = [path for name in ([wanted] if wanted else _NAMES) if (path := shutil.which(name))]
    if not found:
        pytest.skip(NO_BROWSER)
    return found[0]


@pytest.fixture(scope="session")
def browser():
    """One browser for all tests of a process."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        pytest.fail("These tests need Playwright: pip install -e '.[dev]', which make test does.", pytrace=False)
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=_chromium(), args=_ARGUMENTS)
        yield chromium
        chromium.close()


@pytest.fixture
def begin(tmp_path):
    """``begin(example, session or nothing)``: a studio on a port that is free, with a folder of its own, that keeps what is not saved."""
    from bielle.studio import opening
    from bielle.studio.folder import Folder

    if not (opening.STATIC / "index.html").exists():
        pytest.fail("These tests need the page: cd studio/web && npm ci && npm run build, which make test does.", pytrace=False)
    begun = []

    def start(target=None):
        path = tmp_path / "folder"
        path.mkdir(exist_ok=True)
        folder = Folder(path, tmp_path / "recent.json")
        live, file = (target, None) if hasattr(target, "journal") else opening.session_of(target, folder)
        studio = opening.Studio(live, folder, file=file, keep=tmp_path / "state")
        studio.open(None)
        begun.append(studio)
        return studio

    yield start
    for studio in begun:
        studio.close()


@pytest.fixture
def sit(browser, request):
    """``sit(studio)``: a page that looks at it. What a page complains of fails the test, and its last picture is kept.

    ``before``: a script that the browser runs before those of the page; ``size`` of the window, and what else a context is made with.
    """
    desks: list[Desk] = []

    def open_page(studio, *, expected=(), before="", size=SIZE, **options) -> Desk:
        context = browser.new_context(viewport=size, **options)
        if before:
            context.add_init_script(before)
        desk = Desk(context.new_page(), studio, expected)
        desks.append(desk)
        desk.page.goto(studio.address)
        desk.ready()
        return desk

    yield open_page
    complaints = []
    for i, desk in enumerate(desks):
        desk.page.screenshot(path=_pictures(request) / f"{request.node.name}{i or ''}.png")
        complaints += desk.complaints
        desk.page.context.close()
    assert not complaints, f"The page complains: {complaints}"


def _pictures(request) -> Path:
    """Where pictures are kept to be looked at."""
    folder = os.environ.get("BIELLE_SCREENSHOTS")
    path = Path(folder) if folder else request.getfixturevalue("tmp_path") / "pictures"
    path.mkdir(parents=True, exist_ok=True)
    return path
