"""Ways: the links that efforts of joints that close loops come by, on their way to the roots; elements that loops and forces need."""

from ..kernels.lazy import entry, helper
from ..kernels.pointers import at
from ..kernels.tree import (
    T_OBJECT,
)  # fmt: skip
from .loops import ENTRY, LOOP


@entry
def find_ways(t, seen, fill):
    """Links on the ways of each loop to the roots, deepest first: how many entries there are, with how many equations and answers
    (N_ENTRY, N_ROW, N_ANSWER), or, to ``fill``, the entries. Of loops the joint is known. The joints in a loop are those of the links up to
    where the ways of its two bodies meet, and the one that closes it.

    seen: address of an integer for each link.
    """
    ctx, count = t.bodies, t.count
    joint_e, joint_c, body, link = ctx.joint_e, ctx.joint_c, ctx.elem_body, t.link
    loops, entries, parent, nv = t.loop, t.entry, t.parent, t.nv
    t[T_OBJECT] = seen
    entry_of = t.object
    for i in range(count.link):
        entry_of[i] = -1
    made, element, equation, row, answer = 0, 0, 0, 0, 0
    for k in range(count.loop):
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
                t.element[element] = entry_of[i] if i >= 0 else -1
                element += 1
            loop[3], loop[4] = first, made
        else:
            element += joint_e[j + 1] - joint_e[j]
    count.entry, count.equation, count.row, count.answer, count.element = made, equation, row, answer, element


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
    """Elements in the order of the kinds of their bodies, of each kind those first that loops (t.loop), forces and watches need.

    plan: address of the bodies first … last of each of the n kinds, for each how many elements it has and how many of these are
    needed, then the elements, then room for as many integers.
    """
    ctx = t.bodies
    joint_e, body, order = ctx.joint_e, ctx.elem_body, ctx.elem_order
    total = ctx.count.elem
    t[T_OBJECT] = plan
    kinds = t.object
    out = at(kinds, 4 * n)
    needed = at(out, total)
    for e in range(total):
        needed[e] = 1 if e >= joint_e[ctx.count.joint] else 0
    for k in range(t.count.loop):
        j = t.loop[LOOP * k]
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
