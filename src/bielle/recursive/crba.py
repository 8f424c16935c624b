"""Composite rigid body algorithm: the mass matrix (Featherstone 2008, 6.2)."""

from ..kernels.lazy import entry, once
from ..kernels.pointers import at, clear, floats, ints
from .arguments import ALIGNED, WRITEABLE
from .efforts import bind_rest, bind_state, dot, effort
from .links import cross, place, weigh
from .table import N_LINK, N_V, T_ARM, T_ARMATURE, T_BODY, T_COUNT, T_EFFORT, T_MASS, T_NV, T_PARENT, T_S, T_V0


@entry
def crba(t, unused, arguments):
    """The mass matrix M(q), by composite bodies. Arguments: q, M."""
    n = ints(t, T_COUNT)[N_V]
    if bind_state(t, arguments, 1) and bind_rest(t, arguments, 1, T_MASS, n, n, ALIGNED | WRITEABLE):
        fill_mass(t)


@once
def fill_mass(t):
    """M(q) in T_MASS, both triangles."""
    n, nv, v0, parent = ints(t, T_COUNT)[N_LINK], ints(t, T_NV), ints(t, T_V0), ints(t, T_PARENT)
    width, mass = ints(t, T_COUNT)[N_V], floats(t, T_MASS)
    for i in range(n):
        place(t, i)
        weigh(t, i)
    clear(width * width, mass)
    for i in range(n - 1, -1, -1):
        B, S = at(floats(t, T_BODY), 10 * i), at(floats(t, T_S), 36 * i)
        for k in range(nv[i]):
            f = at(floats(t, T_EFFORT), 6 * i)
            clear(6, f)
            effort(B, at(S, 6 * k), f)
            row = v0[i] + k
            for m in range(k + 1):
                mass[row * width + v0[i] + m] = dot(at(S, 6 * m), f)
                mass[(v0[i] + m) * width + row] = mass[row * width + v0[i] + m]
            mass[row * width + row] += floats(t, T_ARMATURE)[row]
            j = i
            while parent[j] >= 0:
                arm = at(floats(t, T_ARM), 3 * j)
                x0, x1, x2 = cross(arm[0], arm[1], arm[2], f[3], f[4], f[5])
                f[0] += x0
                f[1] += x1
                f[2] += x2
                j = parent[j]
                for m in range(nv[j]):
                    value = dot(at(floats(t, T_S), 36 * j + 6 * m), f)
                    mass[row * width + v0[j] + m] = value
                    mass[(v0[j] + m) * width + row] = value
        if parent[i] >= 0:
            compose(B, at(floats(t, T_ARM), 3 * i), at(floats(t, T_BODY), 10 * parent[i]))


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
