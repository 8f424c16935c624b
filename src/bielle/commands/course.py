"""``bielle course``: the exercises of the course on planar multibody programs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .summary import console, print_checks

__all__ = ["course"]


def _numbers() -> list[str]:
    from ..examples.course import TITLES

    return [str(number) for number in TITLES]


def course(
    number: Annotated[str | None, typer.Argument(metavar="[NUMBER]", help="Run this one, 1 to 13.", autocompletion=_numbers)] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", "-o", metavar="DIR", help="Write pictures and film there.", show_default="windows; without a screen out/course_NUMBER"
        ),
    ] = None,
    links: Annotated[int | None, typer.Option(metavar="N", help="Links of the chain of exercise 13.", show_default="10")] = None,
    lang: Annotated[str, typer.Option(metavar="en|fr", help="Language of the titles.")] = "en",
) -> None:
    """List the thirteen exercises of the course, or run one.

    An exercise prints what it verifies about itself and shows its plots and
    its film: in windows if there is a screen, otherwise as files. The exit
    status is 1 if a check fails.
    """
    from ..examples import course as room

    if lang not in room.LANGUAGES:
        raise typer.BadParameter(f"it must be {' or '.join(room.LANGUAGES)}, got '{lang}'.", param_hint="--lang")
    if number is None:
        if out is not None or links is not None:
            raise typer.BadParameter("say which exercise, such as `bielle course 12`.", param_hint="--out" if out else "--links")
        _list(lang)
    else:
        _run(number, out, links, lang)


def _list(lang: str) -> None:
    from rich.table import Table

    from ..examples.course import TITLES, title

    table = Table(box=None, show_header=False, padding=(0, 2, 0, 0))
    table.add_column(style="cyan", justify="right", no_wrap=True)
    table.add_column()
    for number in TITLES:
        table.add_row(str(number), title(number, lang))
    console().print(table)


def _run(number: str, out: Path | None, links: int | None, lang: str) -> None:
    from ..examples import course as room
    from ..examples.course import _common as plumbing

    exercise = room.get(number)
    options = plumbing.options_of(exercise, links)
    if out is not None:
        out.mkdir(parents=True, exist_ok=True)  # before the work: a folder that cannot be made is found out at once
    typer.secho(f"{int(number)}. {room.title(int(number), lang)}", bold=True)
    checks = plumbing.checked(exercise, options)
    print_checks(checks)
    figures, screen = plumbing.drawn(exercise, options)
    if screen and out is None:
        plumbing.show(exercise, options)
    else:
        for path in plumbing.save(exercise, options, figures, out or Path("out") / f"course_{int(number)}"):
            typer.echo(path)
    if not all(check.ok for check in checks):
        raise typer.Exit(1)
