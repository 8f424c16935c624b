"""A closed position near the present one, however wide the gaps are."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from ..kernels import blocksparse
from ..kernels.motions import CYLINDRICAL, FIXED, HELICAL, PLANAR, PRISMATIC, REVOLUTE
from ..model import Context
from .workspace import Workspace

__all__ = ["Sides", "close_positions", "correction", "largest_gap", "sides", "turned_over"]

_SUSPENDED = 1e30  # regularisation of an equation that is not to be imposed: its multiplier, J δ/μ, vanishes
_Z_STAYS = (FIXED, PRISMATIC, REVOLUTE, HELICAL, CYLINDRICAL, PLANAR)  # motions that leave the z axis of their frame where it is
_X_STAYS = (FIXED, PRISMATIC)


class Sides(NamedTuple):
    """The two sides of a joint whose axes are to coincide, at least in z."""

    bodies: tuple[str, str]
    axes: tuple[np.ndarray, np.ndarray]  #: (3, 3) on a and on b, as columns in world axes
    about_z: bool  #: whether it leaves free to turn about z


def sides(w: Context, joint: str) -> Sides | None:
    """Of a joint at the present position; None if its axes need not coincide."""
    rows = w.model.joint_rows
    record = rows.records[rows.index[joint]]
    hanging = record.values["hanging"]
    if not hanging or hanging[0] not in _Z_STAYS:
        return None
    a = record.item.bodies[0]
    b = next((body for body in record.item.bodies if body != a), a)
    axes = []
    for body, frame in ((a, hanging[1:10]), (b, hanging[13:22])):
        row = w.model.bodies[body]
        axes.append(row.kind.pose(w.q[row.q])[1] @ np.reshape(frame, (3, 3)))
    return Sides((a, b), (axes[0], axes[1]), hanging[0] not in _X_STAYS)


def turned_over(w: Context, joints: Iterable[str]) -> list[str]:
    """Of these joints, those whose axes on the two bodies point opposite ways.

    To their equations, in which directions are perpendicular, that is as good as pointing the same way; but no hinge can be moved there.
    """
    out = []
    for name in joints:
        found = sides(w, name)
        if found is None:
            continue
        alike = np.einsum("ij,ij->j", *found.axes)
        if alike[2] < 0.0 or (not found.about_z and alike[0] < 0.0):
            out.append(name)
    return out


def largest_gap(w: Workspace) -> float:
    """Of all equations, at the present position."""
    w.evaluate()
    return float(np.abs(w.phi[: w.model.nc]).max())


def correction(w: Workspace, residual: np.ndarray) -> np.ndarray:
    """−M⁻¹Jᵀ(JM⁻¹Jᵀ)⁻¹ residual."""
    equations = blocksparse.places(w.joint_row, w.joint_c)
    velocities = blocksparse.places(w.body_row, np.append(w.body_v, w.model.nv))
    multipliers = np.zeros(w.model.nc)
    for _ in range(4):
        w.rhs[:] = 0.0
        w.rhs[equations] = w.mu * multipliers - residual
        blocksparse.solve(w.address)
        multipliers = -w.rhs[equations]
    return w.rhs[velocities]


def close_positions(w: Workspace, tolerance: float) -> float:
    """Gauss–Newton on φ = 0. Equations of velocities do not hinder: a wheel may be lifted and put down anywhere before it rolls."""
    m = w.model
    w.mu[: m.nc][w.level[: m.nc] == 1] = _SUSPENDED
    residual = largest_gap(w)
    stalled = 0
    for _ in range(100):
        if residual <= tolerance:
            break
        blocksparse.factor(w.address)
        norm = float(np.linalg.norm(w.phi[: m.nc]))
        step = correction(w, w.phi[: m.nc].copy())
        q = w.q[: m.nq].copy()
        # turns beyond a radian are outside the range of the linearisation
        scale = min(1.0, 1.0 / max(float(np.abs(step).max(initial=0.0)), 1e-300)) if norm > 1e-3 else 1.0
        new = norm
        for _ in range(20):
            w.q[: m.nq] = q
            w.retract(scale * step)
            residual = largest_gap(w)
            new = float(np.linalg.norm(w.phi[: m.nc]))
            if new < norm * (1 - 1e-4 * scale) or new == 0.0:
                break
            scale *= 0.5
        if new > 0.999 * norm:
            stalled += 1
            if stalled > 5:
                break
    return residual
