"""Sessions with autosave that are killed at random moments: ``python -m tests.live.kills 1000``.

One process has imported and compiled everything and forks a session for each kill, so that a kill costs little more than the session lives.

What is there whatever else the machine does: all edits that were done before the last complete file was begun. That this is no more than a
second ago is true of a machine that is not overloaded, and checked by the command only.
"""

from __future__ import annotations

import math
import os
import random
import signal
import struct
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, NamedTuple

import bielle as bl
from bielle.live import autosave
from bielle.live.session import LiveSession

from .crane import SOLVERS, bits, crane

KINDS = ("adaptive", "rk4", "recursive", "modular", "newmark")
TOGETHER = 12  # sessions at a time
LONGEST = 2.5  # [s] that a session lives
PROMISED = 1.0  # [s] of work that a kill costs, at most
_TOLD = struct.Struct("dd")  # when something was done, and what: the number of an edit, or one of the two below
_BEGUN, _WRITTEN = -1.0, -2.0  # a file


class Life(NamedTuple):
    """A session in a process of its own."""

    pid: int
    pipe: int
    path: Path
    end: float  #: when it is to be killed


class Death(NamedTuple):
    """What is left of it."""

    path: Path
    killed: float
    edits: list[tuple[float, int]]  #: when each was done, and its number
    written: int  #: the last one done before the last complete file was begun
    early: bool  #: whether it ended by itself before that


def lead_a_life(seed: int, path: Path, pipe: int) -> None:
    """Edits, one after the other, each with a number that is in the file when it is; between them time passes and events happen."""
    rng = random.Random(seed)
    live = crane().live(SOLVERS[rng.choice(KINDS)], autosave=path)
    tell_of_files(pipe)
    live.when("lower.position.y", crosses=-0.5, once=False)
    number = 0
    while True:
        what = rng.random()
        if what < 0.1:
            live.push("lower", force=(1.0, 0.0), duration=0.005)
        elif what < 0.15:
            live.snapshot()
        elif what < 0.2 and number > 10 and "height" not in live.events:
            live.when(height, crosses=-9.0, name="height")
        number += 1
        live.set("lower", mass=1.0 + number)
        os.write(pipe, _TOLD.pack(time.monotonic(), number))
        live.advance(rng.choice([0.001, 0.003, 0.02 if rng.random() < 0.1 else 0.002]))
        time.sleep(rng.choice([0.01, 0.05, 0.3]))


def tell_of_files(pipe: int) -> None:
    """Let autosave tell when it begins with a file, which is when it wakes up, and when the file is there."""
    write = autosave.write

    class Clock:
        monotonic = staticmethod(time.monotonic)

        @staticmethod
        def sleep(seconds: float) -> None:
            time.sleep(seconds)
            os.write(pipe, _TOLD.pack(time.monotonic(), _BEGUN))

    def written(*args: Any) -> None:
        write(*args)
        os.write(pipe, _TOLD.pack(time.monotonic(), _WRITTEN))

    autosave.clock, autosave.write = Clock, written  # type: ignore[assignment]


def start(seed: int, folder: Path) -> Life:
    """Fork a session that is to be killed after a random time."""
    path = folder / f"{seed}.session"
    mine, its = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(mine)
        try:
            lead_a_life(seed, path, its)
        finally:
            os._exit(1)
    os.close(its)
    return Life(pid, mine, path, time.monotonic() + random.Random(-seed).uniform(0.05, LONGEST))


def kill(life: Life) -> Death:
    """End it, in the middle of whatever it does."""
    killed = time.monotonic()
    os.kill(life.pid, signal.SIGKILL)
    _, status = os.waitpid(life.pid, 0)
    with open(life.pipe, "rb") as file:
        told = file.read()
    edits, done, begun, complete = [], 0, 0, 0
    for when, what in _TOLD.iter_unpack(told[: len(told) // _TOLD.size * _TOLD.size]):
        if what == _BEGUN:
            begun = done
        elif what == _WRITTEN:
            complete = begun
        else:
            done = int(what)
            edits.append((when, done))
    return Death(life.path, killed, edits, complete, os.WIFEXITED(status))


def problem(death: Death, promised: float) -> str:
    """What is wrong with what is left, if anything is."""
    path, killed, edits, written, early = death
    if early:
        return f"{path.name}: the session ended by itself, after edit {edits[-1][1] if edits else 0}"
    if not edits and not path.exists():
        return ""  # before there was a session
    try:
        loaded = load(path)
        if bits(loaded.replay()) != bits(loaded):
            return f"{path.name}: the replay differs"
    except bl.errors.BielleError as error:
        return f"{path.name}: {error}"
    saved = round(loaded.mechanism.bodies["lower"].shape.mass - 1.0) if loaded.journal.entries else 0
    if saved < written:
        return f"{path.name}: edit {written} was done before the last file was begun, but only {saved} are in it"
    due = max((number for when, number in edits if when < killed - promised), default=0)
    if saved < due:
        return f"{path.name}: {killed - min(when for when, number in edits if number > saved):.2f} s are lost"
    return ""


def load(path: Path) -> LiveSession:
    """The session, with the function that it may have got or not."""
    try:
        return bl.load_session(path)
    except bl.errors.FileError as error:
        if "has a Python function" not in str(error):
            raise
        return bl.load_session(path, functions={"height quantity": height})


def height(live: LiveSession) -> float:
    """Of a rod."""
    return live["upper"].position[1]


def main(count: int, folder: Path, promised: float = math.inf) -> list[str]:
    """So many kills; what was wrong, also where more than the promised seconds were lost."""
    for solver in KINDS:  # everything is compiled before anybody forks
        live = crane().live(SOLVERS[solver])
        live.when("lower.position.y", crosses=-0.5, once=False)
        live.when(height, crosses=-0.1)
        live.set("lower", mass=2.0)
        live.push("lower", force=(1.0, 0.0), duration=0.005)
        live.advance(0.1)
    wrong = []
    for first in range(1, count + 1, TOGETHER):
        lives = sorted((start(seed, folder) for seed in range(first, min(first + TOGETHER, count + 1))), key=lambda life: life.end)
        deaths = []
        for life in lives:
            time.sleep(max(life.end - time.monotonic(), 0.0))
            deaths.append(kill(life))
        for death in deaths:
            found = problem(death, promised)
            if found:
                wrong.append(found)
                print(found, flush=True)
    return wrong


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as place:
        problems = main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000, Path(place), PROMISED)
    print(len(problems), "problems")
    sys.exit(bool(problems))
