"""Tree: the table that kernels are called with, for the links of a model."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..kernels.memory import address_of
from ..model import Model
from . import derivatives
from . import table as t
from .arguments import known_objects
from .forest import Forest, grow

__all__ = ["Tree"]

_SCRATCH = {
    t.T_R: 9, t.T_ARM: 3, t.T_POS: 3, t.T_S: 36, t.T_VEL: 6, t.T_BIAS: 6, t.T_ACC: 6, t.T_EFFORT: 6, t.T_BODY: 10, t.T_ARTICULATED: 36,
    t.T_U: 36, t.T_D: 36, t.T_LEFT: 6, t.T_FORCE: 6, t.T_EXTERNAL: 6,
}  # fmt: skip


class Tree:
    """Links of a model, and what kernels need to know of them. Not to be used by two threads at once: see :meth:`another`."""

    def __init__(self, model: Model, root: str | None = None) -> None:
        self.model = model
        self.coupling: Any = None  #: to bodies, if there is one; it lives as long as the tree
        self.forest: Forest = grow(model, root)
        links = self.forest.links
        nq, nv = ([getattr(link.motion, name) for link in links] for name in ("nq", "nv"))
        self.q0, self.v0 = np.cumsum([0, *nq]), np.cumsum([0, *nv])
        self.n, self.nq, self.nv = len(links), int(self.q0[-1]), int(self.v0[-1])
        parent = [link.parent for link in links]
        gravity = np.zeros(3)
        gravity[: len(model.gravity)] = model.gravity
        rows = [model.body_rows.index[link.name] for link in links]
        self.armature = np.zeros(max(self.nv, 1))  #: (nv,) inertia that joints add to themselves
        self._shared: dict[int, Any] = {
            t.T_MOTION: [link.motion.number for link in links],
            t.T_PARENT: parent,
            t.T_Q0: self.q0,
            t.T_V0: self.v0,
            t.T_NV: nv,
            t.T_BODY_ROW: rows,
            t.T_LINK_OF: np.repeat(np.arange(self.n), nv),
            t.T_BEFORE: _before(parent, self.v0.tolist()),
            t.T_ROOT: _roots(parent),
            t.T_KNOWN: known_objects(),
        }
        self._shared = {slot: np.array(values, dtype=np.int64) for slot, values in self._shared.items()}
        self._shared |= {
            t.T_PLACE: self.forest.place,
            t.T_BODY_POSE: self.forest.body,
            t.T_BETWEEN: self.forest.between,
            t.T_LEAD: self.forest.lead,
            t.T_INERTIA: _inertias([model.body_rows.records[row].item.kind.properties for row in rows], self.forest.body),
            t.T_ARMATURE: self.armature,
            t.T_GRAVITY: gravity,
            t.T_ASKED: np.zeros(8),
        }
        self._make_table()

    def _make_table(self) -> None:
        self.table = np.zeros(t.T_LENGTH, dtype=np.int64)
        self.address = address_of(self.table)  #: what kernels are called with
        self._arrays: dict[int, np.ndarray] = {}
        for slot, values in self._shared.items():
            self.put(slot, values)
        self.count = self.put(t.T_COUNT, np.array([self.n, self.nv, self.nq] + [0] * (t.COUNTS - 3), dtype=np.int64))
        widths = list(_SCRATCH.values())
        ends = np.cumsum([0, *(8 * -(-self.n * width // 8) for width in widths)]).tolist()  # on cache lines of their own
        block = np.zeros(ends[-1] + 8)
        for slot, first, width in zip(_SCRATCH, ends, widths):
            self.put(slot, block[first : first + self.n * width].reshape(self.n, width))
        sizes = {t.T_Q: self.nq, t.T_V: self.nv, t.T_A: max(self.nv, self.nq), t.T_TAU: self.nv}
        for slot, size in sizes.items():
            self.put(slot, np.zeros(size))
        self.table[t.T_OWN_A] = self.table[t.T_A]

    def another(self) -> Tree:
        """The same links, with a table and scratch of its own."""
        out = object.__new__(Tree)
        out.__dict__.update(self.__dict__)
        out._make_table()
        if t.T_COLUMNS in self._arrays:
            out.allow_derivatives()
        return out

    def put(self, slot: int, values: np.ndarray) -> np.ndarray:
        """Let kernels find an array of which nobody else knows, or that stays as long as the tree."""
        self._arrays[slot] = values = np.ascontiguousarray(values)
        self.table[slot] = address_of(values if values.size else _NOTHING)
        return values

    def array(self, slot: int) -> np.ndarray:
        """The tree's own array in a slot."""
        return self._arrays[slot]

    def use_own(self, *slots: int) -> None:
        """Let these slots be the tree's own arrays again, whatever was bound to them."""
        for slot in slots:
            values = self._arrays.get(slot, _NOTHING)
            self.table[slot] = address_of(values if values.size else _NOTHING)

    def allow_derivatives(self) -> bool:
        """Make room for what derivatives need; whether there was none."""
        new = t.T_COLUMNS not in self._arrays
        if new:
            self.put(t.T_REFERENCE, np.zeros(42))
            self.put(t.T_WORLD, np.zeros((self.n, derivatives.WORLD)))
            self.put(t.T_COLUMNS, np.zeros((self.nv, derivatives.COLUMN)))
            self.put(t.T_COMPOSITE, np.zeros((self.n, derivatives.COMPOSITE)))
            self.put(t.T_FACTOR, np.zeros((self.nv, self.nv)))
        return new


_NOTHING = np.zeros(8)


def _roots(parent: list[int]) -> list[int]:
    """The link that each link's tree grows from."""
    out: list[int] = []
    for i, p in enumerate(parent):
        out.append(i if p < 0 else out[p])
    return out


def _before(parent: list[int], v0: list[int]) -> list[int]:
    """The velocity that each velocity hangs on: the one before it in its joint, or the last of the nearest joint below that has any."""
    last, out = [], []
    for i, p in enumerate(parent):
        on = last[p] if p >= 0 else -1
        for k in range(v0[i], v0[i + 1]):
            out.append(on)
            on = k
        last.append(on)
    return out


def _inertias(properties: list[Any], body: np.ndarray) -> np.ndarray:
    """(n, 10) mass, m c and inertia (xx, xy, xz, yy, yz, zz) about the origin of each link, in its axes."""
    n = len(properties)
    m = np.array([p.mass for p in properties])
    R, at = body[:, :9].reshape(n, 3, 3), body[:, 9:]
    centre = at + np.einsum("nij,nj->ni", R, np.array([p.centre for p in properties]).reshape(n, 3))
    J = R @ np.array([p.inertia for p in properties]).reshape(n, 3, 3) @ R.transpose(0, 2, 1)
    square = np.einsum("ni,ni->n", centre, centre)
    J = J + m[:, None, None] * (square[:, None, None] * np.eye(3) - centre[:, :, None] * centre[:, None, :])
    return np.column_stack([m, m[:, None] * centre, J[:, 0, 0], J[:, 0, 1], J[:, 0, 2], J[:, 1, 1], J[:, 1, 2], J[:, 2, 2]])
