"""Coupling: what ties the links of a tree to the bodies of a model, its forces and the joints that close loops."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator

import numpy as np

from ..errors import DescriptionError
from ..kernels import blocksparse, closing, functions, slots
from ..kernels import tree as t
from ..kernels.lazy import entry
from ..kernels.memory import Uncopyable, address_of
from ..model import Context
from ..topology.elimination import Elimination, analyse
from . import planar
from .aba import aba
from .advancing import accelerate, begin, close, find_reactions, load, project_joints
from .bodies import follow, observe, settle
from .loops import ENTRY, LOOP, PRODUCT, respond, solve
from .tree import Tree
from .ways import find_ways, sift

__all__ = ["Coupling", "Frames"]

Program = list[int]  # rows (address of a kernel, first, last), one after the other


class Frames(Uncopyable):
    """Tells the kernels of a tree where the bodies of a context are, and how to read and to move them; the context keeps its state.

    The tree holds on to it, and not the other way round: a run that is over leaves its memory to the next at once.
    """

    def __init__(self, tree: Tree, context: Context, bodies: Collection[str] | None = None) -> None:
        """bodies: to be moved; all, unless said otherwise."""
        self.context = context
        context.bind("frame", tree.room(24 * len(tree.model.body_rows)))
        tree.coupling, tree.table[t.T_BODIES] = self, context.address
        self._kernels = tree.put(t.T_KERNEL, np.zeros(t.KERNELS, dtype=np.int64))
        self._let_call({t.K_OBSERVE: observe, t.K_SETTLE: settle})
        for what, slot, number in (
            ("observe", t.T_OBSERVE, t.N_OBSERVE),
            ("settle", t.T_SETTLE, t.N_SETTLE),
            ("follow", t.T_FOLLOW, t.N_FOLLOW),
        ):
            _put_program(tree, slot, number, _of_bodies(tree, what, bodies))

    def _let_call(self, kernels: dict[int, entry]) -> None:
        for k, kernel in kernels.items():
            self._kernels[k] = kernel.address


class Coupling(Frames):
    """The same, with the forces of the model and the joints that close loops."""

    def __init__(self, tree: Tree, context: Context) -> None:
        super().__init__(tree, context)
        self.joints = tree.loop_rows.tolist()  #: rows of those that close loops
        self._loops = tree.put(t.T_LOOP, np.zeros((len(self.joints), LOOP), dtype=np.int64))
        self._loops[:, 0] = self.joints
        tree.count[t.N_LOOP] = len(self.joints)
        tree.count[t.N_COUPLED] = int(bool(self.joints) or len(tree.model.force_rows) > 0)
        tree.put(t.T_DELTA, np.zeros(tree.nv))
        forward = planar.aba if tree.count[t.N_FLAT] else aba
        self._let_call({t.K_BEGIN: begin, t.K_FORWARD: forward, t.K_ACCELERATE: accelerate, t.K_FOLLOW: follow})
        self._let_call({t.K_REACTIONS: find_reactions, t.K_PROJECT: project_joints})
        if tree.count[t.N_COUPLED]:
            _put_program(tree, t.T_PROGRAM, t.N_PROGRAM, self._program(tree))
            self._let_call({t.K_LOAD: load})
        if self.joints:
            self._add_loops(tree)
            self._let_call({t.K_CLOSE: close, t.K_RESPOND: respond, t.K_SOLVE: solve})

    def _program(self, tree: Tree) -> Program:
        """Signals, bodies, and of their elements and of the joints those that forces and loops need."""
        model, context = tree.model, self.context
        groups = model.body_rows.groups
        plan = np.zeros(4 * len(groups) + 2 * int(context.count[slots.N_ELEM]), dtype=np.int64)
        kinds = plan[: 4 * len(groups)].reshape(-1, 4)
        kinds[:, :2] = groups
        sift(tree.address, address_of(plan), len(groups))
        evaluation: Program = []
        if model.closings:
            evaluation += (closing.prepare.address, 0, int(context.count[slots.N_RAMP]))
        program = context.program.tolist()
        for k in range(0, len(program), 3):
            if program[k] == functions.evaluate_signals.address:
                evaluation += program[k : k + 3]
        looking: Program = []
        begin = 0
        for first, last, here, wanted in kinds.tolist():
            kind = model.body_rows.records[first].item.kind
            if kind.nv > 0:
                evaluation += (kind.motion.address, first, last)
            if wanted:
                looking += (kind.elements.address, begin, begin + wanted)
            begin += here
        context.bind("elem_order", plan[4 * len(groups) :][:begin])
        evaluation += looking
        for first, last in _runs(sorted(self.joints), [first for first, _ in model.joint_rows.groups]):
            evaluation += (model.joint_rows.records[first].item.kernel.address, first, last)
        if model.closings:
            evaluation += (closing.evaluate.address, 0, int(context.count[slots.N_RAMP]))
        return evaluation

    def _add_loops(self, tree: Tree) -> None:
        """Ways of their efforts to the roots, where these meet, and the matrix that follows."""
        seen, count = np.empty(tree.n, dtype=np.int64), tree.count
        find_ways(tree.address, address_of(seen), 0)
        n, elements = int(count[t.N_ENTRY]), int(count[t.N_ELEMENT])
        entries = tree.put(t.T_ENTRY, np.empty((n, ENTRY), dtype=np.int64))
        tree.put(t.T_ELEMENT, np.empty(elements, dtype=np.int64))
        find_ways(tree.address, address_of(seen), 1)
        sizes = self._loops[:, 2]
        found, diagonal, products = _alone(entries, sizes) if len(sizes) == 1 else _together(entries, sizes)
        tree.put(t.T_PRODUCT, products)
        tree.count[t.N_PRODUCT] = len(products)
        self._matrix = _Matrix(found, diagonal, tree.room)
        tree.put(t.T_MATRIX, self._matrix.addresses)
        m, y = int(count[t.N_EQUATION]), int(count[t.N_ANSWER])
        lengths = {t.T_WRENCH: 6 * int(count[t.N_ROW]), t.T_RESPONSE: y, t.T_WEIGHTED: y, t.T_RESIDUAL: m, t.T_LAMBDA: m}
        lengths |= {t.T_CORRECTION: tree.nv, t.T_JUMP: 6 * tree.n}
        block, place = tree.room(sum(lengths.values()) + 1), 0
        for slot, length in lengths.items():
            tree.put(slot, block[place : place + length])
            place += length


def _put_program(tree: Tree, slot: int, number: int, program: Program) -> None:
    tree.put(slot, np.array(program, dtype=np.int64))
    tree.count[number] = len(program) // 3


def _of_bodies(tree: Tree, what: str, bodies: Collection[str] | None) -> Program:
    """A kernel of each kind of body."""
    out: Program = []
    rows = tree.model.body_rows
    wanted = None if bodies is None else sorted(rows.index[name] for name in bodies if rows.index.get(name))
    for first, last in rows.groups:
        kind = rows.records[first].item.kind
        if kind.nv == 0:
            continue
        runs = [(first, last)] if wanted is None else _runs([row for row in wanted if first <= row < last], [])
        for start, end in runs:
            kernel = getattr(kind, what)
            if kernel is None:
                raise DescriptionError(
                    f"Body '{rows.records[start].name}' has {kind.name} coordinates, which cannot be found from those of joints. Leave "
                    "out coordinates=…, or use the central or the modular solver."
                )
            out += (kernel.address, start, end)
    return out


def _alone(entries: np.ndarray, sizes: np.ndarray) -> tuple[Elimination, np.ndarray, np.ndarray]:
    """Of one loop: order of elimination, where the blocks of loops on the diagonal are, and products; see :mod:`bielle.recursive.loops`."""
    m, none, zero = int(sizes[0]), np.zeros(0, dtype=np.int64), np.zeros(1, dtype=np.int64)
    one = Elimination(
        np.array([m]), np.array([0, m]), zero, np.zeros(2, dtype=np.int64), none, none, none, zero, zero, none, none, m * m, 0
    )
    products = np.zeros((len(entries), PRODUCT), dtype=np.int64)
    products[:, 0], products[:, 1], products[:, 2], products[:, 3:5] = entries[:, 0], entries[:, 3], entries[:, 3], m
    return one, zero[:1], products


def _together(entries: np.ndarray, sizes: np.ndarray) -> tuple[Elimination, np.ndarray, np.ndarray]:
    """The same of several."""
    link, loop, k = entries[:, 0], entries[:, 1], len(sizes)
    a, b = _meetings(link, loop)
    keys, which = np.unique(loop[a] * k + loop[b], return_inverse=True)
    found = analyse(sizes, np.zeros(k), np.column_stack([keys // k, keys % k]))
    diagonal = found.diagonal[found.position]
    load, flip = found.load[which], found.flip[which].astype(bool)
    a, b = np.where(flip, b, a), np.where(flip, a, b)
    every = np.arange(len(entries))
    a, b, where = np.concatenate([every, a]), np.concatenate([every, b]), np.concatenate([diagonal[loop], load])
    return found, diagonal, np.column_stack([link[a], entries[a, 3], entries[b, 3], sizes[loop[a]], sizes[loop[b]], where])


def _meetings(link: np.ndarray, loop: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Entries a, b on the same link, of different loops, that of the later loop first."""
    order = np.lexsort((loop, link))
    _, starts, sizes = np.unique(link[order], return_index=True, return_counts=True)
    place = np.arange(len(order)) - np.repeat(starts, sizes)  # of each among those of its link
    a = np.repeat(np.arange(len(order)), place)
    b = np.arange(len(a)) - np.repeat(np.cumsum(place) - place, place) + np.repeat(np.repeat(starts, sizes), place)
    return order[a], order[b]


class _Matrix(Uncopyable):
    """A context that knows nothing but a matrix by blocks; see :mod:`bielle.kernels.blocksparse`."""

    def __init__(self, found: Elimination, diagonal: np.ndarray, room: Callable[[int], np.ndarray]) -> None:
        count = np.zeros(slots.COUNTS, dtype=np.int64)
        count[slots.N_NODE] = len(found.size)
        rows = int(found.row[-1])
        self._arrays = {
            slots.COUNT: count, slots.NODE_SIZE: found.size, slots.NODE_ROW: found.row, slots.NODE_DIAG: found.diagonal,
            slots.COL_START: found.column, slots.SUB_NODE: found.sub_node, slots.SUB_BLOCK: found.sub_block, slots.UPDATE: found.update,
            slots.JOINT_LOAD: diagonal, slots.JOINT_ROW: found.row[found.position],
            slots.LU: room(found.length + found.scratch + 1 + rows), slots.ROUTINE: np.zeros(slots.ROUTINES, dtype=np.int64),
        }  # fmt: skip
        routine = self._arrays[slots.ROUTINE]
        routine[slots.R_ELIMINATE], routine[slots.R_SOLVE] = blocksparse.eliminate.address, blocksparse.solve.address
        self.addresses = np.zeros(len(slots.FIELDS), dtype=np.int64)
        for slot, values in self._arrays.items():
            self.addresses[slot] = address_of(values)
        self.addresses[slots.LU_TEMP] = self.addresses[slots.LU] + 8 * found.length
        self.addresses[slots.RHS] = self.addresses[slots.LU_TEMP] + 8 * (found.scratch + 1)


def _runs(rows: list[int], firsts: list[int]) -> Iterator[tuple[int, int]]:
    """Rows in a row, of one kind each."""
    start = None
    for k, row in enumerate(rows):
        start = row if start is None else start
        if k + 1 == len(rows) or rows[k + 1] != row + 1 or rows[k + 1] in firsts:
            yield start, row + 1
            start = None
