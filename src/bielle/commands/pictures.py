"""``bielle plot`` and ``bielle animate``: pictures of what was computed."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .outputs import Outputs, check_ending, write_animation
from .run import simulate_target
from .targets import ANIMATION_ENDINGS, PLOT_ENDINGS, RESULT_ENDINGS, complete_target, find, open_result

__all__ = ["animate", "plot"]

_MODEL = typer.Option(
    "--model",
    "-m",
    metavar="FILE|EXAMPLE",
    help="What was simulated, if the result does not say: Python functions cannot be saved.",
    autocompletion=complete_target,
)


def plot(
    result: Annotated[str, typer.Argument(metavar="RESULT", help="A result (.npz, .h5), or a folder with a result.npz.")],
    quantities: Annotated[
        list[str] | None, typer.Argument(metavar="[QUANTITY]...", help="Such as energy, violation, rod.position, pivot.force.")
    ] = None,
    model: Annotated[str | None, _MODEL] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="FILE", help="Picture to write: .png, .svg, .pdf.", show_default="beside the result, .png"),
    ] = None,
) -> None:
    """Plot quantities of a saved result over time."""
    if out is not None:
        check_ending(out, PLOT_ENDINGS, "--out")
    found, path = open_result(result, model)
    out = path.with_suffix(".png") if out is None else out
    out.parent.mkdir(parents=True, exist_ok=True)
    found.plot(*(quantities or ()), path=out)
    typer.echo(out)


def animate(
    target: Annotated[
        str, typer.Argument(metavar="RESULT|FILE|EXAMPLE", help="A result (.npz, .h5), or a model file or an example to simulate first.")
    ],
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="FILE", help="Animation to write: .html, .gif, .mp4, or .png.", show_default="NAME.html"),
    ] = None,
    speed: Annotated[float, typer.Option(metavar="X", help="How many times as fast as in reality; 0.1 is slow motion.")] = 1.0,
    fps: Annotated[float | None, typer.Option(metavar="N", help="Pictures a second of a film.", show_default="25 or 30")] = None,
    model: Annotated[str | None, _MODEL] = None,
    duration: Annotated[
        float | None, typer.Option("--duration", "-t", metavar="T", help="Seconds to simulate a model or an example.")
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Tell nothing unless something goes wrong.")] = False,
) -> None:
    """Animate a saved result, a model file or an example.

    A page (.html) plays in any browser, without a network; a film (.gif, .mp4)
    goes into slides and chats; a .png is a still.
    """
    if out is not None:
        check_ending(out, ANIMATION_ENDINGS, "--out")
    path = Path(target)
    if path.suffix.lower() in RESULT_ENDINGS or path.is_dir():
        if duration is not None:
            raise typer.BadParameter("a result has the duration it was computed for; leave it out.", param_hint="--duration")
        result, path = open_result(target, model)
        out = path.with_suffix(".html") if out is None else out
    else:
        if model is not None:
            raise typer.BadParameter(f"'{target}' is itself what is simulated; leave it out.", param_hint="--model")
        chosen = find(target)
        out = Path(f"{chosen.name}.html") if out is None else out
        result = simulate_target(chosen, Outputs(), duration=duration, solver=chosen.solver, quiet=quiet)
    out.parent.mkdir(parents=True, exist_ok=True)
    write_animation(result, out, quiet=quiet, speed=speed, fps=fps)
    if not quiet:
        typer.echo(out)
