"""Interactions between solids: springs, efforts, contact and constraints. One file per kind; ``KINDS`` is the table of their names."""

from .base import Interaction
from .contact import Contact
from .distance_2s import Distance_2s
from .force import Force
from .hinge_1sfix import Hinge_1sFix
from .hinge_2s import Hinge_2s
from .moment import Moment
from .motion_1s import Motion_1s
from .point_on_line_2s import PointOnLine_2s
from .rigid_2s import Rigid_2s
from .slider_2s import Slider_2s
from .spring_dashpot_1sfix import SpringDashpot_1sFix
from .spring_dashpot_2s import SpringDashpot_2s

__all__ = [
    "KINDS",
    "Contact",
    "Distance_2s",
    "Force",
    "Hinge_1sFix",
    "Hinge_2s",
    "Interaction",
    "Moment",
    "Motion_1s",
    "PointOnLine_2s",
    "Rigid_2s",
    "Slider_2s",
    "SpringDashpot_1sFix",
    "SpringDashpot_2s",
]

_ALL = (
    SpringDashpot_2s,
    SpringDashpot_1sFix,
    Force,
    Moment,
    Contact,
    Hinge_2s,
    Hinge_1sFix,
    Distance_2s,
    PointOnLine_2s,
    Slider_2s,
    Rigid_2s,
    Motion_1s,
)
KINDS = {cls.__name__: cls for cls in _ALL}
