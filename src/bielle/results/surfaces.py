"""Triangles of mesh files, few enough to be drawn; and what cannot be read, with a word about it."""

from __future__ import annotations

import importlib.util
import io
import os
from functools import lru_cache
from typing import Any

import numpy as np

from ..errors import FileError
from ..io import xml
from ..mechanism.meshes import MeshFolders
from ..mechanism.visuals import MAX_MESH_BYTES

__all__ = ["ENDINGS", "MOST", "UnreadableError", "simplified", "surface"]

ENDINGS = (".stl", ".obj", ".dae")  #: files that are read
MOST = 1200  #: triangles of one mesh that are drawn: a picture sorts all of them by their distance


class UnreadableError(Exception):
    """Why a mesh is not drawn."""


def surface(primitive: dict[str, Any], folders: MeshFolders | None = None) -> dict[str, Any]:
    """The triangles of a primitive of the kind 'file', in the axes of the body; raises :class:`UnreadableError`.

    folders  where the file may be; None: anywhere
    """
    path, reason = primitive["path"], "not found"
    if folders is not None:
        for name in (path, primitive["name"]):
            path, reason = folders.find(name) if name is not None else (None, reason)
            if path is not None or reason != "not found":
                break
    if path is None:
        raise UnreadableError(f"is {reason}" if reason != "not found" else "was not found")
    try:
        state = os.stat(path)
    except (OSError, ValueError) as error:
        raise UnreadableError("is not there any more") from error
    if state.st_size > MAX_MESH_BYTES:
        raise UnreadableError(f"is longer than {MAX_MESH_BYTES // 10**6} MB")
    points, faces = _read(path, state.st_mtime_ns, state.st_size)
    scale, rotation = np.array(primitive["scale"]), np.array(primitive["rotation"])
    if scale.prod() < 0:  # mirrored: triangles would look inwards
        faces = faces[:, ::-1]
    points = points * scale @ rotation.T + primitive["position"]
    return {"kind": "mesh", "points": points.tolist(), "faces": faces.tolist()}


@lru_cache(maxsize=256)
def _read(path: str, changed: int, size: int) -> tuple[np.ndarray, np.ndarray]:
    """Points (n, 3) and triangles (m, 3) of a file as it was then."""
    ending = os.path.splitext(path)[1].lower()
    if ending not in ENDINGS or not os.path.isfile(path):
        raise UnreadableError(f"does not end in {', '.join(ENDINGS)}")
    try:
        import trimesh
    except ImportError as error:
        raise UnreadableError("needs the package trimesh: pip install 'bielle[urdf]'") from error
    with open(path, "rb") as file:
        content = file.read()
    unit = _unit(path, content) if ending == ".dae" else 1.0
    try:
        # without a path nothing else is opened: materials and textures stay where they are
        mesh: Any = trimesh.load(io.BytesIO(content), file_type=ending[1:], force="mesh", process=False, skip_materials=True)
        points, faces = unit * np.array(mesh.vertices, dtype=float), np.array(mesh.faces, dtype=int)
    except Exception as error:  # whatever a broken file makes a parser raise
        raise UnreadableError(f"cannot be read ({type(error).__name__})") from error
    if not len(faces) or not np.isfinite(points).all():
        raise UnreadableError("has no triangles, or some without an end")
    return simplified(points, faces, MOST)


def _unit(path: str, content: bytes) -> float:
    """The unit of length of a COLLADA file [m], after a look at its XML: document types and entities are refused, sizes are bounded."""
    if importlib.util.find_spec("collada") is None:
        raise UnreadableError("needs the package pycollada: pip install 'bielle[urdf]'")
    try:
        unit = next((unit for asset in xml.parse(content, path).all("asset") for unit in asset.all("unit")), None)
        return 1.0 if unit is None else unit.number("meter", 1.0)
    except FileError as error:
        raise UnreadableError("cannot be read (it is no COLLADA)") from error


def simplified(points: np.ndarray, faces: np.ndarray, most: int) -> tuple[np.ndarray, np.ndarray]:
    """At most ``most`` triangles: points that share a cell of a grid become one, and triangles that shrink to lines go.

    The grid is the finest that does; the result is a sketch in the place of the mesh, for the eye only.
    """
    low, span = points.min(axis=0), max(float(np.ptp(points, axis=0).max()), 1e-300)
    cells = 128
    kept_points, kept = points, faces
    while len(kept) > most and cells > 1:
        cell = np.minimum((cells * (points - low) / span).astype(int), cells - 1)
        _, group = np.unique(cell @ [1, cells, cells * cells], return_inverse=True)
        count = np.bincount(group)
        kept_points = np.stack([np.bincount(group, points[:, k]) / count for k in range(3)], axis=1)
        kept = group[faces]
        kept = kept[(kept[:, 0] != kept[:, 1]) & (kept[:, 1] != kept[:, 2]) & (kept[:, 2] != kept[:, 0])]
        turned = np.take_along_axis(kept, (kept.argmin(axis=1)[:, None] + np.arange(3)) % 3, axis=1)  # the least number first
        kept = np.unique(turned, axis=0)
        cells = cells * 3 // 4
    used, numbers = np.unique(kept, return_inverse=True)
    return kept_points[used], numbers.reshape(-1, 3)
