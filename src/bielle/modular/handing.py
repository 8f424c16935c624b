"""What levels of rates hand to each other: forces up, bodies back (:mod:`bielle.modular.rates`)."""

from ..kernels import slots
from ..kernels.lazy import entry
from ..kernels.pointers import at, clear, copy, floats, ints
from .pieces import act_from_this_level
from .plan import P_EXTERNAL, P_FINER, P_HELD, P_INVERSE_MASS, P_KEPT, P_PART
from .shares import n_coordinates, plan_of


@entry
def hand_down(ctx, unused, unused_too):
    """What acts on bodies that the level above advances, from this level and those below: constant while it does."""
    plan = plan_of(ctx)
    finer, held, lam = ints(plan, P_FINER), ints(plan, P_HELD), floats(ctx, slots.LAMBDA)
    part, external, out = floats(plan, P_PART), floats(plan, P_EXTERNAL), floats(finer, P_EXTERNAL)
    body_nv, body_v = ints(ctx, slots.BODY_NV), ints(ctx, slots.BODY_V)
    for b in range(ints(ctx, slots.COUNT)[slots.N_BODY]):
        if held[b] == 1:
            first = body_v[b]
            clear(body_nv[b], at(part, first))
            act_from_this_level(ctx, plan, b, lam, at(part, first))
            for i in range(first, first + body_nv[b]):
                out[i] = external[i] + part[i]


@entry
def rejoin(ctx, unused, unused_too):
    """v0 = v − h/2 M⁻¹ of what acted from this level: half of it is taken back, and given again as it is at the end of the step."""
    plan = plan_of(ctx)
    held, part, inverse, h = ints(plan, P_HELD), floats(plan, P_PART), floats(plan, P_INVERSE_MASS), floats(ctx, slots.SCALAR)[slots.S_STEP]
    body_nv, body_v, body_m = ints(ctx, slots.BODY_NV), ints(ctx, slots.BODY_V), ints(ctx, slots.BODY_M)
    v, v0 = floats(ctx, slots.V), floats(ctx, slots.V0)
    for b in range(ints(ctx, slots.COUNT)[slots.N_BODY]):
        if held[b] == 1:
            nv, first = body_nv[b], body_v[b]
            for i in range(nv):
                total = 0.0
                for k in range(nv):
                    total += inverse[body_m[b] + i * nv + k] * part[first + k]
                v0[first + i] = v[first + i] - 0.5 * h * total


@entry
def restore(ctx, unused, unused_too):
    """Take the bodies that the level above advances back to the start of the step."""
    plan = plan_of(ctx)
    held, kept, nq = ints(plan, P_HELD), floats(plan, P_KEPT), ints(ctx, slots.COUNT)[slots.N_Q]
    body_q, body_v, body_nv = ints(ctx, slots.BODY_Q), ints(ctx, slots.BODY_V), ints(ctx, slots.BODY_NV)
    for b in range(ints(ctx, slots.COUNT)[slots.N_BODY]):
        if held[b] == 1:
            copy(n_coordinates(ctx, b), at(kept, body_q[b]), at(floats(ctx, slots.Q), body_q[b]))
            copy(body_nv[b], at(kept, nq + body_v[b]), at(floats(ctx, slots.V), body_v[b]))
