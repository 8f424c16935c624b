"""Meshes of a model: where they are, and which are not there."""

from __future__ import annotations

import os
from typing import Any

from ..mechanism.meshes import MeshFolders
from ..mechanism.visuals import MAX_MESH_BYTES
from .xml import Element

__all__ = ["Meshes"]


class Meshes:
    """Finds the files of meshes in the folders of a model, and remembers those that it did not find."""

    def __init__(self, folder: str | None, package_dirs: Any = ()) -> None:
        self.folders = MeshFolders(folder, package_dirs)
        self.missing: dict[str, list[str]] = {}  #: why files have no path, and which, with their lines

    def resolve(self, element: Element, name: str) -> str | None:
        """The absolute path of a mesh, or None; a file that is too large is refused."""
        path, reason = self.folders.find(name)
        if path is None:
            self.missing.setdefault(reason, []).append(f"'{name}' (line {element.line})")
            return None
        size = os.path.getsize(path)
        if size > MAX_MESH_BYTES:
            raise element.error(f"the mesh '{name}' has {size} bytes, more than {MAX_MESH_BYTES}. Thin it out: it is only looked at.")
        return path
