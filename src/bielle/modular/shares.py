"""Shares: what every phase begins with, and what shares tell each other."""

from ..kernels import slots
from ..kernels.lazy import helper, once
from ..kernels.pointers import at, call, floats, ints
from .plan import LINE, P_GAPS, P_PROGRAM, P_SHARE, P_THREADS, SHARE


@helper
def plan_of(ctx):
    """The plan of the run."""
    return ints(ints(ctx, slots.ROUTINE), slots.R_PLAN)


@helper
def share_of(plan, t):
    """The numbers of share t."""
    return at(ints(plan, P_SHARE), SHARE * t)


@once
def run_share(ctx, plan, share, first):
    """A part of the program of a share."""
    program = ints(plan, P_PROGRAM)
    for i in range(share[first], share[first + 1]):
        call(program[3 * i], ctx, program[3 * i + 1], program[3 * i + 2])


@once
def told_by_any(plan, what):
    """Whether a share has told this, one of the G_… constants."""
    gaps, total = floats(plan, P_GAPS), 0.0
    for t in range(plan[P_THREADS]):
        total += gaps[LINE * t + what]
    return total > 0.0


@once
def largest_gap(plan):
    """Of all shares."""
    gaps, worst = floats(plan, P_GAPS), 0.0
    for t in range(plan[P_THREADS]):
        worst = gaps[LINE * t] if not gaps[LINE * t] <= worst else worst
    return worst


@once
def rate_of_row(ctx, j, r, x):
    """J x of a row of joint j, for velocities x."""
    jb_start, jb_body, jb_offset = ints(ctx, slots.JB_START), ints(ctx, slots.JB_BODY), ints(ctx, slots.JB_OFFSET)
    body_nv, body_v, jac = ints(ctx, slots.BODY_NV), ints(ctx, slots.BODY_V), floats(ctx, slots.JAC)
    total = 0.0
    for s in range(jb_start[j], jb_start[j + 1]):
        nv, first = body_nv[jb_body[s]], body_v[jb_body[s]]
        for i in range(nv):
            total += jac[jb_offset[s] + r * nv + i] * x[first + i]
    return total


@helper
def n_coordinates(ctx, b):
    """Number of coordinates of body b."""
    count, body_q = ints(ctx, slots.COUNT), ints(ctx, slots.BODY_Q)
    return (body_q[b + 1] if b + 1 < count[slots.N_BODY] else count[slots.N_Q]) - body_q[b]
