"""Memory that kernels work on: where an array is, and many arrays out of one piece."""

from __future__ import annotations

import ctypes
import itertools
import threading
from typing import Any

import numpy as np

__all__ = ["Pool", "Spares", "address_of"]

_first_byte: Any = ctypes.c_char.from_buffer


def address_of(array: np.ndarray) -> int:
    """Of the first entry of a contiguous array; 0 if it has none."""
    if not array.size:
        return 0
    try:
        return ctypes.addressof(_first_byte(array))  # five times as fast as the array's own ways to tell
    except TypeError:  # it is read-only
        return array.__array_interface__["data"][0]


class Spares:
    """Blocks that were used before and can be used again: fresh memory is slow where it is touched for the first time."""

    def __init__(self, most: int, dtype: type) -> None:
        self._most = most  # blocks that are kept
        self._dtype = dtype
        self._sharing = threading.Lock()
        self._blocks: list[np.ndarray] = []

    def take(self, length: int) -> np.ndarray:
        """At least that many numbers, whatever they are."""
        with self._sharing:
            for i, block in enumerate(self._blocks):
                if length <= len(block) <= 2 * length + 4096:
                    return self._blocks.pop(i)
        return np.empty(length + length // 16, dtype=self._dtype)  # a little more, so that it fits a mechanism that grows

    def give_back(self, block: np.ndarray) -> None:
        """Nobody must look at it any more."""
        with self._sharing:
            if len(self._blocks) < self._most:
                self._blocks.append(block)


class Pool:
    """Integers: uninitialised arrays of the lengths given; ``pool[k]`` is the k-th, ``pool.addresses[k]`` where it is."""

    def __init__(self, *lengths: int, spares: Spares | None = None) -> None:
        self._starts = [0, *itertools.accumulate(lengths)]
        n = self._starts[-1] + 1
        self._spares = spares
        self._block = np.empty(n, dtype=np.int64) if spares is None else spares.take(n)
        base = address_of(self._block)
        self.addresses = [base + 8 * start for start in self._starts[:-1]]

    def __getitem__(self, k: int) -> np.ndarray:
        return self._block[self._starts[k] : self._starts[k + 1]]

    def release(self) -> None:
        """Leave the memory to the next."""
        if self._spares is not None:
            self._spares.give_back(self._block)
