"""Shares: what every phase begins with, and what shares tell each other."""

from ..kernels.lazy import helper, once
from ..kernels.plan import LINE, SHARE
from ..kernels.pointers import at, call, plan_at


@helper
def plan_of(ctx):
    """The plan of the run."""
    return plan_at(ctx.routine.plan)


@helper
def share_of(plan, t):
    """The numbers of share t."""
    return at(plan.share, SHARE * t)


@once
def run_share(ctx, plan, share, first):
    """A part of the program of a share."""
    program = plan.program
    for i in range(share[first], share[first + 1]):
        call(program[3 * i], ctx, program[3 * i + 1], program[3 * i + 2])


@once
def told_by_any(plan, what):
    """Whether a share has told this, one of the G_… constants."""
    gaps, total = plan.gaps, 0.0
    for t in range(plan.threads):
        total += gaps[LINE * t + what]
    return total > 0.0


@once
def largest_gap(plan):
    """Of all shares."""
    gaps, worst = plan.gaps, 0.0
    for t in range(plan.threads):
        worst = gaps[LINE * t] if not gaps[LINE * t] <= worst else worst
    return worst


@once
def rate_of_row(ctx, j, r, x):
    """J x of a row of joint j, for velocities x."""
    jb_start, jb_body, jb_offset = ctx.jb_start, ctx.jb_body, ctx.jb_offset
    body_nv, body_v, jac = ctx.body_nv, ctx.body_v, ctx.jac
    total = 0.0
    for s in range(jb_start[j], jb_start[j + 1]):
        nv, first = body_nv[jb_body[s]], body_v[jb_body[s]]
        for i in range(nv):
            total += jac[jb_offset[s] + r * nv + i] * x[first + i]
    return total


@helper
def n_coordinates(ctx, b):
    """Number of coordinates of body b."""
    count, body_q = ctx.count, ctx.body_q
    return (body_q[b + 1] if b + 1 < count.body else count.q) - body_q[b]
