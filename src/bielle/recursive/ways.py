"""Ways: the links that efforts of joints that close loops come by, on their way to the roots."""

from ..kernels import slots
from ..kernels.lazy import entry, helper
from ..kernels.pointers import ints
from .loops import ENTRY, LOOP
from .table import N_ENTRY, N_LOOP, T_BODIES, T_COUNT, T_ELEMENT, T_ENTRY, T_LINK, T_LOOP, T_OBJECT, T_PARENT


@entry
def find_ways(t, seen, fill):
    """Links on the ways of each loop to the roots, deepest first; their number (N_ENTRY), or, to ``fill``, their entries.

    seen: address of an integer for each link, −1.
    """
    ctx = ints(t, T_BODIES)
    joint_e, body, link, parent = ints(ctx, slots.JOINT_E), ints(ctx, slots.ELEM_BODY), ints(t, T_LINK), ints(t, T_PARENT)
    loops, entries = ints(t, T_LOOP), ints(t, T_ENTRY)
    t[T_OBJECT] = seen
    entry_of = ints(t, T_OBJECT)
    made, element = 0, 0
    for k in range(ints(t, T_COUNT)[N_LOOP]):
        j, first = loops[LOOP * k], made
        for e in range(joint_e[j], joint_e[j + 1]):
            i = link[body[e]]
            while i >= 0 and entry_of[i] < first:
                entry_of[i] = made
                if fill == 1:
                    entries[ENTRY * made], entries[ENTRY * made + 1] = i, k
                made += 1
                i = parent[i]
        if fill == 1:
            _sort(entries, first, made)
            for n in range(first, made):
                entry_of[entries[ENTRY * n]] = n
            for n in range(first, made):
                p = parent[entries[ENTRY * n]]
                entries[ENTRY * n + 4] = entry_of[p] if p >= 0 else -1
            for e in range(joint_e[j], joint_e[j + 1]):
                i = link[body[e]]
                ints(t, T_ELEMENT)[element] = entry_of[i] if i >= 0 else -1
                element += 1
            loops[LOOP * k + 3], loops[LOOP * k + 4] = first, made
    ints(t, T_COUNT)[N_ENTRY] = made


@helper
def _sort(entries, first, last):
    """Entries first … last by falling links. They come in few runs that fall already."""
    for n in range(first + 1, last):
        i, k, m = entries[ENTRY * n], entries[ENTRY * n + 1], n
        while m > first and entries[ENTRY * (m - 1)] < i:
            entries[ENTRY * m] = entries[ENTRY * (m - 1)]
            m -= 1
        entries[ENTRY * m] = i
        entries[ENTRY * m + 1] = k
