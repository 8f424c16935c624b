"""What coordinates have in common whose rates are the velocities themselves: points and directions are linear in q, or the plane."""

from ..kernels import slots
from ..kernels.lazy import helper
from ..kernels.pointers import floats, ints


@helper
def add_increment(ctx, first, last, n):
    """q ← q + delta for bodies of n coordinates: their space is flat."""
    body_q, body_v = ints(ctx, slots.BODY_Q), ints(ctx, slots.BODY_V)
    q, delta = floats(ctx, slots.Q), floats(ctx, slots.DELTA)
    for b in range(first, last):
        for i in range(n):
            q[body_q[b] + i] += delta[body_v[b] + i]
