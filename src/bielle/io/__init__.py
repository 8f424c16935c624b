"""Formats of other programs: mechanisms from URDF files and to them, and from a part of MJCF.

May import ``mechanism``, ``joints`` and ``forces``. What is read passes through the methods of ``Mechanism``, so that every
check applies. Formats are registered by the ending of their files here, and imported when one is read.
"""

from typing import Any

from ..mechanism.registry import Format, formats

__all__: list[str] = []


def _load_urdf(path: str, **options: Any) -> Any:
    from .urdf import load_urdf

    return load_urdf(path, **options)


def _save_urdf(mechanism: Any, path: str) -> None:
    from .writing import save_urdf

    save_urdf(mechanism, path)


formats[".urdf"] = Format(_load_urdf, _save_urdf)
