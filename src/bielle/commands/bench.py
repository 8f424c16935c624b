"""``bielle bench``: workloads that bielle and other programs do side by side."""

from __future__ import annotations

import datetime
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .progress import progress_bar
from .summary import console

if TYPE_CHECKING:
    from ..benchmarks import Record
    from ..benchmarks._tables import Table

__all__ = ["bench"]


def _names() -> list[str]:
    from .. import benchmarks

    return benchmarks.names()


def bench(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[NAME]...", help="These workloads only; or modules of your own, with a dot.", autocompletion=_names, show_default="all"
        ),
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="The smaller cases, in three rounds.")] = False,
    rounds: Annotated[int | None, typer.Option("--rounds", min=1, help="How often every program has its turn.", show_default=False)] = None,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Keep what is measured here (.json).", show_default="out/bench/DATE.json")
    ] = None,
    compare: Annotated[Path | None, typer.Option("--compare", metavar="FILE", help="Tell what differs from this earlier run.")] = None,
    show: Annotated[Path | None, typer.Option("--show", metavar="FILE", help="Show this earlier run instead of measuring.")] = None,
    page: Annotated[
        Path | None, typer.Option("--page", metavar="FILE", help="Write the page (.md) about the run here, and its pictures beside it.")
    ] = None,
    listed: Annotated[bool, typer.Option("--list", help="Tell what workloads there are.")] = False,
) -> None:
    """Measure bielle beside other programs.

    Exudyn, MuJoCo, Pinocchio and SUNDIALS do the same work in the same run, if
    they are installed: pip install 'bielle\\[bench]'. Answers are compared first; then
    programs take turns, and what counts is the median of the ratios. The
    exit status is 1 if bielle itself fails or gives a wrong answer.
    """
    from .. import benchmarks
    from .outputs import check_ending

    if listed:
        for name in benchmarks.names():
            typer.echo(f"{name:16} {benchmarks.get(name).title}: {benchmarks.get(name).about}")
        return
    for path, ending, option in ((out, ".json", "--out"), (page, ".md", "--page")):
        if path is not None:
            check_ending(path, (ending,), option)
    chosen = list(dict.fromkeys(names or benchmarks.names()))
    if any("." in name for name in chosen):
        sys.path.insert(0, os.getcwd())  # modules of one's own, as `python -m` finds them
    for name in chosen:
        benchmarks.get(name)  # an unknown one is refused before anything is measured
    earlier = benchmarks.read(compare) if compare else None
    record, stopped = (benchmarks.read(show), False) if show else _measure(chosen, quick, rounds, out or _today())
    if show:
        _print(record)
    _conclude(record)
    if earlier is not None:
        _compare(earlier, record)
    if page is not None:
        from ..benchmarks._page import write_page

        typer.echo("\n".join(map(str, write_page(page, record))))
    wrong = [text for work in record.workloads for text in work.wrong]
    if wrong:
        typer.secho("bielle failed: " + "; ".join(wrong) + ".", fg="red", err=True)
        raise typer.Exit(1)
    if stopped:
        raise typer.Exit(130)


def _today() -> Path:
    return Path("out/bench") / f"{datetime.datetime.now():%Y-%m-%d-%H%M%S}.json"


def _measure(names: list[str], quick: bool, rounds: int | None, out: Path) -> tuple[Record, bool]:
    """Measure, print and keep one workload after the other. Ctrl-C ends it; what has been measured is kept. Was it ended so?"""
    from .. import benchmarks
    from ..benchmarks._tables import head

    record = benchmarks.Record.begin()
    typer.echo("\n".join(head(record)))
    try:
        for k, name in enumerate(names, 1):
            part = None
            with progress_bar(f"{name}, {k} of {len(names)}") as update:
                measuring = benchmarks.measure(name, quick=quick, rounds=rounds, progress=lambda what, done, update=update: update(done))
                try:
                    for found in measuring:
                        part = found
                finally:
                    if part is not None:
                        record.workloads.append(part)
                        record.yardsticks.append(benchmarks.yardstick())
                        benchmarks.write(out, record)
            if part is not None:
                _print_workload(record, -1)
        stopped = False
    except KeyboardInterrupt:
        typer.secho("Interrupted: what follows is what had been measured.", fg="yellow", err=True)
        stopped = True
    if record.workloads:
        typer.echo(f"kept in {out}")
    return record, stopped


def _print(record: Record) -> None:
    from ..benchmarks._tables import head

    typer.echo("\n".join(head(record)))
    for k in range(len(record.workloads)):
        _print_workload(record, k)


def _print_workload(record: Record, k: int) -> None:
    from ..benchmarks._tables import growth, measured, ratios

    work = record.workloads[k]
    typer.echo()
    typer.secho(f"{work.name}: {work.title}", bold=True)
    typer.echo(work.about)
    for table in (measured(work), ratios(work)):
        if table[1]:
            _print_table(table)
    if grows := growth(work):
        typer.echo(grows)


def _print_table(table: Table) -> None:
    from rich.table import Table as Rich
    from rich.text import Text

    names, rows = table
    shown = Rich(box=None, padding=(0, 2, 0, 0), header_style="bold")
    for name in names:
        left = name in ("case", "program", "setting", "ours", "other", "remark", "what", "")
        shown.add_column(name, justify="left" if left else "right", no_wrap=name != "remark")
    styles = {"✓": "green", "better": "green", "✗": "red", "worse": "red"}
    last = None
    for row in rows:
        first = row[0] if row[0] != last else ""
        shown.add_row(first, *(Text(cell, style=styles.get(cell, "")) for cell in row[1:]))
        last = row[0]
    console().print(shown)


def _conclude(record: Record) -> None:
    from ..benchmarks._tables import goals

    count, missed = goals(record)
    if count:
        typer.echo(f"\n{count - len(missed)} of {count} goals are reached." + "".join(f"\n  missed: {each}" for each in missed))


def _compare(earlier: Record, record: Record) -> None:
    from ..benchmarks._tables import changes

    count, table = changes(earlier, record)
    typer.echo(
        f"\nCompared with {earlier.date}, bielle {earlier.bielle}: {len(table[1])} of {count} numbers differ by more than their spread."
    )
    if table[1]:
        typer.echo("Times are in parts of a fixed piece of work.")
        _print_table(table)
