"""Files that an MJCF file includes: their elements take the place of the <include>."""

from __future__ import annotations

from ..mechanism.files import read_bytes
from ..mechanism.meshes import MeshFolders
from . import xml
from .xml import Element

__all__ = ["expand"]


def expand(root: Element, folders: MeshFolders, max_bytes: int) -> None:
    """Put the content of included files where they are included; each at most once, from the folder of the model, as MuJoCo does."""
    seen: set[str] = set()
    pending, count = [root], 0
    while pending:
        element = pending.pop()
        children: list[Element] = []
        for child in element.children:
            children += _content(child, folders, seen, max_bytes) if child.tag == "include" else [child]
        element.children = children
        if any(child.tag == "include" for child in children):  # an included file that includes another
            pending.append(element)
        else:
            pending += children
            count += len(children)
        if count > xml.MAX_ELEMENTS:
            raise element.error(f"there are more than {xml.MAX_ELEMENTS} elements. Build so large a mechanism in Python.")


def _content(include: Element, folders: MeshFolders, seen: set[str], max_bytes: int) -> list[Element]:
    name = include.text("file")
    path, reason = folders.find(name)
    if path is None:
        raise include.error(f"the file '{name[:80]}' is {reason}. Put it beside the model, or its content in the place of this element.")
    if path in seen:
        raise include.error(f"the file '{name[:80]}' is included twice. Remove one of them.")
    seen.add(path)
    inner = xml.parse(read_bytes(path, max_bytes), path, include.notes)
    if inner.tag not in ("mujoco", "mujocoinclude"):
        raise inner.error("a file that is included begins with <mujocoinclude> or <mujoco>. Is it another format?")
    return inner.children
