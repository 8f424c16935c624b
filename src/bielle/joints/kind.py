"""What every joint kind is: a small description, its elements, its equations, one kernel."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Self

import msgspec
import numpy as np

from ..calls import ExplainedStruct
from ..kernels.lazy import entry
from ..mechanism.description import Joint, Marker, Point
from ..mechanism.functions import hold_functions
from ..mechanism.vectors import E3, triad
from ..mechanism.vectors import axis as unit_axis

if TYPE_CHECKING:
    from ..mechanism.mechanism import Mechanism

__all__ = ["Axis", "JointKind"]

Axis = str | tuple[float, float, float]


class JointKind(
    msgspec.Struct, metaclass=ExplainedStruct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True, tag_field="type"
):
    """A relation between points and directions of two bodies a and b; see ``docs/extending.md`` for how to write one.

    Given the elements' values x and rates ẋ, the kernel writes, for its equations,

        phi    φ(x, t)
        g      G = ∂φ/∂x, row-major, equations × (dim · elements)
        gamma  Ġ ẋ + φ̈_t      (what φ̈ contains besides G ẍ)
        phi_t  ∂φ/∂t           (only if φ depends on time; otherwise left alone, at zero)

    Everything else (Jacobian, reactions, projection, assembly, energy) follows from these four.

    An equation Ψ(x, t) ẋ + f(t) = 0 that holds for velocities only is named in ``nonholonomic``. For it, the kernel writes

        phi    0               (there is no position to be right or wrong)
        g      Ψ               so that φ̇ = G ẋ + φ_t as always
        gamma  Ψ̇ ẋ + ḟ         the rate of φ̇ with ẍ = 0
        phi_t  f               (only if there is an f)

    Ψ need not be the gradient of anything, so such a joint may leave all positions within reach while it restricts every motion.
    """

    dims: ClassVar[tuple[int, ...]]  #: (2,), (3,) or (2, 3): mechanisms the kind belongs to
    equations: ClassVar[int]
    kernel: ClassVar[entry]
    functions: ClassVar[tuple[str, ...]] = ()  #: fields that are functions of time
    function_units: ClassVar[tuple[str, ...]] = ()  #: of what they give, m or rad, for messages
    #: what a and b are: 'bodies' (or frames on them), or 'joints', through which it holds on to bodies. In that case ``elements`` and
    #: ``parameters`` are given four markers, a and b of joint a and those of joint b, with the axis and the motion of their joints
    attachment: ClassVar[str] = "bodies"
    grounded: ClassVar[bool] = False  #: a must be the ground
    output_unit: ClassVar[str | None] = None  #: of an imposed motion whose one multiplier is the effort it takes: N or N·m
    meeting: ClassVar[bool] = False  #: the first ``dim`` equations are x_b − x_a = 0, of the first element and another
    nonholonomic: ClassVar[tuple[int, ...]] = ()  #: rows of the equations that hold at velocity level only
    in_plane: ClassVar[tuple[str, ...]] = ()  #: fields that are directions in the plane of a planar mechanism
    motion: ClassVar[str | None] = None  #: what it leaves free, if there are coordinates for that: see kernels/motions.py

    def __post_init__(self) -> None:
        hold_functions(self, self.functions)

    @classmethod
    def samples(cls, dim: int) -> Sequence[Self]:
        """Instances for the contract tests to try in mechanisms of that dimension; some with parameters other than the defaults."""
        return [cls()]

    def elements(self, a: Marker, b: Marker, dim: int) -> list[Point]:
        """Points and directions the kernel sees, in its order."""
        raise NotImplementedError

    def parameters(self, a: Marker, b: Marker, dim: int) -> list[float]:
        """Numbers the kernel reads from ``param``."""
        return []

    def resolved(self, a: Marker, b: Marker, dim: int) -> Self:
        """The same kind without what it takes from the configuration: parameters that come from ``world`` or ``axes`` of the markers
        are given by numbers. A kind that has none is so already."""
        return self

    def signals(self, dim: int) -> list[Any]:
        """Functions of time the kernel reads from ``signal``: those of ``functions``, in that order."""
        return [getattr(self, field) for field in self.functions]

    def signal_units(self, dim: int) -> tuple[str, ...]:
        """What the functions of ``signals`` give, m or rad, as far as it is known."""
        return self.function_units

    def characteristics(self, dim: int) -> list[Any]:
        """Functions that the kernel itself calls, behind those of ``signals`` in the table: bridges to Python (mechanism/callbacks.py)."""
        return []

    def count(self, dim: int) -> int:
        """Number of equations in a mechanism of that dimension."""
        return self.equations

    def velocity_rows(self, dim: int) -> tuple[int, ...]:
        """Rows that hold at velocity level only, in a mechanism of that dimension."""
        return self.nonholonomic

    def check(self, name: str) -> None:
        """Raise a DescriptionError if the parameters make no sense."""
        if hasattr(self, "axis"):
            self.axis_vector(name)

    def check_attachment(self, what: str, joint: Joint, m: "Mechanism") -> None:
        """Raise a DescriptionError if the joints it couples are not what it needs."""

    def check_placed(self, a: Marker, b: Marker, dim: int) -> None:
        """Raise a DescriptionError if the equations are not defined where the bodies stand when the joint is made."""

    def axis_vector(self, name: str = "") -> np.ndarray:
        """Unit vector of the joint's axis in the joint's own axes: along a slide, about a hinge; z for pins and joints without one."""
        return unit_axis(getattr(self, "axis", "z"), f"joint '{name}': the axis")

    def motion_axes(self) -> tuple[np.ndarray, np.ndarray]:
        """Axes (3, 3) of the frames on a and on b between which joint coordinates count, as columns in the joint's own axes."""
        axes = triad(self.axis_vector())
        return axes, axes

    def lead(self) -> float:
        """How far b advances along the axis per radian [m], where the motion is that of a screw."""
        return 0.0

    def axes(self, dim: int) -> np.ndarray:
        """The axes of the joint as columns (3, 3), in its own terms.

        In space the third is along the joint's axis. In the plane the third is the normal, and the first runs along the slide, if any.
        """
        axis = self.axis_vector()
        if dim == 3:
            return triad(axis)
        length = float(np.hypot(axis[0], axis[1]))
        if length < 1e-9:
            return np.eye(3)
        along = np.array([axis[0], axis[1], 0.0]) / length
        return np.column_stack([along, np.cross(E3, along), E3])
