"""Coupling: what ties the links of a tree to the bodies of a model, its forces and the joints that close loops."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..errors import DescriptionError
from ..kernels import closing, functions, slots
from ..kernels.memory import address_of
from ..model import Context
from ..topology.elimination import analyse
from . import table as t
from .tree import Tree

__all__ = ["Coupling"]

Program = list[int]  # rows (address of a kernel, first, last), one after the other


class Coupling:
    """Tells the kernels of a tree where the bodies of a context are; the context keeps its state."""

    def __init__(self, tree: Tree, context: Context) -> None:
        self._tree, self.context, model = tree, context, tree.model
        self.joints = [model.joint_rows.index[name] for name in tree.forest.loops]  #: rows of those that close loops
        context.bind("frame", np.zeros(24 * len(model.body_rows)))
        tree.coupling, tree.table[t.T_BODIES] = self, context.address
        rows = model.body_rows.index
        link = np.full(len(rows), -1, dtype=np.int64)
        link[[rows[each.name] for each in tree.forest.links]] = np.arange(tree.n)
        tree.put(t.T_LINK, link)
        joints = model.joint_rows.index
        tree.put(t.T_TREE_JOINT, np.array([-1 if x.free else joints[x.joint] for x in tree.forest.links], dtype=np.int64))
        self._count(t.T_OBSERVE, t.N_OBSERVE, self._of_bodies("observe"))
        self._count(t.T_SETTLE, t.N_SETTLE, self._of_bodies("settle"))
        self._count(t.T_FOLLOW, t.N_FOLLOW, self._of_bodies("follow"))
        tree.count[t.COUPLED] = int(bool(self.joints) or len(model.force_rows) > 0)
        if tree.count[t.COUPLED]:
            self._count(t.T_PROGRAM, t.N_PROGRAM, self._program())
        if self.joints:
            self._add_loops()

    def _count(self, slot: int, number: int, program: Program) -> None:
        self._tree.put(slot, np.array(program, dtype=np.int64))
        self._tree.count[number] = len(program) // 3

    def _of_bodies(self, what: str) -> Program:
        """A kernel of each kind of body."""
        out: Program = []
        rows = self._tree.model.body_rows
        for first, last in rows.groups:
            kind = rows.records[first].item.kind
            if kind.nv > 0:
                kernel = getattr(kind, what)
                if kernel is None:
                    raise DescriptionError(
                        f"Body '{rows.records[first].name}' has {kind.name} coordinates, which cannot be found from those of joints. Leave "
                        "out coordinates=…, or use the central or the modular solver."
                    )
                out += (kernel.address, first, last)
        return out

    def _program(self) -> Program:
        """Signals, bodies, and of their elements and of the joints those that forces and loops need."""
        model, context = self._tree.model, self.context
        body, order = context.elem_body, context.elem_order.copy()
        needed = np.zeros(len(body), dtype=bool)
        needed[context.joint_e[-1] :] = True  # of forces, watches, carriers
        for j in self.joints:
            needed[context.joint_e[j] : context.joint_e[j + 1]] = True
        evaluation: Program = []
        if model.closings:
            evaluation += (closing.prepare.address, 0, int(context.count[slots.N_RAMP]))
        program = context.program.tolist()
        for k in range(0, len(program), 3):
            if program[k] == functions.evaluate_signals.address:
                evaluation += program[k : k + 3]
        looking: Program = []
        begin = 0
        for first, last in model.body_rows.groups:
            kind = model.body_rows.records[first].item.kind
            end = begin + int(np.count_nonzero((body >= first) & (body < last)))
            mine = order[begin:end]
            order[begin:end] = np.concatenate([mine[needed[mine]], mine[~needed[mine]]])
            if kind.nv > 0:
                evaluation += (kind.motion.address, first, last)
            wanted = int(needed[mine].sum())
            if wanted:
                looking += (kind.elements.address, begin, begin + wanted)
            begin = end
        context.bind("elem_order", order)
        evaluation += looking
        for first, last in _runs(sorted(self.joints), [first for first, _ in model.joint_rows.groups]):
            evaluation += (model.joint_rows.records[first].item.kernel.address, first, last)
        if model.closings:
            evaluation += (closing.evaluate.address, 0, int(context.count[slots.N_RAMP]))
        return evaluation

    def _add_loops(self) -> None:
        """Ways of their efforts to the roots, where these meet, and the matrix that follows."""
        tree, context, loops = self._tree, self.context, []
        link, parent = tree.array(t.T_LINK).tolist(), [x.parent for x in tree.forest.links]
        nv = [x.motion.nv for x in tree.forest.links]
        joint_e, joint_c, elem_body = context.joint_e.tolist(), context.joint_c.tolist(), context.elem_body.tolist()
        entries: list[tuple[int, ...]] = []
        elements: list[int] = []
        met: dict[int, list[tuple[int, int]]] = {}  # of each link: loops, and where their answers begin
        wrench, response, equations = 0, 0, 0
        for k, j in enumerate(self.joints):
            m, first = joint_c[j + 1] - joint_c[j], len(entries)
            ends = [link[elem_body[e]] for e in range(joint_e[j], joint_e[j + 1])]
            way: set[int] = set()
            for i in ends:
                while i >= 0 and i not in way:
                    way.add(i)
                    i = parent[i]
            place = {i: first + n for n, i in enumerate(sorted(way, reverse=True))}
            for i in place:
                entries.append((i, k, wrench, response, place.get(parent[i], -1)))
                met.setdefault(i, []).append((k, response))
                wrench, response = wrench + 6 * m, response + m * nv[i]
            elements += [place.get(i, -1) for i in ends]
            loops.append((j, equations, m, first, len(entries)))
            equations += m
        sizes = np.array([loop[2] for loop in loops])
        pairs = sorted({(a, b) for rows in met.values() for n, (a, _) in enumerate(rows) for b, _ in rows[:n]})
        found = analyse(sizes, np.zeros(len(loops)), np.array(pairs, dtype=np.int64).reshape(-1, 2))
        diagonal = found.diagonal[found.position]
        block = {pair: (int(load), int(flip)) for pair, load, flip in zip(pairs, found.load, found.flip)}
        products = []
        for i, rows in met.items():
            for n, (a, at_a) in enumerate(rows):
                products.append((i, at_a, at_a, sizes[a], sizes[a], diagonal[a]))
                for b, at_b in rows[:n]:
                    load, flip = block[a, b]
                    products.append((i, at_b, at_a, sizes[b], sizes[a], load) if flip else (i, at_a, at_b, sizes[a], sizes[b], load))
        for slot, number, rows in (
            (t.T_LOOP, t.N_LOOP, loops),
            (t.T_ENTRY, t.N_ENTRY, entries),
            (t.T_PRODUCT, t.N_PRODUCT, products),
        ):
            tree.put(slot, np.array(rows, dtype=np.int64))
            tree.count[number] = len(rows)
        tree.count[t.N_EQUATION] = equations
        tree.put(t.T_ELEMENT, np.array(elements, dtype=np.int64))
        for slot, size in ((t.T_WRENCH, wrench), (t.T_RESPONSE, response), (t.T_WEIGHTED, response)):
            tree.put(slot, np.zeros(size))
        for slot in (t.T_RESIDUAL, t.T_LAMBDA):
            tree.put(slot, np.zeros(equations))
        tree.put(t.T_CORRECTION, np.zeros(tree.nv))
        tree.put(t.T_DELTA, np.zeros(tree.nv))
        tree.put(t.T_JUMP, np.zeros((tree.n, 6)))
        self._matrix = _Matrix(found, diagonal)
        tree.put(t.T_MATRIX, self._matrix.addresses)


class _Matrix:
    """A context that knows nothing but a matrix by blocks; see :mod:`bielle.kernels.blocksparse`."""

    def __init__(self, found, diagonal: np.ndarray) -> None:
        count = np.zeros(slots.COUNTS, dtype=np.int64)
        count[slots.N_NODE] = len(found.size)
        rows = int(found.row[-1])
        self._arrays = {
            slots.COUNT: count, slots.NODE_SIZE: found.size, slots.NODE_ROW: found.row, slots.NODE_DIAG: found.diagonal,
            slots.COL_START: found.column, slots.SUB_NODE: found.sub_node, slots.SUB_BLOCK: found.sub_block, slots.UPDATE: found.update,
            slots.JOINT_LOAD: diagonal.astype(np.int64), slots.JOINT_ROW: found.row[:-1][found.position].astype(np.int64),
            slots.LU: np.zeros(found.length), slots.LU_TEMP: np.zeros(found.scratch + 1), slots.RHS: np.zeros(rows),
        }  # fmt: skip
        self._arrays = {slot: np.ascontiguousarray(values) for slot, values in self._arrays.items()}
        self.addresses = np.zeros(len(slots.FIELDS), dtype=np.int64)
        for slot, values in self._arrays.items():
            self.addresses[slot] = address_of(values) if values.size else 0


def _runs(rows: list[int], firsts: list[int]) -> Iterator[tuple[int, int]]:
    """Rows in a row, of one kind each."""
    start = None
    for k, row in enumerate(rows):
        start = row if start is None else start
        if k + 1 == len(rows) or rows[k + 1] != row + 1 or rows[k + 1] in firsts:
            yield start, row + 1
            start = None
