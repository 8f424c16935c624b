"""Recursive Newton–Euler algorithm: inverse dynamics (Featherstone 2008, 5.3)."""

from ..kernels.lazy import entry
from ..kernels.pointers import at, floats, ints
from .arguments import ALIGNED, WRITEABLE
from .efforts import accelerate, begin_effort, bind_rest, bind_state, dot, effort, hand_up, turning
from .links import move, place, weigh
from .table import (
    ACCELERATED,
    N_LINK,
    N_V,
    PLACED,
    T_A,
    T_ACC,
    T_ARMATURE,
    T_BODY,
    T_COUNT,
    T_EFFORT,
    T_NV,
    T_S,
    T_TAU,
    T_V0,
    T_VEL,
)  # fmt: skip


@entry
def rnea(t, how, arguments):
    """τ = M q̈ + h(q, q̇) less what efforts on bodies do, from q, v and a, which is 0 if not ACCELERATED. Arguments: q, v, τ, a."""
    if not (bind_state(t, arguments, 2) and bind_rest(t, arguments, 2, T_TAU, ints(t, T_COUNT)[N_V], 0, ALIGNED | WRITEABLE)):
        return
    if how & ACCELERATED and not bind_rest(t, arguments, 3, T_A, ints(t, T_COUNT)[N_V], 0, ALIGNED):
        return
    n, efforts, nv, v0, tau = ints(t, T_COUNT)[N_LINK], floats(t, T_EFFORT), ints(t, T_NV), ints(t, T_V0), floats(t, T_TAU)
    for i in range(n):
        if not how & PLACED:
            place(t, i)
            move(t, i)
            weigh(t, i)
        accelerate(t, i)
        acc, S, f = at(floats(t, T_ACC), 6 * i), at(floats(t, T_S), 36 * i), at(efforts, 6 * i)
        if how & ACCELERATED:
            a = at(floats(t, T_A), v0[i])
            for k in range(nv[i]):
                for c in range(6):
                    acc[c] += S[6 * k + c] * a[k]
        begin_effort(t, i, how, f)
        effort(at(floats(t, T_BODY), 10 * i), acc, f)
        turning(at(floats(t, T_BODY), 10 * i), at(floats(t, T_VEL), 6 * i), f)
    for i in range(n - 1, -1, -1):
        f, S = at(efforts, 6 * i), at(floats(t, T_S), 36 * i)
        for k in range(nv[i]):
            tau[v0[i] + k] = dot(at(S, 6 * k), f)
            if how & ACCELERATED:
                tau[v0[i] + k] += floats(t, T_ARMATURE)[v0[i] + k] * floats(t, T_A)[v0[i] + k]
        hand_up(t, i, f)
