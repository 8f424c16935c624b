"""Places: where every body, element, joint and force begins in the arrays kernels share, found from the tables in a few passes.

A running simulation is laid out anew at every change of its topology. The same in NumPy is many dozens of small operations, which at a
hundred bodies take ten times as long.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

import numpy as np

from ..kernels import slots
from ..kernels.lazy import entry, once
from ..kernels.memory import Uncopyable, address_of
from ..kernels.pointers import at, context_at, copy, ints
from .rows import Column, Rows, Shape, column_of

__all__ = ["BODIES", "CARRIERS", "FORCES", "JOINTS", "WATCHES", "Tables"]

_ELEMENTS = {"elem_point": Column("ne", int), "elem_p": Column("ne", float, 4), "elem_body": Column("ne", int)}
_SIGNALS = {name: Column("ns", int) for name in ("signal_kind", "signal_n", "signal_size")} | {"signal_param": Column("nsp", float)}

HANGING = 35  #: numbers of how a body hangs: see :func:`bielle.model.records.joint_record`

#: bodies: coordinates, velocities, cached numbers, parameters, entries of the mass block, 1 but for the ground
BODIES = Shape(
    ("nq", "nv", "nk", "np", "nm", "ni"),
    {"param": Column("np", float), "mass": Column("nm", float), "inertia": Column("ni", float, 10)},
)
#: joints: elements, parameters, signals and their numbers, equations, Jacobian blocks, 1 if bodies can hang on them
JOINTS = Shape(
    ("ne", "np", "ns", "nsp", "nc", "nb", "nh"),
    _ELEMENTS
    | {"param": Column("np", float)}
    | _SIGNALS
    | {"level": Column("nc", int), "elem_local": Column("ne", int), "block_body": Column("nb", int)}
    | {"hanging": Column("nh", float, HANGING)},
)
#: forces: elements, parameters, signals and their numbers, memory
FORCES = Shape(("ne", "np", "ns", "nsp", "nmem"), _ELEMENTS | {"param": Column("np", float)} | _SIGNALS)
#: watches: elements, and numbers of which every watch has equally many
WATCHES = Shape(("ne", "one"), _ELEMENTS | {"watch_k": Column("one", int, 3), "watch_p": Column("one", float, 2)})
#: elements that belong to no component: those that closings carry along, those a probe looks at
CARRIERS = Shape(("ne",), _ELEMENTS)

_SHAPES = (BODIES, JOINTS, FORCES, WATCHES, CARRIERS)
_BODIES, _JOINTS, _FORCES, _WATCHES, _CARRIERS = range(5)

# counts and columns that kernels look at, by their numbers: alike in all tables that have them
_NV, _NPARAM = BODIES.counts.index("nv"), BODIES.counts.index("np")
_NE, _NP, _NS, _NSP, _NC, _NB = range(6)
_ELEM_BODY, _SIGNAL_SIZE, _ELEM_LOCAL, _BLOCK_BODY = (
    list(JOINTS.columns).index(name) for name in ("elem_body", "signal_size", "elem_local", "block_body")
)


def _totals(*rows: tuple[int, str, int]) -> np.ndarray:
    """(table, what it counts, count that the total is added to)"""
    return np.array([(table, _SHAPES[table].counts.index(name), n) for table, name, n in rows])


def _copies(columns: Sequence[tuple[int, str, int]], starts: Sequence[tuple[int, str, int, int]] = ()) -> np.ndarray:
    """(table, column, −1, field) or (table, what is counted, 1: with the total, field); what goes to one field is put in a row."""
    out = [(table, list(_SHAPES[table].columns).index(name), -1, slot) for table, name, slot in columns]
    return np.array(out + [(table, _SHAPES[table].counts.index(name), total, slot) for table, name, total, slot in starts])


_TOTALS = _totals(
    (_BODIES, "nq", slots.N_Q),
    (_BODIES, "nv", slots.N_V),
    (_BODIES, "nk", slots.N_CACHE),
    (_BODIES, "nm", slots.N_MASS),
    (_BODIES, "np", slots.N_PARAM),
    *((table, name, slots.N_PARAM) for table in (_JOINTS, _FORCES) for name in ("np", "nsp")),
    *((table, "ns", slots.N_SIGNAL) for table in (_JOINTS, _FORCES)),
    (_FORCES, "nmem", slots.N_MEMORY),
    (_JOINTS, "nc", slots.N_C),
    (_JOINTS, "nb", slots.N_BLOCK),
    *((table, "ne", slots.N_ELEM) for table in (_JOINTS, _FORCES, _WATCHES, _CARRIERS)),
)
_STRUCTURE = _copies(
    [
        *((table, "elem_body", slots.ELEM_BODY) for table in (_JOINTS, _FORCES, _WATCHES, _CARRIERS)),
        *((table, "elem_point", slots.ELEM_POINT) for table in (_JOINTS, _FORCES, _WATCHES, _CARRIERS)),
        (_JOINTS, "block_body", slots.JB_BODY),
    ],
    [
        (_BODIES, "nq", 0, slots.BODY_Q),
        (_BODIES, "nv", 0, slots.BODY_V),
        (_BODIES, "nk", 0, slots.BODY_W),
        (_BODIES, "np", 0, slots.BODY_P),
        (_BODIES, "nm", 0, slots.BODY_M),
        (_JOINTS, "ne", 1, slots.JOINT_E),
        (_JOINTS, "nc", 1, slots.JOINT_C),
        (_JOINTS, "nb", 1, slots.JB_START),
        (_JOINTS, "ns", 0, slots.JOINT_S),
        (_JOINTS, "nh", 1, slots.JOINT_H),
        (_FORCES, "nmem", 0, slots.FORCE_M),
    ],
)
_NUMBERS = _copies(
    [
        *((table, "param", slots.PARAM) for table in (_BODIES, _JOINTS, _FORCES)),
        *((table, "signal_param", slots.PARAM) for table in (_JOINTS, _FORCES)),
        *((table, "elem_p", slots.ELEM_P) for table in (_JOINTS, _FORCES, _WATCHES, _CARRIERS)),
        *((table, "signal_kind", slots.SIGNAL_KIND) for table in (_JOINTS, _FORCES)),
        *((table, "signal_n", slots.SIGNAL_N) for table in (_JOINTS, _FORCES)),
        (_JOINTS, "level", slots.LEVEL),
        (_WATCHES, "watch_k", slots.WATCH_K),
        (_WATCHES, "watch_p", slots.WATCH_P),
    ]
)

_OUT, _KINDS, _STEPS, _PLAN, _ROWS, _TABLES, _PLANS = 0, 1, 2, 3, 4, 5, 10  # what kernels are called with


class Tables(Uncopyable):
    """The tables of a model, as kernels read them."""

    def __init__(self, bodies: Rows, joints: Rows, forces: Rows, watches: Rows, carriers: Rows) -> None:
        self._tables = tables = (bodies, joints, forces, watches, carriers)  # kernels know their addresses: they must not go before
        self._rows = [len(t) for t in tables]
        self._row_numbers = np.array(self._rows)
        firsts = [first for first, _ in bodies.groups]
        self._kinds = np.array([len(firsts), *firsts, len(bodies)] + [0] * (len(firsts) + 1))
        addresses = [0, address_of(self._kinds), 0, 0, address_of(self._row_numbers), *(t.address for t in tables)]
        self._ctx = np.array(addresses + [t.shape.plan_address for t in tables])

    def measure(self, count: np.ndarray) -> list[int]:
        """Counts, as far as structure and parameters need them; and where, in elem_order, elements on the next kind of body begin."""
        count[slots.N_BODY], count[slots.N_JOINT], count[slots.N_FORCE], count[slots.N_WATCH], _ = self._rows
        self._ctx[_OUT], self._ctx[_PLAN] = address_of(count), address_of(_TOTALS)
        _measure(address_of(self._ctx), len(_TOTALS))
        return list(accumulate(self._kinds[2 + int(self._kinds[0]) :].tolist()))

    def fill_places(self, addresses: np.ndarray, steps: np.ndarray) -> None:
        """Fill the fields of structure, and complete the counts; steps are the programs, one after the other."""
        self._ctx[_OUT], self._ctx[_STEPS], self._ctx[_PLAN] = address_of(addresses), address_of(steps), address_of(_STRUCTURE)
        _copy_columns(address_of(self._ctx), len(_STRUCTURE))
        _fill_places(address_of(self._ctx))

    def fill_numbers(self, addresses: np.ndarray) -> None:
        """Fill the parameters, but the rows that watches look at."""
        self._ctx[_OUT], self._ctx[_PLAN] = address_of(addresses), address_of(_NUMBERS)
        _copy_columns(address_of(self._ctx), len(_NUMBERS))


@once
def _starts(args, table, k):
    """Where the rows of a table start in what is counted."""
    return at(ints(args, _TABLES + table), k * (ints(args, _ROWS)[table] + 1))


@once
def _total(args, table, k):
    """Of what is counted, over all rows of a table."""
    return _starts(args, table, k)[ints(args, _ROWS)[table]]


@once
def _column(args, table, k):
    """Of a table."""
    return column_of(ints(args, _TABLES + table), ints(args, _ROWS)[table], ints(args, _PLANS + table), k)


@entry
def _measure(args, n_totals, unused):
    """Sizes of the tables, and how many elements are on bodies of each kind."""
    count, kinds, plan = ints(args, _OUT), ints(args, _KINDS), ints(args, _PLAN)
    for k in range(n_totals):
        count[plan[3 * k + 2]] += _total(args, plan[3 * k], plan[3 * k + 1])
    count[slots.N_X] = count[slots.N_DIM] * count[slots.N_ELEM]
    kind_first, found = at(kinds, 1), at(kinds, 2 + kinds[0])
    for table in range(_JOINTS, _CARRIERS + 1):
        elem_body = _column(args, table, _ELEM_BODY)
        for e in range(_total(args, table, _NE)):
            kind = 0
            while kind_first[kind + 1] <= elem_body[e]:
                kind += 1
            found[kind + 1] += 1


@entry
def _copy_columns(args, n, unused):
    """What stands in the tables as it stands in the fields, bits whatever they mean; see :func:`_copies`."""
    out, plan = ints(args, _OUT), ints(args, _PLAN)
    place, last = 0, -1
    for k in range(n):
        table, which, total, slot = plan[4 * k], plan[4 * k + 1], plan[4 * k + 2], plan[4 * k + 3]
        shape = ints(args, _PLANS + table)
        if total < 0:
            source = _column(args, table, which)
            stored = shape[2 + 2 * shape[1] + which]
            length = shape[3 + 2 * stored] * _total(args, table, shape[2 + 2 * stored])
        else:
            source, length = _starts(args, table, which), ints(args, _ROWS)[table] + total
        place = place if slot == last else 0
        copy(length, source, at(ints(out, slot), place))
        place += length
        last = slot


@entry
def _fill_places(args, unused, unused_too):
    """Running sums of sizes, and the counts they end with; elements sorted by the kind of their body, in order; the programs."""
    out, kinds = context_at(args[_OUT]), ints(args, _KINDS)
    count = out.count
    nj, nf, dim = count.joint, count.force, count.dim
    body_v, body_nv = _starts(args, _BODIES, _NV), out.body_nv
    for b in range(count.body):
        body_nv[b] = body_v[b + 1] - body_v[b]

    elem_body, elem_j, ne = out.elem_body, out.elem_j, count.elem
    elem_block, elem_order = out.elem_block, out.elem_order
    entries = 0
    for e in range(ne):
        elem_j[e] = entries
        entries += dim * body_nv[elem_body[e]]
        elem_block[e] = -1
    count.x_jac = entries
    place = 0
    for kind in range(kinds[0]):  # few kinds: a pass over the elements for each keeps their order
        for e in range(ne):
            if kinds[1 + kind] <= elem_body[e] < kinds[2 + kind]:
                elem_order[place] = e
                place += 1

    joint_e, joint_c, joint_g, joint_p = (
        out.joint_e,
        out.joint_c,
        out.joint_g,
        out.joint_p,
    )
    jb_start, jb_body, jb_offset = out.jb_start, out.jb_body, out.jb_offset
    local = _column(args, _JOINTS, _ELEM_LOCAL)
    own_p, parameter = _starts(args, _JOINTS, _NP), _total(args, _BODIES, _NPARAM)
    gradient, jacobian = 0, 0
    for j in range(nj):
        equations = joint_c[j + 1] - joint_c[j]
        joint_g[j] = gradient
        gradient += equations * dim * (joint_e[j + 1] - joint_e[j])
        joint_p[j] = parameter + own_p[j]
        for k in range(jb_start[j], jb_start[j + 1]):
            jb_offset[k] = jacobian
            jacobian += equations * body_nv[jb_body[k]]
        for e in range(joint_e[j], joint_e[j + 1]):
            if local[e] >= 0:
                elem_block[e] = jb_offset[jb_start[j] + local[e]]
    jb_offset[jb_start[nj]] = jacobian
    count.g, count.jac = gradient, jacobian
    parameter += own_p[nj]

    force_e, force_p, force_s, force_k = (
        out.force_e,
        out.force_p,
        out.force_s,
        out.force_k,
    )
    own_e, own_p, own_s = _starts(args, _FORCES, _NE), _starts(args, _FORCES, _NP), _starts(args, _FORCES, _NS)
    first_signal, tangent = _total(args, _JOINTS, _NS), 0
    for f in range(nf):
        force_e[f] = joint_e[nj] + own_e[f]
        force_p[f] = parameter + own_p[f]
        force_s[f] = first_signal + own_s[f]
        force_k[f] = tangent
        width = dim * (own_e[f + 1] - own_e[f])
        tangent += width * width
    force_e[nf] = joint_e[nj] + own_e[nf]
    count.tangent = tangent
    parameter += own_p[nf]

    signal_p = out.signal_p
    signal = 0
    for table in range(_JOINTS, _FORCES + 1):
        sizes = _column(args, table, _SIGNAL_SIZE)
        for s in range(_total(args, table, _NS)):
            signal_p[signal] = parameter
            parameter += sizes[s]
            signal += 1

    watch_e, own_e = out.watch_e, _starts(args, _WATCHES, _NE)
    for w in range(count.watch + 1):
        watch_e[w] = force_e[nf] + own_e[w]
    if count.watch > 0:
        state = count.q + 3 * count.v + 3 * count.c + count.work + count.memory
        count.backup = 4 + state

    step = 0
    for k in range(slots.COMMIT - slots.PROGRAM + 1):  # counts of their rows are in the same order
        n = 3 * count[slots.N_PROGRAM + k]
        copy(n, at(ints(args, _STEPS), step), ints(out, slots.PROGRAM + k))
        step += n
