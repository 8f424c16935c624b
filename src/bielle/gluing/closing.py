"""One step of components glued together: Newton's iteration on what goes through their joints.

    p ← p − (∂e/∂p)⁻¹ e,    ∂e/∂p = A D L + B                                (see :mod:`bielle.gluing.network`)

The responses D of the components are found by *probing*: a component takes the step again with one input changed at a time. They are kept
from step to step, and corrected by what every iteration shows anyway, for each component on its own (Broyden's update),

    D ← D + (Δy − D Δu) Δuᵀ / (Δuᵀ Δu),

and found anew when the iteration becomes slow.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..errors import ComponentError, GluingError
from .component import FORCE, MOTION
from .member import Member
from .network import Network

__all__ = ["Closing", "Step"]

SLOW = 0.2  # an iteration that leaves more than this part of the residual needs better responses
PROBING = 100.0  # tolerances that a probe moves a point by: well above what is left open
SEEN = 1e-8  # part of its coordinates that it moves it by at least: half of the digits are for the difference, half for what is straight
STRONGEST = 1e9  # [N] of a probe: what does not move then is held
ROUNDING = float(np.finfo(float).eps)


@dataclass
class Step:
    """What a step came to."""

    p: np.ndarray  #: unknowns of the joints
    u: np.ndarray  #: inputs of all components
    y: np.ndarray  #: their outputs
    e: np.ndarray  #: residuals that are left
    evaluations: int  #: how often every component took the step, probes not counted
    probes: int  #: how often it was taken to probe components


class Closing:
    """Takes a step of a network; what it learns about the components stays with them."""

    def __init__(self, network: Network, tolerance: float, iterations: int) -> None:
        self.network = network
        self._tolerance = tolerance
        self._limit = iterations
        self.begun = False  #: whether the components may have left the start of the step
        self._probes = 0

    def step(self, time: float, step: float, p: np.ndarray, owed: np.ndarray) -> Step:
        """From p as a first guess to an e that is small enough; the components are then at the end of the step.

        Gaps must be within the tolerance [m], those of velocities times the length of the step; and forces out of balance must be less than
        what a motion of that size makes. ``owed`` is added to e: forces that steps before have left out of balance.
        """
        net = self.network
        for member in net.members:
            member.save()
        self.begun = True
        known = all(member.response is not None for member in net.members)
        best: Step | None = None  # the nearest so far
        now, probed, part = None, False, 1.0
        for evaluation in range(1, self._limit + 1):
            before, u = now, net.L @ p
            y = self._evaluate(time, step, u, again=evaluation > 1)
            now = Step(p, u, y, net.A @ y + net.B @ p + owed, evaluation, self._probes)
            if before is not None:
                self._learn(now, before)
            if not len(p) or (known and self._size(now) <= self._tolerance):
                return now
            if best is None or self._size(now) < self._size(best):
                slow = not known or (best is not None and self._size(now) > SLOW * self._size(best))
                best, probed, part = now, False, 1.0
            else:  # too far, or the wrong way: again from the nearest, with better responses, or else half as far
                slow, part = not probed, 0.5 * part
            if slow:
                self._probe(time, step, best)
                known, probed, part = True, True, 1.0
            p = best.p + part * net.correction(best.e)
        raise self._failure(time, best)

    def _size(self, step: Step) -> float:
        """The largest residual [m]."""
        return float(np.abs(self.network.in_metres(step.e)).max())

    # -- components

    def _evaluate(self, time: float, step: float, u: np.ndarray, *, again: bool) -> np.ndarray:
        """Outputs y of all components for inputs u."""
        net = self.network
        for member in net.members:
            if again:
                member.restore()
            member.ask(time, step, u[net.spans[member.name]])
        return np.concatenate([member.answer() for member in net.members])

    def _probe(self, time: float, step: float, at: Step) -> None:
        """Find the responses by finite differences; components that work elsewhere do so at the same time."""
        net, u, y = self.network, at.u, at.y
        wanted = {}
        for member in net.members:
            span = net.spans[member.name]
            member.response = np.zeros((member.size, member.size))
            wanted[member.name] = max(PROBING * self._tolerance, SEEN * float(np.abs((y if member.accepts == FORCE else u)[span]).max()))
            if member.accepts == MOTION:
                member.probe = wanted[member.name]
        unheard = [member for member in net.members if len(net.driven[member.name])]
        for _ in range(4):  # the very first force is a guess that moves nothing much; what it moves tells how strong the next should be
            for k in range(max((len(net.driven[member.name]) for member in unheard), default=0)):
                asked = [(member, net.driven[member.name][k]) for member in unheard if k < len(net.driven[member.name])]
                for member, column in asked:
                    changed = u[net.spans[member.name]].copy()
                    changed[column] += member.probe
                    member.restore()
                    member.ask(time, step, changed)
                for member, column in asked:
                    moved = member.answer() - y[net.spans[member.name]]
                    member.response[:, column] = moved / member.probe  # type: ignore[index]
                self._probes += 1
            unheard = [member for member in unheard if not self._heard(member, wanted[member.name])]
        net.look_for_redundancy()

    def _heard(self, member: Member, wanted: float) -> bool:
        """Whether forces moved the points by about what is wanted [m]; if not, the next are chosen better."""
        moved = member.probe * float(np.abs(member.response).max())  # type: ignore[arg-type]
        if member.accepts == MOTION or 1e-2 * wanted <= moved <= 1e2 * wanted:
            return True
        member.probe = min(member.probe * (wanted / moved if moved > 1e-6 * wanted else 1e6), STRONGEST)
        return False

    def _learn(self, now: Step, before: Step) -> None:
        """Broyden's update of each component's response, where the change is well above rounding."""
        for member in self.network.members:
            span = self.network.spans[member.name]
            D, du, dy = member.response, (now.u - before.u)[span], (now.y - before.y)[span]
            if D is not None and np.abs(dy).max() > 1e6 * ROUNDING * np.abs(now.y[span]).max() and du.any():
                D += np.outer(dy - D @ du, du) / (du @ du)

    def _failure(self, time: float, best: Step | None) -> GluingError | ComponentError:
        assert best is not None
        sizes = np.abs(self.network.in_metres(best.e))
        block = max(self.network.residuals, key=lambda block: sizes[block.place].max())
        worst = sizes[block.place].max()
        message = (
            f"The iteration did not converge in the step from t = {time:.9g} s: after {self._limit} iterations {block.joint} is still "
            f"{worst:.3g} m away, with a tolerance of {self._tolerance:.3g} m. Take a smaller step, or a larger tolerance if components "
            "are not that precise; look whether they can move there at all, and whether save and restore bring back all of their state."
        )
        if not block.joint.name:
            return ComponentError(message, component=block.ends[0].component)
        return GluingError(message, joint=block.joint.name)
