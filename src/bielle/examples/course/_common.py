"""What the exercises share: how one is run as a script, shown on the screen or written to files."""

import argparse
import inspect
import sys
from pathlib import Path
from typing import Any

from ...errors import DescriptionError
from .._checks import Check, at_least, at_most, equals
from . import title

__all__ = ["Check", "adds_up", "at_least", "at_most", "equals", "figures", "main", "options_of", "save", "show"]


def adds_up(sol: Any, rtol: float) -> float:
    """Relative error that a run may add up: a step may err by rtol of the state, and takes at least one evaluation."""
    return rtol * sol.nfev


def options_of(exercise: Any, links: int | None) -> dict[str, int]:
    """What was asked for beyond the exercise as it stands, if the exercise knows it."""
    if links is None:
        return {}
    if "links" not in inspect.signature(exercise.solve).parameters:
        raise DescriptionError("This exercise has no links; --links belongs to exercise 13. Leave it out.")
    if links < 1:
        raise DescriptionError(f"--links must be at least 1, got {links}.")
    return {"links": links}


def figures(exercise: Any, **options: Any) -> tuple[list, bool]:
    """The figures of an exercise, and whether there is a screen that shows them."""
    import matplotlib.pyplot as plt

    drawn = exercise.plot(**options)
    return drawn, getattr(plt.gcf().canvas, "required_interactive_framework", None) is not None


def show(exercise: Any, **options: Any) -> None:
    """Open the windows, the film among them, until they are closed."""
    import matplotlib.pyplot as plt

    film = exercise.film(**options) if hasattr(exercise, "film") else None  # it plays as long as somebody holds it
    plt.show()
    del film


def save(exercise: Any, folder: Path, drawn: list, **options: Any) -> list[Path]:
    """Write the figures, and the film if there is one, and tell which files these are."""
    folder.mkdir(parents=True, exist_ok=True)
    name = Path(exercise.__file__).stem
    written = []
    for i, figure in enumerate(drawn):
        written.append(folder / (f"{name}.png" if i == 0 else f"{name}_{i + 1}.png"))
        figure.savefig(written[-1], dpi=120)
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
    parser = argparse.ArgumentParser(description=f"Exercise {number}: {title(number)}.")
    parser.add_argument("--save", metavar="DIR", type=Path, help="write the pictures and the film there, and show nothing")
    parser.add_argument("--links", metavar="N", type=int, help="links of the chain (exercise 13)")
    asked = parser.parse_args()
    try:
        options = options_of(exercise, asked.links)
    except DescriptionError as error:
        parser.error(str(error))
    print(f"{number}. {title(number)}")
    checks = exercise.check(**options)
    for check in checks:
        print(f"  {check}")
    drawn, screen = figures(exercise, **options)
    if asked.save is not None:
        for path in save(exercise, asked.save, drawn, **options):
            print(path)
    elif screen:
        show(exercise, **options)
    else:
        print("There is no screen to show it on. --save DIR writes the pictures there.")
    sys.exit(0 if all(check.ok for check in checks) else 1)
