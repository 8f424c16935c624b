"""Memory that kernels work on: where an array is, and blocks that are used again."""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Iterable
from typing import Any, ClassVar

import numpy as np

from ..errors import CopyError

__all__ = ["Spares", "Uncopyable", "address_of", "addresses_of"]

_first_byte: Any = ctypes.c_char.from_buffer


def address_of(array: np.ndarray) -> int:
    """Of the first entry of a contiguous array; 0 if it has none. Whoever uses it keeps the array meanwhile, under a name."""
    if not array.size:
        return 0
    try:
        return ctypes.addressof(_first_byte(array))  # five times as fast as the array's own ways to tell
    except TypeError:  # it is read-only
        return array.__array_interface__["data"][0]


def addresses_of(arrays: Iterable[np.ndarray]) -> np.ndarray:
    """Of several arrays; these are to be kept, too."""
    return np.array([address_of(array) for array in arrays], dtype=np.int64)


class Uncopyable:
    """What holds addresses of its own memory, or threads or processes: a copy, attribute by attribute, would work on the original's.

    Copying and pickling are refused. Whoever owns such a thing leaves it out when it is copied itself, and makes another.
    """

    __slots__ = ()
    instead: ClassVar[str] = "Copy what it was made from, and make another."  #: what to do

    def __reduce_ex__(self, protocol: Any) -> Any:
        raise CopyError(f"A {type(self).__name__} cannot be copied or pickled: it holds memory of a computation. {self.instead}")


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
