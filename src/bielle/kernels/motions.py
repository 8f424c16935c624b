"""Motions: what the joints of a tree leave free, and their coordinates.

The frame of a joint stands on both bodies; at q = 0 the two coincide. Axes below are those of the frame on the parent, unless said.

| motion      | q                               | v                                          |
|-------------|---------------------------------|--------------------------------------------|
| fixed       |                                 |                                            |
| revolute    | θ about z                       | θ̇                                          |
| prismatic   | d along z                       | ḋ                                          |
| helical     | θ about z; d = lead · θ         | θ̇                                          |
| cylindrical | θ about z, d along z            | θ̇, ḋ                                       |
| universal   | θ₁ about z, θ₂ about the child's z | θ̇₁, θ̇₂                                  |
| spherical   | quaternion (w, x, y, z)         | angular velocity in the child's axes       |
| planar      | x, y, θ about z                 | ẋ, ẏ, θ̇                                    |
| free        | position, quaternion            | velocity and angular velocity, in the child's axes |
| following   | none: turns about z as another joint does | none                             |
"""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["MOTIONS", "Motion"]

FIXED, REVOLUTE, PRISMATIC, HELICAL, CYLINDRICAL, UNIVERSAL, SPHERICAL, PLANAR, FREE, FOLLOWING = range(10)


class Motion(NamedTuple):
    """A kind of motion: its number in kernels, how many coordinates and velocities it has."""

    name: str
    number: int
    nq: int
    nv: int


MOTIONS = {
    name: Motion(name, number, nq, nv)
    for name, number, nq, nv in (
        ("fixed", FIXED, 0, 0),
        ("revolute", REVOLUTE, 1, 1),
        ("prismatic", PRISMATIC, 1, 1),
        ("helical", HELICAL, 1, 1),
        ("cylindrical", CYLINDRICAL, 2, 2),
        ("universal", UNIVERSAL, 2, 2),
        ("spherical", SPHERICAL, 4, 3),
        ("planar", PLANAR, 3, 3),
        ("free", FREE, 7, 6),
        ("following", FOLLOWING, 0, 0),
    )
}
