"""Parts of a mechanism that nothing connects but the ground: each keeps its own energy, and has its own size and speed.

The works of dampers, drives and loads are integrated for the whole, so that what has some is one part; what has none stands alone.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..model import Model
from ..model.rows import Rows
from ..topology.graph import connected_labels

__all__ = ["Part", "parts_of"]


@dataclass(frozen=True)
class Part:
    """Rows of the bodies that can move, and of the joints and forces that act on them."""

    bodies: np.ndarray
    joints: np.ndarray
    forces: np.ndarray
    works: bool  #: whether those of the whole are its own; otherwise it has none

    def title(self, model: Model) -> str:
        """The name of its first body."""
        return model.body_rows.records[self.bodies[0]].name


def parts_of(model: Model) -> list[Part]:
    """All parts; the one with works, if there is any, last."""
    moves = model.body_rows.size("nv") > 0
    ends = [_ends(rows) for rows in (model.joint_rows, model.force_rows)]
    label = connected_labels(len(moves), *(np.concatenate(x) for x in zip(*(_links(moves, *each) for each in ends))))
    label[~moves] = -1
    of = [np.full(len(rows), -1) for rows in (model.joint_rows, model.force_rows)]
    for out, (row, body) in zip(of, ends):
        np.maximum.at(out, row, label[body])  # all its bodies are in one part, or on the ground
    joints, forces = of
    active = set(joints[model.joint_rows.size("ns") > 0]) | {joints[model.joint_rows.index[c.joint]] for c in model.closings}
    active |= {forces[f] for f, record in enumerate(model.force_rows.records) if not record.item.kind.conservative}
    alone = [[k] for k in np.unique(label[moves]) if k not in active]
    shared = [sorted(active - {-1})] if active - {-1} else []
    rows = [[np.flatnonzero(np.isin(x, own)) for x in (label, joints, forces)] for own in alone + shared]
    return [Part(bodies, joints, forces, k >= len(alone)) for k, (bodies, joints, forces) in enumerate(rows)]


def _ends(rows: Rows) -> tuple[np.ndarray, np.ndarray]:
    """Of every element of joints or forces, its row and its body."""
    return np.repeat(np.arange(len(rows)), rows.size("ne")), rows.column("elem_body")


def _links(moves: np.ndarray, row: np.ndarray, body: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Pairs of bodies that one joint or force holds on to, the ground left out."""
    row, body = row[moves[body]], body[moves[body]]
    same = row[1:] == row[:-1]
    return body[1:][same], body[:-1][same]
