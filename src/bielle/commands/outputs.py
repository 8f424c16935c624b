"""Which files a run writes, decided and checked before it starts: a wrong ending must not cost an hour."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from ..errors import unknown
from .progress import progress_bar
from .targets import ANIMATION_ENDINGS, MODEL_ENDINGS, PLOT_ENDINGS, RESULT_ENDINGS

if TYPE_CHECKING:
    from ..mechanism.mechanism import Mechanism
    from ..results.record import Record

__all__ = ["Outputs", "check_ending", "check_quantities", "plan", "write_animation"]

_OF_THE_WHOLE = ("energy", "time", "velocity_violation", "violation")  # quantities that belong to no component


@dataclass
class Outputs:
    """Files to write, and those that were."""

    results: list[Path] = field(default_factory=list)
    plot: Path | None = None
    animation: Path | None = None
    quantities: tuple[str, ...] = ()
    written: list[Path] = field(default_factory=list)

    def make_folders(self) -> None:
        """Before the run, so that a folder that cannot be written is found out at once."""
        for path in [*self.results, self.plot, self.animation]:
            if path is not None:
                path.parent.mkdir(parents=True, exist_ok=True)

    def save_results(self, result: Record) -> None:
        """The numbers."""
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            for path in self.results:
                result.save(path)
                self.written.append(path)
        for text in dict.fromkeys(str(warning.message) for warning in caught):
            typer.secho(f"{text} On the command line: --model, of `bielle plot` and `bielle animate`.", fg="yellow", err=True)

    def save_pictures(self, result: Record, *, quiet: bool) -> None:
        """Plot and animation."""
        if self.plot is not None:
            result.plot(*self.quantities, path=self.plot)
            self.written.append(self.plot)
        if self.animation is not None:
            write_animation(result, self.animation, quiet=quiet)
            self.written.append(self.animation)


def plan(name: str, out: Path | None, save: list[Path], animate: Path | None, quantities: list[str], no_files: bool) -> Outputs:
    """What the options of ``bielle run`` ask for.

    Without ``--out``, or with a folder: result.npz, plot.png and animation.html in it. With a file: the result there and, if quantities are
    given, their plot beside it. ``--save`` adds results, ``--animate`` says where the animation goes.
    """
    if no_files:
        asked = [o for o, given in {"--out": out, "--save": save, "--animate": animate, "--plot": quantities}.items() if given]
        if asked:
            raise typer.BadParameter(f"it contradicts {' and '.join(asked)}: leave out one or the other.", param_hint="--no-files")
        return Outputs()
    for path in save:
        check_ending(path, RESULT_ENDINGS, "--save")
    if animate is not None:
        check_ending(animate, ANIMATION_ENDINGS, "--animate")
    if out is not None and out.suffix.lower() in RESULT_ENDINGS:
        return Outputs([out, *save], out.with_suffix(".png") if quantities else None, animate, tuple(quantities))
    if out is not None and out.suffix.lower() in {*PLOT_ENDINGS, *ANIMATION_ENDINGS, *MODEL_ENDINGS}:
        raise typer.BadParameter(
            f"'{out}' is neither a folder nor the name of a result ({', '.join(RESULT_ENDINGS)}); an animation goes with --animate.",
            param_hint="--out",
        )
    folder = Path("out") / name if out is None else out
    return Outputs([folder / "result.npz", *save], folder / "plot.png", animate or folder / "animation.html", tuple(quantities))


def check_quantities(mechanism: Mechanism, quantities: list[str]) -> None:
    """Refuse a quantity of something that is not there; what else can be asked of a component is known once there is a result."""
    known = [*_OF_THE_WHOLE, *mechanism.bodies, *mechanism.joints, *mechanism.forces, *mechanism.frames]
    for quantity in quantities:
        if not any(quantity == name or quantity.startswith(f"{name}.") for name in known):
            raise unknown("component", quantity.partition(".")[0], known, f"--plot {quantity}")


def check_ending(path: Path, endings: tuple[str, ...], option: str) -> None:
    """Refuse a file whose name does not say a format we can write."""
    if path.suffix.lower() not in endings:
        raise typer.BadParameter(
            f"the name must end in {', '.join(endings)}, got '{path}'. The ending decides the format.", param_hint=option
        )


def write_animation(result: Record, path: Path, *, quiet: bool, **options: Any) -> None:
    """With a bar: a film of thousands of pictures takes its time."""
    with progress_bar("drawing", quiet=quiet) as update:
        result.animate(path, progress=update, **options)
