"""What every force kind is: a small description, its elements, its law, its tangent."""

from typing import TYPE_CHECKING, Any, ClassVar, Self

import msgspec

from ..calls import ExplainedStruct
from ..errors import DescriptionError
from ..kernels.lazy import entry
from ..mechanism.description import GROUND, Force, Marker, Point
from ..mechanism.functions import hold_functions

if TYPE_CHECKING:
    from ..mechanism.mechanism import Mechanism

__all__ = ["ForceKind"]


class ForceKind(
    msgspec.Struct, metaclass=ExplainedStruct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True, tag_field="type"
):
    """Efforts on points and directions; see ``docs/extending.md`` for how to write one.

    Given the elements' values x and rates ẋ, the kernel writes

        x_force  effort F on each element: a force on a point; on a direction d, the effort whose power is F · ḋ
                 (a torque τ is F = ½ τ × d on each of three orthonormal directions; in the plane F = τ d⊥ on one)
        energy   potential energy, if any
        power    of its three powers (dissipated ≥ 0, of drives, of applied efforts) those it has: all power that is not −dE/dt
        output   the scalar it is asked for in results (tension, torque)

    and the tangent kernel writes x_stiff = −∂F/∂x and x_damp = −∂F/∂ẋ over the force's elements, for implicit integrators.
    The commit kernel, if any, updates the force's memory at an accepted step.

    A law that derives from a scalar s(x), an angle or a length, is F = −T ∂s/∂x: then the power is −T ṡ exactly, and action equals
    reaction in force and moment because s does not change when everything moves together.
    """

    dims: ClassVar[tuple[int, ...]]
    kernel: ClassVar[entry]
    tangent: ClassVar[entry | None] = None
    commit: ClassVar[entry | None] = None
    memory: ClassVar[int] = 0
    memory_before: ClassVar[int | None] = None  #: the first of these, which is all that files of earlier releases have; None: all of them
    order: ClassVar[int] = 0  #: highest derivative of its functions of time that the kernel reads
    functions: ClassVar[tuple[str, ...]] = ()  #: fields that are functions of time
    curves: ClassVar[tuple[str, ...]] = ()  #: fields that are functions of something else
    attachment: ClassVar[str] = "two"  #: 'one' body, 'two' bodies, 'joint' (a joint, or two bodies), 'any' (one body, two, or a joint)
    #: what its law depends on, for results: 'length' (elements P_a, P_b), 'angle' (e₁, e₂ of a, e₁' of b; memory begins with the angle),
    #: 'displacement' (t, P_a, P_b), or None
    measures: ClassVar[str | None] = None
    in_plane: ClassVar[tuple[str, ...]] = ()  #: fields that are directions in the plane of a planar mechanism
    placed: ClassVar[bool] = True  #: acts at points, so that one must say where

    @property
    def conservative(self) -> bool:
        """Whether it has an energy and no power besides, whatever moves."""
        return False

    def __post_init__(self) -> None:
        hold_functions(self, self.functions + self.curves)

    @classmethod
    def samples(cls, dim: int) -> list[Any]:
        """Instances for the contract tests to try in a mechanism of that dimension; with all parameters among them."""
        return [cls()]

    def keeps(self, before: Any) -> bool:
        """Whether what a force in this place remembered when it was of the kind ``before`` holds on."""
        return True

    def at_present(self, memory: Any) -> Self:
        """The kind that goes on, without a memory, as this one does with what it remembers; where that cannot be, this one."""
        return self

    def elements(self, a: Marker, b: Any = None, dim: int = 3) -> list[Point]:
        """Points and directions the kernel sees, in its order; b is a Marker too, or None if the force acts on one body."""
        raise NotImplementedError

    def parameters(self, a: Marker, b: Any = None, dim: int = 3) -> list[float]:
        """Numbers the kernel reads from ``param``."""
        return []

    def resolved(self, a: Marker, b: Any = None, dim: int = 3) -> Self:
        """The same kind without what it takes from the configuration: parameters that come from ``world`` or ``axes`` of the markers
        are given by numbers. A kind that has none is so already."""
        return self

    def signals(self, dim: int) -> list[Any]:
        """Functions of time, in the order of ``functions``."""
        return [getattr(self, field) for field in self.functions]

    def characteristics(self, dim: int) -> list[Any]:
        """Functions of something else, in the order of ``curves``; they follow the signals."""
        return [getattr(self, field) for field in self.curves]

    def check(self, name: str) -> None:
        """Raise a DescriptionError if the parameters make no sense."""

    def check_attachment(self, what: str, force: Force, m: "Mechanism") -> None:
        """Raise a DescriptionError if the force is not attached to what it needs, or does not fit the mechanism's dimension."""
        kind = type(self).__name__
        if self.attachment == "one" and (force.b is not None or force.joint is not None):
            raise DescriptionError(f"{what}: {kind} acts on one body, got {_given(force)}. Give a only.")
        if self.attachment == "two" and force.joint is not None:
            raise DescriptionError(f"{what}: {kind} acts between points of two bodies, got joint '{force.joint}'. Give a and b instead.")
        if force.joint is not None:
            return
        if self.attachment in ("two", "joint") and force.b is None:
            also = ", or a joint" if self.attachment == "joint" else ""
            raise DescriptionError(
                f"{what}: {kind} acts between two bodies, got only '{force.a}'. Give a and b (b may be the ground){also}."
            )
        sides = [side for side in (("a", force.a, force.at_a), ("b", force.b, force.at_b)) if side[1] is not None]
        owners = [m.frames[place].body if place in m.frames else place for _, place, _ in sides]
        if owners == [GROUND]:
            raise DescriptionError(f"{what}: it would act on the ground alone, which cannot move. Name a body.")
        if len(owners) == 2 and owners[0] == owners[1]:
            raise DescriptionError(f"{what}: it must act between two bodies, got '{owners[0]}' twice. Give two different bodies.")
        for side, place, local in sides:
            if self.placed and force.at is None and local is None and place not in m.frames:
                raise DescriptionError(
                    f"{what}: say where it acts on '{place}': at=(world point), at_{side}=(point in its own frame), or a frame."
                )


def _given(force: Force) -> str:
    return f"joint '{force.joint}'" if force.joint is not None else f"'{force.a}' and '{force.b}'"
