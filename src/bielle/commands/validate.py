"""``bielle validate``: published problems, bielle's numbers beside those of others."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .progress import Interruption, progress_bar
from .summary import console

if TYPE_CHECKING:
    from ..validation import Comparison, Outcome

__all__ = ["validate"]


def _names() -> list[str]:
    from .. import validation

    return validation.names()


def validate(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="[NAME]...", help="These problems only.", autocompletion=_names, show_default="all")
    ] = None,
    solvers: Annotated[bool, typer.Option("--solvers", help="Try the other solvers too: formulations and families.")] = False,
    quick: Annotated[bool, typer.Option("--quick", help="Only what takes a second or two.")] = False,
    page: Annotated[
        Path | None, typer.Option("--page", metavar="FILE", help="Write the page (.md) about the run here, and its pictures beside it.")
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Tell nothing but what is missed.")] = False,
) -> None:
    """Compare with published problems.

    Simulates each of them and compares with the numbers its source has
    printed, and with more exact ones where these are known. The exit status is
    1 if a difference is larger than its tolerance. With --solvers, the solver of
    second order (modular) is shown and not held to the tolerances.
    """
    from .. import validation
    from .outputs import check_ending

    if page is not None:
        check_ending(page, (".md",), "--page")
    chosen = [(name, validation.get(name)) for name in names or validation.names()]
    ways = validation.WAYS if solvers else validation.WAYS[:1]
    todo = [(name, way) for name, problem in chosen if problem.quick or not quick for way in ways]
    outcomes = []
    for name, way in todo:
        with Interruption() as interruption, progress_bar(f"{name}, {way}", quiet=quiet) as update:

            def progress(fraction: float, update=update, interruption=interruption) -> None:
                update(fraction)
                interruption.checkpoint()

            outcomes.append(validation.run(name, way, progress))
    if not quiet:
        _print(outcomes)
    if page is not None:
        from ..validation._page import write_page

        page.parent.mkdir(parents=True, exist_ok=True)
        typer.echo("\n".join(map(str, write_page(page, outcomes))))
    missed = [f"{each.name} ({each.way}): {', '.join(each.missed)}" for each in outcomes if each.missed]
    if missed:
        typer.secho("Out of tolerance: " + "; ".join(missed) + ".", fg="red", err=True)
        raise typer.Exit(1)


def _print(outcomes: list[Outcome]) -> None:
    """A line for every quantity; what belongs to the whole run stands in its first line."""
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold")
    for name in ("problem", "solver", "quantity", "at [s]", "reference", "ours", "difference", "digits", "", "steps", "time [s]"):
        table.add_column(name, justify="left" if name in ("problem", "solver", "quantity", "") else "right", no_wrap=True)
    for outcome in outcomes:
        head, tail = [Text(outcome.name, style="cyan"), outcome.way], [outcome.steps, outcome.seconds]
        if outcome.failure:
            table.add_row(*head, Text(f"cannot: {outcome.failure}", style="red" if outcome.held else "dim"))
        for comparison in outcome.comparisons:
            table.add_row(*head, *_cells(comparison, outcome.held), *tail)
            head, tail = ["", ""], ["", ""]
    console().print(table)
    for text in dict.fromkeys(f"{each.way}: shown, not judged; {each.problem.excuse(each.way)}" for each in outcomes if not each.held):
        typer.echo(text)


def _cells(comparison: Comparison, held: bool) -> list:
    from rich.text import Text

    mark = Text("✓", style="green") if comparison.ok else Text("✗", style="red" if held else "dim")
    numbers = (f"{comparison.time:g}", f"{comparison.reference:.10g}", f"{comparison.ours:.10g}", f"{comparison.difference:.1e}")
    return [comparison.quantity.name, *numbers, f"{comparison.digits:.1f}", mark]
