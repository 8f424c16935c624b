"""What a component is to the glue: points that others can hold on to, a step in time, and a state that can be taken back.

A component never shows its insides. At each of its *ports*, points of two (planar) or three (spatial) coordinates, it

    accepts "force"   takes the force that acts on it, and says how the point moves     (T in the sources)
    accepts "motion"  takes how the point moves, and says what force that needs          (X in the sources)

over one step from t to t + h at a time. What goes over a step is, per port and coordinate,

    a force   F(t + s h) = (1 − s) F₀ + s F₁                      two vectors: at the start and at the end
    a motion  x(t + s h), the cubic with x₀, v₀ at the start and x₁, v₁ at the end

        x = x₀ + v₀ u + c₂ u² + c₃ u³,   c₂ = (3 (x₁ − x₀)/h − 2 v₀ − v₁)/h,   c₃ = (2 (x₀ − x₁)/h + v₀ + v₁)/h²,   u = s h

Two vectors per step are as many as it takes to bring points together in position *and* in velocity at its end, so that neither drifts,
and that no force has to carry over an error from the step before. The acceleration of the cubic is a straight line like the force.

A component that takes motion has forces that are not straight. It returns the straight line nearest to them, in the sense of least
squares: with the forces f₀, fₘ, f₁ at the start, the middle and the end of the step,

    F₀ = (2 f₀ + 2 fₘ − f₁)/3,    F₁ = (2 f₁ + 2 fₘ − f₀)/3            (:func:`straightened`)

Then what is left out is orthogonal to constants and straight lines over the step, and components glued together are accurate to the
fourth order in h, as far as their own integrators are. With F₀ = f₀, F₁ = f₁ instead it is the second order.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, Protocol

import numpy as np

__all__ = ["FORCE", "MOTION", "Accepts", "Component", "cubic", "straightened"]

Accepts = Literal["force", "motion"]
FORCE: Accepts = "force"
MOTION: Accepts = "motion"


class Component(Protocol):
    """Any object with these is a component. Vectors are in world axes, SI units; anything that NumPy makes an array of will do.

    One that works elsewhere may also offer ``ask(time, step, inputs)``, which begins with a step, and ``answer()``, which waits for what
    comes of it: then all of them work at the same time. If it has a ``close()``, that is called when the glue is closed.
    """

    @property
    def accepts(self) -> str:
        """'force' or 'motion': what it takes at all its ports."""
        ...

    @property
    def ports(self) -> Mapping[str, int]:
        """Names of its ports, and how many coordinates each has: 2 or 3."""
        ...

    def motion(self) -> Mapping[str, Any]:
        """Where each port is at present, and how fast: (2, n), position and velocity."""
        ...

    def advance(self, time: float, step: float, inputs: Mapping[str, Any]) -> Mapping[str, Any]:
        """Go from ``time`` to ``time + step``.

        inputs   of each port. Force: an array (2, n), the force on the component at the start and at the end of the step, straight in
                 between. Motion: an array (4, n), position and velocity at the start, position and velocity at the end, a cubic in between
        returns  of each port. If it accepts force: (2, n), position and velocity at the end. If it accepts motion: (2, n), the force that
                 has to act on the component for that motion, at the start and at the end: the straight line nearest to it
        """
        ...

    def save(self) -> Any:
        """A token for the present state. Only the last one is ever used: a token need not survive the next ``save``."""
        ...

    def restore(self, token: Any) -> None:
        """Back to the state of that token: the same ``advance`` gives the same again. A token may be used many times."""
        ...


def cubic(step: float, motion: np.ndarray) -> np.ndarray:
    """(4, n) coefficients c₃, c₂, v₀, x₀ of the cubic through a motion (4, n) over a step: x = c₃u³ + c₂u² + v₀u + x₀, u from 0 to h."""
    x0, v0, x1, v1 = motion
    slope = (x1 - x0) / step
    return np.array([(v0 + v1 - 2.0 * slope) / step**2, (3.0 * slope - 2.0 * v0 - v1) / step, v0, x0])


def straightened(start: np.ndarray, middle: np.ndarray, end: np.ndarray) -> np.ndarray:
    """(2, n) ends of the straight line nearest to a force known at the start, the middle and the end of a step.

    It has the same integral and the same moment over the step, by Simpson's rule: exact for forces up to the second degree.
    """
    return np.array([2.0 * start + 2.0 * middle - end, 2.0 * end + 2.0 * middle - start]) / 3.0
