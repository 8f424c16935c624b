"""One file per coordinate kind of a body: sizes, mass matrix, and kernels for motion, points and directions.

May import ``kernels`` and ``mechanism``. Joints and forces never look at a body's coordinates, only at its points and directions.
"""

from . import bar, ground, natural, planar, spatial

__all__ = ["bar", "ground", "natural", "planar", "spatial"]
