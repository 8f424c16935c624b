"""The ground: a body without coordinates, so that joints need not know that it does not move."""

import numpy as np

from ..kernels.lazy import entry
from ..mechanism.registry import register_body
from .kind import BodyKind


@entry
def motion(ctx, first, last):
    """Nothing moves."""


@entry
def elements(ctx, first, last):
    """x is the given vector; rates stay zero, as allocated."""
    dim = ctx.count.dim
    order, local, x = ctx.elem_order, ctx.elem_p, ctx.x
    for k in range(first, last):
        e = order[k]
        for i in range(dim):
            x[dim * e + i] = local[4 * e + i]


@register_body
class Ground(BodyKind):
    """The fixed world; no coordinates."""

    name = "ground"
    dim = 0
    nq = nv = 0
    motion, elements, retract = motion, elements, motion

    def parameters(self):
        return []

    def mass(self):
        return np.zeros((0, 0))

    def element(self, is_point, local):
        return [*local.tolist(), 0.0]

    def coordinates(self, pose):
        return np.zeros(0)

    def velocities(self, pose, twist):
        return np.zeros(0)

    def pose(self, q):
        return np.zeros((*q.shape[:-1], 3)), np.broadcast_to(np.eye(3), (*q.shape[:-1], 3, 3))
