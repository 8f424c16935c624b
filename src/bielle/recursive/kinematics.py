"""Where bodies are."""

from ..kernels.lazy import entry
from ..kernels.pointers import at, floats, ints
from .arguments import ALIGNED, WRITEABLE
from .efforts import bind_rest, bind_state
from .links import begin_placing, place, product
from .table import N_LINK, PLACE, T_BODY_POSE, T_COUNT, T_OUT, T_POS, T_R


@entry
def poses(t, unused, arguments):
    """(n, 12) rotation, row by row, and position of every body frame. Arguments: q, poses."""
    n = ints(t, T_COUNT)[N_LINK]
    if not (bind_state(t, arguments, 1) and bind_rest(t, arguments, 1, T_OUT, n, PLACE, ALIGNED | WRITEABLE)):
        return
    begin_placing(t)
    for i in range(n):
        place(t, i)
        R, x = at(floats(t, T_R), 9 * i), at(floats(t, T_POS), 3 * i)
        body, out = at(floats(t, T_BODY_POSE), 12 * i), at(floats(t, T_OUT), 12 * i)
        product(R, body, out)
        for k in range(3):
            out[9 + k] = x[k] + R[3 * k] * body[9] + R[3 * k + 1] * body[10] + R[3 * k + 2] * body[11]
