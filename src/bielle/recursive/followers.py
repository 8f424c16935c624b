"""Followers: rotors geared to a joint of a tree, which turn as it moves.

They have no coordinates of their own. A rotor with inertia I about its axis, that turns ρ times as fast as the joint whose coordinate is u,
has the kinetic energy ½ I (ρ u̇)²: an armature ρ² I of the joint, which is all that its dynamics needs. A torque T on the rotor acts on u
with ρ T, between the two bodies of the joint; the gear holds the rotor with λ = I ρ ü − T.
"""

from ..kernels.lazy import helper, once
from ..kernels.motions import PRISMATIC
from ..kernels.pointers import at
from .efforts import accelerate, dot
from .links import cross

FOLLOWER = 3  # integers of each: see T_FOLLOWER


@once
def accelerate_followers(t):
    """Accelerations of the links, from q̈."""
    for k in range(t.count.follower):
        i, leader = t.follower[FOLLOWER * k], t.follower[FOLLOWER * k + 1]
        accelerate(t, i)
        acc, S = at(t.acc, 6 * i), at(t.s, 36 * i)
        a = t.lead[i] * t.a[t.v0[leader]]
        for c in range(3):
            acc[c] += a * S[c]


@helper
def _act(t, i, u, efforts):
    """An effort u on the first coordinate of the joint of link i: on the link, and back on its parent."""
    S, out, parent = at(t.s, 36 * i), at(efforts, 6 * i), t.parent[i]
    first = 3 if t.motion[i] == PRISMATIC else 0  # a force along the axis, or a torque about it
    f0, f1, f2 = u * S[first], u * S[first + 1], u * S[first + 2]
    out[first] += f0
    out[first + 1] += f1
    out[first + 2] += f2
    if parent < 0:
        return
    arm, out = at(t.arm, 3 * i), at(efforts, 6 * parent)
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
    forces = t.force
    for k in range(t.count.follower):
        i, leader = t.follower[FOLLOWER * k], t.follower[FOLLOWER * k + 1]
        torque = dot(at(t.s, 36 * i), at(forces, 6 * i))
        _act(t, leader, t.lead[i] * torque, forces)


@once
def hold_followers(t):
    """λ of the gears, from the efforts that rotors need. What it does to the joints is an effort from outside, as forces on rotors were."""
    ctx = t.bodies
    lam, joint_c, efforts = ctx.lam, ctx.joint_c, t.effort
    for k in range(t.count.follower):
        follower = at(t.follower, FOLLOWER * k)
        i, leader, ratio, S = follower[0], follower[1], t.lead[follower[0]], at(t.s, 36 * follower[0])
        torque = dot(S, at(efforts, 6 * i))
        lam[joint_c[follower[2]]] = torque
        # of the forces on the rotor the joint has got its share already
        forced = dot(S, at(t.force, 6 * i))
        _act(t, leader, ratio * (torque + forced), efforts)
        for c in range(6):
            efforts[6 * i + c] -= torque * S[c]
