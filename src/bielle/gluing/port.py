"""Ports of a mechanism: points that are pushed by a force, or led along a path, given anew for every step.

A port is a :class:`~bielle.PointForce` or an :class:`~bielle.ImposedPoint` whose functions of time are tables with one interval. Its
coefficients, of a polynomial in the time since the start of the step, are written over in place, so that nothing is compiled again.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import DescriptionError
from ..forces.point_force import PointForce
from ..joints.imposed_point import ImposedPoint
from ..kernels.functions import PIECES
from ..mechanism.functions import Table
from ..mechanism.vectors import shown, vector
from ..model import Model
from ..solvers.workspace import Workspace
from .component import cubic

if TYPE_CHECKING:
    from ..mechanism.mechanism import Mechanism

__all__ = ["Place", "Port", "add_force", "add_motion", "places"]

Place = tuple[str, "tuple[float, ...] | None"]  # a body and a point of the world, or a frame and None

_NOTHING = ((0.0, 1.0), np.zeros((2, 3)))


def places(m: Mechanism, ports: Any) -> dict[str, Place]:
    """What a user wrote for the ports, checked."""
    if not isinstance(ports, Mapping) or not ports:
        raise DescriptionError(
            f"mechanism '{m.name}': ports must be a dictionary of names and places, got {shown(ports)}. "
            "Write ports={'tip': (body, point)}."
        )
    return {name: _place(m, name, place) for name, place in ports.items()}


def _place(m: Mechanism, name: Any, place: Any) -> Place:
    what = f"port '{name}' of mechanism '{m.name}'"
    if not isinstance(name, str) or not name:
        raise DescriptionError(f"The name of a port must be a string, got {shown(name)}. Give ports={{'tip': (body, point)}}.")
    if isinstance(place, str) and place in m.frames:
        owner, point = m.frames[place].body, None
    elif isinstance(place, tuple | list) and len(place) == 2:
        owner, point = m._body_name(place[0], what), vector(place[1], f"{what}: the point", m.dim)
        place = owner
    else:
        raise DescriptionError(f"{what}: its place must be (body, point) or the name of a frame, got {shown(place)}. Give one of these.")
    if owner == m.ground:
        raise DescriptionError(f"{what}: it is on the ground, which neither force nor motion can move. Put it on a body.")
    return place, point


def add_force(m: Mechanism, name: str, place: Place, history: Any = None) -> str:
    """Let a port be pushed: by nothing yet, or by a history (times (n,), forces (n, dim)). The name of the force is returned."""
    times, forces = _NOTHING if history is None else history
    functions = tuple(Table(x=tuple(times), y=tuple(values), method="linear") for values in forces.T[: m.dim])
    return m.add_force(f"port {name}", PointForce(force=functions), place[0], at=place[1]).name


def add_motion(m: Mechanism, name: str, place: Place) -> str:
    """Let a port be led. The name of the joint is returned."""
    still = tuple(Table(x=(0.0, 1.0), y=(0.0, 0.0)) for _ in range(m.dim))
    at = {"at": place[1]} if place[1] is not None else {"at_a": (0.0,) * m.dim}
    return m.add_joint(f"port {name}", ImposedPoint(path=still), m.ground, place[0], **at).name


class Port:
    """A port of a model that runs."""

    def __init__(self, model: Model, workspace: Workspace, name: str, component: str) -> None:
        self.name = name
        self._w = workspace
        dim, arrays = model.dim, model.arrays
        self._led = led = component in model.joints
        row = model.joints[component] if led else model.forces[component]
        self._element = slice(dim * row.elements.start, dim * row.elements.start + dim)
        self._equations = model.joints[component].equations if led else slice(0, 0)
        first = int((arrays["joint_s"] if led else arrays["force_s"])[row.index])
        assert (arrays["signal_kind"][first : first + dim] == PIECES).all()
        # of each table its two knots and the coefficients of the cubic between them: see kernels/functions.py
        self._tables = [(arrays["param"][p + 1 : p + 3], arrays["param"][p + 7 : p + 11]) for p in arrays["signal_p"][first : first + dim]]

    @property
    def equations(self) -> np.ndarray:
        """Rows of the equations that lead it."""
        return np.arange(self._equations.start, self._equations.stop)

    def follow(self, time: float, step: float, inputs: np.ndarray) -> None:
        """A force (2, dim) or a motion (4, dim) over a step; see :mod:`bielle.gluing.component`."""
        if self._led:
            coefficients = cubic(step, inputs)
        else:
            start, end = inputs
            coefficients = np.array([np.zeros(len(start)), np.zeros(len(start)), (end - start) / step, start])
        for (knots, table), own in zip(self._tables, coefficients.T):
            knots[:] = time, time + 2.0 * step  # rounding must not lead past the end, where tables are constant
            table[:] = own

    def motion(self) -> np.ndarray:
        """(2, dim) position and velocity, of the last evaluation."""
        return np.array([self._w.x[self._element], self._w.x_dot[self._element]])

    def reaction(self) -> np.ndarray:
        """(dim,) force that leads it, of the last accelerations: M v̇ = f + Jᵀλ with J of the point itself."""
        return self._w.lam[self._equations].copy()
