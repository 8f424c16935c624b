"""Between links and the bodies of a model: joint coordinates from coordinates of bodies, whatever these are, and back."""

import math

from ..kernels.lazy import entry, helper, once
from ..kernels.motions import CYLINDRICAL, FOLLOWING, FREE, HELICAL, PLANAR, PRISMATIC, REVOLUTE, SPHERICAL, UNIVERSAL
from ..kernels.pointers import at, clear, copy
from ..kernels.program import run
from ..kernels.rotations import matrix_to_quaternion, nearest_angle
from .followers import accelerate_followers
from .links import cross, product


@helper
def _frame(t, i):
    """Of the body of link i."""
    return at(t.bodies.frame, 24 * t.body_row[i])


@helper
def _centre(t, i):
    """From the origin of link i, which is placed, to its centre of mass; in world axes."""
    R, given, body = at(t.r, 9 * i), at(t.inertia, 10 * i), at(t.body_pose, 12 * i)
    if given[0] > 0.0:
        a, b, c = given[1] / given[0], given[2] / given[0], given[3] / given[0]
    else:  # without mass: the origin of the body
        a, b, c = body[9], body[10], body[11]
    return R[0] * a + R[1] * b + R[2] * c, R[3] * a + R[4] * b + R[5] * c, R[6] * a + R[7] * b + R[8] * c


@entry
def settle(t, unused, unused_too):
    """Coordinates and velocities of the bodies, from links that are placed and move."""
    for i in range(t.count.link):
        frame, x, vel = _frame(t, i), at(t.pos, 3 * i), at(t.vel, 6 * i)
        product(at(t.r, 9 * i), at(t.body_pose, 12 * i), frame)
        r0, r1, r2 = _centre(t, i)
        u0, u1, u2 = cross(vel[0], vel[1], vel[2], r0, r1, r2)
        frame[9], frame[10], frame[11] = x[0] + r0, x[1] + r1, x[2] + r2
        frame[12], frame[13], frame[14] = vel[0], vel[1], vel[2]
        frame[15], frame[16], frame[17] = vel[3] + u0, vel[4] + u1, vel[5] + u2
    run(t.bodies, t.settle, t.count.settle)


@entry
def follow(t, unused, unused_too):
    """Accelerations of the bodies, from those of links; frames of the bodies are up to date."""
    g = t.gravity
    accelerate_followers(t)
    for i in range(t.count.link):
        frame, vel, acc = _frame(t, i), at(t.vel, 6 * i), at(t.acc, 6 * i)
        r0, r1, r2 = _centre(t, i)
        u0, u1, u2 = cross(vel[0], vel[1], vel[2], r0, r1, r2)
        w0, w1, w2 = cross(vel[0], vel[1], vel[2], u0, u1, u2)
        b0, b1, b2 = cross(acc[0], acc[1], acc[2], r0, r1, r2)
        frame[18], frame[19], frame[20] = acc[0], acc[1], acc[2]
        frame[21], frame[22], frame[23] = acc[3] + g[0] + b0 + w0, acc[4] + g[1] + b1 + w1, acc[5] + g[2] + b2 + w2
    run(t.bodies, t.follow, t.count.follow)


@entry
def observe(t, unused, unused_too):
    """Joint coordinates and velocities, from those of the bodies. What joints do not allow is dropped.

    It depends on nothing but the bodies. So angles are between −π and π, but those of a screw, whose advance tells the turns.
    """
    run(t.bodies, t.observe, t.count.observe)
    for i in range(t.count.link):
        _locate(t, i)
        _read(t, i)


@helper
def _locate(t, i):
    """Rotation, position and velocity of link i, from the frame of its body."""
    frame, body, R = _frame(t, i), at(t.body_pose, 12 * i), at(t.r, 9 * i)
    for k in range(3):
        for m in range(3):
            R[3 * k + m] = frame[3 * k] * body[3 * m] + frame[3 * k + 1] * body[3 * m + 1] + frame[3 * k + 2] * body[3 * m + 2]
    x, vel = at(t.pos, 3 * i), at(t.vel, 6 * i)
    r0, r1, r2 = _centre(t, i)
    u0, u1, u2 = cross(frame[12], frame[13], frame[14], r0, r1, r2)
    x[0], x[1], x[2] = frame[9] - r0, frame[10] - r1, frame[11] - r2
    vel[0], vel[1], vel[2] = frame[12], frame[13], frame[14]
    vel[3], vel[4], vel[5] = frame[15] - u0, frame[16] - u1, frame[17] - u2


@once
def _read(t, i):
    """Coordinates and velocities of the joint of link i, which is located like its parent."""
    parent, motion, where = t.parent[i], t.motion[i], at(t.place, 12 * i)
    q, v = at(t.q, t.q0[i]), at(t.v, t.v0[i])
    R, x, vel = at(t.r, 9 * i), at(t.pos, 3 * i), at(t.vel, 6 * i)
    P = at(t.articulated, 36 * i)  # not needed yet
    if parent < 0:
        copy(9, where, P)
        d0, d1, d2 = x[0] - where[9], x[1] - where[10], x[2] - where[11]
        w0, w1, w2, u0, u1, u2 = vel[0], vel[1], vel[2], vel[3], vel[4], vel[5]
    else:
        Q, o, p = at(t.r, 9 * parent), at(t.pos, 3 * parent), at(t.vel, 6 * parent)
        product(Q, where, P)
        a0 = Q[0] * where[9] + Q[1] * where[10] + Q[2] * where[11]
        a1 = Q[3] * where[9] + Q[4] * where[10] + Q[5] * where[11]
        a2 = Q[6] * where[9] + Q[7] * where[10] + Q[8] * where[11]
        d0, d1, d2 = x[0] - o[0] - a0, x[1] - o[1] - a1, x[2] - o[2] - a2
        c0, c1, c2 = cross(p[0], p[1], p[2], x[0] - o[0], x[1] - o[1], x[2] - o[2])
        w0, w1, w2 = vel[0] - p[0], vel[1] - p[1], vel[2] - p[2]
        u0, u1, u2 = vel[3] - p[3] - c0, vel[4] - p[4] - c1, vel[5] - p[5] - c2
    z0, z1, z2 = P[2], P[5], P[8]
    spin, slide, advance = z0 * w0 + z1 * w1 + z2 * w2, z0 * u0 + z1 * u1 + z2 * u2, z0 * d0 + z1 * d1 + z2 * d2
    # the angle by which the child's x axis has turned about z
    side = P[1] * R[0] + P[4] * R[3] + P[7] * R[6]
    ahead = P[0] * R[0] + P[3] * R[3] + P[6] * R[6]
    angle = math.atan2(side, ahead)
    if motion == REVOLUTE:
        q[0], v[0] = angle, spin
    elif motion == PRISMATIC:
        q[0], v[0] = advance, slide
    elif motion == HELICAL:
        q[0], v[0] = nearest_angle(angle, advance / t.lead[i]), spin
    elif motion == CYLINDRICAL:
        q[0], v[0], q[1], v[1] = angle, spin, advance, slide
    elif motion == UNIVERSAL:
        _read_universal(P, R, at(t.between, 9 * i), q)
        v[0], v[1] = spin, R[2] * w0 + R[5] * w1 + R[8] * w2
    elif motion == PLANAR:
        q[0], q[1], q[2] = P[0] * d0 + P[3] * d1 + P[6] * d2, P[1] * d0 + P[4] * d1 + P[7] * d2, angle
        v[0], v[1], v[2] = P[0] * u0 + P[3] * u1 + P[6] * u2, P[1] * u0 + P[4] * u1 + P[7] * u2, spin
    elif motion == FOLLOWING:
        t.offset[i] = angle - t.lead[i] * t.q[t.q0[t.leader[i]]]
    elif motion in (SPHERICAL, FREE):
        turned, first = at(P, 9), 0 if motion == SPHERICAL else 3
        for k in range(3):
            for m in range(3):
                turned[3 * k + m] = P[k] * R[m] + P[3 + k] * R[3 + m] + P[6 + k] * R[6 + m]
        clear(4, at(q, first))
        matrix_to_quaternion(turned, q, first)
        for k in range(3):
            v[first + k] = R[k] * w0 + R[3 + k] * w1 + R[6 + k] * w2
        if motion == FREE:
            for k in range(3):
                q[k] = P[k] * d0 + P[3 + k] * d1 + P[6 + k] * d2
                v[k] = R[k] * u0 + R[3 + k] * u1 + R[6 + k] * u2


@helper
def _read_universal(P, R, B, q):
    """PᵀR = Rz(θ₁) B Rz(θ₂): θ₁ from the second axis, B e_z when θ₁ = 0; θ₂ from x, once θ₁ is undone."""
    r0 = P[0] * R[2] + P[3] * R[5] + P[6] * R[8]
    r1 = P[1] * R[2] + P[4] * R[5] + P[7] * R[8]
    q[0] = math.atan2(B[2] * r1 - B[5] * r0, B[2] * r0 + B[5] * r1)
    c, s = math.cos(q[0]), math.sin(q[0])
    x0 = P[0] * R[0] + P[3] * R[3] + P[6] * R[6]
    x1 = P[1] * R[0] + P[4] * R[3] + P[7] * R[6]
    x2 = P[2] * R[0] + P[5] * R[3] + P[8] * R[6]
    y0, y1 = c * x0 + s * x1, c * x1 - s * x0
    q[1] = math.atan2(B[1] * y0 + B[4] * y1 + B[7] * x2, B[0] * y0 + B[3] * y1 + B[6] * x2)
