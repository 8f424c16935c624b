"""Many mutated files: workers are started, started again when they die, and what came of the files is counted."""

import json
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from . import corpus
from .mutations import case

FORMATS = tuple(corpus.LOADERS)
BAD = ("crash", "hang", "memory", "foreign")
_SILENT = 600  # seconds after which a worker that says nothing is ended: it does not even use its time


@dataclass
class Report:
    """How many files of a format came out how; of the bad ones, the number and the reason."""

    format: str
    counts: Counter[str] = field(default_factory=Counter)
    bad: list[tuple[int, str, str]] = field(default_factory=list)

    def add(self, number: int, outcome: str, reason: str) -> None:
        self.counts[outcome] += 1
        if outcome in BAD:
            self.bad.append((number, outcome, reason))

    def __str__(self) -> str:
        counts = ", ".join(f"{self.counts[key]} {key}" for key in ("valid", "refused", *BAD))
        return "\n".join([f"{self.format}: {counts}", *(f"  {number}: {outcome} {reason}" for number, outcome, reason in self.bad)])


def campaign(format: str, count: int, seed: int, *, first: int = 0, keep: Path | None = None) -> Report:
    """Read ``count`` mutated files of a format. Those that should not have come out as they did are written to ``keep``."""
    report = Report(format)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        corpus.make(folder, format)
        number = first
        while number < first + count:
            number = _work(report, format, seed, number, first + count, folder)
        if keep is not None and report.bad:
            keep.mkdir(parents=True, exist_ok=True)
            originals = sorted(folder.glob(f"*.{format}"))
            for number, _, _ in report.bad:
                (keep / f"{seed}-{number}.{format}").write_bytes(case(format, originals, seed, number))
    return report


def _work(report: Report, format: str, seed: int, first: int, last: int, folder: Path) -> int:
    """Let a worker read files until it dies or is done; the number of the next."""
    command = [sys.executable, "-m", "tests.fuzz.worker", format, *map(str, (seed, first, last, folder))]
    here = Path(__file__).parents[2]
    with (
        tempfile.TemporaryFile("w+") as complaints,
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=complaints, text=True, cwd=here) as worker,
    ):
        assert worker.stdout is not None
        number, told = first - 1, True
        for line in worker.stdout:
            said = json.loads(line)
            if isinstance(said, int):
                number, told = said, False
            else:
                report.add(number, *said)
                told = True
        code = worker.wait(_SILENT)
        complaints.seek(0)
        words = complaints.read()[-2000:]
    if told and code:
        raise RuntimeError(f"The worker ended with {code} between two files: {words}")
    if not told:
        hung = -code in (signal.SIGVTALRM, signal.SIGPROF, signal.SIGXCPU)
        report.add(number, "hang" if hung else "crash", f"exit code {code} {words}")
    return number + 1
