"""What the examples share: a check with its numbers, and how an example is run and shown."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from ..calls import explained

if TYPE_CHECKING:
    from ..mechanism.mechanism import Mechanism
    from ..results.record import Record
    from ..results.result import Result
    from ..solvers.run import Solver

__all__ = [
    "Check",
    "Example",
    "accumulated",
    "at_least",
    "at_most",
    "conserves",
    "eased",
    "equals",
    "flies_freely",
    "main",
    "moments",
    "simulate",
    "stepped",
    "swinging",
]


@dataclass(frozen=True)
class Check:
    """Something an example verifies about itself: a number, what it is held against, and the verdict."""

    name: str
    value: float
    limit: float
    ok: bool

    def __str__(self) -> str:
        return f"{'ok  ' if self.ok else 'FAIL'}  {self.name:<62} {self.value:>12.4g}   ({self.limit:.4g})"


class Example(Protocol):
    """What every module of this package offers; some offer ``play(live)`` or ``run(mechanism, duration, solver, …)`` as well."""

    TITLE: str  #: one line
    DURATION: float  #: [s]
    build: Callable[..., Mechanism]
    solver: Callable[[], Solver | None]  #: None: the default solver
    check: Callable[[Any], list[Check]]  #: of what :func:`simulate` returns


def at_most(name: str, value: Any, limit: float) -> Check:
    """The largest size of ``value`` (a number or an array) must not exceed ``limit``; not-a-number fails."""
    size = float(np.max(np.abs(value)))
    return Check(f"{name} ≤", size, float(limit), size <= limit)


def at_least(name: str, value: Any, limit: float) -> Check:
    """The smallest of ``value`` must not be below ``limit``; not-a-number fails."""
    size = float(np.min(value))
    return Check(f"{name} ≥", size, float(limit), size >= limit)


def equals(name: str, value: int, expected: int) -> Check:
    """A count must be as expected."""
    return Check(f"{name} =", float(value), float(expected), value == expected)


def conserves(result: Record, *, violation: float, energy: float) -> list[Check]:
    """Constraints hold and the balance of energy closes, over all samples."""
    return [
        at_most("violation of the constraints", result.violation, violation),
        at_most("error of the balance of energy, relative", result.energy.error, energy),
    ]


def accumulated(result: Result, rtol: float) -> float:
    """Relative error of the energy that an adaptive solver of that tolerance may accumulate over a run.

    Every accepted step may change each velocity by the part rtol of it, and the energy, which is quadratic in them, by twice that.
    """
    return 2.0 * rtol * result.info["statistics"]["steps"]


def stepped(order: int, step: float, rate: float, duration: float) -> float:
    """Relative error of the energy that steps of equal length may accumulate in a motion that turns at ``rate`` ω [rad/s].

    A step of the phase hω leaves out terms from (hω)ᵖ⁺¹/(p + 1)! on; T/h of them, times ten for the harmonics that a motion has.
    """
    return 10.0 * duration * rate * (step * rate) ** order / math.factorial(order + 1)


def swinging(step: float, rate: float) -> float:
    """Relative error of the energy of symmetric steps of second order (kick, drift, kick) in a motion that turns at ``rate`` ω [rad/s].

    An oscillator's energy swings by (hω)²/4 and does not drift; ten times that for the harmonics that a motion has.
    """
    return 10.0 * (step * rate) ** 2 / 4.0


def eased(part: np.ndarray) -> np.ndarray:
    """From 0 to 1 while ``part`` of the time passes; no speed or acceleration at either end, the greatest speed, 15/8, in the middle."""
    return part**3 * (10.0 - 15.0 * part + 6.0 * part**2)


def moments(run: Record, start: float, end: float) -> slice:
    """The samples from ``start`` to ``end`` [s]: what an edit at the start has left, and what one at the end has found."""
    return slice(int(np.searchsorted(run.time, start, "right")) - 1, int(np.searchsorted(run.time, end, "left")) + 1)


def flies_freely(run: Record, body: str, start: float, end: float) -> list[Check]:
    """Nothing but gravity acts on a body of a planar run from ``start`` to ``end`` [s]: a parabola, and a constant spin."""
    span = moments(run, start, end)
    time, centre = run.time[span, None] - start, run[body].centre
    position, velocity, spin = centre.position[span], centre.velocity[span], run[body].angular_velocity[span]
    parabola = position[0] + velocity[0] * time + 0.5 * np.array(run.mechanism.gravity) * time**2
    return [
        at_most(f"{body}, off its parabola from {start:.4g} s to {end:.4g} s [m]", position - parabola, 1e-9),
        at_most(f"{body}, change of its spin in flight [rad/s]", spin - spin[0], 1e-9),
    ]


@explained
def simulate(example: Example, **options: Any) -> Record:
    """Run an example as it stands; ``options`` go to its ``build``. If it has a ``play``, that is played in a live session."""
    mechanism, play = example.build(**options), getattr(example, "play", None)
    if play is None:
        run = getattr(example, "run", type(mechanism).simulate)
        return run(mechanism, example.DURATION, example.solver())
    live = mechanism.live(example.solver())
    play(live)
    return live.result()


def main(name: str) -> None:
    """Run the example that is the module of that name and print its checks; the exit code tells whether all of them hold."""
    example: Any = sys.modules[name]
    output: Any = sys.stdout
    output.reconfigure(errors="replace")  # not every terminal knows the signs in the names of the checks
    print(example.TITLE)
    result = simulate(example)
    much = f"{len(result.edits)} edits" if result.edits else f"{result.info['statistics']['steps']} steps"
    print(f"{example.DURATION:g} s, {result.info['solver']}, {much}")
    checks = example.check(result)
    for check in checks:
        print(f"  {check}")
    sys.exit(0 if all(check.ok for check in checks) else 1)
