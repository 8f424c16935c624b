"""Fields: arrays of the field table that are kept together, in one block of memory whose layout follows from the counts.

A running simulation is laid out anew at every change of its topology: a few allocations and passes instead of dozens of small arrays.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from .lazy import entry
from .memory import address_of
from .pointers import ints
from .slots import FIELDS, INDEX

__all__ = ["LINE", "MATRIX", "OWN", "PARAMETERS", "STATE", "STATE_START", "STRUCTURE", "Carving", "Fields", "Group", "length_of"]

LINE = 8  #: numbers per cache line: fields start on lines of their own


class Group:
    """Fields of some roles, role by role in the order of the table: those that share a block."""

    def __init__(self, before: Group | None, *roles: str) -> None:
        """before: the group whose fields stand before these."""
        self.number, first = (0, 0) if before is None else (before.number + 1, before.span.stop)
        fields = [f for role in roles for f in FIELDS if f.role == role]
        self.names = tuple(f.name for f in fields)
        self.place = {name: i for i, name in enumerate(self.names)}
        self.slots = np.array([INDEX[name] for name in self.names])
        self.types = [f.type for f in fields]
        self.span = slice(first, first + len(fields))  #: among the fields of all groups
        self.terms = [f.terms() for f in fields]

    def __reduce__(self) -> tuple[Any, ...]:
        return _group, (self.number,)  # there is one of each


_STATE = ("integrated", "memory", "warm start")
STRUCTURE = Group(None, "structure")  #: what a model's topology says
PARAMETERS = Group(STRUCTURE, "parameter")  #: and the numbers of its components
MATRIX = Group(PARAMETERS, "matrix")  #: places in the KKT matrix
STATE = Group(MATRIX, *_STATE)  #: what is kept from step to step
OWN = Group(STATE, "input", *_STATE, "watching", "derived", "scratch")  #: what every context has for itself, a state among it

_GROUPS = (STRUCTURE, PARAMETERS, MATRIX, STATE, OWN)
_N = OWN.span.stop
_TERMS = [own for group in _GROUPS for own in group.terms]
_PLAN = np.array(  # for the kernel: where groups end; where the terms of each field end; the terms: (count or −1, factor)
    [
        *(group.span.stop for group in _GROUPS),
        *np.cumsum([0, *map(len, _TERMS)]),
        *(x for own in _TERMS for term in own for x in term),
    ],
    dtype=np.int64,
)
_PLAN_ADDRESS = address_of(_PLAN)


class Carving:
    """How long every field is, and where it begins in its block: the same for all blocks of a model."""

    __slots__ = ("found",)

    def __init__(self, count: np.ndarray) -> None:
        """count: sizes, as in the field of that name."""
        self.found = found = np.empty(2 * _N + len(_GROUPS), dtype=np.int64)  #: lengths, starts, lengths of the blocks
        ctx = np.array([_PLAN_ADDRESS, address_of(count), address_of(found)])
        _carve(address_of(ctx), len(_GROUPS), _N)


def _empty(length: int) -> np.ndarray:
    return np.empty(length, dtype=np.int64)


class Fields(Mapping[str, np.ndarray]):
    """The arrays of a group by name. Those without entries point to the first line of the block, which is zero."""

    __slots__ = ("_carving", "_views", "block", "group")

    def __init__(self, group: Group, carving: Carving, take: Callable[[int], np.ndarray] = _empty) -> None:
        """take: gives memory."""
        self.group = group
        self._carving = carving
        self.block = take(int(carving.found[2 * _N + group.number]))
        self.block[:LINE] = 0
        self._views: dict[str, np.ndarray] = {}

    @property
    def addresses(self) -> np.ndarray:
        """Of the arrays, in the order of the group."""
        span = self.group.span
        return 8 * self._carving.found[_N + span.start : _N + span.stop] + address_of(self.block)

    def start(self, name: str) -> int:
        """Where an array begins in the block; 0 if it has no entries."""
        return int(self._carving.found[_N + self.group.span.start + self.group.place[name]])

    def __getitem__(self, name: str) -> np.ndarray:
        view = self._views.get(name)
        if view is None:
            group, found = self.group, self._carving.found
            i = group.place[name]
            k = group.span.start + i
            start = int(found[_N + k])
            view = self.block[start : start + int(found[k])].view(np.float64 if group.types[i] is float else np.int64)
            self._views[name] = view
        return view

    def copy(self) -> Fields:
        """An independent copy, in memory of its own."""
        return _fields(self.group, self._carving, self.block.copy())

    def __reduce__(self) -> tuple[Any, ...]:
        return _fields, (self.group, self._carving, self.block)  # without the views: those of a copy are of its own block

    def __iter__(self) -> Iterator[str]:
        return iter(self.group.names)

    def __len__(self) -> int:
        return len(self.group.names)


def _fields(group: Group, carving: Carving, block: np.ndarray) -> Fields:
    """Fields with this block."""
    return Fields(group, carving, lambda _: block)


def _group(number: int) -> Group:
    return _GROUPS[number]


def length_of(name: str, count: np.ndarray) -> int:
    """Of a field."""
    return sum(factor * (1 if k < 0 else int(count[k])) for k, factor in FIELDS[INDEX[name]].terms())


_INPUTS = [sum(factor for _, factor in f.terms()) for f in FIELDS if f.role == "input"]  # their lengths are fixed
STATE_START = LINE + sum(-(-n // LINE) * LINE for n in _INPUTS)  #: where the state begins in the block of a context


@entry
def _carve(args, n_groups, n):
    """Lengths of n fields, their starts, each on a line of its own behind the first of its group's block, and the lengths of the blocks."""
    plan, count, out = ints(args, 0), ints(args, 1), ints(args, 2)
    first = 0
    for group in range(n_groups):
        end = LINE
        for i in range(first, plan[group]):
            length = 0
            for t in range(plan[n_groups + i], plan[n_groups + i + 1]):
                k, factor = plan[n_groups + n + 1 + 2 * t], plan[n_groups + n + 2 + 2 * t]
                length += factor * (count[k] if k >= 0 else 1)
            out[i] = length
            out[n + i] = end if length > 0 else 0
            end += (length + LINE - 1) // LINE * LINE
        out[2 * n + group] = end
        first = plan[group]
