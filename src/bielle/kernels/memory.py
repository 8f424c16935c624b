"""Memory that kernels work on: where an array is, and many arrays out of one piece."""

import ctypes
import itertools
from typing import Any

import numpy as np

__all__ = ["Pool", "address_of"]

_first_byte: Any = ctypes.c_char.from_buffer


def address_of(array: np.ndarray) -> int:
    """Of the first entry of a contiguous array; 0 if it has none."""
    if not array.size:
        return 0
    try:
        return ctypes.addressof(_first_byte(array))  # five times as fast as the array's own ways to tell
    except TypeError:  # it is read-only
        return array.__array_interface__["data"][0]


class Pool:
    """Integers: uninitialised arrays of the lengths given; ``pool[k]`` is the k-th, ``pool.addresses[k]`` where it is."""

    def __init__(self, *lengths: int) -> None:
        self._starts = [0, *itertools.accumulate(lengths)]
        self._block = np.empty(self._starts[-1] + 1, dtype=np.int64)
        base = address_of(self._block)
        self.addresses = [base + 8 * start for start in self._starts[:-1]]

    def __getitem__(self, k: int) -> np.ndarray:
        return self._block[self._starts[k] : self._starts[k + 1]]
