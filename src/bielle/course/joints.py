"""Equations of the course that its engine writes otherwise, to the letter: compiled runs then agree with the loop also where they are open.

The engine's own joints have g = 0 in common with these, and no more: their angles are known but for whole turns, or by their sine, and
:class:`bielle.Distance` has squares. They are not among the kinds of joints that a mechanism may have.
"""

import math

import msgspec

from ..joints import Distance, ImposedRotation
from ..joints.imposed_parts import driven
from ..joints.primitives import joint_arrays, turning
from ..kernels.lazy import entry, helper

__all__ = ["Angle", "Length", "add_angle", "add_length"]


@helper
def _angle_of(ctx, e):
    """θ of the planar body of element e, with all its turns; 0 of the ground."""
    b = ctx.elem_body[e]
    return ctx.q[ctx.body_q[b] + 2] if ctx.body_nv[b] > 0 else 0.0


@entry
def evaluate_angle(ctx, first, last):
    """θ_b − θ_a − s(t) = 0, whole turns included; elements e1_a, e2_a, e1_b."""
    for j in range(first, last):
        x, xd, G, phi, gamma, width = joint_arrays(ctx, j, 2)
        phi_t, s = driven(ctx, j)
        _, bias = turning(x, xd, G, width, 0, 0, 1, 2, 1.0, 2)
        e = ctx.joint_e[j]
        phi[0] = _angle_of(ctx, e + 2) - _angle_of(ctx, e) - s[0]
        phi_t[0] = -s[1]
        gamma[0] = bias - s[2]


@entry
def evaluate_length(ctx, first, last):
    """φ = |x_b − x_a| − ℓ, whose rate is u · (ẋ_b − ẋ_a) with u along x_b − x_a; elements P_a, P_b."""
    for j in range(first, last):
        x, xd, G, phi, gamma, _ = joint_arrays(ctx, j, 2)
        g0, g1, v0, v1 = x[2] - x[0], x[3] - x[1], xd[2] - xd[0], xd[3] - xd[1]
        length = max(math.sqrt(g0 * g0 + g1 * g1), 1e-300)
        u0, u1 = g0 / length, g1 / length
        across = u0 * v1 - u1 * v0
        G[0], G[1], G[2], G[3] = -u0, -u1, u0, u1
        phi[0] = length - ctx.param[ctx.joint_p[j]]
        gamma[0] = across * across / length


class Angle(ImposedRotation, frozen=True, tag="course_angle"):
    """The angle of planar body b less that of a is ``angle``, turn by turn."""

    kernel = evaluate_angle


class Length(Distance, frozen=True, tag="course_length"):
    """The distance itself, not its square."""

    kernel = evaluate_length


def add_angle(m, name, angle, a, b):
    """θ_b − θ_a = angle [rad], a number or a function of time, for two bodies of a mechanism."""
    joint = m.add_joint(name, ImposedRotation(angle=angle), a, b, at_a=(0.0, 0.0), at_b=(0.0, 0.0), axes_a=0.0, axes_b=0.0)
    m.joints[name] = msgspec.structs.replace(joint, kind=Angle(angle=joint.kind.angle))


def add_length(m, name, length, a, b):
    """|AB| = length [m] for two frames of a mechanism."""
    joint = m.add_joint(name, Distance(length=length), a, b)
    m.joints[name] = msgspec.structs.replace(joint, kind=Length(length=length))
