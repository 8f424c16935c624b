"""What one can do with a mechanism, as methods. Each is a door to a room on the right, opened when it is called.

This file is the one exception to the rule that imports point leftwards; it holds no code of its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..analysis.report import Report
    from ..live.session import LiveSession
    from ..recursive import RecursiveModel
    from ..results.result import Result

__all__ = ["Verbs"]


class Verbs:
    """Mixin of :class:`~bielle.mechanism.mechanism.Mechanism`."""

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
        from ..model import compile_mechanism
        from ..recursive import RecursiveModel

        return RecursiveModel(*compile_mechanism(self), root)  # type: ignore[arg-type]

    def report(self) -> Report:
        """Degrees of freedom, redundancy, gaps, loose parts; see :func:`bielle.analysis.report.report`."""
        from ..analysis.report import report

        return report(self)  # type: ignore[arg-type]
