"""The command line ``bielle``: what it knows to do, and how it tells that something went wrong.

The commands themselves are in :mod:`bielle.commands`. Nothing here or there imports Numba, SciPy or matplotlib before a command
needs it, so that ``bielle --help`` answers at once.
"""

from __future__ import annotations

import sys
from functools import partial
from io import TextIOWrapper
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from .commands.bench import bench
from .commands.course import course
from .commands.help import HelpWithExamples, TeachingCommand, shown
from .commands.housekeeping import convert, schema, version, version_lines, warmup
from .commands.look import check, examples
from .commands.pictures import animate, plot
from .commands.run import run
from .commands.studio import studio
from .commands.validate import validate
from .errors import BielleError

__all__ = ["app", "main"]


class FriendlyGroup(HelpWithExamples, TyperGroup):
    """Errors made on purpose become one red message on standard error; ``--debug``, anywhere on the line, shows where they come from."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        own = args[: args.index("--")] if "--" in args else args
        if "--debug" in own:  # it belongs before the command, but who adds it adds it at the end
            args = ["--debug", *[a for a in own if a != "--debug"], *args[len(own) :]]
        return super().parse_args(ctx, args)

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            typer.secho("Interrupted.", fg="red", err=True)
            raise typer.Exit(130) from None
        except BrokenPipeError:  # the reader of our output went away: Typer ends quietly
            raise
        except (BielleError, OSError) as error:
            if ctx.params.get("debug"):
                raise
            typer.secho(_sentence(error), fg="red", err=True)
            stopped = isinstance(error.__cause__, KeyboardInterrupt)  # Ctrl-C that hit a function of the user
            raise typer.Exit(130 if stopped else 1) from None


def _sentence(error: Exception) -> str:
    if isinstance(error, BielleError):
        return "\n".join([str(error), *getattr(error, "__notes__", ())])
    name = getattr(error, "filename", None)
    return f"{name}: {error.strerror}." if isinstance(error, OSError) and name and error.strerror else f"{type(error).__name__}: {error}"


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo("\n".join(version_lines()))
        raise typer.Exit


app = typer.Typer(
    name="bielle",
    cls=FriendlyGroup,
    no_args_is_help=True,
    rich_markup_mode="rich",
    pretty_exceptions_show_locals=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog=shown(
        "bielle examples  # what there is to try",
        "bielle run double_pendulum  # simulate it, plot it, animate it",
        "bielle convert double_pendulum mine.yaml  # make it a model file of your own",
        "bielle check mine.yaml  # degrees of freedom, redundancy, gaps",
        "bielle run --help  # more about a command",
    ),
)


@app.callback()
def _options(
    version: Annotated[bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show versions and leave.")] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Show where an error comes from (anywhere on the line).")] = False,
) -> None:
    """[bold]bielle[/bold] simulates mechanisms of rigid bodies."""


_command = partial(app.command, cls=TeachingCommand)
_command(
    rich_help_panel="Simulate",
    epilog=shown(
        "bielle run double_pendulum  # an example",
        "bielle run model.yaml --duration 20 --samples 2001  # a model file",
        "bielle run model.yaml --plot energy --plot rod.position  # choose what is plotted",
        "bielle run model.yaml --integrator hht --step 1e-3  # implicit, fixed steps",
        "bielle run model.yaml --out run.npz  # the result and nothing else",
        "bielle run model.yaml --animate run.mp4 --rtol 1e-10  # a film instead of a page",
    ),
)(run)
_command(
    rich_help_panel="Simulate",
    epilog=shown(
        "bielle studio  # an empty plane to build in, and the gallery of examples",
        "bielle studio model.yaml  # a model file",
        "bielle studio four_bar --no-browser  # an example; open the address yourself",
    ),
)(studio)
_command(
    rich_help_panel="Simulate",
    epilog=shown("bielle check model.yaml", "bielle check model.yaml && bielle run model.yaml  # exit status 1 if it cannot be simulated"),
)(check)
_command(
    rich_help_panel="Simulate",
    epilog=shown("bielle examples  # all of them", "bielle examples double_pendulum  # what one shows, and where its source is"),
)(examples)
_command(
    rich_help_panel="Simulate",
    epilog=shown(
        "bielle course  # the thirteen exercises",
        "bielle course 12  # run one: its checks, its plots, its film",
        "bielle course 13 --links 30 --out chain  # as files, with a longer chain",
        "bielle course --lang fr  # les titres en français",
    ),
)(course)
_command(
    rich_help_panel="Simulate",
    epilog=shown(
        "bielle validate  # all problems, with the default solver",
        "bielle validate andrews car_axis --solvers  # two of them, with every solver",
        "bielle validate --quick  # those that take a second or two",
    ),
)(validate)
_command(
    rich_help_panel="Simulate",
    epilog=shown(
        "bielle bench --quick  # the smaller cases of all workloads",
        "bielle bench andrews n_four_bar --out now.json  # two of them, kept in that file",
        "bielle bench andrews --compare now.json  # what differs from that run",
    ),
)(bench)
_command(
    rich_help_panel="Results",
    epilog=shown(
        "bielle plot out/double_pendulum energy  # the result in that folder",
        "bielle plot run.npz upper.position elbow.force --out run.pdf  # several quantities",
    ),
)(plot)
_command(
    rich_help_panel="Results",
    epilog=shown(
        "bielle animate run.npz  # run.html, plays in any browser",
        "bielle animate run.npz --out run.gif --speed 0.2  # slow motion",
        "bielle animate double_pendulum --duration 3 --out film.mp4  # simulate first",
    ),
)(animate)
_command(
    rich_help_panel="Housekeeping",
    epilog=shown(
        "bielle convert model.yaml model.json",
        "bielle convert robot.urdf robot.yaml  # a robot, to be changed",
        "bielle convert double_pendulum mine.yaml  # an example as a model file to change",
    ),
)(convert)
_command(
    rich_help_panel="Housekeeping",
    epilog=shown("bielle schema > bielle.schema.json  # for editors that complete and check as one types"),
)(schema)
_command(
    rich_help_panel="Housekeeping",
    epilog=shown("bielle warmup  # after installing, or in the image of a container"),
)(warmup)
_command(rich_help_panel="Housekeeping", epilog=shown("bielle version  # for a bug report"))(version)


def main() -> None:
    """Entry point of the command ``bielle``."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # a console that has no “→” must not end a run
    app(prog_name="bielle")
