"""What was measured, where and with what: kept as JSON, and read back to be compared."""

from __future__ import annotations

import datetime
import hashlib
import os
import platform
import statistics
import time
from pathlib import Path

import msgspec

from .. import __version__
from ..errors import FileError
from ._workers import version_of

__all__ = ["CaseRecord", "Measured", "Ratio", "Record", "WorkloadRecord", "read", "spread", "write", "yardstick"]

PACKAGES = ("numpy", "scipy", "numba", "exudyn", "mujoco", "pin", "scikit-sundae")


def spread(values: list[float]) -> tuple[float, float, float]:
    """Median, and the quartiles around it."""
    if len(values) == 1:
        return values[0], values[0], values[0]
    low, _, high = statistics.quantiles(values, n=4, method="inclusive")
    return statistics.median(values), low, high


class Measured(msgspec.Struct):
    """One program in one case, with one setting."""

    program: str
    setting: str
    error: float | None = None  #: None if there was no answer
    first: float = 0.0  #: [s] of its first turn, set-up included: imports, kernels that are loaded or compiled
    setup: float = 0.0  #: [s], median of the later turns
    values: list[float] = []  #: of the rounds
    failed: str = ""  #: why there are none
    count: int = 1  #: how many steps, calls, … a value is for

    @property
    def value(self) -> float:
        """The median."""
        return statistics.median(self.values)


class Ratio(msgspec.Struct):
    """How many times as much another program takes, round by round."""

    ours: str
    other: str
    accuracy: float | None  #: at which both are compared; None: in the same case
    values: list[float]
    goal: float | None

    @property
    def median(self) -> float:
        """Of the rounds."""
        return statistics.median(self.values)

    @property
    def met(self) -> bool | None:
        """Whether the median reaches the goal; None without a goal."""
        return None if self.goal is None else self.median >= self.goal


class CaseRecord(msgspec.Struct):
    """All programs in one case."""

    name: str
    measured: list[Measured]
    ratios: list[Ratio]


class WorkloadRecord(msgspec.Struct):
    """The cases of a workload that were done."""

    name: str
    title: str
    about: str
    unit: str
    quantity: str
    error: str
    curves: bool  #: whether programs have several settings
    ours: list[str]  #: names of the programs that are bielle's
    cases: list[CaseRecord]

    @property
    def sizes(self) -> list[int]:
        """The names of the cases if they are numbers: what is measured then grows with them."""
        return [int(case.name) for case in self.cases] if all(case.name.isdecimal() for case in self.cases) else []

    @property
    def wrong(self) -> list[str]:
        """What bielle itself could not do, or did with a wrong answer."""
        return [
            f"{self.name} {case.name}, {each.program}: {each.failed}"
            for case in self.cases
            for each in case.measured
            if each.failed and each.program in self.ours
        ]


class Record(msgspec.Struct):
    """A run of some workloads."""

    bielle: str
    date: str
    machine: dict[str, str]
    versions: dict[str, str]
    yardsticks: list[float]  #: [s] of a fixed piece of work, now and then: how fast the machine was
    workloads: list[WorkloadRecord]

    @classmethod
    def begin(cls) -> Record:
        """Nothing measured yet."""
        now = datetime.datetime.now().astimezone().isoformat(timespec="seconds")
        versions = {package: version_of(package) or "not installed" for package in PACKAGES}
        return cls(__version__, now, _machine(), versions, [yardstick()], [])


def _machine() -> dict[str, str]:
    return {
        "processor": _processor(),
        "cores": str(os.cpu_count()),
        "system": f"{platform.system()} {platform.release()}",
        "python": platform.python_version(),
    }


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    return next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), platform.machine())


def yardstick(data: bytes = bytes(2_000_000)) -> float:
    """Seconds for a fixed piece of Python and of C, the best of three."""
    best = float("inf")
    for _ in range(3):
        started = time.perf_counter()
        hashlib.sha256(data)
        sum(i * i for i in range(50_000))
        best = min(best, time.perf_counter() - started)
    return best


def write(path: Path, record: Record) -> None:
    """As JSON; the file is whole or it is not there."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(path.name + ".part")
    part.write_bytes(msgspec.json.format(msgspec.json.encode(record), indent=1))
    part.replace(path)


def read(path: Path) -> Record:
    """What :func:`write` has written."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=Record)
    except FileNotFoundError:
        raise FileError(f"there is no file '{path}'; `bielle bench --out FILE` writes one") from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise FileError(f"'{path}' is not a record of `bielle bench`: {error}") from None
