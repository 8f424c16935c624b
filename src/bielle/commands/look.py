"""``bielle check`` and ``bielle examples``: what a mechanism is, and which there are."""

from __future__ import annotations

import inspect
from typing import Annotated, Any

import typer

from ..errors import unknown
from .run import TARGET
from .summary import console
from .targets import find

__all__ = ["check", "examples"]


def check(target: Annotated[str, TARGET]) -> None:
    """Look at a mechanism without simulating it.

    Tells degrees of freedom, redundant equations, gaps, loose parts, and what
    to do about them. The exit status is 1 if it cannot be simulated.
    """
    report = find(target).mechanism.report()
    typer.echo(str(report))
    if not report.ok:
        raise typer.Exit(1)


def _names() -> list[str]:
    from .. import examples

    return examples.names()


def examples(
    name: Annotated[str | None, typer.Argument(metavar="[NAME]", help="Tell about this one.", autocompletion=_names)] = None,
) -> None:
    """List the examples, or tell about one."""
    from .. import examples as room

    if name is None:
        from rich.table import Table

        table = Table(box=None, show_header=False, padding=(0, 2, 0, 0))
        table.add_column(style="cyan", no_wrap=True)
        table.add_column()
        for each in room.names():
            table.add_row(each, room.get(each).TITLE)
        console().print(table)
        return
    if name not in room.names():
        raise unknown("example", name, room.names())
    module: Any = room.get(name)
    typer.secho(module.TITLE, bold=True)
    if text := inspect.getdoc(module):
        typer.echo(f"\n{text}")
    typer.echo(f"\nsource: {inspect.getsourcefile(module)}\nrun it: bielle run {name}")
