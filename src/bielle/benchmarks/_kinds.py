"""Every joint kind of bielle, made and removed in chains that are straight and at rest."""

from __future__ import annotations

import statistics
from typing import Any

import numpy as np

from ..live.session import LiveSession
from ..mechanism import registry
from ..solvers.run import Solver
from . import planar_chain, spatial_chain
from ._editing import middle, timed
from ._workload import Job

__all__ = ["every_kind", "straight", "where"]


def straight(n: int) -> np.ndarray:
    """Where the centres of the links are, first of the planar chain, then of the spatial one."""
    along = np.arange(n) + 0.5
    return np.concatenate([np.outer(along, (1 / n, 0)).ravel(), np.outer(along, (spatial_chain.LENGTH, 0, 0)).ravel()])


def where(session: LiveSession) -> np.ndarray:
    """Where they are in a session, a row each."""
    return np.array([session[name].position for name in session.mechanism.bodies])


def every_kind(solver: Solver, n: int, repeats: int) -> Job:
    """Make and remove all kinds, planar ones in the planar chain and spatial ones in the spatial one."""
    sessions = []
    for m in (planar_chain.chain(n), spatial_chain.chain(n)):
        m.gravity = (0.0,) * m.dim
        for force in list(m.forces):
            m.remove(force)
        sessions.append(m.live(solver))
    a, b = f"link{middle(n) - 1}", f"link{middle(n)}"
    return Job(
        lambda: max(_worst(session, a, b, repeats) for session in sessions),
        lambda: np.concatenate([where(session).ravel() for session in sessions]),
    )


def _worst(session: LiveSession, a: str, b: str, repeats: int) -> float:
    """Seconds of an edit: the median for the kind, and for making or removing it, that takes longest.

    Round after round, each kind once: a machine that is slow for a while is so for all of them. The first round is not counted.
    """
    dim = session.mechanism.dim
    kinds = [kind for kind in registry.joints.values() if dim in kind.dims and kind.attachment == "bodies"]
    joints = [_fitting(kind, session, a, b) for kind in kinds]
    rounds = [[seconds for joint in joints for seconds in _made_and_removed(session, *joint, b=b)] for _ in range(repeats + 1)]
    return max(statistics.median(column) for column in zip(*rounds[1:]))


def _made_and_removed(session: LiveSession, joint: Any, a: str, places: dict[str, Any], b: str) -> tuple[float, float]:
    made = timed(lambda: session.add_joint("new", joint, a, b, joining="exact", **places))
    session.step()
    gone = timed(lambda: session.remove("new"))
    session.step()
    return made, gone


def _fitting(kind: Any, session: LiveSession, a: str, b: str) -> tuple[Any, str, dict[str, Any]]:
    """A joint of that kind that fits b as it is, the body it joins b to, and where: a, its neighbour, or the ground."""
    place, ground = session[b].position.tolist(), session.mechanism.ground
    name, centre = kind.__name__, (0.0,) * len(place)
    options: dict[str, dict[str, Any]] = {
        "Distance": {},
        "ImposedBody": {"position": place},
        "ImposedPoint": {"path": place},
        "ImposedRotation": {"angle": 0.0},
        "ImposedTranslation": {"displacement": 0.0},
        "RollingDisc": {"radius": 0.2},
        "RollingWheel": {"radius": 0.2},
        "VelocityRelation": {"coefficients": ((1.0,) * len(place) + (-1.0,) * len(place),)},
    }
    joint = kind(**options[name]) if name in options else kind.samples(len(place))[0]
    if name.startswith("Rolling"):  # its normal is the last axis
        return joint, ground, {"at_a": [*place[:-1], place[-1] - 0.2], "at_b": centre}
    if name == "Distance":
        return joint, ground, {"at_a": [x + 0.3 for x in place], "at_b": centre}
    return joint, ground if kind.grounded else a, {"at": place}
