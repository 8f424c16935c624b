"""One body on one joint: the cases that Project Chrono compares with ADAMS.

1 kg, gravity 9.80665 m/s² along −z, from rest, 5 s. The tables have the digits of ADAMS' files, from which Project Chrono's tests read
them.

Source: Project Chrono, data/testing/joints (curves of ADAMS) and data/testing/joints/adams_models (its models).
"""

from __future__ import annotations

from typing import Any

import bielle as bl

__all__ = ["DURATION", "GRAVITY", "INERTIA", "PRINTED", "SOURCE", "mechanism"]

DURATION = 5.0
GRAVITY = (0.0, 0.0, -9.80665)
INERTIA = (0.04, 0.1, 0.1)  # of a rod along x [kg·m²]
SOURCE = "Project Chrono, data/testing/joints/{} (ADAMS)"
PRINTED = "six printed digits"


def mechanism(name: str, position: tuple[float, float, float], **where: Any) -> bl.Mechanism:
    """A mechanism with the body, called 'body', and no joint yet."""
    m = bl.Mechanism(gravity=GRAVITY, name=name)
    still = {"velocity": (0.0, 0.0, 0.0), "angular_velocity": (0.0, 0.0, 0.0)}
    m.add_body("body", bl.rigid(1.0, (0.0, 0.0, 0.0), INERTIA), position=position, **still, **where)
    return m
