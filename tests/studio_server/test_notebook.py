"""A session in a cell: one server for all its pages, gone with it."""

import re
import subprocess
import sys
import threading
import urllib.request

import pytest

import bielle as bl
from bielle import examples
from bielle.errors import BielleError
from bielle.studio import opening

from .page import joined


@pytest.fixture
def live(static):
    return examples.get("double_pendulum").build().live()


def servers():
    return [thread for thread in threading.enumerate() if thread.name == "bielle studio"]


def test_a_cell_shows_the_page(live):
    shown = live.show(width=800, height=500)
    try:
        address = re.search('src="([^"]+)"', shown._repr_html_())[1].replace("&amp;", "&")
        assert address == shown.address
        assert 'width="800" height="500"' in shown._repr_html_()
        assert address.startswith("http://127.0.0.1:")
        with urllib.request.urlopen(address, timeout=20) as answer:
            assert b"studio" in answer.read()
        again = live.show()
        assert again.address == shown.address
        assert 'width="100%"' in again._repr_html_()
        assert len(servers()) == 1
    finally:
        shown.close()
    assert servers() == []


def test_the_session_of_the_cell_is_the_one_that_is_edited(live):
    shown = live.show()
    with joined(shown._studio) as page:
        page.ask("cut", names=["elbow"])
        assert "elbow" not in live.mechanism.joints
        live.undo()
        page.until(lambda: len(page.scene["joints"]) == 2)  # what is done in the notebook is seen in the page
    shown.close()
    shown.close()
    live.advance(0.1)
    other = live.show()
    assert other.address != shown.address
    other.close()


def test_a_page_that_has_opened_something_else_comes_back(live):
    shown = live.show()
    with joined(shown._studio) as page:
        page.ask("open", example="four_bar")
        live.show()
        page.until(lambda: page.scene["title"] == "double pendulum")
    shown.close()


def test_python_ends_though_a_page_is_served(static):
    """In a process of its own: nobody closes it."""
    code = (
        "from pathlib import Path; from bielle import examples; from bielle.studio import opening, server\n"
        f"opening.STATIC = server.STATIC = Path({str(static)!r})\n"
        "live = examples.get('double_pendulum').build().live(); print(live.show()); live.run_realtime()"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("bielle studio: http://127.0.0.1:")
    assert done.stderr == ""


@pytest.mark.parametrize("size", [0, -1, "x", '100%" onload="x', 1.5, None, True, 10**9])
def test_sizes(live, size):
    with pytest.raises(BielleError, match="width"):
        live.show(width=size)
    with pytest.raises(BielleError, match="height"):
        live.show(height=size)


def test_without_the_page_it_says_how_to_build_it(monkeypatch, tmp_path):
    monkeypatch.setattr(opening, "STATIC", tmp_path / "nothing")
    with pytest.raises(BielleError, match="make studio"):
        bl.Mechanism().live().show()
