"""What was opened and saved last in a folder, remembered from one studio to the next."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path

from ..errors import FileError
from ..results.output import replacing

__all__ = ["Recent"]

_MOST_NAMES, _MOST_FOLDERS = 10, 50
_MOST_BYTES = 1_000_000


class Recent:
    """Names in one folder, the newest first; ``memory``: a file for those of all folders, without which they are forgotten."""

    def __init__(self, folder: str, memory: Path | None) -> None:
        self._folder, self._memory = folder, memory
        self.names = _read(memory).get(folder, [])

    def add(self, name: str) -> None:
        """It was used just now."""
        self.names = [name, *(other for other in self.names if other != name)][:_MOST_NAMES]
        if self._memory is None:
            return
        others = {folder: names for folder, names in _read(self._memory).items() if folder != self._folder}
        known = {self._folder: self.names} | dict(list(others.items())[: _MOST_FOLDERS - 1])
        with contextlib.suppress(OSError, FileError):  # it is a convenience
            self._memory.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with replacing(self._memory) as draft:
                draft.write_text(json.dumps(known), encoding="utf-8")


def _read(memory: Path | None) -> dict[str, list[str]]:
    """What is remembered of all folders; nothing if the file says something else."""
    with contextlib.suppress(OSError, ValueError, RecursionError):
        if memory is not None and memory.stat().st_size <= _MOST_BYTES:
            read = json.loads(memory.read_text(encoding="utf-8"))
            if isinstance(read, dict):
                return {f: [n for n in names if isinstance(n, str)][:_MOST_NAMES] for f, names in read.items() if isinstance(names, list)}
    return {}
