"""Sums over all links: centre of mass, momentum, energies."""

from ..kernels.lazy import entry
from ..kernels.pointers import at, clear
from ..kernels.tree import T_OUT, T_V
from .arguments import ALIGNED, WRITEABLE
from .efforts import bind_rest, bind_state, dot, effort
from .links import begin_placing, cross, move, place, weigh

MASS_CENTRE, MOMENTUM, KINETIC, POTENTIAL = range(4)


@entry
def add_up(t, what, arguments):
    """What of the whole is asked for: centre of mass (3), momentum (linear, and angular about the centre of mass), an energy (1).

    Potential energy −Σ m g·x_G is zero where the mass is at the origin of the world. Arguments: q, what is found, v.
    """
    n, moving = t.count.link, what in (MOMENTUM, KINETIC)
    size = 3 if what == MASS_CENTRE else 6 if what == MOMENTUM else 1
    if not (bind_state(t, arguments, 1) and bind_rest(t, arguments, 1, T_OUT, size, 0, ALIGNED | WRITEABLE)):
        return
    if moving and not bind_rest(t, arguments, 2, T_V, t.count.v, 0, ALIGNED):
        return
    out, g, total = t.out, t.gravity, 0.0
    clear(size, out)
    c0, c1, c2 = 0.0, 0.0, 0.0
    begin_placing(t)
    for i in range(n):
        place(t, i)
        weigh(t, i)
        B, x = at(t.body, 10 * i), at(t.pos, 3 * i)
        m = B[0]
        total, c0, c1, c2 = total + m, c0 + m * x[0] + B[1], c1 + m * x[1] + B[2], c2 + m * x[2] + B[3]
        if moving:
            move(t, i)
            vel, p = at(t.vel, 6 * i), at(t.effort, 6 * i)
            clear(6, p)
            effort(B, vel, p)  # momentum, about the origin of the link
            if what == KINETIC:
                out[0] += 0.5 * dot(vel, p)
            else:
                x0, x1, x2 = cross(x[0], x[1], x[2], p[3], p[4], p[5])
                out[0] += p[3]
                out[1] += p[4]
                out[2] += p[5]
                out[3] += p[0] + x0
                out[4] += p[1] + x1
                out[5] += p[2] + x2
    if what == MASS_CENTRE:
        out[0], out[1], out[2] = c0 / total, c1 / total, c2 / total
    elif what == POTENTIAL:
        out[0] = -(g[0] * c0 + g[1] * c1 + g[2] * c2)
    elif what == MOMENTUM:
        x0, x1, x2 = cross(c0 / total, c1 / total, c2 / total, out[0], out[1], out[2])
        out[3] -= x0
        out[4] -= x1
        out[5] -= x2
    else:
        for k in range(t.count.v):
            out[0] += 0.5 * t.armature[k] * t.v[k] * t.v[k]
