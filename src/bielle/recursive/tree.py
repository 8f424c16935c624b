"""Tree: the links of a model, and the table that kernels are called with."""

from __future__ import annotations

from collections.abc import Collection
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

import numpy as np

from ..errors import unknown
from ..joints.rotor import Rotor
from ..kernels import tree as t
from ..kernels.memory import Spares, Uncopyable, address_of, addresses_of
from ..kernels.motions import MOTIONS, REVOLUTE, Motion
from ..mechanism.description import GROUND
from ..model import Model
from ..model.places import HANGING
from . import derivatives, growing
from .arguments import known_objects
from .followers import FOLLOWER

__all__ = ["Link", "Tree"]

# per link, or per velocity, of which a link has six at most
_INTEGERS = {
    t.T_MOTION: 1, t.T_PARENT: 1, t.T_Q0: 1, t.T_V0: 1, t.T_NV: 1, t.T_BODY_ROW: 1, t.T_ROOT: 1, t.T_LINK: 1, t.T_TREE_JOINT: 1,
    t.T_LEADER: 1, t.T_FOLLOWER: FOLLOWER,
    t.T_LINK_OF: 6, t.T_BEFORE: 6,
}  # fmt: skip
_NUMBERS = {t.T_PLACE: 12, t.T_BODY_POSE: 12, t.T_BETWEEN: 9, t.T_LEAD: 1, t.T_OFFSET: 1, t.T_INERTIA: 10, t.T_RESISTS: 2, t.T_ARMATURE: 6}
_SCRATCH = {
    t.T_R: 9, t.T_ARM: 3, t.T_POS: 3, t.T_S: 36, t.T_VEL: 6, t.T_BIAS: 6, t.T_ACC: 6, t.T_EFFORT: 6, t.T_BODY: 10, t.T_ARTICULATED: 36,
    t.T_U: 36, t.T_D: 6, t.T_LEFT: 6, t.T_FORCE: 6, t.T_EXTERNAL: 6, t.T_Q: 7, t.T_COSINE: 7, t.T_SINE: 7, t.T_V: 6, t.T_A: 7, t.T_TAU: 6,
}  # fmt: skip
_NOTHING = np.zeros(8)
_ROTOR = Rotor.__struct_config__.tag
_spares = Spares(16, float)


class Link(NamedTuple):
    """A body, and the joint it hangs on."""

    name: str  #: of the body
    joint: str  #: of the joint; of the body if it is free
    parent: int  #: row of the link it hangs on; −1: the ground
    motion: Motion
    backwards: bool  #: the parent is body b of the joint
    free: bool = False  #: there is no joint


class Tree(Uncopyable):
    """Links of a model, each of which hangs on one before it, and what kernels need to know of them.

    The frame of a link is that of its joint on its body. Its table and scratch are for one call at a time: see :meth:`another`.
    """

    def __init__(self, model: Model, root: str | None = None, joints: Collection[int] | None = None, heaviest: bool = False) -> None:
        """root: a body that is free in any case, and on which everything hangs that can; otherwise trees grow from the ground.

        joints: rows of those that may be part of the trees; all, unless said otherwise.
        heaviest: trees that do not hang on the ground grow from their heaviest body, and not from the first of them
        """
        bodies, rows = model.body_rows, model.joint_rows
        if root is not None and root not in bodies.index:
            raise unknown("body", root, [name for name in bodies.index if bodies.index[name]])
        self.model = model
        self.coupling: Any = None  #: to bodies, if there is one; it lives as long as the tree
        self.n, nj = len(bodies) - 1, len(rows)
        self._rooms: list[np.ndarray] = []
        self._integers, self._numbers = self.room(_length(_INTEGERS, self.n)).view(np.int64), self.room(_length(_NUMBERS, self.n))
        self._gravity, self._known = np.zeros(3), known_objects()
        self._gravity[: len(model.gravity)] = model.gravity
        self._make_table()
        left_out, self._backwards, self._loops = np.zeros((3, max(nj, self.n) + 1), dtype=np.int64)
        if joints is not None:
            left_out[:] = growing.LEFT_OUT
            left_out[list(joints)] = 0
        for closing in model.closings:
            left_out[rows.index[closing.joint]] = growing.LEFT_OUT
        for first, last in rows.groups:
            if rows.records[first].item.internal:
                left_out[first:last] = growing.INTERNAL
        rotors, ratios = _rotors(model, left_out, root)
        number = np.array([len(bodies), nj, bodies.index[root] if root is not None else 0, model.dim, len(ratios), heaviest, 0, 0, 0, 0])
        scratch = np.empty(growing.scratch_length(len(bodies), nj), dtype=np.int64)
        given = (
            number, rows.starts("ne"), rows.column("elem_body"), rows.starts("nh"), rows.column("hanging"), left_out,
            bodies.column("inertia"), self.table, self._backwards, self._loops, scratch, rotors, ratios,
        )  # fmt: skip
        addresses = addresses_of(given)
        growing.grow(address_of(addresses))
        self.nq, self.nv, loops, self._followers = number[growing.FOUND_Q :].tolist()
        self._loops = self._loops[:loops]
        self._tell_counts()

    def _tell_counts(self) -> None:
        self.count[t.N_V], self.count[t.N_Q], self.count[t.N_FOLLOWER] = self.nv, self.nq, self._followers

    def _make_table(self) -> None:
        self.table = np.zeros(t.T_LENGTH, dtype=np.int64)
        self.address = address_of(self.table)  #: what kernels are called with
        self._arrays: dict[int, np.ndarray] = {}
        self._scratch = self.room(_length(_SCRATCH, self.n))
        self._carve(_INTEGERS, self._integers)
        self._carve(_NUMBERS, self._numbers)
        self._carve(_SCRATCH, self._scratch)
        self.table[t.T_OWN_A] = self.table[t.T_A]
        self.count = self.put(t.T_COUNT, np.zeros(t.COUNTS, dtype=np.int64))
        self.count[t.N_LINK], self.count[t.N_FLAT] = self.n, int(self.model.dim == 2)
        for slot, values in ((t.T_GRAVITY, self._gravity), (t.T_ASKED, np.zeros(8)), (t.T_KNOWN, self._known)):
            self.put(slot, values)

    def room(self, n: int) -> np.ndarray:
        """n zeros, for as long as the tree is used."""
        block = _spares.take(n)
        self._rooms.append(block)
        out = block[:n]
        out[:] = 0.0
        return out

    def release(self) -> None:
        """Leave the memory to the next tree: nobody must look at this one any more."""
        for block in self._rooms:
            _spares.give_back(block)

    def _carve(self, widths: dict[int, int], block: np.ndarray) -> None:
        self.table[list(widths)] = address_of(block) + 8 * _places(tuple(widths.values()), self.n)[:-1]

    def another(self) -> Tree:
        """The same links, with a table and scratch of its own."""
        out = object.__new__(Tree)
        out.__dict__.update(self.__dict__)
        out.coupling, out._rooms = None, []
        out._make_table()
        out._tell_counts()
        return out

    def put(self, slot: int, values: np.ndarray) -> np.ndarray:
        """Let kernels find an array, which stays as long as the tree."""
        self._arrays[slot] = values = np.ascontiguousarray(values)
        self.table[slot] = address_of(values if values.size else _NOTHING)
        return values

    def array(self, slot: int) -> np.ndarray:
        """The tree's own array in a slot: as it was put there, or a row for each link."""
        for widths, block in ((_INTEGERS, self._integers), (_NUMBERS, self._numbers), (_SCRATCH, self._scratch)):
            if slot in widths and slot not in self._arrays:
                first = int(_places(tuple(widths.values()), self.n)[list(widths).index(slot)])
                return block[first : first + widths[slot] * self.n + int(slot == t.T_LINK)]  # the ground has one, too
        return self._arrays[slot]

    def allow_derivatives(self) -> None:
        """Make room for what derivatives need."""
        if t.T_COLUMNS not in self._arrays:
            self.put(t.T_REFERENCE, np.zeros(36))
            self.put(t.T_WORLD, np.zeros((self.n, derivatives.WORLD)))
            self.put(t.T_COLUMNS, np.zeros((self.nv, derivatives.COLUMN)))
            self.put(t.T_COMPOSITE, np.zeros((self.n, derivatives.COMPOSITE)))
            self.put(t.T_FACTOR, np.zeros((self.nv, self.nv)))

    # -- what there is, by name

    @property
    def armature(self) -> np.ndarray:
        """(nv,) inertia that joints add to themselves."""
        return self.array(t.T_ARMATURE)[: self.nv]

    @property
    def loop_rows(self) -> np.ndarray:
        """Rows of the joints that are not part of the trees."""
        return self._loops

    @cached_property
    def loops(self) -> list[str]:
        """Their names."""
        return [self.model.joint_rows.records[j].name for j in self._loops]

    @cached_property
    def links(self) -> list[Link]:
        """All of them."""
        bodies, joints, motions = self.model.body_rows.records, self.model.joint_rows.records, list(MOTIONS.values())
        columns = (self.array(slot).tolist() for slot in (t.T_BODY_ROW, t.T_TREE_JOINT, t.T_PARENT, t.T_MOTION))
        return [
            Link(bodies[b].name, bodies[b].name if j < 0 else joints[j].name, parent, motions[motion], bool(backwards), j < 0)
            for b, j, parent, motion, backwards in zip(*columns, self._backwards.tolist())
        ]

    def related(self) -> list[tuple[int, int]]:
        """Pairs of velocities of which the first hangs on the second, or is it, in the order of the entries of ``crba_sparse``."""
        before, v0, found = self.array(t.T_BEFORE).tolist(), self.v0, []
        for i in range(self.n - 1, -1, -1):
            for row in range(v0[i], v0[i + 1]):
                on = row
                while on >= 0:
                    found.append((row, on))
                    on = before[on]
        return found

    @cached_property
    def q0(self) -> list[int]:
        """First coordinate of each link, and the number of all."""
        return [*self.array(t.T_Q0).tolist(), self.nq]

    @cached_property
    def v0(self) -> list[int]:
        """First velocity of each link, and the number of all."""
        return [*self.array(t.T_V0).tolist(), self.nv]


def _rotors(model: Model, left_out: np.ndarray, root: str | None) -> tuple[np.ndarray, np.ndarray]:
    """Rows (rotors, 3) of the bearings of rotors, their gears and the joints these are geared to; ratios. Those of rotors that are held by
    nothing else, and whose joints may be part of a tree."""
    rows = model.joint_rows
    gears = [j for first, last in rows.groups if rows.records[first].key == _ROTOR for j in range(first, last)]
    if not gears:
        return np.zeros((0, 3), dtype=np.int64), np.zeros(0)
    holds: dict[str, int] = {}
    for record in rows.records:
        if not record.item.internal:
            for body in {*record.item.bodies}:
                holds[body] = holds.get(body, 0) + 1
    found, ratios, numbers = [], [], rows.column("param")
    for gear in gears:
        joint, bearing = (rows.index[name] for name in rows.records[gear].item.through)
        ends = {*rows.records[bearing].item.bodies}
        turns = rows.column("hanging")[HANGING * rows.starts("nh")[bearing]] == REVOLUTE
        if not turns or GROUND not in ends or left_out[[bearing, gear, joint]].any():
            continue
        (rotor,) = ends - {GROUND}
        if holds[rotor] == 2 and rotor != root:
            found.append((bearing, gear, joint))
            ratios.append(numbers[rows.starts("np")[gear]])
    return np.array(found, dtype=np.int64).reshape(-1, 3), np.array(ratios)


@lru_cache(64)
def _places(widths: tuple[int, ...], n: int) -> np.ndarray:
    """Where fields with so many numbers per link, and one more, begin in a block, and its length; on cache lines of their own."""
    return np.cumsum([0, *(8 * -(-width * (n + 1) // 8) for width in widths)])


def _length(widths: dict[int, int], n: int) -> int:
    return int(_places(tuple(widths.values()), n)[-1]) + 8
