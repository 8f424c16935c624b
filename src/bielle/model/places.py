"""Places: where every body, element, joint and force begins in the arrays kernels share, found from the tables in one pass.

A running simulation is laid out anew at every change of its topology. The same in NumPy is many dozens of small operations, which at a
hundred bodies take ten times as long.
"""

from __future__ import annotations

from itertools import accumulate

import numpy as np

from ..kernels import slots
from ..kernels.lazy import entry, helper
from ..kernels.memory import address_of
from ..kernels.pointers import at, ints
from .rows import Column, Rows, Shape, column_of

__all__ = ["BODIES", "CARRIERS", "FORCES", "JOINTS", "WATCHES", "Tables"]

# The columns of the tables, in the order in which kernels number them: they all have elements, joints and forces the next ones.
_ELEMENTS = {"elem_point": Column("ne", int), "elem_p": Column("ne", float, 4), "elem_body": Column("ne", int)}
_SIGNALS = {name: Column("ns", int) for name in ("signal_kind", "signal_n", "signal_size")} | {"signal_param": Column("nsp", float)}
ELEM_POINT, ELEM_P, ELEM_BODY, PARAM, SIGNAL_KIND, SIGNAL_N, SIGNAL_SIZE, SIGNAL_PARAM, LEVEL, ELEM_LOCAL, BLOCK_BODY = range(11)
B_PARAMETERS = 0
WATCH_K, WATCH_P = range(3, 5)

#: bodies: coordinates, velocities, cached numbers, parameters, entries of the mass block
BODIES = Shape(("nq", "nv", "nk", "np", "nm"), {"param": Column("np", float), "mass": Column("nm", float)})
B_Q, B_V, B_CACHE, B_PARAM, B_MASS = range(5)
#: joints: elements, parameters, signals and their numbers, equations, Jacobian blocks
JOINTS = Shape(
    ("ne", "np", "ns", "nsp", "nc", "nb"),
    _ELEMENTS
    | {"param": Column("np", float)}
    | _SIGNALS
    | {"level": Column("nc", int), "elem_local": Column("ne", int), "block_body": Column("nb", int)},
)
#: forces: elements, parameters, signals and their numbers, memory
FORCES = Shape(("ne", "np", "ns", "nsp", "nmem"), _ELEMENTS | {"param": Column("np", float)} | _SIGNALS)
C_ELEM, C_PARAM, C_SIGNAL, C_SIGNAL_PARAM, J_EQUATION, J_BLOCK = range(6)  # of joints, and as far as they have them of forces
F_MEMORY = 4
#: watches: elements, and numbers of which every watch has equally many
WATCHES = Shape(("ne", "one"), _ELEMENTS | {"watch_k": Column("one", int, 3), "watch_p": Column("one", float, 2)})
#: elements that belong to no component: those that closings carry along, those a probe looks at
CARRIERS = Shape(("ne",), _ELEMENTS)

_OUT, _KINDS, _STEPS, _ROWS, _TABLES, _PLANS = 0, 1, 2, 3, 4, 9  # what kernels are called with
_BODIES, _JOINTS, _FORCES, _WATCHES, _CARRIERS = range(5)


class Tables:
    """The tables of a model, as kernels read them."""

    def __init__(self, bodies: Rows, joints: Rows, forces: Rows, watches: Rows, carriers: Rows) -> None:
        tables = (bodies, joints, forces, watches, carriers)
        self._rows = [len(t) for t in tables]
        self._row_numbers = np.array(self._rows)
        firsts = [first for first, _ in bodies.groups]
        self._kinds = np.array([len(firsts), *firsts, len(bodies)] + [0] * (len(firsts) + 1))
        addresses = [0, address_of(self._kinds), 0, address_of(self._row_numbers), *(t.address for t in tables)]
        self._ctx = np.array(addresses + [t.shape.plan_address for t in tables])

    def measure(self, count: np.ndarray) -> list[int]:
        """Complete the counts; and where, in elem_order, elements on the next kind of body begin."""
        count[slots.N_BODY], count[slots.N_JOINT], count[slots.N_FORCE], count[slots.N_WATCH], _ = self._rows
        self._ctx[_OUT] = address_of(count)
        _measure(address_of(self._ctx))
        return list(accumulate(self._kinds[2 + int(self._kinds[0]) :].tolist()))

    def fill_places(self, addresses: np.ndarray, steps: np.ndarray) -> None:
        """Fill the fields of structure; steps are the programs, one after the other."""
        self._ctx[_OUT], self._ctx[_STEPS] = address_of(addresses), address_of(steps)
        _fill_places(address_of(self._ctx))

    def fill_numbers(self, addresses: np.ndarray) -> None:
        """Fill the parameters, but the rows that watches look at."""
        self._ctx[_OUT] = address_of(addresses)
        _fill_numbers(address_of(self._ctx))


@helper
def _starts(ctx, table, k):
    """Where the rows of a table start in what is counted."""
    return at(ints(ctx, _TABLES + table), k * (ints(ctx, _ROWS)[table] + 1))


@helper
def _total(ctx, table, k):
    """Of what is counted, over all rows of a table."""
    return _starts(ctx, table, k)[ints(ctx, _ROWS)[table]]


@helper
def _column(ctx, table, k):
    """Of a table."""
    return column_of(ints(ctx, _TABLES + table), ints(ctx, _ROWS)[table], ints(ctx, _PLANS + table), k)


@entry
def _measure(ctx, unused, unused_too):
    """Sizes of everything that depends on the tables, and how many elements are on bodies of each kind."""
    count, kinds = ints(ctx, _OUT), ints(ctx, _KINDS)
    dim, n_kind = count[slots.N_DIM], kinds[0]
    kind_first, found = at(kinds, 1), at(kinds, 2 + n_kind)
    count[slots.N_Q] = _total(ctx, _BODIES, B_Q)
    count[slots.N_V] = _total(ctx, _BODIES, B_V)
    count[slots.N_CACHE] = _total(ctx, _BODIES, B_CACHE)
    count[slots.N_MASS] = _total(ctx, _BODIES, B_MASS)
    count[slots.N_PARAM] = _total(ctx, _BODIES, B_PARAM)
    for table in (_JOINTS, _FORCES):
        count[slots.N_PARAM] += _total(ctx, table, C_PARAM) + _total(ctx, table, C_SIGNAL_PARAM)
        count[slots.N_SIGNAL] += _total(ctx, table, C_SIGNAL)
    count[slots.N_MEMORY] = _total(ctx, _FORCES, F_MEMORY)
    count[slots.N_C] = _total(ctx, _JOINTS, J_EQUATION)
    count[slots.N_BLOCK] = _total(ctx, _JOINTS, J_BLOCK)

    body_v = _starts(ctx, _BODIES, B_V)
    for table in range(_JOINTS, _CARRIERS + 1):
        n = _total(ctx, table, C_ELEM)
        elem_body = _column(ctx, table, ELEM_BODY)
        for e in range(n):
            b = elem_body[e]
            count[slots.N_X_JAC] += dim * (body_v[b + 1] - body_v[b])
            kind = 0
            while kind_first[kind + 1] <= b:
                kind += 1
            found[kind + 1] += 1
        count[slots.N_ELEM] += n
    count[slots.N_X] = dim * count[slots.N_ELEM]

    joint_e, joint_c = _starts(ctx, _JOINTS, C_ELEM), _starts(ctx, _JOINTS, J_EQUATION)
    jb_start, jb_body = _starts(ctx, _JOINTS, J_BLOCK), _column(ctx, _JOINTS, BLOCK_BODY)
    for j in range(count[slots.N_JOINT]):
        equations = joint_c[j + 1] - joint_c[j]
        count[slots.N_G] += equations * dim * (joint_e[j + 1] - joint_e[j])
        for k in range(jb_start[j], jb_start[j + 1]):
            count[slots.N_JAC] += equations * (body_v[jb_body[k] + 1] - body_v[jb_body[k]])
    force_e = _starts(ctx, _FORCES, C_ELEM)
    for f in range(count[slots.N_FORCE]):
        width = dim * (force_e[f + 1] - force_e[f])
        count[slots.N_TANGENT] += width * width
    if count[slots.N_WATCH] > 0:
        state = count[slots.N_Q] + 3 * count[slots.N_V] + 2 * count[slots.N_C] + count[slots.N_WORK] + count[slots.N_MEMORY]
        count[slots.N_BACKUP] = 4 + state


@helper
def _copy(n, source, target):
    for i in range(n):
        target[i] = source[i]


@entry
def _fill_places(ctx, unused, unused_too):
    """Running sums of sizes; elements sorted by the kind of their body, in order; the programs."""
    out, kinds = ints(ctx, _OUT), ints(ctx, _KINDS)
    count = ints(out, slots.COUNT)
    nb, nj, nf, dim = count[slots.N_BODY], count[slots.N_JOINT], count[slots.N_FORCE], count[slots.N_DIM]
    _copy(nb, _starts(ctx, _BODIES, B_Q), ints(out, slots.BODY_Q))
    _copy(nb, _starts(ctx, _BODIES, B_V), ints(out, slots.BODY_V))
    _copy(nb, _starts(ctx, _BODIES, B_CACHE), ints(out, slots.BODY_W))
    _copy(nb, _starts(ctx, _BODIES, B_PARAM), ints(out, slots.BODY_P))
    _copy(nb, _starts(ctx, _BODIES, B_MASS), ints(out, slots.BODY_M))
    body_v, body_nv = _starts(ctx, _BODIES, B_V), ints(out, slots.BODY_NV)
    for b in range(nb):
        body_nv[b] = body_v[b + 1] - body_v[b]

    elem_body, elem_point, elem_j = ints(out, slots.ELEM_BODY), ints(out, slots.ELEM_POINT), ints(out, slots.ELEM_J)
    elem_block, elem_order = ints(out, slots.ELEM_BLOCK), ints(out, slots.ELEM_ORDER)
    first = 0
    for table in range(_JOINTS, _CARRIERS + 1):
        n = _total(ctx, table, C_ELEM)
        _copy(n, _column(ctx, table, ELEM_BODY), at(elem_body, first))
        _copy(n, _column(ctx, table, ELEM_POINT), at(elem_point, first))
        first += n
    entries = 0
    for e in range(first):
        elem_j[e] = entries
        entries += dim * body_nv[elem_body[e]]
        elem_block[e] = -1
    place = 0
    for kind in range(kinds[0]):  # few kinds: a pass over the elements for each keeps their order
        for e in range(first):
            if kinds[1 + kind] <= elem_body[e] < kinds[2 + kind]:
                elem_order[place] = e
                place += 1

    joint_e, joint_c, joint_g = ints(out, slots.JOINT_E), ints(out, slots.JOINT_C), ints(out, slots.JOINT_G)
    joint_p, joint_s = ints(out, slots.JOINT_P), ints(out, slots.JOINT_S)
    jb_start, jb_body, jb_offset = ints(out, slots.JB_START), ints(out, slots.JB_BODY), ints(out, slots.JB_OFFSET)
    _copy(nj + 1, _starts(ctx, _JOINTS, C_ELEM), joint_e)
    _copy(nj + 1, _starts(ctx, _JOINTS, J_EQUATION), joint_c)
    _copy(nj, _starts(ctx, _JOINTS, C_SIGNAL), joint_s)
    _copy(nj + 1, _starts(ctx, _JOINTS, J_BLOCK), jb_start)
    _copy(count[slots.N_BLOCK], _column(ctx, _JOINTS, BLOCK_BODY), jb_body)
    local = _column(ctx, _JOINTS, ELEM_LOCAL)
    own_p, parameter = _starts(ctx, _JOINTS, C_PARAM), _total(ctx, _BODIES, B_PARAM)
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
    parameter += own_p[nj]

    force_e, force_p, force_s = ints(out, slots.FORCE_E), ints(out, slots.FORCE_P), ints(out, slots.FORCE_S)
    force_m, force_k = ints(out, slots.FORCE_M), ints(out, slots.FORCE_K)
    own_e, own_p = _starts(ctx, _FORCES, C_ELEM), _starts(ctx, _FORCES, C_PARAM)
    own_s, joint_signals = _starts(ctx, _FORCES, C_SIGNAL), _total(ctx, _JOINTS, C_SIGNAL)
    _copy(nf, _starts(ctx, _FORCES, F_MEMORY), force_m)
    tangent = 0
    for f in range(nf):
        force_e[f] = joint_e[nj] + own_e[f]
        force_p[f] = parameter + own_p[f]
        force_s[f] = joint_signals + own_s[f]
        force_k[f] = tangent
        width = dim * (own_e[f + 1] - own_e[f])
        tangent += width * width
    force_e[nf] = joint_e[nj] + own_e[nf]
    parameter += own_p[nf]

    signal_p = ints(out, slots.SIGNAL_P)
    signal = 0
    for table in (_JOINTS, _FORCES):
        sizes = _column(ctx, table, SIGNAL_SIZE)
        for s in range(_total(ctx, table, C_SIGNAL)):
            signal_p[signal] = parameter
            parameter += sizes[s]
            signal += 1

    watch_e, own_e = ints(out, slots.WATCH_E), _starts(ctx, _WATCHES, C_ELEM)
    for w in range(count[slots.N_WATCH] + 1):
        watch_e[w] = force_e[nf] + own_e[w]

    step = 0
    for k in range(slots.COMMIT - slots.PROGRAM + 1):  # counts of their rows are in the same order
        n = 3 * count[slots.N_PROGRAM + k]
        _copy(n, at(ints(ctx, _STEPS), step), ints(out, slots.PROGRAM + k))
        step += n


@entry
def _fill_numbers(ctx, unused, unused_too):
    """Parameters of bodies, joints, forces, and of their signals; elements; signals; levels; watches. Bits, whatever they mean."""
    out = ints(ctx, _OUT)
    count = ints(out, slots.COUNT)
    _copy(count[slots.N_C], _column(ctx, _JOINTS, LEVEL), ints(out, slots.LEVEL))
    _copy(3 * count[slots.N_WATCH], _column(ctx, _WATCHES, WATCH_K), ints(out, slots.WATCH_K))
    _copy(2 * count[slots.N_WATCH], _column(ctx, _WATCHES, WATCH_P), ints(out, slots.WATCH_P))
    param, place = ints(out, slots.PARAM), _total(ctx, _BODIES, B_PARAM)
    _copy(place, _column(ctx, _BODIES, B_PARAMETERS), param)
    for table in (_JOINTS, _FORCES):
        n = _total(ctx, table, C_PARAM)
        _copy(n, _column(ctx, table, PARAM), at(param, place))
        place += n
    signal = 0
    for table in (_JOINTS, _FORCES):
        n = _total(ctx, table, C_SIGNAL_PARAM)
        _copy(n, _column(ctx, table, SIGNAL_PARAM), at(param, place))
        place += n
        n = _total(ctx, table, C_SIGNAL)
        _copy(n, _column(ctx, table, SIGNAL_KIND), at(ints(out, slots.SIGNAL_KIND), signal))
        _copy(n, _column(ctx, table, SIGNAL_N), at(ints(out, slots.SIGNAL_N), signal))
        signal += n
    element = 0
    for table in range(_JOINTS, _CARRIERS + 1):
        n = _total(ctx, table, C_ELEM)
        _copy(4 * n, _column(ctx, table, ELEM_P), at(ints(out, slots.ELEM_P), 4 * element))
        element += n
