"""Where bodies are."""

from ..kernels.lazy import entry
from ..kernels.pointers import at
from ..kernels.tree import PLACE, T_OUT
from .arguments import ALIGNED, WRITEABLE
from .efforts import bind_rest, bind_state
from .links import begin_placing, place, product


@entry
def poses(t, unused, arguments):
    """(n, 12) rotation, row by row, and position of every body frame. Arguments: q, poses."""
    n = t.count.link
    if not (bind_state(t, arguments, 1) and bind_rest(t, arguments, 1, T_OUT, n, PLACE, ALIGNED | WRITEABLE)):
        return
    begin_placing(t)
    for i in range(n):
        place(t, i)
        R, x = at(t.r, 9 * i), at(t.pos, 3 * i)
        body, out = at(t.body_pose, 12 * i), at(t.out, 12 * i)
        product(R, body, out)
        for k in range(3):
            out[9 + k] = x[k] + R[3 * k] * body[9] + R[3 * k + 1] * body[10] + R[3 * k + 2] * body[11]
