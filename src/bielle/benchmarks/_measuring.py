"""Measuring a workload: first the answers, then the time, in rounds in which every program has its turn."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import numpy as np

from ._records import CaseRecord, Measured, Ratio, WorkloadRecord
from ._workers import ProgramError, Worker
from ._workload import OURS, Pair, Program, Workload, load

__all__ = ["measure"]

FEWEST = 3  #: rounds, however long they take
PATIENCE = 60.0  #: [s] after which a case gets no further round
REFERENCE = 300.0  #: [s] that a reference may take


@dataclass
class _Entry:
    """A program with one of its settings, and what is known of it so far."""

    program: Program
    worker: Worker
    found: Measured
    setups: list[float] = field(default_factory=list)
    answer: np.ndarray | None = None

    def turn(self, case: str) -> None:
        """Its first turn gives the answer; the later ones count. Who fails is out."""
        if self.found.failed:
            return
        try:
            turn = self.worker.turn(case, self.found.setting, self.program.seconds)
        except ProgramError as why:
            self.found.failed, self.found.values = str(why), []
            return
        if self.answer is None:
            self.answer, self.found.first = turn.answer, turn.setup + turn.value
        else:
            self.setups.append(turn.setup)
            self.found.values.append(turn.value)
            self.found.setup = float(np.median(self.setups))


def measure(
    name: str, *, quick: bool = False, rounds: int | None = None, progress: Callable[[str, float], None] = lambda what, part: None
) -> Iterator[WorkloadRecord]:
    """Do the cases of a workload one after the other; what is there so far is given after each of them.

    ``name`` is that of a workload, or of a module anywhere that offers one (with a dot in it). ``progress`` is called with what is being
    done and the part that is done.
    """
    work = load(name)
    cases = {key: case for key, case in work.cases.items() if case.quick or not quick}
    ours = [each.name for each in work.programs if each.package == OURS]
    record = WorkloadRecord(name, work.title, work.about, work.unit, work.quantity, work.error, bool(work.accuracies), ours, [])
    workers = {each.name: Worker(name, each.name, each.package) for each in work.programs}
    try:
        for i, (key, case) in enumerate(cases.items()):
            entries = [
                _Entry(program, workers[program.name], Measured(program.name, setting, count=program.counts.get(key, case.count)))
                for program in work.programs
                if work.does(program, key)
                for setting in program.settings
            ]
            count = rounds or (FEWEST if quick else case.rounds)

            def tell(done: int, entry: _Entry, i: int = i, key: str = key, entries: list = entries, count: int = count) -> None:
                progress(f"{key}: {entry.program.name}", (i + done / (len(entries) * (count + 1))) / len(cases))

            _answers(work, key, entries, tell)
            _rounds(key, entries, count, tell)
            ratios = [ratio for pair in work.pairs for ratio in _ratios(work, pair, key, entries)]
            record.cases.append(CaseRecord(key, [entry.found for entry in entries], ratios))
            yield record
    finally:
        for worker in workers.values():
            worker.close()


def _answers(work: Workload, case: str, entries: list[_Entry], tell: Callable[[int, _Entry], None]) -> None:
    """A turn of each, and how far off its answer is. With several settings only the best of them has to be right."""
    for i, entry in enumerate(entries):
        tell(i, entry)
        entry.turn(case)
    try:
        right = _right(work, case, entries)
    except ProgramError as why:
        for entry in entries:
            entry.found.failed = entry.found.failed or f"not timed: there is nothing to compare its answer with ({why})"
        return
    for entry in entries:
        if entry.answer is not None:
            entry.found.error = work.off(entry.answer, right)
    for program in {entry.program.name: entry.program for entry in entries}.values():
        its = [entry for entry in entries if entry.program is program and entry.found.error is not None]
        best = min((entry.found.error for entry in its if entry.found.error is not None), default=np.inf)
        if not best <= program.within:
            for entry in its:
                entry.found.failed = f"not timed: its answer is off by {best:.1e}, {program.within:.0e} is allowed"


def _right(work: Workload, case: str, entries: list[_Entry]) -> np.ndarray:
    """The right answer, or what the first program takes for it."""
    if work.reference is not None:
        return entries[0].worker.reference(case, REFERENCE)
    if entries[0].answer is None:
        raise ProgramError(f"{entries[0].program.name}: {entries[0].found.failed}")
    return entries[0].answer


def _rounds(case: str, entries: list[_Entry], count: int, tell: Callable[[int, _Entry], None]) -> None:
    started = time.perf_counter()
    for k in range(count):
        if k >= FEWEST and time.perf_counter() - started > PATIENCE:
            return
        for i, entry in enumerate(entries):
            tell((k + 1) * len(entries) + i, entry)
            entry.turn(case)


def _ratios(work: Workload, pair: Pair, case: str, entries: list[_Entry]) -> Iterator[Ratio]:
    """Of a case; or, if programs have several settings, at each accuracy: the quickest settings that are at least as accurate."""
    for accuracy in work.accuracies or (None,):
        ours, other = (_quickest(name, accuracy, entries) for name in (pair.ours, pair.other))
        if ours and other:
            values = [b / a for a, b in zip(ours.values, other.values)]
            at = case if accuracy is None else f"{case} {accuracy:g}".strip()
            yield Ratio(pair.ours, pair.other, accuracy, values, pair.goals.get(at))


def _quickest(program: str, accuracy: float | None, entries: list[_Entry]) -> Measured | None:
    its = [entry.found for entry in entries if entry.program.name == program and entry.found.values]
    if accuracy is not None:
        its = [each for each in its if each.error is not None and each.error <= accuracy]
    return min(its, key=lambda each: each.value, default=None)
