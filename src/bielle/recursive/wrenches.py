"""What joints carry, and how bodies move: efforts and velocities of links that other algorithms find on their way."""

from ..kernels.lazy import entry
from ..kernels.pointers import at
from ..kernels.tree import (
    ACCELERATED,
    T_A,
    T_OUT,
)  # fmt: skip
from .arguments import ALIGNED, WRITEABLE
from .efforts import bind_rest, bind_state, hand_up
from .jacobians import AXES
from .links import begin_placing, cross, move, place
from .rnea import need

WORLD, LOCAL = AXES["world"], AXES["local"]


@entry
def wrenches(t, how, arguments):
    """(n, 6) force and moment, in world axes, that each link is held with at its origin, which is on its joint.

    Arguments: q, v, wrenches, a.
    """
    n = t.count.link
    if not (bind_state(t, arguments, 2) and bind_rest(t, arguments, 2, T_OUT, n, 6, ALIGNED | WRITEABLE)):
        return
    if not bind_rest(t, arguments, 3, T_A, t.count.v, 0, ALIGNED):
        return
    begin_placing(t)
    for i in range(n):
        place(t, i)
        need(t, i, how | ACCELERATED)
    for i in range(n - 1, -1, -1):
        f, out = at(t.effort, 6 * i), at(t.out, 6 * i)
        out[0], out[1], out[2], out[3], out[4], out[5] = f[3], f[4], f[5], f[0], f[1], f[2]
        hand_up(t, i, f)


@entry
def twists(t, axes, arguments):
    """(n, 6) velocity and angular velocity of every body, in axes as those of :func:`bielle.recursive.jacobians.jacobian`.

    Arguments: q, v, twists.
    """
    n = t.count.link
    if not (bind_state(t, arguments, 2) and bind_rest(t, arguments, 2, T_OUT, n, 6, ALIGNED | WRITEABLE)):
        return
    begin_placing(t)
    for i in range(n):
        place(t, i)
        move(t, i)
        R, body = at(t.r, 9 * i), at(t.body_pose, 12 * i)
        vel, out = at(t.vel, 6 * i), at(t.out, 6 * i)
        if axes == WORLD:  # from the origin of the link to that of the world
            o = at(t.pos, 3 * i)
            r0, r1, r2 = -o[0], -o[1], -o[2]
        else:  # to that of the body frame
            r0 = R[0] * body[9] + R[1] * body[10] + R[2] * body[11]
            r1 = R[3] * body[9] + R[4] * body[10] + R[5] * body[11]
            r2 = R[6] * body[9] + R[7] * body[10] + R[8] * body[11]
        w0, w1, w2 = vel[0], vel[1], vel[2]
        y0, y1, y2 = cross(w0, w1, w2, r0, r1, r2)
        out[0], out[1], out[2], out[3], out[4], out[5] = vel[3] + y0, vel[4] + y1, vel[5] + y2, w0, w1, w2
        if axes == LOCAL:
            for half in range(0, 6, 3):
                y0, y1, y2 = out[half], out[half + 1], out[half + 2]
                z0, z1, z2 = R[0] * y0 + R[3] * y1 + R[6] * y2, R[1] * y0 + R[4] * y1 + R[7] * y2, R[2] * y0 + R[5] * y1 + R[8] * y2
                out[half] = body[0] * z0 + body[3] * z1 + body[6] * z2
                out[half + 1] = body[1] * z0 + body[4] * z1 + body[7] * z2
                out[half + 2] = body[2] * z0 + body[5] * z1 + body[8] * z2
