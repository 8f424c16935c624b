"""From what stands on the command line to what it means: a model file, an example, a result; and what was meant if there is none."""

from __future__ import annotations

import difflib
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from ..errors import FileError, NamingError

if TYPE_CHECKING:
    from ..mechanism.mechanism import Mechanism
    from ..results.record import Record

__all__ = ["ANIMATION_ENDINGS", "MODEL_ENDINGS", "PLOT_ENDINGS", "RESULT_ENDINGS", "Target", "complete_target", "find", "open_result"]

MODEL_ENDINGS = (".yaml", ".yml", ".json", ".urdf")
RESULT_ENDINGS = (".npz", ".h5", ".hdf5", ".csv")
PLOT_ENDINGS = (".png", ".svg", ".pdf")
ANIMATION_ENDINGS = (".html", ".gif", ".mp4", ".png")

FILE_DURATION = 10.0  #: seconds a model file is simulated for unless told otherwise: files say nothing about it


@dataclass(frozen=True)
class Target:
    """A mechanism to simulate, and how it is simulated unless told otherwise."""

    name: str  #: of the folder for its files
    mechanism: Mechanism
    duration: float
    solver: Any = None
    example: Any = None  #: the module, if it is one

    @property
    def play(self) -> Any:
        """What is done to it while it runs, in a live session; None if it is left alone."""
        return getattr(self.example, "play", None)

    @property
    def run(self) -> Any:
        """What simulates it: (mechanism, duration, solver, samples=…, progress=…) to a result."""
        return getattr(self.example, "run", type(self.mechanism).simulate)


def find(text: str) -> Target:
    """The model file or example called ``text``."""
    from .. import examples

    path = Path(text)
    if text in examples.names():
        module = examples.get(text)
        return Target(text, module.build(), float(module.DURATION), module.solver(), module)
    if path.is_dir():
        raise FileError(f"{text}: it is a folder. Give a model file ({', '.join(MODEL_ENDINGS)}) or the name of an example.")
    if path.suffix.lower() in RESULT_ENDINGS:
        raise FileError(
            f"{text}: that is the ending of a result. Give a model file ({', '.join(MODEL_ENDINGS)}) or the name of an example."
        )
    if path.exists():
        return Target(path.stem, _loaded(path), FILE_DURATION)
    raise _missing(path, MODEL_ENDINGS, examples.names())


def _loaded(path: Path) -> Mechanism:
    """The mechanism in a file; what is missing without harm (a mesh of a robot) is told."""
    from ..mechanism.files import load

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        mechanism = load(path)
    for warning in caught:
        typer.secho(str(warning.message), fg="yellow", err=True)
    return mechanism


def open_result(text: str, model: str | None = None) -> tuple[Record, Path]:
    """A saved result and its file; a folder written by ``bielle run`` stands for the result in it.

    ``model`` is the model file or example that was simulated, needed if Python functions kept it from being saved along.
    """
    path = Path(text)
    if (path / "result.npz").is_file():
        path = path / "result.npz"
    if path.is_dir():
        raise FileError(f"{text}: there is no result.npz in this folder. Give the file of a result ({', '.join(RESULT_ENDINGS)}).")
    if not path.exists():
        raise _missing(path, RESULT_ENDINGS)
    from ..results.export import load_result

    return load_result(path, mechanism=None if model is None else find(model).mechanism), path


def _missing(path: Path, endings: tuple[str, ...], examples: list[str] | None = None) -> NamingError:
    """The error for a name that is neither a file nor an example, with the nearest of either."""
    folder = path.parent if path.parent.is_dir() else Path()
    beside = sorted(str(p) for p in folder.iterdir() if p.suffix.lower() in endings and p.is_file())
    by_stem = {Path(b).stem: b for b in beside} | {name: name for name in examples or ()}
    close = difflib.get_close_matches(path.stem, by_stem, n=1)
    hint = f" Did you mean '{by_stem[close[0]]}'?" if close else ""
    looks_like_file = bool(path.suffix) or len(path.parts) > 1
    if examples is None or (looks_like_file and (close or not examples)):
        return NamingError(f"There is no file '{path}'.{hint or f' Files of this kind here: {_list(beside)}.'}")
    what = f"file '{path}'" if looks_like_file else f"example and no model file named '{path}'"
    return NamingError(f"There is no {what}.{hint} `bielle examples` lists the examples.")


def _list(names: list[str]) -> str:
    return ", ".join(names[:8]) + (", …" if len(names) > 8 else "") if names else "none"


def complete_target(incomplete: str) -> list[str]:
    """Names of examples and model files, for completion by the shell."""
    from .. import examples

    files = [p.name for p in Path().iterdir() if p.suffix.lower() in MODEL_ENDINGS]
    return [name for name in [*examples.names(), *sorted(files)] if name.startswith(incomplete)]
