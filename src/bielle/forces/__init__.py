"""One file per force kind: its description, its elements, its law and its tangent.

May import ``kernels`` and ``mechanism``. A force sees only points and directions.
"""

from .angle_friction import AngleFriction
from .angle_limit import AngleLimit
from .callable_force import CallableForce
from .grab import Grab
from .joint_damping import JointDamping
from .linear_motor import LinearMotor
from .motor import Motor
from .plane_contact import PlaneContact
from .point_force import PointForce
from .slide_friction import SlideFriction
from .slide_limit import SlideLimit
from .spring import Spring
from .torque import Torque
from .torsion_spring import TorsionSpring

__all__ = [
    "AngleFriction",
    "AngleLimit",
    "CallableForce",
    "Grab",
    "JointDamping",
    "LinearMotor",
    "Motor",
    "PlaneContact",
    "PointForce",
    "SlideFriction",
    "SlideLimit",
    "Spring",
    "Torque",
    "TorsionSpring",
]
