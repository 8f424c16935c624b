"""What the exercises share: how one is run as a script, shown on the screen or written to files."""

import argparse
import inspect
import sys
from pathlib import Path
from typing import Any

import numpy as np

from ...errors import DescriptionError, SimulationError
from .._checks import Check, at_least, at_most, equals
from . import title

__all__ = [
    "COARSER", "Check", "at_least", "at_most", "checked", "drawn", "equals", "main", "one_step", "options_of", "rounding", "save", "show",
    "tenth",
]  # fmt: skip

COARSER = 100  # times the tolerance: the run that shows how far off the other one may be


def tenth(coarse: Any) -> float:
    """What a run may be off where one with COARSER times its tolerance is off by ``coarse``.

    The error of an adaptive method is proportional to the tolerance, but for the chance of its last step. So it should be a hundredth; a
    mistake in the equations, or in a formula they are held against, does not become smaller at all.
    """
    return float(np.max(np.abs(coarse))) / 10


def rounding(sol: Any, y: Any) -> float:
    """What rounding may add up in numbers y of a run: once in every evaluation, which adds a term to the state."""
    return float(sol.nfev * 2.0**-53 * np.max(np.abs(y)))


def one_step(sol: Any, rtol: float, y: Any) -> float:
    """What one step may err in numbers y of a run with atol = rtol.

    The root mean square of error/(atol + rtol |y|) over all numbers of the state is kept below one, and one of them may have it all.
    """
    return float(np.sqrt(len(sol.y)) * rtol * (1 + np.max(np.abs(y))))


def options_of(exercise: Any, links: int | None = None) -> dict[str, int]:
    """What an exercise is told: nothing, or the number of links if it has some."""
    known = inspect.signature(exercise.solve).parameters
    if "links" not in known:
        if links is not None:
            raise DescriptionError("This exercise has no links; --links belongs to exercise 13. Leave it out.")
        return {}
    if links is not None and links < 1:
        raise DescriptionError(f"--links must be at least 1, got {links}.")
    return {"links": known["links"].default if links is None else links}


def checked(exercise: Any, options: dict[str, int]) -> list[Check]:
    """Solve an exercise and check it; a run that Ctrl-C or a failure cut short is not checked."""
    for sol in _runs(exercise.solve(*options.values())):
        if sol.status == -2:
            raise KeyboardInterrupt
        if not sol.success:
            raise SimulationError(f"The integration failed: {sol.message}")
    return exercise.check(**options)


def _runs(solved: Any) -> list[Any]:
    """The runs in what ``solve`` returned: itself, or within tuples and dictionaries."""
    if hasattr(solved, "nfev"):
        return [solved]
    parts = solved.values() if isinstance(solved, dict) else solved if isinstance(solved, tuple) else ()
    return [sol for part in parts for sol in _runs(part)]


def drawn(exercise: Any, options: dict[str, int]) -> tuple[list[Any], bool]:
    """The figures of an exercise, and whether there is a screen that can show them."""
    figures = exercise.plot(**options)
    return figures, getattr(figures[0].canvas, "required_interactive_framework", None) is not None


def show(exercise: Any, options: dict[str, int]) -> None:
    """Open the windows, the film among them, until they are closed."""
    import matplotlib.pyplot as plt

    film = exercise.film(**options) if hasattr(exercise, "film") else None  # it plays as long as somebody holds it
    plt.show()
    del film


def save(exercise: Any, options: dict[str, int], figures: list[Any], folder: Path) -> list[Path]:
    """Write the figures as PNG and the film, if there is one, as GIF and HTML; tells which files these are."""
    import matplotlib.pyplot as plt

    folder.mkdir(parents=True, exist_ok=True)
    name = Path(exercise.__file__).stem
    written = []
    for i, figure in enumerate(figures):
        written.append(folder / (f"{name}.png" if i == 0 else f"{name}_{i + 1}.png"))
        figure.savefig(written[-1], dpi=120)
        plt.close(figure)
    for ending in (".gif", ".html") if hasattr(exercise, "film") else ():
        written.append(folder / f"{name}{ending}")
        exercise.film(written[-1], **options)
    return written


def main(name: str) -> None:
    """Run the exercise that is the module of that name: print its checks and show it. The exit code tells whether all checks hold."""
    exercise: Any = sys.modules[name]
    output: Any = sys.stdout
    output.reconfigure(errors="replace")  # not every terminal knows the signs in the names of the checks
    number = int(Path(exercise.__file__).stem.removeprefix("exercise_"))
    parser = argparse.ArgumentParser(prog=f"python -m bielle.examples.course.exercise_{number:02}", description=title(number))
    parser.add_argument("--save", metavar="DIR", type=Path, help="write the pictures and the film there, and show nothing")
    parser.add_argument("--links", metavar="N", type=int, help="links of the chain (exercise 13)")
    asked = parser.parse_args()
    try:
        options = options_of(exercise, asked.links)
    except DescriptionError as error:
        parser.error(str(error))
    print(f"{number}. {title(number)}")
    try:
        checks = checked(exercise, options)
    except KeyboardInterrupt:
        sys.exit("Interrupted.")
    for check in checks:
        print(f"  {check}")
    figures, screen = drawn(exercise, options)
    if asked.save is not None:
        for path in save(exercise, options, figures, asked.save):
            print(path)
    elif screen:
        show(exercise, options)
    else:
        print("There is no screen to show it on. --save DIR writes the pictures there.")
    sys.exit(0 if all(check.ok for check in checks) else 1)
