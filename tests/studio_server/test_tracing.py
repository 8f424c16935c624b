"""Trails of the studio: paths as they were computed, of what was before they were switched on as well."""

import numpy as np
import pytest

import bielle as bl
from bielle.errors import BielleError
from bielle.studio import tracing
from bielle.studio.tracing import Tracing
from bielle.studio.workbench import Workbench

from .page import joined


@pytest.fixture
def bench():
    m = bl.Mechanism(plane="xy")
    m.add_body("rod", bl.rod((0, 0), (1, 0), mass=1.0))
    m.add_body("bob", bl.disc(0.1, mass=1.0), position=(2, 0), velocity=(0, 3.0))
    m.add_joint("pivot", bl.Pin(), "ground", "rod", at=(0, 0))
    found = Workbench(m.live(bl.Central("projected", integrator="rk4", step=5e-3)))
    yield found
    found.close()


def collect(message, page):
    """As the page does it."""
    if message is None:
        return page
    if message.get("restart"):
        page = {"t": [], "paths": {}}
    return {
        "t": page["t"] + message["t"],
        "paths": {name: page["paths"].get(name, []) + numbers for name, numbers in message["paths"].items()},
    }


def compare(page, result, names):
    """To the last bit."""
    assert page["t"] == result.time.tolist()
    for name in names:
        centre = result[name].centre
        found = np.array(page["paths"][name], dtype=float).reshape(-1, 6)
        np.testing.assert_array_equal(found[:, :2], centre.position)
        np.testing.assert_array_equal(found[:, 3:5], centre.velocity)
        assert not found[:, [2, 5]].any()


def test_the_past_and_what_follows(bench):
    """Across an edit, and after an undo, which has led back."""
    live = bench.live
    live.advance(0.3)
    paths = Tracing(bench, ["rod", "bob"])
    page = collect(paths.past(), {"t": [], "paths": {}})
    assert page["t"][0] == 0.0
    compare(page, live.result(), ("rod", "bob"))
    assert paths.news() is None
    live.advance(0.1)
    page = collect(paths.news(), page)
    live.remove("pivot")
    live.advance(0.1)
    page = collect(paths.news(), page)
    compare(page, live.result(), ("rod", "bob"))
    live.undo()
    live.advance(0.05)
    page = collect(paths.news(), page)
    compare(page, live.result(), ("rod", "bob"))


def test_a_body_that_goes_has_no_path_any_more(bench):
    paths = Tracing(bench, ["rod", "bob"])
    paths.past()
    bench.live.advance(0.1)
    bench.live.remove("bob")
    bench.live.advance(0.1)
    found = paths.news()
    assert np.isnan(np.array(found["paths"]["bob"], dtype=float)[-6:]).any()
    bench.live.advance(0.1)
    assert list(paths.news()["paths"]) == ["rod"]
    with pytest.raises(BielleError, match="bob"):
        Tracing(bench, ["bob"]).past()


def test_of_a_long_history_the_end(bench, monkeypatch):
    """Across edits too: about as many samples as are wanted, up to the present."""
    monkeypatch.setattr(tracing, "_MOST_SAMPLES", 40)
    for mass in (1.0, 2.0, 3.0):
        bench.live.set("bob", mass=mass)
        bench.live.advance(0.15)
    for names in (["bob"], ["rod", "bob"]):
        found, whole = Tracing(bench, names).past(), bench.live.result()
        count = len(found["t"])
        assert 40 // len(names) <= count <= 40 // len(names) + 3  # at an edit there is a sample before and one after it
        assert found["t"] == whole.time[-count:].tolist()


def test_told_while_time_passes_and_after_a_lost_connection(studio, page):
    """Every viewer has its own; one that comes again has the whole path at once."""
    page.ask("run", factor=1.0)
    first = page.ask("trails", names=["lower"])
    times, last = list(first["t"]), page.until(lambda: page.last.get("paths"))
    assert last["t"][0] > times[-1]
    page.ask("pause")
    with joined(studio) as other:
        again = other.ask("trails", names=["lower"])
    assert again["t"][: len(times)] == times
    assert page.ask("trails", names=[])["paths"] == {}
