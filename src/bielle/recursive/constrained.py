"""Functions that need the bodies: with joints that close loops, and with the forces of a mechanism. Arguments are at hand."""

from ..kernels import slots
from ..kernels.lazy import entry
from ..kernels.pointers import at, call, copy, floats, ints
from .efforts import dot, hand_up
from .loops import LOOP, fill_jacobian
from .table import (
    COUPLED,
    K_BEGIN,
    K_CLOSE,
    K_FORWARD,
    K_LOAD,
    K_PROJECT,
    N_LINK,
    N_LOOP,
    N_Q,
    N_V,
    PLACED,
    REFUSED,
    T_BODIES,
    T_COUNT,
    T_EFFORT,
    T_FORCE,
    T_KERNEL,
    T_LOOP,
    T_NV,
    T_OUT,
    T_OUT_V,
    T_Q,
    T_S,
    T_TAU,
    T_V,
    T_V0,
)


@entry
def constrained_dynamics(t, how, unused):
    """q̈ (T_A) and λ (T_LAMBDA) from q, v, τ."""
    ints(t, T_COUNT)[REFUSED] = 0
    call(ints(t, T_KERNEL)[K_BEGIN], t, 0, 0)
    call(ints(t, T_KERNEL)[K_FORWARD], t, PLACED | how, 0)
    if ints(t, T_COUNT)[N_LOOP] > 0:
        call(ints(t, T_KERNEL)[K_CLOSE], t, 0, 0)


@entry
def constraint_jacobian(t, unused, unused_too):
    """J (equations, nv) in T_OUT, from q and v."""
    ints(t, T_COUNT)[REFUSED] = 0
    call(ints(t, T_KERNEL)[K_BEGIN], t, 0, 0)
    fill_jacobian(t, floats(t, T_OUT))


@entry
def constraint_residual(t, unused, unused_too):
    """φ (T_OUT) and φ̇ (T_OUT_V) of the loops, from q and v."""
    ints(t, T_COUNT)[REFUSED] = 0
    call(ints(t, T_KERNEL)[K_BEGIN], t, 0, 0)
    ctx = ints(t, T_BODIES)
    for k in range(ints(t, T_COUNT)[N_LOOP]):
        loop = at(ints(t, T_LOOP), LOOP * k)
        c0 = ints(ctx, slots.JOINT_C)[loop[0]]
        copy(loop[2], at(floats(ctx, slots.PHI), c0), at(floats(t, T_OUT), loop[1]))
        copy(loop[2], at(floats(ctx, slots.PHI_DOT), c0), at(floats(t, T_OUT_V), loop[1]))


@entry
def close_loops(t, unused, unused_too):
    """q (T_OUT) and v (T_OUT_V) nearest to those given with which all loops are closed."""
    count = ints(t, T_COUNT)
    count[REFUSED] = 0
    copy(count[N_Q], floats(t, T_Q), floats(t, T_OUT))
    copy(count[N_V], floats(t, T_V), floats(t, T_OUT_V))
    t[T_Q] = t[T_OUT]
    t[T_V] = t[T_OUT_V]
    call(ints(t, T_KERNEL)[K_PROJECT], t, 0, 0)


@entry
def applied_forces(t, unused, unused_too):
    """τ (T_TAU): what the forces of the mechanism do in the joints, from q and v."""
    count, tau = ints(t, T_COUNT), floats(t, T_TAU)
    count[REFUSED] = 0
    call(ints(t, T_KERNEL)[K_BEGIN], t, 0, 0)
    if count[COUPLED] == 0:
        for k in range(count[N_V]):
            tau[k] = 0.0
        return
    call(ints(t, T_KERNEL)[K_LOAD], t, 0, 0)
    copy(6 * count[N_LINK], floats(t, T_FORCE), floats(t, T_EFFORT))
    for i in range(count[N_LINK] - 1, -1, -1):
        f = at(floats(t, T_EFFORT), 6 * i)
        for k in range(ints(t, T_NV)[i]):
            tau[ints(t, T_V0)[i] + k] = dot(at(floats(t, T_S), 36 * i + 6 * k), f)
        hand_up(t, i, f)
