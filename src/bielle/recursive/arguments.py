"""Arguments: how kernels take arrays from Python without a copy.

For a robot with seven joints the dynamics take a microsecond, and so does copying three short arrays, or asking them for their addresses.
So a kernel is given its arguments as they are and looks into the array objects itself. It refuses what is not a contiguous array of floats
of the right shape; then the slow way, which converts or explains, is taken. Where objects are laid out otherwise than expected
(:func:`layout_is_known` tries it), the slow way is the only one.
"""

from __future__ import annotations

import ctypes

import numpy as np

from ..kernels.fastcall import ITEMS
from ..kernels.lazy import once
from ..kernels.pointers import ints
from ..kernels.tree import T_ARGUMENTS

__all__ = ["bind", "known_objects", "layout_is_known"]

# in words of eight bytes: of an array its type, data, number of dimensions (the lower half), shape, strides, dtype,
# flags (the lower half)
TYPE, DATA, DIMENSIONS, SHAPE, STRIDES, DTYPE, FLAGS = 1, 2, 3, 4, 5, 7, 8
ALIGNED, WRITEABLE = 0x100, 0x400


@once
def bind(t, arguments, k, slot, rows, columns, flags):
    """Let slot be the data of the k-th argument. 0 if that is not an array of floats of that shape; ``columns`` 0: of one dimension.

    flags: what it must be. An array to write to must share no memory with the arguments before it, which are bound.
    """
    dimensions = 1 if columns == 0 else 2
    t[T_ARGUMENTS] = arguments
    given, known = t.arguments, t.known
    array = ints(given, ITEMS + k)
    if array[TYPE] != known[0] or array[DTYPE] != known[1] or array[DIMENSIONS] & 0xFFFFFFFF != dimensions:
        return 0
    if array[FLAGS] & flags != flags:
        return 0
    step = 8
    for i in range(dimensions - 1, -1, -1):
        size = rows if i == 0 else columns
        if ints(array, SHAPE)[i] != size or (size > 1 and ints(array, STRIDES)[i] != step):
            return 0
        step *= size
    if flags & WRITEABLE:
        for i in range(k):
            other = ints(given, ITEMS + i)
            size = 8 * ints(other, SHAPE)[0]
            if other[DIMENSIONS] & 0xFFFFFFFF == 2:
                size *= ints(other, SHAPE)[1]
            if other[DATA] < array[DATA] + step and array[DATA] < other[DATA] + size:
                return 0
    t[slot] = array[DATA]
    return 1


def known_objects() -> np.ndarray:
    """Addresses of the type of arrays and of the dtype of floats."""
    return np.array([id(np.ndarray), id(np.dtype(float))], dtype=np.int64)


def layout_is_known() -> bool:
    """Whether arrays are laid out as :func:`bind` expects."""
    sample = np.arange(5.0)[1:4:2]
    words = _words(sample, 9)
    fixed = sample.copy()
    fixed.flags.writeable = False
    return (
        ctypes.sizeof(ctypes.c_void_p) == 8
        and words[TYPE] == id(np.ndarray)
        and words[DATA] == sample.__array_interface__["data"][0]
        and words[DIMENSIONS] & 0xFFFFFFFF == 1
        and ctypes.c_int64.from_address(words[SHAPE]).value == 2
        and ctypes.c_int64.from_address(words[STRIDES]).value == 16
        and words[DTYPE] == id(np.dtype(float))
        and words[FLAGS] & (ALIGNED | WRITEABLE) == ALIGNED | WRITEABLE
        and _words(fixed, 9)[FLAGS] & (ALIGNED | WRITEABLE) == ALIGNED
    )


def _words(thing: object, n: int) -> list[int]:
    return list((ctypes.c_int64 * n).from_address(id(thing)))
