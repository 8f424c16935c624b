"""Plan: what the kernels of the modular solver need besides a model's own arrays.

Its memory map (:mod:`bielle.kernels.plan`) is found by kernels in the routines of the context.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from ..bodies.kind import BodyKind
from ..errors import DescriptionError
from ..kernels import functions, slots
from ..kernels.fields import MATRIX
from ..kernels.memory import Uncopyable, address_of
from ..kernels.plan import (
    C_FIRST,
    C_LAST,
    J_FIRST,
    J_LAST,
    LINE,
    P_ACCOUNT,
    P_AFRESH,
    P_ALLOWED,
    P_ANSWER,
    P_BASE,
    P_BLOCK,
    P_BLOCKS,
    P_BODIES,
    P_BODY,
    P_CHANGE,
    P_COUPLING,
    P_DIRECTION,
    P_ELEMENT,
    P_ELEMENTS,
    P_EXTERNAL,
    P_FORCES,
    P_GAPS,
    P_GROUP,
    P_HELD,
    P_HOLD,
    P_HOLDS,
    P_IMPLICIT,
    P_INSIDE,
    P_INSIDE_JOINT,
    P_INVERSE,
    P_INVERSE_MASS,
    P_INVERSES,
    P_IS_IMPLICIT,
    P_IS_LOOSE,
    P_JAC,
    P_JOINT,
    P_JOINTS,
    P_KEPT,
    P_KINETIC,
    P_LEAVE,
    P_LEFT,
    P_LENGTH,
    P_LEVEL,
    P_LIGHTNESS,
    P_LOCAL,
    P_LOCALS,
    P_LONE,
    P_LOOSE,
    P_LOSS,
    P_MORE,
    P_MOST,
    P_MOVED,
    P_N_COMPONENT,
    P_N_FORCES,
    P_N_IMPLICIT,
    P_N_INSIDE,
    P_N_LOOSE,
    P_N_OWN_LOOSE,
    P_N_ROWS,
    P_N_TEMP,
    P_NODE,
    P_NODES,
    P_NUMBER,
    P_OF_BODY,
    P_OWN_BLOCK,
    P_OWN_BLOCKS,
    P_OWN_ELEMENT,
    P_OWN_ELEMENTS,
    P_OWN_LOOSE,
    P_PART,
    P_PHI_T,
    P_POWER,
    P_PROGRAM,
    P_RATE,
    P_RESPONSE,
    P_ROW,
    P_ROWS,
    P_SCALE,
    P_SCRATCH,
    P_SELF,
    P_SHARE,
    P_SHARE_JOINT,
    P_SUMS,
    P_SYNC,
    P_TEMP,
    P_THREADS,
    P_TOUCH,
    P_TOUCHES,
    P_TURNED,
    P_TURNING,
    P_UPDATE,
    P_WANTED,
    P_WHERE,
    P_WHERES,
    P_WORST,
    SHARE,
)
from ..model import Context, Model
from ..model.kkt import analyse_matrix
from ..model.layout import Layout
from .partition import Partition
from .rates import Scope

__all__ = ["Plan"]


class Plan(Uncopyable):
    """Lists of bodies, joints and nodes by component, and the shares of the threads."""

    def __init__(self, context: Context, parts: Partition, threads: int, scope: Scope) -> None:
        self.model = model = context.model
        self.parts = parts
        self.scope = scope
        self.table = np.zeros(P_LENGTH, dtype=np.int64)
        self.seen: list[np.ndarray] = []  #: what the masses seen by loose joints depend on
        self._kept: list[np.ndarray] = []  # arrays whose addresses stand in the table
        self._lists(model, parts)
        self._inside(context, parts)
        self._shares(model, parts, threads)
        nc, nv = model.nc, model.nv
        arrays = {}
        for slot, length in (
            (P_NUMBER, 16),
            (P_KEPT, model.nq + nv + nc),
            (P_GAPS, LINE * threads),
            (P_RESPONSE, len(self.rhs)),
            (P_WANTED, nc),
            (P_CHANGE, nv),
            (P_LEAVE, nc),
            (P_MORE, nc),
            (P_MOVED, nv),
            (P_BASE, nc),
            (P_PHI_T, nc),
            (P_RATE, int(model.layout.count[slots.N_RAMP])),
            (P_ROW, nc),
            (P_DIRECTION, nc),
            (P_ANSWER, nc),
            (P_WORST, nc),
            (P_POWER, 2 * int(model.layout.count[slots.N_WORK])),
            (P_LEFT, len(model.joint_rows)),
            (P_KINETIC, len(model.body_rows)),
            (P_SUMS, 2 * len(model.body_rows)),
            (P_SCALE, nc),
            (P_LIGHTNESS, nc),
        ):
            arrays[slot] = self.array(slot, np.zeros(max(length, 1)))
        self.number, self.worst, self.scale = arrays[P_NUMBER], arrays[P_WORST], arrays[P_SCALE]
        self.array(P_SYNC, np.zeros(2 * LINE, dtype=np.int64))
        self.account = self.array(P_ACCOUNT, np.zeros(8, dtype=np.int64))
        self.array(P_GROUP, parts.together)
        self._levels(scope)
        self.address = self.table[P_SELF] = address_of(self.table)

    def _levels(self, scope: Scope) -> None:
        """What is of this level only, and what is advanced by the one above."""
        model, a = self.model, self.model.arrays
        self.table[P_LEVEL] = scope.level
        own_rows, own_forces = np.flatnonzero(np.repeat(scope.own_joints, np.diff(a["joint_c"]))), np.flatnonzero(scope.own_forces)
        self.table[P_N_ROWS], self.table[P_N_FORCES] = len(own_rows), len(own_forces)
        self.array(P_ROWS, own_rows)
        self.array(P_FORCES, own_forces)
        self.array(P_HELD, scope.held.astype(np.int64))
        self.array(P_EXTERNAL, np.zeros(max(model.nv, 1)))
        self.array(P_PART, np.zeros(max(model.nv, 1)))
        own_loose = np.flatnonzero(~self.parts.inside & scope.own_joints)
        self.table[P_N_OWN_LOOSE] = len(own_loose)
        self.array(P_OWN_LOOSE, own_loose)
        self.array(P_LOSS, np.zeros(len(scope.own_joints)))

    def make_implicit(self, bodies: list[int]) -> None:
        """Let these bodies see their own stiffness as mass."""
        a, together = self.model.arrays, np.ones(len(self.model.body_rows), dtype=np.int64)
        for f in range(int(self.model.layout.count[slots.N_FORCE])):
            on = np.unique(a["elem_body"][a["force_e"][f] : a["force_e"][f + 1]])
            on = on[a["body_nv"][on] > 0]
            together[on] = np.maximum(together[on], len(on))
        self.table[P_N_IMPLICIT] = len(bodies)
        self.array(P_IS_IMPLICIT, np.isin(np.arange(len(together)), bodies).astype(np.int64))
        self.array(P_IMPLICIT, np.array([(b, together[b]) for b in bodies], dtype=np.int64).reshape(-1))
        self._lone[self.parts.component[bodies]] = -1

    def _find_lone(self) -> None:
        """Components of one body and nothing else, of which the inverse of the mass is all there is to know."""
        a, n = self.model.arrays, int(self.table[P_N_COMPONENT])
        self._lone = self.array(P_LONE, np.full(n, -1, dtype=np.int64))
        inverse = self.array(P_INVERSE_MASS, np.zeros(len(a["mass"])))
        for nv in np.unique(a["body_nv"][a["body_nv"] > 0]).tolist():
            mine = np.flatnonzero(a["body_nv"] == nv)
            places = a["body_m"][mine][:, None] + np.arange(nv * nv)
            inverse[places] = self._inverses(mine, a["mass"][places].reshape(-1, nv, nv)).reshape(-1, nv * nv)
        alone = np.flatnonzero((np.diff(self.body_starts) == 1) & (np.diff(self.joint_starts) == 0))
        bodies = self.bodies[self.body_starts[alone]]
        fits = np.isin(a["body_nv"][bodies], (3, 6))  # what `pieces.solve` has by heart
        self._lone[alone[fits]] = bodies[fits]

    def _inverses(self, bodies: np.ndarray, masses: np.ndarray) -> np.ndarray:
        """Of the mass matrices (n, nv, nv) of bodies of one kind."""
        try:
            return np.linalg.inv(masses)
        except np.linalg.LinAlgError:
            ranks = np.linalg.matrix_rank(masses, hermitian=True)
            name = self.model.body_rows.records[int(bodies[np.argmin(ranks)])].name
            raise DescriptionError(
                f"Body '{name}': its mass matrix cannot be inverted, because masses and inertias are too far apart for the arithmetic. "
                "Give it more mass or inertia, or other coordinates."
            ) from None

    def array(self, slot: int, values: np.ndarray) -> np.ndarray:
        """Put an array into the plan; it is returned as kernels see it."""
        values = np.ascontiguousarray(values if values.size else np.zeros(1, dtype=values.dtype))
        self._kept.append(values)
        self.table[slot] = address_of(values)
        return values

    # -- lists

    def _lists(self, model: Model, parts: Partition) -> None:
        a, count = model.arrays, model.layout.count
        nb, nj = int(count[slots.N_BODY]), int(count[slots.N_JOINT])
        scope = self.scope
        moving = np.flatnonzero(parts.component >= 0)
        n = int(parts.component.max(initial=-1)) + 1
        self.table[P_N_COMPONENT] = n
        self.body_starts, self.bodies = self._by(P_BODIES, P_BODY, parts.component[moving], moving, n)
        inside, loose = np.flatnonzero(parts.inside), np.flatnonzero(~parts.inside & scope.joints)
        self.inside, self.loose = inside, loose
        self.table[P_N_INSIDE], self.table[P_N_LOOSE] = len(inside), len(loose)
        jb_start, jb_body = a["jb_start"], a["jb_body"]
        of_joint = np.full(nj, -1, dtype=np.int64)  # component a joint is inside of
        held = np.diff(jb_start) > 0
        of_joint[held] = parts.component[jb_body[jb_start[:-1][held]]]
        own = of_joint[inside]
        self.joint_starts, self.joints = self._by(P_JOINTS, P_JOINT, own[own >= 0], np.flatnonzero(own >= 0), n)
        self._find_lone()
        self.array(P_INSIDE_JOINT, inside)
        self.array(P_LOOSE, loose)
        self.array(P_IS_LOOSE, (~parts.inside).astype(np.int64))
        joint_of = np.repeat(np.arange(nj), np.diff(jb_start))
        for starts_slot, slot, wanted in (
            (P_BLOCKS, P_BLOCK, ~parts.inside & scope.joints),
            (P_OWN_BLOCKS, P_OWN_BLOCK, scope.own_joints),
        ):
            blocks = np.flatnonzero(wanted[joint_of]) if nj else np.zeros(0, dtype=np.int64)
            starts, order = _grouped(jb_body[blocks], blocks, nb)
            self.array(starts_slot, starts)
            self.array(slot, np.column_stack([order, joint_of[order]]).reshape(-1) if len(order) else order)
        self.array(P_OF_BODY, parts.component)
        self.array(P_TURNING, np.array([_turning(record.item.kind) for record in model.body_rows.records], dtype=np.int64))
        first, last = (int(a["force_e"][0]), int(a["force_e"][-1])) if count[slots.N_FORCE] else (0, 0)
        force_of = np.repeat(np.arange(int(count[slots.N_FORCE])), np.diff(a["force_e"])) if last > first else np.zeros(0, dtype=np.int64)
        for starts_slot, slot, wanted in (
            (P_ELEMENTS, P_ELEMENT, scope.forces),
            (P_OWN_ELEMENTS, P_OWN_ELEMENT, scope.own_forces),
        ):
            elements = np.arange(first, last)[wanted[force_of]] if last > first else np.zeros(0, dtype=np.int64)
            self._by(starts_slot, slot, a["elem_body"][elements], elements, nb)

    def _by(self, starts_slot: int, slot: int, key: np.ndarray, values: np.ndarray, n: int) -> tuple[np.ndarray, np.ndarray]:
        starts, entries = _grouped(key, values, n)
        return self.array(starts_slot, starts), self.array(slot, entries)

    # -- what is solved inside components

    def _inside(self, context: Context, parts: Partition) -> None:
        """A context whose matrix knows the inside joints only, numbered without the others; all else is shared."""
        model, a = self.model, self.model.arrays
        inside = self.inside
        count = context.count.copy()
        nc = np.diff(a["joint_c"])[inside]
        blocks = [np.arange(a["jb_start"][j], a["jb_start"][j + 1]) for j in inside.tolist()]
        flat = np.concatenate(blocks) if blocks else np.zeros(0, dtype=np.int64)
        fields = {
            slots.JOINT_C: _starts(nc),
            slots.JB_START: _starts(np.array([len(b) for b in blocks], dtype=np.int64)),
            slots.JB_BODY: a["jb_body"][flat],
            slots.JB_OFFSET: np.append(a["jb_offset"][flat], 0),
        }
        count[slots.N_JOINT], count[slots.N_C], count[slots.N_BLOCK] = len(inside), nc.sum(), len(flat)
        addresses = context.addresses.copy()
        for slot, values in fields.items():
            self._put(addresses, slot, values)
        self._put(addresses, slots.COUNT, count)
        layout = model.layout
        matrix = analyse_matrix(Layout(count, layout.carving, layout.structure, layout.parameters, addresses))
        count[slots.N_NODE : slots.N_COUPLING + 1] = matrix.sizes
        self._matrix = matrix
        for slot, address in zip(_MATRIX_SLOTS, matrix.addresses.tolist()):
            addresses[slot] = address
        self._put(addresses, slots.MASS, a["mass"].copy())
        self.mu = self._put(addresses, slots.MU, np.zeros(int(nc.sum())))
        self._put(addresses, slots.LU, np.zeros(int(count[slots.N_LU])))
        self.rhs = self._put(addresses, slots.RHS, np.zeros(model.nv + int(nc.sum())))
        #: rows of the inside joints in the model's numbering
        self.rows = np.flatnonzero(np.repeat(parts.inside, np.diff(a["joint_c"])))
        self._nodes(parts, matrix.fields, count)
        self._kept.append(addresses)
        self.table[P_INSIDE], self.table[P_N_TEMP] = address_of(addresses), (-(-int(count[slots.N_LU_TEMP]) // LINE) + 1) * LINE

    def _put(self, addresses: np.ndarray, slot: int, values: np.ndarray) -> np.ndarray:
        values = np.ascontiguousarray(values if values.size else np.zeros(1, dtype=values.dtype))
        self._kept.append(values)
        addresses[slot] = address_of(values)
        return values

    def _nodes(self, parts: Partition, fields: Mapping[str, np.ndarray], count: np.ndarray) -> None:
        """Nodes of the matrix by component, in the order of elimination, and where the updates of each begin."""
        n, a = int(count[slots.N_NODE]), self.model.arrays
        row = fields["node_row"][:n]
        of_row = np.full(int(row[-1] + fields["node_size"][n - 1]) if n else 0, -1, dtype=np.int64)
        moving = np.flatnonzero((a["body_nv"] > 0) & self.scope.bodies)
        of_row[fields["body_row"][moving]] = parts.component[moving]
        for i, j in enumerate(self.inside.tolist()):
            if a["jb_start"][j + 1] > a["jb_start"][j]:
                of_row[fields["joint_row"][i]] = parts.component[a["jb_body"][a["jb_start"][j]]]
        key = of_row[row]
        nodes = np.flatnonzero(key >= 0)
        self._by(P_NODES, P_NODE, key[nodes], nodes, int(self.table[P_N_COMPONENT]))
        m = np.diff(fields["col_start"][: n + 1])
        self.array(P_UPDATE, _starts(m * (m + 1) // 2))

    def see(self) -> None:
        """Lists by which loose joints find the rows that act on the same component: for the criterion of stability."""
        a, n, nj = self.model.arrays, int(self.table[P_N_COMPONENT]), len(self.model.joint_rows)
        jb_start, rows = a["jb_start"], np.diff(a["joint_c"])
        component_of, jb_body = self.parts.component, a["jb_body"]
        pairs = sorted({(int(component_of[b]), j) for j in self.loose.tolist() for b in jb_body[jb_start[j] : jb_start[j + 1]]})
        component, joint = (np.array(x, dtype=np.int64) for x in (zip(*pairs) if pairs else ((), ())))
        self._by(P_TOUCHES, P_TOUCH, component, joint, n)
        sizes = np.bincount(component, rows[joint], n).astype(np.int64) if len(pairs) else np.zeros(n, dtype=np.int64)
        locals_ = self.array(P_LOCALS, _starts(sizes * sizes))
        local = self.array(P_LOCAL, np.zeros(max(int(locals_[-1]), 1)))
        held_by = np.repeat(np.arange(n), np.diff(self.joint_starts))  # the component of each joint inside one
        holding = np.bincount(held_by, rows[self.inside[self.joints[: len(held_by)]]], n).astype(np.int64)
        self.array(P_HOLD, np.zeros(int(self.array(P_HOLDS, _starts(sizes * holding))[-1])))
        before = np.cumsum(rows[joint]) - rows[joint] - (np.cumsum(sizes) - sizes)[component] if len(pairs) else component
        places = np.column_stack([component, before, sizes[component]]) if len(pairs) else np.zeros((0, 3), dtype=np.int64)
        order = np.argsort(joint, kind="stable")
        self.array(P_WHERES, np.searchsorted(joint[order], np.arange(nj + 1)).astype(np.int64))
        self.array(P_WHERE, places[order].reshape(-1))
        blocks = self.array(P_INVERSES, _starts(rows * rows))
        inverse = self.array(P_INVERSE, np.zeros(int(blocks[-1])))
        self.array(P_SCRATCH, np.zeros(64 * int(self.table[P_THREADS])))  # 8 × 8 for each thread
        self.array(P_TURNED, np.zeros(nj, dtype=np.int64))
        self.array(P_AFRESH, np.zeros(n, dtype=np.int64))
        jac = self.array(P_JAC, np.zeros(max(self.model.length("jac"), 1)))
        self.coupling = self.array(P_COUPLING, np.ones(nj))
        most = self.array(P_MOST, np.zeros(max(self.model.nc, 1)))
        self.seen = [local, inverse, jac, self.coupling, self.array(P_ALLOWED, np.zeros(nj)), most]

    # -- shares

    def _shares(self, model: Model, parts: Partition, threads: int) -> None:
        """Whole components to each thread, about as many velocities to each; joints and forces in the order of their tables."""
        self.table[P_THREADS] = threads
        table = np.zeros((threads, SHARE), dtype=np.int64)
        program: list[int] = []
        joints: list[np.ndarray] = []
        n_joints, groups, none = 0, model.joint_rows.groups, np.zeros(0, dtype=np.int64)
        n = int(self.table[P_N_COMPONENT])
        nv = model.arrays["body_nv"]
        weight = np.bincount(parts.component[parts.component >= 0], nv[parts.component >= 0], n) if n else np.zeros(0)
        ends = np.searchsorted(np.cumsum(weight), np.arange(1, threads + 1) / threads * weight.sum() * (1 - 1e-12)) + 1
        ends[-1] = n
        first = 0
        for t in range(threads):
            last = max(int(min(ends[t], n)), first)
            mine = (parts.component >= first) & (parts.component < last)
            for at, rows in enumerate(self._programs(mine, t, threads)):
                table[t, 2 * at] = len(program) // 3
                program += rows
                table[t, 2 * at + 1] = len(program) // 3
            own = np.concatenate([np.arange(f + (k - f) * t // threads, f + (k - f) * (t + 1) // threads) for f, k in groups] or [none])
            own = own[self.scope.joints[own]]
            joints.append(own)
            table[t, J_FIRST], table[t, J_LAST] = n_joints, n_joints + len(own)
            n_joints += len(own)
            table[t, C_FIRST], table[t, C_LAST] = first, last
            first = last
        self.array(P_SHARE, table)
        self.array(P_PROGRAM, np.array(program, dtype=np.int64))
        self.array(P_SHARE_JOINT, np.concatenate(joints))
        self.array(P_TEMP, np.zeros(threads * max(int(self.table[P_N_TEMP]), 1)))

    def _programs(self, mine: np.ndarray, t: int, threads: int) -> Iterator[list[int]]:
        """Of one share: what moves bodies and elements; joints; forces; retraction. One share alone does everything in the first."""
        a, model, scope = self.model.arrays, self.model, self.scope
        if threads == 1 and scope.level == 0:
            yield a["program"].tolist()
            yield []
            yield a["forces"].tolist()
            yield a["retract"].tolist()
            yield []
            return
        moving: list[int] = []
        retracting: list[int] = []
        if t == 0 and len(a["signal_kind"]):
            moving += (functions.evaluate_signals.address, 0, len(a["signal_kind"]))
        of_body = a["elem_body"][a["elem_order"]]
        on_mine = mine[of_body] | (of_body == 0) if t == 0 else mine[of_body]  # the first share looks at the ground, too
        on_mine &= self._acting()[a["elem_order"]]
        begin = 0
        looking: list[int] = []
        for first, last in model.body_rows.groups:
            kind = model.body_rows.records[first].item.kind
            end = begin + int(((of_body >= first) & (of_body < last)).sum())
            looking += _runs(kind.elements.address, on_mine, begin, end)
            begin = end
            if kind.nv > 0:
                moving += _runs(kind.motion.address, mine, first, last)
                retracting += _runs(kind.retract.address, mine, first, last)
        yield moving + looking
        joints, forces = model.joint_rows, model.force_rows
        if scope.level > 0:
            yield [x for f, n in joints.groups for x in _runs(joints.records[f].item.kernel.address, scope.joints, f, n)]
            yield [x for f, n in forces.groups for x in _runs(forces.records[f].item.kind.kernel.address, scope.forces, f, n)]
            yield retracting
            commits = [(forces.records[f].item.kind.commit, f, n) for f, n in forces.groups]
            yield [x for commit, f, n in commits if commit is not None for x in _runs(commit.address, scope.forces, f, n)]
            return
        yield [x for f, n in joints.groups for x in _share_of(joints.records[f].item.kernel.address, f, n, t, threads)]
        yield [x for f, n in forces.groups for x in _share_of(forces.records[f].item.kind.kernel.address, f, n, t, threads)]
        yield retracting
        yield []

    def _acting(self) -> np.ndarray:
        """(ne,) bool: elements of the joints and forces in the scope; at the first level all, also those that are only looked at."""
        a, scope = self.model.arrays, self.scope
        if scope.level == 0:
            return np.ones(len(a["elem_body"]), dtype=bool)
        acting = np.concatenate([np.repeat(scope.joints, np.diff(a["joint_e"])), np.repeat(scope.forces, np.diff(a["force_e"]))])
        return np.append(acting, np.zeros(len(a["elem_body"]) - len(acting), dtype=bool))


_MATRIX_SLOTS = MATRIX.slots.tolist()


def _turning(kind: BodyKind) -> int:
    """First of three angular velocities among the velocities of a body; −1 if it has none."""
    angular = kind.angular
    return -1 if angular is None or angular.stop - angular.start != 3 else angular.start


def _starts(lengths: np.ndarray) -> np.ndarray:
    return np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)


def _grouped(key: np.ndarray, values: np.ndarray, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Values by key: starts (n + 1), and the values in order."""
    order = np.argsort(key, kind="stable")
    return np.searchsorted(key[order], np.arange(n + 1)).astype(np.int64), values[order].astype(np.int64)


def _runs(address: int, mine: np.ndarray, first: int, last: int) -> list[int]:
    """Rows (address, first, last) of a program for the longest runs of what is mine between first and last."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], mine[first:last], [False]]).astype(np.int8)))
    return [x for a, b in zip(edges[::2].tolist(), edges[1::2].tolist()) for x in (address, first + a, first + b)]


def _share_of(address: int, first: int, last: int, t: int, threads: int) -> list[int]:
    """The t-th of so many about equal parts of a row of a program."""
    n = last - first
    a, b = first + n * t // threads, first + n * (t + 1) // threads
    return [address, a, b] if b > a else []
