"""Files of the studio: in one folder, nothing outside of it is read or written; and files that are brought along by a page."""

from __future__ import annotations

import os
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from .. import examples
from ..errors import FileError, unknown
from ..io.mjcf import load_mjcf
from ..live.files import load_session
from ..live.session import LiveSession
from ..mechanism import registry
from ..mechanism.files import load, save
from .recent import Recent

__all__ = ["ENDINGS", "MOST_BYTES", "Folder", "opened_example"]

MOST_BYTES = 20_000_000  #: of a file that is brought along
SESSION = ".session"
_LONGEST = 200  # bytes of a name
_DEVICES = {"CON", "PRN", "AUX", "NUL", *(f"{port}{k}" for port in ("COM", "LPT") for k in range(10))}
ENDINGS = (".yaml", ".yml", ".json", SESSION)
_MJCF = (".xml", ".mjcf")


class Folder:
    """Where models and sessions are opened and saved."""

    def __init__(self, path: str | os.PathLike[str], memory: Path | None = None) -> None:
        """memory: a file that outlives the studio and says what was opened and saved last"""
        self.path = Path(path).resolve()
        self._recent = Recent(str(self.path), memory)

    @property
    def recent(self) -> list[str]:
        """Names of what was opened and saved last and is still there, the newest first."""
        there = set(self.files())
        return [name for name in self._recent.names if name in there]

    def files(self) -> list[str]:
        """Names of what can be opened."""
        return sorted(p.name for p in self.path.iterdir() if p.is_file() and p.suffix in _readable() and not p.name.startswith("."))

    def inside(self, name: str) -> Path:
        """The path of a file of that name in the folder, and in no other."""
        if not _plain(name):
            raise FileError(f"{name[:80]!a} is no name of a file in {self.path}. Give a name without folders, such as mine.yaml.")
        target = self.path / name
        if target.is_symlink() and target.resolve().parent != self.path:
            raise FileError(f"'{name[:80]}' leads out of {self.path}. Copy it there.")
        return target

    def open(self, name: str) -> LiveSession:
        """A session of a model or session file."""
        path = self.inside(name)
        live = _opened(path)
        self._recent.add(name)
        return live

    def save(self, live: LiveSession, name: str) -> None:
        """Write the mechanism as it is now (.yaml, .json) or the whole session (.session)."""
        path = self.inside(name)
        if path.suffix == SESSION:
            live.save(path)
        elif path.suffix in ENDINGS:
            save(live.describe(), path)
        else:
            raise FileError(f"'{name[:80]}' must end in .yaml or .json (the mechanism as it is now) or in .session (everything).")
        self._recent.add(name)

    def brought(self, name: str, content: bytes) -> LiveSession:
        """A session of a file that a page has brought along: data in a folder of its own, so that nothing beside it can be named."""
        ending = Path(os.path.basename(name)).suffix.lower()
        if ending not in _readable():
            known = ", ".join(_readable())
            raise FileError(f"'{name[:80]}': files that end in {ending or 'nothing'} cannot be opened. Bring one of {known}.")
        with tempfile.TemporaryDirectory(prefix="bielle-") as folder:
            path = Path(folder) / f"brought{ending}"
            path.write_bytes(content)
            with _called(str(path), f"'{name[:80]}'"):
                return _opened(path)


@contextmanager
def _called(path: str, name: str) -> Iterator[None]:
    """Let errors and warnings name a file as its user does: nobody knows the copy."""
    before = warnings.showwarning

    def show(message: Any, *rest: Any, **more: Any) -> None:
        before(type(message)(str(message).replace(path, name)) if path in str(message) else message, *rest, **more)

    warnings.showwarning = show
    try:
        yield
    except FileError as error:
        raise FileError(str(error).replace(path, name)) from None
    finally:
        if warnings.showwarning is show:
            warnings.showwarning = before


def _readable() -> tuple[str, ...]:
    """Endings of what can be opened."""
    return (*ENDINGS, *registry.formats, *(ending for ending in _MJCF if ending not in registry.formats))


def _plain(name: str) -> bool:
    """Whether it names a file on every system: no folder, no drive, no device, nothing hidden or endless."""
    stem = name.partition(".")[0].rstrip().upper()
    return (
        name.isprintable()
        and not name.startswith((".", "~"))
        and not set(name) & set('/\\:*?"<>|')
        and stem not in _DEVICES
        and 0 < len(name.encode(errors="replace")) <= _LONGEST
    )


def _opened(path: Path) -> LiveSession:
    if path.suffix == SESSION:
        return load_session(path)
    if path.suffix in _MJCF and path.suffix not in registry.formats:
        return load_mjcf(path).live()
    return load(path).live()


def opened_example(name: str) -> LiveSession:
    """A session of an example, with the solver it wants."""
    if name not in examples.names():
        raise unknown("example", name, examples.names())
    module = examples.get(name)
    solver = module.solver()
    live_solver = solver if solver is not None and getattr(solver, "one_step", False) else None
    return module.build().live(live_solver)
