"""Memory that kernels work on: where an array is, and blocks that are used again."""

from __future__ import annotations

import ctypes
import threading
from typing import Any

import numpy as np

__all__ = ["Spares", "address_of"]

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
