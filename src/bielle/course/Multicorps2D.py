"""The public module of the course: ``import bielle.course.Multicorps2D as mc`` in the place of ``import Multicorps2D as mc``."""

from . import interactions, utils2D
from .interactions import *  # noqa: F403
from .model import Model
from .parameters import Matrices, Param
from .solids import Frame, Solid
from .utils2D import *  # noqa: F403

__all__ = ["Frame", "Matrices", "Model", "Param", "Solid", *interactions.__all__, *utils2D.__all__]
