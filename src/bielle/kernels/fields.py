"""Fields: arrays of the field table that are kept together, in one block of memory whose layout follows from the counts.

A running simulation is laid out anew at every change of its topology: one allocation and one pass instead of dozens of small arrays.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import numpy as np

from .lazy import entry
from .memory import address_of
from .pointers import ints
from .slots import FIELDS, INDEX

__all__ = ["LINE", "MATRIX", "OWN", "PARAMETERS", "STATE", "STATE_START", "STRUCTURE", "Fields", "Group", "length_of"]

LINE = 8  #: numbers per cache line: fields start on lines of their own


class Group:
    """Fields of some roles, role by role in the order of the table."""

    def __init__(self, *roles: str) -> None:
        fields = [f for role in roles for f in FIELDS if f.role == role]
        self.names = tuple(f.name for f in fields)
        self.slots = np.array([INDEX[name] for name in self.names])
        self.place = {name: i for i, name in enumerate(self.names)}
        self.types = [f.type for f in fields]
        terms = [f.terms() for f in fields]
        ends = np.cumsum([0, *map(len, terms)])
        #: for kernels: number of terms up to each field, and the terms: (count or −1, factor)
        self.terms = np.array([*ends, *(x for own in terms for term in own for x in term)], dtype=np.int64)
        self.terms_address = address_of(self.terms)


STRUCTURE = Group("structure")  #: what a model's topology says
PARAMETERS = Group("parameter")  #: and the numbers of its components
MATRIX = Group("matrix")  #: places in the KKT matrix
_STATE = ("integrated", "memory", "warm start")
STATE = Group(*_STATE)  #: what is kept from step to step
OWN = Group("input", *_STATE, "watching", "derived", "scratch")  #: what every context has for itself, the state among it


def _empty(length: int) -> np.ndarray:
    return np.empty(length, dtype=np.int64)


class Fields(Mapping[str, np.ndarray]):
    """The arrays of a group by name. Those without entries point to the first line of the block, which is zero."""

    def __init__(self, group: Group, count: np.ndarray, take: Callable[[int], np.ndarray] = _empty) -> None:
        """count: sizes, as in the field of that name; take: gives memory."""
        n = len(group.names)
        self.group = group
        found = np.empty(2 * n + 1, dtype=np.int64)
        ctx = np.array([group.terms_address, address_of(count), address_of(found)])
        _carve(address_of(ctx), n, LINE)
        self.lengths, self.starts = found[:n], found[n : 2 * n]
        self.block = take(int(found[2 * n]))
        self.block[:LINE] = 0
        self.addresses = 8 * self.starts + address_of(self.block)  #: of the arrays, in the order of the group
        self._views: dict[str, np.ndarray] = {}

    def __getitem__(self, name: str) -> np.ndarray:
        view = self._views.get(name)
        if view is None:
            i = self.group.place[name]
            start = int(self.starts[i])
            view = self.block[start : start + int(self.lengths[i])].view(np.float64 if self.group.types[i] is float else np.int64)
            self._views[name] = view
        return view

    def copy(self) -> Fields:
        """An independent copy, in memory of its own."""
        out = Fields.__new__(Fields)
        out.group, out.lengths, out.starts, out.block = self.group, self.lengths, self.starts, self.block.copy()
        out.addresses = 8 * out.starts + address_of(out.block)
        out._views = {}
        return out

    def __iter__(self) -> Iterator[str]:
        return iter(self.group.names)

    def __len__(self) -> int:
        return len(self.group.names)


def length_of(name: str, count: np.ndarray) -> int:
    """Of a field."""
    return sum(factor * (1 if k < 0 else int(count[k])) for k, factor in _TERMS[name])


_TERMS = {f.name: f.terms() for f in FIELDS}
_INPUTS = [sum(factor for _, factor in f.terms()) for f in FIELDS if f.role == "input"]  # their lengths are fixed
STATE_START = LINE + sum(-(-n // LINE) * LINE for n in _INPUTS)  #: where the state begins in the block of a context


@entry
def _carve(ctx, n, line):
    """Lengths of n fields, their starts, each on a line of its own behind the first, and the length of all."""
    terms, count, out = ints(ctx, 0), ints(ctx, 1), ints(ctx, 2)
    end = line
    for i in range(n):
        length = 0
        for t in range(terms[i], terms[i + 1]):
            k, factor = terms[n + 1 + 2 * t], terms[n + 2 + 2 * t]
            length += factor * (count[k] if k >= 0 else 1)
        out[i] = length
        out[n + i] = end if length > 0 else 0
        end += (length + line - 1) // line * line
    out[2 * n] = end
