"""What passes by while time does: poses and arrows sixty times a second, the clock, plots and trails ten times; in a thread of its own."""

from __future__ import annotations

import struct
import threading
import time as clock
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from ..errors import BielleError
from ..live.work import Spent
from .arrows import arrows
from .following import Following
from .viewer import Viewer
from .workbench import Workbench

__all__ = ["ARROWS", "POSES", "Sampler", "packet"]

POSES, ARROWS = 0, 1  #: kinds of packets
_RATE = 60  # per second
_EACH = 6  # of these the clock is told
_HEAD = struct.Struct("<IId")  # kind, version, time

Parcel = tuple[Viewer, str | Following, Any]  #: for whom, of what kind or of what it follows, bytes or a message


def packet(kind: int, version: int, time: float, numbers: np.ndarray) -> bytes:
    """Numbers for the page."""
    return _HEAD.pack(kind, version, time) + numbers.astype("<f4").tobytes()


class Sampler:
    """Looks at a workbench for viewers; ``deliver`` is given what they are to be told, from this thread.

    viewers  who is there now
    """

    def __init__(self, bench: Workbench, viewers: Callable[[], Iterable[Viewer]], deliver: Callable[[list[Parcel]], object]) -> None:
        self._bench, self._viewers, self._deliver = bench, viewers, deliver
        self._stop = threading.Event()
        self._pace, self._price = _Pace(), _Price()
        self._last: tuple[int, float] | None = None
        self._told = ""  # the fault that was told last
        self._thread = threading.Thread(target=self._look, name="bielle studio sampler", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End the thread; returns when it has ended."""
        self._stop.set()
        self._thread.join()

    def _look(self) -> None:
        due, k = clock.perf_counter(), 0
        while not self._stop.wait(max(due - clock.perf_counter(), 0.0)):
            due = max(due + 1.0 / _RATE, clock.perf_counter() - 0.1)
            k += 1
            try:
                self._once(k % _EACH == 0)
            except Exception as error:  # the next look may be better; a fault of ours must not end all looks
                self._tell(str(error) if isinstance(error, BielleError) else f"The studio has a fault: {type(error).__name__}: {error}")
            else:
                self._told = self._told if k % _RATE else ""

    def _tell(self, text: str) -> None:
        """Once, not sixty times a second."""
        if text != self._told:
            self._told = text
            self._bench.tell_warning(text, "error")

    def _once(self, ten: bool) -> None:
        bench = self._bench
        if ten and (failure := bench.failure()) is not None:
            bench.tell_warning(failure, "error")
        bench.tell_of_changes()  # events, and joints that have closed, change what there is without a command
        viewers = list(self._viewers())
        if not viewers:
            self._last = None
            return
        ticks = bench.ticks
        version, time, poses = bench.poses()
        parcels: list[Parcel] = []
        present = [viewer for viewer in viewers if viewer.looking is None]
        if (version, time) != self._last:
            self._last = version, time
            content = packet(POSES, version, time, poses)
            parcels += [(viewer, "poses", content) for viewer in present]
            parcels += self._arrows(present, version)
        if ten:
            message = self._clock(time, ticks)
            parcels += [(viewer, "clock", message) for viewer in viewers]
            follows = [(viewer, following) for viewer in viewers for following in tuple(viewer.following.values())]
            parcels += [(viewer, following, news) for viewer, following in follows if (news := following.news()) is not None]
        self._deliver(parcels)

    def _arrows(self, viewers: list[Viewer], version: int) -> list[Parcel]:
        asked = [viewer for viewer in viewers if viewer.arrows]
        if not asked:
            return []
        with self._bench.live._lock:
            now, time = self._bench.live.now, self._bench.live.time
        return [(viewer, "arrows", packet(ARROWS, version, time, arrows(now, viewer.arrows))) for viewer in asked]

    def _clock(self, time: float, ticks: int) -> dict[str, Any]:
        bench = self._bench
        live, branching = bench.live, bench.branching
        with live._lock:
            now, chunks, pacer = live.now, live._history.stretches[0].chunks, live._pacer
            energy = {key: float(getattr(now.energy, key)[0]) for key in ("kinetic", "dissipated", "mechanical")}
            gap = float(now.violation[0]) if live.model.nc else 0.0
            began = float(chunks[0]["t"][0]) if chunks else time
            error, spent = live._audit.found.energy, Spent(**vars(live._spent))
        price, iterations = self._price(spent)
        running = bench.running
        return {
            "type": "clock",
            "ticks": ticks,
            "time": time,
            "start": began,
            "end": time,
            "running": running,
            "factor": bench.factor,
            "achieved": self._pace(time, running),
            "lost": pacer.lost if pacer is not None else 0.0,
            "energy": {
                "kinetic": energy["kinetic"],
                "potential": energy["mechanical"] - energy["kinetic"],
                "dissipated": energy["dissipated"],
                "total": energy["mechanical"],
                "error": error,  # of the whole session: one sample has lost nothing
            },
            "gap": gap,
            "cost": price,
            "steps": spent.steps,
            "iterations": iterations,
            "hand": bench.hand_shown(),
            "branching": {"time": branching.time, "share": branching.share} if branching is not None and branching.takes_long else None,
        }


class _Pace:
    """How many simulated seconds pass per second, over the last second or so."""

    def __init__(self) -> None:
        self._seen: list[tuple[float, float]] = []

    def __call__(self, time: float, running: bool) -> float | None:
        now = clock.perf_counter()
        if not running or (self._seen and time < self._seen[-1][1]):
            self._seen.clear()
        self._seen = [(at, t) for at, t in self._seen if now - at < 1.5] + [(now, time)]
        (first, t0), (last, t1) = self._seen[0], self._seen[-1]
        return (t1 - t0) / (last - first) if running and last - first > 0.3 else None


class _Price:
    """Seconds and iterations that a step costs, of the steps since it was last asked; if there were none, of those before."""

    def __init__(self) -> None:
        self._seen = Spent()
        self._price: tuple[float | None, float | None] = None, None

    def __call__(self, spent: Spent) -> tuple[float | None, float | None]:
        before = self._seen if spent.steps >= self._seen.steps else Spent()  # another session
        steps = spent.steps - before.steps
        if steps:
            self._price = (spent.seconds - before.seconds) / steps, (spent.iterations - before.iterations) / steps
        elif not spent.steps:
            self._price = None, None
        self._seen = spent
        return self._price
