"""Inertias as files have them: of points, of nothing, of no body that can exist; and the nearest that one can have.

With the principal moments I₁, I₂, I₃ of a body go its second moments of mass, sᵢ = ∫ xᵢ² dm = (Iⱼ + Iₖ − Iᵢ)/2. A body can exist if none of
them is negative; a point, a line and a plane have some that are zero.
"""

from __future__ import annotations

import numpy as np

from ..errors import DescriptionError
from ..mechanism.mass import LARGEST, TRIANGLE_TOLERANCE, MassProperties, validate_mass_properties

__all__ = ["impossible", "repaired", "unfit"]

_THIN = 1e-4  # of the largest second moment: a rod is as thick as a fiftieth of its length
_SMALL = 1e-3  # [m]: how far the mass of a point is from its centre


def impossible(inertia: np.ndarray) -> str | None:
    """Why no body, nor a point, a line or a plane, can have this inertia; None if one can."""
    if not np.abs(inertia).max() <= LARGEST:
        return f"no moment of inertia can be beyond {LARGEST:g} kg m²"
    moments = np.linalg.eigvalsh(inertia)
    if _second(moments).min() >= -TRIANGLE_TOLERANCE * np.abs(moments).max():
        return None
    got = ", ".join(f"{moment:.4g}" for moment in moments)
    what = "negative" if moments[0] < -TRIANGLE_TOLERANCE * np.abs(moments).max() else "larger than the sum of the two others"
    return f"no principal moment can be {what}, got {got} kg m²"


def unfit(properties: MassProperties) -> str | None:
    """Why a body of a mechanism cannot have these; None if it can."""
    try:
        validate_mass_properties("", properties, planar=False)
    except DescriptionError as error:
        return str(error).removeprefix(": ")
    return None


def repaired(properties: MassProperties) -> MassProperties:
    """The nearest that a body can have: second moments that are negative, or vanish beside the largest, are raised."""
    if not np.abs(properties.inertia).max() <= LARGEST:
        return properties  # which is refused for it
    moments, axes = np.linalg.eigh(properties.inertia)
    second = _second(moments)
    floor = _THIN * second.max() if second.max() > 0.0 else properties.mass * _SMALL**2
    second = np.maximum(second, floor)
    inertia = axes @ np.diag(second.sum() - second) @ axes.T
    return MassProperties(properties.mass, properties.centre, 0.5 * (inertia + inertia.T))


def _second(moments: np.ndarray) -> np.ndarray:
    return 0.5 * moments.sum() - moments
