"""Where the files of meshes may be: in the folder of the file that names them and in folders that the user names, and nowhere else."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import unquote

from ..errors import FileError

__all__ = ["MeshFolders"]


class MeshFolders:
    """Finds files by the names they have in a model. A link that leads out of the folders leads nowhere.

    own           folder of the model; None if it is text
    package_dirs  folders that hold packages (or are one), or a dictionary from the name of a package to its folder
    """

    def __init__(self, own: str | None, package_dirs: Any = ()) -> None:
        given = [package_dirs] if isinstance(package_dirs, str | bytes | os.PathLike) else package_dirs
        if not isinstance(given, Iterable):
            raise FileError(f"package_dirs must be a list of folders, or a dictionary from packages to folders, got {given!r:.80}.")
        self.packages = {str(k): _real(v) for k, v in given.items()} if isinstance(given, Mapping) else {}
        self.folders = list(self.packages.values()) if self.packages else [_real(each) for each in given]
        self.own = None if own is None else _real(own or ".")

    def find(self, name: str) -> tuple[str | None, str]:
        """The absolute path of a file, without links in it; or None, and why."""
        reason = "not found"
        for candidate in self._candidates(name):
            try:
                path = os.path.realpath(candidate)
                state = os.stat(path)
            except (OSError, ValueError):
                continue
            if not self._allowed(path):
                reason = "outside the folder of the model and package_dirs"
            elif stat.S_ISREG(state.st_mode):
                return path, ""
        return None, reason

    def _allowed(self, path: str) -> bool:
        roots = [*self.folders, *([] if self.own is None else [self.own])]
        return any(path == root or path.startswith(root.rstrip(os.sep) + os.sep) for root in roots)

    def _candidates(self, name: str) -> list[str]:
        """Where a file of that name may be, the likeliest first."""
        scheme, mark, rest = name.partition("://")
        if not mark:
            roots = [*([] if self.own is None else [self.own]), *self.folders]
            return [name] if os.path.isabs(name) else [os.path.join(root, name) for root in roots]
        rest = unquote(rest)
        if scheme == "file":
            return [rest]
        if scheme not in ("package", "model"):
            return []  # nothing is fetched
        package, _, inside = rest.partition("/")
        inside = inside.lstrip("/")
        found = [os.path.join(self.packages[package], inside)] if package in self.packages else []
        for root in [*self.folders, *([] if self.own is None else [self.own])]:
            found.append(os.path.join(root, package, inside))
            if os.path.basename(root) == package:
                found.append(os.path.join(root, inside))
        return found


def _real(folder: Any) -> str:
    try:
        return os.path.realpath(os.fsdecode(folder))
    except TypeError:
        raise FileError(f"A path must be a string or a pathlib.Path, got {folder!r:.80}. Give the name of a file.") from None
