"""Functions that need the bodies: with joints that close loops, and with the forces of a mechanism. Arguments are at hand."""

from ..kernels.lazy import entry
from ..kernels.pointers import at, call, copy
from ..kernels.tree import (
    PLACED,
    T_OUT,
    T_OUT_V,
    T_Q,
    T_V,
)
from .efforts import dot, hand_up
from .loops import LOOP, fill_jacobian


@entry
def constrained_dynamics(t, how, unused):
    """q̈ (t.a) and λ (t.lam) from q, v, τ."""
    t.count.refused = 0
    call(t.kernel.begin, t, 0, 0)
    call(t.kernel.forward, t, PLACED | how, 0)
    if t.count.loop > 0:
        call(t.kernel.close, t, 0, 0)


@entry
def constraint_jacobian(t, unused, unused_too):
    """J (equations, nv) in T_OUT, from q and v."""
    t.count.refused = 0
    call(t.kernel.begin, t, 0, 0)
    fill_jacobian(t, t.out)


@entry
def constraint_residual(t, unused, unused_too):
    """φ (t.out) and φ̇ (t.out_v) of the loops, from q and v."""
    t.count.refused = 0
    call(t.kernel.begin, t, 0, 0)
    ctx = t.bodies
    for k in range(t.count.loop):
        loop = at(t.loop, LOOP * k)
        c0 = ctx.joint_c[loop[0]]
        copy(loop[2], at(ctx.phi, c0), at(t.out, loop[1]))
        copy(loop[2], at(ctx.phi_dot, c0), at(t.out_v, loop[1]))


@entry
def close_loops(t, unused, unused_too):
    """q (t.out) and v (t.out_v) nearest to those given with which all loops are closed."""
    count = t.count
    count.refused = 0
    copy(count.q, t.q, t.out)
    copy(count.v, t.v, t.out_v)
    t[T_Q] = t[T_OUT]
    t[T_V] = t[T_OUT_V]
    call(t.kernel.project, t, 0, 0)


@entry
def applied_forces(t, unused, unused_too):
    """τ (t.tau): what the forces of the mechanism do in the joints, from q and v."""
    count, tau = t.count, t.tau
    count.refused = 0
    call(t.kernel.begin, t, 0, 0)
    if count.coupled == 0:
        for k in range(count.v):
            tau[k] = 0.0
        return
    call(t.kernel.load, t, 0, 0)
    copy(6 * count.link, t.force, t.effort)
    for i in range(count.link - 1, -1, -1):
        f = at(t.effort, 6 * i)
        for k in range(t.nv[i]):
            tau[t.v0[i] + k] = dot(at(t.s, 36 * i + 6 * k), f)
        hand_up(t, i, f)
