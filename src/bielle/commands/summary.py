"""The few numbers that tell whether a run can be trusted."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from rich.console import Console

    from ..results.record import Record

__all__ = ["console", "print_checks", "print_summary"]


def console() -> Console:
    """Standard output with styles on a terminal; in a pipe or a file, lines as long as they are, which is what grep expects."""
    from rich.console import Console

    free = None if sys.stdout.isatty() or "COLUMNS" in os.environ else 400
    return Console(width=free, highlight=False, markup=False, emoji=False)


def print_summary(title: str, result: Record, checks: list[Any] | None) -> None:
    """Samples, steps, errors, time used, and the checks of an example."""
    from rich.table import Table
    from rich.text import Text

    out = console()
    out.print(Text(title, style="bold"))
    numbers = Table(box=None, show_header=False, padding=(0, 2, 0, 0))
    for name, text in _rows(result):
        numbers.add_row(Text(name, style="dim", no_wrap=True), Text(text))
    out.print(numbers)
    print_checks(checks or [])


def print_checks(checks: list[Any]) -> None:
    """What an example verifies about itself, a line each."""
    from rich.table import Table
    from rich.text import Text

    verdicts = Table(box=None, show_header=False, padding=(0, 2, 0, 0))
    for check in checks:
        mark = Text("✓ ", style="green") if check.ok else Text("✗ ", style="red")
        verdicts.add_row(mark + Text(f"{check.value:.3g}"), Text(f"{check.name} {check.limit:.3g}"))  # the name ends in ≤, ≥ or =
    if checks:
        console().print(verdicts)


def _rows(result: Record) -> list[tuple[str, str]]:
    info, rows = result.info, [("samples", f"{len(result)}, from {result.time[0]:g} s to {result.time[-1]:g} s")]
    if "statistics" in info:
        n = info["statistics"]
        rejected = f", {n['rejected']} rejected" if n.get("rejected") else ""
        rows.append(("steps", f"{n['steps']}{rejected}"))
    rows += [
        ("energy error", f"{np.abs(result.energy.error).max():.2g} of the largest swing"),
        ("constraint violation", f"{result.violation.max():.2g}"),
        ("solver", str(info.get("solver", ""))),
    ]
    if result.warning:
        rows.append(("NOT ACCURATE", result.warning))
    if "seconds" in info:
        rows.append(("time used", f"{info['seconds']:.2f} s"))
    return [(name, text) for name, text in rows if text]
