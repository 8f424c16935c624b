"""Ways: the links that efforts of joints that close loops come by, on their way to the roots; elements that loops and forces need."""

from ..kernels import slots
from ..kernels.lazy import entry, helper
from ..kernels.pointers import at, ints
from .loops import ENTRY, LOOP
from .table import (
    N_ANSWER,
    N_ELEMENT,
    N_ENTRY,
    N_EQUATION,
    N_LINK,
    N_LOOP,
    N_ROW,
    T_BODIES,
    T_COUNT,
    T_ELEMENT,
    T_ENTRY,
    T_LINK,
    T_LOOP,
    T_NV,
    T_OBJECT,
    T_PARENT,
)  # fmt: skip


@entry
def find_ways(t, seen, fill):
    """Links on the ways of each loop to the roots, deepest first: how many entries there are, with how many equations and answers
    (N_ENTRY, N_ROW, N_ANSWER), or, to ``fill``, the entries. Of loops the joint is known. The joints in a loop are those of the links up to
    where the ways of its two bodies meet, and the one that closes it.

    seen: address of an integer for each link.
    """
    ctx, count = ints(t, T_BODIES), ints(t, T_COUNT)
    joint_e, joint_c, body, link = ints(ctx, slots.JOINT_E), ints(ctx, slots.JOINT_C), ints(ctx, slots.ELEM_BODY), ints(t, T_LINK)
    loops, entries, parent, nv = ints(t, T_LOOP), ints(t, T_ENTRY), ints(t, T_PARENT), ints(t, T_NV)
    t[T_OBJECT] = seen
    entry_of = ints(t, T_OBJECT)
    for i in range(count[N_LINK]):
        entry_of[i] = -1
    made, element, equation, row, answer = 0, 0, 0, 0, 0
    for k in range(count[N_LOOP]):
        loop, first = at(loops, LOOP * k), made
        j = loop[0]
        size = joint_c[j + 1] - joint_c[j]
        loop[1], loop[2] = equation, size
        equation += size
        meeting, met = -1, False
        for e in range(joint_e[j], joint_e[j + 1]):
            i = link[body[e]]
            while i >= 0 and entry_of[i] < first:
                entry_of[i] = made
                if fill == 1:
                    entries[ENTRY * made], entries[ENTRY * made + 1] = i, k
                else:
                    row, answer = row + size, answer + size * nv[i]
                made += 1
                i = parent[i]
            if not met and body[e] != body[joint_e[j]]:  # the first element of the second body
                meeting, met = i, True
        loop[5] = made - first + 1
        while meeting >= 0:
            loop[5] -= 1
            meeting = parent[meeting]
        if fill == 1:
            _sort(entries, first, made)
            for n in range(first, made):
                entry_of[entries[ENTRY * n]] = n
            for n in range(first, made):
                each = at(entries, ENTRY * n)
                p = parent[each[0]]
                each[2], each[3], each[4] = 6 * row, answer, entry_of[p] if p >= 0 else -1
                row, answer = row + size, answer + size * nv[each[0]]
            for e in range(joint_e[j], joint_e[j + 1]):
                i = link[body[e]]
                ints(t, T_ELEMENT)[element] = entry_of[i] if i >= 0 else -1
                element += 1
            loop[3], loop[4] = first, made
        else:
            element += joint_e[j + 1] - joint_e[j]
    count[N_ENTRY], count[N_EQUATION], count[N_ROW], count[N_ANSWER], count[N_ELEMENT] = made, equation, row, answer, element


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


@entry
def sift(t, plan, n):
    """Elements in the order of the kinds of their bodies, of each kind those first that loops (T_LOOP), forces and watches need.

    plan: address of the bodies first … last of each of the n kinds, for each how many elements it has and how many of these are
    needed, then the elements, then room for as many integers.
    """
    ctx = ints(t, T_BODIES)
    joint_e, body, order = ints(ctx, slots.JOINT_E), ints(ctx, slots.ELEM_BODY), ints(ctx, slots.ELEM_ORDER)
    total = ints(ctx, slots.COUNT)[slots.N_ELEM]
    t[T_OBJECT] = plan
    kinds = ints(t, T_OBJECT)
    out = at(kinds, 4 * n)
    needed = at(out, total)
    for e in range(total):
        needed[e] = 1 if e >= joint_e[ints(ctx, slots.COUNT)[slots.N_JOINT]] else 0
    for k in range(ints(t, T_COUNT)[N_LOOP]):
        j = ints(t, T_LOOP)[LOOP * k]
        for e in range(joint_e[j], joint_e[j + 1]):
            needed[e] = 1
    begin = 0
    for k in range(n):
        first, last, end, place = kinds[4 * k], kinds[4 * k + 1], begin, begin
        while end < total and first <= body[order[end]] < last:
            if needed[order[end]] == 1:
                out[place] = order[end]
                place += 1
            end += 1
        kinds[4 * k + 2], kinds[4 * k + 3] = end - begin, place - begin
        for e in range(begin, end):
            if needed[order[e]] == 0:
                out[place] = order[e]
                place += 1
        begin = end
