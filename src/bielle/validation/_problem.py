"""What the problems share: a quantity with its reference and tolerance, the comparison of a run with it, the solvers that are tried."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ..calls import explained_methods
from ..errors import SimulationError

if TYPE_CHECKING:
    from ..mechanism.mechanism import Mechanism
    from ..results.result import Result
    from ..solvers.run import Solver

__all__ = ["WAYS", "Comparison", "Outcome", "Problem", "Quantity", "converged", "point", "printed", "published", "run", "spread", "table"]

WAYS = ("projected", "baumgarte", "augmented", "recursive", "modular")  #: solvers that are tried, the one that is always run first
PENALTY = 1e9  #: of the augmented Lagrangian: three iterations with the default of 1e7 leave more near singular positions than is asked for
SAMPLES = 1001  #: equidistant samples of a run, besides the times of its references
MOST_SAMPLES = 10001  #: of fixed steps, between which a spline is read

Read = Callable[["Result"], np.ndarray]


@dataclass(frozen=True)
class Quantity:
    """A number of a run at some times, what it should be, and how far off it may be."""

    name: str
    read: Read  #: from a result, (samples,)
    times: np.ndarray  #: (n,) [s]
    reference: np.ndarray  #: (n,)
    tolerance: np.ndarray  #: (n,) absolute
    why: str  #: where reference and tolerance come from


@explained_methods
@dataclass(frozen=True)
class Problem:
    """A mechanism somebody else has published numbers of."""

    title: str
    source: str
    build: Callable[[], Mechanism]
    duration: float  #: [s]
    quantities: tuple[Quantity, ...]
    rtol: float = 1e-12
    atol: float = 1e-14
    step: float = 1e-3  #: of the modular solver [s]
    quick: bool = True  #: whether it takes a few seconds at most
    only_shown: dict[str, str] = field(default_factory=dict)  #: ways that are not held to the tolerances, and why

    def solver(self, way: str = WAYS[0]) -> Solver:
        """The solver of that name: a formulation of :class:`Central` with adaptive steps, :class:`Recursive` or :class:`Modular`."""
        import bielle as bl

        if way == "modular":
            return bl.Modular(step=self.step)
        if way == "recursive":
            return bl.Recursive(rtol=self.rtol, atol=self.atol)
        if way == "augmented":
            return bl.Central(way, rtol=self.rtol, atol=self.atol, penalty=PENALTY)
        return bl.Central(way, rtol=self.rtol, atol=self.atol)

    def excuse(self, way: str) -> str:
        """Why a way is shown and not held to the tolerances; empty if it is."""
        return self.only_shown.get(way, "second order: fixed steps" if way == "modular" else "")

    def times(self) -> np.ndarray:
        """Of all references, and equidistant ones between; what differs by rounding is one time, as splines are laid through samples."""
        return np.unique(np.concatenate([np.linspace(0.0, self.duration, SAMPLES), *(q.times for q in self.quantities)]).round(12))


@dataclass(frozen=True)
class Comparison:
    """A quantity where it is furthest off, measured by its tolerance."""

    quantity: Quantity
    time: float
    reference: float
    ours: float
    tolerance: float

    @property
    def difference(self) -> float:
        """ours − reference."""
        return self.ours - self.reference

    @property
    def ok(self) -> bool:
        """Whether the difference is within the tolerance."""
        return self.part <= 1.0

    @property
    def part(self) -> float:
        """The difference in units of the tolerance; infinite if it is not a number."""
        part = abs(self.difference) / self.tolerance
        return part if part == part else np.inf

    @property
    def digits(self) -> float:
        """Decimal digits that agree, of the largest value that the quantity is compared with; 16 at most."""
        scale = np.max(np.abs(self.quantity.reference)) or 1.0
        with np.errstate(divide="ignore"):
            return float(min(16.0, -np.log10(abs(self.difference) / scale)))


@dataclass(frozen=True)
class Outcome:
    """A problem that was run in one way; without a result if it could not be simulated to the end."""

    name: str
    problem: Problem
    way: str
    comparisons: tuple[Comparison, ...] = ()
    result: Result | None = None
    failure: str = ""  #: why there is no result

    @property
    def held(self) -> bool:
        """Whether the tolerances are for this way, or its numbers are only shown."""
        return not self.problem.excuse(self.way)

    @property
    def missed(self) -> list[str]:
        """What is wrong and should not be: quantities out of their tolerance, or that there is no result."""
        if not self.held:
            return []
        return [self.failure] if self.failure else [each.quantity.name for each in self.comparisons if not each.ok]

    @property
    def worst(self) -> float:
        """The largest difference, in units of its tolerance."""
        return max((each.part for each in self.comparisons), default=np.inf)

    @property
    def steps(self) -> str:
        """How many were accepted."""
        return str(self.result.info["statistics"]["steps"]) if self.result else ""

    @property
    def seconds(self) -> str:
        """Time that was used."""
        return f"{self.result.info['seconds']:.2f}" if self.result else ""


def run(name: str, problem: Problem, way: str = WAYS[0], progress: Callable[[float], None] | bool = False) -> Outcome:
    """Simulate a problem in one way and compare. If it cannot be simulated, the outcome says why; Ctrl-C ends it."""
    solver = problem.solver(way)
    samples: Any = MOST_SAMPLES if way == "modular" else problem.times()
    try:
        result = problem.build().simulate(problem.duration, solver, samples=samples, progress=progress)
    except SimulationError as error:
        return Outcome(name, problem, way, failure=str(error))
    if result.info["status"] == "interrupted":
        raise KeyboardInterrupt
    return Outcome(name, problem, way, tuple(compare(quantity, result) for quantity in problem.quantities), result)


def compare(quantity: Quantity, result: Result) -> Comparison:
    """Read a quantity at its times, and find the time at which it is worst."""
    ours = _at(quantity.times, result.time, quantity.read(result))
    parts = np.abs(ours - quantity.reference) / quantity.tolerance
    i = int(np.argmax(np.where(np.isnan(parts), np.inf, parts)))
    numbers = (quantity.times[i], quantity.reference[i], ours[i], quantity.tolerance[i])
    return Comparison(quantity, *map(float, numbers))


def _at(times: np.ndarray, time: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Values at given times: samples where there are any (adaptive steps), else a spline through them (fixed steps)."""
    near = np.clip(np.searchsorted(time, times - 1e-12), 0, len(time) - 1)
    if np.all(np.abs(time[near] - times) <= 1e-12):
        return values[near]
    from scipy.interpolate import CubicSpline

    return CubicSpline(time, values)(times)


# -- writing references down


def table(text: str) -> np.ndarray:
    """Columns of a table whose rows are separated by ``|`` or new lines: (columns, rows)."""
    return np.array([row.split() for row in text.replace("\n", "|").split("|") if row.strip()], float).T


def printed(values: Any, digits: int) -> np.ndarray:
    """One unit of the last of so many significant digits of each value; of a zero, of 1."""
    size = np.abs(np.asarray(values, float))
    return 10.0 ** (np.floor(np.log10(np.where(size > 0, size, 1.0))) + 1 - digits)


def converged(name: str, read: Read, times: Any, reference: Any, tolerance: float, why: str) -> Quantity:
    """A reference that is far more exact than the ``tolerance`` (absolute), which is what bielle shall reach."""
    time, values = np.atleast_1d(np.asarray(times, float)), np.atleast_1d(np.asarray(reference, float))
    return Quantity(name, read, time, values, np.full(len(values), tolerance), why)


def published(name: str, read: Read, times: Any, reference: Any, why: str, *, digits: int = 6, least: float = 0.0) -> Quantity:
    """Printed numbers, compared to one unit of their last digit: half of it is rounding, half the error of who printed it.

    ``least`` is a tolerance for tables that are known to be less exact than they are printed.
    """
    quantity = converged(name, read, times, reference, 0.0, why)
    return replace(quantity, tolerance=np.maximum(printed(quantity.reference, digits), least))


def spread(
    make: Callable[..., Quantity], names: Sequence[str], reads: Sequence[Read], times: Any, columns: Any, *rest: Any, **options: Any
) -> tuple[Quantity, ...]:
    """The same for several columns of a table."""
    return tuple(make(name, read, times, column, *rest, **options) for name, read, column in zip(names, reads, columns))


def point(body: str, k: int, what: str = "position", at: Any = None) -> Read:
    """Coordinate k of the position or velocity of a body: of its centre of mass, or of the point that is described at that place."""

    def read(result: Result) -> np.ndarray:
        where = result[body].centre if at is None else result[body].point(at=at)
        return getattr(where, what)[:, k]

    return read
