"""Composite rigid body algorithm: the mass matrix (Featherstone 2008, 6.2)."""

from ..kernels.lazy import entry, helper, once
from ..kernels.pointers import at, clear
from ..kernels.tree import (
    T_MASS,
)  # fmt: skip
from .arguments import ALIGNED, WRITEABLE
from .efforts import bind_rest, bind_state, dot, effort
from .links import begin_placing, cross, place, weigh


@entry
def crba(t, unused, arguments):
    """The mass matrix M(q), by composite bodies. Arguments: q, M."""
    n = t.count.v
    if bind_state(t, arguments, 1) and bind_rest(t, arguments, 1, T_MASS, n, n, ALIGNED | WRITEABLE):
        fill_mass(t)


@entry
def crba_sparse(t, unused, unused_too):
    """Entries of M(q) in T_MASS that need not be zero, of the lower triangle, one after the other.

    From the last link to the first, and for each of its velocities first the diagonal, then those it hangs on, from it to the root.
    """
    nv, v0, before, columns = t.nv, t.v0, t.before, t.u
    width, found, place = t.count.v, t.mass, 0
    _place_all(t)
    for i in range(t.count.link - 1, -1, -1):
        for k in range(nv[i]):
            row = v0[i] + k
            diagonal, f0, f1, f2, f3, f4, f5 = _effort_about_root(t, i, k)
            found[place] = diagonal + t.armature[row]
            place += 1
            j = before[row]
            while j >= 0:
                found[place] = f0 * columns[j] + f1 * columns[width + j] + f2 * columns[2 * width + j]
                found[place] += f3 * columns[3 * width + j] + f4 * columns[4 * width + j] + f5 * columns[5 * width + j]
                place += 1
                j = before[j]
        _hand_up(t, i)


@once
def fill_mass(t):
    """M(q) in T_MASS, both triangles."""
    nv, v0, before = t.nv, t.v0, t.before
    width, mass, columns = t.count.v, t.mass, t.u
    c0, c1, c2 = columns, at(columns, width), at(columns, 2 * width)
    c3, c4, c5 = at(columns, 3 * width), at(columns, 4 * width), at(columns, 5 * width)
    _place_all(t)
    clear(width * width, mass)
    for i in range(t.count.link - 1, -1, -1):
        for k in range(nv[i]):
            row = v0[i] + k
            diagonal, f0, f1, f2, f3, f4, f5 = _effort_about_root(t, i, k)
            mass[row * width + row] = diagonal + t.armature[row]
            found, last = at(mass, row * width), before[row]
            while last >= 0:
                first = last
                while first > 0 and before[first] == first - 1:  # velocities that follow each other are several to an instruction
                    first -= 1
                for j in range(first, last + 1):
                    found[j] = f0 * c0[j] + f1 * c1[j] + f2 * c2[j] + f3 * c3[j] + f4 * c4[j] + f5 * c5[j]
                last = before[first]
        _hand_up(t, i)
    for row in range(1, width):
        for j in range(row):
            mass[j * width + row] = mass[row * width + j]


@helper
def _place_all(t):
    """Links where q says, with what they weigh; what each velocity moves, in T_U, a row for each of the six components.

    Motions and efforts that meet are referred to one point, the origin of the first link of their tree: so there is nothing to be shifted
    on the way from a velocity to those it hangs on.
    """
    nv, v0, width, columns = t.nv, t.v0, t.count.v, t.u
    c0, c1, c2 = columns, at(columns, width), at(columns, 2 * width)
    c3, c4, c5 = at(columns, 3 * width), at(columns, 4 * width), at(columns, 5 * width)
    begin_placing(t)
    for i in range(t.count.link):
        place(t, i)
        weigh(t, i)
        S, x, o = at(t.s, 36 * i), at(t.pos, 3 * i), at(t.pos, 3 * t.root[i])
        for k in range(nv[i]):
            s, c = at(S, 6 * k), v0[i] + k
            y0, y1, y2 = cross(x[0] - o[0], x[1] - o[1], x[2] - o[2], s[0], s[1], s[2])
            c0[c], c1[c], c2[c], c3[c], c4[c], c5[c] = s[0], s[1], s[2], s[3] + y0, s[4] + y1, s[5] + y2


@helper
def _effort_about_root(t, i, k):
    """What velocity k of link i asks of the composite body: sᵀIs, and the six components of Is about the origin of the tree."""
    B, s, f = at(t.body, 10 * i), at(t.s, 36 * i + 6 * k), at(t.effort, 6 * i)
    x, o = at(t.pos, 3 * i), at(t.pos, 3 * t.root[i])
    clear(6, f)
    effort(B, s, f)
    diagonal, f0, f1, f2, f3, f4, f5 = dot(s, f), f[0], f[1], f[2], f[3], f[4], f[5]
    y0, y1, y2 = cross(x[0] - o[0], x[1] - o[1], x[2] - o[2], f3, f4, f5)
    return diagonal, f0 + y0, f1 + y1, f2 + y2, f3, f4, f5


@helper
def _hand_up(t, i):
    """Link i, with all that hangs on it, becomes part of what it hangs on."""
    parent = t.parent[i]
    if parent >= 0:
        compose(at(t.body, 10 * i), at(t.arm, 3 * i), at(t.body, 10 * parent))


@once
def compose(B, r, out):
    """Add a body B, whose origin is at r, to another: J' = J − r̃ h̃ − h̃ r̃ − m r̃ r̃."""
    m, rh, rr = B[0], r[0] * B[1] + r[1] * B[2] + r[2] * B[3], r[0] * r[0] + r[1] * r[1] + r[2] * r[2]
    out[0] += m
    n = 4
    for i in range(3):
        for k in range(i, 3):
            same = 2.0 * rh + m * rr if i == k else 0.0
            out[n] += B[n] + same - r[i] * B[1 + k] - B[1 + i] * r[k] - m * r[i] * r[k]
            n += 1
        out[1 + i] += B[1 + i] + m * r[i]
