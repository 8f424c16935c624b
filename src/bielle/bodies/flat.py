"""What coordinates have in common whose rates are the velocities themselves: points and directions are linear in q, or the plane."""

from ..kernels.lazy import helper


@helper
def add_increment(ctx, first, last, n):
    """q ← q + delta for bodies of n coordinates: their space is flat."""
    body_q, body_v = ctx.body_q, ctx.body_v
    q, delta = ctx.q, ctx.delta
    for b in range(first, last):
        for i in range(n):
            q[body_q[b] + i] += delta[body_v[b] + i]
