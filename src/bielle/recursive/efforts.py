"""Efforts and accelerations of links; what the recursive algorithms share.

Every link has its origin on the joint it hangs on, but all vectors are in world axes: from one link to the next they are shifted by the arm
r, never turned. Velocities and accelerations are those of the material point at the origin, (ω, v) and (α, a):

    ω = ω_p + S_ω q̇                v = v_p + ω_p × r + S_v q̇
    α = α_p + S_ω q̈ + b_ω          a = a_p + α_p × r + S_v q̈ + b_v
    b_ω = ω_p × S_ω q̇ + …          b_v = ω_p × (ω_p × r) + 2 ω_p × S_v q̇ + …

where … is what a motion adds because its axes turn with the child. A body with mass m, centre c and inertia J about the origin needs

    n = J α + m c × a + ω × J ω        f = m (a + α × c + ω × (ω × c))

Gravity is an acceleration −g of the ground. Algorithms: Featherstone 2008, chapters 5 to 7.
"""

from ..kernels.lazy import helper, once
from ..kernels.pointers import at, clear, copy
from ..kernels.tree import (
    LOADED,
    PUSHED,
    T_Q,
    T_V,
)  # fmt: skip
from .arguments import ALIGNED, bind
from .links import cross


@helper
def begin_effort(t, i, how, f):
    """f = less what acts on link i from outside, about its origin: given as (force, torque) about the origin of the body frame."""
    if how & LOADED:
        given = at(t.force, 6 * i)
        for c in range(6):
            f[c] = -given[c]
    elif how & PUSHED:
        given, R, body = at(t.external, 6 * i), at(t.r, 9 * i), at(t.body_pose, 12 * i)
        r0 = R[0] * body[9] + R[1] * body[10] + R[2] * body[11]
        r1 = R[3] * body[9] + R[4] * body[10] + R[5] * body[11]
        r2 = R[6] * body[9] + R[7] * body[10] + R[8] * body[11]
        n0, n1, n2 = cross(r0, r1, r2, given[0], given[1], given[2])
        f[0], f[1], f[2], f[3], f[4], f[5] = -n0 - given[3], -n1 - given[4], -n2 - given[5], -given[0], -given[1], -given[2]
    else:
        clear(6, f)


@helper
def effort(B, a, out):
    """out += (J α + h × a, m a + α × h) for a body B = (m, h, J)."""
    m, h0, h1, h2 = B[0], B[1], B[2], B[3]
    x0, x1, x2 = cross(h0, h1, h2, a[3], a[4], a[5])
    y0, y1, y2 = cross(a[0], a[1], a[2], h0, h1, h2)
    out[0] += B[4] * a[0] + B[5] * a[1] + B[6] * a[2] + x0
    out[1] += B[5] * a[0] + B[7] * a[1] + B[8] * a[2] + x1
    out[2] += B[6] * a[0] + B[8] * a[1] + B[9] * a[2] + x2
    out[3] += m * a[3] + y0
    out[4] += m * a[4] + y1
    out[5] += m * a[5] + y2


@once
def turning(B, w, out):
    """out += (ω × J ω, ω × (ω × h))."""
    j0 = B[4] * w[0] + B[5] * w[1] + B[6] * w[2]
    j1 = B[5] * w[0] + B[7] * w[1] + B[8] * w[2]
    j2 = B[6] * w[0] + B[8] * w[1] + B[9] * w[2]
    n0, n1, n2 = cross(w[0], w[1], w[2], j0, j1, j2)
    h0, h1, h2 = cross(w[0], w[1], w[2], B[1], B[2], B[3])
    f0, f1, f2 = cross(w[0], w[1], w[2], h0, h1, h2)
    out[0] += n0
    out[1] += n1
    out[2] += n2
    out[3] += f0
    out[4] += f1
    out[5] += f2


@helper
def hand_up(t, i, effort):
    """The effort of link i, about its origin, acts on its parent, too."""
    parent = t.parent[i]
    if parent >= 0:
        arm, out = at(t.arm, 3 * i), at(t.effort, 6 * parent)
        x0, x1, x2 = cross(arm[0], arm[1], arm[2], effort[3], effort[4], effort[5])
        out[0] += effort[0] + x0
        out[1] += effort[1] + x1
        out[2] += effort[2] + x2
        out[3] += effort[3]
        out[4] += effort[4]
        out[5] += effort[5]


@helper
def accelerate(t, i):
    """Acceleration of link i without q̈: that of its parent, and the bias."""
    parent, arm, acc = t.parent[i], at(t.arm, 3 * i), at(t.acc, 6 * i)
    copy(6, at(t.bias, 6 * i), acc)
    if parent < 0:
        g = t.gravity
        for k in range(3):
            acc[3 + k] -= g[k]
        return
    p = at(t.acc, 6 * parent)
    x0, x1, x2 = cross(p[0], p[1], p[2], arm[0], arm[1], arm[2])
    acc[0] += p[0]
    acc[1] += p[1]
    acc[2] += p[2]
    acc[3] += p[3] + x0
    acc[4] += p[4] + x1
    acc[5] += p[5] + x2


@helper
def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] + a[4] * b[4] + a[5] * b[5]


@once
def bind_rest(t, arguments, k, slot, rows, columns, flags):
    """Another argument."""
    if arguments != 0 and bind(t, arguments, k, slot, rows, columns, flags) == 0:
        t.count.refused = 1
        return False
    return True


@once
def bind_state(t, arguments, state):
    """q, and v if ``state`` is 2. Whether they are as they should be; so they are if they are at hand (no ``arguments``)."""
    count = t.count
    count.refused = 0
    return bind_rest(t, arguments, 0, T_Q, count.q, 0, ALIGNED) and (state == 1 or bind_rest(t, arguments, 1, T_V, count.v, 0, ALIGNED))
