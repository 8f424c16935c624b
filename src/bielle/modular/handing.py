"""What levels of rates hand to each other: forces up, bodies back (:mod:`bielle.modular.rates`)."""

from ..kernels.lazy import entry
from ..kernels.pointers import at, clear, copy
from .pieces import act_from_this_level
from .shares import n_coordinates, plan_of


@entry
def hand_down(ctx, unused, unused_too):
    """What acts on bodies that the level above advances, from this level and those below: constant while it does."""
    plan = plan_of(ctx)
    finer, held, lam = plan.finer, plan.held, ctx.lam
    part, external, out = plan.part, plan.external, finer.external
    body_nv, body_v = ctx.body_nv, ctx.body_v
    for b in range(ctx.count.body):
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
    held, part, inverse, h = plan.held, plan.part, plan.inverse_mass, ctx.scalar.step
    body_nv, body_v, body_m = ctx.body_nv, ctx.body_v, ctx.body_m
    v, v0 = ctx.v, ctx.v0
    for b in range(ctx.count.body):
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
    held, kept, nq = plan.held, plan.kept, ctx.count.q
    body_q, body_v, body_nv = ctx.body_q, ctx.body_v, ctx.body_nv
    for b in range(ctx.count.body):
        if held[b] == 1:
            copy(n_coordinates(ctx, b), at(kept, body_q[b]), at(ctx.q, body_q[b]))
            copy(body_nv[b], at(kept, nq + body_v[b]), at(ctx.v, body_v[b]))
