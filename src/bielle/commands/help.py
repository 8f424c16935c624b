"""Help that teaches: below what Typer shows, a block of examples in two columns."""

from __future__ import annotations

from typing import Any

import typer.core

from .summary import console

__all__ = ["HelpWithExamples", "TeachingCommand", "shown"]


def shown(*commands: str) -> str:
    """The epilog of a command: examples, one a paragraph; what follows ``#`` says what it does."""
    return "\n\n".join(commands)


class HelpWithExamples:
    """Mixin of commands whose epilog was made by :func:`shown`.

    Versions of Typer differ in how they break the lines of an epilog, and none aligns columns; so it is printed here.
    """

    epilog: str | None

    def format_help(self, ctx: Any, formatter: Any) -> None:
        if not getattr(typer.core, "HAS_RICH", True):  # plain help, asked for by TYPER_USE_RICH=0
            super().format_help(ctx, formatter)  # type: ignore[misc]
            return
        examples, self.epilog = self.epilog, None
        try:
            super().format_help(ctx, formatter)  # type: ignore[misc]
        finally:
            self.epilog = examples
        if examples:
            _print(examples.split("\n\n"))


class TeachingCommand(HelpWithExamples, typer.core.TyperCommand):
    """A command with examples in its help."""


def _print(examples: list[str]) -> None:
    from rich.padding import Padding
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, show_header=False, padding=(0, 2, 0, 0))
    table.add_column(style="cyan", no_wrap=True)
    table.add_column(style="dim")
    for example in examples:
        call, _, remark = (part.strip() for part in example.partition("#"))
        table.add_row(call, remark)
    out = console()
    out.print(Text(" Examples", style="bold"))
    out.print(Padding(table, (0, 0, 1, 3), expand=False))
