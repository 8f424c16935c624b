"""What is left over of the equations of a joint, in words: those that see points are lengths, those of directions alone angles."""

import numpy as np

from ..model import Context
from ..model.model import JointRow

__all__ = ["leftover", "leftover_unit"]


def leftover_unit(context: Context, row: JointRow, residual: np.ndarray) -> str:
    """'m' or 'rad': the unit of the largest of a joint's residuals (nc,), at the state that was evaluated last.

    d_a · d_b of two directions that are to be orthogonal is the sine of the angle they lack.
    """
    own = np.abs(residual[row.equations])
    if not len(own):
        return "m"
    dim, elements = context.model.dim, row.elements.stop - row.elements.start
    start = int(context.joint_g[row.index]) + int(own.argmax()) * dim * elements
    seen = np.abs(context.g[start : start + dim * elements]).reshape(elements, dim).max(axis=1) > 0.0
    points = context.model.arrays["elem_point"][row.elements] != 0
    return "m" if (seen & points).any() else "rad"


def leftover(context: Context, row: JointRow, residual: np.ndarray, per: str = "") -> str:
    """The largest of a joint's residuals with its unit, "0.1 rad"; ``per`` goes behind it: "/s"."""
    largest = float(np.abs(residual[row.equations]).max(initial=0.0))
    return f"{largest:.3g} {leftover_unit(context, row, residual)}{per}"
