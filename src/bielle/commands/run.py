"""``bielle run``: simulate a model file or an example, tell how it went, write its files."""

from __future__ import annotations

import warnings
from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..errors import AccuracyError, AccuracyWarning, BielleError, DescriptionError, unknown
from .outputs import Outputs, check_quantities, plan
from .progress import Interruption, progress_bar
from .summary import print_summary
from .targets import Target, complete_target, find

if TYPE_CHECKING:
    from ..results.record import Record

__all__ = ["TARGET", "run", "simulate_target"]

TARGET = typer.Argument(
    metavar="FILE|EXAMPLE", help="A model file (.yaml, .json, .urdf) or the name of an example.", autocompletion=complete_target
)

_FAMILIES = ("auto", "central", "modular", "recursive")
_INTEGRATORS = ("adaptive", "rk4", "newmark", "hht", "generalized-alpha", "RK45", "RK23", "DOP853", "Radau", "BDF", "LSODA")
_FORMULATIONS = ("projected", "baumgarte", "augmented", "index3")
_HOW, _FILES = "How it is simulated", "What is written"


def run(
    target: Annotated[str, TARGET],
    duration: Annotated[
        float | None,
        typer.Option("--duration", "-t", metavar="T", help="Seconds to simulate; the example's own, or 10.", rich_help_panel=_HOW),
    ] = None,
    solver: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help=f"One of {', '.join(_FAMILIES)}; auto takes the one that suits the mechanism.",
            autocompletion=lambda: list(_FAMILIES),
            rich_help_panel=_HOW,
        ),
    ] = None,
    integrator: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help=f"One of {', '.join(_INTEGRATORS)}.", autocompletion=lambda: list(_INTEGRATORS), rich_help_panel=_HOW
        ),
    ] = None,
    formulation: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help=f"One of {', '.join(_FORMULATIONS)}.", autocompletion=lambda: list(_FORMULATIONS), rich_help_panel=_HOW
        ),
    ] = None,
    step: Annotated[
        float | None,
        typer.Option(
            metavar="H", help="Step in seconds of rk4, newmark, hht, generalized-alpha; the others choose theirs.", rich_help_panel=_HOW
        ),
    ] = None,
    rtol: Annotated[
        float | None, typer.Option(metavar="TOL", help="Relative tolerance of the adaptive integrators.", rich_help_panel=_HOW)
    ] = None,
    atol: Annotated[float | None, typer.Option(metavar="TOL", help="Absolute tolerance of the same.", rich_help_panel=_HOW)] = None,
    samples: Annotated[
        int, typer.Option("--samples", "-n", metavar="N", help="How many equidistant samples are kept.", rich_help_panel=_HOW)
    ] = 501,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            "-o",
            metavar="DIR|FILE",
            help="Folder for result.npz, plot.png and animation.html; or a file (.npz, .h5, .csv) for the result alone.",
            show_default="out/NAME",
            rich_help_panel=_FILES,
        ),
    ] = None,
    plot: Annotated[
        list[str] | None,
        typer.Option(
            "--plot", "-p", metavar="QUANTITY", help="What to plot, such as energy or rod.position; repeat it.", rich_help_panel=_FILES
        ),
    ] = None,
    animate: Annotated[
        Path | None, typer.Option("--animate", "-a", metavar="FILE", help="Animation to write: .html, .gif, .mp4.", rich_help_panel=_FILES)
    ] = None,
    save: Annotated[
        list[Path] | None,
        typer.Option(
            "--save", "-s", metavar="FILE", help="Save the result here as well: .npz, .h5, .csv; repeat it.", rich_help_panel=_FILES
        ),
    ] = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="Fail if the run is not as accurate as its method promises.", rich_help_panel=_HOW)
    ] = False,
    no_files: Annotated[bool, typer.Option("--no-files", help="Write nothing; only tell how it went.", rich_help_panel=_FILES)] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Tell nothing unless something goes wrong.")] = False,
) -> None:
    """Simulate a model file or an example.

    Shows the progress, then energy error, constraint violation and, of an
    example, its checks; writes the result, a plot and an animation that plays
    in any browser. Ctrl-C stops the run and keeps what was computed.
    """
    chosen = find(target)
    how = _solver(chosen.solver, solver, integrator=integrator, formulation=formulation, step=step, rtol=rtol, atol=atol)
    outputs = plan(chosen.name, out, save or [], animate, plot or [], no_files)
    if chosen.play is None:  # what comes while it runs is known afterwards
        check_quantities(chosen.mechanism, plot or [])
    outputs.make_folders()
    result = simulate_target(chosen, outputs, duration=duration, solver=how, samples=samples, strict=strict, quiet=quiet, told=not quiet)
    outputs.save_results(result)
    checks = _checks(chosen, result, unchanged=duration is None)
    if not quiet:
        print_summary(chosen.mechanism.name or chosen.name, result, checks)
    try:
        outputs.save_pictures(result, quiet=quiet)
    finally:
        if not quiet:
            typer.echo("\n".join(map(str, outputs.written)), nl=bool(outputs.written))
    failed = [check.name for check in checks or () if not check.ok]
    if failed and how is chosen.solver:  # the limits are for the example's own solver; with another one they are only told
        typer.secho(f"Out of its limit: {', '.join(failed)}.", fg="red", err=True)
        raise typer.Exit(1)


def simulate_target(
    chosen: Target,
    outputs: Outputs,
    *,
    duration: float | None,
    solver: Any,
    samples: int = 501,
    strict: bool = False,
    quiet: bool = False,
    told: bool = False,
) -> Record:
    """Simulate; if the run is interrupted or fails, save what there is, say so and leave with status 130 or 1.

    So it is if it is not accurate and must be (``strict``); otherwise that is told, unless it will be (``told``).
    """
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result = _simulate(chosen, outputs, duration, solver, samples, quiet)
    if strict and result.warning:
        raise AccuracyError(f"{result.warning} {_keep(result, outputs)}", result)
    for warning in caught:
        if not (told and issubclass(warning.category, AccuracyWarning)):
            typer.secho(str(warning.message), fg="yellow", err=True)
    return result


def _simulate(chosen: Target, outputs: Outputs, duration: float | None, solver: Any, samples: int, quiet: bool) -> Record:
    if chosen.play is not None:
        return _play(chosen, outputs, duration, solver, samples)
    span = chosen.duration if duration is None else duration
    with Interruption() as interruption, progress_bar(f"simulating {chosen.name}", quiet=quiet) as update:

        def progress(fraction: float) -> None:
            update(fraction)
            interruption.checkpoint()

        try:
            result = chosen.run(chosen.mechanism, span, solver, samples=samples, progress=progress)
        except BielleError as error:
            partial = getattr(error, "result", None)
            if partial is not None:
                error.add_note(_keep(partial, outputs))
            raise
    if result.info.get("status") == "interrupted":
        typer.secho(f"Interrupted on the way to t = {span:g} s. {_keep(result, outputs)}", fg="yellow", err=True)
        raise typer.Exit(130)
    return result


def _play(chosen: Target, outputs: Outputs, duration: float | None, solver: Any, samples: int) -> Record:
    """The same with an example that is changed while it runs, from its beginning to its end."""
    if duration is not None:
        raise typer.BadParameter(
            f"what is done to '{chosen.name}' while it runs takes {chosen.duration:g} s; leave it out.", param_hint="--duration"
        )
    live = chosen.mechanism.live(solver, record=chosen.duration / max(samples - 1, 1))
    try:
        chosen.play(live)
    except KeyboardInterrupt:
        typer.secho(f"Interrupted on the way to t = {chosen.duration:g} s. {_keep(live.result(), outputs)}", fg="yellow", err=True)
        raise typer.Exit(130) from None
    return live.result()


def _keep(result: Record, outputs: Outputs) -> str:
    """Save a partial result, and what to tell about it."""
    if not len(result):
        return "Nothing was computed yet."
    what = f"{len(result)} samples until t = {result.time[-1]:.6g} s"
    if not outputs.results:
        return f"The {what} are not kept, as no file was asked for."
    outputs.save_results(result)
    return f"The {what} are in {', '.join(map(str, outputs.written))}."


def _solver(base: Any, family: str | None = None, **given: Any) -> Any:
    """The solver of the example, or the default one, with what was given on the command line instead of its own."""
    given = {key: value for key, value in given.items() if value is not None}
    if family is not None and family != "central":
        return _of_family(family, base, given)
    if family == "central" and not given:
        from ..solvers.central import Central

        return base if isinstance(base, Central) else Central()
    if not given:
        return base
    if set(given) == {"step"} and base is not None and base.fixed_step:
        return replace(base, step=given["step"])
    from ..solvers.central import IMPLICIT, Central

    base = base if isinstance(base, Central) else Central()
    new = given.get("integrator", base.integrator)
    fixed = new == "rk4" or new in IMPLICIT
    if fixed and given.get("step", base.step) is None:
        raise DescriptionError(f"The integrator '{new}' takes fixed steps: say how long they are, as in --step 1e-3.")
    if "step" in given and not fixed and new in _INTEGRATORS:
        raise DescriptionError(
            f"The integrator '{new}' chooses its steps itself: give --rtol instead of --step, or take fixed steps, as in --integrator rk4."
        )
    values = {f.name: getattr(base, f.name) for f in fields(base)}
    if not fixed:
        values["step"] = None
    if "formulation" not in given and values["formulation"] == "index3" and new not in IMPLICIT:
        values["formulation"] = "projected"  # index3 was the implicit integrator's
    new_way = {"integrator": new, "formulation": given.get("formulation", values["formulation"]), "step": given.get("step", values["step"])}
    read = Central(**new_way).readers()  # what the new method does not read was meant for the old one
    values = {name: value for name, value in values.items() if read.get(name, (True, ""))[0]}
    return Central(**(values | given))


def _of_family(family: str, base: Any, given: dict[str, Any]) -> Any:
    """A modular or a recursive solver, or "auto", with what was given on the command line."""
    from ..solvers.choice import AUTO, SOLVERS

    if family in _INTEGRATORS:
        step = " --step 1e-3" if family in ("rk4", "newmark", "hht", "generalized-alpha") else ""
        raise DescriptionError(f"'{family}' is an integrator, and no solver: write --integrator {family}{step}.")
    if family not in (AUTO, *SOLVERS):
        raise unknown("solver", family, (AUTO, *SOLVERS))
    if family == AUTO:
        if given:
            raise DescriptionError(f"--solver auto chooses everything itself, but {_options(given)} was given. Leave it out, or name one.")
        return AUTO
    kind = SOLVERS[family]
    foreign = {key: value for key, value in given.items() if key not in {f.name for f in fields(kind)}}
    if foreign:
        raise DescriptionError(f"The {family} solver has no {_options(foreign)}. Leave it out, or use --solver central.")
    if isinstance(base, kind):
        return replace(base, **given)
    return kind(**given)


def _options(given: dict[str, Any]) -> str:
    return ", ".join(f"--{key}" for key in given)


def _checks(chosen: Target, result: Record, *, unchanged: bool) -> list[Any] | None:
    """What an example says about its own result; a duration other than its own leaves nothing to compare with."""
    return list(chosen.example.check(result)) if chosen.example is not None and unchanged else None
