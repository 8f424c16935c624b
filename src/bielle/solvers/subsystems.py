"""Subsystems: groups of bodies that a central or a modular solution sees as one component, in joint coordinates (III.5 of the thesis).

Joints inside a group become joint coordinates, as far as they form trees; all others, inside and outside, keep their equations. What is
solved is the system of these equations, by what the components answer to them: see :mod:`bielle.recursive.loops`. A body alone is a
component, too, which hangs on nothing. In the modular solver a subsystem is merged: its accelerations are found by eliminating along its
tree, and after every step its bodies are where their joint coordinates say.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..errors import DescriptionError, unknown
from ..mechanism.description import GROUND
from ..model import Model

__all__ = ["check_subsystems", "joints_inside", "subsystem_groups"]

Groups = tuple[tuple[str, ...], ...]


def subsystem_groups(given: Any) -> Groups:
    """Groups of names, as they are stored; one group may be given without brackets around it."""
    if isinstance(given, str) or not isinstance(given, Sequence):
        raise DescriptionError(f"subsystems must be groups of names of bodies, as in [('upper', 'lower')], got {given!r}.")
    if given and all(isinstance(name, str) for name in given):
        given = [given]
    for group in given:
        if isinstance(group, str) or not isinstance(group, Sequence) or not all(isinstance(name, str) for name in group) or len(group) < 2:
            raise DescriptionError(f"A subsystem must be a list of names of two bodies at least, got {group!r}.")
    names = [name for group in given for name in set(group) - {GROUND}]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise DescriptionError(f"Body '{twice}' stands in two subsystems. A body belongs to one component: put them in one group.")
    return tuple(tuple(group) for group in given)


def joints_inside(model: Model, groups: Groups) -> list[int]:
    """Rows of the joints both of whose bodies are in one group."""
    members = [set(group) for group in groups]
    rows = model.joint_rows.records
    return [j for j, r in enumerate(rows) if not r.item.internal and any(member.issuperset(r.item.bodies) for member in members)]


def check_subsystems(model: Model, groups: Groups) -> None:
    """Refuse groups of bodies that do not exist, or of which nothing can hang on anything."""
    for group in groups:
        for name in group:
            if name not in model.body_rows.index:
                raise unknown("body", name, model.body_rows.index)
        if not any(model.joint_rows.size("nh")[j] for j in joints_inside(model, (group,))):
            told = ", ".join(f"'{name}'" for name in group)
            raise DescriptionError(
                f"The subsystem ({told}) has no joint inside for which there are joint coordinates. Name bodies that hinges, slides or "
                "balls connect, or leave it out."
            )
