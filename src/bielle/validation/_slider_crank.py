"""The rod of a slider-crank whose slider runs along the crank's pivot: its angle φ follows from that of the crank, θ."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["rod_angle"]


def rod_angle(theta: Any, ratio: float) -> tuple[Any, Any, Any, Any]:
    """sin φ, cos φ, dφ/dθ and d²φ/dθ² from ratio · sin θ + sin φ = 0, with the ratio of crank to rod."""
    sine = -ratio * np.sin(theta)
    cosine = np.sqrt(1.0 - sine**2)
    first = -ratio * np.cos(theta) / cosine
    return sine, cosine, first, (ratio * np.sin(theta) + sine * first**2) / cosine
