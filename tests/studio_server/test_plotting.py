"""Plots of the studio: what is sent piece by piece is what the result has in the end."""

from __future__ import annotations

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import bielle as bl
from bielle.errors import BielleError
from bielle.studio.messages import Plot
from bielle.studio.plotting import Plotting
from bielle.studio.server import Server
from bielle.studio.viewer import Viewer
from bielle.studio.workbench import Workbench


@pytest.fixture
def bench():
    m = bl.Mechanism(gravity=(0, 0, -9.81))
    m.add_body("rod", bl.rod((0, 0, 0), (1, 0, 0), mass=1.0), velocity=(0, 0, -12.5), angular_velocity=(0, 25, 0))
    m.add_joint("hinge", bl.Revolute(axis="y"), m.ground, "rod", at=(0, 0, 0))
    m.add_body("top", bl.box((0.3, 0.2, 0.1), mass=1.0), position=(2, 0, 0), angular_velocity=(9.0, 1.0, 12.0))
    bench = Workbench(m.live(bl.Central("projected", integrator="rk4", step=5e-3)))
    yield bench
    bench.close()


QUANTITIES = [
    "hinge.angle",  # counted over turns
    "top.orientation.x",  # known up to a sign
    "top.orientation.w",
    "energy.balance",  # counted from the start
    "energy.kinetic",
    "rod.position.x",
]


def collect(message, page):
    """As the page does it."""
    if message is None:
        return page
    if message.get("restart"):
        page = {"t": [], "values": {}}
    names = {**page["values"], **message["values"]}
    gone, new = [np.nan] * len(page["t"]), [np.nan] * len(message["t"])
    values = {name: page["values"].get(name, gone) + message["values"].get(name, new) for name in names}
    return {"t": page["t"] + message["t"], "values": values}


def compare(page, result):
    """Samples to the last bit, but for shifts by what was told, which round."""
    assert page["t"] == result.time.tolist()
    for name, values in page["values"].items():
        whole = result[name] if name.split(".")[0] != "energy" else getattr(result.energy, name.split(".")[1])
        tolerance = 1e-14 * (1 + np.nanmax(np.abs(whole))) * 20  # one rounding each of some twenty pieces
        assert np.allclose(values, whole, rtol=0, atol=tolerance, equal_nan=True), name


def test_pieces_make_the_whole(bench):
    live, plotting = bench.live, Plotting(bench, QUANTITIES)
    live.advance(0.2)
    page = collect(plotting.past(), {"t": [], "values": {}})
    for _ in range(12):
        live.advance(0.15)
        page = collect(plotting.news(), page)
        assert plotting.news() is None
    assert np.ptp(page["values"]["hinge.angle"]) > 4 * np.pi
    assert np.ptp(page["values"]["top.orientation.w"]) > 1.0
    compare(page, live.result())


def test_edits_in_between(bench):
    live, plotting = bench.live, Plotting(bench, QUANTITIES)
    page = collect(plotting.past(), {"t": [], "values": {}})
    live.advance(0.3)
    live.remove("hinge")
    live.advance(0.1)
    live.set("rod", mass=2.0)
    page = collect(plotting.news(), page)
    live.advance(0.1)
    page = collect(plotting.news(), page)
    compare(page, live.result())
    assert np.isnan(page["values"]["hinge.angle"][-1])


def test_back_and_beyond_between_two_looks(bench):
    """The session has gone back and is later than before when the page is told again: all is told anew."""
    live, plotting = bench.live, Plotting(bench, QUANTITIES)
    live.advance(0.2)
    live.set("rod", mass=2.0)
    live.advance(0.2)
    page = collect(plotting.past(), {"t": [], "values": {}})
    live.undo()
    live.advance(0.4)
    page = collect(plotting.news(), page)
    compare(page, live.result())


def test_a_name_nobody_knows(bench):
    with pytest.raises(BielleError, match="no quantity named 'nobody.position.x'"):
        Plotting(bench, ["nobody.position.x"]).past()
    with pytest.raises(BielleError, match="more than one number"):
        Plotting(bench, ["rod.position"]).past()


def test_samples_of_plots_that_were_given_up_are_not_delivered(bench, tmp_path):
    """What the sampler found for the plots of before arrives after other plots were asked for."""
    from bielle.studio.folder import Folder

    server = Server(bench, Folder(tmp_path))
    viewer = Viewer(None, 1)
    told = []
    viewer.tell = told.append  # type: ignore[method-assign]
    bench.live.advance(0.1)

    async def answer(quantities):
        server._loop = asyncio.get_running_loop()
        return await server._done(viewer, Plot(id=1, quantities=quantities))

    def ask(quantities):  # in another thread: that of the tests has a loop of its own when a browser is open
        with ThreadPoolExecutor(1) as other:
            other.submit(asyncio.run, answer(quantities)).result(30)

    ask(["rod.position.x"])
    old = viewer.following["plots"]
    bench.live.advance(0.1)
    late = old.news()
    ask(["rod.position.x", "rod.position.z"])
    server._deliver([(viewer, old, late)])
    assert told == []
    bench.live.advance(0.1)
    server._deliver([(viewer, viewer.following["plots"], viewer.following["plots"].news())])
    assert [min(message["t"]) > 0.2 for message in told] == [True]


def test_asked_while_it_runs(bench):
    """One thread advances, another one asks: everything arrives once and in order."""
    live, plotting = bench.live, Plotting(bench, ["rod.position.x", "hinge.angle"])
    page = collect(plotting.past(), {"t": [], "values": {}})
    worker = threading.Thread(target=lambda: [live.advance(0.02) for _ in range(50)])
    worker.start()
    while worker.is_alive():
        page = collect(plotting.news(), page)
    worker.join()
    page = collect(plotting.news(), page)
    compare(page, live.result())
