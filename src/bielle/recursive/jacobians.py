"""Jacobians of points of bodies."""

from ..kernels.lazy import entry
from ..kernels.pointers import at, clear
from ..kernels.tree import T_OUT
from .arguments import ALIGNED, WRITEABLE
from .efforts import bind_rest, bind_state
from .links import begin_placing, cross, place

AXES = {"world": 0, "local": 1, "world_aligned": 2}


@entry
def jacobian(t, unused, arguments):
    """J (6, nv): velocity (rows 0–2) and angular velocity (3–5) from v. Arguments: q, J.

    T_ASKED: link, axes, and a point in the body frame. ``local`` and ``world_aligned``: of that point, in the axes of the body or of the
    world; ``world``: of the point of the body that passes through the origin of the world, in its axes.
    """
    n = t.count.v
    if not (bind_state(t, arguments, 1) and bind_rest(t, arguments, 1, T_OUT, 6, n, ALIGNED | WRITEABLE)):
        return
    begin_placing(t)
    for i in range(t.count.link):
        place(t, i)
    J, asked, nv, v0 = t.out, t.asked, t.nv, t.v0
    clear(6 * n, J)
    link, axes = int(asked[0]), int(asked[1])
    R, body, o = at(t.r, 9 * link), at(t.body_pose, 12 * link), at(t.pos, 3 * link)
    x0, x1, x2 = 0.0, 0.0, 0.0
    if axes > 0:
        l0 = body[9] + body[0] * asked[2] + body[1] * asked[3] + body[2] * asked[4]
        l1 = body[10] + body[3] * asked[2] + body[4] * asked[3] + body[5] * asked[4]
        l2 = body[11] + body[6] * asked[2] + body[7] * asked[3] + body[8] * asked[4]
        x0 = o[0] + R[0] * l0 + R[1] * l1 + R[2] * l2
        x1 = o[1] + R[3] * l0 + R[4] * l1 + R[5] * l2
        x2 = o[2] + R[6] * l0 + R[7] * l1 + R[8] * l2
    i = link
    while i >= 0:
        p = at(t.pos, 3 * i)
        for k in range(nv[i]):
            S, c = at(t.s, 36 * i + 6 * k), v0[i] + k
            y0, y1, y2 = cross(S[0], S[1], S[2], x0 - p[0], x1 - p[1], x2 - p[2])
            J[c], J[n + c], J[2 * n + c] = S[3] + y0, S[4] + y1, S[5] + y2
            J[3 * n + c], J[4 * n + c], J[5 * n + c] = S[0], S[1], S[2]
        i = t.parent[i]
    if axes == 1:
        for c in range(n):
            for half in range(0, 6, 3):
                y0, y1, y2 = J[half * n + c], J[(half + 1) * n + c], J[(half + 2) * n + c]
                z0, z1, z2 = R[0] * y0 + R[3] * y1 + R[6] * y2, R[1] * y0 + R[4] * y1 + R[7] * y2, R[2] * y0 + R[5] * y1 + R[8] * y2
                J[half * n + c] = body[0] * z0 + body[3] * z1 + body[6] * z2
                J[(half + 1) * n + c] = body[1] * z0 + body[4] * z1 + body[7] * z2
                J[(half + 2) * n + c] = body[2] * z0 + body[5] * z1 + body[8] * z2
