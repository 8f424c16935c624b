"""One file per joint kind: its description, its elements and its equations, written once for every pair of body kinds.

May import ``kernels`` and ``mechanism``. A joint sees only points and directions.
"""

from .cylindrical import Cylindrical
from .distance import Distance
from .fixed import Fixed
from .gear import Gear
from .helical import Helical
from .imposed_body import ImposedBody
from .imposed_point import ImposedPoint
from .imposed_rotation import ImposedRotation
from .imposed_translation import ImposedTranslation
from .knife_edge import KnifeEdge
from .pin import Pin
from .pin_in_slot import PinInSlot
from .planar import Planar
from .point_on_line import PointOnLine
from .point_on_plane import PointOnPlane
from .prismatic import Prismatic
from .revolute import Revolute
from .rigid import Rigid
from .rolling_disc import RollingDisc
from .rolling_wheel import RollingWheel
from .rotor import Rotor
from .slider import Slider
from .spherical import Spherical
from .universal import Universal
from .velocity_relation import VelocityRelation

__all__ = [
    "Cylindrical",
    "Distance",
    "Fixed",
    "Gear",
    "Helical",
    "ImposedBody",
    "ImposedPoint",
    "ImposedRotation",
    "ImposedTranslation",
    "KnifeEdge",
    "Pin",
    "PinInSlot",
    "Planar",
    "PointOnLine",
    "PointOnPlane",
    "Prismatic",
    "Revolute",
    "Rigid",
    "RollingDisc",
    "RollingWheel",
    "Rotor",
    "Slider",
    "Spherical",
    "Universal",
    "VelocityRelation",
]
