"""What the examples share: a check with its numbers, and how an example is run and shown."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

if TYPE_CHECKING:
    from ..mechanism.mechanism import Mechanism
    from ..results.result import Result
    from ..solvers.central import Central

__all__ = ["Check", "Example", "accumulated", "at_least", "at_most", "conserves", "equals", "main", "simulate", "stepped"]


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
    """What every module of this package offers."""

    TITLE: str  #: one line
    DURATION: float  #: [s]
    build: Callable[..., Mechanism]
    solver: Callable[[], Central | None]  #: None: the default solver
    check: Callable[[Result], list[Check]]


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


def conserves(result: Result, *, violation: float, energy: float) -> list[Check]:
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


def simulate(example: Example, **options: Any) -> Result:
    """Run an example as it stands; ``options`` go to its ``build``."""
    return example.build(**options).simulate(example.DURATION, example.solver())


def main(name: str) -> None:
    """Run the example that is the module of that name and print its checks; the exit code tells whether all of them hold."""
    example: Any = sys.modules[name]
    output: Any = sys.stdout
    output.reconfigure(errors="replace")  # not every terminal knows the signs in the names of the checks
    print(example.TITLE)
    result = simulate(example)
    print(f"{example.DURATION:g} s, {result.info['solver']}, {result.info['statistics']['steps']} steps")
    checks = example.check(result)
    for check in checks:
        print(f"  {check}")
    sys.exit(0 if all(check.ok for check in checks) else 1)
