"""Chains that several workloads have in common."""

from __future__ import annotations

import bielle as bl

__all__ = ["spatial_chain"]

MASS, LENGTH = 0.1, 0.1  # of a link [kg], [m]


def spatial_chain(n: int) -> bl.Mechanism:
    """Links along x, level and at rest, on joints revolute, universal and spherical in turn; 0.02 N sideways at the last centre."""
    across = MASS * LENGTH**2 / 12
    m = bl.Mechanism(gravity=(0.0, 0.0, -9.81), name=f"spatial chain of {n}")
    kinds = (bl.Revolute(axis="y"), bl.Universal(axis_a="y", axis_b="z"), bl.Spherical())
    for i in range(n):
        m.add_body(f"link{i}", bl.rigid(MASS, (0, 0, 0), (1e-5, across, across)), position=((i + 0.5) * LENGTH, 0, 0))
        m.add_joint(f"joint{i}", kinds[i % 3], f"link{i - 1}" if i else m.ground, f"link{i}", at=(i * LENGTH, 0, 0))
    m.add_force("side", bl.PointForce(force=(0.0, 0.02, 0.0)), f"link{n - 1}", at=((n - 0.5) * LENGTH, 0, 0))
    return m
