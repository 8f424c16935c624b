"""Where the files of meshes are. They are looked for in the folder of the model and in those that the user names, and nowhere else."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import unquote

from ..errors import FileError
from ..mechanism.files import path_text
from ..mechanism.visuals import MAX_MESH_BYTES
from .xml import Element

__all__ = ["Meshes"]


class Meshes:
    """Finds files by the names they have in a model, and remembers those that it did not find.

    folder        of the model; None if it is text
    package_dirs  folders that hold packages (or are one), or a dictionary from the name of a package to its folder
    """

    def __init__(self, folder: str | None, package_dirs: Any = ()) -> None:
        given = [package_dirs] if isinstance(package_dirs, str | bytes | os.PathLike) else package_dirs
        if not isinstance(given, Iterable):
            raise FileError(f"package_dirs must be a list of folders, or a dictionary from packages to folders, got {given!r:.80}.")
        self.packages = {str(k): _real(path_text(v)) for k, v in given.items()} if isinstance(given, Mapping) else {}
        self.folders = list(self.packages.values()) if self.packages else [_real(path_text(each)) for each in given]
        self.own = None if folder is None else _real(folder or ".")
        self.missing: dict[str, list[str]] = {}  #: why files have no path, and which, with their lines

    def resolve(self, element: Element, name: str) -> str | None:
        """The absolute path of a mesh, or None; a file that is too large is refused."""
        reason = ""
        for candidate in self._candidates(name):
            path = os.path.realpath(candidate)
            try:
                state = os.stat(path)
            except (OSError, ValueError):
                continue
            if not self._allowed(path):
                reason = "outside the folder of the model and package_dirs"
                continue
            if not stat.S_ISREG(state.st_mode):
                continue
            if state.st_size > MAX_MESH_BYTES:
                raise element.error(
                    f"the mesh '{name}' has {state.st_size} bytes, more than {MAX_MESH_BYTES}. Thin it out: it is only looked at."
                )
            return path
        self.missing.setdefault(reason or "not found", []).append(f"'{name}' (line {element.line})")
        return None

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


def _real(folder: str) -> str:
    return os.path.realpath(folder)
