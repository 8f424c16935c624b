"""What one can do with a mechanism, as methods. Each is a door to a room on the right, opened when it is called.

This file is the one exception to the rule that imports point leftwards; it holds no code of its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..calls import example, explained_methods

if TYPE_CHECKING:
    from ..analysis.report import Report
    from ..live.session import LiveSession
    from ..recursive import RecursiveModel
    from ..results.result import Result
    from .description import Body

__all__ = ["Verbs"]


@explained_methods
class Verbs:
    """Mixin of :class:`~bielle.mechanism.mechanism.Mechanism`."""

    def add_rotor(self, name: str, joint: Any, inertia: float, ratio: float = 1.0) -> Body:
        """Let a rotor of that inertia [kg·m²] turn ``ratio`` times as fast as a joint moves: an armature of ratio² · inertia.

        It is a body, with a joint '<name> bearing' and a gear '<name> gear'; see :class:`bielle.joints.Rotor`.
        """
        from ..joints.rotor import add_rotor

        return add_rotor(self, self, lambda body: (self.pose(body), self.twist(body)), name, joint, inertia, ratio)  # type: ignore

    @example("simulate(10.0)")
    def simulate(self, duration: float, solver: Any = None, **options: Any) -> Result:
        """Simulate for ``duration`` seconds; see :func:`bielle.simulate`."""
        from ..simulation import simulate

        return simulate(self, duration, solver, **options)  # type: ignore[arg-type]

    def live(self, solver: Any = None, **options: Any) -> LiveSession:
        """Start a session in which the mechanism runs and can be changed; see :class:`bielle.live.session.LiveSession`."""
        from ..live.session import LiveSession

        return LiveSession(self, solver, **options)  # type: ignore[arg-type]

    def recursive(self, root: str | None = None) -> RecursiveModel:
        """The mechanism in joint coordinates, as trees that grow from the ground, or from the body ``root``; see
        :class:`bielle.recursive.RecursiveModel`."""
        from ..recursive import recursive_model

        return recursive_model(self, root)  # type: ignore[arg-type]

    def draw(self, path: Any = None, *, names: bool = True) -> Any:
        """Draw the mechanism as it is described: to a .png, .svg or .pdf file, or as a figure that a notebook shows; see
        :func:`bielle.results.sketch.sketch`."""
        from ..results.sketch import sketch

        return sketch(self, path, names=names)  # type: ignore[arg-type]

    def report(self) -> Report:
        """Degrees of freedom, redundancy, gaps, loose parts; see :func:`bielle.analysis.report.report`."""
        from ..analysis.report import report

        return report(self)  # type: ignore[arg-type]
