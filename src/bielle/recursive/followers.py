"""Followers: rotors geared to a joint of a tree, which turn as it moves.

They have no coordinates of their own. A rotor with inertia I about its axis, that turns ρ times as fast as the joint whose coordinate is u,
has the kinetic energy ½ I (ρ u̇)²: an armature ρ² I of the joint, which is all that its dynamics needs. A torque T on the rotor acts on u
with ρ T, between the two bodies of the joint; the gear holds the rotor with λ = I ρ ü − T.
"""

from ..kernels import slots
from ..kernels.lazy import helper, once
from ..kernels.motions import PRISMATIC
from ..kernels.pointers import at, floats, ints
from .efforts import accelerate, dot
from .links import cross
from .table import (
    N_FOLLOWER,
    T_A,
    T_ACC,
    T_ARM,
    T_BODIES,
    T_COUNT,
    T_EFFORT,
    T_FOLLOWER,
    T_FORCE,
    T_LEAD,
    T_MOTION,
    T_PARENT,
    T_S,
    T_V0,
)  # fmt: skip

FOLLOWER = 3  # integers of each: see T_FOLLOWER


@once
def accelerate_followers(t):
    """Accelerations of the links, from q̈."""
    for k in range(ints(t, T_COUNT)[N_FOLLOWER]):
        i, leader = ints(t, T_FOLLOWER)[FOLLOWER * k], ints(t, T_FOLLOWER)[FOLLOWER * k + 1]
        accelerate(t, i)
        acc, S = at(floats(t, T_ACC), 6 * i), at(floats(t, T_S), 36 * i)
        a = floats(t, T_LEAD)[i] * floats(t, T_A)[ints(t, T_V0)[leader]]
        for c in range(3):
            acc[c] += a * S[c]


@helper
def _act(t, i, u, efforts):
    """An effort u on the first coordinate of the joint of link i: on the link, and back on its parent."""
    S, out, parent = at(floats(t, T_S), 36 * i), at(efforts, 6 * i), ints(t, T_PARENT)[i]
    first = 3 if ints(t, T_MOTION)[i] == PRISMATIC else 0  # a force along the axis, or a torque about it
    f0, f1, f2 = u * S[first], u * S[first + 1], u * S[first + 2]
    out[first] += f0
    out[first + 1] += f1
    out[first + 2] += f2
    if parent < 0:
        return
    arm, out = at(floats(t, T_ARM), 3 * i), at(efforts, 6 * parent)
    out[first] -= f0
    out[first + 1] -= f1
    out[first + 2] -= f2
    if first == 3:
        n0, n1, n2 = cross(arm[0], arm[1], arm[2], f0, f1, f2)
        out[0] -= n0
        out[1] -= n1
        out[2] -= n2


@once
def load_leaders(t):
    """Forces on rotors act on the joints."""
    forces = floats(t, T_FORCE)
    for k in range(ints(t, T_COUNT)[N_FOLLOWER]):
        i, leader = ints(t, T_FOLLOWER)[FOLLOWER * k], ints(t, T_FOLLOWER)[FOLLOWER * k + 1]
        torque = dot(at(floats(t, T_S), 36 * i), at(forces, 6 * i))
        _act(t, leader, floats(t, T_LEAD)[i] * torque, forces)


@once
def hold_followers(t):
    """λ of the gears, from the efforts that rotors need. What it does to the joints is an effort from outside, as forces on rotors were."""
    ctx = ints(t, T_BODIES)
    lam, joint_c, efforts = floats(ctx, slots.LAMBDA), ints(ctx, slots.JOINT_C), floats(t, T_EFFORT)
    for k in range(ints(t, T_COUNT)[N_FOLLOWER]):
        follower = at(ints(t, T_FOLLOWER), FOLLOWER * k)
        i, leader, ratio, S = follower[0], follower[1], floats(t, T_LEAD)[follower[0]], at(floats(t, T_S), 36 * follower[0])
        torque = dot(S, at(efforts, 6 * i))
        lam[joint_c[follower[2]]] = torque
        # of the forces on the rotor the joint has got its share already
        forced = dot(S, at(floats(t, T_FORCE), 6 * i))
        _act(t, leader, ratio * (torque + forced), efforts)
        for c in range(6):
            efforts[6 * i + c] -= torque * S[c]
