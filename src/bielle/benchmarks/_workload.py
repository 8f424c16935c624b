"""What a workload consists of: cases, programs that do them, and which of these are compared."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

__all__ = ["OURS", "Case", "Job", "Pair", "Program", "Workload", "load"]

OURS = "bielle"  #: the distribution that a program belongs to unless it says otherwise


@dataclass(frozen=True)
class Job:
    """A program that is ready to do a case, once. Making it is the set-up."""

    go: Callable[[], float | None]  #: what is timed, from the first line to the last; or it returns what is to be taken instead
    answer: Callable[[], np.ndarray]  #: what came out, as numbers that other programs must find too; not timed

    def done(self) -> np.ndarray:
        """Do it without a clock: the answer."""
        self.go()
        return self.answer()


@dataclass(frozen=True)
class Program:
    """A column: how one program does a case."""

    name: str
    make: Callable[..., Job]  #: from the arguments of a case, and those of a setting
    package: str = OURS  #: distribution it needs
    within: float = 1e-6  #: how far its answers may be off, in the units of the workload: what its method promises
    settings: Mapping[str, Mapping[str, Any]] = field(default_factory=lambda: {"": {}})  #: of finer and finer ones a curve is made
    cases: tuple[str, ...] = ()  #: that it does; all if empty
    counts: Mapping[str, int] = field(default_factory=dict)  #: by case: how many steps, calls, … it has, if not as many as the case says
    seconds: float = 120.0  #: after which it is given up, for one run or the set-up


@dataclass(frozen=True)
class Case:
    """A row: what is to be done."""

    arguments: Mapping[str, Any] = field(default_factory=dict)  #: of the makers
    count: int = 1  #: how many steps, calls, … a run has
    rounds: int = 7  #: how often each program has its turn
    quick: bool = False  #: whether it is part of a quick run


@dataclass(frozen=True)
class Pair:
    """Two programs that are compared. The ratio is what the other takes by what ours takes."""

    ours: str
    other: str
    goals: Mapping[str, float] = field(default_factory=dict)  #: by case: how large the ratio is to be


@dataclass(frozen=True)
class Workload:
    """Cases, programs, pairs of them, and what the right answer is."""

    title: str
    about: str  #: what is measured, in a sentence or two
    cases: Mapping[str, Case]
    programs: tuple[Program, ...]
    pairs: tuple[Pair, ...]
    reference: Callable[..., np.ndarray] | None = None  #: the right answer, from the arguments of a case; without it, the first program's
    error: str = "error [m]"  #: what the largest difference from it is called
    relative: bool = False  #: whether it is taken in parts of the largest number
    unit: str = "run"  #: what ``count`` counts
    quantity: str = "s"  #: what is measured: s or B
    accuracies: tuple[float, ...] = ()  #: errors at which programs with several settings are compared

    def does(self, program: Program, case: str) -> bool:
        """Whether the program has that case."""
        return not program.cases or case in program.cases

    def off(self, answer: np.ndarray, right: np.ndarray) -> float:
        """How far an answer is from the right one; infinite if it is not a number or has another shape."""
        if answer.shape != right.shape or not np.isfinite(answer).all():
            return np.inf
        scale = np.abs(right).max() if self.relative else 1.0
        return float(np.abs(answer - right).max() / (scale or 1.0))


def load(name: str) -> Workload:
    """The workload of a module: of this room, or of any other if there is a dot in its name."""
    return importlib.import_module(name if "." in name else f"{__package__}.{name}").WORKLOAD
