"""One file per force kind: its description, its elements, its law and its tangent.

May import ``kernels`` and ``mechanism``. A force sees only points and directions.
"""

from .callable_force import CallableForce
from .grab import Grab
from .joint_damping import JointDamping
from .linear_motor import LinearMotor
from .motor import Motor
from .point_force import PointForce
from .spring import Spring
from .torque import Torque
from .torsion_spring import TorsionSpring

__all__ = [
    "CallableForce",
    "Grab",
    "JointDamping",
    "LinearMotor",
    "Motor",
    "PointForce",
    "Spring",
    "Torque",
    "TorsionSpring",
]
