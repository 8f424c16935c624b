"""What every body kind answers, so that joints and forces need know nothing else."""

from typing import ClassVar

import numpy as np

from ..kernels.lazy import entry
from ..mechanism.description import Pose, Twist
from ..mechanism.shapes import MassProperties

__all__ = ["BodyKind", "InternalConstraint"]


class InternalConstraint:
    """Equations a body kind adds on its own points and directions, as a joint between the body and itself."""

    def __init__(self, kernel: entry, equations: int, elements: list[tuple[bool, np.ndarray]], parameters: list[float]) -> None:
        self.kernel = kernel
        self.equations = equations
        self.elements = elements  #: (is a point, description as :meth:`BodyKind.element` gives it)
        self.parameters = parameters


class BodyKind:
    """Coordinates of one body.

    Kernels work on rows ``first … last`` of the body table (``motion``, ``retract``) or of ``elem_order`` (``elements``).

    motion    cache what ``elements`` needs in body_work; write qd and force (weight and gyroscopic terms)
    elements  write x, x_dot, x_bias, x_jac of the elements listed
    retract   q ← q ⊕ delta, with delta in the space of velocities
    observe   write frame (all but accelerations) from q and v
    settle    write q and v from frame, ``follow`` v̇; they and ``observe`` are None where a body is more than a rigid one
    stiffness add to mass_hat, times scalar[S_BETA_H], −∂(J_eᵀF_e)/∂q for the efforts x_effort on the elements listed,
              symmetrised; None where elements depend linearly on q
    """

    name: ClassVar[str]
    dim: ClassVar[int]
    nq: ClassVar[int]
    nv: ClassVar[int]
    n_work: ClassVar[int] = 0
    linear: ClassVar[slice | None] = None  #: velocities that are those of a point, where they stand apart from
    angular: ClassVar[slice | None] = None  #: those that turn the body
    without_mass: ClassVar[bool] = False  #: whether a body of that kind can have none, in joint coordinates
    motion: ClassVar[entry]
    elements: ClassVar[entry]
    retract: ClassVar[entry]
    stiffness: ClassVar[entry | None] = None
    observe: ClassVar[entry | None] = None
    settle: ClassVar[entry | None] = None
    follow: ClassVar[entry | None] = None

    def __init__(self, properties: MassProperties, reference: tuple[np.ndarray, np.ndarray]) -> None:
        """properties: mass, centre and inertia in the body frame; reference: two of the shape's points, in the body frame."""
        self.properties = properties
        self.reference = reference

    def parameters(self) -> list[float]:
        """Numbers the kernels read from ``param``."""
        raise NotImplementedError

    def mass(self) -> np.ndarray:
        """Mass matrix (nv, nv)."""
        raise NotImplementedError

    def element(self, is_point: bool, local: np.ndarray) -> list[float]:
        """Describe a point or direction of the body frame (3,) for the kernel: four numbers."""
        raise NotImplementedError

    def coordinates(self, pose: Pose) -> np.ndarray:
        """q of a pose of the body frame."""
        raise NotImplementedError

    def velocities(self, pose: Pose, twist: Twist) -> np.ndarray:
        """v of a velocity of the body frame."""
        raise NotImplementedError

    def pose(self, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Position (…, 3) of the frame's origin and rotation (…, 3, 3) for coordinates (…, nq)."""
        raise NotImplementedError

    def check(self, name: str) -> None:
        """Raise a DescriptionError if these coordinates cannot carry such a body."""

    def internal(self) -> list[InternalConstraint]:
        """Equations between the body's own coordinates."""
        return []
