"""What programs need to be edited while they run, and the chain in which they are; see :mod:`bielle.benchmarks.edits`."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ._workload import Job

__all__ = ["MASS", "SPIN", "STEP", "Editable", "angles", "editing", "middle", "places", "poses", "timed", "velocities"]

MASS, SPIN = 0.01, 1.0  # [kg], [rad/s] of the last link
STEP, PAIRS = 1e-6, 31  # [s], how often the joint is made and removed


@dataclass(frozen=True)
class Editable:
    """A chain that runs in some program."""

    make: Callable[[], object]  #: the pin; ``step`` can follow
    remove: Callable[[], object]
    step: Callable[[], object]
    joints: Callable[[], int]  #: how many there are
    places: Callable[[], np.ndarray]  #: of the centres of the links, (n, 2)


def editing(it: Editable, what: str) -> Job:
    """Make and remove the joint many times; the seconds of one of both are what is measured, but for the first time."""
    seconds: dict[str, list[float]] = {"make": [], "remove": []}
    joints: list[int] = []

    def go() -> float:
        for _ in range(PAIRS):
            for name, edit in (("make", it.make), ("remove", it.remove)):
                seconds[name].append(timed(edit))
                joints.append(it.joints())
                it.step()
        return statistics.median(seconds[what][1:])

    return Job(go, lambda: np.array([*it.places().ravel(), *joints[-2:]]))


def timed(action: Callable[[], object]) -> float:
    """Seconds it takes."""
    started = time.perf_counter()
    action()
    return time.perf_counter() - started


def middle(n: int) -> int:
    """Number of the link that gets the pin, at its centre."""
    return n // 2 + 1


def angles(n: int) -> np.ndarray:
    """Of the links: up and down in turn, by 45°."""
    return np.pi / 4 * (-1.0) ** np.arange(n)


def poses(n: int, turned: float = 0.0) -> np.ndarray:
    """Place of the centre and angle of each link, (n, 3); the last is turned by so much about its pin."""
    angle = angles(n) + np.eye(n)[-1] * turned
    along = np.column_stack([np.cos(angle), np.sin(angle)]) / n
    return np.column_stack([np.cumsum(along, axis=0) - along / 2, angle])


def velocities(n: int) -> np.ndarray:
    """Rates of these: zero but for the last link, which turns about its pin."""
    rates = np.zeros((n, 3))
    rates[-1] = -SPIN * np.sin(angles(n)[-1]) / (2 * n), SPIN * np.cos(angles(n)[-1]) / (2 * n), SPIN
    return rates


def places(n: int) -> np.ndarray:
    """Where the centres of the links are after all edits, with a step after each: the last link has turned."""
    return poses(n, SPIN * 2 * PAIRS * STEP)[:, :2]
