"""What was measured as tables of text, for the terminal and for pages; and two runs beside each other."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterator

from ._records import CaseRecord, Measured, Ratio, Record, WorkloadRecord, spread

__all__ = ["Table", "changes", "goals", "growth", "head", "measured", "ratios"]

Table = tuple[list[str], list[list[str]]]  #: names of columns, rows
_SCALES = {"s": ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns")), "B": ((1e9, "GB"), (1e6, "MB"), (1e3, "kB"), (1.0, "B"))}


def amount(value: float, quantity: str = "s") -> str:
    """With three digits and a unit that fits."""
    scale, unit = next((each for each in _SCALES[quantity] if abs(value) >= each[0]), _SCALES[quantity][-1])
    digits = value / scale
    return f"{digits:.0f} {unit}" if digits >= 100 else f"{digits:.3g} {unit}"


def times(values: list[float]) -> str:
    """A ratio: its median, and the quartiles."""
    middle, low, high = (f"{each:.0f}" if each >= 100 else f"{each:.3g}" if each >= 10 else f"{each:.2f}" for each in spread(values))
    return f"{middle} ({low}–{high})"


def head(record: Record) -> list[str]:
    """Where and with what, in a few lines."""
    speed = [1e3 * each for each in record.yardsticks]
    return [
        f"bielle {record.bielle}, {record.date}",
        f"{record.machine['processor']}, {record.machine['cores']} cores; {record.machine['system']}; Python {record.machine['python']}",
        ", ".join(f"{name} {version}" for name, version in record.versions.items()),
        f"a fixed piece of work took {statistics.median(speed):.1f} ms ({min(speed):.1f}–{max(speed):.1f})",
    ]


def measured(work: WorkloadRecord) -> Table:
    """A row for every program in every case."""
    names = ["case", "program", "setting", "median", f"per {work.unit}", "quartiles", "set-up", "first", work.error, "remark"]
    rows = [_row(work, case, each) for case in work.cases for each in case.measured]
    return _without_empty(names, rows)


def _row(work: WorkloadRecord, case: CaseRecord, each: Measured) -> list[str]:
    error = f"{each.error:.1e}" if _answered(each) else ""
    if not each.values:
        return [case.name, each.program, each.setting, "", "", "", "", "", error, each.failed]
    middle, low, high = spread(each.values)
    per = amount(middle / each.count, work.quantity) if each.count > 1 else ""
    quartiles = f"{amount(low, work.quantity)} – {amount(high, work.quantity)}"
    return [
        *(case.name, each.program, each.setting, amount(middle, work.quantity), per, quartiles),
        *(amount(each.setup), amount(each.first) if work.quantity == "s" else "", error, ""),
    ]


def _answered(each: Measured) -> bool:
    """Whether there is an answer to compare: yardsticks have none."""
    return each.error is not None and math.isfinite(each.error)


def ratios(work: WorkloadRecord) -> Table:
    """A row for every pair that is compared."""
    names = ["case", "at error", "ours", "other", "other / ours", "goal", ""]
    rows = [
        [
            *(case.name, "" if each.accuracy is None else f"{each.accuracy:.0e}", each.ours, each.other, times(each.values)),
            *("" if each.goal is None else f"{each.goal:.3g}", {None: "", True: "✓", False: "✗"}[each.met]),
        ]
        for case in work.cases
        for each in case.ratios
    ]
    return _without_empty(names, rows)


def growth(work: WorkloadRecord, least: int = 100) -> str:
    """With which power of the size each program grows, from ``least`` on; empty for workloads without sizes."""
    found: dict[str, list[tuple[float, float]]] = {}
    for size, case in zip(work.sizes, work.cases):
        for each in case.measured:
            if size >= least and each.values and _answered(each):
                found.setdefault(each.program, []).append((math.log(size), math.log(each.value / each.count)))
    powers = [f"{name} n^{statistics.linear_regression(*zip(*points)).slope:.2f}" for name, points in found.items() if len(points) > 1]
    return f"From n = {least} on, per {work.unit}: {', '.join(powers)}." if powers else ""


def _without_empty(names: list[str], rows: list[list[str]]) -> Table:
    kept = [k for k in range(len(names)) if any(row[k] for row in rows)]
    return [names[k] for k in kept], [[row[k] for k in kept] for row in rows]


def goals(record: Record) -> tuple[int, list[str]]:
    """How many there are, and those that are missed."""
    found = [(work, case, each) for work in record.workloads for case in work.cases for each in case.ratios if each.goal is not None]
    return len(found), [f"{_name(w, c, r)}: {times(r.values)}, {r.goal:.3g} is asked for" for w, c, r in found if not r.met]


def _name(work: WorkloadRecord, case: CaseRecord, each: Ratio) -> str:
    at = "" if each.accuracy is None else f" at {each.accuracy:g}"
    return f"{work.name} {case.name}{at}, {each.other} / {each.ours}".replace(" ,", ",")


def changes(old: Record, new: Record) -> tuple[int, Table]:
    """How many numbers both have, and those that differ by more than their quartiles do: ratios, and times of bielle's own programs.

    Times are in parts of the fixed piece of work, so that a slower day or machine does not look like a slower program.
    """
    before, now = dict(_numbers(old)), dict(_numbers(new))
    common = [name for name in now if name in before]
    rows = []
    for name in common:
        (a, a_low, a_high), (b, b_low, b_high) = spread(before[name]), spread(now[name])
        if a_high < b_low or b_high < a_low:
            better = (b > a) == ("/" in name)  # of ratios more is better, of times less
            rows.append([name, f"{a:.3g}", f"{b:.3g}", f"{100 * (b / a - 1):+.0f} %", "better" if better else "worse"])
    return len(common), (["what", "before", "now", "change", ""], rows)


def _numbers(record: Record) -> Iterator[tuple[str, list[float]]]:
    speed = statistics.median(record.yardsticks)
    for work in record.workloads:
        for case in work.cases:
            for each in case.ratios:
                yield _name(work, case, each), each.values
            for each in case.measured:
                if each.values and each.program in work.ours:
                    unit = speed if work.quantity == "s" else 1.0
                    yield " ".join(filter(None, (work.name, case.name, each.program, each.setting))), [v / unit for v in each.values]
